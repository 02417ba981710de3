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
-- reads:    event.cuda.driver_too_old|fact.torch.cuda
-- explains: cuda.container-no-gpu any host
-- summary:  {what}
-- meaning:  A CUDA runtime of a newer major version than the driver knows cannot start. Within one major version newer minors run on an older
--           driver, so only the minimum of the major version counts.
-- action:   fix_host
-- remedy:   Install driver {min_driver} or newer, or a build of the framework for CUDA {driver_cuda} or older.
-- falsepositives: "CUDA available: True" proves the contrary; minor-version compatibility; cuda-compat packages on data-center GPUs.
-- refs:     CUDA Toolkit release notes, minimum driver for minor version compatibility; kb_cuda_toolkit
WITH said AS (
  SELECT e.host_id, e.t_us, e.line_id,
   (SELECT value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'found') AS found,
   (SELECT value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'required') AS required,
   (SELECT value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'required_driver') AS required_driver,
   coalesce((SELECT value = 'ptx' FROM event_attr a WHERE a.event_id = e.id AND a.name = 'by'), 0) AS by_ptx,
   (SELECT value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'model') AS model
  FROM event e WHERE e.kind = 'cuda.driver_too_old' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
part AS ( -- versions in parts: "550.54.14", "590.48", "12.4"
  SELECT c.host_id, c.key, c.layer, c.value, c.line_id, CAST(c.value AS INTEGER) AS major, substr(c.value, instr(c.value, '.') + 1) AS rest
  FROM contract c WHERE c.gpu_id IS NULL AND c.key IN ('driver.version', 'torch.cuda', 'cuda.driver_max') AND instr(c.value, '.') > 1
),
version AS ( -- as kb_cuda_toolkit counts them; two_parts: the last part is not known
  SELECT host_id, key, layer, value, line_id, instr(rest, '.') = 0 AS two_parts,
   CASE WHEN key = 'driver.version' THEN major * 1000000 + CAST(rest AS INTEGER) * 1000
     + CASE WHEN instr(rest, '.') > 0 THEN CAST(substr(rest, instr(rest, '.') + 1) AS INTEGER) ELSE 0 END
    ELSE major * 1000 + CAST(rest AS INTEGER) * 10 END AS num
  FROM part
),
-- The floor of a major version; before 11 each version had its own.
floor AS (
  SELECT cuda_num, coalesce(driver_floor_num, min(driver_min_num)) AS num, coalesce(driver_floor, driver_min) AS name
  FROM kb_cuda_toolkit GROUP BY cuda_num
),
built AS (
  SELECT t.host_id, t.value AS cuda, t.line_id AS cuda_line, d.value AS driver, d.line_id AS driver_line, f.name
  FROM version t JOIN floor f ON f.cuda_num = t.num
  JOIN version d ON d.host_id = t.host_id AND d.key = 'driver.version' AND d.layer IN ('loaded', 'nvml', 'container')
   AND CASE WHEN d.two_parts THEN d.num / 1000 < f.num / 1000 ELSE d.num < f.num END
  WHERE t.key = 'torch.cuda'
   AND NOT EXISTS (SELECT 1 FROM contract a WHERE a.host_id = t.host_id AND a.key = 'torch.cuda_available' AND a.value = 'yes')
   -- cuda-compat, or a driver that says itself that it knows this CUDA
   AND NOT EXISTS (SELECT 1 FROM version m WHERE m.host_id = t.host_id AND m.key = 'cuda.driver_max' AND m.num >= t.num)
)
SELECT s.host_id AS host_id, NULL AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, 0.95 AS confidence, json_array(s.line_id) AS evidence,
 'host' AS grp,
 CASE WHEN s.by_ptx THEN coalesce('the model ' || s.model, 'a program') || ' brings PTX code of a CUDA toolkit that the driver does not know yet'
  ELSE 'the runtime says that the driver is too old' || coalesce(' (it knows CUDA ' || s.found || ')', ' (CUDA ' || s.required || ' is asked for)', '') END AS what,
 coalesce(s.required_driver, 'the one that the CUDA of the program needs') AS min_driver, coalesce(s.found, 'of the driver') AS driver_cuda
FROM said s
UNION ALL
SELECT b.host_id, NULL, NULL, NULL, 0.85, json_array(b.cuda_line, b.driver_line), 'host',
 printf('a build for CUDA %s needs driver %s or newer; this one is %s', b.cuda, b.name, b.driver), b.name,
 coalesce((SELECT c.value FROM contract c WHERE c.host_id = b.host_id AND c.key = 'cuda.driver_max' ORDER BY c.layer = 'nvml' DESC LIMIT 1), 'of the driver')
FROM built b
