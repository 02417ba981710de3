-- id:       thermal.soak-drift
-- title:    Slower after half an hour of load than when it began
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   trace.soak
-- needs:    sample.sm_clock_mhz sample.util_pct sample.temp_c episode.soak
-- reads:    episode.soak
-- params:   drift_pct=15 cold_minutes=5 window_minutes=30 equal_util_pct=5 plateau_c=4
-- explains: clocks.busy-but-slow overlap gpu; clocks.silent-straggler overlap gpu
-- summary:  {gpu}: SM clock {cold_mhz} MHz when cold, {hot_mhz} MHz (-{drift_pct} %) in the last {window} minutes of load, {cold_c} → {hot_c} C
-- meaning:  The first minutes are fast; then heat has built up, and the clock stays down. A test of a few minutes does not show it.
-- action:   fix_host
-- remedy:   Judge by the warm half hour, not by the first minutes. Look at inlet temperature, fans and dust, and what the neighbours do.
-- falsepositives: Starvation, where utilization or power falls and the clock does not. A limit that moved. Less than 35 minutes of load (not
--           checkable: that is too short to show it).
-- refs:     RULES: 30 minutes, 15 % of the clock; plateau_c: practice
WITH load AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.ref_id ORDER BY e.samples DESC, e.id) AS nth FROM episode e
  WHERE e.kind = 'soak' AND coalesce((e.t1_us - e.t0_us) / 1000000.0, e.samples) >= (coalesce(:window_minutes, 30) + coalesce(:cold_minutes, 5)) * 60
),
minute AS (
  SELECT l.id, l.ref_id, m.sm_avg, m.temp_avg, m.util_avg, m.power_avg, m.limit_min, m.first_id,
   row_number() OVER (PARTITION BY l.id ORDER BY m.t_raw_us) AS age, row_number() OVER (PARTITION BY l.id ORDER BY m.t_raw_us DESC) AS back
  FROM load l JOIN gpu_minute m ON m.ref_id = l.ref_id AND m.first_id >= l.first_id AND m.last_id <= l.last_id
  WHERE l.nth = 1 AND m.sm_avg > 0
),
ends AS (
  SELECT m.id, m.ref_id,
   avg(CASE WHEN m.age <= coalesce(:cold_minutes, 5) THEN m.sm_avg END) AS cold_mhz, avg(CASE WHEN m.back <= coalesce(:window_minutes, 30) THEN m.sm_avg END) AS hot_mhz,
   avg(CASE WHEN m.age <= coalesce(:cold_minutes, 5) THEN m.util_avg END) AS cold_util, avg(CASE WHEN m.back <= coalesce(:window_minutes, 30) THEN m.util_avg END) AS hot_util,
   avg(CASE WHEN m.age <= coalesce(:cold_minutes, 5) THEN m.power_avg END) AS cold_w, avg(CASE WHEN m.back <= coalesce(:window_minutes, 30) THEN m.power_avg END) AS hot_w,
   min(CASE WHEN m.age <= 2 THEN m.temp_avg END) AS cold_c, avg(CASE WHEN m.back <= coalesce(:window_minutes, 30) THEN m.temp_avg END) AS hot_c,
   max(CASE WHEN m.back <= coalesce(:window_minutes, 30) THEN m.temp_avg END) - min(CASE WHEN m.back <= coalesce(:window_minutes, 30) THEN m.temp_avg END) AS wander_c,
   min(CASE WHEN m.age <= coalesce(:cold_minutes, 5) THEN m.limit_min END) AS cold_limit_w, min(CASE WHEN m.back <= coalesce(:window_minutes, 30) THEN m.limit_min END) AS hot_limit_w,
   min(CASE WHEN m.back = coalesce(:window_minutes, 30) THEN m.first_id END) AS hot_id
  FROM minute m GROUP BY m.id
),
drifted AS (
  SELECT n.*, g.host_id, l.gpu_id, l.source_id, l.t0_us, l.t1_us, l.line_first, l.line_worst, l.line_last
  FROM ends n JOIN load l ON l.id = n.id JOIN gpu g ON g.id = l.gpu_id
  WHERE n.hot_mhz <= n.cold_mhz * (1 - coalesce(:drift_pct, 15) / 100.0)
   AND abs(n.hot_util - n.cold_util) <= coalesce(:equal_util_pct, 5)
   AND n.hot_c > n.cold_c AND n.wander_c <= coalesce(:plateau_c, 4)
   -- Power falls with the clock, at most with its third power; what falls further has less to do.
   AND (n.cold_w IS NULL OR n.hot_w >= 0.9 * n.cold_w * (n.hot_mhz / n.cold_mhz) * (n.hot_mhz / n.cold_mhz) * (n.hot_mhz / n.cold_mhz))
   AND (n.hot_limit_w IS NULL OR n.cold_limit_w IS NULL OR n.hot_limit_w >= n.cold_limit_w * 0.99)
),
alike AS (
  SELECT d.*, min(d.cold_mhz) OVER w AS cold0, max(d.cold_mhz) OVER w AS cold1, min(d.hot_mhz) OVER w AS hot0, max(d.hot_mhz) OVER w AS hot1,
   min(100 * (d.cold_mhz - d.hot_mhz) / d.cold_mhz) OVER w AS drift0, max(100 * (d.cold_mhz - d.hot_mhz) / d.cold_mhz) OVER w AS drift1,
   min(d.cold_c) OVER w AS cold_c0, max(d.hot_c) OVER w AS hot_c1
  FROM drifted d WINDOW w AS (PARTITION BY d.host_id)
)
SELECT a.host_id AS host_id, a.gpu_id AS gpu_id, a.t0_us AS t0_us, a.t1_us AS t1_us, 0.85 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT a.line_first AS line_id UNION ALL SELECT a.source_id << 32 | (SELECT s.line FROM gpu_sample s WHERE s.rowid = a.hot_id)
   UNION ALL SELECT a.line_worst UNION ALL SELECT a.line_last) WHERE line_id IS NOT NULL) AS evidence,
 'drift' AS grp,
 CASE WHEN round(a.cold0) < round(a.cold1) THEN printf('%g-%g', round(a.cold0), round(a.cold1)) ELSE printf('%g', round(a.cold1)) END AS cold_mhz,
 CASE WHEN round(a.hot0) < round(a.hot1) THEN printf('%g-%g', round(a.hot0), round(a.hot1)) ELSE printf('%g', round(a.hot1)) END AS hot_mhz,
 CASE WHEN round(a.drift0) < round(a.drift1) THEN printf('%g to -%g', round(a.drift0), round(a.drift1)) ELSE printf('%g', round(a.drift1)) END AS drift_pct,
 coalesce(:window_minutes, 30) AS window, printf('%g', round(a.cold_c0)) AS cold_c, printf('%g', round(a.hot_c1)) AS hot_c, a.ref_id AS ref_id
FROM alike a
