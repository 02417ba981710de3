-- id:       network.gdr-off
-- title:    NCCL goes over the network without GPUDirect RDMA
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   log.nccl.*
-- needs:    fact.nccl.gdr
-- reads:    fact.nccl.gdr
-- summary:  NCCL connects hosts {how}, though {expected}{why}
-- meaning:  What GPUs send each other between hosts is copied through the memory of the host first, or goes over TCP. Collectives over several nodes lose half of their
--           bandwidth or much more, and every step with them.
-- action:   fix_config
-- remedy:   {advice} Check with NCCL_DEBUG=INFO: channels shall say "via NET/IB/N/GDRDMA".
-- falsepositives: Jobs on one host, which name a network and do not use it; clusters without InfiniBand; GeForce boards, which have no GPUDirect RDMA.
-- refs:     NVIDIA NCCL documentation, GPU Direct RDMA, NCCL_NET_GDR_LEVEL; GPUDirect RDMA documentation, nvidia-peermem
WITH said AS ( -- channels between hosts
  SELECT f.host_id, max(f.value = 'yes') AS yes, max(f.value = 'no') AS no, min(CASE f.value WHEN 'no' THEN f.line_id END) AS line_id,
   max(CASE f.value WHEN 'no' THEN instr(l.text, 'NET/Socket') > 0 END) AS socket
  FROM fact f LEFT JOIN line l ON l.id = f.line_id WHERE f.key = 'nccl.gdr' AND f.host_id IS NOT NULL GROUP BY f.host_id
),
wanted AS ( -- there is InfiniBand: NCCL found it, or the machine shows it
  SELECT c.host_id, min(c.line_id) AS line_id FROM contract c
  WHERE c.gpu_id IS NULL AND (c.key = 'nccl.network' AND c.value LIKE 'IB%' OR c.key IN ('module.loaded.mlx5_ib', 'module.loaded.ib_core') AND c.value = 'yes' OR c.key GLOB 'topo.nic.*' AND c.value GLOB 'mlx*')
  GROUP BY c.host_id
  UNION ALL
  SELECT d.host_id, min(d.line_id) FROM pci_device d WHERE d.vendor_id = 0x15b3 AND d.class_id = 0x0207 GROUP BY d.host_id
),
expected AS (SELECT w.host_id, min(w.line_id) AS line_id FROM wanted w GROUP BY w.host_id),
listed AS ( -- lsmod as a whole
  SELECT s.host_id, max(f.key IN ('module.loaded.nvidia_peermem', 'module.loaded.nv_peer_mem')) AS peermem, min(f.line_id) AS line_id
  FROM fact f JOIN source s ON s.id = f.source_id WHERE f.key GLOB 'module.loaded.*' AND s.parser = 'lsmod' AND NOT s.excerpt GROUP BY s.host_id
),
off AS (
  SELECT c.host_id, min(c.line_id) AS line_id, min(substr(c.key, 5)) AS name FROM contract c
  WHERE c.key = 'env.NCCL_IB_DISABLE' AND c.value NOT IN ('0', '""') OR c.key IN ('env.NCCL_NET_GDR_LEVEL', 'env.NCCL_NET_GDR_READ') AND c.value IN ('0', 'LOC')
   OR c.key = 'env.NCCL_NET' AND lower(c.value) = 'socket' GROUP BY c.host_id
)
SELECT s.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, CASE WHEN p.peermem = 0 OR o.name IS NOT NULL OR s.socket THEN 0.85 ELSE 0.7 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT s.line_id AS line_id UNION ALL SELECT e.line_id UNION ALL SELECT o.line_id UNION ALL SELECT CASE WHEN p.peermem = 0 THEN p.line_id END) WHERE line_id IS NOT NULL) AS evidence,
 CASE WHEN s.yes THEN 'info' END AS severity, CASE WHEN o.name IS NOT NULL THEN 'policy' END AS points, CASE WHEN o.name IS NOT NULL THEN 'explanation' END AS kind, 'host' AS grp,
 CASE WHEN s.socket THEN 'by TCP sockets' WHEN s.yes THEN 'partly without GPUDirect RDMA' ELSE 'without GPUDirect RDMA' END AS how,
 CASE WHEN s.yes THEN 'other channels have it' ELSE 'there is InfiniBand' END AS expected,
 CASE WHEN o.name IS NOT NULL THEN '; ' || o.name || ' says so' WHEN p.peermem = 0 AND NOT coalesce(s.socket, 0) THEN '; nvidia_peermem is not loaded' ELSE '' END AS why,
 CASE WHEN o.name IS NOT NULL THEN 'Take ' || o.name || ' out of the job''s environment, unless somebody wants it so.' WHEN s.socket THEN 'See whether the container gets /dev/infiniband and the ports are up (ibstat), and that no variable rules it out.'
  WHEN s.yes THEN 'GPUs far from their network card do without it: compare with nvidia-smi topo -m.' ELSE 'Load nvidia-peermem (modprobe nvidia-peermem), or use a kernel and driver with DMA-BUF; see nvidia-smi topo -m for GPUs and cards that share no switch.' END AS advice
FROM said s JOIN expected e ON e.host_id = s.host_id LEFT JOIN listed p ON p.host_id = s.host_id LEFT JOIN off o ON o.host_id = s.host_id
WHERE s.no AND NOT EXISTS (SELECT 1 FROM gpu g JOIN kb_gpu_model k ON k.model = g.model WHERE g.host_id = s.host_id AND k.class = 'consumer')
