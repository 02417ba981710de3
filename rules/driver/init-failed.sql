-- id:       driver.init-failed
-- title:    The driver could not start a GPU
-- scope:    bundle
-- severity: critical
-- symptom:  start
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   pcie.ports
-- needs:    log.nvrm.init_failed
-- reads:    event.nvrm.init_failed|event.nvrm.bar_invalid|event.nvrm.probe_failed|event.nvrm.none_initialized
-- summary:  {gpu}: the driver could not start it{triple}: {why}{virtual}{times}{after}
-- meaning:  Without this step no program can use the GPU, and nvidia-smi does not list it. The first number says at which step it stopped, the
--           second why; the third is a line of the driver's source and says nothing across versions.
-- action:   collect
-- remedy:   {advice}
-- falsepositives: Virtual machines: there the passed-through device or the driver of the host is the first suspect, which is said. A GPU that
--           another driver owns, that this driver does not support, or that is gone from PCIe is told by the rules for that.
-- refs:     open-gpu-kernel-modules osinit.c and nvstatuscodes.h (kb_rm_init, kb_nv_status); NVIDIA driver README, common problems
WITH said AS (
  SELECT e.*, coalesce(b.seq, 0) AS boot_seq, r.bdf,
   (SELECT printf('0x%02x', CAST(a.num AS INTEGER)) FROM event_attr a WHERE a.event_id = e.id AND a.name = 'init_status') AS stage,
   (SELECT printf('0x%02x', CAST(a.num AS INTEGER)) FROM event_attr a WHERE a.event_id = e.id AND a.name = 'rm_status') AS status,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'count') AS failed
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id LEFT JOIN gpu_ref r ON r.id = e.ref_id
  WHERE e.kind IN ('nvrm.init_failed', 'nvrm.bar_invalid', 'nvrm.probe_failed', 'nvrm.none_initialized') AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
