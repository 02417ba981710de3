-- id:       xid.unknown-code
-- title:    The driver reported an error (Xid) that the catalog does not know
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.xid
-- needs:    log.xid
-- reads:    event.xid|event.xid.unreadable
-- explains: xid.sympathetic +180 gpu
-- summary:  {gpu}: {what}{who}{times}
-- meaning:  The driver is newer than the catalog in this program, or prints a code that no public source explains. Not known is not harmless:
--           the text of the line is all there is.
-- action:   collect
-- remedy:   Collect nvidia-bug-report.sh now, before a reboot, and look the code up in NVIDIA's current Xid catalog.
-- falsepositives: SXid of NVSwitches, which have a catalog of their own.
-- refs:     NVIDIA Xid catalog; kb_xid
WITH own AS (
  SELECT e.*, b.seq AS boot_seq, coalesce('xid' || e.code, 'unreadable') AS what
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id LEFT JOIN kb_xid k ON k.code = e.code
  WHERE e.copy_of IS NULL AND e.host_id IS NOT NULL AND ((e.kind = 'xid' AND k.code IS NULL) OR e.kind = 'xid.unreadable')
)
SELECT o.host_id AS host_id, o.gpu_id AS gpu_id, o.instance_id AS instance_id, o.t_us AS t0_us, o.t_us AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = o.id AND el.role <> 'copy' ORDER BY el.line_id LIMIT 10)) AS evidence,
 o.what || '/' || coalesce(o.gpu_id, 'host') AS grp,
 CASE WHEN max(coalesce(o.boot_seq, 0)) OVER (PARTITION BY o.host_id, o.gpu_id, o.what) < 0 THEN 'history' END AS state,
 CASE WHEN o.kind = 'xid' THEN printf('Xid %d, which the catalog does not know', o.code) ELSE 'an Xid line in a form that is not known' END AS what,
 coalesce(', ' || o.process, '') AS who,
 CASE WHEN count(*) OVER (PARTITION BY o.host_id, o.gpu_id, o.what) > 1
      THEN printf(', %d messages', sum(o.repeats) OVER (PARTITION BY o.host_id, o.gpu_id, o.what)) ELSE '' END AS times
FROM own o
