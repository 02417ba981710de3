-- id:       bundle.truncated
-- title:    The bundle is cut, damaged, or was collected in part
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   fact.bugreport.complete
-- needs:    table.source
-- summary:  {what}
-- meaning:  {means}
-- action:   collect
-- remedy:   {todo}
-- falsepositives: Files that are complete and end without a mark; tools that most servers
--           do not have (vulkaninfo, acpidump).
-- refs:     nvidia-bug-report.sh, end mark and --safe-mode; RFC 1952, trailer of gzip

WITH broken AS ( -- the last line that was read is where it breaks off
  SELECT s.host_id, s.path, s.damage, s.id << 32 | max(1, s.first_line + coalesce(s.lines, 1) - 1) AS line_id,
   row_number() OVER (PARTITION BY coalesce(s.host_id, h.id) ORDER BY s.id) AS nth, count(*) OVER (PARTITION BY coalesce(s.host_id, h.id)) AS n,
   coalesce(s.host_id, h.id) AS at_host
  FROM source s JOIN host h ON h.bundle_id = s.bundle_id AND h.id = coalesce(s.host_id, (SELECT min(x.id) FROM host x WHERE x.bundle_id = s.bundle_id))
  WHERE s.damage IS NOT NULL
),
mark AS (
  SELECT f.host_id, f.key, f.value, f.line_id, s.path,
   row_number() OVER (PARTITION BY f.host_id, f.key, f.source_id ORDER BY f.value = 'yes' DESC, f.line_id) AS nth
  FROM fact f JOIN source s ON s.id = f.source_id WHERE f.key IN ('bugreport.complete', 'bugreport.safe_mode', 'bugreport.skipped') AND f.host_id IS NOT NULL
),
found AS (
  SELECT b.at_host AS host_id, 'damage' AS grp, b.line_id,
   CASE WHEN b.n = 1 THEN b.path || ': ' || b.damage ELSE printf('%d files are damaged, the first: %s: %s', b.n, b.path, b.damage) END AS what,
   'What came before the damage was read and counts; what would have come after it was not seen, and that is not the same as not there.' AS means,
   'Copy the file again (compare sizes and sums with the original), or collect it anew.' AS todo
  FROM broken b WHERE b.nth <= 20
  UNION ALL
  SELECT h.id, 'limit', (SELECT min(s.id) FROM source s WHERE s.bundle_id = b.id) << 32 | 1, 'reading ended early: ' || b.limit_hit,
   'A limit that protects against hostile files was reached. What comes behind it was not read.', 'Unpack the bundle and pass the part that matters, or allow more with --limit NAME=N (docs/security.md).'
  FROM bundle b JOIN host h ON h.bundle_id = b.id AND h.id = (SELECT min(x.id) FROM host x WHERE x.bundle_id = b.id) WHERE b.limit_hit IS NOT NULL
  UNION ALL
  SELECT m.host_id, 'end', m.line_id, m.path || ' has no end mark: the collection was cut off',
   'nvidia-bug-report.sh was stopped, or hung on a GPU that does not answer: what it collects last (nvidia-smi, logs of earlier boots) is missing.',
   'Run it again with --safe-mode --extra-system-data, which leaves out what hangs.'
  FROM mark m WHERE m.key = 'bugreport.complete' AND m.value = 'no' AND m.nth = 1
  UNION ALL
  SELECT m.host_id, 'safe', m.line_id, m.path || ' was collected in safe mode', 'Safe mode leaves out what asks the GPU itself: nvidia-smi -q and the driver''s own dump are missing.',
   'When the node answers again, run nvidia-bug-report.sh without --safe-mode.'
  FROM mark m WHERE m.key = 'bugreport.safe_mode' AND m.value = 'yes' AND m.nth = 1
  UNION ALL
  SELECT m.host_id, 'skipped', m.line_id, m.path || ' lacks ' || m.value, 'These parts could not be collected, mostly because the tools are not installed.',
   'Nothing, unless one of them is needed: install the tool and collect again.'
  FROM mark m WHERE m.key = 'bugreport.skipped' AND m.nth = 1
   -- tools of the desktop and of the firmware, which most servers do not have
   AND trim(replace(replace(replace(replace(m.value, 'vulkaninfo', ''), 'glxinfo', ''), 'acpidump', ''), 'ldd', ''), ', ') <> ''
)
SELECT f.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(f.line_id) AS evidence,
 f.grp AS grp, f.what AS what, f.means AS means, f.todo AS todo
FROM found f WHERE f.host_id IS NOT NULL AND f.line_id IS NOT NULL
