-- id:       vram.low-headroom
-- title:    The memory of a GPU comes close to full
-- scope:    bundle
-- severity: info
-- symptom:  oom
-- kind:     fault
-- points:   application
-- shows:    condition
-- settle:   table.process_sample
-- needs:    sample.mem_used_mib fact.memory.total_mib
-- reads:    sample.mem_used_mib fact.memory.total_mib
-- params:   room_pct=15 swing_pct=5 min_clients=2
-- summary:  {gpu}: at most {used_gib} of {total_gib} GiB in use, {left} % left
-- meaning:  Nothing failed for it here. A longer sequence, a larger batch or a second program on this GPU may find no memory.
-- action:   none
-- remedy:   If programs run out of memory now and then, look at this moment first.
-- falsepositives: Servers that take their share once and keep it (vLLM, JAX, TensorFlow): use stays flat. A snapshot cannot tell, so it counts
--           only where several compute clients share the GPU.
-- refs:     room_pct: practice; swing_pct: what is taken once moves less (field); min_clients: two that share may both grow
WITH use AS (
  SELECT r.gpu_id, m.ref_id, max(m.memused_max) AS peak, sum(m.n) AS samples, m.first_id, r.source_id,
   (SELECT min(o.memused_avg) FROM gpu_minute o WHERE o.ref_id = m.ref_id AND o.util_avg > 0) AS least
  FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id
  WHERE r.gpu_id IS NOT NULL AND r.instance_id IS NULL AND m.util_avg > 0
  GROUP BY m.ref_id
),
-- At one moment; C+G are programs with a window.
clients AS (
  SELECT gpu_id, max(n) AS n FROM (
    SELECT p.gpu_id, count(DISTINCT p.pid) AS n FROM process_sample p
    WHERE p.gpu_id IS NOT NULL AND p.type = 'C' AND p.instance_id IS NULL GROUP BY p.gpu_id, p.ref_id, coalesce(p.t_raw_us, p.seq))
  GROUP BY gpu_id
),
total AS (
  SELECT c.host_id, c.gpu_id, max(c.num) AS mib FROM contract c WHERE c.key = 'memory.total_mib' AND c.gpu_id IS NOT NULL GROUP BY c.host_id, c.gpu_id
)
SELECT t.host_id AS host_id, u.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, CASE WHEN u.samples > 1 THEN 0.85 ELSE 0.5 END AS confidence,
 json_array(u.source_id << 32 | s.line) AS evidence, 'gpu ' || u.gpu_id AS grp,
 round(u.peak / 1024.0, 1) AS used_gib, round(t.mib / 1024.0, 1) AS total_gib, round(100 - 100.0 * u.peak / t.mib) AS left
FROM use u JOIN total t ON t.gpu_id = u.gpu_id JOIN gpu_sample s ON s.rowid = u.first_id
WHERE u.peak > t.mib * (1 - coalesce(:room_pct, 15) / 100.0) AND u.peak <= t.mib
 AND (u.peak - u.least >= t.mib * coalesce(:swing_pct, 5) / 100.0
  OR (u.samples = 1 AND (SELECT c.n FROM clients c WHERE c.gpu_id = u.gpu_id) >= coalesce(:min_clients, 2)))
