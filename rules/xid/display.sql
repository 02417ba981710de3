-- id:       xid.display
-- title:    Errors of the display part of a GPU (Xid 56, 57)
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     fault
-- points:   driver
-- shows:    effect
-- settle:   log.xid
-- needs:    log.xid
-- reads:    xid.56|xid.57
-- params:   repeated=2
-- summary:  {gpu}: display error (Xid {codes}){place}{times}
-- meaning:  {means}
-- action:   watch
-- remedy:   {advice}
-- falsepositives: Desktops and laptops, where a monitor that is plugged in or wakes up can cause one: a note only.
-- refs:     NVIDIA Xid catalog, 56 and 57; repeated: practice, one may be a hiccup of a console
WITH said AS (
  SELECT x.*, coalesce(b.seq, 0) AS boot_seq, coalesce(x.gpu_id, 'host') AS seat, m.class = 'datacenter' AS server,
   coalesce((SELECT max(c.value) FROM contract c WHERE c.gpu_id = x.gpu_id AND c.key = 'display.active'), 'disabled') IN ('disabled', 'off') AS headless
  FROM xid x LEFT JOIN boot b ON b.id = x.boot_id LEFT JOIN gpu g ON g.id = x.gpu_id LEFT JOIN kb_gpu_model m ON m.model = g.model
  WHERE x.code IN (56, 57) AND x.host_id IS NOT NULL
),
per AS (
  SELECT host_id, seat, count(DISTINCT coalesce(incident_id, -id)) AS incidents, max(boot_seq) AS boot_seq, coalesce(max(server AND headless), 0) AS odd FROM said GROUP BY host_id, seat
),
codes AS (
  SELECT host_id, seat, group_concat(code, ', ') AS codes FROM (SELECT DISTINCT host_id, seat, code FROM said ORDER BY 1, 2, 3) GROUP BY host_id, seat
),
-- A storm has thousands of events: the first ones are cited, and the last one ends it.
kept AS (
  SELECT s.*, row_number() OVER (PARTITION BY s.host_id, s.seat ORDER BY s.t_us, s.id) AS nth,
   row_number() OVER (PARTITION BY s.host_id, s.seat ORDER BY s.t_us DESC, s.id DESC) AS from_end
  FROM said s
)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = s.id AND el.role <> 'copy' ORDER BY 1 LIMIT 10)) AS evidence,
 CASE WHEN p.odd AND p.incidents >= coalesce(:repeated, 2) THEN 'warning' ELSE 'info' END AS severity,
 CASE WHEN p.odd AND p.incidents >= coalesce(:repeated, 2) THEN 'collect' ELSE 'watch' END AS action,
 'display ' || s.seat AS grp,
 CASE WHEN p.boot_seq < 0 THEN 'history' END AS state,
 c.codes AS codes,
 CASE WHEN p.odd THEN ' on a data-center GPU without a display' ELSE '' END AS place,
 CASE WHEN p.incidents > 1 THEN printf('; %d incidents', p.incidents) ELSE ', once' END AS times,
 CASE WHEN p.odd THEN 'Nothing is connected to this GPU, so nothing should use its display part.' ELSE 'The part that drives monitors had an error; compute work is not touched.' END AS means,
 CASE WHEN p.odd AND p.incidents >= coalesce(:repeated, 2) THEN 'See which program opens a display (X, a desktop session); update the driver; if it goes on, run dcgmi diag -r 3.' ELSE 'Nothing, unless screens stay black.' END AS advice
FROM kept s JOIN per p ON p.host_id = s.host_id AND p.seat = s.seat JOIN codes c ON c.host_id = s.host_id AND c.seat = s.seat
WHERE s.nth <= 20 OR s.from_end = 1
