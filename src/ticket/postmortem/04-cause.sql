-- title: Root cause
-- What nothing else in the evidence explains, in the order of what deserves attention.
SELECT 'root ' || r.rank AS label, NULL AS of, f.summary AS value, f.severity || ', confidence ' || f.confidence || ', points to ' || f.points AS state,
  (SELECT at(min(line_id)) FROM finding_line WHERE finding_id = f.id AND role = 'shows') AS place, NULL AS todo
 FROM root r JOIN finding f ON f.id = r.finding_id WHERE r.bundle_id = :bundle AND f.severity <> 'info' AND r.rank <= 5
UNION ALL SELECT * FROM (SELECT 'contributed', NULL, f.summary, f.severity, (SELECT at(min(line_id)) FROM finding_line
  WHERE finding_id = f.id AND role = 'shows'), NULL FROM finding_edge d JOIN finding f ON f.id = d.cause_id WHERE d.effect_id = :finding ORDER BY f.id LIMIT 10)
UNION ALL SELECT * FROM (SELECT 'speaks against it', NULL, coalesce((SELECT text FROM line WHERE id = l.line_id), ''), NULL, at(l.line_id), NULL
 FROM finding_line l WHERE l.finding_id = :finding AND l.role = 'against' ORDER BY l.line_id LIMIT 10)
UNION ALL SELECT 'would settle it', NULL,
  coalesce((SELECT k.command FROM kb_collect k WHERE substr(settle, 1, instr(settle || ' ', ' ') - 1) GLOB k.what ORDER BY length(k.what) DESC LIMIT 1), settle),
  NULL, NULL, NULL FROM finding WHERE id = :finding AND settle IS NOT NULL
UNION ALL SELECT * FROM (SELECT 'changed before it', coalesce(g.label, ''), c.what || ': ' || c.before || ' -> ' || c.after, time_text(c.t_us, c.t_quality),
  at(c.line_after), NULL FROM change c JOIN finding f ON f.id = :finding AND f.host_id = c.host_id LEFT JOIN gpu g ON g.id = c.gpu_id
 WHERE c.t_us IS NOT NULL AND f.t0_us IS NOT NULL AND c.t_us <= f.t0_us ORDER BY c.t_us DESC, c.id LIMIT 20)
UNION ALL SELECT 'why it could happen', NULL, NULL, NULL, NULL, 'human'
