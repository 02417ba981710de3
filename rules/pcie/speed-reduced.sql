-- id:       pcie.speed-reduced
-- title:    PCIe link slower than both ends allow, under load
-- scope:    bundle
-- severity: error
-- symptom:  transfer
-- kind:     fault
-- points:   platform
-- shows:    condition
-- settle:   fact.pcie.gen_current
-- needs:    table.link|fact.pcie.gen_current table.link|fact.pcie.gen_max sample.util_pct|sample.pstate
-- reads:    table.pci_device|fact.pcie.gen_current table.gpu_minute
-- params:   min_util_pct=50 min_samples=3 high_power_pct=50 load_pstate=2
-- summary:  {gpu}: PCIe generation {gen} of {gen_max} while {load}{target}
-- meaning:  Idle GPUs lower the link on purpose; this one was working. Transfers take longer than they should.
-- action:   fix_host
-- remedy:   Look for AER messages of the port above and a forced target speed (LnkCtl2), reseat card or riser, compare BIOS settings
--           with a sister machine.
-- falsepositives: Idle links (generation 1 at rest is power saving); a card in a slower slot: what both
--           ends can do is what counts. lspci does not say when it was taken: it counts where all captures show the GPU at
--           work and a forced target or a sister card at full speed settles it, else it is a note. Ports that a virtual
--           machine invents.
-- refs:     nvidia-smi manual, "pcie.link.gen.current", "pcie.link.gen.max"; PCI Express Base Specification, Link Control 2

WITH rate(gts, gen) AS (VALUES (2.5, 1), (5, 2), (8, 3), (16, 4), (32, 5), (64, 6), (128, 7)),
-- A source is in order by its clock, without one by its lines.
state AS (
  SELECT f.host_id, f.gpu_id, f.ref_id, f.num AS gen, f.line_id, f.t_us, coalesce(f.t_raw_us, f.line_id & 0xffffffff) AS at,
   lead(coalesce(f.t_raw_us, f.line_id & 0xffffffff)) OVER (PARTITION BY f.ref_id ORDER BY f.id) AS until
  FROM fact f WHERE f.key = 'pcie.gen_current' AND f.gpu_id IS NOT NULL AND f.instance_id IS NULL AND f.num > 0
),
-- What both ends can do: "max" is of card and system; the port above may say less.
ends AS (
  SELECT gpu_id, gen, line_id FROM (
   SELECT f.gpu_id, f.num AS gen, f.line_id, row_number() OVER (PARTITION BY f.gpu_id ORDER BY f.num, f.line_id) AS nth FROM fact f
   WHERE f.key IN ('pcie.gen_max', 'pcie.gen_host_max') AND f.gpu_id IS NOT NULL AND f.num > 0) WHERE nth = 1
),
port AS (
  SELECT l.*, (SELECT min(r.gen) FROM rate r WHERE r.gts >= l.port_cap_gts) AS gen,
   -- Ports that QEMU (1b36, 3420 of 8086 in older ones) and VMware (15ad) invent have no link.
   coalesce(p.vendor_id IN (0x1b36, 0x15ad) OR (p.vendor_id = 0x8086 AND p.device_id = 0x3420), 0) AS invented,
   -- The lower of both targets, when it is below both ends.
   CASE WHEN p.target_gts < l.cap_gts AND p.target_gts < p.cap_gts THEN p.target_gts
        WHEN l.target_gts < l.cap_gts AND l.target_gts < coalesce(l.port_cap_gts, l.cap_gts) THEN l.target_gts END AS forced_gts,
   CASE WHEN p.target_gts < l.cap_gts AND p.target_gts < p.cap_gts THEN coalesce(p.line_cap, p.line_id)
        ELSE coalesce(l.line_cap, l.line_id) END AS target_line
  FROM link l JOIN pci_device d ON d.id = l.device_id LEFT JOIN pci_device p ON p.id = d.parent_id
),
slow AS (
  SELECT s.*, e.gen AS gen_max, e.line_id AS max_line, p.forced_gts AS target_gts, p.target_line, r.samples,
   -- The longest states are enough of a link that goes up and down with the load.
   row_number() OVER (PARTITION BY s.ref_id ORDER BY s.until IS NULL DESC, s.until - s.at DESC, s.line_id) AS nth
  FROM state s JOIN ends e ON e.gpu_id = s.gpu_id JOIN gpu_ref r ON r.id = s.ref_id LEFT JOIN port p ON p.gpu_id = s.gpu_id
  WHERE s.gen < min(e.gen, coalesce(p.gen, e.gen))
),
minute AS (
  SELECT m.ref_id, m.first_id, m.last_id, m.util_avg, m.power_avg, m.limit_max,
   coalesce(a.t_raw_us, a.line) AS at, coalesce(z.t_raw_us, z.line) AS until
  FROM gpu_minute m JOIN gpu_sample a ON a.rowid = m.first_id JOIN gpu_sample z ON z.rowid = m.last_id
  WHERE (m.util_max > coalesce(:min_util_pct, 50) OR m.pstate_min <= coalesce(:load_pstate, 2))
   AND m.ref_id IN (SELECT ref_id FROM slow)
),
pick AS (
  SELECT s.line_id, s.ref_id, s.at, s.until, m.first_id, m.last_id,
   row_number() OVER (PARTITION BY s.line_id ORDER BY m.util_avg DESC, m.first_id) AS nth
  FROM slow s JOIN minute m ON m.ref_id = s.ref_id AND m.until >= s.at AND (s.until IS NULL OR m.at < s.until)
  WHERE s.nth <= 50
),
load AS (
  SELECT p.line_id, count(*) AS n, avg(x.util_pct) AS util_pct, max(x.util_pct > coalesce(:min_util_pct, 50)) AS busy,
   min(x.pstate) AS pstate, min(x.t_raw_us) AS t0_raw_us, max(x.t_raw_us) AS t1_raw_us, max(x.power_w / x.power_limit_w) AS power_share, min(x.line) AS line
  FROM pick p CROSS JOIN gpu_sample x ON x.rowid BETWEEN p.first_id AND p.last_id AND +x.ref_id = p.ref_id -- by rowid, never all samples
  WHERE p.nth <= 5 AND coalesce(x.t_raw_us, x.line) >= p.at AND (p.until IS NULL OR coalesce(x.t_raw_us, x.line) < p.until)
   AND (x.util_pct > coalesce(:min_util_pct, 50) OR x.pstate <= coalesce(:load_pstate, 2))
  GROUP BY p.line_id
),
-- lspci, where nvidia-smi does not speak of the link.
listed AS (
  SELECT p.*, min(p.cap_gts, p.port_cap_gts) AS can_gts, g.name FROM port p JOIN gpu g ON g.id = p.gpu_id
  WHERE p.sta_gts > 0 AND p.cap_gts > 0 AND p.port_cap_gts > 0 AND NOT p.invented AND NOT EXISTS (SELECT 1 FROM state s WHERE s.gpu_id = p.gpu_id)
),
work AS ( -- GPUs that no capture shows at rest
  SELECT r.gpu_id, avg(m.util_avg) AS util_pct, min(r.source_id << 32 | (SELECT x.line FROM gpu_sample x WHERE x.rowid = m.first_id)) AS line_id
  FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id
  WHERE r.gpu_id IN (SELECT l.gpu_id FROM listed l WHERE l.sta_gts < l.can_gts) AND r.instance_id IS NULL
  GROUP BY r.gpu_id
  HAVING min(coalesce(m.util_min, 0)) > coalesce(:min_util_pct, 50) AND min(coalesce(m.power_min / m.limit_max, 1)) >= coalesce(:high_power_pct, 50) / 100.0
),
still AS (
  SELECT l.*, w.util_pct, w.line_id AS work_line,
   (SELECT min(coalesce(o.line_sta, o.line_id)) FROM listed o WHERE o.source_id = l.source_id AND o.gpu_id <> l.gpu_id AND o.name = l.name AND o.sta_gts >= o.can_gts) AS peer_line
  FROM listed l JOIN work w ON w.gpu_id = l.gpu_id WHERE l.sta_gts < l.can_gts
)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, l.t0_raw_us + r.t_offset_us AS t0_us, l.t1_raw_us + r.t_offset_us AS t1_us, 0.85 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT s.line_id AS line_id UNION SELECT s.max_line UNION SELECT r.source_id << 32 | l.line
   UNION SELECT s.target_line WHERE s.target_gts IS NOT NULL)) AS evidence, NULL AS severity,
 'speed' || s.gpu_id AS grp,
 printf('%g', s.gen) AS gen, printf('%g', s.gen_max) AS gen_max,
 CASE WHEN l.busy THEN printf('%.0f %% busy', l.util_pct) ELSE printf('in P%d', l.pstate) END AS load,
 CASE WHEN s.target_gts IS NOT NULL THEN printf('; a target speed of %g GT/s is forced (LnkCtl2)', s.target_gts) ELSE '' END AS target
