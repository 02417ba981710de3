-- id:       pcie.errors
-- title:    PCIe errors of a GPU or of a port above it (AER, DPC, link down)
-- scope:    bundle
-- severity: error
-- symptom:  transfer
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   pcie.ports
-- needs:    log.kernel.aer
-- reads:    event.kernel.aer|event.kernel.aer_received|event.kernel.aer_unrecovered|event.kernel.dpc|event.kernel.surprise_down|table.pci_device
-- params:   corrected_n=100 sticky_bits=2 sticky_peers=2
-- explains: xid.fallen-off-bus +180 gpu; xid.burst +180 gpu; xid.other +180 gpu; driver.gpu-unresponsive +180 gpu; driver.gpu-unresponsive +86400 gpu
-- summary:  {gpu}: {what} at {device}{kinds}{behind}{times}{after}
-- meaning:  {means} What stands behind a port shares its fate: several GPUs at once are one incident.
-- action:   fix_host
-- remedy:   {advice}
-- falsepositives: Errors of Wi-Fi, NVMe and network devices and of ports with no GPU behind them; error bits in lspci, which stay set from
--           the start of the machine, unless one card has several that none of its siblings has; some corrected errors (info); errors that only follow the loss of the GPU (info).
-- refs:     Linux drivers/pci/pcie/aer.c, dpc.c; PCI Express Base Specification, 6.2 (severities), 7.8.4.5 (sticky bits); corrected_n, sticky_bits, sticky_peers: practice
WITH seat AS ( -- what has a GPU behind it: the card itself, its other functions, the ports above
  SELECT DISTINCT g.host_id, substr(n.value, 1, length(n.value) - 1) AS card, g.id AS gpu_id, n.boot_id
  FROM gpu_name n JOIN gpu g ON g.id = n.gpu_id WHERE n.kind = 'bdf'
),
above(host_id, gpu_id, id, depth) AS (
  SELECT d.host_id, d.gpu_id, d.parent_id, 1 FROM pci_device d WHERE d.gpu_id IS NOT NULL AND d.parent_id IS NOT NULL
  UNION
  SELECT a.host_id, a.gpu_id, p.parent_id, a.depth + 1 FROM above a JOIN pci_device p ON p.id = a.id WHERE p.parent_id IS NOT NULL AND a.depth < 16
),
port AS (SELECT DISTINCT a.host_id, a.gpu_id, p.bdf FROM above a JOIN pci_device p ON p.id = a.id WHERE p.bdf IS NOT NULL),
-- A port says first that a message came, and last that the device did not come back. Where the error itself is said, those add nothing.
told AS (
  SELECT e.*, d.value AS device, count(CASE e.kind WHEN 'kernel.aer' THEN 1 END) OVER near AS errors, count(CASE e.kind WHEN 'kernel.aer_received' THEN 1 END) OVER near AS messages
  FROM event e LEFT JOIN event_attr d ON d.event_id = e.id AND d.name = 'device'
  WHERE e.kind IN ('kernel.aer', 'kernel.aer_received', 'kernel.aer_unrecovered', 'kernel.dpc', 'kernel.surprise_down') AND e.copy_of IS NULL AND e.host_id IS NOT NULL
  WINDOW near AS (PARTITION BY e.host_id, e.t_quality, d.value ORDER BY e.t_us RANGE BETWEEN 2000000 PRECEDING AND 2000000 FOLLOWING)
),
said AS (
  SELECT e.id, e.kind, e.host_id, e.boot_id, e.incident_id, e.t_us, e.t_quality, e.line_id, e.repeats, e.gpu_id, e.device,
   coalesce((SELECT a.value LIKE '10de:%' FROM event_attr a WHERE a.event_id = e.id AND a.name = 'pci_id'), 0) AS nvidia,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'type') AS layer,
   (SELECT a.num FROM event_attr a WHERE a.event_id = e.id AND a.name = 'status') AS status,
   coalesce((SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'severity'), '') AS severity
  FROM told e
  WHERE CASE e.kind WHEN 'kernel.aer_received' THEN NOT e.errors WHEN 'kernel.aer_unrecovered' THEN NOT e.errors AND NOT e.messages ELSE 1 END
),
graded AS ( -- 4 the link is gone, 3 data was lost, 2 a request that nobody takes, 1 mended by the link itself
  SELECT s.*, CASE WHEN s.kind IN ('kernel.dpc', 'kernel.surprise_down') OR s.severity LIKE '%(Fatal)%' OR s.severity = 'Fatal' THEN 4
    WHEN s.severity LIKE 'Correct%' THEN 1 WHEN s.status = 0x100000 THEN 2 ELSE 3 END AS grade
  FROM said s
),
lost AS (
  SELECT e.incident_id, e.gpu_id, min(e.t_us) AS t_us, min(e.id) AS id FROM event e
  WHERE ((e.kind = 'xid' AND e.code = 79) OR e.kind = 'nvrm.fallen_off_bus') AND e.copy_of IS NULL AND e.incident_id IS NOT NULL
  GROUP BY e.incident_id, e.gpu_id
),
hit AS (
  SELECT g.*, g.gpu_id AS at_gpu, 1 AS own, 0.95 AS sure FROM graded g WHERE g.gpu_id IS NOT NULL
  UNION ALL
  SELECT DISTINCT g.*, t.gpu_id, 1, 0.95 FROM graded g
  JOIN seat t ON t.host_id = g.host_id AND t.card = substr(g.device, 1, length(g.device) - 1) AND coalesce(t.boot_id = g.boot_id, 1) WHERE g.gpu_id IS NULL
  UNION ALL
  SELECT g.*, p.gpu_id, 0, 0.85 FROM graded g JOIN port p ON p.host_id = g.host_id AND p.bdf = g.device WHERE g.gpu_id IS NULL
  UNION ALL -- no GPU is known at this address, but the device is NVIDIA's
  SELECT g.*, NULL, 1, 0.7 FROM graded g
  WHERE g.gpu_id IS NULL AND g.nvidia AND NOT EXISTS (SELECT 1 FROM seat t WHERE t.host_id = g.host_id AND t.card = substr(g.device, 1, length(g.device) - 1))
   AND NOT EXISTS (SELECT 1 FROM pci_device d WHERE d.host_id = g.host_id AND d.bdf = g.device AND d.class_id / 256 NOT IN (3, 4))
  UNION ALL -- a port whose place nobody told, right before the loss of a GPU
  SELECT g.*, l.gpu_id, 0, 0.7 FROM graded g JOIN lost l ON l.incident_id = g.incident_id
  WHERE g.gpu_id IS NULL AND g.grade = 4 AND NOT g.nvidia AND g.t_us <= l.t_us
   AND (g.kind NOT IN ('kernel.aer', 'kernel.aer_received', 'kernel.aer_unrecovered') OR g.device IS NOT NULL)
   AND NOT EXISTS (SELECT 1 FROM pci_device d WHERE d.host_id = g.host_id AND d.bdf = g.device)
   AND NOT EXISTS (SELECT 1 FROM seat t WHERE t.host_id = g.host_id AND t.card = substr(g.device, 1, length(g.device) - 1))
),
late AS ( -- a GPU that is gone answers nothing: errors from then on are no cause
  SELECT h.*, EXISTS (SELECT 1 FROM lost l WHERE l.incident_id = h.incident_id AND l.gpu_id IS h.at_gpu AND (l.t_us < h.t_us OR (l.t_us = h.t_us AND l.id < h.id))) AS after,
   EXISTS (SELECT 1 FROM lost l WHERE l.incident_id = h.incident_id AND l.gpu_id IS h.at_gpu) AS fatal
  FROM hit h
),
keyed AS (
  SELECT l.*, CASE WHEN l.grade = 4 AND l.kind NOT LIKE 'kernel.aer\_%' ESCAPE '\' THEN 'incident ' || coalesce(l.incident_id, -l.id) || ' ' || l.after
    ELSE 'device ' || coalesce(l.device, '') || '/' || coalesce(l.boot_id, 0) || '/' || (CASE l.grade WHEN 4 THEN 4 ELSE l.grade = 1 END) || l.after END AS life,
   row_number() OVER (PARTITION BY l.id ORDER BY l.at_gpu) AS copy
  FROM late l
),
per AS (
  SELECT k.host_id, k.life, max(k.grade) AS grade, max(k.after) AS after, max(k.fatal AND NOT k.after) AS led, count(DISTINCT k.at_gpu) AS gpus, max(k.own) AS own, count(DISTINCT k.device) AS devices,
   sum(CASE k.copy WHEN 1 THEN k.repeats ELSE 0 END) AS n
  FROM keyed k GROUP BY k.host_id, k.life
),
-- BadTLP, BadDLLP, Timeout, Rollover: packets that were sent again. RxErr alone is left over from training.
bits AS (
  SELECT d.id, d.host_id, d.gpu_id, d.source_id, d.bdf, d.line_id, d.ce_status,
   (d.ce_status LIKE '%BadTLP%') + (d.ce_status LIKE '%BadDLLP%') + (d.ce_status LIKE '%Timeout%') + (d.ce_status LIKE '%Rollover%') AS n
  FROM pci_device d WHERE d.gpu_id IS NOT NULL AND d.host_id IS NOT NULL AND d.bdf IS NOT NULL AND d.ce_status IS NOT NULL AND NOT d.dead
),
odd AS (
  SELECT b.* FROM bits b
  WHERE b.n >= coalesce(:sticky_bits, 2) AND NOT EXISTS (SELECT 1 FROM bits o WHERE o.source_id = b.source_id AND o.gpu_id <> b.gpu_id AND o.n > 0)
   AND (SELECT count(DISTINCT o.gpu_id) FROM bits o WHERE o.source_id = b.source_id AND o.gpu_id <> b.gpu_id) >= coalesce(:sticky_peers, 2)
),
first AS (
  SELECT k.*, row_number() OVER (PARTITION BY k.host_id, k.life ORDER BY k.t_us, k.id) AS nth FROM keyed k
)
SELECT b.host_id AS host_id, b.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.7 AS confidence, json_array(b.line_id) AS evidence, 'bits ' || b.gpu_id AS grp,
 'warning' AS severity, 'fix_host' AS action, NULL AS state, 'corrected errors of the link that none of its siblings has' AS what, b.bdf AS device,
 ' (' || trim(b.ce_status) || ')' AS kinds, '' AS behind, '' AS times, '' AS after,
 'The bits stay set since the machine started or the driver cleared them, so when it was is not known; but what all cards alike would have from training, this one has alone.' AS means,
 'Reseat this card, its riser and cables first, or swap it with another slot to tell card from slot.' AS advice
