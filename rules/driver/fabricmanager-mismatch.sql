-- id:       driver.fabricmanager-mismatch
-- title:    Fabric Manager does not run, or not in the driver's version, on a machine with NVSwitches
-- scope:    bundle
-- severity: critical
-- symptom:  start
-- kind:     fault
-- points:   driver
-- shows:    condition
-- settle:   log.service.failed
-- needs:    table.pci_device|fact.fabric.state fact.fabricmanager.version|fact.fabric.state|log.service.failed
-- reads:    event.fabricmanager.mismatch|fact.fabricmanager.version|event.service.failed|fact.service.nvidia-fabricmanager.active|fact.fabric.state|fact.fabric.status|event.cuda.error
-- summary:  {what}
-- meaning:  On boards with NVSwitches no CUDA program starts (error 802, "system not yet initialized") until Fabric Manager has set up the switches,
--           although nvidia-smi shows all GPUs. Fabric Manager refuses to work with a driver of another version, down to the last number.
-- action:   restart_service
-- remedy:   Install nvidia-fabricmanager in exactly the version of the driver ({driver}), systemctl enable --now nvidia-fabricmanager, and wait until
--           nvidia-smi -q shows Fabric State Completed, Status Success. If it ends again: /var/log/fabricmanager.log.
-- falsepositives: Machines without NVSwitch (NV_WARN_NOTHING_TO_DO), where the service ends by design; a service that was started again since (info);
--           a snapshot of the first minute after the boot.
-- refs:     NVIDIA Fabric Manager user guide; CUDA runtime error 802, cudaErrorSystemNotReady

