-- id:       load.starved
-- title:    The GPU waits for the host
-- scope:    bundle
-- severity: info
-- symptom:  slow
-- kind:     explanation
-- points:   application
-- shows:    effect
-- settle:   sample.mem_used_mib
-- needs:    sample.sm_clock_mhz sample.util_pct sample.power_w
-- reads:    sample.util_pct
-- params:   min_minutes=3 fall_pct=20 full_clock_pct=97 min_util_pct=5 memory_pct=90
-- summary:  {gpu}: utilization {before_pct} → {after_pct} % and power {before_w} → {after_w} W for {minutes} minutes, at full clock ({mhz} MHz)
-- meaning:  The GPU could go on, and is not asked to: data loading, preprocessing, storage, network or another part of the program
--           is the bottleneck. No reason holds its clock.
-- action:   restart_app
-- remedy:   Look at the input pipeline: CPU load, loader workers, storage and network; profile one step of the job.
-- falsepositives: The end of a job, where memory is given back. A lower clock (then it is held back, not starved). Idle GPUs.
-- refs:     full_clock_pct: RULES; fall_pct, min_minutes, memory_pct: practice
WITH whole AS ( -- how each GPU runs at full load
  SELECT m.ref_id, avg(m.util_avg) AS full_util, avg(m.power_avg) AS full_w, avg(m.memused_avg) AS full_mib, count(*) AS fulls,
   min(m.first_id) AS began_id
  FROM gpu_minute m WHERE m.util_avg >= 80 GROUP BY m.ref_id
),
starved AS ( -- after the load has begun, with the job's memory still in use
  SELECT m.ref_id, count(*) AS minutes, avg(m.util_avg) AS util, avg(m.power_avg) AS power_w, avg(m.sm_avg) AS mhz,
   min(m.first_id) AS first_id, max(m.last_id) AS last_id
  FROM gpu_minute m JOIN whole w ON w.ref_id = m.ref_id JOIN gpu_stat t ON t.ref_id = m.ref_id AND t.col = 'sm_clock_mhz'
  WHERE m.util_avg BETWEEN coalesce(:min_util_pct, 5) AND 80 - coalesce(:fall_pct, 20) AND m.sm_avg >= t.top * coalesce(:full_clock_pct, 97) / 100.0
   AND coalesce(m.reasons_or & 510, 0) = 0
   AND m.first_id > w.began_id AND m.power_avg <= w.full_w * (1 - coalesce(:fall_pct, 20) / 100.0)
   AND (m.memused_avg IS NULL OR m.memused_avg >= w.full_mib * coalesce(:memory_pct, 90) / 100.0)
  GROUP BY m.ref_id HAVING count(*) >= coalesce(:min_minutes, 3)
),
found AS (
  SELECT s.*, w.full_util, w.full_w, r.gpu_id, r.source_id, r.t_offset_us, r.t_quality, g.host_id
  FROM starved s JOIN whole w ON w.ref_id = s.ref_id JOIN gpu_ref r ON r.id = s.ref_id JOIN gpu g ON g.id = r.gpu_id
  WHERE r.instance_id IS NULL AND w.fulls >= 2
),
alike AS (
  SELECT f.*, avg(f.full_util) OVER w AS util_before, avg(f.util) OVER w AS util_after, avg(f.full_w) OVER w AS w_before, avg(f.power_w) OVER w AS w_after,
   min(f.minutes) OVER w AS minutes0, max(f.minutes) OVER w AS minutes1, avg(f.mhz) OVER w AS mhz1
  FROM found f WINDOW w AS (PARTITION BY f.host_id)
)
SELECT a.host_id AS host_id, a.gpu_id AS gpu_id,
 CASE WHEN a.t_quality <> 'unknown' THEN s.t_raw_us + a.t_offset_us END AS t0_us, CASE WHEN a.t_quality <> 'unknown' THEN z.t_raw_us + a.t_offset_us END AS t1_us,
 0.7 AS confidence, json_array(a.source_id << 32 | s.line, a.source_id << 32 | z.line) AS evidence, 'host' AS grp,
 printf('%g', round(a.util_before)) AS before_pct, printf('%g', round(a.util_after)) AS after_pct,
 printf('%g', round(a.w_before)) AS before_w, printf('%g', round(a.w_after)) AS after_w,
 CASE WHEN a.minutes0 < a.minutes1 THEN printf('%d-%d', a.minutes0, a.minutes1) ELSE printf('%d', a.minutes1) END AS minutes,
 printf('%g', round(a.mhz1)) AS mhz, a.ref_id AS ref_id
FROM alike a JOIN gpu_sample s ON s.rowid = a.first_id JOIN gpu_sample z ON z.rowid = a.last_id
