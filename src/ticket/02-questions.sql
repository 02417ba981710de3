-- title: The six questions of NVIDIA
-- mail: 0
SELECT '1 what was observed' AS label, NULL AS of, summary AS value, NULL AS state,
  (SELECT at(min(line_id)) FROM finding_line WHERE finding_id = :finding AND role = 'shows') AS place, NULL AS todo
 FROM finding WHERE id = :finding
UNION ALL SELECT '2 when, first', NULL, time_text(t0_us, t_quality), t_quality, NULL, NULL FROM finding WHERE id = :finding
UNION ALL SELECT '2 when, last', NULL, time_text(t1_us, t_quality), t_quality, NULL, NULL FROM finding WHERE id = :finding AND t1_us IS NOT NULL
UNION ALL SELECT '3 how was it observed', NULL, group_concat(DISTINCT s.parser), NULL, NULL, NULL
 FROM finding_line l JOIN source s ON s.id = l.line_id >> 32 WHERE l.finding_id = :finding AND l.role = 'shows'
UNION ALL SELECT '3 how was it noticed', NULL, NULL, NULL, NULL, 'human'
UNION ALL SELECT '4 several systems or components', NULL,
  (SELECT count(*) FROM finding_gpu WHERE finding_id = :finding) || ' GPU(s) of this machine', NULL, NULL, NULL
UNION ALL SELECT '4 other machines', NULL, NULL, NULL, NULL, 'human'
UNION ALL SELECT * FROM (SELECT '5 how many, how often', coalesce(g.label, h.name, 'host'), count(*) || ' incident(s) of ' || i.kind
  || coalesce(' ' || i.code, ''), NULL, at(min(e.line_id)), NULL
 FROM incident i JOIN host h ON h.id = i.host_id LEFT JOIN gpu g ON g.id = i.gpu_id JOIN event e ON e.id = i.root_event
 WHERE h.bundle_id = :bundle GROUP BY i.kind, i.code, i.gpu_id, i.host_id ORDER BY count(*) DESC, min(i.id) LIMIT 20)
UNION ALL SELECT * FROM (SELECT '6 what changed recently', coalesce(g.label, h.name, 'host'), c.what || ': ' || c.before || ' -> ' || c.after,
  time_text(c.t_us, c.t_quality), at(c.line_after), NULL
 FROM change c JOIN host h ON h.id = c.host_id LEFT JOIN gpu g ON g.id = c.gpu_id
 WHERE h.bundle_id = :bundle ORDER BY c.t_us IS NULL, c.t_us DESC, c.id LIMIT 40)
UNION ALL SELECT '6 what else changed', NULL, NULL, NULL, NULL, 'human'
