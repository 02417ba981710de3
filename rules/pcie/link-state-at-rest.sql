-- id:       pcie.link-state-at-rest
-- title:    A slow PCIe link, of a GPU of which nobody saw whether it was at work
-- scope:    bundle
-- severity: info
-- symptom:  transfer
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   fact.pcie.gen_current
-- needs:    table.link|fact.pcie.gen_current
-- summary:  {gpu}: the PCIe link runs at {speed}; nothing shows whether the GPU was at work then
-- meaning:  GPUs lower the link at rest on purpose, so this is no fault by itself. Only under load a lower speed is one.
-- action:   none
-- remedy:   Look again while a job runs: nvidia-smi --query-gpu=index,pstate,utilization.gpu,pcie.link.gen.current,pcie.link.gen.max --format=csv -l 1
-- falsepositives: Links at the speed of both ends; GPUs whose state at work or at rest is in the bundle (pcie.speed-reduced judges these).
-- refs:     nvidia-smi manual, "pcie.link.gen.current"; PCI Express Base Specification, Link Status
WITH seen AS ( -- how busy it was
  SELECT DISTINCT c.gpu_id FROM coverage c WHERE c.what IN ('sample.util_pct', 'sample.pstate') AND c.gpu_id IS NOT NULL
),
slow AS (
  SELECT l.host_id, l.gpu_id, printf('%g GT/s of %g', l.sta_gts, min(l.cap_gts, coalesce(l.port_cap_gts, l.cap_gts))) AS speed, coalesce(l.line_sta, l.line_id) AS line_id, 1 AS rank
  FROM link l WHERE l.sta_gts > 0 AND l.sta_gts < min(l.cap_gts, coalesce(l.port_cap_gts, l.cap_gts))
  UNION ALL
  SELECT n.host_id, n.gpu_id, printf('generation %g of %g', n.num, m.num), n.line_id, 2 FROM contract n JOIN contract m ON m.gpu_id = n.gpu_id AND m.key = 'pcie.gen_max' AND m.layer = n.layer
  WHERE n.key = 'pcie.gen_current' AND n.num > 0 AND n.num < m.num
),
best AS (SELECT s.*, row_number() OVER (PARTITION BY s.gpu_id ORDER BY s.rank, s.line_id) AS nth FROM slow s)
SELECT b.host_id AS host_id, b.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(b.line_id) AS evidence, b.speed AS grp, b.speed AS speed
FROM best b WHERE b.nth = 1 AND b.gpu_id NOT IN (SELECT s.gpu_id FROM seen s)
