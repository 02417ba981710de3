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
-- explains: xid.sympathetic +180 gpu; xid.other +180 gpu; xid.mmu-fault +180 gpu
-- summary:  {gpus} fell off the bus{together}{earlier}
-- meaning:  The driver read nothing but ones from the card: power, slot, riser or cable, heat, or the card itself. The driver does not
--           cause this, and no application does.
-- action:   reboot_node
-- remedy:   Power it off fully (a warm reboot is not enough), reseat card, riser and power plugs, look into the BMC log at that minute. If it
--           comes back on the same card in another slot, ask for the card; on the same slot with another card, look at the host.
-- falsepositives: Laptops whose discrete GPU is switched off for power (bbswitch, Optimus).
-- refs:     NVIDIA Xid catalog, 79; open-gpu-kernel-modules nvrm text "GPU has fallen off the bus"
WITH lost AS (
  SELECT i.id, i.host_id, i.gpu_id, i.boot_id, i.t0_us, i.t1_us, i.t_quality, i.gpus, i.port
  FROM incident i
  WHERE EXISTS (SELECT 1 FROM event e WHERE e.incident_id = i.id AND e.copy_of IS NULL
                AND ((e.kind = 'xid' AND e.code = 79) OR e.kind = 'nvrm.fallen_off_bus'))
   AND NOT EXISTS (SELECT 1 FROM event b WHERE b.host_id = i.host_id AND b.kind = 'kernel.bbswitch')
),
hit AS (
  SELECT DISTINCT l.id AS incident, e.gpu_id, e.ref_id, l.host_id, l.t0_us, l.t1_us, l.boot_id, l.port, e.id AS event_id, e.line_id,
   coalesce(r.bdf, '') AS bdf
  FROM lost l JOIN event e ON e.incident_id = l.id AND e.copy_of IS NULL LEFT JOIN gpu_ref r ON r.id = e.ref_id
  WHERE (e.kind = 'xid' AND e.code = 79) OR e.kind = 'nvrm.fallen_off_bus'
)
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, min(h.t0_us) AS t0_us, max(h.t1_us) AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT DISTINCT el.line_id FROM hit x JOIN event_line el ON el.event_id = x.event_id
   WHERE x.incident = h.incident AND el.role <> 'copy' ORDER BY el.line_id LIMIT 50)) AS evidence,
 'incident' || h.incident AS grp,
 CASE WHEN b.seq < 0 THEN 'history' END AS state,
 (SELECT group_concat(label, ', ') FROM (SELECT DISTINCT coalesce(g.label, 'the GPU at ' || x.bdf) AS label FROM hit x
   LEFT JOIN gpu g ON g.id = x.gpu_id WHERE x.incident = h.incident ORDER BY 1)) AS gpus,
 CASE WHEN (SELECT count(DISTINCT coalesce(x.bdf, x.gpu_id)) FROM hit x WHERE x.incident = h.incident) > 1
      THEN ' in the same moment' || coalesce(' behind port ' || h.port, '') || ': one common cause' ELSE '' END AS together,
 CASE WHEN (SELECT count(DISTINCT o.id) FROM lost o WHERE o.host_id = h.host_id AND o.id <> h.incident) > 0
      THEN '; ' || (SELECT count(DISTINCT o.id) FROM lost o WHERE o.host_id = h.host_id AND o.id <> h.incident) || ' other such incident(s) on this host'
      ELSE '' END AS earlier
FROM hit h LEFT JOIN boot b ON b.id = h.boot_id
GROUP BY h.incident, h.gpu_id
