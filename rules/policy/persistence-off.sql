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
-- reads:    fact.persistence.mode
-- params:   margin_w=1 min_loads=2
-- summary:  {gpu}: persistence mode off{what}
-- meaning:  Without a client the driver lets go of the GPU: the next start takes seconds, and settings such as a power limit are lost.
-- action:   fix_config
-- remedy:   Run nvidia-persistenced (preferred) or nvidia-smi -pm 1, and set limits again behind it.
-- falsepositives: Laptops and workstations, where off is right. A limit that board or BMC holds below the one that was asked
--           for does not get lost. Earlier boots.
-- refs:     NVIDIA driver persistence documentation
WITH newest AS (
  SELECT c.*, row_number() OVER (PARTITION BY c.gpu_id, c.key ORDER BY c.t_us IS NULL DESC, c.t_us DESC, c.line_id) AS age
  FROM contract c
  WHERE c.key IN ('persistence.mode', 'power.limit_w', 'power.limit_requested_w', 'power.limit_default_w') AND c.gpu_id IS NOT NULL
),
-- Boards for servers: as the knowledge base says, else as such products are called; never a virtual GPU.
server AS (
  SELECT g.id FROM gpu g LEFT JOIN kb_gpu_model m ON m.model = g.model
  WHERE m.class = 'datacenter' OR (m.model IS NULL AND g.name NOT GLOB '*-[0-9]*[QBCA]'
   AND (g.name GLOB 'Tesla *' OR g.name GLOB 'NVIDIA [ABHLV][0-9]*' OR g.name GLOB '[AH][0-9]00-*'))
),
off AS (
  SELECT p.host_id, p.gpu_id, p.line_id,
   -- What a driver that starts again would not set again.
   coalesce(q.num, l.num) AS limit_w, CASE WHEN q.num IS NOT NULL THEN q.line_id ELSE l.line_id END AS limit_line,
   d.num AS default_w, d.line_id AS default_line,
   (SELECT count(*) FROM event e JOIN boot b ON b.id = e.boot_id
    WHERE e.host_id = p.host_id AND e.kind = 'nvrm.load' AND e.copy_of IS NULL AND b.seq = 0) AS loads
  FROM newest p JOIN server s ON s.id = p.gpu_id
  LEFT JOIN newest l ON l.gpu_id = p.gpu_id AND l.key = 'power.limit_w' AND l.age = 1
  LEFT JOIN newest q ON q.gpu_id = p.gpu_id AND q.key = 'power.limit_requested_w' AND q.age = 1
  LEFT JOIN newest d ON d.gpu_id = p.gpu_id AND d.key = 'power.limit_default_w' AND d.age = 1
  WHERE p.key = 'persistence.mode' AND p.age = 1 AND p.value IN ('disabled', 'off')
),
told AS (
  SELECT o.*, coalesce(abs(o.limit_w - o.default_w) > coalesce(:margin_w, 1), 0) AS at_stake FROM off o
)
SELECT o.host_id AS host_id, o.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT o.line_id AS line_id
   UNION ALL SELECT o.limit_line WHERE o.at_stake UNION ALL SELECT o.default_line WHERE o.at_stake
   UNION ALL SELECT line_id FROM (SELECT e.line_id FROM event e JOIN boot b ON b.id = e.boot_id
    WHERE NOT o.at_stake AND e.host_id = o.host_id AND e.kind = 'nvrm.load' AND e.copy_of IS NULL AND b.seq = 0 ORDER BY e.id LIMIT 10))) AS evidence,
 CASE WHEN o.at_stake THEN 'warning' ELSE 'info' END AS severity,
 CASE WHEN o.at_stake THEN printf('limit %g', o.limit_w) ELSE 'host' END AS grp,
 CASE WHEN o.at_stake THEN printf('; the limit of %g W (default %g W) will be lost when the driver lets go of the GPU', o.limit_w, o.default_w)
      ELSE printf('; the driver was loaded %d times in this boot', o.loads) END AS what
FROM told o
WHERE o.at_stake OR o.loads >= coalesce(:min_loads, 2)
