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
-- reads:    event.vram.oom
-- params:   min_unused_mib=512
-- explains: vram.out-of-memory overlap host; vram.alloc-conf-unset any host
-- summary:  {host}: {asked_gib} GiB could not be had on {device} while the program kept {unused_gib} GiB reserved and unused
-- meaning:  The allocator of PyTorch keeps memory in blocks; none of the free ones was large enough. Changing sizes of batches or sequences make it.
-- action:   fix_config
-- remedy:   PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True (before PyTorch 2.1 max_split_size_mb:512) in the environment of the job; equal shapes.
-- falsepositives: The old wording, where "reserved" holds what is allocated; requests larger than what is unused.
-- refs:     PyTorch documentation, memory management; min_unused_mib: practice
SELECT o.host_id AS host_id, o.gpu_id AS gpu_id, o.t_us AS t0_us, o.t_us AS t1_us, 0.85 AS confidence, json_array(o.line_id) AS evidence,
 printf('log %d', o.source_id) AS grp, coalesce('its GPU ' || o.device, 'a GPU') AS device,
 round(o.asked / 1024.0, 2) AS asked_gib, round(o.unused / 1024.0, 2) AS unused_gib
FROM oom o
WHERE o.unused >= coalesce(:min_unused_mib, 512) AND o.asked <= o.unused
