-- id:       xid.burst
-- title:    Many incidents of one GPU in a day
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.xid
-- needs:    log.xid
-- reads:    event.xid
-- params:   min_incidents=5 window_h=24
-- summary:  {gpu}: {n} incidents within {hours} h (Xid {codes}){programs}
-- meaning:  One error may be chance; so many on one GPU in a day have a cause that is still there. {means}
-- action:   watch
-- remedy:   Keep new work off this GPU until the cause is found: follow the errors named here, the first one first.
-- falsepositives: Many lines of one incident; the clean-up messages 45 and 43, and 154, which only sums up.
-- refs:     practice of GPU clusters: five incidents a day take a GPU out of service (field)
WITH own AS (
  SELECT i.id, i.host_id, i.gpu_id, i.boot_id, i.code, i.t0_us, i.t_quality, i.root_event,
   CASE WHEN i.t_quality = 'boot_relative' THEN i.boot_id ELSE 0 END AS clock_boot
  FROM incident i WHERE i.kind = 'xid' AND i.code NOT IN (43, 45, 154) AND i.gpu_id IS NOT NULL AND i.t0_us IS NOT NULL
),
ends AS ( -- incidents that so many came before within the window; the latest of each GPU
  SELECT d.*, row_number() OVER (PARTITION BY d.gpu_id ORDER BY d.t0_us DESC) AS rank
  FROM (SELECT o.*, o.t0_us - lag(o.t0_us, coalesce(:min_incidents, 5) - 1) OVER (PARTITION BY o.gpu_id, o.t_quality, o.clock_boot ORDER BY o.t0_us, o.id) AS took_us FROM own o) d
  WHERE d.took_us <= coalesce(:window_h, 24) * 3600000000
),
hit AS (
  SELECT o.*, count(*) OVER (PARTITION BY o.gpu_id) AS together, min(o.t0_us) OVER (PARTITION BY o.gpu_id) AS from_us,
   row_number() OVER (PARTITION BY o.gpu_id ORDER BY o.t0_us, o.id) AS nth
  FROM ends s JOIN own o ON o.gpu_id = s.gpu_id AND o.t_quality = s.t_quality AND o.clock_boot IS s.clock_boot
   AND o.t0_us BETWEEN s.t0_us - coalesce(:window_h, 24) * 3600000000 AND s.t0_us
  WHERE s.rank = 1
),
codes AS (
  SELECT gpu_id, group_concat(code || ' ' || n || ' times', ', ') AS codes
  FROM (SELECT gpu_id, code, count(*) AS n FROM hit GROUP BY gpu_id, code ORDER BY gpu_id, n DESC, code) GROUP BY gpu_id
),
latest AS (
  SELECT h.gpu_id, max(h.t0_us) AS to_us, max(coalesce(b.seq, 0)) AS seq FROM hit h LEFT JOIN boot b ON b.id = h.boot_id GROUP BY h.gpu_id
),
programs AS (SELECT o.gpu_id, count(DISTINCT p.process) AS n FROM hit o JOIN event p ON p.id = o.root_event GROUP BY o.gpu_id)
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, e.t_us AS t0_us, e.t_us AS t1_us, 0.95 AS confidence, json_array(e.line_id) AS evidence,
 'burst ' || h.gpu_id AS grp, CASE WHEN l.seq < 0 THEN 'history' END AS state,
 h.together AS n, round((l.to_us - h.from_us) / 3600000000.0, 1) AS hours,
 c.codes AS codes,
 CASE WHEN p.n > 1 THEN printf(', in %d programs', p.n) ELSE '' END AS programs,
 CASE WHEN p.n > 1 THEN 'Different programs were hit, so it is hardly one of them.' WHEN p.n = 1 THEN 'It was always the same program: look there first.' ELSE '' END AS means
FROM hit h JOIN codes c ON c.gpu_id = h.gpu_id JOIN programs p ON p.gpu_id = h.gpu_id JOIN latest l ON l.gpu_id = h.gpu_id JOIN event e ON e.id = h.root_event
WHERE h.nth <= 50 OR h.nth = h.together
