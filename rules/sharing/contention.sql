-- id:       sharing.contention
-- title:    Several programs compute on one GPU at the same time
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     explanation
-- points:   application
-- shows:    condition
-- settle:   table.process_sample
-- needs:    table.process_sample
-- params:   min_sm_pct=1 min_clients=2 busy_pct=50
-- explains: clocks.busy-but-slow any gpu
-- summary:  {gpu}: {clients} programs at once: {who}
-- meaning:  They take turns on the same cores: each gets a part of the time, and latency depends on the neighbours.
-- action:   fix_config
-- remedy:   Give each job its own GPU or MIG slice, or use MPS on purpose. nvidia-smi pmon and the scheduler's job list tell whose they are.
-- falsepositives: Ranks of one job, an MPS server and its clients, slices of MIG: shown as such they are no contention; where the bundle does
--           not show it, the process list with parents (ps -ef) would tell.
-- refs:     nvidia-smi manual, pmon
WITH round AS (
  SELECT p.gpu_id, p.ref_id, p.seq, p.t_raw_us, count(DISTINCT p.pid) AS clients, sum(p.sm_pct) AS load, min(p.line_id) AS first_line
  FROM process_sample p
  WHERE p.gpu_id IS NOT NULL AND p.type LIKE '%C%' AND p.type NOT LIKE 'M%' AND p.sm_pct >= coalesce(:min_sm_pct, 1)
  GROUP BY p.ref_id, p.seq, p.t_raw_us
  HAVING count(DISTINCT p.pid) >= coalesce(:min_clients, 2) AND NOT (count(p.gi) = count(*) AND count(DISTINCT p.gi) = count(DISTINCT p.pid))
),
best AS (SELECT r.*, row_number() OVER (PARTITION BY r.gpu_id ORDER BY r.clients DESC, r.load DESC, r.first_line) AS rank FROM round r)
SELECT g.host_id AS host_id, b.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.85 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT p.line_id FROM process_sample p WHERE p.ref_id = b.ref_id AND p.seq IS b.seq AND p.t_raw_us IS b.t_raw_us
   AND p.type LIKE '%C%' AND p.sm_pct >= coalesce(:min_sm_pct, 1) ORDER BY p.line_id LIMIT 20)) AS evidence,
 -- Two clients that together hardly use the GPU do not get in each other's way.
 CASE WHEN b.load >= coalesce(:busy_pct, 50) THEN 'warning' ELSE 'info' END AS severity,
 'gpu' || b.gpu_id AS grp, b.clients AS clients,
 (SELECT group_concat(text, ', ') FROM (SELECT p.pid || ' ' || coalesce(p.name, '?') || printf(' (%g %%)', p.sm_pct) AS text FROM process_sample p
   WHERE p.ref_id = b.ref_id AND p.seq IS b.seq AND p.t_raw_us IS b.t_raw_us AND p.type LIKE '%C%' AND p.sm_pct >= coalesce(:min_sm_pct, 1)
   ORDER BY p.sm_pct DESC, p.pid LIMIT 6)) AS who
FROM best b JOIN gpu g ON g.id = b.gpu_id WHERE b.rank = 1
