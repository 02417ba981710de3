-- title: Detection
SELECT 'first sign' AS label, NULL AS of, (SELECT text FROM line WHERE id = l.line_id) AS value, s.parser AS state, at(l.line_id) AS place, NULL AS todo
 FROM finding_line l JOIN source s ON s.id = l.line_id >> 32
 WHERE l.finding_id = :finding AND l.role = 'shows' AND l.line_id = (SELECT min(line_id) FROM finding_line WHERE finding_id = :finding AND role = 'shows')
UNION ALL SELECT * FROM (SELECT 'said by monitoring', coalesce(g.label, ''), e.text, time_text(e.t_us, e.t_quality), at(e.line_id), NULL
 FROM event e JOIN host h ON h.id = e.host_id JOIN source s ON s.id = e.source_id LEFT JOIN gpu g ON g.id = e.gpu_id
 WHERE h.bundle_id = :bundle AND (s.parser GLOB 'dcgm*' OR s.parser GLOB 'prometheus*' OR s.parser IN ('node-state', 'app-gpud'))
 ORDER BY e.t_us IS NULL, e.t_us, e.id LIMIT 5)
UNION ALL SELECT 'evidence collected', NULL, time_text(collected_us, collected_quality), collected_quality, NULL, NULL FROM bundle
 WHERE id = :bundle AND collected_us IS NOT NULL
UNION ALL SELECT 'who noticed, how, and when', NULL, NULL, NULL, NULL, 'human'
UNION ALL SELECT 'what should have noticed it', NULL, NULL, NULL, NULL, 'human'
