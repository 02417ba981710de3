-- title: Impact
-- A GPU is out of work from the first sign of the failure to its last, or to the end of the evidence where it still lasts then.
WITH failure AS (SELECT * FROM finding WHERE id = :finding),
hit AS (SELECT DISTINCT gpu_id FROM finding_gpu WHERE finding_id = :finding),
evidence AS (SELECT max(t) AS end_us FROM (
  SELECT max(e.t_us) AS t FROM event e JOIN failure f ON f.host_id = e.host_id
  UNION ALL SELECT max(i.t1_us) FROM incident i JOIN failure f ON f.host_id = i.host_id UNION ALL SELECT t1_us FROM failure)),
span AS (SELECT CASE WHEN f.at_end THEN max(v.end_us, coalesce(f.t1_us, f.t0_us)) ELSE f.t1_us END - f.t0_us AS us, f.at_end
 FROM failure f JOIN evidence v)
SELECT 'GPUs' AS label, NULL AS of, (SELECT count(*) FROM hit) || ' of ' || count(*) AS value, NULL AS state, NULL AS place, NULL AS todo
 FROM gpu WHERE host_id IN (SELECT id FROM host WHERE bundle_id = :bundle)
UNION ALL SELECT 'GPU-hours', NULL, CASE WHEN us > 0 AND n > 0 THEN printf('%s%.1f', CASE WHEN at_end THEN 'at least ' ELSE '' END, us / 3.6e9 * n) END,
  CASE WHEN us > 0 AND n > 0 THEN n || ' GPU(s), ' || printf('%.1f h', us / 3.6e9) END, NULL, CASE WHEN us > 0 AND n > 0 THEN NULL ELSE 'human' END
 FROM (SELECT (SELECT us FROM span) AS us, (SELECT at_end FROM span) AS at_end, (SELECT count(*) FROM hit) AS n)
UNION ALL SELECT * FROM (SELECT 'process', coalesce(g.label, ''), coalesce(e.process, '') || ' pid ' || e.pid, e.kind, at(min(e.line_id)), NULL
 FROM event e LEFT JOIN gpu g ON g.id = e.gpu_id
 WHERE e.pid > 0 AND e.copy_of IS NULL AND (e.line_id IN (SELECT line_id FROM finding_line WHERE finding_id = :finding)
  OR e.incident_id IN (SELECT c.incident_id FROM event c JOIN finding_line l ON l.line_id = c.line_id WHERE l.finding_id = :finding))
 GROUP BY e.pid, e.gpu_id ORDER BY min(e.id) LIMIT 40)
UNION ALL SELECT * FROM (SELECT 'followed from it', NULL, e.summary, e.severity, (SELECT at(min(line_id)) FROM finding_line
  WHERE finding_id = e.id AND role = 'shows'), NULL FROM finding_edge d JOIN finding e ON e.id = d.effect_id WHERE d.cause_id = :finding ORDER BY e.id LIMIT 20)
UNION ALL SELECT 'jobs, users, results lost', NULL, NULL, NULL, NULL, 'human'
