-- id:       clocks.oscillation
-- title:    The clock swings between levels under constant load
-- scope:    bundle
-- severity: info
-- symptom:  slow
-- kind:     explanation
-- points:   unknown
-- shows:    effect
-- settle:   sample.reasons
-- needs:    sample.sm_clock_mhz sample.util_pct episode.busy
-- reads:    sample.util_pct
-- params:   swing_pct=20 min_minutes=5 min_util_pct=90 share_pct=50
-- summary:  {gpu}: SM clock between {low_mhz} and {high_mhz} MHz within single minutes, in {minutes} of {busy} steadily busy ones
-- meaning:  The load is steady, the clock is not: a control loop (power, heat) works between two levels. Times of equal work scatter.
-- action:   watch
-- remedy:   If even times matter more than the mean, lock a clock that holds (nvidia-smi -lgc), or set a power limit a little lower.
-- falsepositives: Swinging load. Two levels in two phases of a job. One dip.
-- refs:     swing_pct, min_minutes, share_pct: practice
WITH busy AS (
  SELECT m.ref_id, count(*) AS n, sum(m.swings) AS swings, avg(CASE WHEN m.swings THEN m.sm_min END) AS low_mhz,
   avg(CASE WHEN m.swings THEN m.sm_max END) AS high_mhz, min(CASE WHEN m.swings THEN m.first_id END) AS first_id,
   max(CASE WHEN m.swings THEN m.last_id END) AS last_id
  -- Both levels are at home in the minute: its mean lies well between them.
  FROM (SELECT *, sm_min <= sm_max * (1 - coalesce(:swing_pct, 20) / 100.0)
         AND sm_avg BETWEEN sm_min + (sm_max - sm_min) * 0.2 AND sm_max - (sm_max - sm_min) * 0.2 AS swings
        FROM gpu_minute WHERE util_min >= coalesce(:min_util_pct, 90) AND sm_avg > 0 AND n >= 10) m
  GROUP BY m.ref_id
),
found AS (
  SELECT b.*, r.gpu_id, r.source_id, r.t_offset_us, r.t_quality, g.host_id FROM busy b JOIN gpu_ref r ON r.id = b.ref_id JOIN gpu g ON g.id = r.gpu_id
  WHERE r.instance_id IS NULL AND b.swings >= coalesce(:min_minutes, 5) AND b.swings * 100 >= b.n * coalesce(:share_pct, 50)
   AND EXISTS (SELECT 1 FROM episode e WHERE e.ref_id = b.ref_id AND e.kind = 'busy')
),
alike AS (
  SELECT f.*, min(f.low_mhz) OVER w AS low0, max(f.high_mhz) OVER w AS high1, max(f.swings) OVER w AS swings1, max(f.n) OVER w AS n1
  FROM found f WINDOW w AS (PARTITION BY f.host_id)
)
SELECT a.host_id AS host_id, a.gpu_id AS gpu_id,
 CASE WHEN a.t_quality <> 'unknown' THEN s.t_raw_us + a.t_offset_us END AS t0_us, CASE WHEN a.t_quality <> 'unknown' THEN z.t_raw_us + a.t_offset_us END AS t1_us,
 0.7 AS confidence, json_array(a.source_id << 32 | s.line, a.source_id << 32 | z.line) AS evidence, 'host' AS grp,
 printf('%g', round(a.low0)) AS low_mhz, printf('%g', round(a.high1)) AS high_mhz, a.swings1 AS minutes, a.n1 AS busy, a.ref_id AS ref_id
FROM alike a JOIN gpu_sample s ON s.rowid = a.first_id JOIN gpu_sample z ON z.rowid = a.last_id
