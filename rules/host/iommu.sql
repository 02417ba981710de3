-- id:       host.iommu
-- title:    The IOMMU translates the GPUs' memory accesses
-- scope:    bundle
-- severity: info
-- symptom:  transfer
-- kind:     explanation
-- points:   platform
-- shows:    condition
-- settle:   fact.kernel.cmdline
-- needs:    fact.kernel.cmdline|fact.iommu.domain
-- summary:  IOMMU translation is on ({how})
-- meaning:  Each access of a GPU to host memory or to another GPU goes through the IOMMU's tables. Peer transfers over PCIe become slow or fail.
-- action:   fix_config
-- remedy:   On bare metal boot with iommu=pt. In virtual machines the host decides.
-- falsepositives: iommu=pt is pass-through; machines with NVSwitch do not need PCIe peers.
-- refs:     Linux kernel parameters, iommu=, intel_iommu=; NVIDIA GPUDirect RDMA documentation
WITH domain AS (
  SELECT c.host_id, c.value, c.line_id FROM contract c WHERE c.key = 'iommu.domain' AND c.layer = 'kernel'
),
line AS (
  SELECT c.host_id, ' ' || c.value || ' ' AS words, c.line_id FROM contract c WHERE c.key = 'kernel.cmdline'
  GROUP BY c.host_id
)
SELECT h.id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us,
 CASE WHEN d.value IS NOT NULL THEN 0.95 ELSE 0.7 END AS confidence,
 json_array(coalesce(d.line_id, l.line_id)) AS evidence, 'host' AS grp,
 CASE WHEN d.value IS NOT NULL THEN 'the kernel says: domain type translated' ELSE 'intel_iommu=on without iommu=pt' END AS how
FROM host h LEFT JOIN domain d ON d.host_id = h.id LEFT JOIN line l ON l.host_id = h.id
WHERE (d.value = 'translated' OR (d.value IS NULL AND instr(l.words, ' intel_iommu=on') > 0
       AND instr(l.words, ' iommu=pt ') = 0 AND instr(l.words, 'iommu.passthrough=1') = 0))
 AND EXISTS (SELECT 1 FROM gpu g WHERE g.host_id = h.id)
