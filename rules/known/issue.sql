-- id:       known.issue
-- title:    What was seen is a public known issue
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     fault
-- points:   driver
-- shows:    condition
-- settle:   fact.driver.version
-- needs:    log.xid fact.driver.version
-- summary:  known issue{of_driver}: {title} ({url})
-- meaning:  Others had the same message with the same versions, and the cause is known. Before hardware is suspected or a ticket is opened, try what
--           helped them.
-- action:   fix_config
-- remedy:   {advice}
-- falsepositives: Versions in which it is mended; messages of another cause that read alike: the page says how to tell.
-- refs:     kb_known_issue, each with its URL

WITH driver AS (
  SELECT host_id, value, num, row_number() OVER (PARTITION BY host_id ORDER BY layer = 'loaded' DESC, layer) AS nth
  FROM contract WHERE key = 'driver.version' AND gpu_id IS NULL AND layer IN ('loaded', 'nvml') AND num IS NOT NULL
),
hit AS (
  SELECT k.*, e.host_id, e.gpu_id, e.t_us, e.t_quality, e.line_id, d.value AS driver,
   row_number() OVER (PARTITION BY e.host_id, k.issue ORDER BY e.t_us DESC, e.id DESC) AS age
  FROM kb_known_issue k JOIN event e ON e.kind = k.kind AND e.code IS coalesce(k.code, e.code) AND e.copy_of IS NULL AND e.host_id IS NOT NULL
   AND (k.text_like IS NULL OR e.text LIKE k.text_like)
  LEFT JOIN driver d ON d.host_id = e.host_id AND d.nth = 1
  WHERE coalesce(d.num >= k.driver_from_num, k.driver_from_num IS NULL) AND coalesce(d.num < k.driver_below_num, k.driver_below_num IS NULL)
)
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, h.t_us AS t0_us, h.t_us AS t1_us, nullif(h.t_quality, 'unknown') AS t_quality,
 iif(h.driver_from_num IS NULL AND h.driver_below_num IS NULL, 0.7, 0.85) AS confidence, json_array(h.line_id) AS evidence, h.issue AS grp,
 h.title AS title, h.url AS url, h.advice AS advice, iif(h.driver_from_num IS NULL AND h.driver_below_num IS NULL, '', ' of driver ' || h.driver) AS of_driver
FROM hit h WHERE h.age <= 20
