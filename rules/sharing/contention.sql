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
-- reads:    table.process_sample
-- params:   min_sm_pct=1 min_clients=2 busy_pct=50 min_mixed_sm_pct=10 drop_pct=10
-- explains: clocks.busy-but-slow any gpu
-- summary:  {gpu}: {clients} programs {doing}: {who}
-- meaning:  They take turns on the same cores: each gets a part of the time, and latency depends on the neighbours.
-- action:   fix_config
-- remedy:   Give each job its own GPU or MIG slice, or use MPS on purpose. nvidia-smi pmon and the scheduler's job list tell whose they are.
-- falsepositives: Ranks of one job, an MPS server and its clients, slices of MIG: shown as such they are no contention; where the bundle does
--           not show it, the process list with parents (ps -ef) would tell. A desktop beside a computing program (types G, C+G
--           with little activity). A client without activity in pmon waits.
-- refs:     nvidia-smi manual, pmon; busy_pct, min_mixed_sm_pct: practice
WITH client AS ( -- programs that compute, in the part of the GPU that they share
  SELECT p.gpu_id, p.ref_id, p.seq, p.t_raw_us, p.gi, p.ci, p.pid, p.name, p.sm_pct, p.fb_mib, p.line_id
  FROM process_sample p
  WHERE p.gpu_id IS NOT NULL AND p.type LIKE '%C%' AND p.type NOT LIKE 'M%'
   AND (p.type NOT LIKE '%G%' OR p.sm_pct >= coalesce(:min_mixed_sm_pct, 10))
   AND NOT EXISTS (SELECT 1 FROM process_sample m WHERE m.ref_id = p.ref_id AND m.name LIKE '%nvidia-cuda-mps%')
),
active AS (
  SELECT c.*, 1 AS computes FROM client c WHERE c.sm_pct >= coalesce(:min_sm_pct, 1)
),
-- Where no activity is recorded: clients with memory, on a GPU that was seen to be slow.
holding AS (
  SELECT c.*, 0 AS computes FROM client c
  WHERE c.fb_mib > 0 AND c.sm_pct IS NULL
   AND NOT EXISTS (SELECT 1 FROM gpu_ref r JOIN source s ON s.id = r.source_id WHERE r.gpu_id = c.gpu_id AND s.parser = 'smi-pmon')
   AND EXISTS (SELECT 1 FROM episode e WHERE e.gpu_id = c.gpu_id AND (e.kind = 'busy_slow' OR (e.kind = 'power_limit'
     AND e.clock_med_mhz <= e.clock_ref_mhz * (1 - coalesce(:drop_pct, 10) / 100.0))))
),
at_once AS (SELECT * FROM active UNION ALL SELECT * FROM holding),
round AS (
  SELECT a.gpu_id, a.ref_id, a.seq, a.t_raw_us, a.gi, a.ci, a.computes, count(DISTINCT a.pid) AS clients, sum(a.sm_pct) AS load, min(a.line_id) AS first_line
  FROM at_once a GROUP BY a.ref_id, a.seq, a.t_raw_us, a.gi, a.ci, a.computes HAVING count(DISTINCT a.pid) >= coalesce(:min_clients, 2)
),
best AS (SELECT r.*, row_number() OVER (PARTITION BY r.gpu_id ORDER BY r.computes DESC, r.clients DESC, r.load DESC, r.first_line) AS rank FROM round r),
member AS (
  SELECT b.gpu_id, a.pid, a.name, a.sm_pct, a.fb_mib, a.line_id,
   row_number() OVER (PARTITION BY b.gpu_id ORDER BY a.sm_pct DESC, a.fb_mib DESC, a.pid) AS nth
  FROM best b JOIN at_once a ON a.ref_id = b.ref_id AND a.seq IS b.seq AND a.t_raw_us IS b.t_raw_us AND a.gi IS b.gi AND a.ci IS b.ci AND a.computes = b.computes
  WHERE b.rank = 1
)
SELECT g.host_id AS host_id, b.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, CASE WHEN b.computes THEN 0.85 ELSE 0.5 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT m.line_id FROM member m WHERE m.gpu_id = b.gpu_id ORDER BY m.line_id LIMIT 20)) AS evidence,
 -- Two clients that together hardly use the GPU do not get in each other's way.
 CASE WHEN NOT b.computes OR b.load >= coalesce(:busy_pct, 50) THEN 'warning' ELSE 'info' END AS severity,
 'gpu' || b.gpu_id AS grp, b.clients AS clients,
 CASE WHEN b.computes THEN 'at once' ELSE 'hold memory of a GPU that was slow; what they do is not recorded' END AS doing,
 (SELECT group_concat(text, ', ') FROM (SELECT m.pid || ' ' || coalesce(m.name, '?')
   || CASE WHEN m.sm_pct IS NOT NULL THEN printf(' (%g %%)', m.sm_pct) WHEN m.fb_mib > 0 THEN printf(' (%g MiB)', m.fb_mib) ELSE '' END AS text
   FROM member m WHERE m.gpu_id = b.gpu_id AND m.nth <= 6 ORDER BY m.nth)) AS who
FROM best b JOIN gpu g ON g.id = b.gpu_id WHERE b.rank = 1
