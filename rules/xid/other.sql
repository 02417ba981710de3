-- id:       xid.other
-- title:    A driver error (Xid) that has no rule of its own yet
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.xid
-- needs:    log.xid
-- reads:    event.xid
-- explains: xid.burst overlap gpu; xid.recovery-action +180 gpu; xid.sympathetic +180 gpu; xid.mmu-fault +180 gpu; xid.sm-exception +180 gpu
-- summary:  {gpu}: Xid {code}, {description}{who}{times}
-- meaning:  What NVIDIA's catalog says of this code: {description}. Likely causes: {causes}.
-- action:   collect
-- remedy:   {advice}
-- falsepositives: Messages that follow an earlier error within three minutes are counted under that one.
-- refs:     NVIDIA Xid catalog; kb_xid
WITH own AS (
  SELECT x.*, b.seq AS boot_seq, i.root_event,
   CAST(coalesce((SELECT f.value FROM fact f WHERE f.key = 'driver.version' AND f.layer = 'loaded' AND f.host_id = x.host_id AND f.boot_id = x.boot_id
                   AND coalesce(f.t_us <= x.t_us, 1) ORDER BY f.t_us DESC LIMIT 1),
                 (SELECT c.value FROM contract c WHERE c.key = 'driver.version' AND c.host_id = x.host_id AND c.layer IN ('loaded', 'nvml')
                  ORDER BY c.layer LIMIT 1)) AS INTEGER) AS branch
  FROM xid x LEFT JOIN incident i ON i.id = x.incident_id LEFT JOIN boot b ON b.id = x.boot_id
  WHERE x.rule = 'xid.other' AND (i.root_event IS NULL OR i.root_event = x.id OR (i.kind = 'xid' AND i.code = x.code))
),
-- Some branches gave a number to what others call by another.
means AS (
  SELECT o.*, coalesce((SELECT k.code FROM kb_xid_by_branch v JOIN kb_xid k ON k.mnemonic = v.mnemonic
                        WHERE v.code = o.code AND instr(',' || v.branches || ',', ',' || o.branch || ',') > 0 AND k.code <> o.code), o.code) AS as_code
  FROM own o
),
counted AS (
  SELECT host_id, gpu_id, code, count(DISTINCT coalesce(incident_id, -id)) AS incidents, count(DISTINCT process) AS programs, max(coalesce(boot_seq, 0)) AS last_seq
  FROM own GROUP BY host_id, gpu_id, code
),
per AS (
  SELECT o.*, k.description AS what, k.likely_causes, k.severity AS bad, k.action AS act, c.incidents, c.programs, c.last_seq
  FROM means o JOIN kb_xid k ON k.code = o.as_code JOIN counted c ON c.host_id IS o.host_id AND c.gpu_id IS o.gpu_id AND c.code = o.code
)
SELECT p.host_id AS host_id, p.gpu_id AS gpu_id, p.instance_id AS instance_id, p.t_us AS t0_us, p.t_us AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = p.id AND el.role <> 'copy' ORDER BY el.line_id LIMIT 10)) AS evidence,
 p.bad AS severity, p.act AS action,
 'xid' || p.code || '/' || coalesce(p.gpu_id, 'host') AS grp,
 CASE WHEN p.last_seq < 0 THEN 'history' END AS state,
 p.code AS code, p.what || CASE WHEN p.as_code <> p.code THEN printf(' (what branch %d means by it)', p.branch) ELSE '' END AS description,
 coalesce(replace(p.likely_causes, ',', ', '), 'not published') AS causes,
 CASE WHEN p.programs > 1 THEN printf(', %d different programs', p.programs) ELSE coalesce(', ' || p.process, '') END AS who,
 CASE WHEN p.incidents > 1 THEN printf(', %d incidents', p.incidents) ELSE '' END AS times,
 CASE p.act WHEN 'reset_gpu' THEN 'With nothing running on it: nvidia-smi -r -i INDEX; reboot if that fails.'
  WHEN 'reboot_node' THEN 'If it comes back after the reboot, test the GPU (dcgmi diag -r 3).'
  WHEN 'restart_app' THEN 'If other programs fail on the same GPU too, treat it as hardware.'
  WHEN 'fix_host' THEN 'Look at driver, firmware, slot and links.' WHEN 'drain_rma_candidate' THEN 'Run the field diagnostic before the card is sent in.'
  WHEN 'none' THEN 'This message alone asks for nothing.' WHEN 'watch' THEN 'It matters if it comes again.'
  ELSE 'Run nvidia-bug-report.sh now, before a reboot, and ask the vendor.' END AS advice
FROM per p
