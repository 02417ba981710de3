-- id:       xid.sm-exception
-- title:    A program made the GPU's processors stop with an exception (Xid 13)
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   application
-- shows:    effect
-- settle:   log.xid
-- needs:    log.xid
-- reads:    xid.13
-- params:   min_programs=2
-- explains: xid.burst overlap gpu; xid.recovery-action +180 gpu; xid.sympathetic +180 gpu
-- summary:  {gpu}: exception (Xid 13) in {program}{reason}{place}{times}
-- meaning:  {means}
-- action:   restart_app
-- remedy:   {advice}
-- falsepositives: Exceptions that follow a memory error, a lost GPU or hanging firmware belong to that; dozens of lines are one exception.
-- refs:     NVIDIA Xid catalog, 13 and its workflow; compute-sanitizer manual; min_programs: the same processor under different programs points
--           at it (NVIDIA Xid 13 workflow)
WITH own AS ( -- no more columns than are needed: a storm has a hundred thousand of them
  SELECT x.id, x.host_id, x.gpu_id, x.instance_id, x.t_us, x.process, x.repeats, x.incident_id, b.seq AS boot_seq,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'reason') AS reason
  FROM xid x LEFT JOIN incident i ON i.id = x.incident_id LEFT JOIN boot b ON b.id = x.boot_id
  WHERE x.code = 13 AND x.host_id IS NOT NULL AND (i.root_event IS NULL OR (i.kind = 'xid' AND i.code = 13))
),
-- Each line of an exception names one processor: "Exception on (GPC 1, TPC 3, SM 0): why".
named AS (
  SELECT o.id, o.host_id, o.gpu_id, o.process, coalesce(o.incident_id, -o.id) AS incident, substr(l.text, instr(l.text, 'Exception on (GPC') + 14, 60) AS rest
  FROM own o JOIN event_line el ON el.event_id = o.id AND el.role <> 'copy' JOIN line l ON l.id = el.line_id
  WHERE instr(l.text, 'Exception on (GPC') > 0 AND o.gpu_id IS NOT NULL
),
place AS (
  SELECT id, host_id, gpu_id, process, incident, replace(substr(rest, 1, instr(rest, ')') - 1), ',', '') AS unit FROM named WHERE instr(rest, ')') > 1
),
-- A pid without a name is no other program.
unit AS (
  SELECT host_id, gpu_id, unit, count(DISTINCT process) AS programs, count(DISTINCT incident) AS incidents FROM place GROUP BY host_id, gpu_id, unit
),
-- One bad program spoils all processors that it runs on: a place counts where it alone is hit again.
worst AS (
  SELECT u.* FROM unit u WHERE u.programs >= coalesce(:min_programs, 2) AND u.incidents >= coalesce(:min_programs, 2)
   AND NOT EXISTS (SELECT 1 FROM unit o WHERE o.host_id = u.host_id AND o.gpu_id = u.gpu_id AND o.unit <> u.unit AND o.incidents >= u.incidents)
),
per AS (
  SELECT o.host_id, o.gpu_id, count(DISTINCT coalesce(o.incident_id, -o.id)) AS incidents, count(DISTINCT o.process) AS names, min(o.process) AS name, sum(o.repeats) AS n,
   max(coalesce(o.boot_seq, 0)) AS boot_seq,
   (SELECT count(*) FROM unit u WHERE u.host_id = o.host_id AND u.gpu_id = o.gpu_id) AS units
  FROM own o GROUP BY o.host_id, o.gpu_id
),
programs AS (
  SELECT host_id, gpu_id, group_concat(process, ', ') AS list FROM (
   SELECT host_id, gpu_id, process, row_number() OVER (PARTITION BY host_id, gpu_id ORDER BY process) AS nth FROM own WHERE process IS NOT NULL GROUP BY host_id, gpu_id, process)
  WHERE nth <= 5 GROUP BY host_id, gpu_id
),
reasons AS (
  SELECT host_id, gpu_id, group_concat(reason, ', ') AS list FROM (
   SELECT host_id, gpu_id, reason, row_number() OVER (PARTITION BY host_id, gpu_id ORDER BY count(*) DESC, reason) AS nth FROM own WHERE reason IS NOT NULL GROUP BY host_id, gpu_id, reason)
  WHERE nth <= 3 GROUP BY host_id, gpu_id
),
-- One finding a GPU: the first ones and the last say all of it.
ranked AS (
  SELECT id FROM (SELECT id, row_number() OVER w AS nth, count(*) OVER (PARTITION BY host_id, gpu_id) AS all_of FROM own WINDOW w AS (PARTITION BY host_id, gpu_id ORDER BY id))
  WHERE nth <= 500 OR nth = all_of
),
shown AS (SELECT o.* FROM own o WHERE o.id IN (SELECT id FROM ranked))
SELECT o.host_id AS host_id, o.gpu_id AS gpu_id, o.instance_id AS instance_id, o.t_us AS t0_us, o.t_us AS t1_us,
 CASE WHEN w.unit IS NOT NULL THEN 0.5 ELSE 0.85 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = o.id AND el.role <> 'copy' ORDER BY el.line_id LIMIT 10)) AS evidence,
 CASE WHEN w.unit IS NOT NULL THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN w.unit IS NOT NULL THEN 'hardware' ELSE 'application' END AS points,
 CASE WHEN w.unit IS NOT NULL THEN 'collect' ELSE 'restart_app' END AS action,
 'sm ' || coalesce(o.gpu_id, 'host') AS grp,
 CASE WHEN p.boot_seq < 0 THEN 'history' END AS state,
 CASE WHEN p.names > 1 THEN printf('%d programs (', p.names) || g.list || ')' ELSE coalesce(p.name, 'an unknown process') END AS program,
 coalesce(': ' || r.list, '') AS reason,
 CASE WHEN w.unit IS NOT NULL THEN printf('; %s in %d of them, under %d programs', w.unit, w.incidents, w.programs) WHEN p.units = 1 THEN ', on ' || (SELECT min(u.unit)
   FROM unit u WHERE u.host_id = o.host_id AND u.gpu_id = o.gpu_id) WHEN p.units > 1 THEN printf(', on %d processors', p.units) ELSE '' END AS place,
 CASE WHEN p.incidents > 1 THEN printf('; %d incidents', p.incidents) ELSE ', once' END AS times,
 CASE WHEN w.unit IS NOT NULL THEN 'The same processor of the card stopped under different programs: that points at the card rather than at the programs. It is no proof: small kernels all begin on the same processor.'
  ELSE 'A kernel used an address, an instruction or an alignment that is not allowed: nearly always a bug of the program or a library. The GPU goes on working; the process is lost.' END AS means,
 CASE WHEN w.unit IS NOT NULL THEN 'Drain the GPU and run dcgmi diag -r 3 and the field diagnostic; run one of the programs on another GPU to compare.'
  ELSE 'Restart the job; run it once under compute-sanitizer. If different programs fail on the same GPU only, run dcgmi diag -r 3.' END AS advice
FROM shown o JOIN per p ON p.host_id = o.host_id AND p.gpu_id IS o.gpu_id LEFT JOIN worst w ON w.host_id = o.host_id AND w.gpu_id = o.gpu_id
 LEFT JOIN programs g ON g.host_id = o.host_id AND g.gpu_id IS o.gpu_id LEFT JOIN reasons r ON r.host_id = o.host_id AND r.gpu_id IS o.gpu_id
