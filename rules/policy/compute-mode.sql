-- id:       policy.compute-mode
-- title:    The compute mode keeps programs off a GPU
-- scope:    bundle
-- severity: warning
-- symptom:  start
-- kind:     operation
-- points:   policy
-- shows:    condition
-- settle:   fact.compute.mode
-- needs:    fact.compute.mode
-- reads:    fact.compute.mode
-- summary:  {gpu}: compute mode {mode}{clients}
-- meaning:  {means}
-- action:   fix_config
-- remedy:   nvidia-smi -c DEFAULT -i INDEX, unless a scheduler or MPS wants it so.
-- falsepositives: Exclusive mode with one client, or with MPS, which is made for it.
-- refs:     nvidia-smi manual, -c; CUDA programming guide, compute modes
WITH mode AS (
  SELECT c.host_id, c.gpu_id, lower(c.value) AS mode, c.line_id, row_number() OVER (PARTITION BY c.gpu_id ORDER BY c.layer) AS nth
  FROM contract c WHERE c.key = 'compute.mode' AND c.gpu_id IS NOT NULL
),
client AS (
  SELECT p.gpu_id, count(DISTINCT p.pid) AS n, min(p.line_id) AS line0, max(p.line_id) AS line1, max(p.type LIKE '%M%' OR coalesce(p.name, '') LIKE '%nvidia-cuda-mps%') AS mps
  FROM process_sample p WHERE p.gpu_id IS NOT NULL AND p.type LIKE '%C%' GROUP BY p.gpu_id
)
SELECT m.host_id AS host_id, m.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, CASE WHEN m.mode = 'prohibited' THEN 0.95 ELSE 0.7 END AS confidence,
 CASE WHEN c.n > 1 THEN json_array(m.line_id, c.line0, c.line1) ELSE json_array(m.line_id) END AS evidence, m.mode AS grp, replace(m.mode, '_', ' ') AS mode,
 CASE WHEN c.n > 1 THEN printf(', %d compute processes were seen', c.n) ELSE '' END AS clients,
 CASE m.mode WHEN 'prohibited' THEN 'No program can use CUDA on this GPU: it sees no device, or "CUDA-capable device(s) is/are busy or unavailable".'
  ELSE 'Only one process may use it at a time; a second one fails with "busy or unavailable". Several were seen one after another or wait for it.' END AS means
FROM mode m LEFT JOIN client c ON c.gpu_id = m.gpu_id
WHERE m.nth = 1 AND (m.mode = 'prohibited' OR (m.mode IN ('exclusive_process', 'exclusive_thread') AND c.n > 1 AND NOT c.mps))
