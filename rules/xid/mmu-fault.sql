-- id:       xid.mmu-fault
-- title:    A program touched GPU memory that is not its own (Xid 31)
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   application
-- shows:    effect
-- settle:   log.xid
-- needs:    log.xid
-- reads:    xid.31
-- params:   window_h=24 min_programs=2
-- explains: xid.burst overlap gpu; xid.recovery-action +180 gpu; xid.sympathetic +180 gpu; xid.sm-exception +180 gpu
-- summary:  {gpu}: MMU fault (Xid 31) by {program}{place}{times}
-- meaning:  A kernel read or wrote an address that is not mapped: nearly always a bug of the program or of a library it uses. The GPU goes
--           on working; the process is lost.
-- action:   restart_app
-- remedy:   Run it once under compute-sanitizer. If other programs fault on the same GPU too, run dcgmi diag -r 3.
-- falsepositives: Faults while a process is torn down after an earlier crash (then that one leads).
-- refs:     NVIDIA Xid catalog, 31
WITH fault AS (
  SELECT x.*, i.root_event, i.kind AS root_kind, i.code AS root_code, b.seq AS boot_seq,
   CASE WHEN x.t_quality = 'boot_relative' THEN x.boot_id ELSE 0 END AS clock_boot,
   (SELECT value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'engine') AS engine,
   (SELECT value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'address') AS address
  FROM xid x LEFT JOIN incident i ON i.id = x.incident_id LEFT JOIN boot b ON b.id = x.boot_id
  WHERE x.code = 31
),
own AS (SELECT * FROM fault WHERE root_event IS NULL OR (root_kind = 'xid' AND root_code = 31)),
-- A storm has thousands of events: programs are told apart by the hour, and the first events of each stand for the others.
named AS (
  SELECT o.*, coalesce(o.incident_id, -o.id) AS life, o.t_us / 3600000000 AS hour,
   row_number() OVER (PARTITION BY o.host_id, o.gpu_id, coalesce(o.incident_id, -o.id), o.process ORDER BY o.t_us, o.id) AS nth FROM own o
),
fold AS (
  SELECT host_id, gpu_id, t_quality, clock_boot, process, min(t_us) AS first_us, max(t_us) AS last_us FROM named
  WHERE process IS NOT NULL GROUP BY host_id, gpu_id, t_quality, clock_boot, process, hour
),
near AS (
  -- A pid without a name is not a different program: the same one may have been started again.
  SELECT f.host_id, f.gpu_id, (SELECT count(DISTINCT p.process) FROM fold p WHERE p.host_id = f.host_id AND p.gpu_id = f.gpu_id AND p.t_quality = f.t_quality
    AND p.clock_boot IS f.clock_boot AND p.last_us >= f.last_us AND p.first_us <= f.last_us + coalesce(:window_h, 24) * 3600000000) AS together
  FROM fold f
),
crowd AS (SELECT host_id, gpu_id, max(together) AS programs FROM near GROUP BY host_id, gpu_id),
per AS (
  SELECT n.host_id, n.gpu_id, coalesce(c.programs, 0) AS programs, count(DISTINCT n.life) AS incidents, count(DISTINCT n.process) AS names,
   max(coalesce(n.boot_seq, 0)) AS boot_seq,
   (SELECT group_concat(process, ', ') FROM (SELECT DISTINCT f.process FROM fold f WHERE f.host_id = n.host_id AND f.gpu_id IS n.gpu_id ORDER BY 1 LIMIT 5)) AS listed
  FROM named n LEFT JOIN crowd c ON c.host_id = n.host_id AND c.gpu_id = n.gpu_id GROUP BY n.host_id, n.gpu_id
),
kept AS (
  SELECT n.*, row_number() OVER (PARTITION BY n.host_id, n.gpu_id ORDER BY n.nth, n.t_us, n.id) AS rank,
   row_number() OVER (PARTITION BY n.host_id, n.gpu_id ORDER BY n.t_us DESC, n.id DESC) AS from_end,
   row_number() OVER (PARTITION BY n.host_id, n.gpu_id ORDER BY n.t_us, n.id) AS from_start
  FROM named n
)
SELECT n.host_id AS host_id, n.gpu_id AS gpu_id, n.instance_id AS instance_id, n.t_us AS t0_us, n.t_us AS t1_us,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 0.7 ELSE 0.85 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = n.id AND el.role <> 'copy' ORDER BY el.line_id LIMIT 20)) AS evidence,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 'hardware' ELSE 'application' END AS points,
 'gpu' || coalesce(n.gpu_id, 'host') AS grp,
 CASE WHEN p.boot_seq < 0 THEN 'history' END AS state,
 CASE WHEN p.names > 1 THEN printf('%d programs (', p.names) || p.listed || ')'
      WHEN n.process IS NOT NULL AND n.pid IS NOT NULL THEN n.process || ' pid ' || n.pid
      WHEN n.process IS NOT NULL THEN n.process WHEN n.pid IS NOT NULL THEN 'pid ' || n.pid ELSE 'an unknown process' END AS program,
 coalesce(', engine ' || n.engine, '') || coalesce(' at ' || n.address, '') AS place,
 CASE WHEN p.incidents > 1 THEN printf(', %d incidents', p.incidents) ELSE ', once' END AS times
FROM kept n JOIN per p ON p.host_id = n.host_id AND p.gpu_id IS n.gpu_id WHERE n.rank <= 200 OR n.from_start = 1 OR n.from_end = 1
