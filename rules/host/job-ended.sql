-- id:       host.job-ended
-- title:    Slurm ended a job because its node failed or its memory ran out
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.slurm.node_failed
-- needs:    log.slurm.node_failed
-- summary:  Slurm{job}: {what}{times}
-- meaning:  {means}
-- action:   collect
-- remedy:   {advice}
-- falsepositives: Time limits, preemption and jobs that somebody cancelled.
-- refs:     Slurm, job state codes NODE_FAIL and OUT_OF_MEMORY; slurmstepd messages
WITH attr AS (
  SELECT a.event_id, max(CASE a.name WHEN 'job' THEN a.value END) AS job, max(CASE a.name WHEN 'node' THEN a.value END) AS node, max(CASE a.name WHEN 'why' THEN a.value END) AS why
  FROM event_attr a WHERE a.name IN ('job', 'node', 'why') GROUP BY a.event_id
),
hit AS (
  SELECT e.id, e.host_id, e.t_us, e.line_id, e.repeats, a.job, a.node, coalesce(b.seq, 0) AS boot_seq, e.kind = 'slurm.oom_killed' AS memory
  FROM event e LEFT JOIN attr a ON a.event_id = e.id LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.copy_of IS NULL AND e.host_id IS NOT NULL AND (e.kind IN ('slurm.node_failed', 'slurm.oom_killed') OR (e.kind = 'slurm.cancelled' AND a.why LIKE 'NODE FAIL%'))
),
per AS (
  SELECT h.*, count(*) OVER w AS n, row_number() OVER (w ORDER BY h.job IS NULL, h.t_us, h.id) AS nth, min(h.t_us) OVER w AS from_us, max(h.t_us) OVER w AS to_us,
   max(h.boot_seq) OVER w AS last_seq
  FROM hit h WINDOW w AS (PARTITION BY h.host_id, h.memory, h.node)
)
SELECT p.host_id AS host_id, NULL AS gpu_id, p.from_us AS t0_us, p.to_us AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT o.line_id FROM per o WHERE o.host_id = p.host_id AND o.memory = p.memory AND o.node IS p.node ORDER BY o.nth LIMIT 20)) AS evidence,
 CASE WHEN p.memory THEN 'memory ' ELSE 'node ' END || coalesce(p.node, '') AS grp, CASE WHEN p.memory THEN 'application' ELSE 'unknown' END AS points,
 CASE WHEN p.memory THEN 'restart_app' END AS action, CASE WHEN p.last_seq < 0 THEN 'history' END AS state,
 coalesce(' job ' || p.job, '') AS job,
 CASE WHEN p.memory THEN 'tasks were killed at the memory limit of the job' ELSE 'the node' || coalesce(' ' || p.node, '') || ' failed while it ran' END AS what,
 CASE WHEN p.n > 1 THEN printf(', %d messages', p.n) ELSE '' END AS times,
 CASE WHEN p.memory THEN 'The job took more memory of the host than it had asked for. That is no fault of a GPU.'
  ELSE 'The controller of Slurm heard nothing more from the node: it crashed, was switched off, or lost its network. Why, the job''s log cannot say.' END AS means,
 CASE WHEN p.memory THEN 'Ask for more memory (--mem), or let the job take less: data loader workers, pinned memory, checkpoints.'
  ELSE 'Take the kernel log of that node from the boot before (journalctl -k -b -1), its BMC log, and the log of slurmctld.' END AS advice
FROM per p WHERE p.nth = 1
