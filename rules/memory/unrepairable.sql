-- id:       memory.unrepairable
-- title:    The memory of a GPU cannot be repaired
-- scope:    bundle
-- severity: critical
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    condition
-- settle:   diag.memory
-- needs:    fact.repair.unrepairable
-- reads:    fact.repair.unrepairable
-- explains: xid.memory-chain any gpu; memory.uncorrected-ecc any gpu; memory.remap-failed any gpu; memory.remap-pending any gpu;
--           memory.repair-pending any gpu; memory.bank-low any gpu; memory.sram-threshold any gpu; xid.recovery-action any gpu
-- summary:  {gpu}: has memory that cannot be repaired
-- meaning:  The driver says so itself: spare rows and channels do not help any more. Programs that use that memory will fail again.
-- action:   drain_rma_candidate
-- remedy:   Drain the GPU; run the field diagnostic and open a case for replacement with its result and nvidia-smi -q.
-- falsepositives: A repair that only waits for its reset; boards that do not say (N/A).
-- refs:     nvidia-smi manual, Unrepairable Memory
SELECT c.host_id AS host_id, c.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(c.line_id) AS evidence,
 'gpu ' || c.gpu_id AS grp
FROM contract c
WHERE c.gpu_id IS NOT NULL AND c.key = 'repair.unrepairable' AND c.value IN ('yes', 'true', '1')
