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
-- params:   margin_w=1 drop_pct=10
-- explains: power.cap-clock-drop any gpu; clocks.busy-but-slow any gpu
-- summary:  {gpu}: limit {limit_w} W, default {default_w} W{peers}
-- meaning:  Somebody or something set the limit lower than the board's own default. Under full load the clock will be
--           lower than that of a board at its default.
-- action:   fix_config
-- remedy:   If nobody meant it: nvidia-smi -i INDEX -pl {default_w}, and look for what set it (a boot service, a vendor tool).
-- falsepositives: A site-wide cap that is meant (all GPUs alike: info). A default below the maximum is no lowered limit.
-- refs:     nvidia-smi manual, "Power Limit", "Default Power Limit"
WITH pair AS (
  SELECT l.host_id, l.gpu_id, l.num AS limit_w, l.line_id AS limit_line, d.num AS default_w, d.line_id AS default_line
  FROM contract l JOIN contract d ON d.gpu_id = l.gpu_id AND d.key = 'power.limit_default_w'
  WHERE l.key = 'power.limit_w'
  GROUP BY l.gpu_id HAVING max(l.t_us IS NOT NULL) >= 0
),
low AS (SELECT * FROM pair WHERE limit_w < default_w - coalesce(:margin_w, 1))
SELECT l.host_id AS host_id, l.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 json_array(l.limit_line, l.default_line) AS evidence,
 CASE WHEN EXISTS (SELECT 1 FROM pair p WHERE p.host_id = l.host_id AND p.limit_w > l.limit_w + coalesce(:margin_w, 1)) THEN 'warning'
      WHEN EXISTS (SELECT 1 FROM episode e WHERE e.gpu_id = l.gpu_id AND e.kind = 'power_limit' AND e.limit_how <> 'plateau'
                   AND e.clock_med_mhz <= e.clock_ref_mhz * (1 - coalesce(:drop_pct, 10) / 100.0)) THEN 'warning'
      ELSE 'info' END AS severity,
 'limit' || l.limit_w AS grp,
 printf('%g', l.limit_w) AS limit_w, printf('%g', l.default_w) AS default_w,
 CASE WHEN EXISTS (SELECT 1 FROM pair p WHERE p.host_id = l.host_id AND p.limit_w > l.limit_w + coalesce(:margin_w, 1))
      THEN '; other GPUs of this host have more' ELSE '' END AS peers
FROM low l
