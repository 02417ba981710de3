-- id:       load.spin
-- title:    GPUs are busy waiting for each other
-- scope:    bundle
-- severity: info
-- symptom:  hang
-- kind:     explanation
-- points:   application
-- shows:    effect
-- settle:   log.xid
-- needs:    sample.util_pct sample.power_w sample.mem_util_pct sample.power_limit_w|fact.power.limit_w
-- reads:    sample.util_pct sample.power_w
-- params:   min_util_pct=95 power_pct=35 max_mem_util_pct=5 full_clock_pct=90 min_s=45 min_gpus=2
-- summary:  {gpu}: {util_pct} % busy for {minutes} min at {power_w} W ({power_pct} % of the limit), memory {mem_pct} % busy
-- meaning:  Full utilization at little power and without memory traffic is what a kernel looks like that only polls: a collective
--           (NCCL) waits for a rank that does not come. Busy is not at work.
-- action:   restart_app
-- remedy:   Find the rank that is missing: its log, its stack (py-spy, cuda-gdb), Xids and network of all nodes. NCCL_DEBUG=INFO tells the
--           operation.
-- falsepositives: Small models on one GPU. Low clocks at low power, which something holds. GPUs that are really idle.
-- refs:     power_pct, max_mem_util_pct: RULES; practice with NCCL hangs
WITH limits AS (
  SELECT c.gpu_id, max(c.num) AS limit_w FROM contract c WHERE c.key = 'power.limit_w' AND c.gpu_id IS NOT NULL GROUP BY c.gpu_id
),
spun AS (
  SELECT m.ref_id, r.source_id, r.gpu_id, g.host_id, r.t_offset_us, r.t_quality, coalesce(m.limit_max, l.limit_w) AS limit_w, m.util_avg, m.power_avg, m.memutil_avg, m.first_id, m.last_id,
   m.t_raw_us / 60000000 AS minute
  FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id JOIN gpu g ON g.id = r.gpu_id LEFT JOIN limits l ON l.gpu_id = r.gpu_id
  JOIN gpu_stat s ON s.ref_id = m.ref_id AND s.col = 'sm_clock_mhz'
  WHERE m.util_avg >= coalesce(:min_util_pct, 95) AND m.power_avg < coalesce(m.limit_max, l.limit_w) * coalesce(:power_pct, 35) / 100.0
   AND m.memutil_avg <= coalesce(:max_mem_util_pct, 5) AND m.sm_avg >= s.top * coalesce(:full_clock_pct, 90) / 100.0
   AND coalesce(m.reasons_or & 510, 0) = 0 AND r.instance_id IS NULL
),
together AS ( -- several at once
  SELECT s.source_id, s.minute FROM spun s GROUP BY s.source_id, s.minute HAVING count(DISTINCT s.gpu_id) >= coalesce(:min_gpus, 2)
),
found AS (
  SELECT s.ref_id, s.source_id, s.gpu_id, s.host_id, s.t_offset_us, s.t_quality, count(*) AS minutes, avg(s.util_avg) AS util, avg(s.power_avg) AS power_w, max(s.limit_w) AS limit_w,
   avg(s.memutil_avg) AS mem, min(s.first_id) AS first_id, max(s.last_id) AS last_id
  FROM spun s JOIN together t ON t.source_id = s.source_id AND t.minute = s.minute
  GROUP BY s.ref_id
),
alike AS (
  SELECT f.*, avg(f.util) OVER w AS util1, min(f.power_w) OVER w AS power0, max(f.power_w) OVER w AS power1, max(100 * f.power_w / f.limit_w) OVER w AS share,
   max(f.mem) OVER w AS mem1, min(f.minutes) OVER w AS minutes0, max(f.minutes) OVER w AS minutes1
  FROM found f
  -- A watch of a minute may lie in one minute of the clock or in two.
  WHERE (SELECT x.t_raw_us FROM gpu_sample x WHERE x.rowid = f.last_id) - (SELECT x.t_raw_us FROM gpu_sample x WHERE x.rowid = f.first_id)
   >= coalesce(:min_s, 45) * 1000000
  WINDOW w AS (PARTITION BY f.host_id)
)
SELECT a.host_id AS host_id, a.gpu_id AS gpu_id,
 CASE WHEN a.t_quality <> 'unknown' THEN s.t_raw_us + a.t_offset_us END AS t0_us, CASE WHEN a.t_quality <> 'unknown' THEN z.t_raw_us + a.t_offset_us END AS t1_us,
 0.7 AS confidence, json_array(a.source_id << 32 | s.line, a.source_id << 32 | z.line) AS evidence, 'host' AS grp,
 printf('%g', round(a.util1)) AS util_pct,
 CASE WHEN a.minutes0 < a.minutes1 THEN printf('%d-%d', a.minutes0, a.minutes1) ELSE printf('%d', a.minutes1) END AS minutes,
 CASE WHEN round(a.power0) < round(a.power1) THEN printf('%g-%g', round(a.power0), round(a.power1)) ELSE printf('%g', round(a.power1)) END AS power_w,
 printf('%g', round(a.share)) AS power_pct, printf('%g', round(a.mem1)) AS mem_pct, a.ref_id AS ref_id
FROM alike a JOIN gpu_sample s ON s.rowid = a.first_id JOIN gpu_sample z ON z.rowid = a.last_id
