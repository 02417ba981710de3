-- id:       driver.branch-eol
-- title:    The driver's branch was past its end of life when the bundle was collected
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     fault
-- points:   driver
-- shows:    condition
-- settle:   fact.driver.version
-- needs:    fact.driver.version
-- params:   table_year=2026
-- summary:  Driver {version}: branch {branch} ended {ended}
-- meaning:  Faults of this branch are no longer mended, and the vendor asks for a newer one before looking at a ticket.
-- action:   watch
-- remedy:   Plan the move to a branch with long support: {newer}. A new branch of the same or a newer CUDA runs what runs now.
-- falsepositives: Bundles that were collected before that date, or at an unknown time.
-- refs:     docs.nvidia.com/datacenter/tesla/drivers; kb_driver_branch; table_year: when that table was made

WITH driver AS (
  SELECT c.host_id, c.value, c.line_id, CAST(c.value AS INTEGER) AS branch, b.collected_us,
   row_number() OVER (PARTITION BY c.host_id ORDER BY c.layer = 'loaded' DESC, c.layer) AS nth
  FROM contract c JOIN host h ON h.id = c.host_id JOIN bundle b ON b.id = h.bundle_id
  WHERE c.key = 'driver.version' AND c.gpu_id IS NULL AND c.layer IN ('loaded', 'nvml') AND b.collected_how <> 'archive mtime'
),
dated AS (SELECT d.*, k.eol, k.is_eol, date(d.collected_us / 1000000, 'unixepoch') AS day FROM driver d JOIN kb_driver_branch k ON k.branch = d.branch WHERE d.nth = 1)
SELECT d.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(d.line_id) AS evidence, 'host' AS grp,
 d.value AS version, d.branch AS branch, coalesce('in ' || d.eol, 'before ' || coalesce(:table_year, 2026)) AS ended,
 coalesce((SELECT group_concat(branch, ', ') FROM (SELECT branch FROM kb_driver_branch k WHERE k.type = 'LTS' AND k.eol >= substr(d.day, 1, 7) AND k.branch > d.branch
   AND k.branch <= d.branch + 150 ORDER BY branch)), 'see the table of branches') AS newer
FROM dated d
-- The branch lives to the end of its month.
WHERE d.eol < substr(d.day, 1, 7) OR (d.eol IS NULL AND d.is_eol = 'yes' AND CAST(substr(d.day, 1, 4) AS INTEGER) >= coalesce(:table_year, 2026))
