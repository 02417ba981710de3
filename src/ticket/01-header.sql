-- title: Header
-- mail: 20
-- The first root is the failure that is reported.
SELECT 'title' AS label, NULL AS of, coalesce((SELECT summary FROM finding WHERE id = :finding), v.reason) AS value,
  NULL AS state, NULL AS place, NULL AS todo
 FROM verdict v WHERE v.bundle_id = :bundle
UNION ALL SELECT 'verdict', NULL, kind || coalesce(', points to ' || (SELECT points FROM finding WHERE id = :finding), ''),
  (SELECT 'confidence ' || confidence FROM finding WHERE id = :finding), NULL, NULL FROM verdict WHERE bundle_id = :bundle
UNION ALL SELECT 'rule', NULL, rule, severity, NULL, NULL FROM finding WHERE id = :finding
UNION ALL SELECT 'impact', NULL, (SELECT count(*) FROM finding_gpu WHERE finding_id = :finding) || ' of ' || count(*) || ' GPUs on '
  || count(DISTINCT host_id) || ' host(s)', NULL, NULL, NULL FROM gpu WHERE host_id IN (SELECT id FROM host WHERE bundle_id = :bundle)
UNION ALL SELECT 'since', NULL, time_text(t0_us, t_quality), t_quality, NULL, NULL FROM finding WHERE id = :finding AND t0_us IS NOT NULL
UNION ALL SELECT 'asked for', NULL,
  CASE action WHEN 'drain_rma_candidate' THEN 'RMA'
   || coalesce(' of serial ' || (SELECT group_concat(g.serial, ', ') FROM finding_gpu f JOIN gpu g ON g.id = f.gpu_id WHERE f.finding_id = :finding), '')
  ELSE 'advice' END, NULL, NULL, NULL FROM verdict WHERE bundle_id = :bundle
UNION ALL SELECT 'severity asked for', NULL, NULL, NULL, NULL, 'human'
UNION ALL SELECT 'jobs affected', NULL, NULL, NULL, NULL, 'human'
UNION ALL SELECT 'contact, site', NULL, NULL, NULL, NULL, 'human'
UNION ALL SELECT 'contract or entitlement id', NULL, NULL, NULL, NULL, 'human'
UNION ALL SELECT 'gpudx', NULL, :version, NULL, NULL, NULL
UNION ALL SELECT 'rules', NULL, 'SHA-256 ' || value, NULL, NULL, NULL FROM meta WHERE key = 'rules_digest'
