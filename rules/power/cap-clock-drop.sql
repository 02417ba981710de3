-- id:       power.cap-clock-drop
-- title:    SM clock falls when power reaches the limit
-- scope:    bundle
-- severity: info
-- symptom:  slow
-- kind:     explanation
-- points:   policy
-- shows:    effect
-- settle:   sample.reasons
-- needs:    sample.sm_clock_mhz sample.power_w sample.util_pct sample.power_limit_w|fact.power.limit_w|episode.power_plateau
-- reads:    table.gpu_minute
-- params:   drop_pct=10 near_limit_pct=97 min_util_pct=80 min_samples=3 short_trace=10 short_min_samples=2 peer_pct=10 equal_power_pct=90
-- explains: clocks.busy-but-slow overlap gpu; clocks.oscillation overlap gpu
-- summary:  {gpu}: {what}{limit_note}
-- meaning:  The GPU draws all the power it may and lowers its clock to stay there. Utilization stays high: busy is not
--           fast. With the limit at its default this is how the board works, not a fault of card or driver.
-- action:   none
-- remedy:   {raise}If the same job used to be faster, compare two captures (gpudx compare BEFORE AFTER): what changed will show.
-- falsepositives: A deliberate clock step during load; power.draw.instant held against the limit (never done here); a peer
--           that is faster because its work draws less.
-- refs:     NVML nvmlClocksEventReasonSwPowerCap; nvidia-smi manual, "SW Power Cap"; peer_pct, equal_power_pct: practice
WITH own_default AS (
  SELECT c.gpu_id, max(c.num) AS default_w, c.line_id FROM contract c
  WHERE c.key = 'power.limit_default_w' AND c.gpu_id IS NOT NULL GROUP BY c.gpu_id
),
at_limit AS (
  SELECT e.* FROM episode e
  WHERE e.kind = 'power_limit' AND e.limit_w > 0
   AND e.power_med_w >= e.limit_w * coalesce(:near_limit_pct, 97) / 100.0
   AND coalesce(e.util_min_pct, 0) >= coalesce(:min_util_pct, 80)
   AND e.samples >= CASE WHEN e.source_samples < coalesce(:short_trace, 10) THEN coalesce(:short_min_samples, 2) ELSE coalesce(:min_samples, 3) END
   AND e.clock_med_mhz <= e.clock_ref_mhz * (1 - coalesce(:drop_pct, 10) / 100.0)
),
seen AS (
  SELECT gpu_id, count(DISTINCT source_id) AS sources, count(*) AS times FROM at_limit GROUP BY gpu_id
),
rated AS (
  SELECT e.*, round(100.0 * (e.clock_ref_mhz - e.clock_med_mhz) / e.clock_ref_mhz) AS drop_pct, o.default_w, o.line_id AS default_line,
   CASE WHEN e.limit_how = 'plateau' THEN 0.5
        WHEN e.reasons_known & 4 AND e.reasons_set * 2 >= e.samples THEN 0.95
        WHEN n.sources > 1 THEN 0.85 ELSE 0.7 END AS confidence
  FROM at_limit e JOIN seen n ON n.gpu_id = e.gpu_id LEFT JOIN own_default o ON o.gpu_id = e.gpu_id
),
ranked AS ( -- of very many in a source the hundred longest, the first and the last: a finding cites no more
  SELECT e.*, row_number() OVER (PARTITION BY e.ref_id ORDER BY e.confidence DESC, e.samples DESC, e.first_id) AS nth,
   row_number() OVER (PARTITION BY e.ref_id ORDER BY e.first_id) AS from_start,
   row_number() OVER (PARTITION BY e.ref_id ORDER BY e.first_id DESC) AS from_end
  FROM rated e
),
dropped AS (
  SELECT e.*,
   -- Another time, or the time before, allowed more.
   (SELECT h.id FROM change h WHERE h.gpu_id = e.gpu_id AND h.what = 'power.limit_w'
     AND max(CAST(h.before AS REAL), CAST(h.after AS REAL)) > e.limit_w * 1.01 ORDER BY h.id LIMIT 1) AS moved_id
  FROM ranked e WHERE e.nth <= 100 OR e.from_start = 1 OR e.from_end = 1
),
-- How each GPU runs while it is busy, on average over its source.
busy AS (
  SELECT r.id AS ref_id, r.source_id, g.id AS gpu_id, g.name, g.label,
   sum(CASE h.col WHEN 'sm_clock_mhz' THEN h.lo * h.n END) / sum(CASE h.col WHEN 'sm_clock_mhz' THEN h.n END) AS mhz,
   sum(CASE h.col WHEN 'power_w' THEN h.lo * h.n END) / sum(CASE h.col WHEN 'power_w' THEN h.n END) AS power_w
  FROM gpu_hist h JOIN gpu_ref r ON r.id = h.ref_id JOIN gpu g ON g.id = r.gpu_id
  WHERE h.busy = 1 AND r.instance_id IS NULL GROUP BY r.id
),
faster AS (
  SELECT a.ref_id, b.label, row_number() OVER (PARTITION BY a.ref_id ORDER BY b.mhz DESC, b.ref_id) AS nth
  FROM busy a JOIN busy b ON b.source_id = a.source_id AND b.gpu_id <> a.gpu_id AND b.name = a.name
   AND b.mhz >= a.mhz * (1 + coalesce(:peer_pct, 10) / 100.0) AND b.power_w >= a.power_w * coalesce(:equal_power_pct, 90) / 100.0
  WHERE a.ref_id IN (SELECT d.ref_id FROM dropped d)
),
told AS (
  SELECT d.*, d.limit_how <> 'plateau' AND d.limit_w < d.default_w * 0.99 AS lowered,
   d.limit_how <> 'plateau' AND d.moved_id IS NOT NULL AS moved,
   CASE WHEN d.limit_how <> 'plateau' THEN f.label END AS faster_peer
  FROM dropped d LEFT JOIN faster f ON f.ref_id = d.ref_id AND f.nth = 1
),
-- GPUs of a host with the same outcome are one finding, whose numbers are those of the row that leads each GPU.
led AS (
  SELECT d.*, max(d.lowered OR d.moved OR d.faster_peer IS NOT NULL) OVER (PARTITION BY d.gpu_id) AS warns,
   first_value(d.limit_w) OVER best AS lead_w, row_number() OVER best AS lead
  FROM told d WINDOW best AS (PARTITION BY d.gpu_id ORDER BY d.t0_us IS NULL, d.confidence DESC, d.t0_us, d.line_first)
),
alike AS (
  SELECT d.*, g.host_id, printf('%d %g', coalesce(d.warns, 0), d.lead_w) AS grp FROM led d JOIN gpu g ON g.id = d.gpu_id
),
ranges AS (
  SELECT d.*, min(CASE WHEN d.lead = 1 THEN d.clock_ref_mhz END) OVER w AS ref0, max(CASE WHEN d.lead = 1 THEN d.clock_ref_mhz END) OVER w AS ref1,
   min(CASE WHEN d.lead = 1 THEN d.clock_med_mhz END) OVER w AS med0, max(CASE WHEN d.lead = 1 THEN d.clock_med_mhz END) OVER w AS med1,
   min(CASE WHEN d.lead = 1 THEN d.drop_pct END) OVER w AS drop0, max(CASE WHEN d.lead = 1 THEN d.drop_pct END) OVER w AS drop1,
   min(CASE WHEN d.lead = 1 THEN d.power_min_w END) OVER w AS power0, max(CASE WHEN d.lead = 1 THEN d.power_max_w END) OVER w AS power1
  FROM alike d WINDOW w AS (PARTITION BY d.host_id, d.grp)
)
SELECT d.host_id AS host_id, d.gpu_id AS gpu_id, d.t0_us AS t0_us, d.t1_us AS t1_us,
 d.confidence AS confidence,
 (SELECT json_group_array(line_id) FROM (
   SELECT line_id FROM (SELECT s.line_id FROM sample s WHERE s.id BETWEEN d.first_id AND d.last_id AND s.ref_id = d.ref_id
     AND s.util_pct >= coalesce(:min_util_pct, 80) AND s.power_w >= d.limit_w * coalesce(:near_limit_pct, 97) / 100.0
    ORDER BY s.id LIMIT 20)
   UNION ALL SELECT d.default_line WHERE d.lowered
   UNION ALL SELECT h.line_before FROM change h WHERE h.id = d.moved_id AND d.moved
   UNION ALL SELECT h.line_after FROM change h WHERE h.id = d.moved_id AND d.moved) ) AS evidence,
 CASE WHEN d.reasons_known & 4 AND d.reasons_set = 0 THEN json_array(d.line_first) END AS against,
 CASE WHEN d.lowered OR d.moved OR d.faster_peer IS NOT NULL THEN 'warning' ELSE 'info' END AS severity,
 d.grp AS grp,
 printf('SM clock %s → %s MHz (-%s %%) at %s of %g W',
  CASE WHEN d.ref0 < d.ref1 THEN printf('%g-%g', d.ref0, d.ref1) ELSE printf('%g', d.ref1) END,
  CASE WHEN d.med0 < d.med1 THEN printf('%g-%g', d.med0, d.med1) ELSE printf('%g', d.med1) END,
  CASE WHEN d.drop0 < d.drop1 THEN printf('%g to -%g', d.drop0, d.drop1) ELSE printf('%g', d.drop1) END,
  CASE WHEN d.power0 < d.power1 THEN printf('%.1f-%.1f', d.power0, d.power1) ELSE printf('%.1f', d.power1) END,
  d.lead_w) AS what,
 d.clock_ref_mhz AS clock_before_mhz, d.clock_med_mhz AS clock_after_mhz, d.limit_w AS limit_w,
 CASE WHEN d.limit_how = 'plateau' THEN ' (limit inferred from a power plateau)'
      WHEN d.lowered THEN printf(' (lowered: default %g W)', d.default_w)
      WHEN d.moved THEN ' (another limit was in force at another time)'
      WHEN d.default_w IS NOT NULL THEN ' (the default limit)' ELSE '' END
 || CASE WHEN d.faster_peer IS NOT NULL THEN printf('; %s is faster at equal power', d.faster_peer) ELSE '' END AS limit_note,
 CASE WHEN d.lowered THEN printf('If nobody meant the limit to be lower than %g W, raise it: nvidia-smi -pl %g. ', d.default_w, d.default_w)
  WHEN d.moved THEN 'If nobody meant the limit to change, set it again: nvidia-smi -pl. ' ELSE '' END AS raise,
 printf('%g', d.util_min_pct) AS util_min_pct, printf('%g', d.temp_max_c) AS temp_max_c,
 d.ref_id AS ref_id, d.samples AS samples
