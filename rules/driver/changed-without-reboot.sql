-- id:       driver.changed-without-reboot
-- title:    The driver's packages were changed, and the old kernel module still runs
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   driver
-- shows:    condition
-- settle:   fact.driver.version
-- needs:    fact.driver.version fact.package.*
-- params:   zone_h=14
-- explains: driver.version-conflict any host; driver.api-mismatch any host; cuda.compat-mismatch any host
-- summary:  {package} {after} was installed{when}, but the module {loaded} that was loaded before still runs
-- meaning:  The libraries on the disk are newer than the module in the kernel: what runs goes on, what starts now fails with "Driver/library version
--           mismatch" or "API mismatch". Mostly nobody did this by hand: unattended upgrades did.
-- action:   reboot_node
-- remedy:   Drain the node, then reload the modules (stop every client, rmmod nvidia_uvm nvidia_drm nvidia_modeset nvidia, modprobe nvidia) or reboot.
--           Hold the packages (apt-mark hold, dnf versionlock) so that updates come with a reboot.
-- falsepositives: Modules that were loaded again after the change; changes before the boot; clocks that cannot be held against each other.
-- refs:     NVML error 18; open-gpu-kernel-modules, "API mismatch" text; zone_h: two zones are less than 14 h from UTC (practice)

WITH loaded AS ( -- when the module that runs was loaded; else the boot
  SELECT c.host_id, c.value, c.line_id
  FROM contract c WHERE c.key = 'driver.version' AND c.gpu_id IS NULL AND c.layer = 'loaded'
),
began AS (
  SELECT l.host_id, l.value, l.line_id,
   coalesce((SELECT max(e.t_us) FROM event e WHERE e.host_id = l.host_id AND e.kind = 'nvrm.load' AND e.t_quality NOT IN ('boot_relative', 'unknown')),
    (SELECT b.start_us FROM boot b WHERE b.host_id = l.host_id AND b.seq = 0)) AS t_us,
   coalesce((SELECT e.t_quality FROM event e WHERE e.host_id = l.host_id AND e.kind = 'nvrm.load' AND e.t_quality NOT IN ('boot_relative', 'unknown')
     ORDER BY e.t_us DESC LIMIT 1), (SELECT b.start_quality FROM boot b WHERE b.host_id = l.host_id AND b.seq = 0)) AS t_quality
  FROM loaded l
),
step AS ( -- the last that the package managers did after that
  SELECT b.host_id, b.value AS loaded, b.line_id AS loaded_line, h.layer, h.after, h.t_us, h.t_quality, h.line_after AS line_id,
   row_number() OVER (PARTITION BY h.host_id, h.layer ORDER BY h.t_us DESC, h.id DESC) AS age,
   iif((b.t_quality = 'zone_assumed') = (h.t_quality = 'zone_assumed'), 0.95, 0.85) AS confidence
  FROM began b JOIN change h ON h.host_id = b.host_id AND h.what = 'driver.version' AND h.layer IN ('package', 'package.user', 'installer') AND h.after <> 'none'
  WHERE h.t_quality NOT IN ('boot_relative', 'unknown') AND b.t_quality NOT IN ('boot_relative', 'unknown')
   AND h.t_us > b.t_us + iif((b.t_quality = 'zone_assumed') = (h.t_quality = 'zone_assumed'), 0, coalesce(:zone_h, 14)) * 3600000000
),
listed AS ( -- or what is installed, at no known time
  SELECT b.host_id, b.value AS loaded, b.line_id AS loaded_line, p.layer, p.value AS after, NULL AS t_us, NULL AS t_quality, p.line_id, 1 AS age, 0.7 AS confidence
  FROM began b JOIN contract p ON p.host_id = b.host_id AND p.key = 'driver.version' AND p.gpu_id IS NULL AND p.layer = 'package' AND p.value <> 'none'
  WHERE p.t_us IS NULL
),
found AS (
  SELECT *, row_number() OVER (PARTITION BY host_id ORDER BY confidence DESC, layer = 'package' DESC, t_us DESC, line_id) AS nth
  FROM (SELECT * FROM step UNION ALL SELECT * FROM listed)
  -- 535.161.08 and 535.161.8 are one
  WHERE age = 1 AND instr(replace(after, '.0', '.') || '.', replace(loaded, '.0', '.') || '.') <> 1
   AND instr(replace(loaded, '.0', '.') || '.', replace(after, '.0', '.') || '.') <> 1
)
SELECT f.host_id AS host_id, NULL AS gpu_id, f.t_us AS t0_us, f.t_us AS t1_us, f.t_quality AS t_quality, f.confidence AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT x.line_id FROM found x WHERE x.host_id = f.host_id UNION SELECT f.loaded_line ORDER BY 1)) AS evidence,
 'host' AS grp, 'active' AS state,
 CASE f.layer WHEN 'package' THEN 'driver package' WHEN 'installer' THEN 'driver' ELSE 'driver library package' END AS package,
 f.after AS after, f.loaded AS loaded, CASE WHEN f.t_us IS NULL THEN '' ELSE ' after it' END AS "when"
FROM found f WHERE f.nth = 1
