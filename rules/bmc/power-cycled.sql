-- id:       bmc.power-cycled
-- title:    The machine was switched off, on or reset, by the BMC's log
-- scope:    bundle
-- severity: info
-- symptom:  crash
-- kind:     operation
-- points:   platform
-- shows:    condition
-- settle:   boot.previous
-- needs:    log.bmc.power_cycled
-- reads:    event.bmc.power_cycled
-- params:   recent_d=30
-- explains: host.unclean-stop +120 host; host.unclean-stop overlap host
-- summary:  BMC: {said}{more}{clock}
-- meaning:  Somebody or something switched the machine: a person at the button, a command to the BMC, or a watchdog. Logs that end without a shutdown at
--           that minute need no other cause, but why it was done may be one.
-- action:   none
-- remedy:   Ask who did it and why: users of the BMC are in its audit log (Redfish, lclog), jobs of the site's tools in theirs.
-- falsepositives: Each start of a machine is such a record; it counts only beside a stop without shutdown.
-- refs:     IPMI 2.0 table 42-3, Power Unit, System Boot Initiated; recent_d: practice
WITH rec AS (
  SELECT b.*, b.age_us > coalesce(:recent_d, 30) * 86400000000 AS old FROM bmc b WHERE b.kind = 'bmc.power_cycled'
),
told AS (SELECT r.*, count(*) OVER (PARTITION BY r.host_id, r.t_quality, r.spell) AS spell_n, count(*) OVER (PARTITION BY r.host_id, r.old) AS all_n FROM rec r)
SELECT t.host_id AS host_id, NULL AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, 0.95 AS confidence, json_array(t.line_id) AS evidence,
 CASE WHEN t.old THEN 'before' ELSE t.t_quality || ' ' || t.spell END AS grp, CASE WHEN t.old THEN 'history' END AS state, t.said AS said,
 CASE WHEN t.old AND t.all_n > 1 THEN printf(' and %d more such records, long before the collection', t.all_n - 1) WHEN t.old THEN ', long before the collection'
  WHEN t.spell_n > 1 THEN printf(', %d such records', t.spell_n) ELSE '' END AS more,
 CASE WHEN t.t_us IS NOT NULL AND t.t_quality NOT IN ('exact', 'aligned') THEN ' (by the BMC''s own clock, which nothing ties to the host''s)' ELSE '' END AS clock
FROM told t WHERE t.nth <= 40
