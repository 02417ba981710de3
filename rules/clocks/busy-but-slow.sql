-- id:       clocks.busy-but-slow
-- title:    Fully busy, yet slower than its own best minute or its peers
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   sample.reasons
-- needs:    sample.sm_clock_mhz sample.util_pct episode.busy
-- reads:    episode.busy|episode.busy_slow
-- params:   slow_pct=10 min_s=10 min_util_pct=90 low_power_pct=60 step_mhz=15
-- summary:  {gpu}: {clock_mhz} MHz while {util_pct} % busy, {slow_pct} % below {reference} ({best_mhz} MHz)
-- meaning:  Utilization says that the GPU has work all the time, not that it does it fast. Something held the clock down.
-- action:   collect
-- remedy:   Record the reasons beside the clock (see below); they name power, heat, a setting or hardware.
-- falsepositives: MIG slices (their GPU has no utilization); application clocks at their default; a low clock at low power with
--           no reason set: the work needs no more; other products beside this one.
-- refs:     RULES: reference is the best 60 s of busy samples of the same source, or the median of equal GPUs; low_power_pct
--           of the limit, step_mhz: practice
WITH own AS (
  SELECT e.id, e.clock_ref_mhz AS best_mhz, 'its own best minute' AS reference, NULL AS peer_line, e.util_min_pct AS util_pct
  FROM episode e WHERE e.kind = 'busy_slow' AND e.util_min_pct >= coalesce(:min_util_pct, 90)
),
busy AS (
  SELECT e.id, e.source_id, e.gpu_id, e.ref_id, g.name, e.t0_us, e.t1_us, e.first_id, e.last_id, e.clock_med_mhz, e.line_first,
   max(e.clock_med_mhz) OVER (PARTITION BY e.source_id, g.name) AS top_mhz,
   row_number() OVER (PARTITION BY e.ref_id ORDER BY e.samples DESC, e.id) AS nth
  FROM episode e JOIN gpu g ON g.id = e.gpu_id WHERE e.kind = 'busy' AND e.clock_med_mhz > 0
),
-- GPUs of one product that are busy at the same time in one source; the longest stretches are enough.
beside AS (
  SELECT a.id, a.ref_id, a.first_id, a.last_id, a.clock_med_mhz, b.clock_med_mhz AS mhz, b.line_first,
   row_number() OVER (PARTITION BY a.id ORDER BY b.clock_med_mhz, b.id) AS nth, count(*) OVER (PARTITION BY a.id) AS n
  FROM busy a JOIN busy b ON b.source_id = a.source_id AND b.gpu_id <> a.gpu_id AND b.name = a.name
   AND (a.t0_us IS NULL OR (b.t0_us <= a.t1_us AND b.t1_us >= a.t0_us))
  WHERE a.nth <= 12 AND a.clock_med_mhz <= a.top_mhz * (1 - coalesce(:slow_pct, 10) / 100.0)
),
peers AS (
  SELECT b.id, b.mhz AS best_mhz, CASE WHEN b.n = 1 THEN 'its peer' ELSE 'its peers' END AS reference, b.line_first AS peer_line,
   (SELECT round(avg(m.util_avg)) FROM gpu_minute m WHERE m.ref_id = b.ref_id AND m.last_id >= b.first_id AND m.first_id <= b.last_id) AS util_pct
  FROM beside b WHERE b.nth = (b.n + 1) / 2 AND b.clock_med_mhz <= b.mhz * (1 - coalesce(:slow_pct, 10) / 100.0)
),
slow AS (
  SELECT e.*, x.best_mhz, x.reference, x.peer_line, x.util_pct,
   row_number() OVER (PARTITION BY e.ref_id ORDER BY e.samples DESC, e.first_id) AS nth,
   row_number() OVER (PARTITION BY e.ref_id ORDER BY e.first_id) AS from_start, row_number() OVER (PARTITION BY e.ref_id ORDER BY e.first_id DESC) AS from_end
  FROM (SELECT * FROM own UNION ALL SELECT * FROM peers WHERE util_pct >= coalesce(:min_util_pct, 90)) x JOIN episode e ON e.id = x.id
  WHERE e.clock_med_mhz <= x.best_mhz * (1 - coalesce(:slow_pct, 10) / 100.0)
   AND (e.t0_us IS NULL OR e.t1_us - e.t0_us >= coalesce(:min_s, 10) * 1000000)
),
told AS ( -- of very many in a source the hundred longest, the first and the last: a finding cites no more
  SELECT * FROM slow WHERE nth <= 100 OR from_start = 1 OR from_end = 1
),
stated AS (
  SELECT c.gpu_id, max(CASE c.key WHEN 'clocks.default_app_graphics_mhz' THEN c.num END) AS default_mhz,
   max(CASE c.key WHEN 'power.limit_w' THEN c.num END) AS max_w
  FROM contract c WHERE c.key IN ('clocks.default_app_graphics_mhz', 'power.limit_w') AND c.gpu_id IS NOT NULL GROUP BY c.gpu_id
),
-- Never above the finding that explains it: power.cap-clock-drop.
explained AS (
  SELECT DISTINCT e.id FROM told e JOIN episode p ON p.gpu_id = e.gpu_id
  WHERE p.kind = 'power_limit' AND p.clock_med_mhz <= p.clock_ref_mhz * 0.9
   AND (p.t0_us IS NULL OR e.t0_us IS NULL OR (p.t0_us <= e.t1_us AND p.t1_us >= e.t0_us))
),
slowed AS (
  SELECT e.*, g.host_id, CASE WHEN x.id IS NOT NULL THEN 'info' ELSE 'warning' END AS severity,
   row_number() OVER (PARTITION BY e.gpu_id ORDER BY e.t0_us IS NULL, e.reasons_known IS NULL, e.t0_us, e.line_first) AS lead
  FROM told e JOIN gpu g ON g.id = e.gpu_id LEFT JOIN stated s ON s.gpu_id = e.gpu_id LEFT JOIN explained x ON x.id = e.id
  WHERE NOT coalesce(abs(e.clock_med_mhz - s.default_mhz) <= coalesce(:step_mhz, 15) AND (e.reasons_known & 2 = 0 OR e.reasons_known IS NULL OR e.reasons_or & 2), 0)
   -- No reason but "idle", and far from the limit: it could be faster, and is not asked to.
   AND NOT coalesce(e.reasons_known & 510 = 510 AND e.reasons_or & 510 = 0 AND e.power_med_w < s.max_w * coalesce(:low_power_pct, 60) / 100.0, 0)
),
-- GPUs of a host with the same outcome are one finding, whose numbers are those of the row that leads each GPU.
alike AS (
  SELECT e.*, printf('%s %s', min(e.severity = 'info') OVER (PARTITION BY e.gpu_id),
   CASE WHEN first_value(e.peer_line) OVER (PARTITION BY e.gpu_id ORDER BY e.lead) IS NULL THEN 'own' ELSE 'peers' END) AS grp
  FROM slowed e
),
ranges AS (
  SELECT e.*, count(CASE WHEN e.lead = 1 THEN 1 END) OVER w AS gpus,
   min(CASE WHEN e.lead = 1 THEN round(e.clock_med_mhz) END) OVER w AS mhz0, max(CASE WHEN e.lead = 1 THEN round(e.clock_med_mhz) END) OVER w AS mhz1,
   min(CASE WHEN e.lead = 1 THEN round(e.best_mhz) END) OVER w AS best0, max(CASE WHEN e.lead = 1 THEN round(e.best_mhz) END) OVER w AS best1,
   min(CASE WHEN e.lead = 1 THEN e.util_pct END) OVER w AS util0, max(CASE WHEN e.lead = 1 THEN e.util_pct END) OVER w AS util1,
   min(CASE WHEN e.lead = 1 THEN round(100.0 * (e.best_mhz - e.clock_med_mhz) / e.best_mhz) END) OVER w AS slow0,
   max(CASE WHEN e.lead = 1 THEN round(100.0 * (e.best_mhz - e.clock_med_mhz) / e.best_mhz) END) OVER w AS slow1
  FROM alike e WINDOW w AS (PARTITION BY e.host_id, e.grp)
)
SELECT e.host_id AS host_id, e.gpu_id AS gpu_id, e.t0_us AS t0_us, e.t1_us AS t1_us,
 CASE WHEN e.reasons_known THEN 0.85 ELSE 0.7 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT e.line_first AS line_id UNION ALL SELECT e.line_worst UNION ALL SELECT e.line_last
   UNION ALL SELECT e.peer_line) WHERE line_id IS NOT NULL) AS evidence,
 e.severity AS severity, e.grp AS grp,
 CASE WHEN e.mhz0 < e.mhz1 THEN printf('%g-%g', e.mhz0, e.mhz1) ELSE printf('%g', e.mhz1) END AS clock_mhz,
 CASE WHEN e.best0 < e.best1 THEN printf('%g-%g', e.best0, e.best1) ELSE printf('%g', e.best1) END AS best_mhz,
 CASE WHEN e.gpus = 1 THEN e.reference ELSE replace(replace(e.reference, 'its peers', 'their peers'), 'its ', 'their ') END AS reference,
 CASE WHEN e.util0 < e.util1 THEN printf('%g-%g', e.util0, e.util1) ELSE printf('%g', e.util1) END AS util_pct,
 CASE WHEN e.slow0 < e.slow1 THEN printf('%g-%g', e.slow0, e.slow1) ELSE printf('%g', e.slow1) END AS slow_pct,
 e.ref_id AS ref_id
FROM ranges e
