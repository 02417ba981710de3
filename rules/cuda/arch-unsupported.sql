-- id:       cuda.arch-unsupported
-- title:    A program was not built for this GPU's architecture
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   application
-- shows:    effect
-- settle:   fact.torch.cuda
-- needs:    log.cuda.arch_unsupported
-- reads:    event.cuda.arch_unsupported
-- summary:  {program} has no code for {arch}
-- meaning:  The GPU works. The build carries machine code for other architectures only: mostly a framework that is older than the GPU, or an extension
--           that was compiled for the GPU of another machine (TORCH_CUDA_ARCH_LIST).
-- action:   fix_config
-- remedy:   Install a build for CUDA {cuda} or newer; rebuild own extensions with the architecture in TORCH_CUDA_ARCH_LIST or -gencode.
-- falsepositives: The warning for a second, older GPU in the machine that the job does not use.
-- refs:     CUDA runtime error 209, cudaErrorNoKernelImageForDevice; PyTorch torch/cuda/__init__.py; kb_gpu_arch

WITH hit AS (
  SELECT e.host_id, e.t_us, e.t_quality, e.line_id, e.id,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'arch') AS arch,
   row_number() OVER (PARTITION BY e.host_id ORDER BY e.t_us DESC, e.id DESC) AS age
  FROM event e WHERE e.kind = 'cuda.arch_unsupported' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
known AS ( -- what the message names, else the only architecture in the machine
  SELECT h.host_id,
   coalesce((SELECT max(x.arch) FROM hit x WHERE x.host_id = h.host_id),
    (SELECT 'sm_' || replace(max(c.value), '.', '') FROM contract c WHERE c.host_id = h.host_id AND c.key = 'gpu.compute_cap' HAVING count(DISTINCT c.value) = 1),
    (SELECT 'sm_' || replace(max(m.compute_cap), '.', '') FROM gpu g JOIN kb_gpu_model m ON m.model = g.model WHERE g.host_id = h.host_id HAVING count(DISTINCT m.compute_cap) = 1)) AS arch
  FROM hit h GROUP BY h.host_id
)
SELECT h.host_id AS host_id, NULL AS gpu_id, h.t_us AS t0_us, h.t_us AS t1_us, nullif(h.t_quality, 'unknown') AS t_quality, 0.95 AS confidence,
 json_array(h.line_id) AS evidence, 'host' AS grp,
 coalesce((SELECT 'PyTorch ' || c.value FROM contract c WHERE c.host_id = h.host_id AND c.key = 'torch.version' ORDER BY c.layer = 'python' DESC, c.layer LIMIT 1), 'the program') AS program,
 coalesce(k.arch, 'this GPU') AS arch,
 coalesce((SELECT a.first_cuda FROM kb_gpu_arch a WHERE 'sm_' || a.compute_num = rtrim(k.arch, 'af')), 'that knows this GPU') AS cuda
FROM hit h JOIN known k ON k.host_id = h.host_id WHERE h.age <= 50
