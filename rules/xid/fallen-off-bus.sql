-- id:       xid.fallen-off-bus
-- title:    A GPU stopped answering on PCIe
-- scope:    bundle
-- severity: critical
-- symptom:  missing
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.sel
-- needs:    log.xid
-- reads:    xid.79|event.nvrm.fallen_off_bus
-- params:   before_min=10
-- explains: xid.burst overlap gpu; xid.recovery-action +180 gpu; xid.sympathetic +180 gpu; xid.other +180 gpu; xid.mmu-fault +180 gpu; xid.sm-exception +180 gpu; xid.gsp +180 gpu; driver.init-failed +180 gpu; driver.watchdog +180 host; host.scheduler-missing +86400 host; host.job-ended +600 host; fabric.sxid +180 host; xid.nvlink +180 host;
--           driver.gpu-unresponsive overlap gpu; driver.gpu-unresponsive +86400 gpu; pcie.not-answering any gpu; pcie.gpu-count any gpu; host.hung-task +600 host; host.unclean-stop +600 host; host.nccl-hang +7200 host; nvlink.inactive any gpu
-- summary:  {gpus} fell off the bus{together}{before}{earlier}
-- meaning:  The driver read nothing but ones from the card: power, slot, riser or cable, heat, or the card itself. The driver does not
--           cause this, and no application does.
-- action:   reboot_node
-- remedy:   Where a reboot does not bring it back, power it off fully, reseat card, riser and power plugs. Look into the BMC log at that minute.
--           If it comes back on the same card in another slot, ask for the card; on the same slot with another card, look at the host.
-- falsepositives: Laptops whose discrete GPU is switched off to save power (bbswitch, Optimus): what asks for it then gets no answer.
-- refs:     NVIDIA Xid catalog, 79; open-gpu-kernel-modules nvrm text "GPU has fallen off the bus"
WITH RECURSIVE lost AS (
  SELECT e.id AS event_id, e.incident_id, e.host_id, e.gpu_id, e.boot_id, e.t_quality, r.bdf
  FROM event e LEFT JOIN gpu_ref r ON r.id = e.ref_id
  WHERE ((e.kind = 'xid' AND e.code = 79) OR e.kind = 'nvrm.fallen_off_bus') AND e.copy_of IS NULL
),
-- bbswitch names its card when it is loaded; when it switches it only says "discrete".
gated AS (
  SELECT l.event_id FROM lost l
  WHERE EXISTS (SELECT 1 FROM event b JOIN event_attr a ON a.event_id = b.id AND a.name = 'switch' AND a.value <> 'on'
                WHERE b.kind = 'kernel.bbswitch' AND b.host_id = l.host_id AND coalesce(b.boot_id = l.boot_id, 1))
   AND coalesce((SELECT max(a.value = l.bdf) FROM event b JOIN event_attr a ON a.event_id = b.id AND a.name = 'device'
                 WHERE b.kind = 'kernel.bbswitch' AND b.host_id = l.host_id), 1)
),
hit AS (
  SELECT l.*, i.t0_us, i.t1_us, i.port, coalesce(g.label, 'the GPU at ' || l.bdf, 'an unidentified GPU') AS label,
   coalesce('gpu ' || l.gpu_id, l.bdf) AS seat, g.serial
  FROM lost l JOIN incident i ON i.id = l.incident_id LEFT JOIN gpu g ON g.id = l.gpu_id
  WHERE l.event_id NOT IN (SELECT event_id FROM gated)
),
per AS (
  SELECT incident_id, host_id, boot_id, min(t0_us) AS t0_us, max(t1_us) AS t1_us, max(t_quality) AS t_quality, max(port) AS port,
   count(DISTINCT seat) AS seats, CASE WHEN count(*) = count(serial) THEN count(DISTINCT serial) END AS boards
  FROM hit GROUP BY incident_id
),
-- What stands above a lost GPU, itself included: what other devices say is their own affair.
above(incident_id, id, bdf, depth) AS (
  SELECT DISTINCT h.incident_id, d.id, d.bdf, 0 FROM hit h JOIN pci_device d ON d.gpu_id = h.gpu_id
  UNION
  SELECT a.incident_id, p.id, p.bdf, a.depth + 1 FROM above a JOIN pci_device d ON d.id = a.id JOIN pci_device p ON p.id = d.parent_id WHERE a.depth < 16
),
total AS (SELECT host_id, count(*) AS n FROM per GROUP BY host_id),
-- What may announce it: errors of the link, of power, of the platform.
omen AS (
  SELECT p.incident_id, e.line_id, e.t_us,
   CASE e.kind WHEN 'kernel.aer' THEN 'PCIe errors' WHEN 'kernel.aer_received' THEN 'PCIe errors' WHEN 'kernel.dpc' THEN 'a port cut off (DPC)' WHEN 'kernel.mce' THEN 'platform errors'
    WHEN 'kernel.surprise_down' THEN 'a link went down' WHEN 'kernel.iommu_fault' THEN 'IOMMU faults'
    WHEN 'nvrm.power_cable' THEN 'no auxiliary power' ELSE 'Xid ' || e.code END AS what
  FROM per p CROSS JOIN event e ON e.host_id = p.host_id AND e.t_quality = p.t_quality AND e.copy_of IS NULL
   AND e.t_us BETWEEN p.t1_us - coalesce(:before_min, 10) * 60000000 AND p.t1_us
  LEFT JOIN event_attr d ON d.event_id = e.id AND d.name = 'device' AND d.value GLOB '[0-9a-f]*:[0-9a-f]*:[0-9a-f]*.[0-7]'
  WHERE (e.kind IN ('kernel.aer', 'kernel.aer_received', 'kernel.dpc', 'kernel.mce', 'kernel.surprise_down', 'kernel.iommu_fault', 'nvrm.power_cable', 'xid')
   AND (e.kind <> 'xid' OR e.code IN (54, 62, 167, 176)))
   AND (e.gpu_id IS NULL OR e.gpu_id IN (SELECT h.gpu_id FROM hit h WHERE h.incident_id = p.incident_id))
   AND (e.gpu_id IS NOT NULL OR d.value IS NULL OR d.value IN (SELECT a.bdf FROM above a WHERE a.incident_id = p.incident_id)
    OR NOT EXISTS (SELECT 1 FROM gpu_name n JOIN gpu g ON g.id = n.gpu_id WHERE n.kind = 'bdf' AND n.value = d.value AND g.host_id = e.host_id
                   AND g.id NOT IN (SELECT h.gpu_id FROM hit h WHERE h.incident_id = p.incident_id AND h.gpu_id IS NOT NULL))
    AND NOT EXISTS (SELECT 1 FROM pci_device x WHERE x.host_id = e.host_id AND x.bdf = d.value))
),
announced AS (
  SELECT incident_id, group_concat(what, ', ') AS what FROM (SELECT DISTINCT incident_id, what FROM omen ORDER BY 1, 2) GROUP BY incident_id
),
named AS (
  SELECT incident_id, group_concat(label, ', ') AS gpus FROM (SELECT DISTINCT incident_id, label FROM hit ORDER BY 1, 2) GROUP BY incident_id
),
cited AS (
  SELECT incident_id, json_group_array(line_id) AS evidence FROM (
   SELECT incident_id, line_id, row_number() OVER (PARTITION BY incident_id ORDER BY line_id) AS nth FROM (
    SELECT x.incident_id, el.line_id FROM hit x JOIN event_line el ON el.event_id = x.event_id AND el.role <> 'copy'
    UNION
    SELECT incident_id, line_id FROM (SELECT incident_id, line_id, row_number() OVER (PARTITION BY incident_id ORDER BY t_us DESC) AS nth FROM omen) WHERE nth <= 10))
  WHERE nth <= 50 GROUP BY incident_id
)
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, p.t0_us AS t0_us, p.t1_us AS t1_us, 0.95 AS confidence,
 c.evidence AS evidence,
 'incident' || h.incident_id AS grp,
 CASE WHEN b.seq < 0 THEN 'history' END AS state,
 d.gpus AS gpus,
 CASE WHEN p.seats < 2 THEN '' ELSE ' in the same moment' || coalesce(' behind port ' || p.port, '')
  || CASE WHEN p.boards = 1 THEN ': they are on one board' ELSE ': one common cause' END END AS together,
 CASE WHEN a.what IS NOT NULL THEN '; before it: ' || a.what
  WHEN EXISTS (SELECT 1 FROM coverage c WHERE c.host_id = h.host_id AND c.what = 'log.kernel.aer' AND c.whole
               AND c.to_us >= p.t1_us AND c.from_us <= p.t1_us - coalesce(:before_min, 10) * 60000000)
   THEN printf('; no error of PCIe, power or platform was logged in the %d minutes before', coalesce(:before_min, 10)) ELSE '' END AS before,
 CASE WHEN n.n > 1 THEN printf('; %d other such incident(s) on this host', n.n - 1) ELSE '' END AS earlier
FROM per p CROSS JOIN hit h ON h.incident_id = p.incident_id LEFT JOIN cited c ON c.incident_id = h.incident_id LEFT JOIN named d ON d.incident_id = h.incident_id
 LEFT JOIN announced a ON a.incident_id = h.incident_id LEFT JOIN total n ON n.host_id = h.host_id LEFT JOIN boot b ON b.id = h.boot_id
GROUP BY h.incident_id, h.gpu_id
