-- id:       fabric.sxid
-- title:    An NVSwitch reports errors (SXid)
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   log.nvswitch.fabric_error
-- needs:    log.sxid
-- reads:    event.sxid|event.nvswitch.fabric_error
-- params:   gap_s=180
-- explains: xid.sympathetic +180 host; xid.other +180 host; xid.nvlink +180 host
-- summary:  NVSwitch {switches}: {how} SXid {codes}{what}{links}{times}
-- meaning:  {means}
-- action:   watch
-- remedy:   {advice}
-- falsepositives: The switches see a lost GPU as dead links: then the loss leads. The end of a thermal warning (10005) and codes that ask for
--           nothing are not told. The word of the line decides whether it is fatal, not the number.
-- refs:     NVIDIA Fabric Manager user guide, appendix on SXid errors; open-gpu-kernel-modules common_nvswitch.h (kb_sxid); gap_s: 3 minutes
--           of silence end an incident
WITH said AS (
  SELECT e.*, coalesce(b.seq, 0) AS boot_seq, k.reach, k.category, k.action AS kb_action, k.text AS kb_text,
   (SELECT lower(a.value) FROM event_attr a WHERE a.event_id = e.id AND a.name = 'severity') AS word,
   (SELECT a.num FROM event_attr a WHERE a.event_id = e.id AND a.name = 'severity_code') AS severity_code,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'what') AS words,
   coalesce((SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'switch'), (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'device')) AS switch,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'link') AS link
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id LEFT JOIN kb_sxid k ON k.code = e.code
  WHERE e.kind IN ('sxid', 'nvswitch.fabric_error') AND e.copy_of IS NULL AND e.host_id IS NOT NULL AND e.code IS NOT NULL
),
judged AS (
  SELECT s.*, coalesce(s.word = 'fatal', s.severity_code = 1, s.reach = 'fabric', 0) AS fatal FROM said s
  WHERE s.code <> 10005 AND NOT (s.word IS NULL AND s.severity_code IS NULL AND coalesce(s.kb_action, '') = 'none')
),
stepped AS (
  SELECT j.*, coalesce(j.t_us - lag(j.t_us) OVER (PARTITION BY j.host_id, j.boot_id, j.t_quality, j.fatal ORDER BY j.t_us, j.id) > coalesce(:gap_s, 180) * 1000000, 0) AS fresh
  FROM judged j
),
-- Fatal: what happened together, on whatever switch. Else: the same code, however often.
hit AS (
  SELECT s.*, coalesce(s.boot_id, 0) || '/' || CASE WHEN s.fatal THEN s.t_quality || '/fatal ' || sum(s.fresh) OVER (
    PARTITION BY s.host_id, s.boot_id, s.t_quality, s.fatal ORDER BY s.t_us, s.id) ELSE 'code ' || s.code END AS what
  FROM stepped s
),
per AS (
  SELECT host_id, what, max(fatal) AS fatal, sum(CASE WHEN kind = 'sxid' THEN repeats ELSE 0 END) AS n, max(boot_seq) AS boot_seq, count(DISTINCT switch) AS switches,
   count(DISTINCT switch || '/' || link) AS links, count(DISTINCT coalesce(incident_id, -id)) AS incidents, max(reach = 'fabric') AS all_of_it, max(category = 'thermal_power') AS hot,
   max(category = 'memory_ecc') AS ecc, max(kb_action = 'fix_config') AS config, max(kb_action = 'reboot_node') AS reboot, max(kb_action = 'power_cycle') AS off
  FROM hit GROUP BY host_id, what
)
SELECT h.host_id AS host_id, NULL AS gpu_id, h.t_us AS t0_us, h.t_us AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = h.id AND el.role <> 'copy' ORDER BY 1 LIMIT 10)) AS evidence,
 CASE WHEN p.fatal THEN 'critical' ELSE 'warning' END AS severity,
 CASE WHEN p.off THEN 'power_cycle' WHEN p.fatal AND p.reboot THEN 'reboot_node' WHEN p.fatal THEN 'reset_gpu' WHEN p.hot THEN 'fix_host' WHEN p.config THEN 'fix_config' ELSE 'watch' END AS action,
 CASE WHEN p.ecc THEN 'hardware' ELSE 'platform' END AS points,
 'sxid ' || h.what AS grp,
 CASE WHEN p.boot_seq < 0 THEN 'history' END AS state,
 (SELECT group_concat(switch, ', ') FROM (SELECT DISTINCT o.switch FROM hit o WHERE o.host_id = h.host_id AND o.what = h.what AND o.switch IS NOT NULL ORDER BY 1 LIMIT 8)) AS switches,
 CASE WHEN p.fatal THEN 'fatal' ELSE 'non-fatal' END AS how,
 (SELECT group_concat(code, ', ') FROM (SELECT DISTINCT o.code FROM hit o WHERE o.host_id = h.host_id AND o.what = h.what ORDER BY 1 LIMIT 6)) AS codes,
 coalesce(', ' || (SELECT o.words FROM hit o WHERE o.host_id = h.host_id AND o.what = h.what AND o.words IS NOT NULL ORDER BY o.t_us, o.id LIMIT 1),
  ', ' || (SELECT min(o.kb_text) FROM hit o WHERE o.host_id = h.host_id AND o.what = h.what), '') AS what,
 CASE WHEN p.links = 1 THEN ', link ' || (SELECT min(o.link) FROM hit o WHERE o.host_id = h.host_id AND o.what = h.what) WHEN p.links > 1 THEN printf(', %d links', p.links) ELSE '' END AS links,
 CASE WHEN NOT p.fatal AND p.incidents > 1 THEN printf('; %d incidents', p.incidents) ELSE '' END AS times,
 CASE WHEN p.hot THEN 'The switch is too hot: its links are slowed, and it switches itself off before it is damaged.'
  WHEN p.all_of_it THEN 'The whole switch is affected: all jobs that use NVLink on this machine.'
  WHEN p.fatal THEN 'A link of the switch stopped: jobs that use the GPUs at its ends fail, others may go on.'
  ELSE 'The switch corrected or rejected something and goes on. One is no reason to act.' END AS means,
 CASE WHEN p.off THEN 'Power off, look at fans, airflow and inlet temperature, power on.' WHEN p.hot THEN 'Look at fans, airflow and inlet temperature.'
  WHEN p.all_of_it THEN 'Stop all jobs and reboot the node; if it comes back, run the field diagnostic on the baseboard.'
  WHEN p.fatal THEN 'Stop the jobs on the GPUs at this switch, reset those GPUs together (nvidia-smi -r) or reboot, restart Fabric Manager; if the same link fails again, ask for the baseboard.'
  WHEN p.config THEN 'See that Fabric Manager has exactly the version of the driver and that its partitions are what the jobs expect.'
  ELSE 'Watch whether the same link shows it again; nvidia-smi nvlink -e on the GPU at its end.' END AS advice
FROM hit h JOIN per p ON p.host_id = h.host_id AND p.what = h.what
