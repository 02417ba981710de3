-- id:       change.error-onset
-- title:    An error began, or became more frequent, with a change of version
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   driver
-- shows:    effect
-- settle:   log.xid
-- needs:    table.change table.rate_test log.xid
-- reads:    table.rate_test
-- params:   p=0.01 min_after=2
-- summary:  {error}: {n_before} in {hours_before} h before, {n_after} in {hours_after} h after {what} {before} → {after} (p {p})
-- meaning:  The rate of this error differs between before and after the change by more than chance explains. That points at the change, it does
--           not prove it: whatever else changed in the same reboot is a candidate, too.
-- action:   watch
-- remedy:   Go back to {before} on one node and watch for {hours_needed} h, or ask the vendor with this table. Check the release notes of {after}.
-- falsepositives: Too little time before the change to have seen the error; versions that go back and forth; the change's own start-up errors.
-- refs:     Przyborowski and Wilenski 1940: conditional test of two Poisson rates
SELECT r.host_id AS host_id, c.gpu_id AS gpu_id, c.t_us AS t0_us, c.t_us AS t1_us,
 CASE WHEN r.p <= coalesce(:p, 0.01) THEN 0.85 ELSE 0.5 END AS confidence,
 (SELECT json_group_array(line_id) FROM (
   SELECT c.line_before AS line_id UNION SELECT c.line_after
   UNION SELECT line_id FROM (SELECT e.line_id FROM incident i JOIN event e ON e.id = i.root_event
     WHERE i.host_id = r.host_id AND i.kind = r.kind AND i.code IS r.code AND coalesce(i.gpu_id = c.gpu_id, 1) ORDER BY i.t0_us DESC LIMIT 28)
   ORDER BY 1)) AS evidence,
 CASE WHEN r.p <= coalesce(:p, 0.01) AND r.n_after >= coalesce(:min_after, 2) THEN 'warning' ELSE 'info' END AS severity,
 'change' || c.id || '/' || r.kind || coalesce(r.code, '') AS grp,
 CASE WHEN r.kind = 'xid' THEN 'Xid ' || r.code ELSE r.kind END AS error,
 r.n_before AS n_before, r.n_after AS n_after, printf('%.0f', r.hours_before) AS hours_before, printf('%.0f', r.hours_after) AS hours_after,
 CASE c.what WHEN 'driver.version' THEN 'driver' WHEN 'kernel.release' THEN 'kernel' WHEN 'driver.flavor' THEN 'kernel module'
  WHEN 'gpu.vbios' THEN 'VBIOS' WHEN 'gsp.firmware' THEN 'GSP firmware' ELSE c.what END AS what,
 c.before AS before, c.after AS after, printf('%.2g', r.p) AS p,
 CASE WHEN r.n_after > 0 AND r.hours_after > 0 THEN printf('%.0f', 4.6 * r.hours_after / r.n_after) ELSE '?' END AS hours_needed
FROM rate_test r JOIN change c ON c.id = r.change_id
WHERE c.what IN ('driver.version', 'kernel.release', 'driver.flavor', 'gpu.vbios', 'gsp.firmware') AND r.n_after >= coalesce(:min_after, 2)
 AND ((r.p <= coalesce(:p, 0.01) AND r.n_after * r.hours_before > r.n_before * r.hours_after) OR (r.n_before = 0 AND r.hours_needed IS NULL))
