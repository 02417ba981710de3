-- id:       mig.mode-pending
-- title:    A change of the MIG mode waits for a reset
-- scope:    bundle
-- severity: warning
-- symptom:  start
-- kind:     operation
-- points:   policy
-- shows:    condition
-- settle:   fact.mig.mode
-- needs:    fact.mig.mode fact.mig.mode_pending
-- reads:    fact.mig.mode_pending
-- summary:  {gpu}: MIG is {now}, {then} after the next reset
-- meaning:  Somebody changed the mode, and a reset of the GPU is still to come. What asks for slices now does not find them, or the reverse.
-- action:   reset_gpu
-- remedy:   Stop all clients of the GPU, nvidia-smi --gpu-reset -i INDEX (or reboot), or take the change back with nvidia-smi -mig.
-- falsepositives: none known
-- refs:     nvidia-smi manual, MIG Mode; NVIDIA MIG user guide
SELECT c.host_id AS host_id, c.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(p.line_id, c.line_id) AS evidence,
 lower(c.value) || ' ' || lower(p.value) AS grp, lower(c.value) AS now, lower(p.value) AS "then"
FROM contract c JOIN contract p ON p.gpu_id = c.gpu_id AND p.key = 'mig.mode_pending' AND p.layer = c.layer
WHERE c.key = 'mig.mode' AND lower(c.value) IN ('enabled', 'disabled') AND lower(p.value) IN ('enabled', 'disabled') AND lower(p.value) <> lower(c.value)
