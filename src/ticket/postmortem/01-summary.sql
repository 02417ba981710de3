-- title: Summary
SELECT 'what happened' AS label, NULL AS of, coalesce((SELECT summary FROM finding WHERE id = :finding), reason) AS value, kind AS state,
  (SELECT at(min(line_id)) FROM finding_line WHERE finding_id = :finding AND role = 'shows') AS place, NULL AS todo
 FROM verdict WHERE bundle_id = :bundle
UNION ALL SELECT 'what that means', NULL, meaning, NULL, NULL, NULL FROM finding WHERE id = :finding
UNION ALL SELECT 'where', NULL, group_concat(label, ', '), name, NULL, NULL FROM (SELECT DISTINCT g.label, h.name FROM finding f JOIN host h ON h.id = f.host_id
  JOIN finding_gpu x ON x.finding_id = f.id JOIN gpu g ON g.id = x.gpu_id WHERE f.id = :finding ORDER BY g.id) WHERE label IS NOT NULL GROUP BY name
UNION ALL SELECT 'from', NULL, time_text(t0_us, t_quality), t_quality, NULL, NULL FROM finding WHERE id = :finding
UNION ALL SELECT 'until', NULL, CASE WHEN at_end THEN 'it still lasts where the evidence ends' ELSE time_text(t1_us, t_quality) END, NULL, NULL, NULL
 FROM finding WHERE id = :finding
UNION ALL SELECT 'how sure', NULL, 'confidence ' || confidence || ', points to ' || points, NULL, NULL, NULL FROM finding WHERE id = :finding
UNION ALL SELECT 'in one sentence, for everybody', NULL, NULL, NULL, NULL, 'human'
