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
-- explains: xid.sympathetic +180 gpu
-- summary:  {gpu}: MMU fault (Xid 31) by {program}{place}{times}
-- meaning:  A kernel read or wrote an address that is not mapped: nearly always a bug of the program or of a library it uses. The GPU goes
--           on working; the process is lost.
-- action:   restart_app
-- remedy:   Restart the job; run it once under compute-sanitizer. If other programs fault on the same GPU too, run dcgmi diag -r 3.
-- falsepositives: Faults while a process is torn down after an earlier crash (then that one leads).
-- refs:     NVIDIA Xid catalog, 31
WITH fault AS (
  SELECT x.*, i.root_event, i.kind AS root_kind, i.code AS root_code, b.seq AS boot_seq,
   (SELECT value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'engine') AS engine,
   (SELECT value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'address') AS address
  FROM xid x LEFT JOIN incident i ON i.id = x.incident_id LEFT JOIN boot b ON b.id = x.boot_id
  WHERE x.code = 31
),
own AS (SELECT * FROM fault WHERE root_event IS NULL OR (root_kind = 'xid' AND root_code = 31)),
per AS (
  SELECT o.*,
   (SELECT count(DISTINCT p.incident_id) FROM own p WHERE p.gpu_id IS o.gpu_id AND p.host_id = o.host_id) AS incidents,
   (SELECT count(DISTINCT coalesce(p.process, 'pid ' || p.pid)) FROM own p WHERE p.gpu_id IS o.gpu_id AND p.host_id = o.host_id
     AND abs(p.t_us - o.t_us) <= coalesce(:window_h, 24) * 3600000000) AS programs
  FROM own o
)
SELECT p.host_id AS host_id, p.gpu_id AS gpu_id, p.t_us AS t0_us, p.t_us AS t1_us,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 0.7 ELSE 0.85 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = p.id AND el.role <> 'copy' ORDER BY el.line_id LIMIT 20)) AS evidence,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN p.programs >= coalesce(:min_programs, 2) THEN 'hardware' ELSE 'application' END AS points,
 'gpu' || coalesce(p.gpu_id, 'host') AS grp,
 CASE WHEN p.boot_seq < 0 THEN 'history' END AS state,
 CASE WHEN p.process IS NOT NULL AND p.pid IS NOT NULL THEN p.process || ' pid ' || p.pid
      WHEN p.process IS NOT NULL THEN p.process WHEN p.pid IS NOT NULL THEN 'pid ' || p.pid ELSE 'an unknown process' END AS program,
 coalesce(', engine ' || p.engine, '') || coalesce(' at ' || p.address, '') AS place,
 CASE WHEN p.incidents > 1 THEN printf(', %d incidents', p.incidents) ELSE ', once' END AS times
FROM per p
