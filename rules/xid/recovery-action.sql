-- id:       xid.recovery-action
-- title:    The driver asks for a reset, a reboot or a drain of a GPU
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   unknown
-- shows:    condition
-- settle:   fact.recovery.action
-- needs:    log.xid|fact.recovery.action
-- reads:    xid.154|fact.recovery.action|fact.recovery.reset_required|fact.recovery.drain_and_reset
-- params:   grace_s=180 busy_pct=50
-- summary:  {gpu}: the driver asks for "{due}"{raised}{work}
-- meaning:  Xid 154 sums up what earlier errors need. It is never the cause. Until the action is taken new work on this GPU may fail or get
--           wrong results.
-- action:   collect
-- remedy:   {advice} When it was taken, the driver says None again.
-- falsepositives: A demand that was taken back (None) or that a reboot has met; programs that only finish within three minutes.
-- refs:     NVIDIA Xid catalog, 154; open-gpu-kernel-modules gpu.c (words); nvidia-smi -q GPU Recovery Action; grace_s: clean-up of what ran
--           ends within 3 minutes (field); busy_pct: field
WITH said AS (
  SELECT x.id, x.host_id, x.gpu_id, x.boot_id, x.t_us, x.t_quality, x.line_id, b.seq AS boot_seq,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'to') AS due,
   (SELECT CAST(a.num AS INTEGER) FROM event_attr a WHERE a.event_id = x.id AND a.name = 'to_code') AS code,
   coalesce(x.gpu_id, 'at ' || r.bdf, 'unknown') AS seat
  FROM xid x LEFT JOIN boot b ON b.id = x.boot_id JOIN event e ON e.id = x.id LEFT JOIN gpu_ref r ON r.id = e.ref_id
  WHERE x.code = 154 AND x.host_id IS NOT NULL
),
-- A boot meets every demand from before it. The newest word of each GPU holds.
newest AS (
  SELECT s.*, row_number() OVER (PARTITION BY s.host_id, s.seat ORDER BY coalesce(s.boot_seq, 0) DESC, s.t_us DESC, s.id DESC) AS age FROM said s
),
due AS (
  SELECT n.*, (SELECT count(*) FROM said o WHERE o.host_id = n.host_id AND o.seat = n.seat AND o.boot_id IS n.boot_id AND o.due <> 'None') AS raised,
   (SELECT min(o.line_id) FROM said o WHERE o.host_id = n.host_id AND o.seat = n.seat AND o.boot_id IS n.boot_id AND o.due <> 'None') AS first_line
  FROM newest n WHERE n.age = 1 AND n.due <> 'None'
),
-- Work that began on it or goes on behind that.
work AS (
  SELECT d.id, 'a program that fails there (Xid ' || e.code || coalesce(', ' || e.process, '') || ')' AS what, e.line_id
  FROM due d JOIN event e ON e.gpu_id = d.gpu_id AND e.kind = 'xid' AND e.copy_of IS NULL AND e.t_quality = d.t_quality AND e.boot_id IS d.boot_id
   AND e.t_us > d.t_us + coalesce(:grace_s, 180) * 1000000
  WHERE e.pid IS NOT NULL AND e.code NOT IN (119, 120, 154) AND e.process IS NOT NULL
   -- Channels of one that was there already may be torn down late.
   AND (e.code <> 45 OR NOT EXISTS (SELECT 1 FROM event o WHERE o.gpu_id = e.gpu_id AND o.kind = 'xid' AND o.pid = e.pid
    AND o.boot_id IS e.boot_id AND o.t_us <= d.t_us + coalesce(:grace_s, 180) * 1000000))
  UNION ALL
  SELECT d.id, coalesce(p.name, 'pid ' || p.pid), p.line_id
  FROM due d JOIN gpu_ref r ON r.gpu_id = d.gpu_id AND r.t_quality = d.t_quality
  JOIN process_sample p ON p.ref_id = r.id AND p.t_raw_us + r.t_offset_us > d.t_us + coalesce(:grace_s, 180) * 1000000
  WHERE p.type LIKE 'C%' AND p.fb_mib > 0
  UNION ALL
  SELECT d.id, printf('%d %% utilization', CAST(m.util_avg AS INTEGER)), (r.source_id << 32) | g.line
  FROM due d JOIN gpu_ref r ON r.gpu_id = d.gpu_id AND r.t_quality = d.t_quality
  JOIN gpu_minute m ON m.ref_id = r.id AND m.t_raw_us + r.t_offset_us > d.t_us + coalesce(:grace_s, 180) * 1000000 AND m.util_avg >= coalesce(:busy_pct, 50)
  JOIN gpu_sample g ON g.rowid = m.first_id
),
told AS (
  SELECT d.host_id, d.gpu_id, d.t_us, d.t_quality, d.due, d.line_id, d.first_line, d.raised, coalesce(d.boot_seq, 0) AS boot_seq, 0.95 AS confidence, d.seat,
   (SELECT min(w.line_id) FROM work w WHERE w.id = d.id) AS work_line, (SELECT w.what FROM work w WHERE w.id = d.id ORDER BY w.line_id LIMIT 1) AS work
  FROM due d
  UNION ALL
  -- What nvidia-smi shows, where no log says it.
  SELECT c.host_id, c.gpu_id, NULL, NULL, CASE c.key WHEN 'recovery.action' THEN c.value WHEN 'recovery.reset_required' THEN 'reset' ELSE 'drain and reset' END, c.line_id, NULL, 1, 0, 0.95,
   c.gpu_id, NULL, NULL
  FROM contract c
  WHERE c.gpu_id IS NOT NULL AND ((c.key = 'recovery.action' AND c.value NOT IN ('none', 'n/a', 'unknown')) OR (c.key IN ('recovery.reset_required', 'recovery.drain_and_reset') AND c.value = 'yes'))
)
SELECT t.host_id AS host_id, t.gpu_id AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, t.t_quality AS t_quality, t.confidence AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT t.line_id AS line_id UNION SELECT t.first_line WHERE t.first_line IS NOT NULL UNION SELECT t.work_line WHERE t.work_line IS NOT NULL
   ORDER BY 1)) AS evidence,
 CASE WHEN t.boot_seq < 0 THEN 'warning' WHEN t.work IS NOT NULL THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN t.boot_seq < 0 THEN 'none' WHEN lower(t.due) LIKE '%reboot%' THEN 'reboot_node' WHEN lower(t.due) LIKE '%reset%' THEN 'reset_gpu' WHEN lower(t.due) LIKE '%imex%' THEN 'restart_service'
  WHEN lower(t.due) LIKE '%p2p%' THEN 'restart_app' ELSE 'collect' END AS action,
 'due ' || t.seat AS grp,
 CASE WHEN t.boot_seq < 0 THEN 'cured' ELSE 'active' END AS state,
 t.due AS due, CASE WHEN t.raised > 1 THEN printf(', after %d demands', t.raised) ELSE '' END || CASE WHEN t.boot_seq < 0 THEN '; the machine was booted since' ELSE '' END AS raised,
 CASE WHEN t.boot_seq < 0 THEN '' ELSE coalesce('; not done, and work goes on: ' || t.work, '') END AS work,
 CASE WHEN lower(t.due) LIKE '%reboot%' THEN 'Drain the node and reboot it.' WHEN lower(t.due) LIKE '%drain and reset%' THEN 'Let no new work on it, wait until what runs has ended, then reset the GPU.'
  WHEN lower(t.due) LIKE '%reset%' THEN 'Stop what runs on it, nvidia-smi -r -i INDEX; reboot if that fails.'
  WHEN lower(t.due) LIKE '%p2p%' THEN 'Stop the jobs that reach this GPU from other GPUs.' WHEN lower(t.due) LIKE '%imex%' THEN 'Restart the IMEX domain (nvidia-imex on all its nodes).'
  ELSE 'Look the words up in NVIDIA''s Xid catalog.' END AS advice
FROM told t
