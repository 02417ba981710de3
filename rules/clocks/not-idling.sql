-- id:       clocks.not-idling
-- title:    Clocks stay high at rest, with nothing running
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   table.process_sample
-- needs:    sample.sm_clock_mhz sample.util_pct sample.mem_used_mib table.process_sample
-- reads:    episode.idle
-- params:   min_s=300 high_pct=85 used_pct=3
-- summary:  {gpu}: {mhz} MHz at rest for {minutes} minutes, {power_w} W, no process and {used_mib} MiB in use
-- meaning:  Without a context a GPU goes to low clocks within seconds. Something that no list shows keeps it awake: profiling counters
--           (DCGM), locked clocks, a lost context. It costs power and heat, not speed.
-- action:   watch
-- remedy:   Look for dcgm profiling fields, nvidia-smi -lgc, and processes in containers; nvidia-smi -rgc, or reset the GPU when it is free.
-- falsepositives: Open contexts, displays, memory in use. The minutes after a job or after persistence mode was switched on.
-- refs:     min_s, high_pct, used_pct: practice
WITH rest AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.gpu_id ORDER BY e.samples DESC, e.id) AS nth FROM episode e
  WHERE e.kind = 'idle' AND e.clock_med_mhz >= e.clock_ref_mhz * coalesce(:high_pct, 85) / 100.0
   AND coalesce((e.t1_us - e.t0_us) / 1000000.0, e.samples) >= coalesce(:min_s, 300)
),
board AS ( -- where nobody listed processes there may be some

  SELECT g.id AS gpu_id, g.host_id,
   coalesce((SELECT max(c.num) FROM contract c WHERE c.gpu_id = g.id AND c.key = 'clocks.max_sm_mhz'), k.max_sm_mhz) AS max_mhz,
   (SELECT max(c.num) FROM contract c WHERE c.gpu_id = g.id AND c.key = 'memory.total_mib') AS total_mib,
   EXISTS (SELECT 1 FROM contract c WHERE c.gpu_id = g.id AND c.key = 'display.active' AND c.value IN ('enabled', 'on', 'yes')) AS display,
   EXISTS (SELECT 1 FROM process_sample p WHERE p.gpu_id = g.id)
    OR NOT EXISTS (SELECT 1 FROM coverage v WHERE v.gpu_id = g.id AND v.what = 'table.process_sample') AS processes
  FROM gpu g LEFT JOIN kb_gpu_model k ON k.model = g.model
),
found AS (
  SELECT r.*, b.host_id, b.total_mib,
   (SELECT max(m.memused_max) FROM gpu_minute m WHERE m.ref_id = r.ref_id AND m.first_id >= r.first_id AND m.last_id <= r.last_id) AS used_mib
  FROM rest r JOIN board b ON b.gpu_id = r.gpu_id
  WHERE r.nth = 1 AND NOT b.display AND NOT b.processes AND r.clock_med_mhz >= b.max_mhz * coalesce(:high_pct, 85) / 100.0
)
SELECT f.host_id AS host_id, f.gpu_id AS gpu_id, f.t0_us AS t0_us, f.t1_us AS t1_us, 0.7 AS confidence,
 json_array(f.line_first, f.line_last) AS evidence, printf('%g', round(f.clock_med_mhz)) AS grp,
 printf('%g', round(f.clock_med_mhz)) AS mhz, printf('%g', round(coalesce((f.t1_us - f.t0_us) / 60000000.0, f.samples / 60.0))) AS minutes,
 printf('%g', round(f.power_med_w)) AS power_w, printf('%g', f.used_mib) AS used_mib, f.ref_id AS ref_id
FROM found f
WHERE f.used_mib <= coalesce(f.total_mib, 40000) * coalesce(:used_pct, 3) / 100.0
