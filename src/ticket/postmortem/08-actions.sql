-- title: Actions
SELECT 'now' AS label, NULL AS of, f.remedy AS value, f.action AS state, NULL AS place, NULL AS todo
 FROM root r JOIN finding f ON f.id = r.finding_id WHERE r.bundle_id = :bundle AND f.severity <> 'info' AND f.remedy IS NOT NULL AND r.rank <= 5
UNION ALL SELECT 'to be sure', NULL,
  coalesce((SELECT k.command FROM kb_collect k WHERE substr(settle, 1, instr(settle || ' ', ' ') - 1) GLOB k.what ORDER BY length(k.what) DESC LIMIT 1), settle),
  NULL, NULL, NULL FROM finding WHERE id = :finding AND settle IS NOT NULL
UNION ALL SELECT 'so that it does not come back', NULL, NULL, NULL, NULL, 'human'
UNION ALL SELECT 'so that it is seen sooner', NULL, NULL, NULL, NULL, 'human'
UNION ALL SELECT 'owner and date of each', NULL, NULL, NULL, NULL, 'human'
