-- id:       pcie.speed-reduced
-- title:    PCIe link slower than both ends allow, under load
-- scope:    bundle
-- severity: error
-- symptom:  transfer
-- kind:     fault
-- points:   platform
-- shows:    condition
-- settle:   fact.pcie.gen_current
-- needs:    fact.pcie.gen_current fact.pcie.gen_max sample.util_pct
-- params:   min_util_pct=50 min_samples=3 high_power_pct=50
-- summary:  {gpu}: PCIe generation {gen} of {gen_max} while {load}
-- meaning:  Idle GPUs lower the link on purpose; this one was working. Transfers take longer than they should.
-- action:   fix_host
-- remedy:   Look for AER messages of the port above and a forced target speed (LnkCtl2), reseat card or riser, compare BIOS settings
--           with a sister machine.
-- falsepositives: Idle links (generation 1 at rest is power saving); a card in a slower slot: the maximum of both ends is what counts.
-- refs:     nvidia-smi manual, "pcie.link.gen.current", "pcie.link.gen.max"
WITH state AS (
  SELECT f.host_id, f.gpu_id, f.ref_id, f.num AS gen, f.line_id, f.t_us AS from_us,
   lead(f.t_us) OVER (PARTITION BY f.ref_id ORDER BY f.id) AS to_us,
   (SELECT m.num FROM fact m WHERE m.ref_id = f.ref_id AND m.key = 'pcie.gen_max' ORDER BY m.id DESC LIMIT 1) AS gen_max,
   (SELECT m.line_id FROM fact m WHERE m.ref_id = f.ref_id AND m.key = 'pcie.gen_max' ORDER BY m.id DESC LIMIT 1) AS max_line
  FROM fact f WHERE f.key = 'pcie.gen_current' AND f.gpu_id IS NOT NULL
),
slow AS (
  SELECT s.*, r.samples,
   (SELECT sum(m.n) FROM gpu_minute m WHERE m.ref_id = s.ref_id AND m.util_min > coalesce(:min_util_pct, 50)
     AND (s.from_us IS NULL OR m.t_raw_us + r.t_offset_us + 60000000 > s.from_us)
     AND (s.to_us IS NULL OR m.t_raw_us + r.t_offset_us + 60000000 <= s.to_us)) AS busy_samples,
   (SELECT max(m.util_avg) FROM gpu_minute m WHERE m.ref_id = s.ref_id) AS util,
   (SELECT max(m.power_avg / m.limit_max) FROM gpu_minute m WHERE m.ref_id = s.ref_id) AS power_share
  FROM state s JOIN gpu_ref r ON r.id = s.ref_id WHERE s.gen < s.gen_max
)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, s.from_us AS t0_us, s.from_us AS t1_us, 0.85 AS confidence,
 json_array(s.line_id, s.max_line) AS evidence, 'speed' || s.gpu_id AS grp,
 printf('%g', s.gen) AS gen, printf('%g', s.gen_max) AS gen_max, printf('%.0f %% busy', s.util) AS load
FROM slow s
WHERE (s.samples >= coalesce(:min_samples, 3) AND s.busy_samples >= coalesce(:min_samples, 3))
 OR (s.samples < coalesce(:min_samples, 3) AND s.util > coalesce(:min_util_pct, 50)
     AND s.power_share >= coalesce(:high_power_pct, 50) / 100.0)
