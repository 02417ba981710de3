-- title: Counters
-- mail: 0
SELECT c.key AS label, g.label AS of, c.value || coalesce(' ' || c.unit, '') AS value, NULL AS state, at(c.line_id) AS place, NULL AS todo
 FROM contract c JOIN gpu g ON g.id = c.gpu_id JOIN host h ON h.id = g.host_id
 WHERE h.bundle_id = :bundle AND (c.key GLOB 'ecc.*' OR c.key GLOB 'remap.*' OR c.key GLOB 'retired.*' OR c.key GLOB 'repair.*'
  OR c.key GLOB 'pcie.replay*' OR c.key GLOB 'pcie.aer*' OR c.key GLOB 'nvlink.*' OR c.key GLOB 'recovery.*')
  AND (g.id IN (SELECT gpu_id FROM finding_gpu WHERE finding_id = :finding) OR c.value NOT IN ('0', 'no', 'none'))
 ORDER BY g.id NOT IN (SELECT gpu_id FROM finding_gpu WHERE finding_id = :finding), g.id, c.key LIMIT 400
