-- id:       policy.persistence-off
-- title:    Persistence mode is off on a data-center GPU
-- scope:    bundle
-- severity: info
-- symptom:  start
-- kind:     explanation
-- points:   policy
-- shows:    condition
-- settle:   fact.persistence.mode
-- needs:    fact.persistence.mode
-- params:   margin_w=1 min_loads=2
-- summary:  {gpu}: persistence mode off{what}
-- meaning:  Without a client the driver lets go of the GPU: the next start takes seconds, and settings such as a power limit are lost.
-- action:   fix_config
-- remedy:   Run nvidia-persistenced (preferred) or nvidia-smi -pm 1, and set limits again behind it.
-- falsepositives: Laptops and workstations, where off is right.
-- refs:     NVIDIA driver persistence documentation
WITH off AS (
  SELECT c.host_id, c.gpu_id, c.line_id,
   (SELECT l.num FROM contract l WHERE l.gpu_id = c.gpu_id AND l.key = 'power.limit_w' LIMIT 1) AS limit_w,
   (SELECT l.line_id FROM contract l WHERE l.gpu_id = c.gpu_id AND l.key = 'power.limit_w' LIMIT 1) AS limit_line,
   (SELECT l.num FROM contract l WHERE l.gpu_id = c.gpu_id AND l.key = 'power.limit_default_w' LIMIT 1) AS default_w,
   (SELECT count(*) FROM event e JOIN boot b ON b.id = e.boot_id WHERE e.host_id = c.host_id AND e.kind = 'nvrm.load' AND e.copy_of IS NULL AND b.seq = 0) AS loads
  FROM contract c JOIN gpu g ON g.id = c.gpu_id JOIN kb_gpu_model m ON m.model = g.model
  WHERE c.key = 'persistence.mode' AND c.value IN ('disabled', 'off') AND m.class = 'datacenter'
)
SELECT o.host_id AS host_id, o.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 CASE WHEN abs(o.limit_w - o.default_w) > coalesce(:margin_w, 1) THEN json_array(o.line_id, o.limit_line) ELSE json_array(o.line_id) END AS evidence,
 CASE WHEN abs(o.limit_w - o.default_w) > coalesce(:margin_w, 1) THEN 'warning' ELSE 'info' END AS severity,
 'host' AS grp,
 CASE WHEN abs(o.limit_w - o.default_w) > coalesce(:margin_w, 1) THEN printf('; the limit of %g W will be lost with the next start of the driver', o.limit_w)
      ELSE printf('; the driver was loaded %d times in this boot', o.loads) END AS what
FROM off o
WHERE abs(o.limit_w - o.default_w) > coalesce(:margin_w, 1) OR o.loads >= coalesce(:min_loads, 2)
