-- id:       vram.foreign-process
-- title:    Other processes hold the GPU memory that a program lacks
-- scope:    bundle
-- severity: error
-- symptom:  oom
-- kind:     fault
-- points:   application
-- shows:    effect
-- settle:   table.process_sample
-- needs:    log.vram.oom
-- reads:    event.vram.oom
-- params:   min_mib=2048 share_pct=10
-- explains: vram.out-of-memory overlap host
-- summary:  {host}: {gib} of {total_gib} GiB on {device} were held by others when a program asked for {asked_gib} more
-- meaning:  The program's own memory and what was free do not add up to the whole: another job, a process left over from a job before, or a second
--           copy of this one has the rest. The same job passes on an empty GPU.
-- action:   restart_app
-- remedy:   nvidia-smi on the host shows who holds it (in a container the list is empty): end what is left over, or give each job its own GPU
--           (CUDA_VISIBLE_DEVICES, scheduler, exclusive compute mode).
-- falsepositives: What driver and CUDA context keep for themselves; the capacity of a MIG slice, which is the whole there; a container, where the
--           program is named by number like others.
-- refs:     PyTorch CUDACachingAllocator messages; min_mib, share_pct: contexts with libraries take up to some GiB (field)
WITH sized AS (
  SELECT o.*, o.foreign_mib >= max(coalesce(:min_mib, 2048), o.total * coalesce(:share_pct, 10) / 100.0) AS crowded FROM oom o
)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, CASE WHEN s.process IS NULL THEN 0.7 ELSE 0.95 END AS confidence,
 json_array(s.line_id) AS evidence, printf('log %d', s.source_id) AS grp,
 coalesce('its GPU ' || s.device, 'a GPU') AS device, round(s.foreign_mib / 1024.0, 1) AS gib, round(s.total / 1024.0, 1) AS total_gib,
 round(s.asked / 1024.0, 2) AS asked_gib
FROM sized s
WHERE s.crowded AND s.asked > s.free + coalesce(s.unused, 0) AND s.asked <= s.free + coalesce(s.unused, 0) + s.foreign_mib
