-- id:       vram.oversubscribed
-- title:    Programs use more GPU memory than the GPU has
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   application
-- shows:    condition
-- settle:   table.process_sample
-- needs:    fact.memory.total_mib table.process_sample|fact.env.*
-- params:   full_pct=95 over_pct=5
-- explains: load.starved any gpu
-- summary:  {gpu}: {what}
-- meaning:  Managed (unified) memory spills into the memory of the host, and pages move over PCIe when a kernel touches them. Nothing fails; everything gets slow, in
--           bursts. The paging itself shows in no output of nvidia-smi.
-- action:   fix_config
-- remedy:   Give the model less (batch, context, layers on the CPU) until it fits, or spread it over more GPUs; nsys shows the page faults (--cuda-um-gpu-page-faults).
-- falsepositives: MIG slices, whose processes are listed with the parent; GPUs where unified memory is allowed, but which do not come near full.
-- refs:     CUDA programming guide, unified memory oversubscription; JAX documentation, TF_FORCE_UNIFIED_MEMORY; ggml GGML_CUDA_ENABLE_UNIFIED_MEMORY; full_pct, over_pct: practice
WITH total AS (
  SELECT c.host_id, c.gpu_id, max(c.num) AS mib FROM contract c WHERE c.key = 'memory.total_mib' AND c.gpu_id IS NOT NULL GROUP BY c.host_id, c.gpu_id
),
client AS ( -- once in each round
  SELECT p.gpu_id, p.ref_id, p.t_raw_us, p.seq, p.pid, max(p.fb_mib) AS mib, min(p.line_id) AS line_id FROM process_sample p
  WHERE p.gpu_id IS NOT NULL AND p.instance_id IS NULL AND p.gi IS NULL AND p.fb_mib > 0 GROUP BY p.gpu_id, p.ref_id, p.t_raw_us, p.seq, p.pid
),
round AS (
  SELECT t.host_id, c.gpu_id, t.mib AS total, sum(c.mib) AS held, count(*) AS n, min(c.line_id) AS line_id, max(c.line_id) AS line_last
  FROM client c JOIN total t ON t.gpu_id = c.gpu_id WHERE c.mib <= 4 * t.mib GROUP BY c.gpu_id, c.ref_id, c.t_raw_us, c.seq
),
over AS (
  SELECT r.*, row_number() OVER (PARTITION BY r.gpu_id ORDER BY r.held DESC, r.line_id) AS nth FROM round r WHERE r.held > r.total * (1 + coalesce(:over_pct, 5) / 100.0)
),
allowed AS (
  SELECT f.host_id, min(f.line_id) AS line_id, min(substr(f.key, 5)) AS name FROM fact f
  WHERE f.host_id IS NOT NULL AND (f.key IN ('env.TF_FORCE_UNIFIED_MEMORY', 'env.GGML_CUDA_ENABLE_UNIFIED_MEMORY') AND lower(f.value) NOT IN ('0', 'false', '""')
   OR f.key = 'env.XLA_PYTHON_CLIENT_MEM_FRACTION' AND CAST(f.value AS REAL) > 1)
  GROUP BY f.host_id
),
full AS (
  SELECT t.host_id, r.gpu_id, t.mib AS total, max(m.memused_max) AS used, r.source_id, m.first_id FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id JOIN total t ON t.gpu_id = r.gpu_id
  WHERE r.instance_id IS NULL AND m.memused_max >= t.mib * coalesce(:full_pct, 95) / 100.0 AND t.host_id IN (SELECT a.host_id FROM allowed a) GROUP BY r.gpu_id
)
SELECT o.host_id AS host_id, o.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.7 AS confidence, json_array(o.line_id, o.line_last) AS evidence, 'sum' AS grp,
 printf('%d programs hold %g GiB of %g', o.n, round(o.held / 1024.0, 1), round(o.total / 1024.0, 1)) AS what
FROM over o WHERE o.nth = 1
UNION ALL
SELECT f.host_id, f.gpu_id, NULL, NULL, 0.5, json_array(a.line_id, f.source_id << 32 | s.line), 'allowed',
 printf('%g of %g GiB in use while %s allows more than there is', round(f.used / 1024.0, 1), round(f.total / 1024.0, 1), a.name)
FROM full f JOIN allowed a ON a.host_id = f.host_id JOIN gpu_sample s ON s.rowid = f.first_id
