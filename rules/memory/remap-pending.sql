-- id:       memory.remap-pending
-- title:    Spare memory waits for a reset of the GPU
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    condition
-- settle:   fact.remap.pending
-- needs:    fact.remap.pending|fact.retired.pending
-- reads:    fact.remap.pending|fact.retired.pending
-- summary:  {gpu}: {what}, since an earlier memory error, for the next reset
-- meaning:  Until then the bad place stays in use and may end more programs. This is the repair at work, not a reason to replace a card.
-- action:   reset_gpu
-- remedy:   When the GPU is idle: {how}, then see that nvidia-smi -q -d ROW_REMAPPER,PAGE_RETIREMENT shows no pending repair.
-- falsepositives: Repairs that took effect already; GPUs in MIG mode, where the flag is not supported; rows of N/A in lists of pages.
-- refs:     NVIDIA GPU memory error management, row remapping; NVIDIA dynamic page retirement, pending pages
WITH waits AS (
  SELECT c.host_id, c.gpu_id, c.line_id, c.key = 'remap.pending' AS row
  FROM contract c
  WHERE c.gpu_id IS NOT NULL AND c.value IN ('yes', '1')
   AND (c.key = 'retired.pending' OR (c.key = 'remap.pending' AND NOT EXISTS (
    SELECT 1 FROM contract m WHERE m.gpu_id = c.gpu_id AND m.key = 'mig.mode' AND m.value = 'enabled')))
)
SELECT w.host_id AS host_id, w.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(w.line_id) AS evidence,
 CASE WHEN w.row THEN 'rows' ELSE 'pages' END AS grp,
 CASE WHEN w.row THEN 'a spare row waits' ELSE 'a bad page waits to be retired' END AS what,
 CASE WHEN w.row THEN 'nvidia-smi -r -i INDEX, else reboot' ELSE 'nvidia-smi -r -i INDEX, or load the driver again' END AS how
FROM waits w
