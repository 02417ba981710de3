-- id:       nvlink.bandwidth-low
-- title:    Copies or collectives between GPUs are slower than those of their peers
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   fact.nvlink.*
-- needs:    metric.bandwidth.*|fact.nccl.busbw_max_gbps
-- reads:    metric.bandwidth.*|fact.nccl.busbw_max_gbps
-- params:   pair_pct=70 even_pct=90 run_pct=80 min_gbps=1
-- explains: host.nccl-hang any host
-- summary:  {what}
-- meaning:  {means}
-- action:   fix_host
-- remedy:   Look at nvidia-smi nvlink -s and -e, nvidia-smi topo -m and the PCIe link of these GPUs, and run it again with the node idle.
-- falsepositives: Pairs that the board wires differently: where the pairs of a matrix are not mostly alike, or nvidia-smi topo -m names another way for them, nothing is said; runs with
--           another number of GPUs.
-- refs:     NVIDIA p2pBandwidthLatencyTest, nvbandwidth, nccl-tests; pair_pct, even_pct, run_pct: practice
WITH cell AS ( -- matrices of copies between two GPUs
  SELECT m.source_id, substr(m.key, 11, instr(m.key, '/') - 11) AS test, substr(m.key, instr(m.key, '/') + 1) AS pair, t.max AS gbps, t.line_max AS line_id
  FROM metric m JOIN metric_stat t ON t.metric_id = m.id
  WHERE m.key GLOB 'bandwidth.*/*-*' AND m.key NOT LIKE '%latency%' AND m.key NOT LIKE '%disabled%' AND (m.key LIKE '%p2p%' OR m.key LIKE '%device_to_device%')
),
split AS (
  SELECT c.*, CAST(c.pair AS INTEGER) AS a, CAST(substr(c.pair, instr(c.pair, '-') + 1) AS INTEGER) AS b FROM cell c
),
way AS ( -- how they are connected, as far as the bundle shows it
  SELECT s.*, src.host_id, (SELECT min(f.value) FROM fact f JOIN gpu g ON g.id = f.gpu_id WHERE f.host_id = src.host_id AND g.idx = s.a AND f.key = 'topo.link.gpu' || s.b) AS link
  FROM split s JOIN source src ON src.id = s.source_id WHERE s.a <> s.b AND s.gbps >= coalesce(:min_gbps, 1)
),
ranked AS (
  SELECT w.*, row_number() OVER (PARTITION BY w.source_id, w.test, w.link ORDER BY w.gbps) AS rank, count(*) OVER (PARTITION BY w.source_id, w.test, w.link) AS n FROM way w
),
middle AS (SELECT r.source_id, r.test, r.link, r.gbps AS median, r.n FROM ranked r WHERE r.rank = (r.n + 2) / 2),
judged AS (
  SELECT r.*, m.median, r.gbps < m.median * coalesce(:pair_pct, 70) / 100.0 AS low,
   sum(r.gbps >= m.median * coalesce(:even_pct, 90) / 100.0) OVER (PARTITION BY r.source_id, r.test, r.link) AS even
  FROM ranked r JOIN middle m ON m.source_id = r.source_id AND m.test = r.test AND m.link IS r.link
),
pair AS ( -- most pairs are alike
  SELECT j.*, count(*) OVER (PARTITION BY j.source_id, j.test, j.link) AS low_n, min(j.gbps) OVER (PARTITION BY j.source_id, j.test, j.link) AS low_gbps,
   row_number() OVER (PARTITION BY j.source_id, j.test, j.link ORDER BY j.gbps, j.pair) AS nth
  FROM judged j WHERE j.low AND j.even * 2 >= j.n AND j.n >= 6
),
node AS ( -- a GPU that all slow pairs have in common
  SELECT p.source_id, p.test, p.link, d.dev, count(*) AS n FROM pair p JOIN (SELECT DISTINCT a AS dev FROM split) d ON d.dev IN (p.a, p.b) GROUP BY p.source_id, p.test, p.link, d.dev
),
run AS ( -- nccl-tests with as many GPUs on other hosts, or at another time
  SELECT f.host_id, f.source_id, f.num AS gbps, f.line_id, r.num AS ranks, s.path, lower(s.path || ' ' || coalesce(s.title, '')) AS words
  FROM fact f JOIN source s ON s.id = f.source_id JOIN fact r ON r.source_id = f.source_id AND r.key = 'nccl.ranks' WHERE f.key = 'nccl.busbw_max_gbps' AND f.num > 0 AND f.host_id IS NOT NULL
),
named AS ( -- one collective cannot be compared with another
  SELECT r.*, CASE WHEN r.words LIKE '%all_reduce%' THEN 1 WHEN r.words LIKE '%all_gather%' THEN 2 WHEN r.words LIKE '%reduce_scatter%' THEN 3 WHEN r.words LIKE '%alltoall%' THEN 4
    WHEN r.words LIKE '%sendrecv%' THEN 5 WHEN r.words LIKE '%broadcast%' THEN 6 ELSE 0 END AS op FROM run r
),
slower AS (
  SELECT r.*, max(o.gbps) AS best, o.line_id AS best_line, row_number() OVER (PARTITION BY r.host_id, r.source_id ORDER BY r.line_id) AS nth
  FROM named r JOIN named o ON o.source_id <> r.source_id AND o.ranks = r.ranks AND o.op = r.op AND r.gbps < o.gbps * coalesce(:run_pct, 80) / 100.0 GROUP BY r.host_id, r.source_id, r.line_id
)
SELECT p.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.85 AS confidence, json_array(p.line_id) AS evidence,
 printf('matrix %d %s %s', p.source_id, p.test, p.link) AS grp,
 printf('%d of %d pairs of GPUs copy slowly: %g GB/s where the middle one has %g (%s)', p.low_n, p.n, round(p.low_gbps, 1), round(p.median, 1), replace(p.test, '_', ' ')) AS what,
 coalesce((SELECT printf('All slow pairs have GPU %d (as CUDA counts) in common: evidence points at its links or its place.', min(n.dev)) FROM node n
   WHERE n.source_id = p.source_id AND n.test = p.test AND n.link IS p.link AND n.n = p.low_n HAVING count(*) = 1),
  'The other pairs of the same machine are faster by the same program: evidence points at the links between these.') AS means
FROM pair p WHERE p.nth <= 20
UNION ALL
SELECT s.host_id, NULL, NULL, NULL, 0.7, json_array(s.line_id, s.best_line), printf('run %d', s.source_id),
 printf('nccl-tests reach %g GB/s here (%s), %g elsewhere with as many GPUs', round(s.gbps, 1), s.path, round(s.best, 1)),
 'The same collective with as many GPUs was faster elsewhere or at another time: links, the network, or other work on the machine.'
FROM slower s WHERE s.nth = 1
