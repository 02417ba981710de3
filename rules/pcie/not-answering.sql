-- id:       pcie.not-answering
-- title:    A GPU that reads as all ones on PCIe (rev ff, header 7f)
-- scope:    bundle
-- severity: critical
-- symptom:  missing
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.sel
-- needs:    table.pci_device
-- reads:    table.pci_device
-- explains: driver.gpu-unresponsive any gpu; driver.init-failed any gpu
-- summary:  {gpus} at {where} does not answer: its configuration space reads as all ones
-- meaning:  The kernel still lists the card from memory, but no read reaches it: no power, a dead link, or a card that stopped. No driver can
--           use it before it answers again.
-- action:   power_cycle
-- remedy:   Power the machine off fully and on. If it stays: reseat card, riser and power plugs, look into the BMC log, try the card in another
--           slot to tell card from slot.
-- falsepositives: A GPU that is switched off to save power (D3cold, Optimus, bbswitch) reads alike: laptops (chips that end in M), and hosts whose driver may switch
--           it off.
-- refs:     PCI Express Base Specification, 2.3.2 (all ones for requests without an answer); lspci manual; NVIDIA driver README, PCI-Express runtime D3
WITH dead AS (
  SELECT d.host_id, coalesce(d.gpu_id, n.gpu_id) AS gpu_id, d.bdf, substr(d.bdf, 1, length(d.bdf) - 2) AS card, d.line_id, d.source_id, d.name
  FROM pci_device d LEFT JOIN (SELECT DISTINCT g.host_id, w.value, w.gpu_id FROM gpu_name w JOIN gpu g ON g.id = w.gpu_id WHERE w.kind = 'bdf') n
    ON n.host_id = d.host_id AND n.value = d.bdf
  WHERE d.dead = 1 AND (d.vendor_id = 0x10de OR d.gpu_id IS NOT NULL OR n.gpu_id IS NOT NULL OR d.name LIKE '%NVIDIA%')
   AND coalesce(d.class_id / 256, 3) = 3
),
sleeping AS ( -- hosts that switch their GPU off
  SELECT e.host_id FROM event e WHERE e.kind = 'kernel.bbswitch'
  UNION SELECT f.host_id FROM fact f WHERE (f.key = 'power.runtime_d3' AND lower(f.value) LIKE 'enabled%')
    OR (f.key IN ('nvreg.DynamicPowerManagement', 'cmdline.nvidia.NVreg_DynamicPowerManagement') AND f.value IN ('1', '2', '0x01', '0x02'))
    OR (f.key = 'host.chassis' AND lower(f.value) IN ('laptop', 'notebook', 'convertible', 'tablet', 'portable'))
)
SELECT d.host_id AS host_id, d.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_group_array(d.line_id) AS evidence,
 'card ' || d.card AS grp, coalesce(g.label, 'an NVIDIA GPU') AS gpus, coalesce(d.bdf, 'an address that is not shown') AS "where"
FROM dead d LEFT JOIN gpu g ON g.id = d.gpu_id
WHERE NOT EXISTS (SELECT 1 FROM sleeping s WHERE s.host_id IS d.host_id) AND d.host_id IS NOT NULL
 AND coalesce(d.name, '') NOT LIKE '%Mobile%' AND coalesce(d.name, '') NOT LIKE '%Max-Q%' AND coalesce(d.name, '') NOT LIKE '%Laptop%'
 AND coalesce(d.name, '') NOT LIKE '%GeForce MX%' AND coalesce(d.name, '') NOT GLOB '*[A-Z][A-Z][0-9][0-9][0-9]*M [[]*'
 AND coalesce(g.name, '') NOT LIKE '%Laptop%' AND coalesce(g.name, '') NOT LIKE '%Max-Q%'
GROUP BY d.host_id, d.card, d.gpu_id
