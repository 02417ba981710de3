-- id:       thermal.memory-hot
-- title:    The GPU's memory is at its temperature limit
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   bmc.temperature
-- needs:    metric.temp.memory_c sample.temp_c table.memory_limit|metric.temp.tlimit_margin_c
-- reads:    metric.temp.memory_c
-- params:   gddr6x_c=105 die_cooler_c=8
-- explains: thermal.slowdown overlap gpu; clocks.busy-but-slow overlap gpu; thermal.straggler overlap gpu
-- summary:  {gpu}: memory up to {memory_c} C, {limit}; die {die_c} C{slows}
-- meaning:  The memory is hot although the die is not.{where} At its limit the driver lowers all clocks (0x20); the
--           temperature of the GPU alone looks harmless.
-- action:   fix_host
-- remedy:   Raise the fans or the air flow over the memory side. If one card is hotter than its peers at equal load: thermal
--           pads; have the card looked at.
-- falsepositives: 0 or no sensor. A die that is as hot: the whole card is (thermal.slowdown). Memory a few degrees below its
--           limit, where HBM is at home.
-- refs:     nvidia-smi manual, "Memory Max Operating Temp"; product documents (A100: 95 C); gddr6x_c, die_cooler_c: practice
WITH stated AS (
  SELECT c.gpu_id, max(c.num) AS die_c FROM contract c WHERE c.gpu_id IS NOT NULL AND c.key = 'temp.max_operating_c' GROUP BY c.gpu_id
),
board AS ( -- as the board says, else as such boards are; GDDR6X where no limit is published
  SELECT g.id AS gpu_id, g.host_id, CASE WHEN l.gpu_id IS NOT NULL THEN coalesce(l.limit_c, coalesce(:gddr6x_c, 105)) END AS limit_c,
   coalesce(s.die_c, CASE WHEN k.temp_style = 'absolute' THEN k.max_operating_c END) AS die_limit_c
  FROM gpu g LEFT JOIN stated s ON s.gpu_id = g.id LEFT JOIN memory_limit l ON l.gpu_id = g.id LEFT JOIN kb_gpu_model k ON k.model = g.model
),
margin AS ( -- newer boards: degrees left, whichever sensor is nearest
  SELECT m.ref_id, t.min AS c, t.line_min AS line_id FROM metric m JOIN metric_stat t ON t.metric_id = m.id
  WHERE m.key = 'temp.tlimit_margin_c'
),
memory AS (
  SELECT r.gpu_id, m.ref_id, m.source_id, t.max AS memory_c, t.last AS last_c, t.line_max, r.t_offset_us, g.line_id AS margin_line, g.c AS margin_c,
   CASE WHEN r.t_quality <> 'unknown' THEN t.t_max_raw_us + r.t_offset_us END AS t_us,
   (SELECT s.max FROM gpu_stat s WHERE s.ref_id = m.ref_id AND s.col = 'temp_c') AS die_c
  FROM metric m JOIN metric_stat t ON t.metric_id = m.id JOIN gpu_ref r ON r.id = m.ref_id LEFT JOIN margin g ON g.ref_id = m.ref_id
  WHERE m.key = 'temp.memory_c' AND t.max > 0 AND r.instance_id IS NULL AND r.gpu_id IS NOT NULL
),
hot AS (
  SELECT m.*, b.host_id, b.limit_c,
   EXISTS (SELECT 1 FROM episode e WHERE e.ref_id = m.ref_id AND e.kind IN ('thermal_sw', 'thermal_hw')) AS slows
  FROM memory m JOIN board b ON b.gpu_id = m.gpu_id
  WHERE (m.memory_c >= b.limit_c OR (b.limit_c IS NULL AND m.margin_c <= 0))
   AND m.die_c <= m.memory_c - coalesce(:die_cooler_c, 8)
   AND (b.die_limit_c IS NULL OR m.die_c < b.die_limit_c)
),
each AS (
  SELECT h.*, CASE WHEN h.t_us IS NULL THEN NULL WHEN h.last_c >= coalesce(h.limit_c, h.memory_c) THEN h.t_offset_us +
   (SELECT s.t_raw_us FROM gpu_sample s WHERE s.rowid = (SELECT max(q.last_id) FROM gpu_minute q WHERE q.ref_id = h.ref_id)) ELSE h.t_us END AS end_us,
   max(h.slows) OVER (PARTITION BY h.gpu_id) AS worst FROM hot h
),
alike AS (
  SELECT e.*, min(e.memory_c) OVER w AS memory0, max(e.memory_c) OVER w AS memory1, min(e.die_c) OVER w AS die0, max(e.die_c) OVER w AS die1,
   (SELECT count(DISTINCT x.gpu_id) FROM hot x WHERE x.host_id = e.host_id) AS n,
   (SELECT count(DISTINCT x.gpu_id) FROM memory x WHERE x.source_id = e.source_id) AS of
  FROM each e WINDOW w AS (PARTITION BY e.host_id, e.worst)
)
SELECT a.host_id AS host_id, a.gpu_id AS gpu_id, a.t_us AS t0_us, a.end_us AS t1_us,
 CASE WHEN a.limit_c IS NULL THEN 0.7 ELSE 0.95 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT a.line_max AS line_id UNION ALL SELECT a.margin_line WHERE a.margin_c <= 0)) AS evidence,
 CASE WHEN a.worst THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN a.n > 1 AND a.n >= a.of THEN 'platform' ELSE 'hardware' END AS points,
 printf('%d', a.worst) AS grp,
 CASE WHEN a.memory0 = a.memory1 THEN printf('%g', a.memory1) ELSE printf('%g-%g', a.memory0, a.memory1) END AS memory_c,
 CASE WHEN a.limit_c IS NULL THEN 'no margin left' ELSE printf('its limit is %g C', a.limit_c) END AS "limit",
 CASE WHEN a.die0 = a.die1 THEN printf('%g', a.die1) ELSE printf('%g-%g', a.die0, a.die1) END AS die_c,
 CASE WHEN a.worst THEN '; the driver slows the clocks for heat' ELSE '' END AS slows,
 CASE WHEN a.of = 1 THEN '' WHEN a.n >= a.of THEN ' All GPUs alike: air flow of the chassis.'
      ELSE printf(' %d of %d GPUs: evidence points at the card (thermal pads) or its place.', a.n, a.of) END AS "where",
 a.ref_id AS ref_id
FROM alike a
