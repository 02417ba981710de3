-- title: Criteria for an RMA
-- mail: 12
-- again: an error of the suspect that no restart of a program cures, before and after what could have cured it. One that was tried before the
-- first error, or behind which nobody looked, tells nothing.
WITH suspect(id) AS (SELECT gpu_id FROM finding_gpu WHERE finding_id = :finding),
 fault AS (
  SELECT x.gpu_id, x.code, b.seq, x.t_us, x.line_id FROM xid x JOIN boot b ON b.id = x.boot_id
   WHERE x.gpu_id IN (SELECT id FROM suspect) AND x.severity IN ('critical', 'error') AND coalesce(x.action, '') NOT IN ('restart_app', 'none')),
 power AS (
  SELECT DISTINCT e.t_us FROM event e JOIN host h ON h.id = e.host_id WHERE h.bundle_id = :bundle AND e.kind IN ('bmc.power_cycled', 'bmc.power_lost')
   AND e.copy_of IS NULL AND e.t_quality IN ('exact', 'aligned')),
 again(how, met, code, line_id) AS (
  SELECT 'boots', l.code IS NOT NULL, f.code, max(l.line_id) FROM fault f LEFT JOIN fault l ON l.gpu_id = f.gpu_id AND l.code = f.code AND l.seq > f.seq
   WHERE EXISTS (SELECT 1 FROM boot b JOIN gpu g ON g.host_id = b.host_id WHERE g.id = f.gpu_id AND b.seq > f.seq) GROUP BY f.code, l.code IS NULL
  UNION ALL
  SELECT 'power', l.code IS NOT NULL, f.code, max(l.line_id) FROM fault f JOIN power p ON p.t_us > f.t_us
   LEFT JOIN fault l ON l.gpu_id = f.gpu_id AND l.code = f.code AND l.t_us > p.t_us GROUP BY f.code, l.code IS NULL),
 told AS (
  SELECT t.rowid AS nr, max(r.outcome = 'fired') AS fired, min(r.outcome = 'clean') AS clean FROM kb_ticket_test t
   LEFT JOIN rule_run r ON (' ' || t.rules || ' ') LIKE '% ' || r.rule || ' %'
    AND r.host_id IN (SELECT id FROM host WHERE bundle_id = :bundle)
    AND (r.gpu_id IS NULL OR r.gpu_id IN (SELECT id FROM suspect) OR NOT EXISTS (SELECT 1 FROM suspect))
   WHERE t.part = 'rma' AND t.how = 'rule' GROUP BY t.rowid
  UNION ALL
  SELECT t.rowid, max(a.met), min(NOT a.met) FROM kb_ticket_test t JOIN again a ON a.how = t.how WHERE t.part = 'rma' GROUP BY t.rowid)
SELECT t.label AS label, NULL AS of, CASE WHEN w.fired THEN 'met' WHEN w.clean THEN 'not met' ELSE 'unknown' END AS value,
 coalesce((SELECT f.summary FROM finding f WHERE f.bundle_id = :bundle AND (' ' || t.rules || ' ') LIKE '% ' || f.rule || ' %' ORDER BY f.id LIMIT 1),
  (SELECT 'Xid ' || group_concat(code, ', ') FROM again a WHERE a.how = t.how AND a.met)) AS state,
 coalesce((SELECT at(min(l.line_id)) FROM finding f JOIN finding_line l ON l.finding_id = f.id AND l.role = 'shows'
   WHERE f.bundle_id = :bundle AND (' ' || t.rules || ' ') LIKE '% ' || f.rule || ' %'),
  (SELECT at(max(line_id)) FROM again a WHERE a.how = t.how AND a.met)) AS place,
 CASE WHEN NOT coalesce(w.fired, 0) AND NOT coalesce(w.clean, 0) THEN t.collect END AS todo
FROM kb_ticket_test t LEFT JOIN told w ON w.nr = t.rowid WHERE t.part = 'rma' ORDER BY t.rowid
