-- title: Failure
-- mail: 5
-- Messages of the incidents that the failure cites, each beside what the catalog says of it.
SELECT time_text(e.t_us, e.t_quality) AS label, coalesce(g.label, '') AS of, e.text AS value,
  CASE e.kind WHEN 'xid' THEN 'Xid ' || e.code || coalesce(': ' || k.description, '') ELSE e.kind END AS state,
  at(e.line_id) AS place, NULL AS todo
 FROM event e LEFT JOIN gpu g ON g.id = e.gpu_id LEFT JOIN kb_xid k ON e.kind = 'xid' AND k.code = e.code
 WHERE e.copy_of IS NULL AND e.kind <> 'kernel.gpu_found' AND (e.line_id IN (SELECT line_id FROM finding_line WHERE finding_id = :finding)
  OR e.incident_id IN (SELECT c.incident_id FROM event c JOIN finding_line l ON l.line_id = c.line_id WHERE l.finding_id = :finding))
 ORDER BY e.t_us IS NULL, e.t_us, e.id LIMIT 200
