-- id:       clocks.hw-slowdown
-- title:    The hardware cut the clocks, and did not say why
-- scope:    bundle
-- severity: error
-- symptom:  slow
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   bmc.power
-- needs:    sample.reasons
-- reads:    sample.reasons
-- params:   min_samples=3 idle_util_pct=10
-- explains: clocks.busy-but-slow overlap gpu; clocks.no-p0 overlap gpu; clocks.oscillation overlap gpu
-- summary:  {gpu}: hardware slowdown (0x8) in {n}{clock}{temp}
-- meaning:  The board itself cut the clock, by half or more. The cause is open: {open}
-- action:   fix_host
-- remedy:   Look at temperatures, fans and power supplies in the BMC for that time{todo}.
-- falsepositives: The same bit beside 0x40 (heat) or 0x80 (power brake), which say why. One sample is a warning; a board at
--           rest, or a laptop on its battery, is info.
-- refs:     NVML nvmlClocksThrottleReasonHwSlowdown: temperature too high, external power brake, or power draw too fast
WITH cut AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.ref_id ORDER BY e.reasons_set DESC, e.first_id) AS nth,
   row_number() OVER (PARTITION BY e.ref_id ORDER BY e.first_id) AS from_start,
   row_number() OVER (PARTITION BY e.ref_id ORDER BY e.first_id DESC) AS from_end,
   max(e.reasons_set) OVER (PARTITION BY e.gpu_id) AS longest, sum(e.reasons_set) OVER (PARTITION BY e.ref_id) AS n
  FROM episode e WHERE e.kind = 'hw_slowdown'
),
load AS ( -- whether the GPU had work then
  SELECT c.id, max(m.util_max) AS util_pct FROM cut c JOIN gpu_minute m ON m.ref_id = c.ref_id
   AND m.last_id >= c.first_id AND m.first_id <= c.last_id
  WHERE c.nth <= 20 OR c.from_start = 1 OR c.from_end = 1 GROUP BY c.id
),
rows AS (
  SELECT c.gpu_id, c.ref_id, c.t0_us, c.t1_us, c.line_first, c.line_worst, c.line_last, c.n, c.longest, c.clock_med_mhz AS mhz,
   c.clock_ref_mhz AS top_mhz, c.temp_max_c, l.util_pct, c.reasons_known & 192 = 192 AS told_apart, 0.95 AS confidence
  FROM cut c JOIN load l ON l.id = c.id
  UNION ALL -- a snapshot
  SELECT r.gpu_id, r.id, CASE WHEN r.t_quality <> 'unknown' THEN m.t_raw_us + r.t_offset_us END,
   CASE WHEN r.t_quality <> 'unknown' THEN m.t_raw_us + r.t_offset_us END,
   r.source_id << 32 | (SELECT s.line FROM gpu_sample s WHERE s.rowid = m.first_id), NULL, NULL, 1, 1, m.sm_avg, NULL, m.temp_max, m.util_max,
   r.reasons_known & 192 = 192, 0.7
  FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id
  WHERE r.samples = 1 AND r.instance_id IS NULL AND r.gpu_id IS NOT NULL AND m.reasons_or & 8 AND m.reasons_or & 192 = 0
   AND NOT EXISTS (SELECT 1 FROM cut c WHERE c.gpu_id = r.gpu_id)
),
gpus AS (
  SELECT r.gpu_id, g.host_id, max(r.longest) AS longest, max(r.n) AS n, min(r.mhz) AS mhz, max(r.top_mhz) AS top_mhz,
   max(r.temp_max_c) AS temp_c, min(r.told_apart) AS told_apart,
   CASE WHEN max(r.util_pct) < coalesce(:idle_util_pct, 10) OR g.name LIKE '%Laptop%' OR g.name LIKE '%Max-Q%' THEN 'info'
        WHEN max(r.longest) >= coalesce(:min_samples, 3) THEN 'error' ELSE 'warning' END AS severity
  FROM rows r JOIN gpu g ON g.id = r.gpu_id GROUP BY r.gpu_id
),
alike AS (
  SELECT g.*, min(g.n) OVER w AS n0, max(g.n) OVER w AS n1, min(g.mhz) OVER w AS mhz0, max(g.top_mhz) OVER w AS top1,
   max(g.temp_c) OVER w AS temp1, count(*) OVER w AS gpus
  FROM gpus g WINDOW w AS (PARTITION BY g.host_id, g.severity, g.told_apart)
)
SELECT a.host_id AS host_id, a.gpu_id AS gpu_id, r.t0_us AS t0_us, r.t1_us AS t1_us, r.confidence AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT r.line_first AS line_id UNION ALL SELECT r.line_worst UNION ALL SELECT r.line_last)
  WHERE line_id IS NOT NULL) AS evidence,
 a.severity AS severity, printf('%s %d', a.severity, a.told_apart) AS grp,
 CASE WHEN a.n1 = 1 THEN 'one sample' WHEN a.n0 = a.n1 THEN printf('%d samples', a.n1) ELSE printf('%d-%d samples', a.n0, a.n1) END AS n,
 CASE WHEN a.mhz0 IS NULL THEN '' WHEN a.top1 IS NULL OR a.top1 <= a.mhz0 THEN printf(', SM clock %g MHz', a.mhz0)
      ELSE printf(', SM clock %g MHz against %g at best', a.mhz0, a.top1) END AS clock,
 CASE WHEN a.temp1 IS NULL THEN '' ELSE printf(', %g C at most', a.temp1) END AS temp,
 CASE WHEN a.told_apart THEN 'neither heat (0x40) nor the power brake (0x80) was set, which leaves a too fast rise of power, or a moment between samples.'
      ELSE 'heat, the power brake or a too fast rise of power; the bits that tell them apart were not recorded.' END
 || CASE WHEN a.gpus > 1 THEN ' Several GPUs alike point at what they share: supplies, feed, cooling.' ELSE '' END AS open,
 CASE WHEN a.told_apart THEN '' ELSE ', and record clocks_event_reasons.active with a driver that has the bits 0x40 and 0x80' END AS todo,
 r.ref_id AS ref_id
FROM alike a JOIN rows r ON r.gpu_id = a.gpu_id
