-- id:       driver.watchdog
-- title:    The driver's watchdog found a GPU that does not go on
-- scope:    bundle
-- severity: error
-- symptom:  hang
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.xid
-- needs:    log.nvrm.watchdog
-- params:   near_s=60
-- summary:  {host}: the driver's watchdog says that a GPU is probably locked{times}{near}
-- meaning:  The driver asks each GPU now and then for a trivial piece of work. One gave no answer in time: a kernel that does not end, a
--           hung engine, or a card that is about to be lost. Which GPU it is, the line does not say.
-- action:   collect
-- remedy:   Read the Xid lines of the same minute: they name the GPU and the reason. Where there are none, see with nvidia-smi which GPU is busy
--           or silent, end its program, and reset it with nvidia-smi -r -i INDEX if it stays so.
-- falsepositives: Displays of laptops after sleep, where nothing else follows: then it is a warning.
-- refs:     open-gpu-kernel-modules, src/nvidia/src/kernel/gpu/rc/kernel_rc_watchdog.c; near_s: practice
WITH said AS (
  SELECT e.*, coalesce(b.seq, 0) AS boot_seq, count(*) OVER w AS n, sum(e.repeats) OVER w AS lines, row_number() OVER (w ORDER BY e.t_us, e.id) AS nth,
   min(e.t_us) OVER w AS from_us, max(e.t_us) OVER w AS to_us
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind = 'nvrm.watchdog' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
  WINDOW w AS (PARTITION BY e.host_id, e.boot_id, e.t_quality)
),
near AS (
  SELECT s.host_id, s.boot_id, s.t_quality, x.code, min(x.line_id) AS line_id
  FROM said s JOIN xid x ON x.host_id = s.host_id AND x.boot_id IS s.boot_id AND x.t_quality = s.t_quality
   AND x.t_us BETWEEN s.t_us - coalesce(:near_s, 60) * 1000000 AND s.t_us + coalesce(:near_s, 60) * 1000000
  GROUP BY s.host_id, s.boot_id, s.t_quality, x.code
),
wake AS (
  SELECT DISTINCT s.host_id, s.boot_id FROM said s JOIN event r ON r.host_id = s.host_id AND r.kind = 'kernel.resume' AND r.t_quality = s.t_quality
   AND r.t_us BETWEEN s.t_us - coalesce(:near_s, 60) * 1000000 AND s.t_us
)
SELECT s.host_id AS host_id, NULL AS gpu_id, s.from_us AS t0_us, s.to_us AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT o.line_id FROM said o WHERE o.host_id = s.host_id AND o.boot_id IS s.boot_id AND o.t_quality = s.t_quality AND o.nth <= 10
   UNION SELECT n.line_id FROM near n WHERE n.host_id = s.host_id AND n.boot_id IS s.boot_id AND n.t_quality = s.t_quality ORDER BY 1)) AS evidence,
 'watchdog ' || coalesce(s.boot_id, 0) || s.t_quality AS grp,
 CASE WHEN EXISTS (SELECT 1 FROM wake w WHERE w.host_id = s.host_id AND w.boot_id IS s.boot_id)
   AND NOT EXISTS (SELECT 1 FROM near n WHERE n.host_id = s.host_id AND n.boot_id IS s.boot_id) THEN 'warning' END AS severity,
 CASE WHEN s.boot_seq < 0 THEN 'history' END AS state,
 CASE WHEN s.lines > 1 THEN printf(', %d times', s.lines) ELSE '' END AS times,
 coalesce('; about then: ' || (SELECT group_concat('Xid ' || code, ', ') FROM (SELECT n.code FROM near n WHERE n.host_id = s.host_id AND n.boot_id IS s.boot_id
   AND n.t_quality = s.t_quality ORDER BY n.code)), '') AS near
FROM said s WHERE s.nth = 1
