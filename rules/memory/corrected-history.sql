-- id:       memory.corrected-history
-- title:    Very many corrected memory errors
-- scope:    bundle
-- severity: info
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    condition
-- settle:   fact.ecc.corrected.aggregate.total
-- needs:    fact.ecc.corrected.aggregate.dram|fact.ecc.corrected.aggregate.device_memory|fact.ecc.corrected.aggregate.total
-- params:   many=1000
-- summary:  {gpu}: {what}
-- meaning:  Corrected errors cost no data. Many in one place announce one that cannot be corrected; {means}
-- action:   watch
-- remedy:   Note nvidia-smi -q -d ECC with its date and compare in a week: what counts is the growth.
-- falsepositives: A few over the life of a board.
-- refs:     NVIDIA Xid catalog 92; nvidia-smi manual, ECC Errors; many: practice
WITH counted AS (
  SELECT c.host_id, c.gpu_id, max(c.num) AS num, c.line_id
  FROM contract c
  WHERE c.gpu_id IS NOT NULL AND c.key GLOB 'ecc.corrected.aggregate.*' AND c.num >= coalesce(:many, 1000)
  GROUP BY c.host_id, c.gpu_id
),
alarmed AS (
  SELECT x.host_id, x.gpu_id, x.t_us, x.line_id, coalesce('gpu ' || x.gpu_id, 'at ' || r.bdf, 'unknown') AS seat,
   count(*) OVER (PARTITION BY x.host_id, coalesce('gpu ' || x.gpu_id, 'at ' || r.bdf, 'unknown')) AS n
  FROM xid x JOIN event e ON e.id = x.id LEFT JOIN gpu_ref r ON r.id = e.ref_id
  WHERE x.code = 92 AND x.host_id IS NOT NULL
),
told AS (
  SELECT host_id, gpu_id, t_us, line_id, seat, n, NULL AS num FROM alarmed
  UNION ALL
  SELECT c.host_id, c.gpu_id, NULL, c.line_id, 'gpu ' || c.gpu_id, (SELECT max(a.n) FROM alarmed a WHERE a.gpu_id = c.gpu_id), c.num FROM counted c
)
SELECT t.host_id AS host_id, t.gpu_id AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, 0.95 AS confidence, json_array(t.line_id) AS evidence, t.seat AS grp,
 CASE WHEN t.n > 0 THEN 'warning' ELSE 'info' END AS severity,
 CASE WHEN t.n > 0 THEN printf('the driver calls the rate of corrected memory errors too high (Xid 92, %d time(s))', t.n)
  ELSE printf('%d corrected memory errors over the life of the board', t.num) END AS what,
 CASE WHEN t.n > 0 THEN 'here the driver says that they come fast.' ELSE 'a count alone does not say when they came.' END AS means
FROM told t
