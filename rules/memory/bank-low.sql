-- id:       memory.bank-low
-- title:    Few or no spare rows are left in a memory bank
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    condition
-- settle:   fact.remap.banks_none
-- needs:    fact.remap.banks_low|fact.remap.banks_none
-- reads:    fact.remap.banks_low|fact.remap.banks_none
-- summary:  {gpu}: {what}
-- meaning:  Each bank has few spare rows. {means}
-- action:   watch
-- remedy:   {todo}
-- falsepositives: Banks that used some of their spares (High, Partial): that is what these are for.
-- refs:     NVIDIA GPU memory error management, Bank Remap Availability Histogram
WITH bank AS (
  SELECT c.host_id, c.gpu_id, max(CASE c.key WHEN 'remap.banks_none' THEN c.num END) AS without, max(CASE c.key WHEN 'remap.banks_low' THEN c.num END) AS low,
   json_group_array(c.line_id) AS evidence
  FROM contract c
  WHERE c.gpu_id IS NOT NULL AND c.key IN ('remap.banks_none', 'remap.banks_low') AND c.num > 0
  GROUP BY c.host_id, c.gpu_id
)
SELECT b.host_id AS host_id, b.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, b.evidence AS evidence,
 'gpu ' || b.gpu_id AS grp, CASE WHEN b.without > 0 THEN 'warning' ELSE 'info' END AS severity,
 CASE WHEN b.without > 0 THEN printf('%d memory bank(s) have no spare row left', b.without) || CASE WHEN b.low > 0 THEN printf(', %d have few', b.low) ELSE '' END
  ELSE printf('%d memory bank(s) have few spare rows left', b.low) END AS what,
 CASE WHEN b.without > 0 THEN 'The next bad row in such a bank cannot be replaced: the GPU then is a candidate for replacement.'
  ELSE 'Nothing fails yet.' END AS means,
 CASE WHEN b.without > 0 THEN 'Plan for it: keep this GPU out of long jobs that cannot restart, and watch Remapping Failure Occurred.'
  ELSE 'Look again in a month.' END AS todo
FROM bank b
