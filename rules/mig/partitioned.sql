-- id:       mig.partitioned
-- title:    The GPU is cut into MIG slices
-- scope:    bundle
-- severity: info
-- symptom:  slow
-- kind:     explanation
-- points:   policy
-- shows:    condition
-- settle:   table.gpu_instance
-- needs:    table.gpu_instance|fact.mig.mode
-- reads:    table.gpu_instance|fact.mig.mode
-- summary:  {gpu}: {layout}{contradiction}
-- meaning:  A program that opens a slice gets its share of cores and memory only, and cannot see the rest.
-- action:   none
-- remedy:   Compare only with runs on the same profile. nvidia-smi mig -lgi shows the layout; MIG off needs an idle GPU.
-- falsepositives: none: it is how the machine is set up
-- refs:     NVIDIA MIG user guide
WITH kind AS ( -- the slices of one profile of one GPU
  SELECT i.gpu_id, i.profile, count(*) AS n,
   -- 3g.20gb has 3 of 7 parts of the cores, 1c.3g.20gb has 1.
   CASE WHEN instr(i.profile, 'c.') > 1 THEN substr(i.profile, instr(i.profile, 'c.') - 1, 1)
        WHEN instr(i.profile, 'g.') > 1 THEN substr(i.profile, instr(i.profile, 'g.') - 1, 1) END AS parts
  FROM gpu_instance i WHERE i.gpu_id IS NOT NULL GROUP BY i.gpu_id, i.profile
),
slice AS (
  SELECT k.gpu_id, sum(k.n) AS slices, group_concat(k.text, ', ') AS profiles
  FROM (SELECT k.gpu_id, k.n, k.n || ' of ' || coalesce(k.profile, 'unknown profile')
     || CASE WHEN k.parts > 0 AND m.mig_max > 0 THEN printf(' (%s/%d of the cores)', k.parts, m.mig_max) ELSE '' END AS text
    FROM kind k JOIN gpu g ON g.id = k.gpu_id LEFT JOIN kb_gpu_model m ON m.model = g.model
    ORDER BY k.gpu_id, k.profile IS NULL, k.profile) k
  GROUP BY k.gpu_id
),
mode AS (
  SELECT c.gpu_id, c.value, c.line_id, row_number() OVER (PARTITION BY c.gpu_id ORDER BY c.t_us IS NULL DESC, c.t_us DESC, c.line_id) AS age
  FROM contract c WHERE c.key = 'mig.mode' AND c.gpu_id IS NOT NULL
),
-- What a GPU with slices cannot have: a utilization of the whole, a client outside of all slices.
whole AS (
  SELECT r.gpu_id, min((r.source_id << 32) | (SELECT s.line FROM gpu_sample s WHERE s.rowid = m.first_id)) AS line_id
  FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id
  WHERE m.util_max IS NOT NULL AND r.instance_id IS NULL AND r.gi IS NULL AND r.gpu_id IS NOT NULL GROUP BY r.gpu_id
),
outside AS (
  SELECT p.gpu_id, min(p.line_id) AS line_id FROM process_sample p JOIN source s ON s.id = p.line_id >> 32
  WHERE p.gpu_id IS NOT NULL AND p.gi IS NULL AND p.type LIKE '%C%' AND s.parser IN ('smi-table', 'smi-q') GROUP BY p.gpu_id
),
cut AS (
  SELECT g.id AS gpu_id, g.host_id, s.slices, s.profiles, m.line_id AS mode_line,
   w.line_id AS whole_line, o.line_id AS outside_line, CASE WHEN m.value = 'disabled' THEN m.line_id END AS off_line
  FROM gpu g LEFT JOIN slice s ON s.gpu_id = g.id LEFT JOIN mode m ON m.gpu_id = g.id AND m.age = 1
  LEFT JOIN whole w ON w.gpu_id = g.id LEFT JOIN outside o ON o.gpu_id = g.id
  WHERE s.slices > 0 OR m.value = 'enabled'
)
SELECT c.host_id AS host_id, c.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT DISTINCT i.line_id FROM gpu_instance i WHERE i.gpu_id = c.gpu_id
   UNION SELECT c.mode_line WHERE c.slices IS NULL ORDER BY 1 LIMIT 20)) AS evidence,
 (SELECT CASE WHEN count(*) THEN json_group_array(line_id) END FROM (SELECT c.whole_line AS line_id UNION SELECT c.outside_line UNION SELECT c.off_line)
  WHERE line_id IS NOT NULL) AS against,
 CASE WHEN coalesce(c.whole_line, c.outside_line, c.off_line) IS NOT NULL THEN 'warning' ELSE 'info' END AS severity,
 coalesce(c.profiles, 'mode') || (c.whole_line IS NOT NULL) || (c.outside_line IS NOT NULL) || (c.off_line IS NOT NULL) AS grp,
 c.slices AS slices, c.profiles AS profiles,
 CASE WHEN c.slices IS NULL THEN 'MIG mode is on, no slice is listed: without one a program finds no GPU'
      ELSE printf('%d MIG slice%s, %s; a job''s "GPU 0" is one of them', c.slices, CASE WHEN c.slices = 1 THEN '' ELSE 's' END, c.profiles) END AS layout,
 CASE WHEN c.whole_line IS NOT NULL THEN ' (but a utilization of the whole GPU is printed, which MIG does not: outputs of different times?)'
      WHEN c.outside_line IS NOT NULL THEN ' (but a client outside of all slices is listed: outputs of different times?)'
      WHEN c.off_line IS NOT NULL THEN ' (but MIG mode is off: outputs of different times?)' ELSE '' END AS contradiction
FROM cut c
