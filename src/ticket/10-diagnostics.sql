-- title: Diagnostics
-- mail: 0
SELECT c.key AS label, g.label AS of, c.value AS value, c.layer AS state, at(c.line_id) AS place, NULL AS todo
 FROM contract c JOIN host h ON h.id = c.host_id LEFT JOIN gpu g ON g.id = c.gpu_id
 WHERE h.bundle_id = :bundle AND (c.key GLOB 'diag.*' OR c.key GLOB 'dcgm.*' OR c.key GLOB 'nccl.*' OR c.key GLOB 'bandwidth.*')
UNION ALL SELECT 'diagnostic', NULL, NULL, NULL, NULL, 'dcgmi diag -r 3; the field diagnostic of the maker'
 WHERE NOT EXISTS (SELECT 1 FROM fact f JOIN host h ON h.id = f.host_id WHERE h.bundle_id = :bundle AND f.key GLOB 'diag.*')
 ORDER BY 1, 2 LIMIT 200
