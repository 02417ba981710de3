-- id:       vram.leak
-- title:    A program's GPU memory climbs over the whole run
-- scope:    bundle
-- severity: warning
-- symptom:  oom
-- kind:     fault
-- points:   application
-- shows:    effect
-- settle:   log.torch.memory
-- needs:    metric.train.mem_allocated_mib|metric.train.mem_reserved_mib|metric.torch.memory.allocated_mib|sample.mem_used_mib
-- reads:    metric.train.mem_allocated_mib|metric.train.mem_reserved_mib|metric.torch.memory.allocated_mib|metric.torch.memory.reserved_mib|sample.mem_used_mib
-- params:   min_values=12 min_mib=512 min_pct=5 trace_min=60
-- explains: vram.out-of-memory any host; vram.undersized any host; vram.low-headroom any gpu; vram.fragmentation any host
-- summary:  {who}: {what} climbs over the run, from {lo_gib} to {hi_gib} GiB, by {step_lo} to {step_hi} MiB in each fifth of it{rate}{end}
-- meaning:  {means}
-- action:   restart_app
-- remedy:   Keep no tensors that hang on a graph over steps (loss.item(), detach()), empty lists and caches; torch.cuda.memory._record_memory_history() names the lines that
--           allocate. Until then restart before it is full.
-- falsepositives: Warm-up, which ends in the first sixth of the run; caches that reach a plateau; what is reserved climbs and what is allocated does not (fragmentation);
--           memory in use of a whole GPU, which several programs may share (info).
-- refs:     PyTorch documentation, understanding CUDA memory usage; min_values, min_mib, min_pct, trace_min: practice
WITH series AS (
  SELECT m.id, m.source_id, m.key LIKE '%reserved%' AS reserved, t.line_first & 4294967295 AS l0, t.line_last & 4294967295 AS l1
  FROM metric m JOIN metric_stat t ON t.metric_id = m.id
  WHERE m.key IN ('train.mem_allocated_mib', 'train.mem_reserved_mib', 'torch.memory.allocated_mib', 'torch.memory.reserved_mib') AND t.n >= coalesce(:min_values, 12)
),
watched AS ( -- busy minutes of whole GPUs
  SELECT m.ref_id, r.source_id, r.gpu_id, min(m.first_id) AS first_id, max(m.first_id) AS last_id FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id
  WHERE m.memused_avg > 0 AND m.util_avg > 0 AND r.gpu_id IS NOT NULL AND r.instance_id IS NULL GROUP BY m.ref_id HAVING count(*) >= coalesce(:trace_min, 60)
),
part AS ( -- the run in six parts, of which the first warms up: the least of each
  SELECT r.id, r.source_id, NULL AS gpu_id, r.reserved, (s.line - r.l0) * 6 / (r.l1 - r.l0 + 1) AS part, min(s.value) AS lo, min(s.line) AS line,
   min(s.t_raw_us) AS raw_us, min(s.seq) AS seq
  FROM series r CROSS JOIN metric_sample s ON s.metric_id = r.id GROUP BY r.id, part
  UNION ALL
  SELECT -m.ref_id, w.source_id, w.gpu_id, 2, (m.first_id - w.first_id) * 6 / (w.last_id - w.first_id + 1), min(m.memused_avg), min(m.first_id), min(m.t_raw_us), NULL
  FROM gpu_minute m CROSS JOIN watched w ON w.ref_id = m.ref_id WHERE m.memused_avg > 0 AND m.util_avg > 0 GROUP BY m.ref_id, 5
),
step AS (
  SELECT p.*, p.lo - lag(p.lo) OVER (PARTITION BY p.id ORDER BY p.part) AS step FROM part p WHERE p.part > 0
),
grown AS (
  SELECT s.id, s.source_id, s.gpu_id, s.reserved, min(s.lo) AS lo, max(s.lo) AS hi, min(s.step) AS step_lo, max(s.step) AS step_hi, min(s.line) AS line_first, max(s.line) AS line_last,
   max(s.raw_us) - min(s.raw_us) AS span_us, max(s.seq) - min(s.seq) AS span_n
  FROM step s GROUP BY s.id
  HAVING count(*) = 5 AND min(s.step) > 0 AND max(s.lo) - min(s.lo) >= max(coalesce(:min_mib, 512), min(s.lo) * coalesce(:min_pct, 5) / 100.0)
),
sure AS ( -- both climb, or the one that is there
  SELECT g.*, (SELECT count(*) FROM grown o WHERE o.source_id = g.source_id AND o.reserved < 2) AS both, src.host_id,
   (SELECT min(o.line_id) FROM oom o WHERE o.host_id = src.host_id) AS oom_line
  FROM grown g JOIN source src ON src.id = g.source_id
  WHERE g.reserved = 2 OR NOT EXISTS (SELECT 1 FROM series r WHERE r.source_id = g.source_id AND NOT r.reserved AND r.id NOT IN (SELECT o.id FROM grown o))
),
best AS ( -- of samples the line comes last: there are many
  SELECT s.*, CASE s.reserved WHEN 2 THEN (SELECT g.line FROM gpu_sample g WHERE g.rowid = s.line_first) ELSE s.line_first END AS first_line,
   CASE s.reserved WHEN 2 THEN (SELECT g.line FROM gpu_sample g WHERE g.rowid = s.line_last) ELSE s.line_last END AS last_line, row_number() OVER (PARTITION BY s.source_id, s.gpu_id ORDER BY s.reserved, s.id) AS nth FROM sure s
)
SELECT b.host_id AS host_id, b.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, CASE WHEN b.reserved = 2 THEN 0.5 WHEN b.both > 1 THEN 0.85 WHEN b.reserved THEN 0.5 ELSE 0.7 END AS confidence,
 CASE WHEN b.oom_line IS NULL THEN json_array(b.source_id << 32 | b.first_line, b.source_id << 32 | b.last_line)
  ELSE json_array(b.source_id << 32 | b.first_line, b.source_id << 32 | b.last_line, b.oom_line) END AS evidence,
 CASE WHEN b.reserved = 0 OR b.oom_line IS NOT NULL THEN 'warning' ELSE 'info' END AS severity, CASE WHEN b.reserved = 0 OR b.oom_line IS NOT NULL THEN 'restart_app' ELSE 'watch' END AS action,
 printf('series %d', b.id) AS grp,
 CASE WHEN b.gpu_id IS NULL THEN 'A program' ELSE (SELECT g.label FROM gpu g WHERE g.id = b.gpu_id) END AS who,
 CASE b.reserved WHEN 0 THEN 'memory that it allocated' WHEN 1 THEN 'memory that it reserved' ELSE 'memory in use' END || CASE WHEN b.reserved = 0 AND b.both > 1 THEN ' and reserved' ELSE '' END AS what,
 round(b.lo / 1024.0, 1) AS lo_gib, round(b.hi / 1024.0, 1) AS hi_gib, round(b.step_lo) AS step_lo, round(b.step_hi) AS step_hi,
 CASE WHEN b.span_us > 0 THEN printf(', some %d MiB an hour', round((b.hi - b.lo) * 3600000000.0 / b.span_us)) WHEN b.span_n > 0 THEN printf(', some %g MiB a step', round((b.hi - b.lo) * 1.0 / b.span_n, 2))
  ELSE '' END AS rate,
 CASE WHEN b.oom_line IS NULL THEN '' ELSE '; in the end it ran out' END AS end,
 CASE b.reserved WHEN 0 THEN 'It never gives back what it takes, long after warm-up: a leak of the program.' WHEN 1 THEN 'What the allocator keeps grows; whether the program leaks or its sizes change is not shown.'
  ELSE 'The memory in use of the whole GPU grows; which program takes it is not shown.' END AS means
FROM best b WHERE b.nth = 1
