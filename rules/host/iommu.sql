-- id:       host.iommu
-- title:    The IOMMU translates the GPUs' memory accesses
-- scope:    bundle
-- severity: info
-- symptom:  transfer
-- kind:     explanation
-- points:   platform
-- shows:    condition
-- settle:   fact.kernel.cmdline
-- needs:    fact.iommu.domain|fact.cmdline.iommu|fact.cmdline.intel_iommu|fact.cmdline.amd_iommu|fact.cmdline.iommu.passthrough
-- summary:  IOMMU translation is on ({how})
-- meaning:  Each access of a GPU to host memory or to another GPU goes through the IOMMU's tables. Peer transfers over PCIe become slow or fail.
-- action:   fix_config
-- remedy:   On bare metal boot with iommu=pt. In virtual machines the host decides.
-- falsepositives: iommu=pt is pass-through; the kernel names its default domain also where no IOMMU is at work, as in most
--           virtual machines; machines with NVSwitch do not need PCIe peers.
-- refs:     Linux kernel parameters, iommu=, intel_iommu=; NVIDIA GPUDirect RDMA documentation
WITH newest AS ( -- words of the host; what has no time is of the collection
  SELECT c.*, row_number() OVER (PARTITION BY c.host_id, c.key ORDER BY c.t_us IS NULL DESC, c.t_us DESC, c.line_id) AS age
  FROM contract c WHERE c.gpu_id IS NULL
   AND c.key IN ('iommu.domain', 'iommu.hardware', 'cmdline.iommu', 'cmdline.intel_iommu', 'cmdline.iommu.passthrough')
),
said AS (
  SELECT h.id AS host_id, d.value AS domain, d.line_id AS domain_line, x.line_id AS hardware_line,
   i.value AS mode, i.line_id AS mode_line, t.value AS intel, t.line_id AS intel_line,
   p.value AS pass, p.line_id AS pass_line,
   (SELECT c.id FROM change c WHERE c.host_id = h.id AND c.what = 'iommu.domain' AND c.after = 'translated' ORDER BY c.id DESC LIMIT 1) AS change_id
  FROM host h
  LEFT JOIN newest d ON d.host_id = h.id AND d.key = 'iommu.domain' AND d.age = 1
  LEFT JOIN newest x ON x.host_id = h.id AND x.key = 'iommu.hardware' AND x.age = 1
  LEFT JOIN newest i ON i.host_id = h.id AND i.key = 'cmdline.iommu' AND i.age = 1
  LEFT JOIN newest t ON t.host_id = h.id AND t.key = 'cmdline.intel_iommu' AND t.age = 1
  LEFT JOIN newest p ON p.host_id = h.id AND p.key = 'cmdline.iommu.passthrough' AND p.age = 1
),
grouped AS ( -- lspci shows groups only where an IOMMU is at work
  SELECT d.host_id, min(d.line_id) AS line_id FROM pci_device d WHERE d.iommu_group >= 0 AND (d.gpu_id IS NOT NULL OR d.vendor_id = 0x10de) GROUP BY d.host_id
),
on_host AS (
  SELECT s.*, coalesce(s.hardware_line, g.line_id) AS work_line,
   CASE WHEN s.domain IS NOT NULL THEN 0 -- what the kernel did stands over what it was told
        WHEN s.mode LIKE '%pt%' AND s.mode NOT LIKE '%nopt%' OR s.mode IN ('off', 'soft') OR s.pass IN ('1', 'y', 'Y', 'on') THEN 0
        WHEN s.intel LIKE 'on%' OR s.mode LIKE '%nopt%' OR s.pass IN ('0', 'n', 'N', 'off') THEN 1 END AS told
  FROM said s LEFT JOIN grouped g ON g.host_id = s.host_id
  WHERE EXISTS (SELECT 1 FROM gpu g WHERE g.host_id = s.host_id)
   -- In a virtual machine the host decides.
   AND NOT EXISTS (SELECT 1 FROM contract v WHERE v.host_id = s.host_id AND v.gpu_id IS NULL AND (v.key = 'host.hypervisor'
     OR (v.key = 'host.chassis' AND v.value = 'vm')
     OR (v.key = 'host.virtualization' AND v.value NOT IN ('none', 'docker', 'podman', 'lxc', 'lxc-libvirt', 'systemd-nspawn', 'container-other'))))
)
SELECT o.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us,
 CASE WHEN o.domain IS NOT NULL THEN 0.95 ELSE 0.7 END AS confidence,
 (SELECT json_group_array(line_id) FROM (
   SELECT CASE WHEN o.domain IS NOT NULL THEN o.domain_line WHEN o.intel LIKE 'on%' THEN o.intel_line
     WHEN o.mode LIKE '%nopt%' THEN o.mode_line ELSE o.pass_line END AS line_id
   UNION ALL SELECT o.work_line UNION ALL SELECT c.line_before FROM change c WHERE c.id = o.change_id) WHERE line_id IS NOT NULL) AS evidence,
 'host' AS grp,
 CASE WHEN o.domain IS NULL THEN 'the kernel was started with '
       || CASE WHEN o.intel LIKE 'on%' THEN 'intel_iommu=on without iommu=pt' WHEN o.mode LIKE '%nopt%' THEN 'iommu=nopt' ELSE 'iommu.passthrough=0' END
      ELSE 'the kernel says: domain type translated' || CASE WHEN o.change_id IS NOT NULL THEN '; it was passthrough before' ELSE '' END END AS how
FROM on_host o
WHERE (o.domain = 'translated' AND o.work_line IS NOT NULL) OR o.told
