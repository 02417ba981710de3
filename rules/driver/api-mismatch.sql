-- id:       driver.api-mismatch
-- title:    A program used a driver library of another version than the loaded module
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   driver
-- shows:    effect
-- settle:   log.nvrm.api_mismatch
-- needs:    log.nvrm.api_mismatch
-- reads:    event.nvrm.api_mismatch|event.smi.nvml_mismatch
-- summary:  API mismatch: client {client}, module {module}, {messages} message(s){cured}
-- meaning:  The user libraries were updated (or come from another installation) and the kernel module was not reloaded. Until then no program
--           can open the GPU.
-- action:   reboot_node
-- remedy:   Reload the NVIDIA modules or reboot. If it comes back after a reboot, two installations are mixed: remove both, install one.
-- falsepositives: Messages of an earlier boot or from before a reload of the driver are history.
-- refs:     open-gpu-kernel-modules, "API mismatch" text; NVML error 18
WITH hit AS (
  SELECT e.*, coalesce(b.seq, 0) AS boot_seq,
   row_number() OVER (PARTITION BY e.host_id ORDER BY coalesce(b.seq, 0) DESC, e.t_us IS NULL, e.t_quality IN ('boot_relative', 'unknown'),
                      e.t_us DESC, e.id DESC) AS age,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name IN ('client', 'library_version') ORDER BY a.name LIMIT 1) AS client,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'module') AS module
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind IN ('nvrm.api_mismatch', 'smi.nvml_mismatch') AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
-- Loads of another driver version, later than the last message.
cure AS (
  SELECT h.host_id, min(o.line_id) AS line_id
  FROM hit h JOIN event o ON o.host_id = h.host_id AND o.kind = 'nvrm.load'
   AND ((o.t_us > h.t_us AND o.t_quality = h.t_quality AND (o.boot_id IS h.boot_id OR o.t_quality <> 'boot_relative'))
    OR (h.t_us IS NULL AND o.source_id = h.source_id AND o.line_id > h.line_id))
  LEFT JOIN event_attr v ON v.event_id = o.id AND v.name = 'version'
  WHERE h.age = 1 AND coalesce(v.value <> h.module, 1)
  GROUP BY h.host_id
),
last AS (
  SELECT h.host_id, h.t_us AS t1, (SELECT min(x.t_us) FROM hit x WHERE x.host_id = h.host_id AND x.t_quality = h.t_quality) AS t0, h.t_quality,
   (SELECT sum(x.repeats) FROM hit x WHERE x.host_id = h.host_id) AS messages, c.line_id AS cure_line,
   CASE WHEN c.line_id IS NOT NULL THEN 'the driver was loaded again since' WHEN h.boot_seq < 0 THEN 'the machine was booted since' END AS cured
  FROM hit h LEFT JOIN cure c ON c.host_id = h.host_id
  WHERE h.age = 1
)
SELECT l.host_id AS host_id, NULL AS gpu_id, CASE WHEN l.t1 IS NOT NULL THEN l.t0 END AS t0_us, l.t1 AS t1_us,
 CASE WHEN l.t1 IS NOT NULL THEN l.t_quality END AS t_quality, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (
   SELECT line_id FROM (SELECT h.line_id FROM hit h WHERE h.host_id = l.host_id ORDER BY h.age LIMIT 12)
   UNION SELECT l.cure_line WHERE l.cure_line IS NOT NULL ORDER BY 1)) AS evidence,
 iif(l.cured IS NULL, 'error', 'info') AS severity, iif(l.cured IS NULL, 'active', 'cured') AS state, iif(l.cured IS NULL, 'reboot_node', 'none') AS action,
 'host' AS grp,
 coalesce((SELECT group_concat(v, ', ') FROM (SELECT DISTINCT client AS v FROM hit h WHERE h.host_id = l.host_id AND client IS NOT NULL ORDER BY 1)), 'unknown') AS client,
 coalesce((SELECT group_concat(v, ', ') FROM (SELECT DISTINCT module AS v FROM hit h WHERE h.host_id = l.host_id AND module IS NOT NULL ORDER BY 1)), 'unknown') AS module,
 l.messages AS messages, coalesce('; cured: ' || l.cured, '') AS cured
FROM last l
