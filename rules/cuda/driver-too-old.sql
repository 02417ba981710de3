-- id:       cuda.driver-too-old
-- title:    The driver is too old for the CUDA that a program was built with
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   driver
-- shows:    condition
-- settle:   fact.torch.cuda
-- needs:    log.cuda.driver_too_old|fact.driver.version log.cuda.driver_too_old|fact.torch.cuda
-- summary:  {what}
-- meaning:  A CUDA runtime of a newer major version than the driver knows cannot start. Within one major version newer minors run on an older
--           driver, so only the minimum of the major version counts.
-- action:   fix_host
-- remedy:   Install a driver of at least branch {min_driver}, or a build of the framework for CUDA {driver_cuda} or older.
-- falsepositives: "CUDA available: True" proves the contrary; minor-version compatibility; cuda-compat packages on data-center GPUs.
-- refs:     CUDA Toolkit release notes, minimum driver for minor version compatibility; kb_cuda_toolkit
WITH said AS (
  SELECT e.host_id, e.t_us, e.line_id, (SELECT value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'found') AS found
  FROM event e WHERE e.kind = 'cuda.driver_too_old' AND e.copy_of IS NULL
),
built AS (
  SELECT t.host_id, t.value AS cuda, t.line_id AS cuda_line, d.value AS driver, d.line_id AS driver_line,
   CAST(d.value AS INTEGER) AS branch,
   (SELECT min(k.branch_min_minor_compat) FROM kb_cuda_toolkit k WHERE CAST(k.cuda AS INTEGER) = CAST(t.value AS INTEGER)) AS min_branch
  FROM contract t JOIN contract d ON d.host_id = t.host_id AND d.key = 'driver.version' AND d.layer IN ('loaded', 'nvml')
  WHERE t.key = 'torch.cuda'
   AND NOT EXISTS (SELECT 1 FROM contract a WHERE a.host_id = t.host_id AND a.key = 'torch.cuda_available' AND a.value = 'true')
)
SELECT s.host_id AS host_id, NULL AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, 0.95 AS confidence, json_array(s.line_id) AS evidence,
 'host' AS grp, 'the runtime says that the driver is too old' || coalesce(' (it knows CUDA ' || s.found || ')', '') AS what,
 'the one that the CUDA of the program needs' AS min_driver, coalesce(s.found, 'of the driver') AS driver_cuda
FROM said s
UNION ALL
SELECT b.host_id, NULL, NULL, NULL, 0.85, json_array(b.cuda_line, b.driver_line), 'host',
 printf('a build for CUDA %s needs a driver of branch %d or newer; this one is %s', b.cuda, b.min_branch, b.driver),
 CAST(b.min_branch AS TEXT), coalesce((SELECT c.value FROM contract c WHERE c.host_id = b.host_id AND c.key = 'cuda.driver_max' AND c.layer = 'nvml'), 'of the driver')
FROM built b WHERE b.branch < b.min_branch
