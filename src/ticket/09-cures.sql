-- title: Cure ladder
-- mail: 9
SELECT t.label AS label, NULL AS of,
  CASE WHEN e.id IS NOT NULL THEN 'seen ' || time_text(e.t_us, e.t_quality)
   WHEN t.how = 'boot' AND b.n > 1 THEN 'seen: ' || b.n || ' boots in the logs'
   WHEN t.how = 'change' AND c.id IS NOT NULL THEN 'seen: ' || c.before || ' -> ' || c.after
   ELSE 'not in the evidence' END AS value,
  e.kind AS state, at(coalesce(e.line_id, c.line_after)) AS place,
  CASE WHEN e.id IS NULL AND c.id IS NULL AND (t.how <> 'boot' OR b.n < 2) THEN 'human' END AS todo
 FROM kb_ticket_test t
 LEFT JOIN event e ON e.id = (SELECT x.id FROM event x JOIN host h ON h.id = x.host_id WHERE h.bundle_id = :bundle AND t.how = 'event'
  AND x.copy_of IS NULL AND (' ' || t.rules || ' ') LIKE '% ' || x.kind || ' %' AND x.t_us >= (SELECT t0_us FROM finding WHERE id = :finding)
  ORDER BY x.t_us LIMIT 1)
 LEFT JOIN change c ON c.id = (SELECT x.id FROM change x JOIN host h ON h.id = x.host_id WHERE h.bundle_id = :bundle AND t.how = 'change'
  AND x.what = t.rules ORDER BY x.t_us DESC LIMIT 1)
 JOIN (SELECT count(*) AS n FROM boot WHERE host_id IN (SELECT id FROM host WHERE bundle_id = :bundle)) b
 WHERE t.part = 'cure' ORDER BY t.rowid
