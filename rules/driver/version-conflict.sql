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
-- explains: driver.api-mismatch any host; cuda.compat-mismatch any host
-- summary:  Driver versions disagree: {versions}
-- meaning:  Kernel modules, user libraries and files on disk must be of one version. A mixture comes from two ways of installing, or from an
--           update that was not followed by a reload.
-- action:   fix_host
-- remedy:   Remove every NVIDIA package and .run installation, install one version, rebuild the initramfs, reboot. After a mere update a reboot
--           or a reload of the modules is enough.
-- falsepositives: Containers and WSL, whose tool may be of another version; module files of other kernels; older boots; NVML's two-part numbers.
-- refs:     NVIDIA driver README, "API mismatch"
WITH kernel AS ( -- that runs
  SELECT host_id, value FROM contract WHERE key = 'kernel.release' AND gpu_id IS NULL
),
foreign_disk AS ( -- hosts whose module files were shown for another kernel only
  SELECT v.host_id FROM contract v
  WHERE v.gpu_id IS NULL AND v.key IN ('module.vermagic', 'module.filename') AND EXISTS (SELECT 1 FROM kernel k WHERE k.host_id = v.host_id)
   AND (v.key = 'module.vermagic' OR v.value LIKE '/lib/modules/%')
   AND NOT EXISTS (SELECT 1 FROM kernel k WHERE k.host_id = v.host_id AND (instr(v.value || ' ', k.value || ' ') = 1
                                                OR instr(v.value, '/lib/modules/' || k.value || '/') = 1))
),
now AS (
  SELECT c.host_id, c.layer, c.value, c.num, c.line_id
  FROM contract c
  WHERE c.key = 'driver.version' AND c.gpu_id IS NULL
   AND (c.layer IN ('loaded', 'nvml', 'modeset', 'drm')
    OR ((c.layer = 'disk' OR c.layer LIKE 'disk.%') AND c.host_id NOT IN (SELECT host_id FROM foreign_disk)))
  UNION ALL
  -- The tool names the library when it refuses to work with the module.
  SELECT e.host_id, 'library', max(a.value), NULL, max(e.line_id)
  FROM event e JOIN event_attr a ON a.event_id = e.id AND a.name = 'library_version'
  WHERE e.kind = 'smi.nvml_mismatch' AND e.host_id IS NOT NULL GROUP BY e.host_id
),
clash AS (
  SELECT a.host_id, a.layer AS la, a.value AS va, a.line_id AS line_a, b.layer AS lb, b.value AS vb, b.line_id AS line_b
  FROM now a JOIN now b ON b.host_id = a.host_id AND b.layer > a.layer
  -- 535.161.08 and 535.161.8 are one
  WHERE a.value <> b.value AND coalesce(a.num <> b.num, 1) AND instr(a.value || '.', b.value || '.') <> 1 AND instr(b.value || '.', a.value || '.') <> 1
)
SELECT c.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT line_a AS line_id FROM clash x WHERE x.host_id = c.host_id UNION SELECT line_b FROM clash y WHERE y.host_id = c.host_id ORDER BY 1)) AS evidence,
 'host' AS grp,
 (SELECT group_concat(layer || ' ' || value, ', ') FROM (SELECT layer, value FROM now n WHERE n.host_id = c.host_id ORDER BY layer)) AS versions
FROM clash c
GROUP BY c.host_id
