-- id:       diag.failed
-- title:    A hardware test failed (DCGM, EUD, field diagnostic)
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   log.diag.*
-- needs:    log.diag.failed
-- reads:    event.diag.failed
-- summary:  {gpu}: test {test} {verb}{by}{message}
-- meaning:  {means} A skipped test has not passed, and a pass does not clear a GPU.
-- action:   drain_rma_candidate
-- remedy:   {advice}
-- falsepositives: Skipped tests; warnings about settings such as persistence mode (info).
-- refs:     DCGM documentation, dcgmi diag (plugins, error severities); NVIDIA GPU debug guidelines, field diagnostic
WITH said AS (
  SELECT e.id, e.host_id, e.gpu_id, e.line_id, e.t_us, coalesce(t.value, 'unnamed') AS test, coalesce(r.value, 'fail') AS result, b.value AS by, m.value AS message, x.value AS error,
   replace(replace(lower(t.value), '_', ' '), '-', ' ') AS word
  FROM event e LEFT JOIN event_attr t ON t.event_id = e.id AND t.name = 'test' LEFT JOIN event_attr r ON r.event_id = e.id AND r.name = 'result'
   LEFT JOIN event_attr b ON b.event_id = e.id AND b.name = 'by' LEFT JOIN event_attr m ON m.event_id = e.id AND m.name = 'message'
   LEFT JOIN event_attr x ON x.event_id = e.id AND x.name = 'error'
  WHERE e.kind = 'diag.failed' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
sorted AS ( -- 3 tests of the hardware, 2 tests under load, whose goals are parameters, 1 software and settings
  SELECT s.*, CASE WHEN s.by = 'field' OR s.word LIKE '%eud%' OR s.word IN ('gpu memory', 'memory', 'pulse test', 'memtest', 'memory bandwidth', 'pcie', 'nvbandwidth', 'diagnostic')
     THEN 3
    WHEN s.word LIKE '%persistence%' OR s.word LIKE '%denylist%' OR s.word LIKE '%blacklist%' OR s.word LIKE '%library%' OR s.word LIKE '%permission%' OR s.word LIKE '%environment%'
     OR s.word LIKE '%graphics process%' OR s.word = 'software' THEN 1 ELSE 2 END AS class
  FROM said s
),
graded AS (
  SELECT s.*, CASE WHEN s.result = 'warn' THEN CASE s.class WHEN 1 THEN 'info' ELSE 'warning' END
    WHEN s.class = 3 AND s.word NOT IN ('pcie', 'nvbandwidth', 'memory bandwidth') THEN 'critical' ELSE 'error' END AS how
  FROM sorted s
),
per AS (
  SELECT g.*, row_number() OVER (PARTITION BY g.host_id, g.gpu_id, g.test, g.by ORDER BY g.result = 'warn', g.id) AS nth FROM graded g
)
SELECT p.host_id AS host_id, p.gpu_id AS gpu_id, p.t_us AS t0_us, p.t_us AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT o.line_id FROM graded o WHERE o.host_id = p.host_id AND o.gpu_id IS p.gpu_id AND o.test = p.test AND o.by IS p.by ORDER BY o.id LIMIT 20)) AS evidence,
 p.how AS severity, coalesce(p.by, '') || ' ' || p.test || ' ' || p.result AS grp,
 CASE WHEN p.how = 'critical' THEN 'drain_rma_candidate' WHEN p.class = 1 THEN 'fix_config' ELSE 'collect' END AS action,
 CASE WHEN p.class = 1 THEN 'policy' WHEN p.class = 2 THEN 'unknown' ELSE 'hardware' END AS points,
 p.test AS test, CASE p.result WHEN 'warn' THEN 'warned' ELSE 'failed' END AS verb,
 CASE p.by WHEN 'dcgmi' THEN ' (DCGM)' WHEN 'field' THEN ' (field diagnostic)' ELSE '' END AS by,
 coalesce(': ' || nullif(substr(p.message, 1, 160), ''), '') AS message,
 CASE p.class WHEN 3 THEN 'It tests the hardware itself.' WHEN 1 THEN 'It tests the installation, not the hardware.'
  ELSE 'It puts load on the GPU and compares with a goal: a goal of another model, a power limit or heat fail it, too.' END AS means,
 CASE WHEN p.how = 'critical' THEN 'Drain the GPU, run the test once more with the node idle, and open a case with its full log when it fails again.'
  WHEN p.class = 1 THEN 'Set what it asks for, then run it again.' ELSE 'Run it again with the node idle and look at clocks, heat and limits during the test; compare with a peer.' END AS advice
FROM per p WHERE p.nth = 1
