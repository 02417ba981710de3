-- id:       memory.sram-threshold
-- title:    Uncorrectable errors of on-chip memory reached the number at which a card is to be replaced
-- scope:    bundle
-- severity: critical
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    condition
-- settle:   diag.memory
-- needs:    fact.ecc.sram_threshold_exceeded
-- reads:    fact.ecc.sram_threshold_exceeded
-- explains: xid.memory-chain any gpu; memory.uncorrected-ecc any gpu; xid.recovery-action any gpu
-- summary:  {gpu}: more uncorrectable SRAM errors than a card may have{count}{places}
-- meaning:  The driver says so by its own count (SRAM Threshold Exceeded). SRAM has no spare rows: a reset clears the counters since the driver
--           was loaded, not the reason.
-- action:   drain_rma_candidate
-- remedy:   Drain the GPU; run the field diagnostic and open a case for replacement with its result and nvidia-smi -q.
-- falsepositives: SRAM errors below that number; boards that do not say (N/A).
-- refs:     NVIDIA GPU memory error management, RMA criteria; nvidia-smi manual, SRAM Threshold Exceeded
SELECT c.host_id AS host_id, c.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(c.line_id) AS evidence,
 'gpu ' || c.gpu_id AS grp,
 coalesce((SELECT printf('; %d over its life', n.num) FROM (
   SELECT max(coalesce(sum(CASE WHEN o.key GLOB '*.sram_*' THEN o.num END), 0), coalesce(sum(CASE WHEN o.key GLOB '*.sram' THEN o.num END), 0)) AS num
   FROM contract o WHERE o.gpu_id = c.gpu_id AND o.layer = c.layer AND o.key GLOB 'ecc.uncorrected.aggregate.sram*') n WHERE n.num > 0), '') AS count,
 coalesce((SELECT ' (' || group_concat(printf('%s %d', upper(substr(o.key, 17)), o.num), ', ') || ')' FROM (
   SELECT key, max(num) AS num FROM contract WHERE gpu_id = c.gpu_id AND key GLOB 'ecc.sram_source.*' AND num > 0 GROUP BY key ORDER BY 2 DESC, 1) o), '') AS places
FROM contract c
WHERE c.gpu_id IS NOT NULL AND c.key = 'ecc.sram_threshold_exceeded' AND c.value IN ('yes', '1')
