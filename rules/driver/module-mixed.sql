-- id:       driver.module-mixed
-- title:    The kernel modules of the driver come from two versions
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   driver
-- shows:    condition
-- settle:   fact.module.filename
-- needs:    fact.driver.version
-- explains: driver.version-conflict any host; driver.api-mismatch any host; driver.module-missing any host
-- summary:  {layers}: {versions}
-- meaning:  nvidia.ko and its companions (modeset, drm, uvm, peermem) only work together when they are of one build. Two versions on one disk come
--           from two ways of installing (packages and a .run file, DKMS and prebuilt modules) or from an initramfs that kept the old ones.
-- action:   fix_host
-- remedy:   find /lib/modules/$(uname -r) -name 'nvidia*.ko*' shows both sets. Remove one of the installations (nvidia-uninstall, or purge the
--           packages), reinstall the other, depmod -a, rebuild the initramfs, reboot.
-- falsepositives: A library of another version (driver.version-conflict); modules of kernels that do not run; older boots.
-- refs:     open-gpu-kernel-modules kernel-open/nvidia-modeset/nvidia-modeset-linux.c, "Version mismatch"

WITH kernel AS (SELECT host_id, value FROM contract WHERE key = 'kernel.release' AND gpu_id IS NULL),
foreign_file AS ( -- module files that were shown for another kernel than the one that runs
  SELECT v.host_id, v.layer FROM contract v
  WHERE v.gpu_id IS NULL AND v.key = 'module.kernel' AND EXISTS (SELECT 1 FROM kernel k WHERE k.host_id = v.host_id)
   AND NOT EXISTS (SELECT 1 FROM kernel k WHERE k.host_id = v.host_id AND k.value = v.value)
),
module AS (
  SELECT c.host_id, CASE WHEN c.layer LIKE 'disk%' THEN 'on disk' ELSE 'loaded' END AS at, c.value, c.num, c.line_id,
   CASE c.layer WHEN 'loaded' THEN 'nvidia' WHEN 'disk' THEN 'nvidia' WHEN 'modeset' THEN 'nvidia-modeset' WHEN 'drm' THEN 'nvidia-drm'
    ELSE 'nvidia-' || substr(c.layer, 6) END AS name
  FROM contract c
  WHERE c.key = 'driver.version' AND c.gpu_id IS NULL
   AND (c.layer IN ('loaded', 'modeset', 'drm') OR ((c.layer = 'disk' OR c.layer LIKE 'disk.%')
    AND NOT EXISTS (SELECT 1 FROM foreign_file f WHERE f.host_id = c.host_id AND f.layer = c.layer)))
),
mixed AS (SELECT host_id, at FROM module GROUP BY host_id, at HAVING count(DISTINCT coalesce(num, value)) > 1)
SELECT x.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT DISTINCT m.line_id FROM module m WHERE m.host_id = x.host_id AND m.at = x.at ORDER BY 1)) AS evidence,
 'host' AS grp, 'modules ' || x.at AS layers,
 (SELECT group_concat(name || ' ' || value, ', ') FROM (SELECT name, value FROM module m WHERE m.host_id = x.host_id AND m.at = x.at ORDER BY name)) AS versions
FROM mixed x
