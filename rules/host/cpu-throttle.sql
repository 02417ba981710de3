-- id:       host.cpu-throttle
-- title:    CPUs were slowed for their temperature
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.temperature
-- needs:    log.kernel.cpu_throttle
-- reads:    event.kernel.cpu_throttle
-- params:   often_min=10
-- explains: load.starved overlap host
-- summary:  {cpus} CPU(s) slowed for heat{span}{order}
-- meaning:  A slow CPU feeds the GPU slowly, and what heats the CPU may heat the GPU: cooling of the machine, not of the driver.
-- action:   fix_host
-- remedy:   Look at inlet temperature and fans (ipmitool sdr type fan), air filters and blanking plates.
-- falsepositives: Laptops and single moments: there it is how the CPU keeps its limit (info).
-- refs:     Linux arch/x86/kernel/cpu/mce/therm_throt.c (at most a message in five minutes of each CPU); often_min: practice
WITH hot AS (
  SELECT e.id, e.host_id, e.boot_id, e.t_us, e.t_quality, e.line_id, coalesce(b.seq, 0) AS boot_seq, c.value AS cpu
  FROM event e LEFT JOIN event_attr c ON c.event_id = e.id AND c.name = 'cpu' LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind = 'kernel.cpu_throttle' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
per AS (
  SELECT h.host_id, coalesce(h.boot_id, 0) AS boot, h.t_quality, max(h.boot_id) AS boot_id, max(h.boot_seq) AS boot_seq, count(DISTINCT h.cpu) AS cpus, min(h.t_us) AS t0, max(h.t_us) AS t1
  FROM hot h GROUP BY h.host_id, boot, h.t_quality
),
dated AS (
  SELECT p.*, (SELECT min(x.t_us) FROM xid x WHERE x.host_id = p.host_id AND x.boot_id IS p.boot_id AND x.t_quality = p.t_quality) AS first_xid,
   EXISTS (SELECT 1 FROM fact f WHERE f.host_id = p.host_id AND f.key = 'host.chassis' AND lower(f.value) IN ('laptop', 'notebook', 'convertible', 'tablet', 'portable'))
    OR EXISTS (SELECT 1 FROM gpu g WHERE g.host_id = p.host_id AND (g.name LIKE '%Laptop%' OR g.name LIKE '%Max-Q%' OR g.name LIKE '%Mobile%')) AS laptop
  FROM per p
)
SELECT p.host_id AS host_id, NULL AS gpu_id, p.t0 AS t0_us, p.t1 AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT h.line_id FROM hot h WHERE h.host_id = p.host_id AND coalesce(h.boot_id, 0) = p.boot AND h.t_quality = p.t_quality ORDER BY h.id LIMIT 20)) AS evidence,
 CASE WHEN NOT p.laptop AND p.t1 - p.t0 >= coalesce(:often_min, 10) * 60000000 THEN 'warning' ELSE 'info' END AS severity,
 CASE WHEN p.boot_seq < 0 THEN 'history' END AS state, p.cpus AS cpus,
 CASE WHEN p.t1 - p.t0 >= 60000000 THEN printf(', again and again over %d min', (p.t1 - p.t0) / 60000000) ELSE '' END AS span,
 CASE WHEN p.first_xid IS NULL THEN '' WHEN p.t0 <= p.first_xid THEN '; first before the first Xid' ELSE '; after the first Xid' END AS "order"
FROM dated p
