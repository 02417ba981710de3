-- id:       thermal.slowdown
-- title:    Clocks held down by heat
-- scope:    bundle
-- severity: error
-- symptom:  slow
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.temperature
-- needs:    sample.reasons sample.sm_clock_mhz
-- reads:    sample.reasons
-- params:   min_samples=3 share_pct=50 min_s=300 short_s=30 slow_pct=10 noticed_pct=3 min_util_pct=80 near_c=2 hot_c=85
-- explains: clocks.busy-but-slow overlap gpu; thermal.straggler overlap gpu; thermal.soak-drift overlap gpu;
--           clocks.oscillation overlap gpu; clocks.no-p0 overlap gpu; clocks.other-violation any gpu
-- summary:  {gpu}: held back by heat: {bit} in {share} % of the samples{sensors}{clock}{busy}{power}
-- meaning:  {where}{memory}{moment} The driver or the board lowers the clock to stay below a temperature; utilization stays high: busy is not
--           fast.
-- action:   fix_host
-- remedy:   {todo} Then run the same load for 10 minutes again.
-- falsepositives: One sample; 0x8 alone, or with the power brake; counters that only say what was once; a margin of 0 or -1.
--           GeForce and laptop boards that hold their target temperature (info). Less than 3 % of the clock.
-- refs:     NVML nvmlClocksEventReasonSwThermalSlowdown, nvmlClocksEventReasonHwThermalSlowdown; slow_pct, min_s: practice; hot_c: the lowest slowdown temperature in kb_gpu_model
WITH stated AS (
  SELECT c.gpu_id, max(CASE c.key WHEN 'temp.max_operating_c' THEN c.num END) AS die_c,
   max(CASE c.key WHEN 'temp.slowdown_c' THEN c.num END) AS slow_c,
   max(CASE c.key WHEN 'temp.memory_max_operating_c' THEN c.num END) AS memory_c,
   max(CASE c.key WHEN 'power.limit_w' THEN c.num END) AS limit_w,
   max(CASE c.key WHEN 'temp.slowdown_margin_c' THEN c.num END) AS slow_margin_c
  FROM contract c
  WHERE c.gpu_id IS NOT NULL AND c.key IN ('temp.max_operating_c', 'temp.slowdown_c', 'temp.memory_max_operating_c', 'power.limit_w',
   'temp.slowdown_margin_c')
  GROUP BY c.gpu_id
),
board AS ( -- limits as the board states them, else as such boards have them
  SELECT g.id AS gpu_id, g.host_id, g.name, g.label,
   coalesce(s.die_c, CASE WHEN k.temp_style = 'absolute' THEN k.max_operating_c END) AS die_c,
   coalesce(s.slow_c, CASE WHEN k.temp_style = 'absolute' THEN k.slowdown_c END) AS slow_c,
   coalesce(s.memory_c, CASE WHEN k.temp_style = 'absolute' THEN k.mem_max_c END) AS memory_limit_c,
   s.limit_w, s.slow_margin_c,
   coalesce(k.class = 'consumer' OR g.name LIKE '%GeForce%' OR g.name LIKE '%Laptop%' OR g.name LIKE '%Max-Q%', 0) AS consumer
  FROM gpu g LEFT JOIN stated s ON s.gpu_id = g.id LEFT JOIN kb_gpu_model k ON k.model = g.model
),
memory AS (
  SELECT m.ref_id, max(t.max) AS max_c FROM metric m JOIN metric_stat t ON t.metric_id = m.id
  WHERE m.key = 'temp.memory_c' AND t.max > 0 GROUP BY m.ref_id
),
heat AS (
  SELECT e.*, e.kind = 'thermal_hw' AS hard,
   coalesce((e.t1_us - e.t0_us) / 1000000.0, e.samples) AS lasted_s
  FROM episode e
  WHERE (e.kind = 'thermal_hw' AND e.reasons_set >= coalesce(:min_samples, 3))
     OR (e.kind = 'thermal_sw' AND e.reasons_set >= coalesce(:min_samples, 3) AND e.reasons_set * 100 >= e.samples * coalesce(:share_pct, 50)
         AND coalesce((e.t1_us - e.t0_us) / 1000000.0, e.samples) >= coalesce(:short_s, 30))
),
ranked AS ( -- of very many in a source the longest, the first and the last: a finding cites no more
  SELECT h.*, row_number() OVER (PARTITION BY h.ref_id, h.hard ORDER BY h.reasons_set DESC, h.first_id) AS nth,
   row_number() OVER (PARTITION BY h.ref_id, h.hard ORDER BY h.first_id) AS from_start,
   row_number() OVER (PARTITION BY h.ref_id, h.hard ORDER BY h.first_id DESC) AS from_end
  FROM heat h
),
busy AS ( -- how each GPU runs while it is busy, on average over its source
  SELECT r.id AS ref_id, r.source_id, r.gpu_id, g.name, max(CASE h.col WHEN 'temp_c' THEN h.lo END) AS temp_max_c,
   sum(CASE h.col WHEN 'sm_clock_mhz' THEN h.lo * h.n END) / sum(CASE h.col WHEN 'sm_clock_mhz' THEN h.n END) AS mhz
  FROM gpu_hist h JOIN gpu_ref r ON r.id = h.ref_id JOIN gpu g ON g.id = r.gpu_id
  WHERE h.busy = 1 AND r.instance_id IS NULL GROUP BY r.id
),
-- The clock without heat: of its own busy minutes, else of equal GPUs in the same source.
own AS (
  SELECT m.ref_id, avg(m.sm_avg) AS mhz FROM gpu_minute m
  WHERE m.reasons_or & 96 = 0 AND coalesce(m.util_avg, 100) >= coalesce(:min_util_pct, 80) AND m.sm_avg > 0
   AND m.ref_id IN (SELECT h.ref_id FROM heat h)
  GROUP BY m.ref_id
),
peers AS (
  SELECT a.ref_id, avg(b.mhz) AS mhz, max(b.temp_max_c) AS temp_max_c, count(DISTINCT b.gpu_id) AS n
  FROM busy a JOIN busy b ON b.source_id = a.source_id AND b.gpu_id <> a.gpu_id AND b.name IS a.name
  WHERE b.ref_id NOT IN (SELECT h.ref_id FROM heat h) AND a.ref_id IN (SELECT h.ref_id FROM heat h)
  GROUP BY a.ref_id
),
measured AS (
  SELECT h.*, coalesce(o.mhz, p.mhz, h.clock_ref_mhz) AS cool_mhz,
   CASE WHEN o.mhz IS NOT NULL THEN 'when cooler' WHEN p.mhz IS NOT NULL THEN 'on its cooler peers' ELSE 'at best here' END AS cool_how,
   p.temp_max_c AS peers_c, coalesce(p.n, 0) AS cooler
  FROM ranked h LEFT JOIN own o ON o.ref_id = h.ref_id LEFT JOIN peers p ON p.ref_id = h.ref_id
  WHERE h.nth <= 20 OR h.from_start = 1 OR h.from_end = 1
),
found AS (
  SELECT m.gpu_id, m.ref_id, m.source_id, m.t0_us, m.t1_us, m.hard, m.line_first, m.line_worst, m.line_last, m.cooler, m.peers_c,
   100.0 * m.reasons_set / m.samples AS share, m.clock_med_mhz AS mhz, m.clock_min_mhz AS min_mhz, m.cool_mhz, m.cool_how, m.temp_max_c,
   (SELECT s.p50 FROM gpu_stat s WHERE s.ref_id = m.ref_id AND s.col = 'util_pct') AS util_pct, m.power_med_w,
   CASE WHEN m.hard THEN 0.95 WHEN m.cool_how = 'at best here' THEN 0.85 ELSE 0.95 END AS confidence,
   CASE WHEN m.hard THEN 'error'
        WHEN b.consumer THEN 'info'
        WHEN m.clock_med_mhz <= m.cool_mhz * (1 - coalesce(:slow_pct, 10) / 100.0) AND m.lasted_s >= coalesce(:min_s, 300) THEN 'error'
        ELSE 'warning' END AS severity,
   b.consumer AND NOT m.hard AS held, 0 AS snapshot
  FROM measured m JOIN board b ON b.gpu_id = m.gpu_id
  WHERE m.hard OR (m.clock_med_mhz <= m.cool_mhz * (1 - coalesce(:noticed_pct, 3) / 100.0) AND m.lasted_s >= coalesce(:min_s, 300))
     OR m.clock_med_mhz <= m.cool_mhz * (1 - coalesce(:slow_pct, 10) / 100.0)
  UNION ALL
  -- One moment counts where two signs agree: the bit, and the temperature at the board's own limit, or where that is not known one at which boards slow down.
  SELECT r.gpu_id, r.id, r.source_id, CASE WHEN r.t_quality <> 'unknown' THEN m.t_raw_us + r.t_offset_us END,
   CASE WHEN r.t_quality <> 'unknown' THEN m.t_raw_us + r.t_offset_us END, m.reasons_or & 64 > 0,
   r.source_id << 32 | (SELECT s.line FROM gpu_sample s WHERE s.rowid = m.first_id), NULL, NULL, 0, NULL,
   100, m.sm_avg, m.sm_min, NULL, NULL, m.temp_max, m.util_max, m.power_avg, 0.7,
   CASE WHEN b.consumer AND m.reasons_or & 64 = 0 THEN 'info' ELSE 'warning' END, b.consumer AND m.reasons_or & 64 = 0, 1
  FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id JOIN board b ON b.gpu_id = r.gpu_id
  WHERE r.samples <= 2 AND r.instance_id IS NULL AND m.reasons_or & 96
   AND (m.temp_max >= CASE WHEN m.reasons_or & 64 THEN coalesce(b.slow_c, coalesce(:hot_c, 85)) ELSE b.die_c END
        OR EXISTS (SELECT 1 FROM metric t JOIN metric_stat v ON v.metric_id = t.id
                   WHERE t.ref_id = r.id AND t.key = 'temp.tlimit_margin_c' AND v.min <= coalesce(b.slow_margin_c, -2)))
   AND NOT EXISTS (SELECT 1 FROM heat h WHERE h.gpu_id = r.gpu_id)
),
each AS ( -- the same outcome for all rows of a GPU: the worst
  SELECT f.*, b.host_id, b.die_c, b.memory_limit_c, b.limit_w, y.max_c AS memory_c,
   min(CASE f.severity WHEN 'error' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END) OVER (PARTITION BY f.gpu_id) AS worst,
   max(f.hard) OVER (PARTITION BY f.gpu_id) AS any_hard, min(f.snapshot) OVER (PARTITION BY f.gpu_id) AS only_snapshot,
   max(y.max_c >= b.memory_limit_c - coalesce(:near_c, 2) AND f.temp_max_c < b.die_c - coalesce(:near_c, 2)) OVER (PARTITION BY f.gpu_id) AS by_memory
  FROM found f JOIN board b ON b.gpu_id = f.gpu_id LEFT JOIN memory y ON y.ref_id = f.ref_id
),
hosts AS (
  SELECT e.host_id, count(DISTINCT e.gpu_id) AS hot,
   (SELECT count(DISTINCT r.gpu_id) FROM gpu_ref r JOIN gpu g ON g.id = r.gpu_id
    WHERE g.host_id = e.host_id AND r.samples > 0 AND r.instance_id IS NULL) AS gpus, max(e.cooler) AS cooler
  FROM each e GROUP BY e.host_id
),
grouped AS (
  SELECT e.*, printf('%d %d %d', e.worst, e.any_hard, e.only_snapshot) AS grp FROM each e
),
told AS (
  SELECT e.*, h.hot, h.gpus, h.cooler AS cooler_peers,
   min(e.share) OVER w AS share0, max(e.share) OVER w AS share1, max(e.temp_max_c) OVER w AS die1,
   max(e.memory_c) OVER w AS memory1, min(e.mhz) OVER w AS mhz0, max(e.mhz) OVER w AS mhz1,
   min(e.min_mhz) OVER w AS lowest_mhz, min(e.cool_mhz) OVER w AS cool0, max(e.cool_mhz) OVER w AS cool1,
   min(e.util_pct) OVER w AS util0, max(e.util_pct) OVER w AS util1, min(e.power_med_w) OVER w AS power0, max(e.power_med_w) OVER w AS power1,
   max(e.by_memory) OVER w AS memory_leads, max(e.peers_c) OVER w AS others_c
  FROM grouped e JOIN hosts h ON h.host_id = e.host_id
  WINDOW w AS (PARTITION BY e.host_id, e.grp)
)
SELECT e.host_id AS host_id, e.gpu_id AS gpu_id, e.t0_us AS t0_us, e.t1_us AS t1_us, e.confidence AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT e.line_first AS line_id UNION ALL SELECT e.line_worst UNION ALL SELECT e.line_last)
  WHERE line_id IS NOT NULL) AS evidence,
 CASE e.worst WHEN 1 THEN 'error' WHEN 2 THEN 'warning' ELSE 'info' END AS severity,
 CASE WHEN e.held THEN 'explanation' ELSE 'fault' END AS kind,
 CASE WHEN e.hot = 1 AND e.cooler_peers > 0 THEN 'hardware' ELSE 'platform' END AS points,
 e.grp AS grp,
 CASE WHEN e.any_hard THEN 'hardware thermal slowdown (0x40)' ELSE 'software thermal slowdown (0x20)' END AS bit,
 CASE WHEN round(e.share0) = round(e.share1) THEN printf('%g', round(e.share0)) ELSE printf('%g-%g', round(e.share0), round(e.share1)) END AS share,
 CASE WHEN e.die1 IS NULL THEN '' ELSE printf(', die up to %g C', e.die1) END
 || CASE WHEN e.die_c IS NULL THEN '' ELSE printf(' (its limit %g)', e.die_c) END
 || CASE WHEN e.memory1 IS NULL THEN '' ELSE printf(', memory up to %g C', e.memory1) || CASE WHEN e.memory_limit_c IS NULL THEN '' ELSE printf(' (its limit %g)', e.memory_limit_c) END END AS sensors,
 CASE WHEN e.mhz1 IS NULL THEN '' ELSE ', SM clock ' || CASE WHEN e.mhz0 = e.mhz1 THEN '' ELSE printf('%g-', round(e.mhz0)) END
    || printf('%g MHz', round(e.mhz1)) || CASE WHEN e.lowest_mhz < e.mhz0 THEN printf(' (lowest %g)', e.lowest_mhz) ELSE '' END
    || CASE WHEN e.cool1 IS NULL THEN '' ELSE printf(' against %g %s', round(e.cool1), e.cool_how) END END AS clock,
 CASE WHEN e.util1 IS NULL THEN '' ELSE ' while ' || CASE WHEN e.util0 = e.util1 THEN '' ELSE printf('%g-', round(e.util0)) END
    || printf('%g %% busy', round(e.util1)) END AS busy,
 CASE WHEN e.power1 IS NULL THEN '' ELSE '; ' || CASE WHEN round(e.power0) = round(e.power1) THEN '' ELSE printf('%g-', round(e.power0)) END
    || printf('%g W', round(e.power1)) || CASE WHEN e.power1 < e.limit_w * 0.9 THEN printf(' of %g, so not the power limit', e.limit_w) ELSE '' END
    END AS power,
 CASE WHEN e.held THEN 'This kind of board runs up to its target temperature and stays there by design.'
      WHEN e.hot > 1 AND e.hot = e.gpus THEN printf('%s at once, none cooler: that is the cooling of the whole chassis (inlet air, fans, blanking plates, room), not one card and not the driver.',
        CASE e.hot WHEN 2 THEN 'Both GPUs' ELSE printf('All %d GPUs', e.hot) END)
      WHEN e.hot = 1 AND e.cooler_peers > 0 THEN printf('Its %s of the same kind stay%s cool enough%s under load: evidence points at this card, its heat sink or its place in the air stream.',
        CASE e.cooler_peers WHEN 1 THEN 'peer' ELSE 'peers' END, CASE e.cooler_peers WHEN 1 THEN 's' ELSE '' END,
        CASE WHEN e.others_c IS NULL THEN '' ELSE printf(' (%g C at most)', e.others_c) END)
      WHEN e.hot > 1 THEN printf('%d of %d GPUs: look at what these share (a fan zone, a riser, the back row).', e.hot, e.gpus)
      ELSE 'No other GPU was busy here to compare with, so card and chassis cannot be told apart.' END
 AS "where",
 CASE WHEN e.memory_leads THEN ' The memory is at its limit, the die is not: thermal pads, or air that does not reach the memory.' ELSE '' END AS memory,
 CASE WHEN e.only_snapshot THEN ' This was seen at one moment only.' ELSE '' END AS moment,
 CASE WHEN e.held THEN 'Nothing to repair. Clean the cooler or let more air in if it should be faster.'
      WHEN e.hot > 1 AND e.hot = e.gpus THEN 'Stop or cap the job (nvidia-smi -pl), then look at inlet temperature and fans in the BMC.'
      WHEN e.hot = 1 AND e.cooler_peers > 0 THEN 'Move the job to another GPU; look at the fan or air baffle in front of this card, then at dust and heat sink.'
      ELSE 'Look at inlet temperature and fans (BMC, or nvidia-smi -q for the fan of the card), dust and blocked air.' END AS todo,
 e.ref_id AS ref_id, round(e.mhz) AS clock_mhz, round(e.share) AS share_pct
FROM told e
