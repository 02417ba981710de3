-- id:       vram.alloc-conf-unset
-- title:    Memory in pieces, and the allocator is not configured against it
-- scope:    bundle
-- severity: info
-- symptom:  oom
-- kind:     explanation
-- points:   policy
-- shows:    condition
-- settle:   fact.env.*
-- needs:    log.vram.oom fact.env.*
-- reads:    event.vram.oom
-- params:   min_unused_mib=512
-- summary:  {host}: GPU memory was there in pieces, and the environment shown does not set PYTORCH_CUDA_ALLOC_CONF
-- meaning:  PyTorch can let blocks grow instead of leaving pieces behind, but only when it is told to before the program starts.
-- action:   fix_config
-- remedy:   PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True (PyTorch 2.1 and newer; since 2.9 PYTORCH_ALLOC_CONF) in the environment of the job, not of the shell
--           that sends it.
-- falsepositives: Environments of a shell that is not that of the job: the job may set it itself; excerpts of an environment.
-- refs:     PyTorch documentation, memory management (PYTORCH_CUDA_ALLOC_CONF); min_unused_mib as in vram.fragmentation
WITH shown AS ( -- an environment as a whole
  SELECT f.host_id, s.id AS source_id, min(f.line_id) AS line_id, max(f.key IN ('env.PYTORCH_CUDA_ALLOC_CONF', 'env.PYTORCH_ALLOC_CONF')) AS configured
  FROM fact f JOIN source s ON s.id = f.source_id WHERE f.key LIKE 'env.%' AND s.parser = 'environment' AND NOT s.excerpt AND f.host_id IS NOT NULL GROUP BY f.host_id, s.id
),
bare AS (
  SELECT h.host_id, min(h.line_id) AS line_id FROM shown h GROUP BY h.host_id HAVING max(h.configured) = 0
)
SELECT o.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.5 AS confidence, json_array(min(o.line_id), b.line_id) AS evidence, 'host' AS grp
FROM oom o JOIN bare b ON b.host_id = o.host_id
WHERE o.unused >= coalesce(:min_unused_mib, 512) AND o.asked <= o.unused
GROUP BY o.host_id
