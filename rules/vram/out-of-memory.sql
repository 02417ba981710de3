-- id:       vram.out-of-memory
-- title:    A program got no more memory on a GPU
-- scope:    bundle
-- severity: error
-- symptom:  oom
-- kind:     fault
-- points:   application
-- shows:    effect
-- settle:   table.process_sample
-- needs:    log.vram.oom
-- reads:    event.vram.oom
-- summary:  {host}: a program ran out of memory on {device}{by}{numbers}{times}
-- meaning:  The allocation failed and the program ended or dropped the request. The GPU itself is not at fault. The number of the device is that
--           of CUDA in that process, which may differ from that of nvidia-smi.
-- action:   fix_config
-- remedy:   See who holds the memory while it fails (nvidia-smi, all processes). Then a smaller batch, or share the model over more GPUs.
-- falsepositives: Tries of TensorFlow that "are not a failure"; the memory of the machine itself (oom-killer).
-- refs:     PyTorch CUDACachingAllocator; TensorFlow bfc_allocator; XLA; CUDA runtime error 2
WITH told AS (
  SELECT s.*, count(*) OVER w AS n, min(s.device) OVER w AS device_lo, max(s.device) OVER w AS device_hi FROM oom s WINDOW w AS (PARTITION BY s.host_id, s.source_id)
)
SELECT t.host_id AS host_id, t.gpu_id AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, 0.95 AS confidence, json_array(t.line_id) AS evidence,
 printf('log %d', t.source_id) AS grp,
 CASE WHEN t.device_lo IS NULL THEN 'a GPU' WHEN t.device_lo = t.device_hi THEN 'its GPU ' || t.device_lo ELSE 'several of its GPUs' END AS device,
 coalesce(' (' || t.by || ')', '') AS by,
 CASE WHEN t.asked IS NULL THEN '' ELSE printf(': %g GiB more were asked for', round(t.asked / 1024.0, 2)) END
  || CASE WHEN t.total IS NULL THEN '' ELSE printf(', %g GiB in all', round(t.total / 1024.0, 2)) END
  || CASE WHEN t.free IS NULL THEN '' ELSE printf(', %g free', round(t.free / 1024.0, 2)) END
  || CASE WHEN t.allocated IS NULL THEN '' ELSE printf(', %g allocated by it', round(t.allocated / 1024.0, 2)) END
  || CASE WHEN t.unused IS NULL THEN '' ELSE printf(', %g more reserved by it', round(t.unused / 1024.0, 2)) END
  AS numbers,
 CASE WHEN t.n > 1 THEN printf('; %d such messages', t.n) ELSE '' END AS times
FROM told t