FROM ranges d
UNION ALL
-- One snapshot at the limit: that it was limited is known, by how much its clock fell is not.
SELECT m.host_id, m.gpu_id, m.t_us, m.t_us, 0.7,
 (SELECT json_group_array(line_id) FROM sample s WHERE s.id BETWEEN m.first_id AND m.last_id AND s.ref_id = m.ref_id),
 NULL, 'info', printf('snapshot %g', m.limit_w),
 printf('power-limited at that moment: %s of %g W, %s %% busy',
  CASE WHEN m.power0 < m.power1 THEN printf('%.1f-%.1f', m.power0, m.power1) ELSE printf('%.1f', m.power1) END, m.limit_w,
  CASE WHEN m.util0 < m.util1 THEN printf('%g-%g', m.util0, m.util1) ELSE printf('%g', m.util1) END), NULL, NULL, m.limit_w,
 '; what it cost cannot be measured in one snapshot', '',
 printf('%g', m.util_max), printf('%g', m.temp_max), m.ref_id, m.n
FROM (SELECT m.*, min(m.power_max) OVER w AS power0, max(m.power_max) OVER w AS power1, min(m.util_max) OVER w AS util0, max(m.util_max) OVER w AS util1
  FROM (SELECT m.*, r.gpu_id, g.host_id,
     CASE WHEN r.t_quality <> 'unknown' THEN m.t_raw_us + r.t_offset_us END AS t_us,
     coalesce(m.limit_max, (SELECT c.num FROM contract c WHERE c.gpu_id = r.gpu_id AND c.key = 'power.limit_w'
                            ORDER BY c.t_us IS NULL DESC, c.t_us DESC LIMIT 1)) AS limit_w
    FROM gpu_minute m JOIN gpu_ref r ON r.id = m.ref_id JOIN gpu g ON g.id = r.gpu_id WHERE r.samples <= 2 AND r.instance_id IS NULL) m
  WHERE m.reasons_or & 4 AND m.util_max >= coalesce(:min_util_pct, 80)
   AND m.power_max >= m.limit_w * coalesce(:near_limit_pct, 97) / 100.0
   AND NOT EXISTS (SELECT 1 FROM dropped d WHERE d.gpu_id = m.gpu_id)
  WINDOW w AS (PARTITION BY m.host_id, m.limit_w)) m
