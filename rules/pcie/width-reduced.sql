-- id:       pcie.width-reduced
-- title:    PCIe link narrower than both ends allow
-- scope:    bundle
-- severity: warning
-- symptom:  transfer
-- kind:     fault
-- points:   platform
-- shows:    condition
-- settle:   table.pci_device
-- needs:    table.link|fact.pcie.width_current table.link|fact.pcie.width_max
-- summary:  {gpu}: PCIe x{width} of x{width_max}{speed}{other_end}
-- meaning:  Fewer lanes work than the card has. Transfers between host and GPU are slower; computing inside the GPU is not.
-- action:   fix_host
-- remedy:   {first}eseat card, riser or cable, look for dirt and bent contacts, see that the BIOS does not split the lanes of the slot
--           (bifurcation), then try the card in another slot.
-- falsepositives: A slot, bridge or riser with fewer lanes; boards that are wired narrower by design. lspci's words
--           "(downgraded)" decide nothing here, only the numbers of both ends do. The root port of a virtual machine
--           is no end of a real link.
-- refs:     PCI Express Base Specification, Link Status Register; pciutils ls-caps.c
WITH both AS (
  SELECT l.host_id, l.gpu_id, l.sta_width AS width, l.cap_width AS width_max,
   -- Ports that QEMU (1b36, 3420 of 8086 in older ones) and VMware (15ad) invent have no lanes.
   CASE WHEN p.vendor_id IN (0x1b36, 0x15ad) OR (p.vendor_id = 0x8086 AND p.device_id = 0x3420 AND v.value IS NOT NULL) THEN NULL
        ELSE l.port_cap_width END AS port_max,
   l.sta_gts, l.cap_gts, coalesce(l.line_cap, l.line_id) AS line_a, coalesce(l.line_sta, l.line_id) AS line_b, l.port_line_cap AS line_c
  FROM link l JOIN pci_device d ON d.id = l.device_id LEFT JOIN pci_device p ON p.id = d.parent_id
  LEFT JOIN (SELECT host_id, max(value) AS value FROM contract WHERE key = 'host.virtualization' GROUP BY host_id) v ON v.host_id = l.host_id
  WHERE l.sta_width BETWEEN 1 AND 32 AND l.cap_width BETWEEN 1 AND 32
),
card AS (
  SELECT c.host_id, c.gpu_id, c.num AS width, m.num AS width_max, NULL AS port_max, NULL AS sta_gts, NULL AS cap_gts,
   c.line_id AS line_a, m.line_id AS line_b, NULL AS line_c
  FROM contract c JOIN contract m ON m.gpu_id = c.gpu_id AND m.key = 'pcie.width_max'
  WHERE c.key = 'pcie.width_current' AND c.num BETWEEN 1 AND 32 AND m.num BETWEEN 1 AND 32
   AND NOT EXISTS (SELECT 1 FROM both b WHERE b.gpu_id = c.gpu_id)
),
narrow AS (
  SELECT n.*, g.name, m.form FROM (
    SELECT * FROM both WHERE width < CASE WHEN port_max > 0 AND port_max < width_max THEN port_max ELSE width_max END
    UNION ALL SELECT * FROM card WHERE width < width_max) n
  JOIN gpu g ON g.id = n.gpu_id LEFT JOIN kb_gpu_model m ON m.model = g.model
),
-- Widths that any source saw of any GPU.
seen AS (
  SELECT f.host_id, f.gpu_id, f.num AS width, f.line_id FROM fact f
  WHERE f.key = 'pcie.width_current' AND f.gpu_id IS NOT NULL AND f.num BETWEEN 1 AND 32
  UNION ALL
  SELECT d.host_id, d.gpu_id, d.sta_width, coalesce(d.line_sta, d.line_id) FROM pci_device d
  WHERE d.gpu_id IS NOT NULL AND d.sta_width BETWEEN 1 AND 32
),
judged AS (
  SELECT n.*,
   (SELECT min(s.line_id) FROM seen s WHERE s.gpu_id = n.gpu_id AND s.width > n.width) AS own_line,
   (SELECT min(s.line_id) FROM seen s JOIN gpu o ON o.id = s.gpu_id
    WHERE s.host_id = n.host_id AND s.gpu_id <> n.gpu_id AND o.name = n.name AND s.width > n.width) AS peer_line
  FROM narrow n
)
SELECT n.host_id AS host_id, n.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us,
 CASE WHEN n.port_max > 0 THEN 0.95 ELSE 0.5 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT n.line_a AS line_id UNION SELECT n.line_b
   UNION SELECT CASE WHEN n.port_max > 0 THEN n.line_c ELSE coalesce(n.own_line, n.peer_line) END) WHERE line_id IS NOT NULL) AS evidence,
 CASE WHEN n.port_max > 0 THEN 'error'
      WHEN n.form = 'sxm' OR n.own_line IS NOT NULL OR n.peer_line IS NOT NULL THEN 'warning'
      ELSE 'info' END AS severity,
 'width' || n.gpu_id AS grp,
 printf('%g', n.width) AS width, printf('%g', n.width_max) AS width_max,
 CASE WHEN n.port_max > 0 THEN 'R' ELSE 'Look at the other end first: lspci -vv of the port above. If that can do more: r' END AS first,
 CASE WHEN n.sta_gts < n.cap_gts THEN printf(', %g of %g GT/s', n.sta_gts, n.cap_gts) ELSE '' END AS speed,
 CASE WHEN n.port_max > 0 THEN printf(', the port above can do x%d', n.port_max)
      WHEN n.own_line IS NOT NULL THEN '; it was wider at another time'
      WHEN n.peer_line IS NOT NULL THEN '; the same product is wider elsewhere in this machine'
      ELSE '; the other end is not in the bundle' END AS other_end
FROM judged n
