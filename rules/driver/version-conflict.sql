-- id:       driver.version-conflict
-- title:    Parts of the driver have different versions
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   driver
-- shows:    condition
-- settle:   fact.driver.version
-- needs:    fact.driver.version
-- explains: driver.api-mismatch any host
-- summary:  Driver versions disagree: {versions}
-- meaning:  Kernel modules, user libraries and files on disk must be of one version. A mixture comes from two ways of installing, or from an
--           update that was not followed by a reload.
-- action:   fix_host
-- remedy:   Remove every NVIDIA package and .run installation, install one version, rebuild the initramfs, reboot. After a mere update a reboot
--           or a reload of the modules is enough.
-- falsepositives: Containers and WSL, whose tool may be of another version; module files of other kernels; older boots; NVML's two-part numbers.
-- refs:     NVIDIA driver README, "API mismatch"
WITH now AS (
  SELECT c.host_id, c.layer, c.value, c.line_id
  FROM contract c
  WHERE c.key = 'driver.version' AND c.gpu_id IS NULL AND c.layer IN ('loaded', 'nvml', 'disk', 'modeset', 'drm', 'uvm', 'library')
   AND NOT (c.layer = 'disk' AND EXISTS (
     SELECT 1 FROM contract v JOIN contract k ON k.host_id = v.host_id AND k.key = 'kernel.release'
     WHERE v.host_id = c.host_id AND v.key = 'module.vermagic' AND instr(v.value || ' ', k.value || ' ') <> 1))
),
clash AS (
  SELECT a.host_id, a.layer AS la, a.value AS va, a.line_id AS line_a, b.layer AS lb, b.value AS vb, b.line_id AS line_b
  FROM now a JOIN now b ON b.host_id = a.host_id AND b.layer > a.layer
  WHERE a.value <> b.value AND instr(a.value || '.', b.value || '.') <> 1 AND instr(b.value || '.', a.value || '.') <> 1
)
SELECT c.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT line_a AS line_id FROM clash x WHERE x.host_id = c.host_id UNION SELECT line_b FROM clash y WHERE y.host_id = c.host_id ORDER BY 1)) AS evidence,
 'host' AS grp,
 (SELECT group_concat(layer || ' ' || value, ', ') FROM (SELECT layer, value FROM now n WHERE n.host_id = c.host_id ORDER BY layer)) AS versions
FROM clash c
GROUP BY c.host_id
