-- id:       clocks.other-violation
-- title:    Clocks were held down for other causes than power and heat
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   metric.dcgm.board_limit_violation
-- needs:    metric.dcgm.reliability_violation|metric.dcgm.board_limit_violation|metric.reasons.sync_boost_us
-- reads:    metric.dcgm.reliability_violation|metric.dcgm.board_limit_violation|metric.dcgm.low_util_violation|metric.dcgm.sync_boost_violation|metric.reasons.sync_boost_us
-- params:   min_growth=1
-- explains: clocks.busy-but-slow any gpu
-- summary:  {gpu}: {what} violation time grew{by}
-- meaning:  {why}
-- action:   collect
-- remedy:   {todo}
-- falsepositives: A counter that stands still, however large: it counts since the driver was loaded. The low-utilization counter of a
--           GPU that has no work.
-- refs:     DCGM fields 242-245; NVML nvmlPerfPolicyType_t; only growth within one series is compared: the unit changed between versions
WITH grown AS (
  SELECT m.gpu_id, g.host_id, m.ref_id, m.source_id, t.rise, t.line_first, t.line_last, t.first, t.last,
   CASE m.key WHEN 'dcgm.reliability_violation' THEN 'reliability' WHEN 'dcgm.board_limit_violation' THEN 'board-limit'
    WHEN 'dcgm.low_util_violation' THEN 'low-utilization' ELSE 'sync-boost' END AS what,
   (SELECT s.p50 FROM gpu_stat s WHERE s.ref_id = m.ref_id AND s.col = 'util_pct') AS util_pct
  FROM metric m JOIN metric_stat t ON t.metric_id = m.id JOIN gpu g ON g.id = m.gpu_id
  WHERE m.key IN ('dcgm.reliability_violation', 'dcgm.board_limit_violation', 'dcgm.low_util_violation', 'dcgm.sync_boost_violation',
    'reasons.sync_boost_us')
   AND t.rise >= coalesce(:min_growth, 1)
)
SELECT w.host_id AS host_id, w.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.85 AS confidence,
 json_array(w.line_first, w.line_last) AS evidence,
 CASE WHEN w.what IN ('low-utilization', 'sync-boost') THEN 'info' ELSE 'warning' END AS severity,
 CASE WHEN w.what IN ('low-utilization', 'sync-boost') THEN 'explanation' ELSE 'fault' END AS kind,
 w.what AS grp, w.what AS what, printf(' from %.0f to %.0f', w.first, w.last) AS by,
 CASE w.what WHEN 'reliability' THEN 'The board lowers its voltage, and with it the clock, to stay within what it may be run at for years.'
  WHEN 'board-limit' THEN 'A limit of the board other than its power limit was reached: current or voltage of a rail.'
  WHEN 'sync-boost' THEN 'A group of GPUs runs at the clock of its slowest member.'
  ELSE 'The driver lowers the clock of a GPU that has too little to do.' END AS why,
 CASE w.what WHEN 'sync-boost' THEN 'Look which GPU of the group is the slowest, and why; or leave the group (dcgmi config).'
  WHEN 'low-utilization' THEN 'Nothing to repair: give it more work.'
  ELSE 'Record reasons, power and clock beside these counters; compare with a peer under the same load, and look at power cables and supply.' END AS todo,
 w.ref_id AS ref_id
FROM grown w
WHERE w.what <> 'low-utilization' OR w.util_pct >= 80
