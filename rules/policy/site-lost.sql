-- id:       policy.site-lost
-- title:    A setting is not as this site means to have it
-- scope:    bundle
-- severity: warning
-- symptom:  none
-- kind:     fault
-- points:   policy
-- shows:    condition
-- settle:   table.site
-- needs:    table.site
-- summary:  {gpu}: {key}{layer} is {value}, meant is {expected}: {why}
-- meaning:  The file given with --site says what this site means to have, and the bundle says something else: it was lost,
--           changed, or never set on this machine.
-- action:   fix_config
-- remedy:   Set it as it is meant, from something that sets it again after every start of the driver; or correct the site's file.
-- falsepositives: A line of the file that covers more machines than it should. Values that a container alone has.
-- refs:     docs/site.md
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 json_array(s.value_line, s.line_id) AS evidence,
 printf('%s %s %s', s.key, s.value, s.expected) AS grp,
 s.key AS key, CASE WHEN s.layer IN ('', 'nvml') THEN '' ELSE ' (' || s.layer || ')' END AS layer,
 s.value AS value, s.expected AS expected, s.why AS why
FROM site s WHERE NOT s.holds
