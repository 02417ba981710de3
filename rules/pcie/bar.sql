-- id:       pcie.bar
-- title:    A small window into the memory of the GPU (BAR1)
-- scope:    bundle
-- severity: info
-- symptom:  transfer
-- kind:     explanation
-- points:   policy
-- shows:    condition
-- settle:   fact.pcie.*
-- needs:    fact.pcie.bar1_mib
-- params:   small_mib=256 min_gib=8
-- summary:  {gpu}: {what}
-- meaning:  The CPU and other devices reach only so much of the memory at once. CUDA copies do not need more; peer access over PCIe, GPUDirect RDMA and storage do, and
--           some games.
-- action:   fix_config
-- remedy:   If such transfers matter: Resizable BAR and "Above 4G decoding" in the BIOS, and a VBIOS of the card that knows it; then nvidia-smi -q -d MEMORY.
-- falsepositives: GPUs older than Ampere, which cannot have more without another VBIOS; small memories.
-- refs:     nvidia-smi manual, BAR1 Memory Usage; NVIDIA, Resizable BAR for GeForce 30 and newer; small_mib: the window without it
WITH size AS (
  SELECT c.host_id, c.gpu_id, min(c.num) AS mib, min(c.line_id) AS line_id FROM contract c WHERE c.key = 'pcie.bar1_mib' AND c.gpu_id IS NOT NULL AND c.num > 0 GROUP BY c.host_id, c.gpu_id
),
card AS (
  SELECT s.*, k.mem_gib, CAST(k.compute_cap AS REAL) AS cap, (SELECT max(c.num) FROM contract c WHERE c.gpu_id = s.gpu_id AND c.key = 'memory.total_mib') / 1024.0 AS gib
  FROM size s JOIN gpu g ON g.id = s.gpu_id LEFT JOIN kb_gpu_model k ON k.model = g.model
)
SELECT c.host_id AS host_id, c.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(c.line_id) AS evidence, 'small' AS grp,
 printf('BAR1 is %d MiB, of %d GiB of memory', c.mib, round(coalesce(c.gib, c.mem_gib))) AS what
FROM card c WHERE c.mib <= coalesce(:small_mib, 256) AND c.cap >= 8 AND coalesce(c.gib, c.mem_gib) >= coalesce(:min_gib, 8) - 1
UNION ALL
SELECT h.host_id, h.gpu_id, h.t_us, h.t_us, 0.85, json_array(h.line_before, h.line_after), 'change ' || h.id, printf('BAR1 changed from %s to %s MiB', h.before, h.after)
FROM change h WHERE h.what = 'pcie.bar1_mib' AND h.gpu_id IS NOT NULL
