-- id:       power.brake
-- title:    The power brake holds the clocks down
-- scope:    bundle
-- severity: critical
-- symptom:  slow
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.power
-- needs:    sample.reasons
-- reads:    sample.reasons
-- params:   min_samples=3 per_min=0.6 min_minutes=10
-- explains: clocks.busy-but-slow overlap gpu; clocks.hw-slowdown overlap gpu; clocks.no-p0 overlap gpu; clocks.oscillation overlap gpu
-- summary:  {gpu}: hardware power brake (0x80) in {n}{clock}{at_end}
-- meaning:  Something outside the GPU pulls its power-brake line: the board then cuts its clock, by half or more, whatever it
--           draws. {where}
-- action:   fix_host
-- remedy:   {todo}
-- falsepositives: Software power capping (0x4) alone. One single sample is a warning: supplies brake for a moment when a twin
--           fails or the load jumps.
-- refs:     NVML nvmlClocksEventReasonHwPowerBrakeSlowdown; per_min: 0.6 a minute over 10 minutes, practice
WITH braked AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.ref_id ORDER BY e.reasons_set DESC, e.first_id) AS nth,
   row_number() OVER (PARTITION BY e.ref_id ORDER BY e.first_id) AS from_start,
   row_number() OVER (PARTITION BY e.ref_id ORDER BY e.first_id DESC) AS from_end,
   max(e.reasons_set) OVER (PARTITION BY e.ref_id) AS longest, sum(e.reasons_set) OVER (PARTITION BY e.ref_id) AS n,
   max(e.last_id) OVER (PARTITION BY e.ref_id) AS ends_id
  FROM episode e WHERE e.kind = 'power_brake'
),
span AS ( -- how long each series was watched
  SELECT m.ref_id, count(*) AS minutes, max(m.last_id) AS last_id FROM gpu_minute m
  WHERE m.ref_id IN (SELECT b.ref_id FROM braked b) GROUP BY m.ref_id
),
rows AS (
  SELECT b.gpu_id, b.ref_id, b.t0_us, b.t1_us, b.line_first, b.line_worst, b.line_last, b.n, b.clock_med_mhz AS mhz, b.clock_ref_mhz AS top_mhz,
   b.ends_id = s.last_id AS at_end, 0.95 AS confidence,
   b.longest >= coalesce(:min_samples, 3)
    OR (s.minutes >= coalesce(:min_minutes, 10) AND b.n >= s.minutes * coalesce(:per_min, 0.6)) AS sure
  FROM braked b JOIN span s ON s.ref_id = b.ref_id WHERE b.nth <= 20 OR b.from_start = 1 OR b.from_end = 1
  UNION ALL -- a snapshot
  SELECT r.gpu_id, r.id, CASE WHEN r.t_quality <> 'unknown' THEN m.t_raw_us + r.t_offset_us END,
   CASE WHEN r.t_quality <> 'unknown' THEN m.t_raw_us + r.t_offset_us END,
   r.source_id << 32 | (SELECT s.line FROM gpu_sample s WHERE s.rowid = m.first_id), NULL, NULL, 1, m.sm_avg, NULL, NULL, 0.7, 0
  FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id
  WHERE r.samples = 1 AND r.instance_id IS NULL AND r.gpu_id IS NOT NULL AND m.reasons_or & 128
),
gpus AS (
  SELECT r.gpu_id, g.host_id, max(r.sure) AS sure, max(r.n) AS n, min(r.mhz) AS mhz, max(r.top_mhz) AS top_mhz, max(r.at_end) AS at_end
  FROM rows r JOIN gpu g ON g.id = r.gpu_id GROUP BY r.gpu_id
),
told AS (
  SELECT g.*, count(*) OVER h AS braked, (SELECT count(*) FROM gpu x WHERE x.host_id = g.host_id) AS of,
   -- Several at once are no accident, even in one sample each.
   CASE WHEN g.sure OR count(*) OVER h > 1 THEN 1 ELSE 0 END AS certain,
   (SELECT count(DISTINCT y.host_id) FROM gpus y) AS nodes
  FROM gpus g WINDOW h AS (PARTITION BY g.host_id)
),
alike AS (
  SELECT t.*, max(t.n) OVER w AS n1, min(t.n) OVER w AS n0, min(t.mhz) OVER w AS mhz0, max(t.top_mhz) OVER w AS top1, max(t.at_end) OVER w AS ends
  FROM told t WINDOW w AS (PARTITION BY t.host_id, t.certain)
)
SELECT a.host_id AS host_id, a.gpu_id AS gpu_id, r.t0_us AS t0_us, r.t1_us AS t1_us, r.confidence AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT r.line_first AS line_id UNION ALL SELECT r.line_worst UNION ALL SELECT r.line_last)
  WHERE line_id IS NOT NULL) AS evidence,
 CASE WHEN a.certain THEN 'critical' ELSE 'warning' END AS severity,
 CASE WHEN a.certain THEN 'brake' ELSE 'once' END AS grp,
 CASE WHEN a.n1 = 1 THEN 'one sample' WHEN a.n0 = a.n1 THEN printf('%d samples', a.n1) ELSE printf('%d-%d samples', a.n0, a.n1) END AS n,
 CASE WHEN a.mhz0 IS NULL THEN '' WHEN a.top1 IS NULL OR a.top1 <= a.mhz0 THEN printf(', SM clock %g MHz', a.mhz0)
      ELSE printf(', SM clock %g MHz against %g at best', a.mhz0, a.top1) END AS clock,
 CASE WHEN a.ends THEN '; still on at the end' WHEN a.ends = 0 THEN '; off again at the end' ELSE '' END AS at_end,
 CASE WHEN a.nodes > 1 THEN printf('%d machines at once: evidence points at their common feed.', a.nodes)
      WHEN a.braked > 1 THEN printf('%d of %d GPUs: evidence points at what they share: the power supplies, the feed or the power-brake line of the base board.', a.braked, a.of)
      WHEN a.of > 1 THEN 'Only this GPU: evidence points at its own power line or its place on the base board, not at the supplies.'
      ELSE 'With one GPU, its own line and the supplies cannot be told apart.' END AS "where",
 CASE WHEN a.certain THEN 'Look at power supplies, their inputs and redundancy in the BMC, then at power cables and the firmware of BMC and base board.'
      ELSE 'Record ten minutes under load; if it comes back, look at the power supplies.' END
 || CASE WHEN a.ends THEN ' Drain the node: it will stay slow until the brake is released.' ELSE '' END AS todo,
 a.braked AS gpus_braked, r.ref_id AS ref_id
FROM alike a JOIN rows r ON r.gpu_id = a.gpu_id
