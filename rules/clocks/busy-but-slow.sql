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
-- GPUs of one product that are busy at the same time in one source.
beside AS (
  SELECT a.id, b.clock_med_mhz AS mhz, b.line_first,
   row_number() OVER (PARTITION BY a.id ORDER BY b.clock_med_mhz, b.id) AS nth, count(*) OVER (PARTITION BY a.id) AS n
  FROM episode a JOIN gpu g ON g.id = a.gpu_id
  JOIN episode b ON b.source_id = a.source_id AND b.gpu_id <> a.gpu_id AND b.kind = 'busy' AND b.clock_med_mhz > 0
   AND (a.t0_us IS NULL OR (b.t0_us <= a.t1_us AND b.t1_us >= a.t0_us))
  JOIN gpu o ON o.id = b.gpu_id AND o.name = g.name
  WHERE a.kind = 'busy'
),
peers AS (
  SELECT e.id, b.mhz AS best_mhz, CASE WHEN b.n = 1 THEN 'its peer' ELSE 'its peers' END AS reference, b.line_first AS peer_line,
   (SELECT round(avg(m.util_avg)) FROM gpu_minute m WHERE m.ref_id = e.ref_id AND m.last_id >= e.first_id AND m.first_id <= e.last_id) AS util_pct
  FROM beside b JOIN episode e ON e.id = b.id
  WHERE b.nth = (b.n + 1) / 2 AND e.clock_med_mhz <= b.mhz * (1 - coalesce(:slow_pct, 10) / 100.0)
),
slow AS (
  SELECT e.*, x.best_mhz, x.reference, x.peer_line, x.util_pct,
   (SELECT c.num FROM contract c WHERE c.gpu_id = e.gpu_id AND c.key = 'clocks.default_app_graphics_mhz') AS default_mhz,
   (SELECT c.num FROM contract c WHERE c.gpu_id = e.gpu_id AND c.key = 'power.limit_w' ORDER BY c.t_us IS NULL DESC, c.t_us DESC LIMIT 1) AS max_w
  FROM (SELECT * FROM own UNION ALL SELECT * FROM peers WHERE util_pct >= coalesce(:min_util_pct, 90)) x JOIN episode e ON e.id = x.id
  WHERE e.clock_med_mhz <= x.best_mhz * (1 - coalesce(:slow_pct, 10) / 100.0)
   AND (e.t0_us IS NULL OR e.t1_us - e.t0_us >= coalesce(:min_s, 10) * 1000000)
)
SELECT g.host_id AS host_id, e.gpu_id AS gpu_id, e.t0_us AS t0_us, e.t1_us AS t1_us,
 CASE WHEN e.reasons_known THEN 0.85 ELSE 0.7 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT e.line_first AS line_id UNION ALL SELECT e.line_worst UNION ALL SELECT e.line_last
   UNION ALL SELECT e.peer_line) WHERE line_id IS NOT NULL) AS evidence,
 -- Never above the finding that explains it: power.cap-clock-drop.
 CASE WHEN EXISTS (SELECT 1 FROM episode p WHERE p.gpu_id = e.gpu_id AND p.kind = 'power_limit' AND p.clock_med_mhz <= p.clock_ref_mhz * 0.9
                   AND (p.t0_us IS NULL OR e.t0_us IS NULL OR (p.t0_us <= e.t1_us AND p.t1_us >= e.t0_us))) THEN 'info' ELSE 'warning' END AS severity,
 'gpu' || e.gpu_id AS grp,
 printf('%g', round(e.clock_med_mhz)) AS clock_mhz, printf('%g', round(e.best_mhz)) AS best_mhz, e.reference AS reference,
 printf('%g', e.util_pct) AS util_pct,
 printf('%g', round(100.0 * (e.best_mhz - e.clock_med_mhz) / e.best_mhz)) AS slow_pct,
 e.ref_id AS ref_id
FROM slow e JOIN gpu g ON g.id = e.gpu_id
WHERE NOT coalesce(abs(e.clock_med_mhz - e.default_mhz) <= coalesce(:step_mhz, 15) AND (e.reasons_known & 2 = 0 OR e.reasons_known IS NULL OR e.reasons_or & 2), 0)
 -- No reason but "idle", and far from the limit: it could be faster, and is not asked to.
 AND NOT coalesce(e.reasons_known & 510 = 510 AND e.reasons_or & 510 = 0 AND e.power_med_w < e.max_w * coalesce(:low_power_pct, 60) / 100.0, 0)
