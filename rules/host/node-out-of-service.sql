-- id:       host.node-out-of-service
-- title:    The scheduler gives no work to a node whose GPU is at fault
-- scope:    bundle
-- severity: info
-- symptom:  missing
-- kind:     operation
-- points:   policy
-- shows:    condition
-- settle:   log.xid
-- needs:    log.scheduler.node_out log.xid
-- reads:    event.scheduler.node_out
-- summary:  {who} gives {host} no work ({held}{why}), and its GPUs are at fault
-- meaning:  Somebody, or a health check, took the node out of service. New jobs do not fail here; jobs that were running may have been let go on or were ended.
-- action:   watch
-- remedy:   Leave it so until the GPU is mended and has passed a test (dcgmi diag -r 2). Then scontrol update NodeName=NODE State=RESUME, or kubectl uncordon NODE.
-- falsepositives: Nodes that are out for maintenance, or for a reason that has nothing to do with GPUs; faults before the last start of the machine; another node's state.
-- refs:     Slurm documentation, sinfo (node states) and scontrol (drain, resume); Kubernetes documentation, node conditions and kubectl cordon
WITH said AS (
  SELECT e.*, (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'by') AS layer, (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'node') AS node,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'state') AS state, (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'reason') AS reason
  FROM event e WHERE e.kind = 'scheduler.node_out'
),
seat AS ( -- the machine it is said of, which is seldom the one that was asked
  SELECT h.id AS at_id, s.* FROM said s JOIN host h ON lower(substr(h.name || '.', 1, instr(h.name || '.', '.') - 1)) = lower(substr(s.node || '.', 1, instr(s.node || '.', '.') - 1))
),
broken AS (
  SELECT e.host_id, e.line_id, row_number() OVER (PARTITION BY e.host_id ORDER BY e.t_us IS NULL, e.t_us, e.id) AS nth
  FROM event e LEFT JOIN kb_xid k ON e.kind = 'xid' AND k.code = e.code LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.copy_of IS NULL AND coalesce(b.seq, 0) = 0 AND (e.kind IN ('smi.gpu_lost', 'smi.requires_reset', 'smi.unknown_error', 'smi.handle_error', 'nvrm.fallen_off_bus', 'nvrm.init_failed', 'scheduler.gpu_missing')
   OR e.kind = 'xid' AND k.action IN ('reset_gpu', 'reboot_node', 'power_cycle', 'drain_and_replace', 'drain_rma_candidate'))
),
ranked AS ( -- the one that tells why, then the latest
  SELECT s.*, b.line_id AS broken_line, row_number() OVER (PARTITION BY s.at_id, s.layer ORDER BY s.reason IS NULL, s.state IS NULL, s.t_us DESC, s.id DESC) AS nth
  FROM seat s JOIN broken b ON b.host_id = s.at_id AND b.nth = 1
  WHERE s.reason IS NULL OR lower(s.reason) GLOB '*xid*' OR lower(s.reason) GLOB '*gpu*' OR lower(s.reason) GLOB '*nvidia*' OR lower(s.reason) GLOB '*nvlink*' OR lower(s.reason) GLOB '*ecc*'
   OR lower(s.reason) GLOB '*gres*' OR lower(s.reason) GLOB '*not respond*' OR lower(s.reason) GLOB '*nhc*' OR lower(s.reason) GLOB '*health*' OR lower(s.reason) GLOB '*hardware*' OR lower(s.reason) GLOB '*unreachable*'
)
SELECT r.at_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, CASE WHEN r.reason IS NULL THEN 0.7 ELSE 0.85 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT r.line_id UNION ALL SELECT r.broken_line WHERE r.broken_line <> r.line_id)) AS evidence,
 coalesce(r.layer, '') AS grp, CASE r.layer WHEN 'slurm' THEN 'Slurm' WHEN 'kubernetes' THEN 'Kubernetes' ELSE 'the scheduler' END AS who,
 coalesce(r.state, 'out of service') AS held, CASE WHEN r.reason IS NULL THEN '' ELSE ': ' || r.reason END AS why
FROM ranked r WHERE r.nth = 1
