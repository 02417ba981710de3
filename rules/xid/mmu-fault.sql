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

-- A storm has many thousands of events: rows are narrow until the few that are kept, programs are told apart by the hour, and the
-- first events of each stand for the others.
WITH own AS (
  SELECT x.id, x.host_id, x.gpu_id, coalesce(x.incident_id, -x.id) AS life, x.t_us, x.t_us / 3600000000 AS hour, x.t_quality, x.process, coalesce(b.seq, 0) AS boot_seq,
   CASE WHEN x.t_quality = 'boot_relative' THEN x.boot_id ELSE 0 END AS clock_boot
  FROM xid x LEFT JOIN incident i ON i.id = x.incident_id LEFT JOIN boot b ON b.id = x.boot_id
  WHERE x.code = 31 AND (i.root_event IS NULL OR (i.kind = 'xid' AND i.code = 31))
),
fold AS (
  SELECT host_id, gpu_id, t_quality, clock_boot, process, min(t_us) AS first_us, max(t_us) AS last_us FROM own
  WHERE process IS NOT NULL GROUP BY host_id, gpu_id, t_quality, clock_boot, process, hour
),
-- A storm may name thousands of programs. The first of each day say that there are several, and the rest would be held against each other.
few AS (
  SELECT * FROM (SELECT f.*, dense_rank() OVER (PARTITION BY host_id, gpu_id, t_quality, clock_boot, first_us / 86400000000 ORDER BY process) AS name_nth FROM fold f)
  WHERE name_nth <= max(10, coalesce(:min_programs, 2))
),
near AS (
  -- A pid without a name is not a different program: the same one may have been started again.
  SELECT f.host_id, f.gpu_id, count(DISTINCT p.process) AS together
  FROM few f JOIN few p ON p.host_id = f.host_id AND p.gpu_id = f.gpu_id AND p.t_quality = f.t_quality
   AND p.clock_boot IS f.clock_boot AND p.last_us >= f.last_us AND p.first_us <= f.last_us + coalesce(:window_h, 24) * 3600000000
  GROUP BY f.host_id, f.gpu_id, f.t_quality, f.clock_boot, f.last_us
),
crowd AS (SELECT host_id, gpu_id, max(together) AS programs FROM near GROUP BY host_id, gpu_id),
listed AS (
  SELECT host_id, seat, group_concat(process, ', ') AS programs FROM (
   SELECT host_id, seat, process, row_number() OVER (PARTITION BY host_id, seat ORDER BY process) AS nth
   FROM (SELECT DISTINCT host_id, coalesce(gpu_id, 'host') AS seat, process FROM fold) ORDER BY 1, 2, 3)
  WHERE nth <= 5 GROUP BY host_id, seat
),
per AS (
  SELECT n.host_id, n.gpu_id, coalesce(c.programs, 0) AS programs, count(DISTINCT n.life) AS incidents, count(DISTINCT n.process) AS names,
   max(n.boot_seq) AS boot_seq, coalesce(n.gpu_id, 'host') AS seat
  FROM own n LEFT JOIN crowd c ON c.host_id = n.host_id AND c.gpu_id = n.gpu_id GROUP BY n.host_id, n.gpu_id
),
ranked AS (
  SELECT d.*, row_number() OVER (PARTITION BY host_id, gpu_id ORDER BY nth, t_us, id) AS rank FROM (
   SELECT id, host_id, gpu_id, t_us, row_number() OVER (PARTITION BY host_id, gpu_id, life, process ORDER BY t_us, id) AS nth,
    row_number() OVER (PARTITION BY host_id, gpu_id ORDER BY t_us, id) AS from_start,
    row_number() OVER (PARTITION BY host_id, gpu_id ORDER BY t_us DESC, id DESC) AS from_end
   FROM own) d
),
kept AS (
  SELECT x.*, (SELECT value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'engine') AS engine,
   (SELECT value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'address') AS address
  FROM ranked r CROSS JOIN event x ON x.id = r.id WHERE r.rank <= 60 OR r.from_start = 1 OR r.from_end = 1
)
SELECT n.host_id AS host_id, n.gpu_id AS gpu_id, n.instance_id AS instance_id, n.t_us AS t0_us, n.t_us AS t1_us,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 0.7 ELSE 0.85 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = n.id AND el.role <> 'copy' ORDER BY el.line_id LIMIT 20)) AS evidence,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 'hardware' ELSE 'application' END AS points,
 'gpu' || coalesce(n.gpu_id, 'host') AS grp,
 CASE WHEN p.boot_seq < 0 THEN 'history' END AS state,
 CASE WHEN p.names > 1 THEN printf('%d programs (', p.names) || l.programs || ')'
      WHEN n.process IS NOT NULL AND n.pid IS NOT NULL THEN n.process || ' pid ' || n.pid
      WHEN n.process IS NOT NULL THEN n.process WHEN n.pid IS NOT NULL THEN 'pid ' || n.pid ELSE 'an unknown process' END AS program,
 coalesce(', engine ' || n.engine, '') || coalesce(' at ' || n.address, '') AS place,
 CASE WHEN p.incidents > 1 THEN printf(', %d incidents', p.incidents) ELSE ', once' END AS times
FROM kept n JOIN per p ON p.host_id = n.host_id AND p.seat = coalesce(n.gpu_id, 'host') LEFT JOIN listed l ON l.host_id = p.host_id AND l.seat = p.seat
