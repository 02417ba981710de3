-- id:       vram.fragmentation
-- title:    GPU memory was there, but in pieces
-- scope:    bundle
-- severity: warning
-- symptom:  oom
-- kind:     fault
-- points:   application
-- shows:    effect
-- settle:   log.torch.memory
-- needs:    log.vram.oom
-- params:   min_unused_mib=512
-- explains: vram.out-of-memory overlap host
-- summary:  {host}: {asked_gib} GiB could not be had on {device} while the program kept {unused_gib} GiB reserved and unused
-- meaning:  The allocator of PyTorch keeps memory in blocks; none of the free ones was large enough. Changing sizes of batches or sequences make it.
-- action:   fix_config
-- remedy:   PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True (before PyTorch 2.1 max_split_size_mb:512) in the environment of the job; equal shapes.
-- falsepositives: The old wording, where "reserved" holds what is allocated; requests larger than what is unused.
-- refs:     PyTorch documentation, memory management; min_unused_mib: practice
WITH text AS ( -- what a message says, in MiB; "reserved in total" of the old wording holds what is allocated
  SELECT e.id, e.host_id, e.gpu_id, e.source_id, e.t_us, e.t_quality, e.line_id, max(CASE a.name WHEN 'requested_mib' THEN a.num END) AS asked,
   max(CASE a.name WHEN 'total_mib' THEN a.num END) AS total, max(CASE a.name WHEN 'free_mib' THEN a.num END) AS free,
   max(CASE a.name WHEN 'allocated_mib' THEN a.num END) AS allocated, max(CASE a.name WHEN 'process_mib' THEN a.num END) AS process,
   max(CASE a.name WHEN 'other_mib' THEN a.num END) AS other, max(CASE a.name WHEN 'cuda_device' THEN a.value END) AS device,
   coalesce(max(CASE a.name WHEN 'reserved_total_mib' THEN a.num END), max(CASE a.name WHEN 'allocated_mib' THEN a.num END)
    + max(CASE a.name WHEN 'reserved_unused_mib' THEN a.num END)) AS held
  FROM event e JOIN event_attr a ON a.event_id = e.id
  WHERE e.kind = 'vram.oom' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
  GROUP BY e.id
),
sized AS (
  SELECT t.*, t.held - t.allocated AS unused FROM text t
)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, 0.85 AS confidence, json_array(s.line_id) AS evidence,
 printf('log %d', s.source_id) AS grp, coalesce('its GPU ' || s.device, 'a GPU') AS device,
 round(s.asked / 1024.0, 2) AS asked_gib, round(s.unused / 1024.0, 2) AS unused_gib
FROM sized s
WHERE s.unused >= coalesce(:min_unused_mib, 512) AND s.asked <= s.unused
