-- id:       xid.sympathetic
-- title:    Clean-up messages that follow another error (Xid 45, 43)
-- scope:    bundle
-- severity: info
-- symptom:  crash
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.xid
-- needs:    log.xid
-- reads:    event.xid
-- params:   end_s=60
-- summary:  {gpu}: channels torn down (Xid {codes}){cause}
-- meaning:  The driver removes what a dead or killed process left. It is printed once a channel, so dozens of lines can be one event. It is a
--           consequence: look for what stands before it.
-- action:   none
-- remedy:   Follow the error that it names or that stands before it. Alone it usually means that a job was stopped, cancelled or killed.
-- falsepositives: none: it never is the cause
-- refs:     NVIDIA Xid catalog, 45 and 43; Slurm documentation, scancel
WITH burst AS (
  SELECT x.incident_id, x.code, i.root_event FROM xid x JOIN incident i ON i.id = x.incident_id WHERE x.code IN (43, 45) GROUP BY x.incident_id, x.code
),
led AS ( -- the first error of the incident; 154 says what to do about the others
  SELECT x.incident_id, x.code,
   (SELECT CASE o.kind WHEN 'xid' THEN 'Xid ' || o.code WHEN 'sxid' THEN 'SXid ' || o.code WHEN 'nvrm.fallen_off_bus' THEN 'the loss of the GPU'
      WHEN 'kernel.oom_kill' THEN 'the out-of-memory killer of the host' ELSE o.kind END
    FROM event o WHERE o.incident_id = x.incident_id AND o.copy_of IS NULL
     AND NOT (o.kind = 'xid' AND (o.code IN (45, 154) OR (o.code = 43 AND (x.code = 43 OR o.id <> x.root_event))))
    ORDER BY o.kind <> 'xid', o.t_us, o.id LIMIT 1) AS first
  FROM burst x GROUP BY x.incident_id, x.code
),
soft AS (
  SELECT x.*, i.root_event, b.seq AS boot_seq, l.first,
   (SELECT 'Xid ' || a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'caused_by') AS named,
   -- How a program can end without an error of the GPU.
   (SELECT CASE e.kind WHEN 'kernel.oom_kill' THEN 'the out-of-memory killer of the host' WHEN 'kernel.shutdown' THEN 'the stop of the machine'
      ELSE 'a crash of the program (segfault)' END
    FROM event e WHERE e.host_id = x.host_id AND e.kind IN ('kernel.oom_kill', 'kernel.segfault', 'kernel.shutdown') AND e.t_quality = x.t_quality
     AND e.boot_id IS x.boot_id AND e.t_us BETWEEN x.t_us - coalesce(:end_s, 60) * 1000000 AND x.t_us AND coalesce(e.pid = x.pid, 1)
    ORDER BY e.t_us DESC, e.id DESC LIMIT 1) AS ended,
   -- Slurm prints local time: without zone it is off from UTC by quarters of an hour.
   (SELECT 'the end of job ' || coalesce((SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'job'), '?') || ' by its scheduler'
    FROM event e WHERE e.host_id = x.host_id AND e.kind = 'slurm.cancelled' AND e.copy_of IS NULL AND e.t_quality NOT IN ('unknown', 'boot_relative')
     AND x.t_quality NOT IN ('unknown', 'boot_relative') AND CASE WHEN e.t_quality = x.t_quality THEN x.t_us - e.t_us
      WHEN abs(x.t_us - e.t_us) <= 14 * 3600000000 THEN ((x.t_us - e.t_us) % 900000000 + 900000000) % 900000000 END BETWEEN 0 AND coalesce(:end_s, 60) * 1000000
     AND NOT EXISTS (SELECT 1 FROM event_attr a WHERE a.event_id = e.id AND a.name = 'why' AND a.value LIKE 'NODE FAILURE%')
    ORDER BY e.t_us DESC, e.id DESC LIMIT 1) AS stopped
  FROM xid x LEFT JOIN incident i ON i.id = x.incident_id LEFT JOIN boot b ON b.id = x.boot_id
   LEFT JOIN led l ON l.incident_id = x.incident_id AND l.code = x.code
  WHERE x.code = 45 OR x.code = 43
),
head AS (
  SELECT s.*, coalesce(s.named, s.first, s.ended, s.stopped) AS cause, CASE WHEN coalesce(s.named, s.first, s.ended, s.stopped) IS NOT NULL THEN s.incident_id END AS incident,
   coalesce(s.gpu_id, 0) AS seat, CASE WHEN coalesce(s.named, s.first, s.ended, s.stopped) IS NOT NULL THEN coalesce(s.incident_id, 0) ELSE 0 END AS burst -- without NULL
  FROM soft s LEFT JOIN event r ON r.id = s.root_event
  WHERE s.code = 45 OR s.named IS NOT NULL OR s.first IS NOT NULL OR (r.kind = 'xid' AND r.code = 45)
),
cited AS (
  SELECT host_id, seat, burst, json_group_array(line_id) AS evidence FROM (
   SELECT host_id, seat, burst, line_id, row_number() OVER (PARTITION BY host_id, seat, burst ORDER BY line_id) AS nth FROM (
    SELECT DISTINCT x.host_id, x.seat, x.burst, el.line_id FROM head x JOIN event_line el ON el.event_id = x.id AND el.role <> 'copy'))
  WHERE nth <= 50 GROUP BY host_id, seat, burst
),
coded AS (SELECT host_id, burst, group_concat(code, ', ') AS codes FROM (SELECT DISTINCT host_id, burst, code FROM head ORDER BY 1, 2, 3) GROUP BY host_id, burst),
caused AS (SELECT host_id, burst, group_concat(cause, ', ') AS causes FROM (SELECT DISTINCT host_id, burst, cause FROM head WHERE cause IS NOT NULL ORDER BY 1, 2, 3) GROUP BY host_id, burst)
-- What follows an error is a finding beside that error; all that stands alone is one.
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, CASE WHEN min(h.cause = h.stopped) THEN 'operation' END AS kind, min(h.t_us) AS t0_us, max(h.t_us) AS t1_us, 0.95 AS confidence,
 c.evidence AS evidence,
 coalesce('incident' || h.incident, 'alone') AS grp,
 CASE WHEN max(coalesce(h.boot_seq, 0)) < 0 THEN 'history' END AS state,
 o.codes AS codes,
 coalesce(', caused by ' || u.causes, '; no error before it is in the bundle') AS cause
FROM head h LEFT JOIN cited c ON c.host_id = h.host_id AND c.seat = h.seat AND c.burst = h.burst LEFT JOIN coded o ON o.host_id = h.host_id AND o.burst = h.burst
 LEFT JOIN caused u ON u.host_id = h.host_id AND u.burst = h.burst
GROUP BY h.host_id, h.incident, h.gpu_id
