-- id:       diag.scope
-- title:    What the hardware tests that passed do and do not cover
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   log.diag.*
-- needs:    fact.diag.*
-- reads:    fact.diag.*
-- summary:  Hardware tests{by}: passed {passed}{skipped}; not tested: {open}
-- meaning:  A test answers for what it ran and for the minutes in which it ran. What is skipped or not run is not passed, and errors that come once a day or only hot
--           pass all of them: a pass does not clear a GPU that failed at work.
-- action:   none
-- remedy:   To test what is missing, with the node idle: dcgmi diag -r 3 (minutes, load), -r 4 (an hour or two: memtest, pulse), EUD or the field diagnostic before a
--           card is sent in.
-- falsepositives: none known
-- refs:     DCGM documentation, dcgmi diag: tests of levels 1 to 4; NVIDIA GPU Debug Guidelines, field diagnostic
WITH said AS ( -- the newest result of each test of each GPU
  SELECT f.host_id, f.gpu_id, f.layer, substr(f.key, 6) AS test, f.value, f.line_id,
   row_number() OVER (PARTITION BY f.host_id, f.gpu_id, f.layer, f.key ORDER BY f.id DESC) AS age
  FROM fact f WHERE f.key LIKE 'diag.%' AND f.key NOT IN ('diag.level', 'diag.error_code') AND f.host_id IS NOT NULL
),
result AS (SELECT s.* FROM said s WHERE s.age = 1),
kind AS ( -- what a test is about
  SELECT r.*, CASE WHEN r.test IN ('memory', 'gpu_memory') THEN 'memory' WHEN r.test IN ('memtest') THEN 'patterns' WHEN r.test IN ('pulse_test', 'pulse') THEN 'pulse'
    WHEN r.test IN ('diagnostic', 'targeted_stress', 'sm_stress', 'targeted_power') THEN 'load' WHEN r.test IN ('pcie', 'nvbandwidth') THEN 'link'
    WHEN r.test LIKE '%eud%' OR r.layer = 'field' THEN 'field' END AS what
  FROM result r
),
per AS (
  SELECT k.host_id, k.layer, max(k.value = 'pass') AS any_pass, max(k.what = 'memory' AND k.value = 'pass') AS memory, max(k.what = 'link' AND k.value = 'pass') AS link,
   max(k.what = 'load' AND k.value = 'pass') AS load, max(k.what = 'patterns' AND k.value = 'pass') AS patterns, max(k.what = 'pulse' AND k.value = 'pass') AS pulse,
   max(k.what = 'field' AND k.value = 'pass') AS field
  FROM kind k GROUP BY k.host_id, k.layer
)
SELECT k.host_id AS host_id, k.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 json_group_array(DISTINCT k.line_id) AS evidence, 'diag ' || k.layer AS grp,
 CASE k.layer WHEN 'dcgmi' THEN ' (DCGM)' WHEN 'field' THEN ' (field diagnostic)' ELSE '' END AS by,
 (SELECT group_concat(t, ', ') FROM (SELECT DISTINCT replace(r.test, '_', ' ') AS t FROM result r WHERE r.host_id = k.host_id AND r.layer = k.layer AND r.value = 'pass' ORDER BY 1)) AS passed,
 coalesce('; skipped or not run ' || (SELECT group_concat(t, ', ') FROM (SELECT DISTINCT replace(r.test, '_', ' ') AS t FROM result r WHERE r.host_id = k.host_id AND r.layer = k.layer
   AND r.value IN ('skip', 'not_run') ORDER BY 1)), '') AS skipped,
 CASE WHEN p.field THEN 'what the machine around the card does to it' ELSE
  CASE WHEN p.memory THEN '' ELSE 'memory, ' END || CASE WHEN p.link THEN '' ELSE 'the PCIe link, ' END || CASE WHEN p.load THEN '' ELSE 'sustained load and power, ' END
  || CASE WHEN p.patterns THEN '' ELSE 'memory patterns (memtest), ' END || CASE WHEN p.pulse THEN '' ELSE 'jumps of power (pulse), ' END || 'the vendor''s own test (EUD, field diagnostic)' END AS open
FROM kind k JOIN per p ON p.host_id = k.host_id AND p.layer = k.layer
WHERE p.any_pass AND k.value IN ('pass', 'skip', 'not_run')
GROUP BY k.host_id, k.gpu_id, k.layer
