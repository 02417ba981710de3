-- id:       bmc.thermal
-- title:    A temperature passed its limit, by the BMC's sensors
-- scope:    bundle
-- severity: error
-- symptom:  slow
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.temperature
-- needs:    log.bmc.thermal
-- reads:    event.bmc.thermal
-- params:   recent_d=30
-- explains: thermal.slowdown overlap host; thermal.slowdown +600 host; thermal.memory-hot overlap host; thermal.memory-hot +600 host; host.cpu-throttle overlap host;
--           host.cpu-throttle +600 host; clocks.hw-slowdown overlap host; thermal.soak-drift overlap host; host.unclean-stop +300 host; bmc.power-cycled +300 host
-- summary:  BMC: {said}{reading}{more}{ended}{clock}
-- meaning:  {means}
-- action:   fix_host
-- remedy:   {advice}
-- falsepositives: A temperature that fell too low: sensors of a card that is off or gone read zero; heat that passed, and records of weeks ago (info).
-- refs:     IPMI 2.0 table 42-2, thresholds; recent_d: practice
WITH rec AS (
  SELECT b.*, b.age_us > coalesce(:recent_d, 30) * 86400000000 AS old, lower(b.said) AS words
  FROM bmc b WHERE b.kind = 'bmc.thermal' AND NOT b.low AND b.n > 0
),
placed AS (
  SELECT r.*, r.words LIKE '%inlet%' OR r.words LIKE '%ambient%' OR r.words LIKE '%intake%' AS room, r.words LIKE '%gpu%' OR r.words LIKE '%hgx%' AS card FROM rec r
),
told AS (
  SELECT p.*, max(p.room) OVER w AS rooms, max(p.card) OVER w AS cards, max(CASE WHEN p.recovered THEN 0 ELSE p.grade END) OVER w AS worst,
   sum(NOT p.recovered) OVER (PARTITION BY p.host_id, p.old) AS all_n
  FROM placed p WINDOW w AS (PARTITION BY p.host_id, p.t_quality, p.spell)
)
SELECT t.host_id AS host_id, NULL AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, CASE WHEN t.recovered THEN 0.85 ELSE 0.95 END AS confidence,
 json_array(t.line_id) AS evidence, CASE WHEN t.old THEN 'before' ELSE t.t_quality || ' ' || t.spell END AS grp,
 CASE WHEN t.old THEN 'info' WHEN t.worst = 3 THEN 'critical' WHEN t.open = 0 THEN 'info' WHEN t.worst = 2 THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN t.old THEN 'history' WHEN t.open = 0 THEN 'cured' END AS state, CASE WHEN t.old THEN 'none' WHEN t.open = 0 AND t.worst < 3 THEN 'watch' END AS action,
 t.said AS said, CASE WHEN t.reading IS NULL THEN '' ELSE ', reading ' || t.reading || coalesce(' against ' || t.threshold, '') END AS reading,
 CASE WHEN t.old AND t.all_n > 1 THEN printf(' and %d more such records, long before the collection', t.all_n - 1) WHEN t.old THEN ', long before the collection'
  WHEN t.things > 1 THEN printf(', %d sensors in all', t.things) WHEN t.n > 1 THEN printf(', %d times', t.n) ELSE '' END AS more,
 CASE WHEN t.old THEN '' WHEN t.t_us IS NULL THEN ', as the sensor shows' WHEN t.open = 0 THEN '; it cooled down again' ELSE '; no record says that it cooled down' END AS ended,
 CASE WHEN t.t_us IS NOT NULL AND t.t_quality NOT IN ('exact', 'aligned') THEN ' (by the BMC''s own clock, which nothing ties to the host''s)' ELSE '' END AS clock,
 CASE WHEN t.rooms THEN 'The air that comes in was too warm: evidence points at the room or at air that is blown in circles.' WHEN t.cards AND t.things = 1
   THEN 'One GPU alone: evidence points at its heat sink, its airflow or its fan zone.' WHEN t.things > 1 THEN 'Several sensors: evidence points at fans or airflow of the whole chassis.'
  ELSE 'One sensor of the machine went over its limit.' END AS means,
 CASE WHEN t.old THEN 'Nothing now.' WHEN t.rooms THEN 'Ask about the cooling of the room, check blanking plates and the inlet temperature (ipmitool sdr type temperature).'
  ELSE 'Look at fans and airflow (ipmitool sdr type fan; sdr type temperature), then dust and heat sinks.' END AS advice
FROM told t WHERE t.nth <= 40
