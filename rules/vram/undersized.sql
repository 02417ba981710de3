-- id:       vram.undersized
-- title:    A program needs more memory than the GPU or slice has
-- scope:    bundle
-- severity: error
-- symptom:  oom
-- kind:     fault
-- points:   application
-- shows:    effect
-- settle:   fact.memory.total_mib
-- needs:    log.vram.oom
-- reads:    event.vram.oom
-- params:   min_mib=2048 share_pct=10
-- explains: vram.out-of-memory overlap host
-- summary:  {host}: {what}
-- meaning:  Nobody else holds enough of it, and giving back what is only reserved would not do: the work does not fit.
-- action:   fix_config
-- remedy:   Smaller batch or shorter sequences, activation checkpointing, lower precision, spread it over more GPUs, or take a larger GPU or slice.
-- falsepositives: Memory held by others (vram.foreign-process) or in pieces (vram.fragmentation); messages that do not say how much there was.
-- refs:     PyTorch CUDACachingAllocator messages; min_mib, share_pct as in vram.foreign-process
WITH sized AS (
  SELECT o.*, o.foreign_mib >= max(coalesce(:min_mib, 2048), o.total * coalesce(:share_pct, 10) / 100.0) AS crowded FROM oom o
),
largest AS (
  SELECT c.host_id, max(c.num) AS mib, c.line_id FROM contract c WHERE c.key = 'memory.total_mib' AND c.gpu_id IS NOT NULL GROUP BY c.host_id
)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, CASE WHEN s.total IS NULL THEN 0.85 ELSE 0.95 END AS confidence,
 CASE WHEN s.total IS NULL THEN json_array(s.line_id, l.line_id) ELSE json_array(s.line_id) END AS evidence, printf('log %d', s.source_id) AS grp,
 CASE WHEN s.total IS NULL THEN printf('%g GiB were asked for at once, the largest GPU here has %g', round(s.asked / 1024.0, 1), round(l.mib / 1024.0, 1))
  ELSE printf('a program with %g GiB asked for %g more, %s has %g for all', round(s.allocated / 1024.0, 1), round(s.asked / 1024.0, 2),
   coalesce('its GPU ' || s.device, 'its GPU'), round(s.total / 1024.0, 1)) END AS what
FROM sized s LEFT JOIN largest l ON l.host_id = s.host_id
WHERE CASE WHEN s.total IS NULL THEN s.asked > l.mib
  ELSE s.allocated + s.asked > s.total OR s.asked > s.free + s.unused + CASE WHEN s.crowded THEN s.foreign_mib ELSE 0 END END
