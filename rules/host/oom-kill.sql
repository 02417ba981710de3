-- id:       host.oom-kill
-- title:    The kernel killed processes for want of host memory
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   application
-- shows:    effect
-- settle:   log.kernel.*
-- needs:    log.kernel.oom_kill
-- reads:    event.kernel.oom_kill
-- params:   near_s=60
-- explains: xid.sympathetic +60 host; host.nccl-hang +7200 host; host.job-ended +60 host
-- summary:  The kernel killed {names} for want of {memory}{times}{tie}{order}
-- meaning:  {means}
-- action:   restart_app
-- remedy:   {advice}
-- falsepositives: Kills inside a container or service at its own limit, with no tie to a GPU (info).
-- refs:     Linux mm/oom_kill.c; Linux cgroup v2, memory.max; near_s: practice
WITH kill AS (
  SELECT e.id, e.host_id, e.boot_id, e.t_us, e.t_quality, e.line_id, e.repeats, e.pid, e.incident_id, coalesce(e.process, n.value, 'a process') AS name,
   coalesce(s.value = 'cgroup', 0) AS cgroup, coalesce(b.seq, 0) AS boot_seq
  FROM event e LEFT JOIN event_attr n ON n.event_id = e.id AND n.name = 'name' LEFT JOIN event_attr s ON s.event_id = e.id AND s.name = 'scope'
   LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind = 'kernel.oom_kill' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
client AS ( -- processes that were seen on a GPU
  SELECT DISTINCT g.host_id, p.pid FROM process_sample p JOIN gpu g ON g.id = p.gpu_id WHERE p.pid > 0
),
tied AS (
  SELECT k.*,
   (SELECT x.id FROM event x WHERE x.host_id = k.host_id AND x.kind = 'xid' AND x.code IN (43, 45) AND x.copy_of IS NULL AND x.boot_id IS k.boot_id
     AND x.t_quality = k.t_quality AND x.t_us BETWEEN k.t_us AND k.t_us + coalesce(:near_s, 60) * 1000000 AND coalesce(x.pid = k.pid, 1)
     ORDER BY x.t_us, x.id LIMIT 1) AS xid_id,
   EXISTS (SELECT 1 FROM client c WHERE c.host_id = k.host_id AND c.pid = k.pid) AS client
  FROM kill k
),
named AS (
  SELECT t.*, CASE WHEN t.xid_id IS NOT NULL OR t.client THEN 'gpu ' || coalesce(t.incident_id, -t.id) ELSE 'other ' || t.cgroup || '/' || coalesce(t.boot_id, 0) END AS life,
   t.xid_id IS NOT NULL OR t.client AS gpu
  FROM tied t
),
per AS (
  SELECT n.host_id, n.life, max(n.gpu) AS gpu, min(n.cgroup) AS cgroup, sum(n.repeats) AS n, min(n.t_us) AS t0, max(n.t_us) AS t1, max(n.t_quality) AS t_quality,
   max(n.boot_id) AS boot_id, max(n.boot_seq) AS boot_seq, max(n.xid_id) AS xid_id, max(n.client) AS client,
   (SELECT min(x.t_us) FROM xid x WHERE x.host_id = n.host_id AND x.boot_id IS n.boot_id AND x.t_quality = n.t_quality) AS first_xid
  FROM named n GROUP BY n.host_id, n.life
)
SELECT p.host_id AS host_id, NULL AS gpu_id, CASE WHEN p.gpu THEN p.t0 END AS t0_us, CASE WHEN p.gpu THEN p.t1 END AS t1_us,
 CASE WHEN p.xid_id IS NOT NULL OR p.client THEN 0.95 ELSE 0.7 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT n.line_id FROM named n WHERE n.host_id = p.host_id AND n.life = p.life
   UNION SELECT x.line_id FROM event x WHERE x.id = p.xid_id ORDER BY 1 LIMIT 50)) AS evidence,
 p.life AS grp, CASE WHEN p.gpu THEN 'error' WHEN p.cgroup THEN 'info' ELSE 'warning' END AS severity,
 CASE WHEN p.gpu THEN 'restart_app' ELSE 'watch' END AS action,
 CASE WHEN p.boot_seq < 0 THEN 'history' WHEN NOT p.gpu THEN 'unknown' END AS state,
 (SELECT group_concat(name, ', ') FROM (SELECT DISTINCT n.name AS name FROM named n WHERE n.host_id = p.host_id AND n.life = p.life ORDER BY 1 LIMIT 6)) AS names,
 CASE WHEN p.cgroup THEN 'memory inside a limit (cgroup)' ELSE 'host memory' END AS memory,
 CASE WHEN p.n > 1 THEN printf(', %d times', p.n) ELSE '' END AS times,
 CASE WHEN p.xid_id IS NOT NULL THEN '; the driver then tore down channels' WHEN p.client THEN '; it was a client of a GPU' ELSE '; no tie to a GPU is seen' END AS tie,
 CASE WHEN p.first_xid IS NULL THEN '' WHEN p.t1 <= p.first_xid THEN '; before the first Xid' WHEN p.t0 > p.first_xid THEN '; after the first Xid' ELSE '' END AS "order",
 CASE WHEN p.gpu THEN 'The job ended for its host memory, not for the GPU: Xid 43 and 45 behind it are the clean-up.'
  WHEN p.cgroup THEN 'A container or service reached its own memory limit.' ELSE 'The host ran out of memory; whoever was killed need not be whoever took it.' END AS means,
 CASE WHEN p.gpu THEN 'Give the job more host memory, or let it take less: data loader workers, pinned memory, checkpoints. In a container look at its memory limit and at /dev/shm.'
  ELSE 'Nothing to do for the GPUs. The lines around it list what took the memory.' END AS advice
FROM per p
