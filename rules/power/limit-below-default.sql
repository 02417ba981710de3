-- id:       power.limit-below-default
-- title:    The power limit in force is below the board's default
-- scope:    bundle
-- severity: info
-- symptom:  slow
-- kind:     explanation
-- points:   policy
-- shows:    condition
-- settle:   fact.power.limit_w
-- needs:    fact.power.limit_w fact.power.limit_default_w
-- reads:    fact.power.limit_w fact.power.limit_default_w
-- params:   margin_w=1 drop_pct=10 min_samples=5
-- explains: power.cap-clock-drop any gpu; clocks.busy-but-slow any gpu
-- summary:  {gpu}: limit {limit_w} W, default {default_w} W{peers}
-- meaning:  Somebody or something set the limit lower than the board's own default. Under full load the clock will be
--           lower than that of a board at its default.
-- action:   fix_config
-- remedy:   If nobody meant it: nvidia-smi -i INDEX -pl {default_w}, and look for what set it (a boot service, a vendor tool).
-- falsepositives: A site-wide cap that is meant (all GPUs alike: info). A default below the maximum is no lowered limit.
--           Another model, or the same with another default, has its own limit.
-- refs:     nvidia-smi manual, "Power Limit", "Default Power Limit"
WITH newest AS ( -- of each GPU; what has no time is of the collection
  SELECT c.*, row_number() OVER (PARTITION BY c.gpu_id, c.key ORDER BY c.t_us IS NULL DESC, c.t_us DESC, c.line_id) AS age
  FROM contract c WHERE c.key IN ('power.limit_w', 'power.limit_default_w') AND c.gpu_id IS NOT NULL AND c.num > 0
),
pair AS (
  SELECT l.host_id, l.gpu_id, g.name, l.num AS limit_w, l.line_id AS limit_line, d.num AS default_w, d.line_id AS default_line
  FROM newest l JOIN newest d ON d.gpu_id = l.gpu_id AND d.key = 'power.limit_default_w' AND d.age = 1
  JOIN gpu g ON g.id = l.gpu_id
  WHERE l.key = 'power.limit_w' AND l.age = 1
),
low AS (
  SELECT p.*,
   -- The same product with the same default has more.
   EXISTS (SELECT 1 FROM pair o WHERE o.host_id = p.host_id AND o.name IS p.name AND o.limit_w > p.limit_w + coalesce(:margin_w, 1)
    AND abs(o.default_w - p.default_w) <= coalesce(:margin_w, 1)) AS differs,
   EXISTS (SELECT 1 FROM episode e WHERE e.gpu_id = p.gpu_id AND e.kind = 'power_limit' AND e.limit_how <> 'plateau'
    AND e.limit_w <= p.limit_w + coalesce(:margin_w, 1)
    AND (e.clock_med_mhz <= e.clock_ref_mhz * (1 - coalesce(:drop_pct, 10) / 100.0)
     -- Held back from the first sample to the last there is no higher clock to compare with.
     OR (e.samples >= coalesce(:min_samples, 5) AND e.reasons_set * 2 >= e.samples))) AS bites
  FROM pair p WHERE p.limit_w < p.default_w - coalesce(:margin_w, 1)
)
SELECT l.host_id AS host_id, l.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 json_array(l.limit_line, l.default_line) AS evidence,
 CASE WHEN l.differs OR l.bites THEN 'warning' ELSE 'info' END AS severity,
 printf('limit %g of %g', l.limit_w, l.default_w) AS grp,
 printf('%g', l.limit_w) AS limit_w, printf('%g', l.default_w) AS default_w,
 CASE WHEN l.differs THEN '; other GPUs of this host have more' ELSE '' END AS peers
FROM low l
