-- title: GPUs, the suspect first
-- mail: 12
-- csv: identity.csv
WITH suspect(id) AS (SELECT gpu_id FROM finding_gpu WHERE finding_id = :finding),
 shown AS (SELECT g.*, g.id IN (SELECT id FROM suspect) AS suspected FROM gpu g JOIN host h ON h.id = g.host_id
  WHERE h.bundle_id = :bundle ORDER BY 1 LIMIT 64)
SELECT label, of, value, state, place, todo FROM (
 SELECT g.suspected, g.id AS gpu, -1 AS nr, 'address' AS label, g.label AS of, coalesce(g.bdf, 'unknown') AS value,
  CASE WHEN g.suspected THEN 'suspect' END AS state, NULL AS place, NULL AS todo FROM shown g
 UNION ALL SELECT g.suspected, g.id, 0, 'product', g.label, g.name, NULL, NULL, CASE WHEN g.name IS NULL THEN 'nvidia-smi -L' END FROM shown g
 UNION ALL SELECT g.suspected, g.id, 1, 'serial', g.label, g.serial, NULL, NULL, CASE WHEN g.serial IS NULL THEN 'nvidia-smi -q' END FROM shown g
 UNION ALL SELECT g.suspected, g.id, 2, 'UUID', g.label, g.uuid, NULL, NULL, CASE WHEN g.uuid IS NULL THEN 'nvidia-smi -L' END FROM shown g
 UNION ALL SELECT g.suspected, g.id, 3 + f.rowid, f.label, g.label, c.value, CASE WHEN c.state IN ('conflict', 'changed') THEN c.state END,
  at(c.line_id), CASE WHEN c.value IS NULL THEN f.collect END
  FROM shown g JOIN kb_ticket_field f ON f.part = 'gpu' LEFT JOIN contract c ON c.gpu_id = g.id AND c.key = f.key
  WHERE g.suspected OR c.value IS NOT NULL
 UNION ALL SELECT g.suspected, g.id, 1000 + n.rowid, 'seat', g.label, n.value, 'boot ' || b.seq, at(n.line_id), NULL
  FROM shown g JOIN gpu_name n ON n.gpu_id = g.id AND n.kind = 'bdf' LEFT JOIN boot b ON b.id = n.boot_id
  WHERE (SELECT count(DISTINCT value) FROM gpu_name m WHERE m.gpu_id = g.id AND m.kind = 'bdf') > 1)
 ORDER BY NOT suspected, gpu, nr
