-- id:       xid.firmware-boot
-- title:    The firmware of a GPU did not boot
-- scope:    bundle
-- severity: critical
-- symptom:  start
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   log.xid
-- needs:    log.xid
-- reads:    xid.143|event.nvrm.firmware_boot
-- explains: driver.init-failed +180 gpu; xid.gsp +180 gpu; xid.other +180 gpu; xid.recovery-action +180 gpu; driver.gpu-unresponsive overlap gpu;
--           driver.gpu-unresponsive +86400 gpu
-- summary:  {gpu}: {what}{status}{vbios}{times}
-- meaning:  Before the driver can do anything the card starts itself from its own flash. It did not get to the end of that: the driver and the
--           program have no part in it.
-- action:   power_cycle
-- remedy:   Power the machine off fully for a minute (a reboot keeps the card powered) and start it again. If it stays, update the VBIOS as
--           the vendor says; else the card is a candidate for replacement.
-- falsepositives: A GSP that does not start (Xid 119, RmInitAdapter 0x62): its firmware comes from the host's disk and has a rule of its own.
-- refs:     NVIDIA Xid catalog, 143; open-gpu-kernel-modules kern_fsp.c and kernel_gsp_tu102.c (texts), nvstatuscodes.h (kb_nv_status)
WITH said AS (
  SELECT e.*, coalesce(b.seq, 0) AS boot_seq, coalesce(e.gpu_id, 'at ' || r.bdf, 'unknown') AS seat,
   (SELECT printf('0x%02x', CAST(a.num AS INTEGER)) FROM event_attr a WHERE a.event_id = e.id AND a.name = 'status') AS status,
   (SELECT group_concat(value, ' ') FROM (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name LIKE 'word_' ORDER BY a.name)) AS words,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'vbios') AS vbios
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id LEFT JOIN gpu_ref r ON r.id = e.ref_id
  WHERE ((e.kind = 'xid' AND e.code = 143) OR e.kind = 'nvrm.firmware_boot') AND e.copy_of IS NULL AND e.host_id IS NOT NULL
)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = s.id AND el.role <> 'copy' ORDER BY 1 LIMIT 10)) AS evidence,
 'boot ' || s.seat || '/' || coalesce(s.boot_id, 0) AS grp,
 CASE WHEN s.boot_seq < 0 THEN 'history' END AS state,
 CASE WHEN s.kind = 'xid' THEN 'its boot processor (FSP) did not finish (Xid 143)' ELSE 'its firmware (GFW) did not finish booting' END AS what,
 coalesce(', status ' || s.status || coalesce(', ' || k.meaning, ''), '') || CASE WHEN replace(replace(coalesce(s.words, ''), '0x0', ''), ' ', '') <> '' THEN ', progress ' || s.words ELSE '' END AS status,
 coalesce(', VBIOS ' || s.vbios, '') AS vbios,
 CASE WHEN count(*) OVER (PARTITION BY s.host_id, s.seat, s.boot_id) > 1 THEN printf('; %d messages', count(*) OVER (PARTITION BY s.host_id, s.seat, s.boot_id)) ELSE '' END AS times
FROM said s LEFT JOIN kb_nv_status k ON k.status = s.status
