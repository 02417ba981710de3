-- id:       host.hung-task
-- title:    Processes wait in the kernel for minutes
-- scope:    bundle
-- severity: warning
-- symptom:  hang
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.kernel.*
-- needs:    log.kernel.hung_task
-- reads:    event.kernel.hung_task
-- params:   near_s=600
-- summary:  {names} waited in the kernel for {seconds} s or more{times}{order}
-- meaning:  {means} A task in this state cannot be killed.
-- action:   collect
-- remedy:   {advice}
-- falsepositives: none known; suspend to RAM is no such wait
-- refs:     Linux kernel/hung_task.c; near_s: as the chains of incidents
WITH hung AS (
  SELECT e.id, e.host_id, e.boot_id, e.t_us, e.t_quality, e.line_id, e.repeats, coalesce(e.process, n.value, 'a task') AS name, s.num AS seconds,
   coalesce(b.seq, 0) AS boot_seq, coalesce(e.incident_id, -e.id) AS life
  FROM event e LEFT JOIN event_attr n ON n.event_id = e.id AND n.name = 'name' LEFT JOIN event_attr s ON s.event_id = e.id AND s.name = 'seconds'
   LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind = 'kernel.hung_task' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
per AS (
  SELECT h.host_id, coalesce(h.boot_id, 0) AS boot, h.t_quality, max(h.boot_id) AS boot_id, max(h.boot_seq) AS boot_seq, sum(h.repeats) AS n, max(h.seconds) AS seconds,
   min(h.t_us) AS t0, max(h.t_us) AS t1 FROM hung h GROUP BY h.host_id, boot, h.t_quality
),
dated AS ( -- the nearest error of a GPU before the first wait; else whether one came later
  SELECT p.*, (SELECT x.id FROM xid x WHERE x.host_id = p.host_id AND x.boot_id IS p.boot_id AND x.t_quality = p.t_quality
     AND x.t_us BETWEEN p.t0 - (coalesce(:near_s, 600) + coalesce(p.seconds, 120)) * 1000000 AND p.t0 ORDER BY x.t_us DESC, x.id DESC LIMIT 1) AS before_id,
   (SELECT min(x.t_us) FROM xid x WHERE x.host_id = p.host_id AND x.boot_id IS p.boot_id AND x.t_quality = p.t_quality) AS first_xid
  FROM per p
)
SELECT p.host_id AS host_id, NULL AS gpu_id, p.t0 AS t0_us, p.t1 AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT h.line_id FROM hung h WHERE h.host_id = p.host_id AND coalesce(h.boot_id, 0) = p.boot AND h.t_quality = p.t_quality
   UNION SELECT x.line_id FROM xid x WHERE x.id = p.before_id ORDER BY 1 LIMIT 50)) AS evidence,
 CASE WHEN p.boot_seq < 0 THEN 'history' END AS state,
 (SELECT group_concat(name, ', ') FROM (SELECT DISTINCT h.name AS name FROM hung h WHERE h.host_id = p.host_id AND coalesce(h.boot_id, 0) = p.boot
   AND h.t_quality = p.t_quality ORDER BY 1 LIMIT 6)) AS names,
 CAST(coalesce(p.seconds, 120) AS INTEGER) AS seconds, CASE WHEN p.n > 1 THEN printf(', %d messages', p.n) ELSE '' END AS times,
 CASE WHEN p.before_id IS NOT NULL THEN '; an error of a GPU stands before it (Xid ' || (SELECT x.code FROM xid x WHERE x.id = p.before_id) || ')'
  WHEN p.first_xid > p.t0 THEN '; before the first Xid' ELSE '' END AS "order",
 CASE WHEN p.before_id IS NOT NULL THEN 'They wait for a GPU or driver that does not answer: the consequence, not the cause.'
  ELSE 'They wait for a disk, a network file system, a lock or a driver; the call trace below each message names it.' END AS means,
 CASE WHEN p.before_id IS NOT NULL THEN 'Follow the error of the GPU; the machine mostly needs a reboot.'
  ELSE 'Read the call trace: nv_ and uvm_ functions mean the GPU driver, nfs or lustre the network, blk and nvme the disk.' END AS advice
FROM dated p
