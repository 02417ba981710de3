-- id:       policy.limit-not-reapplied
-- title:    A setting fell back to its default when the driver started again
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   policy
-- shows:    condition
-- settle:   boot.journal
-- needs:    fact.power.limit_w|fact.persistence.mode table.change
-- reads:    table.change
-- params:   margin_w=1
-- explains: policy.persistence-off any gpu
-- summary:  {gpu}: {what} {before} → {after}{unit} {cause}
-- meaning:  Power limit and persistence mode live in the loaded driver. It started again, and nobody set them again: the machine
--           does not run as it was set up to.
-- action:   fix_config
-- remedy:   Set it again (nvidia-smi -pl, nvidia-persistenced), and from a service that runs after every start of the driver,
--           not from one that ran once.
-- falsepositives: A limit that somebody put back to its default while the driver stayed loaded. A change towards a limit that is
--           not the default. Two captures without a time.
-- refs:     nvidia-smi manual, -pl, -pm: "not persistent across reboots"; NVIDIA driver persistence documentation
WITH base AS (
  SELECT c.gpu_id, c.num, c.line_id, row_number() OVER (PARTITION BY c.gpu_id ORDER BY c.t_us IS NULL DESC, c.t_us DESC, c.line_id) AS age
  FROM contract c WHERE c.key = 'power.limit_default_w' AND c.gpu_id IS NOT NULL AND c.num > 0
),
lost AS (
  SELECT h.*, d.line_id AS default_line,
   CASE WHEN h.t_quality IN ('exact', 'aligned') THEN 'known' ELSE h.t_quality END AS clock,
   row_number() OVER (PARTITION BY h.gpu_id, h.what ORDER BY h.id DESC) AS age
  FROM change h LEFT JOIN base d ON d.gpu_id = h.gpu_id AND d.age = 1
  WHERE h.gpu_id IS NOT NULL AND h.t_before_us IS NOT NULL AND h.t_us IS NOT NULL AND h.what IN ('power.limit_w', 'persistence.mode')
),
fallen AS (
  SELECT l.* FROM lost l LEFT JOIN base d ON d.gpu_id = l.gpu_id AND d.age = 1
  WHERE l.age = 1
   AND ((l.what = 'power.limit_w' AND abs(CAST(l.after AS REAL) - d.num) <= coalesce(:margin_w, 1)
         AND abs(CAST(l.before AS REAL) - d.num) > coalesce(:margin_w, 1))
     OR (l.what = 'persistence.mode' AND l.before IN ('enabled', 'on') AND l.after IN ('disabled', 'off')))
),
-- What lets go of such settings. A boot and the driver's start in it are one: the more telling counts.
restart AS (
  SELECT e.host_id, e.t_us, CASE WHEN e.t_quality IN ('exact', 'aligned') THEN 'known' ELSE e.t_quality END AS clock, e.line_id,
   CASE e.kind WHEN 'nvrm.unload' THEN 'when the driver was unloaded' ELSE 'when the driver was loaded again' END AS how, 2 AS rank
  FROM event e WHERE e.kind IN ('nvrm.load', 'nvrm.unload') AND e.copy_of IS NULL AND e.t_us IS NOT NULL
  UNION ALL
  SELECT b.host_id, b.start_us, CASE WHEN b.start_quality IN ('exact', 'aligned') THEN 'known' ELSE b.start_quality END, b.line_id,
   'when the machine was started again', 1
  FROM boot b WHERE b.start_us IS NOT NULL AND b.line_id IS NOT NULL
),
seen AS (
  SELECT f.id, r.t_us, r.line_id, r.how, r.rank FROM fallen f JOIN restart r ON r.host_id = f.host_id
   AND CASE WHEN r.clock = f.clock THEN r.t_us > f.t_before_us AND r.t_us <= f.t_us
    -- Local time whose zone nobody knows is off by 14 hours at most.
    WHEN 'boot_relative' NOT IN (r.clock, f.clock) AND 'unknown' NOT IN (r.clock, f.clock)
     THEN r.t_us > f.t_before_us + 14 * 3600000000 AND r.t_us <= f.t_us - 14 * 3600000000 END
  UNION ALL
  SELECT f.id, coalesce(v.t_us, f.t_us), v.line_after, printf('with driver %s → %s', v.before, v.after), 0
  FROM fallen f JOIN change v ON v.host_id = f.host_id AND v.what = 'driver.version' AND v.layer IN ('loaded', 'nvml', '')
   AND (v.t_us IS NULL OR v.t_us > f.t_before_us) AND (v.t_before_us IS NULL OR v.t_before_us < f.t_us)
),
cause AS (
  SELECT s.*, row_number() OVER (PARTITION BY s.id ORDER BY s.rank, s.t_us, s.line_id) AS nth FROM seen s
)
SELECT f.host_id AS host_id, f.gpu_id AS gpu_id, f.t_us AS t0_us, f.t_us AS t1_us, 0.85 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT f.line_after AS line_id UNION ALL SELECT f.line_before UNION ALL SELECT c.line_id
   UNION ALL SELECT f.default_line WHERE f.what = 'power.limit_w') WHERE line_id IS NOT NULL) AS evidence,
 'active' AS state, f.t_quality AS t_quality,
 printf('%s %s %s', f.what, f.before, f.after) AS grp,
 CASE f.what WHEN 'power.limit_w' THEN 'power limit' ELSE 'persistence mode' END AS what,
 f.before AS before, f.after AS after, CASE f.what WHEN 'power.limit_w' THEN ' W (the default)' ELSE '' END AS unit,
 c.how AS cause
FROM fallen f JOIN cause c ON c.id = f.id AND c.nth = 1
