-- title: Ruled out
-- What was looked for with all that is needed to see it, on every GPU and host, and not found.
SELECT r.title AS label, NULL AS of, 'not found' AS value, w.rule AS state, NULL AS place, NULL AS todo
 FROM (SELECT rule FROM rule_run WHERE host_id IN (SELECT id FROM host WHERE bundle_id = :bundle)
  GROUP BY rule HAVING min(outcome = 'clean')) w
 JOIN rule r ON r.id = w.rule
 WHERE w.rule NOT GLOB 'bundle.*' ORDER BY w.rule
