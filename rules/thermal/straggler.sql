-- id:       thermal.straggler
-- title:    One GPU is hotter and slower than its peers under the same load
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   sample.reasons
-- needs:    sample.temp_c sample.sm_clock_mhz sample.util_pct episode.busy
-- reads:    episode.busy
-- params:   hotter_c=5 mads=3 slower_pct=3 equal_util_pct=5 min_busy=60
-- explains: clocks.busy-but-slow overlap gpu; clocks.silent-straggler overlap gpu
-- summary:  {gpu}: {temp_c} C and {mhz} MHz while {util_pct} % busy; its {peers} at {peers_c} C and {peers_mhz} MHz
-- meaning:  At equal load this one is hotter than its peers, and slower. In a job that waits for all, all run at its pace. Evidence
--           points at its cooler, its fan or its place in the air stream.
-- action:   fix_host
-- remedy:   Swap it with a cooler neighbour: if the heat stays at the place, it is the air; if it goes with the card, the card's cooler.
-- falsepositives: One busy GPU among idle ones. Differences between front and back row that cost no clock. Other products, other load.
-- refs:     RULES: max(k MAD, 5 C) and 3 % of the clock over 60 s; practice
WITH busy AS ( -- each GPU while it is busy, over its source
  SELECT r.id AS ref_id, r.source_id, r.gpu_id, g.host_id, g.name,
   sum(CASE h.col WHEN 'temp_c' THEN h.lo * h.n END) / sum(CASE h.col WHEN 'temp_c' THEN h.n END) AS temp_c,
   sum(CASE h.col WHEN 'sm_clock_mhz' THEN h.lo * h.n END) / sum(CASE h.col WHEN 'sm_clock_mhz' THEN h.n END) AS mhz,
   sum(CASE h.col WHEN 'util_pct' THEN h.lo * h.n END) / sum(CASE h.col WHEN 'util_pct' THEN h.n END) AS util_pct
  FROM gpu_hist h JOIN gpu_ref r ON r.id = h.ref_id JOIN gpu g ON g.id = r.gpu_id
  WHERE h.busy = 1 AND r.instance_id IS NULL
   AND EXISTS (SELECT 1 FROM episode e WHERE e.ref_id = r.id AND e.kind = 'busy')
  GROUP BY r.id HAVING temp_c IS NOT NULL AND mhz IS NOT NULL
),
pair AS (
  SELECT a.ref_id, b.ref_id AS peer, b.temp_c, b.mhz,
   row_number() OVER (PARTITION BY a.ref_id ORDER BY b.temp_c, b.ref_id) AS nth,
   row_number() OVER (PARTITION BY a.ref_id ORDER BY b.mhz, b.ref_id) AS nth_mhz, count(*) OVER (PARTITION BY a.ref_id) AS n
  FROM busy a JOIN busy b ON b.source_id = a.source_id AND b.gpu_id <> a.gpu_id AND b.name IS a.name
   AND abs(b.util_pct - a.util_pct) <= coalesce(:equal_util_pct, 5)
),
middle AS (
  SELECT p.ref_id, max(p.n) AS n, max(CASE WHEN p.nth = (p.n + 1) / 2 THEN p.temp_c END) AS temp_c,
   max(CASE WHEN p.nth_mhz = (p.n + 1) / 2 THEN p.mhz END) AS mhz
  FROM pair p GROUP BY p.ref_id
),
spread AS ( -- median of the distances from the median; of one or two peers there is none
  SELECT d.ref_id, d.off FROM (
   SELECT p.ref_id, abs(p.temp_c - m.temp_c) AS off, p.n, row_number() OVER (PARTITION BY p.ref_id ORDER BY abs(p.temp_c - m.temp_c), p.peer) AS nth
   FROM pair p JOIN middle m ON m.ref_id = p.ref_id) d WHERE d.n >= 3 AND d.nth = (d.n + 1) / 2
),
longest AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.ref_id ORDER BY e.samples DESC, e.id) AS nth FROM episode e WHERE e.kind = 'busy'
)
SELECT b.host_id AS host_id, b.gpu_id AS gpu_id, e.t0_us AS t0_us, e.t1_us AS t1_us, 0.7 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT e.line_first AS line_id UNION ALL SELECT e.line_worst UNION ALL
   SELECT x.line_first FROM (SELECT q.line_first FROM pair p JOIN longest q ON q.ref_id = p.peer AND q.nth = 1
    WHERE p.ref_id = b.ref_id ORDER BY p.nth LIMIT 8) x) WHERE line_id IS NOT NULL) AS evidence,
 'gpu' || b.gpu_id AS grp,
 printf('%g', round(b.temp_c)) AS temp_c, printf('%g', round(b.mhz)) AS mhz, printf('%g', round(b.util_pct)) AS util_pct,
 CASE m.n WHEN 1 THEN 'peer' ELSE printf('%d peers', m.n) END AS peers, printf('%g', round(m.temp_c)) AS peers_c,
 printf('%g', round(m.mhz)) AS peers_mhz, b.ref_id AS ref_id
FROM busy b JOIN middle m ON m.ref_id = b.ref_id LEFT JOIN spread s ON s.ref_id = b.ref_id
JOIN longest e ON e.ref_id = b.ref_id AND e.nth = 1
WHERE b.temp_c - m.temp_c >= max(coalesce(:hotter_c, 5), coalesce(s.off, 0) * coalesce(:mads, 3))
 AND b.mhz <= m.mhz * (1 - coalesce(:slower_pct, 3) / 100.0)
 AND coalesce((e.t1_us - e.t0_us) / 1000000.0, e.samples) >= coalesce(:min_busy, 60)
