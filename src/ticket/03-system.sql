-- title: System
-- mail: 0
SELECT f.label AS label, CASE WHEN (SELECT count(*) FROM host WHERE bundle_id = :bundle) > 1 THEN h.name END AS of,
  c.value AS value, CASE WHEN c.state IN ('conflict', 'changed') THEN c.state || coalesce(' (' || nullif(c.layer, '') || ')', '') END AS state,
  at(c.line_id) AS place,
  CASE WHEN f.key IS NULL THEN 'human' WHEN c.value IS NULL THEN f.collect END AS todo
 FROM kb_ticket_field f JOIN host h ON h.bundle_id = :bundle
 LEFT JOIN contract c ON c.host_id = h.id AND c.gpu_id IS NULL AND c.key = f.key
 WHERE f.part = 'system' ORDER BY h.id, f.rowid, c.layer
