-- id:       clocks.busy-but-slow
-- title:    Fully busy, yet slower than its own best minute
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   sample.reasons
-- needs:    sample.sm_clock_mhz sample.util_pct episode.busy
-- params:   slow_pct=10 min_s=10
-- summary:  {gpu}: {clock_mhz} MHz while {util_pct} % busy, {slow_pct} % below its own best minute ({best_mhz} MHz)
-- meaning:  Utilization says that the GPU has work all the time, not that it does it fast. Something held the clock down.
-- action:   collect
-- remedy:   Record the reasons beside the clock (see below); they name power, heat, a setting or hardware.
-- falsepositives: MIG slices; a job that uses little of the chip at a low clock on purpose; locked application clocks.
-- refs:     RULES: reference is the best 60 s of busy samples of the same source
SELECT g.host_id AS host_id, e.gpu_id AS gpu_id, e.t0_us AS t0_us, e.t1_us AS t1_us,
 CASE WHEN e.reasons_known THEN 0.85 ELSE 0.7 END AS confidence,
 json_array(e.line_first, e.line_worst, e.line_last) AS evidence,
 CASE WHEN EXISTS (SELECT 1 FROM episode p WHERE p.gpu_id = e.gpu_id AND p.kind = 'power_limit'
                   AND (p.t0_us IS NULL OR (p.t0_us <= e.t1_us AND p.t1_us >= e.t0_us))) THEN 'info' ELSE 'warning' END AS severity,
 'gpu' || e.gpu_id AS grp,
 printf('%g', round(e.clock_med_mhz)) AS clock_mhz, printf('%g', round(e.clock_ref_mhz)) AS best_mhz,
 printf('%g', e.util_min_pct) AS util_pct,
 printf('%g', round(100.0 * (e.clock_ref_mhz - e.clock_med_mhz) / e.clock_ref_mhz)) AS slow_pct,
 e.ref_id AS ref_id
FROM episode e JOIN gpu g ON g.id = e.gpu_id
WHERE e.kind = 'busy_slow' AND e.clock_med_mhz <= e.clock_ref_mhz * (1 - coalesce(:slow_pct, 10) / 100.0)
 AND (e.t0_us IS NULL OR e.t1_us - e.t0_us >= coalesce(:min_s, 10) * 1000000)
