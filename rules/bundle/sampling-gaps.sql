-- id:       bundle.sampling-gaps
-- title:    Samples are missing, or too far apart to show what is short
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   sample.*
-- needs:    table.gpu_minute
-- reads:    table.gpu_minute
-- params:   gap_periods=3 long_period_s=10 min_minutes=3
-- summary:  {source}: {what}
-- meaning:  What happened between two samples was not seen. Power brakes and heat slow a GPU for seconds only; a stretch without samples may also mean
--           that nvidia-smi itself hung, which is a symptom.
-- action:   collect
-- remedy:   Sample once a second (-l 1) for as long as the slow phase lasts, and hold the gaps against the kernel log of the same minutes.
-- falsepositives: Jitter of the sampler; gaps of less than a minute, which are not looked for; the first and last minute of a trace.
-- refs:     gap_periods, long_period_s: practice

WITH per AS (
  SELECT m.ref_id, count(*) AS minutes, sum(m.n) AS samples, min(m.t_raw_us) AS from_us, max(m.t_raw_us) AS to_us
  FROM gpu_minute m GROUP BY m.ref_id HAVING count(*) >= coalesce(:min_minutes, 3)
),
usual AS ( -- seconds between two samples; the first and the last minute are not whole
  SELECT p.ref_id, r.gpu_id, r.source_id, r.line_id, (p.to_us - p.from_us) / 60000000 + 1 > p.minutes AS missing,
   CASE WHEN p.samples > p.minutes * 1.5 THEN 60.0 * (p.minutes - 1) / p.samples ELSE (p.to_us - p.from_us) / 1000000.0 / (p.samples - 1) END AS period_s
  FROM per p JOIN gpu_ref r ON r.id = p.ref_id WHERE r.gpu_id IS NOT NULL
),
m AS ( -- only where minutes are missing are they looked at one by one, and the samples beside them asked
  SELECT m.ref_id, m.t_raw_us, m.last_id, lead(m.t_raw_us) OVER w AS next_us, lead(m.first_id) OVER w AS next_id
  FROM gpu_minute m WHERE m.ref_id IN (SELECT ref_id FROM usual WHERE missing)
  WINDOW w AS (PARTITION BY m.ref_id ORDER BY m.t_raw_us)
),
pause AS (
  SELECT u.ref_id, u.gpu_id, u.source_id, u.period_s, z.line AS line, (a.t_raw_us - z.t_raw_us) / 1000000.0 AS gap_s
  FROM m JOIN usual u ON u.ref_id = m.ref_id JOIN gpu_sample z ON z.rowid = m.last_id JOIN gpu_sample a ON a.rowid = m.next_id
  WHERE m.next_us - m.t_raw_us > 60000000 AND m.next_us - m.t_raw_us > coalesce(:gap_periods, 3) * u.period_s * 1000000
),
gaps AS (
  SELECT *, row_number() OVER (PARTITION BY source_id ORDER BY gap_s DESC, ref_id, line) AS nth, count(*) OVER (PARTITION BY source_id, ref_id) AS n
  FROM pause WHERE gap_s > coalesce(:gap_periods, 3) * period_s
),
found AS (
  SELECT g.source_id, g.gpu_id, g.source_id << 32 | g.line AS line_id, 'gap' AS grp,
   printf('%d gap(s) of more than %d periods of %.0f s; the longest is %.0f s', g.n, coalesce(:gap_periods, 3), g.period_s, g.gap_s) AS what
  FROM gaps g WHERE g.nth <= 20
  UNION ALL
  SELECT u.source_id, u.gpu_id, u.line_id, 'period', printf('one sample each %.0f s: what is shorter cannot be seen', u.period_s)
  FROM usual u WHERE u.period_s >= coalesce(:long_period_s, 10) AND u.line_id IS NOT NULL
)
SELECT s.host_id AS host_id, f.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(f.line_id) AS evidence,
 f.grp || f.source_id AS grp, s.path AS source, f.what AS what
FROM found f JOIN source s ON s.id = f.source_id WHERE s.host_id IS NOT NULL
