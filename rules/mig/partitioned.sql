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
-- summary:  {gpu}: {slices} MIG slice(s), {profiles}; a job's "GPU 0" is one of them{contradiction}
-- meaning:  A program that opens a slice gets its share of cores and memory only, and cannot see the rest.
-- action:   none
-- remedy:   Compare only with runs on the same profile. nvidia-smi mig -lgi shows the layout; MIG off needs an idle GPU.
-- falsepositives: none: it is how the machine is set up
-- refs:     NVIDIA MIG user guide
WITH slice AS (
  SELECT i.gpu_id, count(*) AS slices, group_concat(DISTINCT i.profile) AS profiles, min(i.line_id) AS first_line FROM gpu_instance i
  WHERE i.gpu_id IS NOT NULL GROUP BY i.gpu_id
),
whole AS (
  SELECT r.gpu_id, min((r.source_id << 32) | (SELECT s.line FROM gpu_sample s WHERE s.rowid = m.first_id)) AS line_id
  FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id
  WHERE m.util_max IS NOT NULL AND r.instance_id IS NULL AND r.gi IS NULL AND r.gpu_id IS NOT NULL GROUP BY r.gpu_id
)
SELECT g.host_id AS host_id, g.id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT DISTINCT i.line_id FROM gpu_instance i WHERE i.gpu_id = g.id ORDER BY i.line_id LIMIT 20)) AS evidence,
 CASE WHEN w.line_id IS NOT NULL THEN json_array(w.line_id) END AS against,
 CASE WHEN w.line_id IS NOT NULL THEN 'warning' ELSE 'info' END AS severity,
 'gpu' || g.id AS grp,
 s.slices AS slices, s.profiles AS profiles,
 CASE WHEN w.line_id IS NOT NULL THEN ' (but a utilization of the whole GPU is printed, which MIG does not: outputs of different times?)' ELSE '' END AS contradiction
FROM slice s JOIN gpu g ON g.id = s.gpu_id LEFT JOIN whole w ON w.gpu_id = g.id
