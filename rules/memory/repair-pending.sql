-- id:       memory.repair-pending
-- title:    A repair of the GPU waits for its reset
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    condition
-- settle:   fact.repair.channel_pending
-- needs:    fact.repair.channel_pending|fact.repair.tpc_pending
-- reads:    fact.repair.channel_pending|fact.repair.tpc_pending
-- summary:  {gpu}: the repair of a {what} waits for the next reset
-- meaning:  The board has spare parts for this and found that it needs one. Until the reset the bad part stays in use. This is the repair at work, not
--           a reason to replace a card.
-- action:   reset_gpu
-- remedy:   When the GPU is idle: nvidia-smi -r -i INDEX, else reboot; then see that nvidia-smi -q -d ECC shows no repair pending.
-- falsepositives: Boards without such repairs (N/A).
-- refs:     nvidia-smi manual, Channel Repair Pending, TPC Repair Pending
SELECT c.host_id AS host_id, c.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(c.line_id) AS evidence, c.key AS grp,
 CASE c.key WHEN 'repair.channel_pending' THEN 'memory channel' ELSE 'processor cluster (TPC)' END AS what
FROM contract c
WHERE c.gpu_id IS NOT NULL AND c.key IN ('repair.channel_pending', 'repair.tpc_pending') AND c.value IN ('yes', 'true', '1')
