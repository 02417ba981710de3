-- id:       bundle.time-uncertain
-- title:    Times are local and their zone is not in the bundle
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   host.date
-- needs:    table.source
-- summary:  {sources} source(s) have local times of an unknown zone; they order among themselves, not against UTC
-- meaning:  Order between these sources is right. Against sources in UTC (a BMC log, Prometheus, another site) it may be off by hours.
-- action:   collect
-- remedy:   Pass --tz ZONE or collect the output of date and timedatectl with the next bundle.
-- falsepositives: none: it is a remark on the evidence
-- refs:     DESIGN: quality zone_assumed
WITH s AS (
  SELECT s.host_id, s.id, c.how FROM source s JOIN clock c ON c.id = s.clock_id WHERE c.quality = 'zone_assumed' AND s.host_id IS NOT NULL
)
SELECT s.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT min(l.id) AS line_id FROM line l JOIN s x ON x.host_id = s.host_id AND (l.id >> 32) = x.id GROUP BY l.id >> 32 ORDER BY 1 LIMIT 20)) AS evidence,
 'host' AS grp, count(*) AS sources
FROM s GROUP BY s.host_id HAVING EXISTS (SELECT 1 FROM line l JOIN s x ON x.host_id = s.host_id AND (l.id >> 32) = x.id)
