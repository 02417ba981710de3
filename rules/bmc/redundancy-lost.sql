-- id:       bmc.redundancy-lost
-- title:    Power supplies or fans are no longer redundant
-- scope:    bundle
-- severity: warning
-- symptom:  none
-- kind:     fault
-- points:   platform
-- shows:    condition
-- settle:   bmc.power
-- needs:    log.bmc.redundancy_lost
-- reads:    event.bmc.redundancy_lost
-- params:   recent_d=30
-- summary:  BMC: {said}{more}{ended}{clock}
-- meaning:  The machine runs, but the next failure of a supply or fan is felt. Boards may hold GPUs at a lower limit until then.
-- action:   fix_host
-- remedy:   See which supply or fan failed or is missing (ipmitool sdr elist, sel elist) and replace it.
-- falsepositives: Redundancy that was regained, and records of weeks ago (info); machines that were never redundant, which log it at each start.
-- refs:     IPMI 2.0 table 42-2, redundancy states; recent_d: practice
WITH rec AS (
  SELECT b.*, b.age_us > coalesce(:recent_d, 30) * 86400000000 AS old FROM bmc b WHERE b.kind = 'bmc.redundancy_lost' AND b.n > 0
),
told AS (
  SELECT r.*, sum(NOT r.recovered) OVER (PARTITION BY r.host_id, r.old) AS all_n,
   -- said at the start of the machine again and again, and never regained: it is built so
   sum(NOT r.recovered) OVER (PARTITION BY r.host_id, r.thing) AS lost_n, sum(r.recovered) OVER (PARTITION BY r.host_id, r.thing) AS back_n
  FROM rec r
)
SELECT t.host_id AS host_id, NULL AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, CASE WHEN t.recovered THEN 0.85 ELSE 0.95 END AS confidence,
 json_array(t.line_id) AS evidence, CASE WHEN t.old THEN 'before' ELSE t.t_quality || ' ' || t.spell END AS grp,
 CASE WHEN t.old OR t.open = 0 OR (t.lost_n > 2 AND t.back_n = 0) THEN 'info' ELSE 'warning' END AS severity,
 CASE WHEN t.old THEN 'history' WHEN t.open = 0 THEN 'cured' END AS state, CASE WHEN t.old OR t.open = 0 THEN 'none' END AS action,
 t.said AS said, CASE WHEN t.old AND t.all_n > 1 THEN printf(' and %d more such records, long before the collection', t.all_n - 1) WHEN t.old THEN ', long before the collection'
  WHEN t.n > 1 THEN printf(', %d times', t.n) ELSE '' END AS more,
 CASE WHEN t.old THEN '' WHEN t.open = 0 THEN '; it was regained' ELSE '; no record says that it was regained' END AS ended,
 CASE WHEN t.t_us IS NOT NULL AND t.t_quality NOT IN ('exact', 'aligned') THEN ' (by the BMC''s own clock, which nothing ties to the host''s)' ELSE '' END AS clock
FROM told t WHERE t.nth <= 40
