-- id:       driver.display-reset
-- title:    Windows reset the display driver
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   fact.driver.version
-- needs:    log.windows.display_reset
-- reads:    event.windows.display_reset|event.windows.gpu_error
-- summary:  {host}: Windows reset the display driver{times}{words}
-- meaning:  A GPU did not finish its work within the time that Windows allows, two seconds if nobody changed it, and Windows restarted the driver.
--           Each program that used the GPU lost what it had there. A kernel that runs too long does that as well as a GPU that hangs.
-- action:   collect
-- remedy:   See what ran at that time. Where it was a long kernel, split it, or run it on a GPU without a display (TCC or MCDM). Where it was none, note the
--           driver's errors (nvlddmkm 13, 14) around it, try a released driver of another branch, and test the GPU under load.
-- falsepositives: Debuggers that hold a GPU; errors 13 and 14 alone, without a reset, are no finding of this rule.
-- refs:     Microsoft, Timeout detection and recovery; Display event 4101; nvlddmkm event 153
WITH said AS (
  SELECT e.*, count(*) OVER w AS n, row_number() OVER (w ORDER BY e.t_us, e.id) AS nth, min(e.t_us) OVER w AS from_us, max(e.t_us) OVER w AS to_us
  FROM event e WHERE e.kind = 'windows.display_reset' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
  WINDOW w AS (PARTITION BY e.host_id, e.t_quality)
),
errors AS (
  SELECT e.host_id, min(e.text) AS text, count(*) AS n, min(e.line_id) AS line_id FROM event e
  WHERE e.kind = 'windows.gpu_error' AND e.copy_of IS NULL AND e.host_id IS NOT NULL GROUP BY e.host_id
)
SELECT s.host_id AS host_id, NULL AS gpu_id, s.from_us AS t0_us, s.to_us AS t1_us, 0.9 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT o.line_id FROM said o WHERE o.host_id = s.host_id AND o.t_quality = s.t_quality AND o.nth <= 10
   UNION SELECT x.line_id FROM errors x WHERE x.host_id = s.host_id ORDER BY 1)) AS evidence,
 'reset ' || s.t_quality AS grp,
 CASE WHEN s.n > 1 THEN printf(', %d times', s.n) ELSE '' END AS times,
 coalesce((SELECT printf('; the driver reports %d error(s), %s', x.n, substr(x.text, 1, 120)) FROM errors x WHERE x.host_id = s.host_id), '') AS words
FROM said s WHERE s.nth = 1
