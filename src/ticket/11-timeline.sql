-- title: Timeline
-- mail: 0
-- csv: timeline.csv
-- All events that have a place in time; the stamp of the source, UTC where it is known, and how well.
SELECT substr(time_text(e.t_raw_us, CASE e.t_kind WHEN 'boot' THEN 'boot_relative' ELSE 'zone_assumed' END), CASE e.t_kind WHEN 'noyear' THEN 6 ELSE 1 END) AS label, coalesce(g.label, '') AS of,
  e.text AS value, CASE WHEN e.t_quality IN ('exact', 'aligned') THEN time_text(e.t_us, e.t_quality) || ' ' ELSE '' END || e.t_quality AS state,
  at(e.line_id) AS place, NULL AS todo
 FROM event e JOIN host h ON h.id = e.host_id LEFT JOIN gpu g ON g.id = e.gpu_id
 WHERE h.bundle_id = :bundle AND e.copy_of IS NULL ORDER BY e.t_us IS NULL, e.t_us, e.id LIMIT 2000
