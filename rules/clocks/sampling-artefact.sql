-- id:       clocks.sampling-artefact
-- title:    Readings that cannot be, or more rows than the board has readings
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- needs:    table.gpu_minute
-- reads:    table.gpu_minute
-- params:   over_pct=10 power_over=1.5 rows_per_s=20 min_seconds=5
-- summary:  {gpu}: {what}
-- meaning:  {why} Conclusions that rest on such values are doubtful.
-- action:   none
-- remedy:   {todo}
-- falsepositives: A board that is overclocked on purpose. power.draw.instant above the limit. Some rows a second of many GPUs.
-- refs:     product documents for the highest clocks (kb_gpu_model); NVML renews power and utilization every 20 to 100 ms
--           (rows_per_s, practice)
WITH board AS (
  SELECT g.id AS gpu_id, g.host_id,
   coalesce((SELECT max(c.num) FROM contract c WHERE c.gpu_id = g.id AND c.key = 'clocks.max_sm_mhz'), k.max_sm_mhz) AS sm_mhz,
   coalesce((SELECT max(c.num) FROM contract c WHERE c.gpu_id = g.id AND c.key = 'clocks.max_memory_mhz'), k.max_mem_mhz) AS mem_mhz,
   coalesce((SELECT max(c.num) FROM contract c WHERE c.gpu_id = g.id AND c.key = 'power.limit_max_w'), k.power_max_w) AS max_w
  FROM gpu g LEFT JOIN kb_gpu_model k ON k.model = g.model
),
seen AS (
  SELECT m.ref_id, max(m.sm_max) AS sm_mhz, max(m.memclk_avg) AS mem_mhz, max(m.power_max) AS power_w, max(m.temp_max) AS temp_c,
   max(m.util_max) AS util_pct, min(m.first_id) AS first_id
  FROM gpu_minute m GROUP BY m.ref_id
),
often AS ( -- seconds with more rows than readings
  SELECT q.ref_id, count(*) AS seconds, max(q.n) AS rows, min(q.first_id) AS first_id FROM gpu_second q
  WHERE q.n > coalesce(:rows_per_s, 20) GROUP BY q.ref_id HAVING count(*) >= coalesce(:min_seconds, 5)
),
odd AS (
  SELECT r.gpu_id, r.id AS ref_id, r.source_id, s.first_id, 'sm' AS grp, printf('SM clock %g MHz, the board reaches %g', s.sm_mhz, b.sm_mhz) AS what
  FROM seen s JOIN gpu_ref r ON r.id = s.ref_id JOIN board b ON b.gpu_id = r.gpu_id WHERE s.sm_mhz > b.sm_mhz * (1 + coalesce(:over_pct, 10) / 100.0)
  UNION ALL
  SELECT r.gpu_id, r.id, r.source_id, s.first_id, 'memory', printf('memory clock %g MHz, the board reaches %g', round(s.mem_mhz), b.mem_mhz)
  FROM seen s JOIN gpu_ref r ON r.id = s.ref_id JOIN board b ON b.gpu_id = r.gpu_id WHERE s.mem_mhz > b.mem_mhz * (1 + coalesce(:over_pct, 10) / 100.0)
  UNION ALL
  SELECT r.gpu_id, r.id, r.source_id, s.first_id, 'power', printf('%g W drawn, the board may draw %g', s.power_w, b.max_w)
  FROM seen s JOIN gpu_ref r ON r.id = s.ref_id JOIN board b ON b.gpu_id = r.gpu_id WHERE s.power_w > b.max_w * coalesce(:power_over, 1.5)
  UNION ALL
  SELECT r.gpu_id, r.id, r.source_id, s.first_id, 'range',
   CASE WHEN s.util_pct > 100 THEN printf('%g %% busy', s.util_pct) ELSE printf('%g C', s.temp_c) END
  FROM seen s JOIN gpu_ref r ON r.id = s.ref_id WHERE r.gpu_id IS NOT NULL AND (s.util_pct > 100 OR s.temp_c > 150)
  UNION ALL
  SELECT r.gpu_id, r.id, r.source_id, o.first_id, 'rows', printf('up to %d rows a second', o.rows)
  FROM often o JOIN gpu_ref r ON r.id = o.ref_id WHERE r.gpu_id IS NOT NULL
)
SELECT g.host_id AS host_id, o.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.85 AS confidence,
 json_array(o.source_id << 32 | s.line) AS evidence, o.grp AS grp, o.what AS what,
 CASE o.grp WHEN 'rows' THEN 'The board renews its readings every 20 to 100 ms: most of these rows repeat the one before, so counting rows counts nothing.'
  ELSE 'No such board gives this value: a column under the wrong heading, another unit, or a reading that failed.' END AS why,
 CASE o.grp WHEN 'rows' THEN 'Record once a second, or ten times at most.' ELSE 'Look at the heading and the tool that wrote this file; record it again with nvidia-smi itself.' END AS todo,
 o.ref_id AS ref_id
FROM odd o JOIN gpu g ON g.id = o.gpu_id JOIN gpu_sample s ON s.rowid = o.first_id
