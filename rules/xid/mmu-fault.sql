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
own AS (
  SELECT *, CAST(t_us / max(coalesce(:window_h, 24) * 3600000000, 1) AS INTEGER) AS win FROM fault WHERE root_event IS NULL OR (root_kind = 'xid' AND root_code = 31)
),
-- Who is in the window behind each error is in its own stretch of time or in the next: with thousands of errors all pairs are too many.
-- A pid without a name is not a different program: the same one may have been started again.
near AS (
  SELECT o.host_id, o.gpu_id, count(DISTINCT p.process) AS together
  FROM own o JOIN (SELECT 0 AS n UNION ALL SELECT 1) d JOIN own p ON p.gpu_id = o.gpu_id AND p.win = o.win + d.n AND p.t_quality = o.t_quality
   AND p.clock_boot IS o.clock_boot AND p.t_us BETWEEN o.t_us AND o.t_us + coalesce(:window_h, 24) * 3600000000
  GROUP BY o.id
),
most AS (SELECT host_id, gpu_id, max(together) AS programs FROM near GROUP BY host_id, gpu_id),
name AS (
  SELECT host_id, gpu_id, process, row_number() OVER (PARTITION BY host_id, gpu_id ORDER BY process) AS nth
  FROM (SELECT DISTINCT host_id, gpu_id, process FROM own WHERE process IS NOT NULL)
),
named AS (
  SELECT host_id, gpu_id, group_concat(process, ', ') AS list FROM (SELECT * FROM name WHERE nth <= 5 ORDER BY host_id, gpu_id, nth) GROUP BY host_id, gpu_id
),
per AS (
  SELECT o.host_id, o.gpu_id, coalesce(m.programs, 0) AS programs, count(DISTINCT coalesce(o.incident_id, -o.id)) AS incidents,
   count(DISTINCT o.process) AS names, max(coalesce(o.boot_seq, 0)) AS boot_seq, max(l.list) AS list
  FROM own o LEFT JOIN most m ON m.host_id = o.host_id AND m.gpu_id IS o.gpu_id LEFT JOIN named l ON l.host_id = o.host_id AND l.gpu_id IS o.gpu_id
  GROUP BY o.host_id, o.gpu_id
)
SELECT n.host_id AS host_id, n.gpu_id AS gpu_id, n.instance_id AS instance_id, n.t_us AS t0_us, n.t_us AS t1_us,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 0.7 ELSE 0.85 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = n.id AND el.role <> 'copy' ORDER BY el.line_id LIMIT 20)) AS evidence,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 'hardware' ELSE 'application' END AS points,
 'gpu' || coalesce(n.gpu_id, 'host') AS grp,
 CASE WHEN p.boot_seq < 0 THEN 'history' END AS state,
 CASE WHEN p.names > 1 THEN printf('%d programs (', p.names) || p.list || ')'
      WHEN n.process IS NOT NULL AND n.pid IS NOT NULL THEN n.process || ' pid ' || n.pid
      WHEN n.process IS NOT NULL THEN n.process WHEN n.pid IS NOT NULL THEN 'pid ' || n.pid ELSE 'an unknown process' END AS program,
 coalesce(', engine ' || n.engine, '') || coalesce(' at ' || n.address, '') AS place,
 CASE WHEN p.incidents > 1 THEN printf(', %d incidents', p.incidents) ELSE ', once' END AS times
FROM own n JOIN per p ON p.host_id = n.host_id AND p.gpu_id IS n.gpu_id
