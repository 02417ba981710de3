-- id:       clocks.silent-straggler
-- title:    One GPU is slower than its peers, and no reason is set
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   fact.clocks.app_graphics_mhz
-- needs:    sample.sm_clock_mhz sample.util_pct sample.reasons episode.busy
-- reads:    episode.busy sample.reasons
-- params:   slower_pct=5 equal_util_pct=5 power_pct=50 min_busy=60
-- explains: clocks.busy-but-slow overlap gpu
-- summary:  {gpu}: {mhz} MHz while {util_pct} % busy, {slower_pct} % below its {peers} ({peers_mhz} MHz), and no reason for it is set
-- meaning:  The driver knows of no cause: not power, not heat, not a setting. Firmware, an odd board or a driver state may hold it; a
--           job that waits for all GPUs runs at its pace.
-- action:   collect
-- remedy:   Compare VBIOS, application clocks and limits with a peer (nvidia-smi -q); reset the GPU; then swap it with a peer and see
--           whether the slowness goes with the card.
-- falsepositives: Other products or MIG layouts. Less load, or much less power: it may have less to do. Bits that were not recorded.
-- refs:     slower_pct, equal_util_pct, power_pct: practice
WITH quiet AS ( -- busy minutes, and the reasons in them: 0x1fe is all but idle
  SELECT m.ref_id, max(m.reasons_or & 510 > 0) AS any_reason, count(*) AS minutes
  FROM gpu_minute m WHERE m.util_avg >= 80 AND m.reasons_or IS NOT NULL GROUP BY m.ref_id
),
busy AS (
  SELECT r.id AS ref_id, r.source_id, r.gpu_id, g.host_id, g.name, r.reasons_known,
   sum(CASE h.col WHEN 'power_w' THEN h.lo * h.n END) / sum(CASE h.col WHEN 'power_w' THEN h.n END) AS power_w,
   sum(CASE h.col WHEN 'sm_clock_mhz' THEN h.lo * h.n END) / sum(CASE h.col WHEN 'sm_clock_mhz' THEN h.n END) AS mhz,
   sum(CASE h.col WHEN 'util_pct' THEN h.lo * h.n END) / sum(CASE h.col WHEN 'util_pct' THEN h.n END) AS util_pct
  FROM gpu_hist h JOIN gpu_ref r ON r.id = h.ref_id JOIN gpu g ON g.id = r.gpu_id
  WHERE h.busy = 1 AND r.instance_id IS NULL AND NOT EXISTS (SELECT 1 FROM gpu_instance i WHERE i.gpu_id = r.gpu_id)
   AND EXISTS (SELECT 1 FROM episode e WHERE e.ref_id = r.id AND e.kind = 'busy')
  GROUP BY r.id HAVING mhz IS NOT NULL
),
pair AS (
  SELECT a.ref_id, b.ref_id AS peer, b.mhz, row_number() OVER (PARTITION BY a.ref_id ORDER BY b.mhz, b.ref_id) AS nth,
   count(*) OVER (PARTITION BY a.ref_id) AS n
  FROM busy a JOIN busy b ON b.source_id = a.source_id AND b.gpu_id <> a.gpu_id AND b.name IS a.name
   AND abs(b.util_pct - a.util_pct) <= coalesce(:equal_util_pct, 5)
   AND (a.power_w IS NULL OR b.power_w IS NULL OR a.power_w >= b.power_w * coalesce(:power_pct, 50) / 100.0)
),
longest AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.ref_id ORDER BY e.samples DESC, e.id) AS nth FROM episode e WHERE e.kind = 'busy'
)
SELECT b.host_id AS host_id, b.gpu_id AS gpu_id, e.t0_us AS t0_us, e.t1_us AS t1_us, 0.7 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT e.line_first AS line_id UNION ALL SELECT e.line_worst UNION ALL
   SELECT x.line_first FROM longest x WHERE x.ref_id = p.peer AND x.nth = 1) WHERE line_id IS NOT NULL) AS evidence,
 'gpu' || b.gpu_id AS grp,
 printf('%g', round(b.mhz)) AS mhz, printf('%g', round(b.util_pct)) AS util_pct,
 printf('%g', round(100 * (p.mhz - b.mhz) / p.mhz)) AS slower_pct,
 CASE p.n WHEN 1 THEN 'peer' ELSE printf('%d peers', p.n) END AS peers, printf('%g', round(p.mhz)) AS peers_mhz, b.ref_id AS ref_id
FROM busy b JOIN pair p ON p.ref_id = b.ref_id AND p.nth = (p.n + 1) / 2 JOIN quiet q ON q.ref_id = b.ref_id AND NOT q.any_reason
JOIN longest e ON e.ref_id = b.ref_id AND e.nth = 1
WHERE b.mhz <= p.mhz * (1 - coalesce(:slower_pct, 5) / 100.0) AND b.reasons_known & 510 = 510
 AND coalesce((e.t1_us - e.t0_us) / 1000000.0, e.samples) >= coalesce(:min_busy, 60)
