-- id:       thermal.fan
-- title:    A fan of the card fails while the card is hot
-- scope:    bundle
-- severity: error
-- symptom:  slow
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   metric.fan.speed_pct
-- needs:    metric.fan.speed_pct sample.temp_c
-- reads:    metric.fan.speed_pct|event.smi.unknown_error
-- params:   hot_c=80 low_pct=25
-- explains: thermal.slowdown any gpu; clocks.busy-but-slow any gpu; thermal.straggler any gpu; thermal.soak-drift any gpu; thermal.memory-hot any gpu
-- summary:  {gpu}: fan at {fan} while the die reaches {temp_c} C{slows}
-- meaning:  The fan of this card should run fast at that temperature. It stands, is blocked, or its control does not answer.
-- action:   drain_rma_candidate
-- remedy:   Look and listen: does it turn? Take dust and cables away, give the control back to the driver
--           (nvidia-settings, GPUFanControlState=0); else have the fan or the card replaced.
-- falsepositives: Boards without fans print N/A. Fans that stand below some 55 C by design. A fan at a middling speed on a hot card.
-- refs:     nvidia-smi manual, "Fan Speed": the intended speed; hot_c, low_pct: practice
WITH fan AS (
  SELECT r.gpu_id, m.ref_id, t.max AS fan_pct, t.line_max,
   CASE WHEN r.t_quality <> 'unknown' THEN t.t_max_raw_us + r.t_offset_us END AS t_us,
   (SELECT s.max FROM gpu_stat s WHERE s.ref_id = m.ref_id AND s.col = 'temp_c') AS temp_c,
   (SELECT s.p50 FROM gpu_stat s WHERE s.ref_id = m.ref_id AND s.col = 'temp_c') AS mid_c
  FROM metric m JOIN metric_stat t ON t.metric_id = m.id JOIN gpu_ref r ON r.id = m.ref_id
  WHERE m.key = 'fan.speed_pct' AND r.instance_id IS NULL AND r.gpu_id IS NOT NULL
),
slow AS ( -- its highest speed in all that time is low, and the card was hot for half of it
  SELECT f.*, g.host_id,
   EXISTS (SELECT 1 FROM episode e WHERE e.ref_id = f.ref_id AND e.kind IN ('thermal_sw', 'thermal_hw')) AS slows
  FROM fan f JOIN gpu g ON g.id = f.gpu_id
  WHERE f.fan_pct <= coalesce(:low_pct, 25) AND f.mid_c >= coalesce(:hot_c, 80)
),
said AS ( -- an error in place of the number
  SELECT e.host_id, e.gpu_id, e.t_us, e.t_quality, e.line_id, row_number() OVER (PARTITION BY e.gpu_id ORDER BY e.t_us, e.id) AS nth
  FROM event e JOIN event_attr a ON a.event_id = e.id AND a.name LIKE '%fan%'
  WHERE e.kind = 'smi.unknown_error' AND e.copy_of IS NULL AND e.gpu_id IS NOT NULL
   -- A GPU that answers nothing at all has more than a bad fan.
   AND NOT EXISTS (SELECT 1 FROM event o JOIN event_attr b ON b.event_id = o.id
                   WHERE o.gpu_id = e.gpu_id AND o.kind = 'smi.unknown_error' AND b.name NOT LIKE '%fan%')
),
found AS (
  SELECT s.host_id, s.gpu_id, s.t_us, NULL AS t_quality, s.line_max AS line_id, 0.7 AS confidence, printf('%g %%', s.fan_pct) AS fan,
   printf('%g', s.temp_c) AS temp_c, s.slows, 'low' AS grp
  FROM slow s
  UNION ALL
  SELECT d.host_id, d.gpu_id, d.t_us, d.t_quality, d.line_id, 0.95, 'an error instead of a speed', NULL, 0, 'error' FROM said d WHERE d.nth <= 20
)
SELECT f.host_id AS host_id, f.gpu_id AS gpu_id, f.t_us AS t0_us, f.t_us AS t1_us, f.confidence AS confidence,
 json_array(f.line_id) AS evidence, 'active' AS state, f.t_quality AS t_quality, f.grp || f.gpu_id AS grp,
 f.fan AS fan, f.temp_c AS temp_c, CASE WHEN f.slows THEN '; the driver slows the clocks for heat' ELSE '' END AS slows
FROM found f
