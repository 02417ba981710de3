-- title: Timeline
-- Two clocks: the stamp of the source, and UTC where it is known. From an hour before the first sign to an hour behind the last.
WITH failure AS (SELECT * FROM finding WHERE id = :finding),
entry AS (
 SELECT e.t_us, e.t_quality, substr(time_text(e.t_raw_us, CASE e.t_kind WHEN 'boot' THEN 'boot_relative' ELSE 'zone_assumed' END), CASE e.t_kind WHEN 'noyear' THEN 6 ELSE 1 END) AS raw,
  coalesce(g.label, '') AS of, e.text AS what, e.line_id, e.kind IN (SELECT kind FROM kb_event_kinds) AS known,
  e.line_id IN (SELECT line_id FROM finding_line WHERE finding_id = :finding) AS cited
 FROM event e JOIN failure f ON f.host_id = e.host_id LEFT JOIN gpu g ON g.id = e.gpu_id
 WHERE e.copy_of IS NULL
 UNION ALL SELECT c.t_us, c.t_quality, NULL, coalesce(g.label, ''), c.what || ': ' || c.before || ' -> ' || c.after, c.line_after, 1, 0
 FROM change c JOIN failure f ON f.host_id = c.host_id LEFT JOIN gpu g ON g.id = c.gpu_id
 UNION ALL SELECT b.start_us, b.start_quality, NULL, '', 'the machine starts' || coalesce(', kernel ' || b.kernel, ''), b.line_id, 1, 0
 FROM boot b JOIN failure f ON f.host_id = b.host_id WHERE b.line_id IS NOT NULL
)
SELECT coalesce(e.raw, time_text(e.t_us, e.t_quality)) AS label, e.of AS of, e.what AS value,
  CASE WHEN e.t_quality IN ('exact', 'aligned') THEN time_text(e.t_us, e.t_quality) ELSE 'UTC not known (' || e.t_quality || ')' END AS state,
  at(e.line_id) AS place, NULL AS todo
 FROM entry e LEFT JOIN failure f
 WHERE e.cited OR (e.t_us BETWEEN f.t0_us - 3600000000 AND coalesce(f.t1_us, f.t0_us) + 3600000000)
 ORDER BY e.t_us IS NULL, e.t_us, e.line_id LIMIT 200
