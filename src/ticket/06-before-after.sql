-- title: Before and after
-- mail: 12
-- several: how the inputs differ, in their order, "1 -> 2"; what differs comes first.
-- Of each card and host what an input says last; events count where they are new: the logs of a later input hold those of the earlier, too.
WITH suspect(id) AS (SELECT gpu_id FROM finding_gpu WHERE finding_id = :finding),
 host_of(id, name) AS (SELECT id, coalesce(name, 'host') FROM host WHERE bundle_id = :bundle),
 counter(keys) AS (VALUES ('ecc.*'), ('remap.*'), ('retired.*'), ('repair.*'), ('pcie.replay*'), ('pcie.aer*'), ('nvlink.*'), ('recovery.*')),
 shown(nr, title, host_id, gpu_id, of, key, value, line_id) AS (
  SELECT DISTINCT CAST(s.path AS INTEGER), 1, g.host_id, g.id, g.label, 'address',
   last_value(r.bdf) OVER seen, last_value(r.line_id) OVER seen
   FROM gpu_ref r JOIN source s ON s.id = r.source_id JOIN gpu g ON g.id = r.gpu_id
   WHERE s.bundle_id = :bundle AND r.bdf IS NOT NULL AND (r.uuid IS NOT NULL OR r.serial IS NOT NULL)
   WINDOW seen AS (PARTITION BY CAST(s.path AS INTEGER), g.id ORDER BY r.id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
  UNION ALL
  SELECT nr, 2, host_id, gpu_id, of, key, value, line_id FROM (
   SELECT CAST(s.path AS INTEGER) AS nr, f.host_id, f.gpu_id, coalesce(g.label, h.name) AS of, f.key, f.value, f.line_id,
    row_number() OVER (PARTITION BY CAST(s.path AS INTEGER), f.host_id, f.gpu_id, f.key
     ORDER BY coalesce(b.seq, 0) DESC, f.t_us IS NULL DESC, f.t_us DESC, f.id DESC) AS age
    FROM fact f JOIN source s ON s.id = f.source_id JOIN host_of h ON h.id = f.host_id
    LEFT JOIN boot b ON b.id = f.boot_id LEFT JOIN gpu g ON g.id = f.gpu_id
    WHERE s.bundle_id = :bundle AND f.instance_id IS NULL AND (f.ref_id IS NULL OR f.gpu_id IS NOT NULL) AND f.value IS NOT NULL
     AND (f.key IN (SELECT key FROM kb_fact_keys WHERE contract = 'yes') OR EXISTS (SELECT 1 FROM counter WHERE f.key GLOB keys)))
   WHERE age = 1
  UNION ALL
  SELECT CAST(s.path AS INTEGER), 0, e.host_id, e.gpu_id, coalesce(g.label, h.name), 'new events: ' || e.kind || coalesce(' ' || e.code, ''),
   CAST(sum(coalesce(e.repeats, 1)) AS TEXT), max(e.line_id)
   FROM event e JOIN source s ON s.id = e.source_id JOIN host_of h ON h.id = e.host_id LEFT JOIN gpu g ON g.id = e.gpu_id
   WHERE s.bundle_id = :bundle AND e.copy_of IS NULL AND e.kind IN ('xid', 'sxid') GROUP BY 1, 3, 4, 6),
 known AS (SELECT DISTINCT title, host_id, gpu_id, of, key FROM shown),
 both AS (
  SELECT k.title, k.host_id, k.gpu_id, k.of, k.key, group_concat(coalesce(v.value, CASE k.title WHEN 0 THEN '0' WHEN 1 THEN 'not seen' ELSE 'unknown' END), ' -> ') AS value,
   group_concat(at(v.line_id), ' ') AS place, count(v.value) AS n, count(DISTINCT v.value) AS kinds
  FROM known k JOIN (SELECT nr FROM input WHERE bundle_id = :bundle ORDER BY nr) i
  LEFT JOIN shown v ON v.nr = i.nr AND v.host_id = k.host_id AND v.gpu_id IS k.gpu_id AND v.key = k.key GROUP BY 1, 2, 3, 4, 5)
SELECT key AS label, of, value, state, place, NULL AS todo FROM (
 SELECT *, coalesce(gpu_id IN (SELECT id FROM suspect), 0) AS suspected,
  CASE WHEN title = 0 THEN CASE WHEN n = 1 AND value GLOB '*-> 0' THEN 'no more' WHEN n = 1 THEN 'new' ELSE 'again' END
   WHEN kinds > 1 OR title = 1 AND n < (SELECT count(*) FROM input WHERE bundle_id = :bundle) THEN 'changed'
   WHEN n = (SELECT count(*) FROM input WHERE bundle_id = :bundle) THEN 'as before' END AS state
 FROM both)
 WHERE state NOT IN ('as before') AND state IS NOT NULL OR suspected AND EXISTS (SELECT 1 FROM counter WHERE key GLOB keys)
 ORDER BY state IS NULL OR state = 'as before', NOT suspected, gpu_id IS NULL, gpu_id, title, label LIMIT 400
