-- id:       change.several-at-once
-- title:    Several layers of the stack were changed at the same time
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     operation
-- points:   unknown
-- shows:    condition
-- settle:   table.change
-- needs:    table.change
-- reads:    table.change
-- params:   window_h=24 p=0.01 min_after=2
-- summary:  {n} layers changed within {hours} h: {changes}{separable}
-- meaning:  Whatever is different since then may come from any of them: the time tells only that one of them did it, not which.
-- action:   watch
-- remedy:   On one node put back one layer at a time, the framework first, because it is the cheapest: a container image, then the driver, then the
--           kernel. Two nodes that differ in one layer only say more than any log.
-- falsepositives: One change that several sources saw; the firmware that comes with a driver; patch releases of Python packages alone.
-- refs:     window_h: what one maintenance lasts (practice); p, min_after: as in change.error-onset

WITH part AS (
  SELECT c.*, CASE WHEN t_quality IN ('exact', 'aligned') THEN 'dated' ELSE t_quality END AS clock,
   CASE WHEN what IN ('driver.version', 'driver.flavor', 'gsp.firmware') THEN 'driver'
    WHEN what IN ('kernel.release', 'kernel.package') THEN 'kernel'
    WHEN what IN ('gpu.vbios', 'host.bios', 'bmc.firmware') THEN 'firmware'
    WHEN what IN ('cuda.toolkit', 'cuda.runtime', 'cudnn.version', 'nccl.version') THEN 'CUDA libraries'
    WHEN what IN ('torch.version', 'torch.cuda', 'tensorflow.version', 'jax.version', 'vllm.version', 'triton.version', 'container.image', 'container.release') THEN 'framework'
   END AS layer_of
  FROM change c WHERE t_us IS NOT NULL AND t_quality NOT IN ('boot_relative', 'unknown')
),
marked AS ( -- after how long a pause
  SELECT *, t_us - lag(t_us) OVER (PARTITION BY host_id, clock ORDER BY t_us, id) > coalesce(:window_h, 24) * 3600000000 AS apart
  FROM part WHERE layer_of IS NOT NULL
),
bout AS (SELECT *, sum(coalesce(apart, 0)) OVER (PARTITION BY host_id, clock ORDER BY t_us, id) AS nth FROM marked),
best AS ( -- of each layer the change that says most: a version that runs before a package, a version before a flavor
  SELECT *, row_number() OVER (PARTITION BY host_id, clock, nth, layer_of
   ORDER BY what IN ('driver.version', 'kernel.release', 'cuda.toolkit', 'torch.version', 'gpu.vbios') DESC, layer LIKE 'package%', t_us, id) AS rank
  FROM bout
),
several AS (
  SELECT host_id, clock, nth, count(*) AS layers FROM best WHERE rank = 1 GROUP BY host_id, clock, nth HAVING count(*) >= 2
),
worse AS ( -- an error began or grew with one of them
  SELECT DISTINCT b.host_id, b.clock, b.nth
  FROM bout b JOIN rate_test r ON r.change_id = b.id
  WHERE r.n_after >= coalesce(:min_after, 2) AND ((r.p <= coalesce(:p, 0.01) AND r.n_after * r.hours_before > r.n_before * r.hours_after)
   OR (r.n_before = 0 AND r.hours_needed IS NULL))
)
SELECT s.host_id AS host_id, NULL AS gpu_id, min(b.t_us) AS t0_us, max(b.t_us) AS t1_us, min(b.t_quality) AS t_quality, 0.85 AS confidence,
 (SELECT json_group_array(line_id) FROM (
   SELECT x.line_after AS line_id FROM best x WHERE x.host_id = s.host_id AND x.clock = s.clock AND x.nth = s.nth AND x.rank = 1
   UNION SELECT x.line_before FROM best x WHERE x.host_id = s.host_id AND x.clock = s.clock AND x.nth = s.nth AND x.rank = 1 ORDER BY 1)) AS evidence,
 s.clock || s.nth AS grp, iif(w.nth IS NULL, 'info', 'warning') AS severity, s.layers AS n,
 (max(b.t_us) - min(b.t_us) + 3599999999) / 3600000000 AS hours,
 (SELECT group_concat(says, ', ') FROM (SELECT x.layer_of || ' ' || x.before || ' → ' || x.after AS says FROM best x
   WHERE x.host_id = s.host_id AND x.clock = s.clock AND x.nth = s.nth AND x.rank = 1 ORDER BY x.layer_of)) AS changes,
 iif(w.nth IS NULL, '', '; an error came with them, and which of them brought it cannot be told') AS separable
FROM several s JOIN best b ON b.host_id = s.host_id AND b.clock = s.clock AND b.nth = s.nth AND b.rank = 1
LEFT JOIN worse w ON w.host_id = s.host_id AND w.clock = s.clock AND w.nth = s.nth
GROUP BY s.host_id, s.clock, s.nth
