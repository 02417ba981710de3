-- id:       host.mce
-- title:    Hardware errors of CPU, host memory or platform
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.sel
-- needs:    log.kernel.mce
-- reads:    event.kernel.mce
-- params:   corrected_n=100
-- explains: xid.fallen-off-bus +180 host; host.unclean-stop +600 host
-- summary:  The host reports {what}{where}{times}{order}
-- meaning:  {means}
-- action:   fix_host
-- remedy:   {advice}
-- falsepositives: Corrected errors that are few (info); the notice alone that some event was logged, beside a CPU that was slowed for its heat (info).
-- refs:     Intel SDM volume 3, 16.3.2.2 (IA32_MCi_STATUS: UC is bit 61); Linux EDAC and APEI; corrected_n: practice
WITH said AS (
  SELECT e.id, e.host_id, e.boot_id, e.t_us, e.t_quality, e.line_id, e.repeats, coalesce(b.seq, 0) AS boot_seq,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'memory') AS memory,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'controller') AS controller,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'mcg') AS status,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'bank') AS bank,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'cpu') AS cpu,
   (SELECT a.num FROM event_attr a WHERE a.event_id = e.id AND a.name = 'count') AS count,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'how') AS how
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind = 'kernel.mce' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
graded AS ( -- 3 not corrected, 2 corrected, 1 not said which
  SELECT s.*, CASE WHEN s.memory = 'uncorrected' OR lower(substr(s.status, 3, 1)) IN ('2', '3', '6', '7', 'a', 'b', 'e', 'f') AND length(s.status) = 18 THEN 3
    WHEN s.memory = 'corrected' OR length(s.status) = 18 THEN 2 ELSE 1 END AS grade
  FROM said s
),
per AS (
  SELECT g.host_id, coalesce(g.boot_id, 0) AS boot, g.grade, max(g.boot_id) AS boot_id, max(g.boot_seq) AS boot_seq, max(g.t_quality) AS t_quality, min(g.t_us) AS t0, max(g.t_us) AS t1,
   sum(g.repeats * coalesce(g.count, 1)) AS n, max(g.memory IS NOT NULL) AS dimm, max(g.how = 'apei') AS apei, max(g.bank) AS bank, max(g.cpu) AS cpu, max(g.controller) AS controller
  FROM graded g GROUP BY g.host_id, boot, g.grade
),
judged AS (
  SELECT p.*, EXISTS (SELECT 1 FROM event e WHERE e.kind = 'kernel.cpu_throttle' AND e.host_id = p.host_id AND e.boot_id IS p.boot_id) AS hot,
   EXISTS (SELECT 1 FROM per o WHERE o.host_id = p.host_id AND o.boot = p.boot AND o.grade > 1) AS better,
   (SELECT min(x.t_us) FROM xid x WHERE x.host_id = p.host_id AND x.boot_id IS p.boot_id AND x.t_quality = p.t_quality) AS first_xid
  FROM per p
)
SELECT p.host_id AS host_id, NULL AS gpu_id, CASE WHEN p.grade = 3 THEN p.t0 END AS t0_us, CASE WHEN p.grade = 3 THEN p.t1 END AS t1_us,
 CASE p.grade WHEN 1 THEN 0.7 ELSE 0.95 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT g.line_id FROM graded g WHERE g.host_id = p.host_id AND coalesce(g.boot_id, 0) = p.boot AND g.grade = p.grade ORDER BY g.id LIMIT 20)) AS evidence,
 CASE WHEN p.grade = 3 THEN 'critical' WHEN p.grade = 1 AND p.hot THEN 'info' WHEN p.grade = 1 THEN 'warning' WHEN p.n >= coalesce(:corrected_n, 100) THEN 'warning' ELSE 'info' END AS severity,
 CASE WHEN p.grade = 3 THEN 'fix_host' ELSE 'watch' END AS action,
 CASE WHEN p.boot_seq < 0 THEN 'history' WHEN p.grade < 3 THEN 'unknown' END AS state,
 CASE p.grade WHEN 3 THEN 'hardware errors that could not be corrected' WHEN 2 THEN 'corrected hardware errors' ELSE 'hardware errors without saying which' END AS what,
 CASE WHEN p.dimm THEN ' of host memory (' || p.controller || ')' WHEN p.bank IS NOT NULL THEN ' (CPU ' || p.cpu || ', bank ' || p.bank || ')' WHEN p.apei THEN ' (APEI)' ELSE '' END AS "where",
 CASE WHEN p.n > 1 THEN printf(', %d times', p.n) ELSE '' END AS times,
 CASE WHEN p.first_xid IS NULL THEN '' WHEN p.t0 <= p.first_xid THEN '; before the first Xid' ELSE '; after the first Xid' END AS "order",
 CASE p.grade WHEN 3 THEN 'Data was lost in CPU, memory or on a bus: programs crash, GPUs can go with it, and the driver is not to blame.'
  WHEN 2 THEN 'They were mended. Many of one module announce its end.' ELSE 'The log only says that there was one; mcelog, rasdaemon or the BMC know which.' END AS means,
 CASE p.grade WHEN 3 THEN 'Drain the node, read the BMC log, replace what it names (memory module, CPU, board).'
  WHEN 2 THEN 'Watch the count (ras-mc-ctl --summary); replace the module when it goes on.' ELSE 'ras-mc-ctl --errors, or ipmitool sel elist, of that time.' END AS advice
FROM judged p WHERE NOT (p.grade = 1 AND p.better)
