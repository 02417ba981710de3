-- id:       power.limit-forced
-- title:    Board or BMC holds the power limit below the one that was asked for
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   platform
-- shows:    condition
-- settle:   bmc.power
-- needs:    fact.power.limit_w fact.power.limit_requested_w
-- reads:    fact.power.limit_w fact.power.limit_requested_w
-- params:   margin_w=1 drop_pct=10
-- explains: power.cap-clock-drop any gpu; power.limit-below-default any gpu; clocks.busy-but-slow any gpu
-- summary:  {gpu}: limit in force {limit_w} W, asked for were {requested_w} W{bites}
-- meaning:  Not a person: nvidia-smi asked for more, and the board, the module or the BMC (power shelf, chassis budget, failed
--           supply) holds less. nvidia-smi -pl cannot raise it.{all}
-- action:   fix_host
-- remedy:   Look in the BMC for a power budget, a failed or missing supply, and the power policy of the chassis or shelf.
-- falsepositives: Equal values. A lower limit that somebody set with nvidia-smi (power.limit-below-default). Laptops, whose limit
--           moves with battery and heat (info). Values of different captures are not compared.
-- refs:     nvidia-smi manual, "Current Power Limit", "Requested Power Limit", "Enforced Power Limit"
WITH newest AS (
  SELECT c.*, row_number() OVER (PARTITION BY c.gpu_id, c.key ORDER BY c.t_us IS NULL DESC, c.t_us DESC, c.line_id) AS age
  FROM contract c WHERE c.key IN ('power.limit_w', 'power.limit_requested_w') AND c.gpu_id IS NOT NULL AND c.num > 0
),
forced AS (
  SELECT l.host_id, l.gpu_id, g.name, l.num AS limit_w, l.line_id AS limit_line, r.num AS requested_w, r.line_id AS requested_line
  FROM newest l JOIN newest r ON r.gpu_id = l.gpu_id AND r.key = 'power.limit_requested_w' AND r.age = 1
   AND r.line_id >> 32 = l.line_id >> 32
  JOIN gpu g ON g.id = l.gpu_id
  WHERE l.key = 'power.limit_w' AND l.age = 1 AND l.num < r.num - coalesce(:margin_w, 1)
),
bitten AS ( -- power at that limit, and the clock pays for it
  SELECT e.gpu_id, e.line_first, e.clock_ref_mhz, e.clock_med_mhz,
   row_number() OVER (PARTITION BY e.gpu_id ORDER BY e.samples DESC, e.id) AS nth
  FROM episode e JOIN forced f ON f.gpu_id = e.gpu_id
  WHERE e.kind = 'power_limit' AND e.limit_w <= f.limit_w * 1.02
   AND e.clock_med_mhz <= e.clock_ref_mhz * (1 - coalesce(:drop_pct, 10) / 100.0)
),
told AS (
  SELECT f.*, b.line_first AS bite_line, b.clock_ref_mhz, b.clock_med_mhz,
   coalesce(f.name LIKE '%Laptop%' OR f.name LIKE '%Max-Q%', 0) AS laptop,
   (SELECT count(*) FROM gpu x WHERE x.host_id = f.host_id) AS gpus, count(*) OVER (PARTITION BY f.host_id) AS forced
  FROM forced f LEFT JOIN bitten b ON b.gpu_id = f.gpu_id AND b.nth = 1
)
SELECT t.host_id AS host_id, t.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT t.limit_line AS line_id UNION ALL SELECT t.requested_line UNION ALL SELECT t.bite_line)
  WHERE line_id IS NOT NULL) AS evidence,
 CASE WHEN t.laptop THEN 'info' WHEN t.bite_line IS NOT NULL THEN 'error' ELSE 'warning' END AS severity,
 printf('%g of %g %d', t.limit_w, t.requested_w, t.bite_line IS NOT NULL) AS grp,
 printf('%g', t.limit_w) AS limit_w, printf('%g', t.requested_w) AS requested_w,
 CASE WHEN t.bite_line IS NULL THEN '' ELSE printf('; under load the SM clock falls from %g to %g MHz', t.clock_ref_mhz, round(t.clock_med_mhz)) END AS bites,
 CASE WHEN t.gpus > 1 AND t.forced = t.gpus THEN ' All GPUs alike: what they share, a supply or the budget of the chassis.'
      WHEN t.gpus > 1 THEN printf(' %d of %d GPUs: their own power lines or modules.', t.forced, t.gpus) ELSE '' END AS "all"
FROM told t
