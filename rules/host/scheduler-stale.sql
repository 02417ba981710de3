-- id:       host.scheduler-stale
-- title:    What the scheduler thinks of the node does not fit its GPUs
-- scope:    bundle
-- severity: warning
-- symptom:  missing
-- kind:     fault
-- points:   policy
-- shows:    condition
-- settle:   log.xid
-- needs:    fact.scheduler.state|fact.scheduler.gpus_allocatable log.xid fact.gpu.count
-- reads:    fact.scheduler.node
-- summary:  {host}: {what}
-- meaning:  {means}
-- action:   restart_service
-- remedy:   {advice}
-- falsepositives: Nodes that are out of service for something else than a GPU; faults after the last start of the machine; outputs that speak of several nodes or of another one.
-- refs:     Slurm documentation, scontrol (node states, resume); NVIDIA k8s-device-plugin, health checks: a GPU that was marked unhealthy stays so until the plugin restarts
WITH one AS ( -- outputs that speak of one node, and of this one as far as its name is known
  SELECT f.host_id, f.source_id, f.layer, max(CASE f.key WHEN 'scheduler.node' THEN f.value END) AS node, max(CASE f.key WHEN 'scheduler.state' THEN f.value END) AS state,
   max(CASE f.key WHEN 'scheduler.reason' THEN f.value END) AS reason, max(CASE f.key WHEN 'scheduler.gpus' THEN f.num END) AS gpus,
   max(CASE f.key WHEN 'scheduler.gpus_allocatable' THEN f.num END) AS usable,
   max(CASE f.key WHEN 'scheduler.state' THEN f.line_id END) AS state_line, max(CASE f.key WHEN 'scheduler.reason' THEN f.line_id END) AS reason_line,
   max(CASE f.key WHEN 'scheduler.gpus_allocatable' THEN f.line_id END) AS usable_line
  FROM fact f WHERE f.key GLOB 'scheduler.*' AND f.host_id IS NOT NULL GROUP BY f.host_id, f.source_id
  HAVING sum(f.key = 'scheduler.node') = 1
),
own AS (
  SELECT o.*, ' ' || replace(replace(o.state, '+', ' '), '*', ' ') || ' ' AS words,
   (SELECT max(c.num) FROM contract c WHERE c.host_id = o.host_id AND c.gpu_id IS NULL AND c.key = 'gpu.count') AS seen,
   (SELECT max(c.line_id) FROM contract c WHERE c.host_id = o.host_id AND c.gpu_id IS NULL AND c.key = 'gpu.count') AS seen_line,
   (SELECT b.start_us FROM boot b WHERE b.host_id = o.host_id AND b.seq = 0) AS start_us,
   strftime('%s', substr(o.reason, instr(o.reason, '@') + 1, 19)) * 1000000 AS since_us -- "[root@2026-02-11T04:12:00]"
  FROM one o JOIN host h ON h.id = o.host_id
  WHERE h.name IS NULL OR lower(substr(h.name || '.', 1, instr(h.name || '.', '.') - 1)) = lower(substr(o.node || '.', 1, instr(o.node || '.', '.') - 1))
),
broken AS ( -- GPUs that need a reset or more, in this boot
  SELECT e.host_id, min(e.line_id) AS line_id FROM event e LEFT JOIN kb_xid k ON e.kind = 'xid' AND k.code = e.code LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.copy_of IS NULL AND coalesce(b.seq, 0) = 0 AND (e.kind IN ('smi.gpu_lost', 'smi.requires_reset', 'smi.unknown_error', 'smi.handle_error', 'nvrm.fallen_off_bus', 'nvrm.init_failed')
   OR e.kind = 'xid' AND k.action IN ('reset_gpu', 'reboot_node', 'power_cycle', 'drain_and_replace', 'drain_rma_candidate'))
  GROUP BY e.host_id
),
judged AS (
  SELECT o.*, b.line_id AS broken_line,
   coalesce(o.words LIKE '% drain%' OR o.words LIKE '% down %' OR o.words LIKE '% fail%' OR o.words LIKE '% cordoned %', 0) OR coalesce(o.usable < o.gpus, 0) AS out,
   coalesce(lower(o.reason) LIKE '%xid%' OR lower(o.reason) LIKE '%gpu%' OR lower(o.reason) LIKE '%nvidia%' OR lower(o.reason) LIKE '%nvlink%' OR lower(o.reason) LIKE '%ecc%', 0) OR coalesce(o.usable < o.gpus, 0) AS of_gpu,
   EXISTS (SELECT 1 FROM coverage c WHERE c.host_id = o.host_id AND c.what = 'log.xid' AND c.whole) AS watched
  FROM own o LEFT JOIN broken b ON b.host_id = o.host_id
)
SELECT j.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, CASE WHEN j.layer = 'k8s' OR j.start_us - j.since_us > 50400000000 THEN 0.85 ELSE 0.5 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT j.reason_line AS line_id UNION ALL SELECT j.usable_line UNION ALL SELECT j.state_line UNION ALL SELECT j.seen_line) WHERE line_id IS NOT NULL) AS evidence,
 'cured' AS grp,
 CASE WHEN j.usable < j.gpus THEN printf('jobs get %d of %d GPUs, nvidia-smi shows %d and no fault in this boot', j.usable, j.gpus, j.seen)
  ELSE printf('the scheduler holds it as %s (%s), and its GPUs show no fault since the machine was started', j.state, j.reason) END AS what,
 'The fault was cured, by a reset or a reboot; nobody told the scheduler. The node stands idle.' AS means,
 CASE j.layer WHEN 'k8s' THEN 'Restart the pod of the NVIDIA device plugin on this node, take off the taint, kubectl uncordon.' ELSE 'Test the GPUs (dcgmi diag -r 2), then scontrol update NodeName=NODE State=RESUME.' END AS advice
FROM judged j
WHERE j.out AND j.of_gpu AND j.broken_line IS NULL AND j.watched AND j.seen >= coalesce(j.gpus, 1)
 AND (j.usable < j.gpus OR j.since_us < j.start_us)
UNION ALL
SELECT j.host_id, NULL, NULL, NULL, CASE WHEN j.broken_line IS NOT NULL THEN 0.85 ELSE 0.7 END,
 (SELECT json_group_array(line_id) FROM (SELECT j.state_line AS line_id UNION ALL SELECT j.usable_line UNION ALL SELECT coalesce(j.broken_line, j.seen_line)) WHERE line_id IS NOT NULL),
 'still served',
 CASE WHEN j.broken_line IS NOT NULL THEN printf('the scheduler still gives work to it (%s), though a GPU needs a reset or more', j.state) ELSE printf('the scheduler counts %d GPUs, nvidia-smi shows %d', j.gpus, j.seen) END,
 'Each job that lands on the broken GPU fails there, and the next one follows: a node that looks free is found first.',
 'Drain the node (scontrol update NodeName=NODE State=DRAIN, kubectl cordon) until the GPU is mended.'
FROM judged j WHERE NOT j.out AND j.state IS NOT NULL AND (j.broken_line IS NOT NULL OR j.seen < j.gpus)
