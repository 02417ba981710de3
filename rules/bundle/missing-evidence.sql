-- id:       bundle.missing-evidence
-- title:    The bundle lacks evidence that a sure answer needs
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   sample.reasons
-- needs:    table.sample|table.pci_device|table.fact|table.event
-- summary:  missing {missing}
-- meaning:  What is absent here was not seen, and not seen is not healthy. The minimum: for "slow" a trace with clocks, power, limit and reasons;
--           for "crash" and "hang" the kernel log of the whole boot; for a missing GPU lspci and the BMC's log; for "transfer"
--           both ends of the link; for "start" the versions.
-- action:   collect
-- remedy:   See "cannot tell" for the command that would collect each.
-- falsepositives: none: it is a remark on the evidence
-- refs:     QUESTIONS: evidence to keep
WITH want(nth, symptom, what, says) AS (VALUES
  (1, 'slow', 'sample.sm_clock_mhz', 'clocks over time'), (1, 'slow', 'sample.power_w', 'power'),
  (1, 'slow', 'sample.reasons', 'clock reasons'), (1, 'slow', 'power.limit', 'the limit'),
  (2, 'crash and hang', 'log.xid', 'the whole kernel log'), (3, 'a missing GPU', 'table.pci_device', 'lspci'),
  (4, 'transfer', 'table.link', 'lspci as root'), (5, 'start', 'fact.driver.version', 'the driver version')
),
lack AS (
  SELECT h.id AS host_id, w.nth, w.symptom, w.says
  FROM host h, want w
  WHERE NOT EXISTS (SELECT 1 FROM coverage c WHERE c.host_id = h.id AND (c.what NOT LIKE 'log.%' OR c.whole)
   AND (c.what = w.what OR (w.what = 'power.limit' AND c.what IN ('sample.power_limit_w', 'fact.power.limit_w'))))
),
told AS (SELECT host_id, nth, 'for ' || symptom || ': ' || group_concat(says, ', ') AS says FROM lack GROUP BY host_id, nth),
-- Lists of a whole cluster, which name no machine, are none beside those that are named.
seen AS (
  SELECT s.host_id, min(l.id) AS line_id FROM line l JOIN source s ON s.id = l.id >> 32 JOIN host h ON h.id = s.host_id
  WHERE coalesce(h.name, '') <> '' OR EXISTS (SELECT 1 FROM gpu g WHERE g.host_id = h.id) OR EXISTS (SELECT 1 FROM event e WHERE e.host_id = h.id)
   OR NOT EXISTS (SELECT 1 FROM host o WHERE o.bundle_id = h.bundle_id AND o.id <> h.id)
  GROUP BY s.host_id
)
SELECT s.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(s.line_id) AS evidence,
 'host' AS grp, group_concat(t.says, '; ') AS missing
FROM seen s JOIN (SELECT * FROM told ORDER BY host_id, nth) t ON t.host_id = s.host_id
GROUP BY s.host_id
