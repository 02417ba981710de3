-- title: Known issues
-- mail: 0
SELECT rule AS label, NULL AS of, summary AS value, severity AS state,
  (SELECT at(min(line_id)) FROM finding_line WHERE finding_id = f.id AND role = 'shows') AS place, NULL AS todo
 FROM finding f WHERE bundle_id = :bundle AND rule GLOB 'known.*'
UNION ALL SELECT 'checked', NULL, (SELECT count(*) FROM kb_known_issue) || ' public issues that gpudx knows', NULL, NULL, NULL