FROM slow s JOIN load l ON l.line_id = s.line_id JOIN gpu_ref r ON r.id = s.ref_id
WHERE l.n >= coalesce(:min_samples, 3)
 OR (s.samples < coalesce(:min_samples, 3) AND l.busy AND l.power_share >= coalesce(:high_power_pct, 50) / 100.0)
UNION ALL
SELECT s.host_id, s.gpu_id, NULL, NULL, CASE WHEN s.forced_gts IS NOT NULL OR s.peer_line IS NOT NULL THEN 0.85 ELSE 0.5 END,
 (SELECT json_group_array(line_id) FROM (SELECT coalesce(s.line_sta, s.line_id) AS line_id UNION SELECT s.line_cap UNION SELECT s.port_line_cap UNION SELECT s.work_line
   UNION SELECT s.peer_line UNION SELECT s.target_line WHERE s.forced_gts IS NOT NULL) WHERE line_id IS NOT NULL),
 CASE WHEN s.forced_gts IS NOT NULL OR s.peer_line IS NOT NULL THEN 'error' ELSE 'info' END,
 'speed' || s.gpu_id, (SELECT max(r.gen) FROM rate r WHERE r.gts <= s.sta_gts), (SELECT max(r.gen) FROM rate r WHERE r.gts <= s.can_gts),
 printf('%.0f %% busy', s.util_pct),
 CASE WHEN s.forced_gts IS NOT NULL THEN printf('; a target speed of %g GT/s is forced (LnkCtl2)', s.forced_gts)
  WHEN s.peer_line IS NOT NULL THEN '; the same product runs at full speed beside it' ELSE '; unless lspci was taken at rest' END
FROM still s
