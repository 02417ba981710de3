-- id:       bmc.voltage
-- title:    A voltage left its range
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.sel
-- needs:    log.bmc.voltage
-- params:   recent_d=30
-- explains: xid.fallen-off-bus +60 host; host.unclean-stop +300 host
-- summary:  BMC: {said}{reading}{more}{ended}{clock}
-- meaning:  Below its range a rail no longer carries the load: cards reset or fall off the bus, machines stop. A battery of the clock (VBAT) only
--           means that time and settings are lost when the machine is without power.
-- action:   fix_host
-- remedy:   {advice}
-- falsepositives: The battery of the clock, voltages that came back, and records of weeks ago (info); sensors of a machine that is switched off.
-- refs:     IPMI 2.0 table 42-2 (thresholds); recent_d: practice
WITH rec AS (
  SELECT b.*, coalesce(b.age_us > coalesce(:recent_d, 30) * 86400000000, 0) AS old,
   coalesce(upper(b.said) LIKE '%BAT%', 0) AS battery
  FROM bmc b WHERE b.kind = 'bmc.voltage' AND b.n > 0
),
told AS (
  SELECT r.*, max(CASE WHEN r.recovered THEN 0 ELSE r.grade END) OVER (PARTITION BY r.host_id, r.t_quality, r.spell, r.battery) AS worst,
   row_number() OVER (PARTITION BY r.host_id, r.t_quality, r.spell, r.battery ORDER BY r.nth) AS place,
   sum(NOT r.recovered) OVER (PARTITION BY r.host_id, r.t_quality, r.spell, r.battery) AS bad_n
  FROM rec r
)
SELECT t.host_id AS host_id, NULL AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, CASE WHEN t.recovered THEN 0.85 ELSE 0.95 END AS confidence,
 json_array(t.line_id) AS evidence, printf('%d %d ', t.old, t.battery) || CASE WHEN t.old THEN '' ELSE t.t_quality || ' ' || t.spell END AS grp,
 CASE WHEN t.old OR t.battery OR t.open = 0 THEN 'info' WHEN t.worst > 1 THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN t.old THEN 'history' WHEN t.open = 0 THEN 'cured' END AS state, CASE WHEN t.old THEN 'none' WHEN t.open = 0 THEN 'watch' END AS action,
 t.said AS said, CASE WHEN t.reading IS NULL THEN '' ELSE ', reading ' || t.reading || coalesce(' against ' || t.threshold, '') END AS reading,
 CASE WHEN t.bad_n > 1 THEN printf(', %d records in all', t.bad_n) ELSE '' END AS more,
 CASE WHEN t.old THEN ', long before the collection' WHEN t.t_us IS NULL THEN ', as the sensor shows' WHEN t.open = 0 THEN '; it came back' ELSE '; no record says that it came back' END AS ended,
 CASE WHEN t.t_us IS NOT NULL AND t.t_quality NOT IN ('exact', 'aligned') THEN ' (by the BMC''s own clock, which nothing ties to the host''s)' ELSE '' END AS clock,
 CASE WHEN t.old THEN 'Nothing now.' WHEN t.battery THEN 'Replace the battery of the clock at the next service.'
  ELSE 'Look at the power supplies and their load (ipmitool sdr type voltage; sdr type "power supply"), then at the plugs of the board that this rail feeds.' END AS advice
FROM told t WHERE t.place <= 40
