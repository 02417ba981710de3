-- id:       pcie.p2p-path
-- title:    Transfers between GPUs over PCIe take a detour through the root complex
-- scope:    bundle
-- severity: info
-- symptom:  transfer
-- kind:     explanation
-- points:   policy
-- shows:    condition
-- settle:   table.pci_device
-- needs:    table.pci_device
-- reads:    table.pci_device
-- params:   low_pct=40
-- summary:  {gpus} GPUs behind one PCIe switch: {how}{measured}
-- meaning:  With ACS request redirection, or with an IOMMU that translates, what one GPU sends to its neighbour goes up to the root complex and down again instead of through the
--           switch. Peer transfers, NCCL over PCIe and GPUDirect RDMA get slower, or hang on some machines.
-- action:   fix_config
-- remedy:   On bare metal switch ACS off for the ports of that switch (BIOS, or setpci as NVIDIA's NCCL guide shows) and boot with iommu=pt; measure with
--           p2pBandwidthLatencyTest before and after.
-- falsepositives: Machines with NVLink or NVSwitch between the GPUs; single GPUs, and GPUs that share no switch; virtual machines, where redirection keeps guests apart.
-- refs:     NVIDIA NCCL documentation, troubleshooting, PCI Access Control Services; low_pct: of what the link can do, practice
WITH RECURSIVE above(host_id, source_id, gpu_id, id, depth) AS (
  SELECT d.host_id, d.source_id, d.gpu_id, d.parent_id, 1 FROM pci_device d WHERE d.gpu_id IS NOT NULL AND d.parent_id IS NOT NULL
  UNION
  SELECT a.host_id, a.source_id, a.gpu_id, p.parent_id, a.depth + 1 FROM above a JOIN pci_device p ON p.id = a.id WHERE p.parent_id IS NOT NULL AND a.depth < 16
),
shared AS ( -- ports above several GPUs
  SELECT a.host_id, a.id FROM above a GROUP BY a.id HAVING count(DISTINCT a.gpu_id) > 1
),
alone AS ( -- hosts whose GPUs have no faster way, and that own their switches
  SELECT h.id AS host_id FROM host h
  WHERE NOT EXISTS (SELECT 1 FROM contract c WHERE c.host_id = h.id AND c.gpu_id IS NOT NULL AND (c.key GLOB 'topo.link.gpu*' AND c.value GLOB 'nv[0-9]*' OR c.key = 'nvlink.links_up' AND c.num > 0))
   AND NOT EXISTS (SELECT 1 FROM pci_device d WHERE d.host_id = h.id AND d.vendor_id = 0x10de AND d.class_id / 256 = 6)
   AND NOT EXISTS (SELECT 1 FROM gpu g JOIN kb_gpu_model k ON k.model = g.model WHERE g.host_id = h.id AND k.form = 'sxm')
   AND NOT EXISTS (SELECT 1 FROM contract v WHERE v.host_id = h.id AND v.gpu_id IS NULL AND (v.key = 'host.hypervisor' OR (v.key = 'host.chassis' AND v.value = 'vm')
     OR (v.key = 'host.virtualization' AND v.value NOT IN ('none', 'docker', 'podman', 'lxc', 'lxc-libvirt', 'systemd-nspawn', 'container-other'))))
),
way AS ( -- the port right above a GPU, below a shared one
  SELECT DISTINCT a.host_id, a.gpu_id, p.line_id, ' ' || p.acs_ctl || ' ' LIKE '% ReqRedir %' AS redirects FROM above a JOIN pci_device p ON p.id = a.id
  WHERE a.depth = 1 AND a.id NOT IN (SELECT s.id FROM shared s) AND EXISTS (SELECT 1 FROM above b JOIN shared s ON s.id = b.id WHERE b.gpu_id = a.gpu_id AND b.source_id = a.source_id)
   AND a.host_id IN (SELECT n.host_id FROM alone n)
),
iommu AS (
  SELECT c.host_id, min(c.line_id) AS line_id FROM contract c WHERE c.gpu_id IS NULL AND c.key = 'iommu.domain' AND c.value = 'translated'
   AND EXISTS (SELECT 1 FROM contract x WHERE x.host_id = c.host_id AND x.key = 'iommu.hardware') GROUP BY c.host_id
),
speed AS (
  SELECT l.host_id, max(min(l.cap_gts * l.cap_width, coalesce(l.port_cap_gts * l.port_cap_width, l.cap_gts * l.cap_width))) / 8.0 AS gbps FROM link l WHERE l.cap_gts > 0 GROUP BY l.host_id
),
measured AS ( -- the slowest pair, of tables of copies in one direction
  SELECT src.host_id, min(t.max) AS gbps, t.line_max AS line_id FROM metric m JOIN metric_stat t ON t.metric_id = m.id JOIN source src ON src.id = m.source_id
  WHERE (m.key LIKE 'bandwidth.unidirectional_p2p_enabled_bandwidth%' OR m.key LIKE 'bandwidth.device_to_device_memcpy%') AND t.max > 0
   AND substr(m.key, instr(m.key, '/') + 1, instr(substr(m.key, instr(m.key, '/')), '-') - 2) <> substr(m.key, instr(m.key, '/') + instr(substr(m.key, instr(m.key, '/')), '-'))
  GROUP BY src.host_id
),
host_way AS (
  SELECT w.host_id, count(DISTINCT w.gpu_id) AS gpus, max(w.redirects) AS acs FROM way w GROUP BY w.host_id
)
SELECT w.host_id AS host_id, w.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.7 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT CASE WHEN w.redirects THEN w.line_id END AS line_id UNION ALL SELECT CASE WHEN NOT coalesce(h.acs, 0) OR m.gbps IS NOT NULL THEN i.line_id END UNION ALL SELECT m.line_id) WHERE line_id IS NOT NULL) AS evidence,
 CASE WHEN m.gbps < s.gbps * coalesce(:low_pct, 40) / 100.0 THEN 'warning' END AS severity, 'path' AS grp,
 h.gpus AS gpus, CASE WHEN h.acs THEN 'the ports above them redirect requests (ACS)' ELSE 'the IOMMU translates' END AS how,
 CASE WHEN m.gbps IS NULL THEN '' ELSE printf('; %g GB/s between the slowest pair%s', round(m.gbps, 1), CASE WHEN s.gbps > 0 THEN printf(' where the link can do some %d', round(s.gbps)) ELSE '' END) END AS measured
FROM way w JOIN host_way h ON h.host_id = w.host_id LEFT JOIN iommu i ON i.host_id = w.host_id LEFT JOIN speed s ON s.host_id = w.host_id LEFT JOIN measured m ON m.host_id = w.host_id
WHERE w.redirects OR (NOT coalesce(h.acs, 0) AND i.line_id IS NOT NULL AND m.gbps < s.gbps * coalesce(:low_pct, 40) / 100.0)
