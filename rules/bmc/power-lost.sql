-- id:       bmc.power-lost
-- title:    A power supply failed or lost its input
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.power
-- needs:    log.bmc.power_lost
-- reads:    event.bmc.power_lost
-- params:   recent_d=30 stop_s=300
-- explains: host.unclean-stop +300 host; bmc.redundancy-lost +60 host; bmc.power-cycled +300 host; power.brake +300 host; power.limit-forced +300 host;
--           xid.fallen-off-bus +300 host; power.aux-missing +300 host; driver.gpu-unresponsive +300 host; pcie.errors +300 host
-- summary:  BMC: {said}{more}{ended}{down}{clock}
-- meaning:  {means}
-- action:   fix_host
-- remedy:   {advice}
-- falsepositives: Input that came back while the machine ran on, and records of weeks ago (info); supplies whose presence alone is logged; a plug pulled
--           after the machine was switched off.
-- refs:     IPMI 2.0 table 42-3, Power Supply; stop_s: logs and BMC are written late (field); recent_d: practice
WITH rec AS (
  SELECT b.*, b.age_us > coalesce(:recent_d, 30) * 86400000000 AS old, b.thing LIKE 'power unit%' AS whole FROM bmc b WHERE b.kind = 'bmc.power_lost' AND b.n > 0
),
stop AS ( -- the machine went down with it: the BMC says so, or its log of that boot ends there
  SELECT r.host_id, r.t_quality, r.spell, min(e.line_id) AS line_id FROM rec r JOIN event e ON e.host_id = r.host_id AND e.kind = 'bmc.power_cycled'
   AND e.t_quality = r.t_quality AND e.t_us BETWEEN r.t_us AND r.t_us + coalesce(:stop_s, 300) * 1000000
  WHERE NOT r.recovered AND (e.text LIKE '%off%' OR e.text LIKE '%removed%') AND e.copy_of IS NULL GROUP BY r.host_id, r.t_quality, r.spell
  UNION ALL
  SELECT r.host_id, r.t_quality, r.spell, min(n.line_id) FROM rec r JOIN boot n ON n.host_id = r.host_id AND n.line_id IS NOT NULL
   JOIN boot a ON a.host_id = r.host_id AND a.seq = n.seq - 1 JOIN source_span p ON p.boot_id = a.id AND p.t_quality = r.t_quality
   AND abs(p.t1_us - r.t_us) <= coalesce(:stop_s, 300) * 1000000
  WHERE NOT r.recovered AND NOT EXISTS (SELECT 1 FROM event e WHERE e.kind = 'kernel.shutdown' AND e.boot_id = a.id)
  GROUP BY r.host_id, r.t_quality, r.spell
),
fell AS (SELECT s.host_id, s.t_quality, s.spell, max(s.line_id) AS line_id FROM stop s GROUP BY s.host_id, s.t_quality, s.spell),
told AS (
  SELECT r.*, f.line_id AS down_line, max(r.whole) OVER (PARTITION BY r.host_id, r.t_quality, r.spell) AS unit,
   max(r.grade) OVER (PARTITION BY r.host_id, r.t_quality, r.spell) AS worst, sum(NOT r.recovered) OVER (PARTITION BY r.host_id, r.old) AS all_n
  FROM rec r LEFT JOIN fell f ON f.host_id = r.host_id AND f.t_quality = r.t_quality AND f.spell = r.spell
)
SELECT t.host_id AS host_id, NULL AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, CASE WHEN t.recovered THEN 0.85 ELSE 0.95 END AS confidence,
 CASE WHEN t.down_line IS NOT NULL AND t.nth = 1 AND NOT t.old THEN json_array(t.line_id, t.down_line) ELSE json_array(t.line_id) END AS evidence,
 CASE WHEN t.old THEN 'before' ELSE t.t_quality || ' ' || t.spell END AS grp,
 CASE WHEN t.old THEN 'info' WHEN t.down_line IS NOT NULL THEN 'critical' WHEN t.open = 0 THEN 'info' WHEN t.worst > 1 AND (t.open > 1 OR t.unit) THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN t.old THEN 'history' WHEN t.open = 0 THEN 'cured' END AS state,
 CASE WHEN t.old THEN 'none' WHEN t.open = 0 AND t.down_line IS NULL THEN 'watch' END AS action,
 t.said AS said,
 CASE WHEN t.old THEN CASE WHEN t.all_n > 1 THEN printf(' and %d more such records, long before the collection', t.all_n - 1) ELSE ', long before the collection' END
  WHEN t.things > 1 THEN printf(', %d supplies or inputs in all', t.things) WHEN t.n > 1 THEN printf(', %d times', t.n) ELSE '' END AS more,
 CASE WHEN t.old THEN '' WHEN t.open = 0 THEN '; it came back' WHEN t.worst = 1 THEN '' ELSE '; no record says that it came back' END AS ended,
 CASE WHEN t.down_line IS NOT NULL AND NOT t.old THEN '; the machine went down with it' ELSE '' END AS down,
 CASE WHEN t.t_us IS NOT NULL AND t.t_quality NOT IN ('exact', 'aligned') THEN ' (by the BMC''s own clock, which nothing ties to the host''s)' ELSE '' END AS clock,
 CASE WHEN t.old THEN 'What the log of the BMC remembers of earlier times.' WHEN t.down_line IS NOT NULL THEN 'The machine lost its power: what its own logs show around then is a consequence.'
  WHEN t.things > 1 THEN 'Several supplies at once: evidence points at their common feed rather than at one supply.'
  ELSE 'The others carry the load now. When they cannot, the board brakes its GPUs or the machine stops.' END AS means,
 CASE WHEN t.old THEN 'Nothing now.' WHEN t.things > 1 OR t.down_line IS NOT NULL THEN 'Ask who looks after the power of the rack (feed, breaker, PDU) about that minute; then look at ipmitool sdr type ''power supply''.'
  WHEN t.open = 0 THEN 'Watch whether it comes again; if it does, swap the cord, then the supply.'
  ELSE 'Look at the cord and its feed, then swap the supply; ipmitool sdr type ''power supply'' shows how it stands now.' END AS advice
FROM told t WHERE t.nth <= 40
