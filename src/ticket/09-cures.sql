-- title: Cure ladder
-- mail: 9
-- What was tried since the failure began, as far as logs and inventories show it.
WITH suspect(id) AS (SELECT gpu_id FROM finding_gpu WHERE finding_id = :finding),
 hosts(id) AS (SELECT id FROM host WHERE bundle_id = :bundle),
 tried(nr, value, state, line_id) AS (
  SELECT * FROM (SELECT t.rowid, 'seen ' || time_text(x.t_us, x.t_quality), x.kind, x.line_id FROM kb_ticket_test t
   JOIN event x ON (' ' || t.rules || ' ') LIKE '% ' || x.kind || ' %' AND x.copy_of IS NULL AND x.host_id IN (SELECT id FROM hosts)
   WHERE t.part = 'cure' AND t.how = 'event' AND x.t_us >= (SELECT t0_us FROM finding WHERE id = :finding) ORDER BY x.t_us)
  UNION ALL
  SELECT * FROM (SELECT t.rowid, 'seen: ' || x.before || ' -> ' || x.after, NULL, x.line_after FROM kb_ticket_test t
   JOIN change x ON x.what = t.rules AND x.host_id IN (SELECT id FROM hosts) WHERE t.part = 'cure' AND t.how = 'change' ORDER BY x.t_us DESC)
  UNION ALL
  SELECT t.rowid, 'seen: ' || b.n || ' boots in the logs', NULL, NULL FROM kb_ticket_test t
   JOIN (SELECT count(*) AS n FROM boot WHERE host_id IN (SELECT id FROM hosts)) b WHERE t.part = 'cure' AND t.how = 'boot' AND b.n > 1
  UNION ALL
  SELECT t.rowid, 'seen: ' || w.bdf || ' -> ' || w.went_to, g.label, w.line_after FROM kb_ticket_test t
   JOIN swap w ON w.went_to IS NOT NULL AND w.gpu_before IN (SELECT id FROM suspect) JOIN gpu g ON g.id = w.gpu_before WHERE t.part = 'cure' AND t.how = 'seat'
  UNION ALL
  SELECT t.rowid, 'seen: ' || coalesce('serial ' || g.serial, g.uuid) || ' came to ' || w.bdf, g.label, w.line_after FROM kb_ticket_test t
   JOIN swap w ON w.gpu_before IN (SELECT id FROM suspect) JOIN gpu g ON g.id = w.gpu_after WHERE t.part = 'cure' AND t.how = 'card'),
 first AS (SELECT *, row_number() OVER (PARTITION BY nr) AS nth FROM tried)
SELECT t.label AS label, NULL AS of, coalesce(f.value, 'not in the evidence') AS value, f.state AS state, at(f.line_id) AS place,
 CASE WHEN f.nr IS NULL THEN 'human' END AS todo
FROM kb_ticket_test t LEFT JOIN first f ON f.nr = t.rowid AND f.nth = 1 WHERE t.part = 'cure' ORDER BY t.rowid
