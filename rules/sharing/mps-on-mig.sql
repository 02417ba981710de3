-- id:       sharing.mps-on-mig
-- title:    MPS and MIG together
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   policy
-- shows:    condition
-- settle:   table.process_sample
-- needs:    fact.mig.mode table.process_sample|fact.mps.log
-- reads:    fact.mig.mode
-- summary:  {gpu}: cut into MIG slices, with MPS at work{where}
-- meaning:  MPS shares one slice between programs; the slice keeps them from the rest of the GPU. A fatal fault of one client ends the others of its slice, not those of other
--           slices; utilization of the whole GPU is not reported.
-- action:   none
-- remedy:   One control daemon for each slice, with CUDA_VISIBLE_DEVICES and CUDA_MPS_PIPE_DIRECTORY of its own. Where faults must not spread, give each program its own slice.
-- falsepositives: MPS daemons of other GPUs of the host, when the list of processes shows where they are.
-- refs:     NVIDIA Multi-Process Service documentation, MPS on MIG; MIG user guide
WITH cut AS (
  SELECT c.host_id, c.gpu_id, min(c.line_id) AS line_id FROM contract c WHERE c.key = 'mig.mode' AND lower(c.value) IN ('enabled', 'on') AND c.gpu_id IS NOT NULL GROUP BY c.host_id, c.gpu_id
),
client AS (
  SELECT p.gpu_id, g.host_id, min(p.line_id) AS line_id FROM process_sample p JOIN gpu g ON g.id = p.gpu_id WHERE p.type LIKE '%M%' OR p.name LIKE '%nvidia-cuda-mps%' GROUP BY p.gpu_id
),
daemon AS ( -- its log says not on which GPU
  SELECT f.host_id, min(f.line_id) AS line_id FROM fact f WHERE f.key = 'mps.log' AND f.host_id IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM client c WHERE c.host_id = f.host_id) GROUP BY f.host_id
)
SELECT c.host_id AS host_id, c.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(p.line_id, c.line_id) AS evidence, 'clients' AS grp, '' AS "where"
FROM cut c JOIN client p ON p.gpu_id = c.gpu_id
UNION ALL
SELECT c.host_id, c.gpu_id, NULL, NULL, 0.5, json_array(d.line_id, c.line_id), 'daemon', ' on this host'
FROM cut c JOIN daemon d ON d.host_id = c.host_id
