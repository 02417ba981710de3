-- title: Completeness
-- mail: 0
SELECT 'files' AS label, NULL AS of, members || ' found, ' || unread || ' unread' AS value, limit_hit AS state, NULL AS place, NULL AS todo
 FROM bundle WHERE id = :bundle
UNION ALL SELECT 'nvidia-bug-report', NULL, (SELECT path FROM source WHERE bundle_id = :bundle AND parser = 'nvidia-bug-report' LIMIT 1), NULL, NULL,
  CASE WHEN NOT EXISTS (SELECT 1 FROM source WHERE bundle_id = :bundle AND parser = 'nvidia-bug-report') THEN 'sudo nvidia-bug-report.sh' END
UNION ALL SELECT 'nvidia-bug-report: ' || substr(f.key, 11), NULL, f.value, NULL, at(f.line_id), NULL
 FROM fact f JOIN source s ON s.id = f.source_id WHERE s.bundle_id = :bundle AND f.key GLOB 'bugreport.*'
UNION ALL SELECT 'log of the BMC', NULL, (SELECT min(path) FROM source WHERE bundle_id = :bundle AND parser IN ('ipmi-sel', 'redfish-log', 'bmc-log')),
  NULL, NULL, CASE WHEN NOT EXISTS (SELECT 1 FROM source WHERE bundle_id = :bundle AND parser IN ('ipmi-sel', 'redfish-log', 'bmc-log'))
  THEN 'sudo ipmitool sel elist' END
UNION ALL SELECT 'boots in the logs', h.name, count(*), NULL, NULL, NULL FROM boot b JOIN host h ON h.id = b.host_id WHERE h.bundle_id = :bundle GROUP BY h.id
UNION ALL SELECT * FROM (SELECT 'damaged', path, damage, status, NULL, NULL FROM source WHERE bundle_id = :bundle AND damage IS NOT NULL ORDER BY id LIMIT 20)
