-- id:       bmc.fan
-- title:    A fan of the chassis failed or runs too slowly
-- scope:    bundle
-- severity: error
-- symptom:  slow
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.temperature
-- needs:    log.bmc.fan
-- reads:    event.bmc.fan
-- params:   recent_d=30 start_s=180
-- explains: bmc.thermal +3600 host; bmc.thermal overlap host; bmc.redundancy-lost +60 host; thermal.slowdown +3600 host; thermal.slowdown overlap host;
--           thermal.memory-hot +3600 host; host.cpu-throttle +3600 host; thermal.straggler overlap host
-- summary:  BMC: {said}{reading}{more}{ended}{clock}
-- meaning:  Less air passes the cards that stand behind this fan: their clocks fall under load before anything breaks.
-- action:   fix_host
-- remedy:   {advice}
-- falsepositives: Fans that stand still while the machine is switched off or starts; fans that run again, and records of weeks ago (info).
-- refs:     IPMI 2.0 table 42-2 (thresholds), 42-3; start_s: fans need a minute or two to spin up (field); recent_d: practice
WITH start AS ( -- switched off or on: fans stop and start then
  SELECT e.host_id, e.t_quality, e.t_us FROM event e WHERE e.kind IN ('bmc.power_cycled', 'bmc.power_lost') AND e.t_us IS NOT NULL
),
rec AS (
  SELECT b.*, b.age_us > coalesce(:recent_d, 30) * 86400000000 AS old FROM bmc b
  WHERE b.kind = 'bmc.fan' AND b.n > 0
   AND NOT (b.open = 0 AND EXISTS (SELECT 1 FROM start s WHERE s.host_id = b.host_id AND s.t_quality = b.t_quality
     AND s.t_us BETWEEN b.t0_us - coalesce(:start_s, 180) * 1000000 AND b.t1_us + coalesce(:start_s, 180) * 1000000))
),
told AS (
  SELECT r.*, max(CASE WHEN r.recovered THEN 0 ELSE r.grade END) OVER (PARTITION BY r.host_id, r.t_quality, r.spell) AS worst,
   sum(NOT r.recovered) OVER (PARTITION BY r.host_id, r.old) AS all_n
  FROM rec r
)
SELECT t.host_id AS host_id, NULL AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, CASE WHEN t.recovered THEN 0.85 ELSE 0.95 END AS confidence,
 json_array(t.line_id) AS evidence, CASE WHEN t.old THEN 'before' ELSE t.t_quality || ' ' || t.spell END AS grp,
 CASE WHEN t.old OR t.open = 0 THEN 'info' WHEN t.worst > 1 THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN t.old THEN 'history' WHEN t.open = 0 THEN 'cured' END AS state, CASE WHEN t.old THEN 'none' WHEN t.open = 0 THEN 'watch' END AS action,
 t.said AS said, CASE WHEN t.reading IS NULL THEN '' ELSE ', reading ' || t.reading || coalesce(' against ' || t.threshold, '') END AS reading,
 CASE WHEN t.old AND t.all_n > 1 THEN printf(' and %d more such records, long before the collection', t.all_n - 1) WHEN t.old THEN ', long before the collection'
  WHEN t.things > 1 THEN printf(', %d fans in all', t.things) WHEN t.n > 1 THEN printf(', %d times', t.n) ELSE '' END AS more,
 CASE WHEN t.old THEN '' WHEN t.t_us IS NULL THEN ', as the sensor shows' WHEN t.open = 0 THEN '; it runs again' ELSE '; no record says that it runs again' END AS ended,
 CASE WHEN t.t_us IS NOT NULL AND t.t_quality NOT IN ('exact', 'aligned') THEN ' (by the BMC''s own clock, which nothing ties to the host''s)' ELSE '' END AS clock,
 CASE WHEN t.old THEN 'Nothing now.' WHEN t.open = 0 THEN 'Watch whether it comes again; then replace the fan.'
  WHEN t.things > 1 THEN 'Several fans at once: look at the fan board and its controller, then at the fans (ipmitool sdr type fan).' ELSE 'Replace the fan; ipmitool sdr type fan shows its speed now.' END AS advice
FROM told t WHERE t.nth <= 40
