-- id:       bundle.missing-evidence
-- title:    The bundle lacks evidence that a sure answer needs
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   sample.reasons
-- needs:    table.source
-- summary:  missing: {missing}
-- meaning:  What is absent here was not seen, and not seen is not healthy. The minimum: for "slow" a trace with clocks, power, limit and reasons;
--           for "crash" and "hang" the kernel log of the whole boot; for a missing GPU lspci and the BMC's log.
-- action:   collect
-- remedy:   See "cannot tell" for the command that would collect each.
-- falsepositives: none: it is a remark on the evidence
-- refs:     QUESTIONS: evidence to keep
WITH want(what, says) AS (VALUES
  ('sample.sm_clock_mhz', 'a query trace (clocks)'), ('sample.power_w', 'power in the trace'), ('sample.reasons', 'reason bits in the trace'),
  ('power.limit', 'the power limit'), ('log.xid', 'the whole kernel log'), ('fact.driver.version', 'the driver version'),
  ('table.link', 'lspci -vv as root')
),
have AS (
  SELECT h.id AS host_id, w.what, w.says,
   CASE WHEN w.what = 'power.limit' THEN EXISTS (SELECT 1 FROM coverage c WHERE c.host_id = h.id AND c.what IN ('sample.power_limit_w', 'fact.power.limit_w'))
        ELSE EXISTS (SELECT 1 FROM coverage c WHERE c.host_id = h.id AND c.what = w.what AND (c.what NOT LIKE 'log.%' OR c.whole)) END AS ok
  FROM host h, want w
)
SELECT h.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 json_array((SELECT min(l.id) FROM line l JOIN source s ON s.id = l.id >> 32 WHERE s.host_id = h.host_id)) AS evidence,
 'host' AS grp, group_concat(h.says, ', ') AS missing
FROM have h WHERE NOT h.ok
GROUP BY h.host_id HAVING EXISTS (SELECT 1 FROM line l JOIN source s ON s.id = l.id >> 32 WHERE s.host_id = h.host_id)