owed AS ( -- the second line of a failure has no numbers: it is of the one before, which is found going back line by line
  SELECT s.*, CASE WHEN s.kind = 'nvrm.init_failed' AND (s.stage IS NULL OR s.status IS NULL) THEN (
    SELECT o.id FROM event o JOIN event_attr a ON a.event_id = o.id AND a.name = 'init_status'
    WHERE o.line_id BETWEEN s.source_id << 32 AND s.line_id - 1 AND o.copy_of IS NULL AND o.host_id = s.host_id AND +o.boot_id IS s.boot_id AND coalesce(o.gpu_id = s.gpu_id, 1)
     AND +o.kind IN ('nvrm.init_failed', 'nvrm.bar_invalid', 'nvrm.probe_failed', 'nvrm.none_initialized') ORDER BY o.line_id DESC LIMIT 1) END AS before_id
  FROM said s
),
hit AS (
  SELECT s.*,
   coalesce(s.stage, (SELECT printf('0x%02x', CAST(a.num AS INTEGER)) FROM event_attr a WHERE a.event_id = s.before_id AND a.name = 'init_status')) AS at,
   coalesce(s.status, (SELECT printf('0x%02x', CAST(a.num AS INTEGER)) FROM event_attr a WHERE a.event_id = s.before_id AND a.name = 'rm_status')) AS with_status
  FROM owed s
  -- What is said of all GPUs counts only where nothing says more.
  WHERE s.kind IN ('nvrm.init_failed', 'nvrm.bar_invalid')
   OR NOT EXISTS (SELECT 1 FROM event o WHERE o.host_id = s.host_id AND o.boot_id IS s.boot_id AND o.kind IN ('nvrm.init_failed', 'nvrm.bar_invalid',
     'nvrm.unsupported', 'nvrm.not_probed', 'nvrm.no_gpu', 'nvrm.fallen_off_bus', 'nvrm.power_cable', 'nvrm.firmware_boot', 'nvrm.firmware_missing', 'kernel.device_lost'))
),
keyed AS (
  SELECT h.*, CASE h.kind WHEN 'nvrm.bar_invalid' THEN 'bar' WHEN 'nvrm.init_failed' THEN coalesce(h.at, '?') || ':' || coalesce(h.with_status, '?')
    ELSE 'probe' END AS what
  FROM hit h
),
per AS (
  SELECT k.host_id, k.what, max(k.boot_seq) AS boot_seq, count(DISTINCT k.boot_id) AS boots,
   sum(CASE WHEN k.kind = 'nvrm.init_failed' AND (k.stage IS NOT NULL OR k.at IS NULL) THEN k.repeats ELSE 0 END) AS n
  FROM keyed k GROUP BY k.host_id, k.what
),
last AS (
  SELECT k.host_id, k.what, k.boot_id, k.t_quality, k.t_us, row_number() OVER (PARTITION BY k.host_id, k.what ORDER BY k.boot_seq DESC, k.t_us DESC, k.id DESC) AS age FROM keyed k
),
judged AS (
  SELECT p.*, (SELECT min(z.line_id) FROM event z JOIN last l ON l.host_id = p.host_id AND l.what = p.what AND l.age = 1
    WHERE z.kind = 'nvrm.load' AND z.copy_of IS NULL AND z.host_id = p.host_id AND z.boot_id IS l.boot_id AND z.t_quality = l.t_quality AND z.t_us > l.t_us) AS cure,
   EXISTS (SELECT 1 FROM fact f WHERE f.host_id = p.host_id AND (f.key = 'host.hypervisor' OR (f.key = 'host.virtualization' AND f.value NOT IN ('none', '')))) AS virtual
  FROM per p
)
SELECT k.host_id AS host_id, k.gpu_id AS gpu_id, k.t_us AS t0_us, k.t_us AS t1_us, CASE WHEN r.stage IS NOT NULL OR k.kind <> 'nvrm.init_failed' THEN 0.95 ELSE 0.85 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = k.id AND el.role <> 'copy' UNION SELECT j.cure WHERE j.cure IS NOT NULL ORDER BY 1)) AS evidence,
 CASE WHEN k.at = '0x11' THEN 'error' ELSE 'critical' END AS severity,
 CASE WHEN j.cure IS NOT NULL THEN 'watch' WHEN k.kind = 'nvrm.bar_invalid' THEN 'fix_host' ELSE coalesce(s.action, r.action, 'collect') END AS action,
 CASE WHEN k.kind = 'nvrm.bar_invalid' OR (j.virtual AND coalesce(s.points, r.points, 'unknown') = 'unknown') THEN 'platform' ELSE coalesce(s.points, r.points, 'unknown') END AS points,
 'init ' || k.what AS grp,
 CASE WHEN j.boot_seq < 0 THEN 'history' WHEN j.cure IS NOT NULL THEN 'cured' END AS state,
 CASE WHEN k.at IS NOT NULL THEN ' (' || k.at || coalesce(':' || k.with_status, '') || ')' ELSE '' END AS triple,
 CASE k.kind WHEN 'nvrm.bar_invalid' THEN 'the BIOS gave it no address space' WHEN 'nvrm.probe_failed' THEN 'the probe failed for ' || coalesce(k.failed, 'some') || ' device(s), no line says why'
  WHEN 'nvrm.none_initialized' THEN 'no GPU was started, no line says why'
  ELSE coalesce(r.meaning, 'at a step that is not known') || coalesce('; ' || s.meaning, '') END AS why,
 CASE WHEN j.virtual THEN ', in a virtual machine' ELSE '' END AS virtual,
 CASE WHEN j.n > 1 THEN printf('; %d times', j.n) || CASE WHEN j.boots > 1 THEN printf(' in %d boots', j.boots) ELSE '' END ELSE '' END AS times,
 CASE WHEN j.cure IS NOT NULL THEN '; the driver was loaded again since' ELSE '' END AS after,
 CASE WHEN k.kind = 'nvrm.bar_invalid' THEN 'Switch Above 4G Decoding (and SR-IOV, Resizable BAR as the vendor says) on in the BIOS, or boot with pci=realloc.'
  WHEN j.virtual AND coalesce(k.at, '') <> '0x11' THEN 'Look at the passthrough or vGPU configuration first, and at the driver of the host. ' || coalesce(r.advice, '')
  ELSE coalesce(r.advice, CASE WHEN s.points = 'platform' THEN 'Look at slot, power and BIOS of the machine.' END, 'Run nvidia-bug-report.sh now and ask the vendor; another driver version tells the driver from the card.') END AS advice
FROM keyed k JOIN judged j ON j.host_id = k.host_id AND j.what = k.what
LEFT JOIN kb_rm_init r ON r.stage = k.at LEFT JOIN kb_nv_status s ON s.status = k.with_status
