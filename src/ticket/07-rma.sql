-- title: Criteria for an RMA
-- mail: 12
SELECT label, of, value, state, place, todo FROM (
 WITH told AS (SELECT t.rowid AS nr, t.label, r.rule, r.missing,
   CASE WHEN r.outcome = 'clean' AND t.how = 'boots' AND (SELECT count(*) FROM boot b JOIN host h ON h.id = b.host_id WHERE h.bundle_id = :bundle) < 2
    THEN 'not_checkable' ELSE r.outcome END AS outcome FROM kb_ticket_test t
  LEFT JOIN rule_run r ON (' ' || t.rules || ' ') LIKE '% ' || r.rule || ' %'
   AND r.host_id IN (SELECT id FROM host WHERE bundle_id = :bundle)
   AND (r.gpu_id IS NULL OR r.gpu_id IN (SELECT gpu_id FROM finding_gpu WHERE finding_id = :finding)
    OR NOT EXISTS (SELECT 1 FROM finding_gpu WHERE finding_id = :finding))
  WHERE t.part = 'rma')
 SELECT t.rowid AS nr, t.label, NULL AS of,
  CASE WHEN max(w.outcome = 'fired') THEN 'met' WHEN min(w.outcome = 'clean') THEN 'not met' ELSE 'unknown' END AS value,
  (SELECT f.summary FROM finding f WHERE f.bundle_id = :bundle AND (' ' || t.rules || ' ') LIKE '% ' || f.rule || ' %' ORDER BY f.id LIMIT 1) AS state,
  (SELECT at(min(l.line_id)) FROM finding f JOIN finding_line l ON l.finding_id = f.id AND l.role = 'shows'
   WHERE f.bundle_id = :bundle AND (' ' || t.rules || ' ') LIKE '% ' || f.rule || ' %') AS place,
  CASE WHEN coalesce(max(w.outcome = 'fired'), 0) OR coalesce(min(w.outcome = 'clean'), 0) THEN NULL ELSE t.collect END AS todo
 FROM kb_ticket_test t LEFT JOIN told w ON w.nr = t.rowid WHERE t.part = 'rma' GROUP BY t.rowid ORDER BY t.rowid)