WITH board AS ( -- hosts that are shown to have NVSwitches
  SELECT host_id FROM pci_device WHERE vendor_id = 0x10de AND class_id = 0x0680 AND host_id IS NOT NULL
  UNION SELECT host_id FROM event WHERE kind IN ('sxid', 'nvswitch.fabric_error', 'nvswitch.failed') AND host_id IS NOT NULL
  UNION SELECT host_id FROM contract WHERE key = 'fabric.state' AND value NOT LIKE '%support%'
  -- Where the bundle does not list the devices, a manager that somebody installed and started speaks for them.
  UNION SELECT host_id FROM event WHERE kind = 'fabricmanager.mismatch' AND host_id NOT IN (SELECT host_id FROM pci_device WHERE vendor_id = 0x10de AND host_id IS NOT NULL)
  EXCEPT SELECT host_id FROM event WHERE kind = 'fabricmanager.not_needed'
),
driver AS (
  SELECT host_id, value, line_id, row_number() OVER (PARTITION BY host_id ORDER BY layer = 'loaded' DESC, layer) AS nth
  FROM contract WHERE key = 'driver.version' AND gpu_id IS NULL AND layer IN ('loaded', 'nvml')
),
manager AS (
  SELECT host_id, layer, value, line_id, row_number() OVER (PARTITION BY host_id ORDER BY layer = 'log' DESC, layer) AS nth
  FROM contract WHERE key = 'fabricmanager.version' AND gpu_id IS NULL AND layer <> 'container' AND value <> 'none'
),
failed AS (
  SELECT e.host_id, e.t_us, e.t_quality, e.line_id, coalesce(b.seq, 0) AS boot_seq,
   (SELECT min(o.line_id) FROM event o WHERE o.host_id = e.host_id AND o.kind = 'service.started' AND o.t_quality = e.t_quality AND o.t_us > e.t_us
     AND EXISTS (SELECT 1 FROM event_attr x WHERE x.event_id = o.id AND x.value LIKE '%fabric%manager%')) AS cure_line,
   row_number() OVER (PARTITION BY e.host_id ORDER BY coalesce(b.seq, 0) DESC, e.t_us DESC, e.id DESC) AS age
  FROM event e JOIN event_attr a ON a.event_id = e.id AND a.name = 'unit' AND a.value = 'nvidia-fabricmanager' LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind = 'service.failed' AND e.copy_of IS NULL
),
refused AS (
  SELECT e.host_id, e.t_us, e.t_quality, e.line_id, coalesce(b.seq, 0) AS boot_seq, m.value AS manager, d.value AS driver,
   (SELECT min(o.line_id) FROM event o WHERE o.host_id = e.host_id AND o.kind = 'service.started' AND o.t_quality = e.t_quality AND o.t_us > e.t_us
     AND EXISTS (SELECT 1 FROM event_attr x WHERE x.event_id = o.id AND x.value LIKE '%fabric%manager%')) AS cure_line,
   row_number() OVER (PARTITION BY e.host_id ORDER BY coalesce(b.seq, 0) DESC, e.t_us DESC, e.id DESC) AS age
  FROM event e LEFT JOIN event_attr m ON m.event_id = e.id AND m.name = 'manager' LEFT JOIN event_attr d ON d.event_id = e.id AND d.name = 'driver' LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind = 'fabricmanager.mismatch' AND e.copy_of IS NULL
),
found AS (
  SELECT host_id, NULL AS gpu_id, t_us, t_quality, 0.95 AS confidence, iif(cure_line IS NULL, json_array(line_id), json_array(line_id, cure_line)) AS evidence,
   cure_line IS NULL AND boot_seq = 0 AS stands, CASE WHEN cure_line IS NOT NULL THEN 'cured' WHEN boot_seq < 0 THEN 'history' ELSE 'active' END AS state,
   printf('Fabric Manager %s refused to work with driver %s', manager, driver)
    || CASE WHEN cure_line IS NOT NULL THEN ' and was started since' WHEN boot_seq < 0 THEN ' in an earlier boot' ELSE '' END AS what
  FROM refused WHERE age = 1
  UNION ALL
  SELECT m.host_id, NULL AS gpu_id, NULL AS t_us, NULL AS t_quality, 0.95 AS confidence, json_array(m.line_id, d.line_id) AS evidence, 1 AS stands, 'active' AS state,
   printf('Fabric Manager %s beside driver %s', m.value, d.value) AS what
  FROM manager m JOIN driver d ON d.host_id = m.host_id AND d.nth = 1
  WHERE m.nth = 1 AND instr(m.value || '.', d.value || '.') <> 1 AND instr(d.value || '.', m.value || '.') <> 1
  UNION ALL
  SELECT host_id, NULL, t_us, t_quality, 0.95, iif(cure_line IS NULL, json_array(line_id), json_array(line_id, cure_line)), cure_line IS NULL AND boot_seq = 0,
   CASE WHEN cure_line IS NOT NULL THEN 'cured' WHEN boot_seq < 0 THEN 'history' ELSE 'active' END,
   'the service of Fabric Manager ended with an error' || CASE WHEN cure_line IS NOT NULL THEN ' and was started again since' WHEN boot_seq < 0 THEN ' in an earlier boot' ELSE '' END
  FROM failed WHERE age = 1
  UNION ALL
  SELECT c.host_id, NULL, NULL, NULL, 0.95, json_array(c.line_id), 1, 'active', 'the service of Fabric Manager is ' || c.value
  FROM contract c WHERE c.key = 'service.nvidia-fabricmanager.active' AND c.value IN ('failed', 'inactive')
  UNION ALL
  SELECT c.host_id, c.gpu_id, NULL, NULL, 0.85, json_array(c.line_id), 1, 'active',
   CASE c.key WHEN 'fabric.state' THEN 'the GPU waits for the NVLink fabric: state "' || c.value || '"' ELSE 'the GPU could not register with the NVLink fabric: "' || c.value || '"' END
  FROM contract c
  WHERE c.gpu_id IS NOT NULL AND ((c.key = 'fabric.state' AND lower(replace(c.value, '_', ' ')) IN ('in progress', 'not started'))
   OR (c.key = 'fabric.status' AND lower(c.value) NOT IN ('success', 'n/a', '') AND c.value NOT LIKE '%support%'))
  UNION ALL
  SELECT e.host_id, NULL, e.t_us, e.t_quality, 0.85, json_array(e.line_id), 1, NULL, 'CUDA says "system not yet initialized" (802): Fabric Manager has not set up the switches'
  FROM event e JOIN event_attr a ON a.event_id = e.id AND a.name = 'error' AND a.value = '802' WHERE e.kind = 'cuda.error' AND e.copy_of IS NULL
)
SELECT f.host_id AS host_id, f.gpu_id AS gpu_id, f.t_us AS t0_us, f.t_us AS t1_us, f.t_quality AS t_quality, f.confidence AS confidence, f.evidence AS evidence,
 iif(f.stands, 'stands', 'over') AS grp, iif(f.stands, 'critical', 'info') AS severity, f.state AS state, iif(f.stands, 'restart_service', 'none') AS action,
 f.what AS what, coalesce(d.value, (SELECT r.driver FROM refused r WHERE r.host_id = f.host_id AND r.age = 1), 'see /proc/driver/nvidia/version') AS driver
FROM found f LEFT JOIN driver d ON d.host_id = f.host_id AND d.nth = 1
WHERE f.host_id IN (SELECT host_id FROM board)