FROM odd b
UNION ALL
SELECT k.host_id AS host_id, k.at_gpu AS gpu_id, CASE WHEN p.after THEN NULL ELSE min(k.t_us) END AS t0_us, CASE WHEN p.after THEN NULL ELSE max(k.t_us) END AS t1_us, max(k.sure) AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT DISTINCT el.line_id FROM (SELECT x.id FROM first x WHERE x.host_id = k.host_id AND x.life = k.life AND x.nth <= 20) y
   JOIN event_line el ON el.event_id = y.id WHERE el.role <> 'copy' ORDER BY 1 LIMIT 50)) AS evidence,
 k.life AS grp,
 CASE WHEN p.after THEN 'info' WHEN p.grade = 4 THEN 'critical' WHEN p.grade = 3 OR p.led THEN 'error' WHEN p.grade = 2 THEN 'warning'
  WHEN p.n >= coalesce(:corrected_n, 100) THEN 'warning' ELSE 'info' END AS severity,
 CASE WHEN p.grade = 4 AND NOT p.after THEN 'power_cycle' WHEN p.after THEN 'none' WHEN p.grade < 3 AND NOT p.led THEN 'watch' ELSE 'fix_host' END AS action,
 CASE WHEN max(coalesce(b.seq, 0)) < 0 THEN 'history' WHEN p.after THEN 'unknown' END AS state,
 CASE p.grade WHEN 4 THEN CASE f.kind WHEN 'kernel.dpc' THEN 'the port cut off what is behind it (DPC)' WHEN 'kernel.surprise_down' THEN 'the PCIe link went down'
    ELSE 'fatal PCIe errors' END
  WHEN 1 THEN 'corrected PCIe errors' ELSE 'uncorrected PCIe errors' END AS what,
 coalesce(f.device, 'an unnamed port') AS device,
 coalesce(' (' || f.layer || ')', '') AS kinds,
 CASE WHEN p.own THEN '' WHEN p.gpus > 1 THEN printf(', a port above %d GPUs', p.gpus) ELSE ', a port above it' END AS behind,
 CASE WHEN p.n > 1 THEN printf(', %d messages', p.n) ELSE '' END || CASE WHEN p.devices > 1 THEN printf(' of %d devices', p.devices) ELSE '' END AS times,
 CASE WHEN p.after THEN '; they follow the loss of the GPU' WHEN p.led THEN '; then the GPU was lost' ELSE '' END AS after,
 CASE WHEN p.after THEN 'A GPU that is gone answers no request, and each of these is reported.'
  WHEN p.grade = 4 THEN 'The link to the card broke, and the kernel says so itself: evidence points at slot, riser, cable, power or the card, not at driver or program.'
  WHEN p.grade = 1 THEN 'The link mended these itself: they cost time, not data. Many of them mean a poor signal.'
  WHEN p.grade = 2 THEN 'A request was refused (Unsupported Request). At the start of a driver this is common and harmless.'
  ELSE 'A transfer was lost or refused, though the link stayed up.' END AS means,
 CASE WHEN p.after THEN 'Follow the loss itself.'
  WHEN p.grade = 4 THEN 'Drain the node, read the BMC log of that minute, power off fully, reseat card, riser and cables. Swap the card with one of another slot to tell card from slot.'
  WHEN p.grade = 1 AND NOT p.led AND p.n < coalesce(:corrected_n, 100) THEN 'Nothing to do; watch whether they become many.'
  ELSE 'Compare with the other slots (lspci -vvv), reseat card and riser, update the BIOS and the firmware of switches and retimers. Swap with another slot to tell card from slot.' END AS advice
FROM keyed k JOIN per p ON p.host_id = k.host_id AND p.life = k.life JOIN first f ON f.host_id = k.host_id AND f.life = k.life AND f.nth = 1
 LEFT JOIN boot b ON b.id = k.boot_id
GROUP BY k.host_id, k.life, k.at_gpu
