-- id:       pcie.width-reduced
-- title:    PCIe link narrower than both ends allow
-- scope:    bundle
-- severity: warning
-- symptom:  transfer
-- kind:     fault
-- points:   platform
-- shows:    condition
-- settle:   table.pci_device
-- needs:    table.link|fact.pcie.width_current
-- summary:  {gpu}: PCIe x{width} of x{width_max}{speed}{other_end}
-- meaning:  Fewer lanes work than the card has. Transfers between host and GPU are slower; computing inside the GPU is not.
-- action:   fix_host
-- remedy:   Look at the other end first: lspci -vv of the port above. If that can do more: reseat card, riser or cable, look for
--           dirt and bent contacts, then try the card in another slot.
-- falsepositives: A slot, bridge or riser with fewer lanes; boards that are wired narrower by design. lspci's words
--           "(downgraded)" decide nothing here, only the numbers of both ends do.
-- refs:     PCI Express Base Specification, Link Status Register; pciutils ls-caps.c
WITH both AS (
  SELECT l.host_id, l.gpu_id, l.sta_width AS width, l.cap_width AS width_max, l.port_cap_width AS port_max,
   l.sta_gts, l.cap_gts, coalesce(l.line_cap, l.line_id) AS line_a, coalesce(l.line_sta, l.line_id) AS line_b, l.port_line_cap AS line_c
  FROM link l WHERE l.sta_width BETWEEN 1 AND 32 AND l.cap_width BETWEEN 1 AND 32
),
card AS (
  SELECT c.host_id, c.gpu_id, c.num AS width, m.num AS width_max, NULL AS port_max, NULL AS sta_gts, NULL AS cap_gts,
   c.line_id AS line_a, m.line_id AS line_b, NULL AS line_c
  FROM contract c JOIN contract m ON m.gpu_id = c.gpu_id AND m.key = 'pcie.width_max'
  WHERE c.key = 'pcie.width_current' AND c.num BETWEEN 1 AND 32 AND m.num BETWEEN 1 AND 32
   AND NOT EXISTS (SELECT 1 FROM both b WHERE b.gpu_id = c.gpu_id)
),
narrow AS (
  SELECT * FROM both WHERE width < CASE WHEN port_max > 0 AND port_max < width_max THEN port_max ELSE width_max END
  UNION ALL SELECT * FROM card WHERE width < width_max
)
SELECT n.host_id AS host_id, n.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us,
 CASE WHEN n.port_max > 0 THEN 0.95 ELSE 0.5 END AS confidence,
 CASE WHEN n.line_c IS NULL THEN json_array(n.line_a, n.line_b) ELSE json_array(n.line_a, n.line_b, n.line_c) END AS evidence,
 CASE WHEN n.port_max > 0 THEN 'error'
      WHEN m.form = 'sxm' THEN 'warning'
      WHEN EXISTS (SELECT 1 FROM gpu p JOIN link pl ON pl.gpu_id = p.id WHERE p.host_id = n.host_id AND p.id <> n.gpu_id
                   AND p.name = g.name AND pl.sta_width > n.width) THEN 'warning'
      WHEN EXISTS (SELECT 1 FROM fact f WHERE f.gpu_id = n.gpu_id AND f.key = 'pcie.width_current' AND f.num > n.width) THEN 'warning'
      ELSE 'info' END AS severity,
 'width' || n.gpu_id AS grp,
 printf('%g', n.width) AS width, printf('%g', n.width_max) AS width_max,
 CASE WHEN n.sta_gts < n.cap_gts THEN printf(', %g of %g GT/s', n.sta_gts, n.cap_gts) ELSE '' END AS speed,
 CASE WHEN n.port_max > 0 THEN printf(', the port above can do x%d', n.port_max)
      ELSE '; the other end is not in the bundle' END AS other_end
FROM narrow n JOIN gpu g ON g.id = n.gpu_id LEFT JOIN kb_gpu_model m ON m.model = g.model
