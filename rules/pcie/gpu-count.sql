-- id:       pcie.gpu-count
-- title:    Fewer GPUs in nvidia-smi than on the PCIe bus
-- scope:    bundle
-- severity: critical
-- symptom:  missing
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.nvrm.*
-- needs:    fact.gpu.count table.pci_device
-- reads:    fact.gpu.count table.pci_device
-- summary:  nvidia-smi counts {smi} GPU(s), the PCIe bus shows {bus}{missing}
-- meaning:  The card is powered and answers on the bus, but the driver does not run it: its start failed, it was lost since, or it was taken out.
-- action:   collect
-- remedy:   Look for the address of the missing GPU in the whole kernel log of this boot (RmInitAdapter, Xid 79), then reboot; if it stays, power off and
--           reseat it.
-- falsepositives: GPUs that were given to virtual machines (vfio-pci) or to another driver, excluded by a parameter of the driver, or not supported by
--           it; containers and virtual machines, which see a part; excerpts of lspci.
-- refs:     nvidia-smi manual, Attached GPUs; lspci manual
WITH smi AS (
  SELECT c.host_id, max(c.num) AS n, max(c.line_id) AS line_id FROM contract c WHERE c.key = 'gpu.count' AND c.gpu_id IS NULL GROUP BY c.host_id
),
bus AS (
  SELECT d.host_id, d.source_id, count(DISTINCT d.bdf) AS n, count(d.driver) AS told FROM pci_device d JOIN source s ON s.id = d.source_id
  WHERE d.vendor_id = 0x10de AND d.class_id / 256 = 3 AND d.bdf IS NOT NULL AND d.dead = 0 AND coalesce(d.driver, 'nvidia') = 'nvidia' AND NOT s.excerpt
  GROUP BY d.host_id, d.source_id
),
best AS (
  SELECT b.*, row_number() OVER (PARTITION BY b.host_id ORDER BY b.told DESC, b.source_id) AS nth FROM bus b
),
named AS ( -- addresses that nvidia-smi showed
  SELECT DISTINCT s.host_id, r.bdf FROM gpu_ref r JOIN source s ON s.id = r.source_id WHERE s.parser LIKE 'smi-%' AND r.bdf IS NOT NULL
),
gone AS (
  SELECT d.host_id, d.source_id, d.bdf, d.gpu_id, d.line_id FROM pci_device d
  WHERE d.vendor_id = 0x10de AND d.class_id / 256 = 3 AND d.dead = 0 AND coalesce(d.driver, 'nvidia') = 'nvidia'
   AND EXISTS (SELECT 1 FROM named n WHERE n.host_id = d.host_id) AND NOT EXISTS (SELECT 1 FROM named n WHERE n.host_id = d.host_id AND n.bdf = d.bdf)
),
hit AS (
  SELECT s.host_id, s.n AS smi, s.line_id, b.n AS bus, b.source_id, b.told FROM smi s JOIN best b ON b.host_id = s.host_id AND b.nth = 1
  WHERE s.n < b.n
   AND NOT EXISTS (SELECT 1 FROM event e WHERE e.host_id = s.host_id AND e.kind IN ('nvrm.unsupported', 'nvrm.not_probed', 'kernel.bbswitch', 'container.started'))
   AND NOT EXISTS (SELECT 1 FROM fact f WHERE f.host_id = s.host_id AND ((f.key = 'gpu.excluded' AND lower(f.value) = 'yes')
    OR (f.key IN ('nvreg.ExcludedGpus', 'nvreg.GpuBlacklist') AND coalesce(f.value, '') NOT IN ('', '""', '(null)')) OR f.key = 'host.hypervisor' OR (f.key = 'host.chassis' AND f.value IN ('vm', 'container'))
    OR (f.key = 'host.virtualization' AND f.value <> 'none')))
)
SELECT h.host_id AS host_id, (SELECT CASE count(DISTINCT g.gpu_id) WHEN 1 THEN max(g.gpu_id) END FROM gone g WHERE g.host_id = h.host_id AND g.source_id = h.source_id) AS gpu_id,
 NULL AS t0_us, NULL AS t1_us, CASE WHEN h.told > 0 THEN 0.85 ELSE 0.7 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT h.line_id AS line_id UNION SELECT g.line_id FROM gone g WHERE g.host_id = h.host_id AND g.source_id = h.source_id
   UNION SELECT min(d.line_id) FROM pci_device d WHERE d.source_id = h.source_id AND d.vendor_id = 0x10de ORDER BY 1)) AS evidence,
 CAST(h.smi AS INTEGER) AS smi, h.bus AS bus,
 coalesce('; not among them: ' || (SELECT group_concat(bdf, ', ') FROM (SELECT DISTINCT g.bdf FROM gone g WHERE g.host_id = h.host_id AND g.source_id = h.source_id ORDER BY 1 LIMIT 16)), '') AS missing
FROM hit h
