-- title: Cannot tell
-- What the evidence does not suffice for, and what would.
SELECT label, NULL AS of, NULL AS value, rule AS state, NULL AS place,
  coalesce((SELECT k.command FROM kb_collect k WHERE term GLOB k.what ORDER BY length(k.what) DESC LIMIT 1), 'human') AS todo
 FROM (SELECT r.title AS label, w.rule, substr(first, 1, instr(first || '|', '|') - 1) AS term FROM
  (SELECT rule, substr(min(missing), 1, instr(min(missing) || ' ', ' ') - 1) AS first FROM rule_run
   WHERE host_id IN (SELECT id FROM host WHERE bundle_id = :bundle) AND outcome = 'not_checkable' GROUP BY rule) w
  JOIN rule r ON r.id = w.rule WHERE r.symptom = (SELECT symptom FROM finding WHERE id = :finding) OR :finding IS NULL) ORDER BY rule
