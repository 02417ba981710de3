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
-- summary:  API mismatch: client {client}, module {module}, {messages} message(s){cured}
-- meaning:  The user libraries were updated (or come from another installation) and the kernel module was not reloaded. Until then no program
--           can open the GPU.
-- action:   reboot_node
-- remedy:   Reload the NVIDIA modules or reboot. If it comes back after a reboot, two installations are mixed: remove both, install one.
-- falsepositives: Messages of an earlier boot or from before a reload of the driver are history.
-- refs:     open-gpu-kernel-modules, "API mismatch" text; NVML error 18
WITH hit AS (
  SELECT e.*, b.seq AS boot_seq,
   (SELECT value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'client') AS client,
   (SELECT value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'module') AS module
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind IN ('nvrm.api_mismatch', 'smi.nvml_mismatch') AND e.copy_of IS NULL
),
last AS (
  SELECT h.host_id, max(h.t_us) AS t1, min(h.t_us) AS t0, sum(h.repeats) AS messages, max(coalesce(h.boot_seq, 0)) AS boot_seq,
   max(h.kind = 'smi.nvml_mismatch') AS tool
  FROM hit h GROUP BY h.host_id
)
SELECT l.host_id AS host_id, NULL AS gpu_id, l.t0 AS t0_us, l.t1 AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT line_id FROM (SELECT h.line_id, h.t_us FROM hit h WHERE h.host_id = l.host_id ORDER BY h.t_us DESC, h.id DESC LIMIT 12) ORDER BY line_id)) AS evidence,
 CASE WHEN l.tool OR l.boot_seq >= 0 AND NOT EXISTS (SELECT 1 FROM event o WHERE o.host_id = l.host_id AND o.kind = 'nvrm.load' AND o.t_us > l.t1) THEN 'error' ELSE 'info' END AS severity,
 CASE WHEN l.tool OR l.boot_seq >= 0 AND NOT EXISTS (SELECT 1 FROM event o WHERE o.host_id = l.host_id AND o.kind = 'nvrm.load' AND o.t_us > l.t1) THEN 'active' ELSE 'cured' END AS state,
 'host' AS grp,
 coalesce((SELECT group_concat(v, ', ') FROM (SELECT DISTINCT client AS v FROM hit h WHERE h.host_id = l.host_id AND client IS NOT NULL ORDER BY 1)), 'unknown') AS client,
 coalesce((SELECT group_concat(v, ', ') FROM (SELECT DISTINCT module AS v FROM hit h WHERE h.host_id = l.host_id AND module IS NOT NULL ORDER BY 1)), 'unknown') AS module,
 l.messages AS messages,
 CASE WHEN l.tool OR l.boot_seq >= 0 AND NOT EXISTS (SELECT 1 FROM event o WHERE o.host_id = l.host_id AND o.kind = 'nvrm.load' AND o.t_us > l.t1) THEN '' ELSE '; cured: the driver was loaded again since' END AS cured
FROM last l
