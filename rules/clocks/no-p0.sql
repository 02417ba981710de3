-- id:       clocks.no-p0
-- title:    Under load the GPU never reaches performance state P0
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   sample.reasons
-- needs:    sample.pstate sample.util_pct episode.busy
-- reads:    sample.pstate sample.util_pct
-- params:   min_minutes=2 consumer_pstate=3
-- explains: clocks.busy-but-slow any gpu
-- summary:  {gpu}: P{pstate} at best in {minutes} busy minutes{clock}
-- meaning:  P0 is where a busy GPU runs. Below it, memory and SM clocks stay low whatever the load: a power or heat signal, an application
--           clock, or a driver that did not start well.
-- action:   collect
-- remedy:   Record the reasons beside the P-state. If none is set, look at application clocks (nvidia-smi -q -d CLOCK), reload the driver or reboot.
-- falsepositives: GeForce and workstation boards, which compute in P2. At rest. Boards whose memory clock was set low on purpose.
-- refs:     nvidia-smi manual, "Performance State"; GeForce P2 under CUDA: practice
WITH busy AS (
  SELECT m.ref_id, count(*) AS minutes, min(m.pstate_min) AS pstate, max(m.sm_max) AS mhz, min(m.first_id) AS first_id, max(m.last_id) AS last_id,
   min(m.t_raw_us) AS t0, max(m.t_raw_us) AS t1
  FROM gpu_minute m WHERE m.util_avg >= 80 AND m.pstate_min IS NOT NULL GROUP BY m.ref_id
),
low AS (
  SELECT g.host_id, r.gpu_id, b.*, r.source_id, r.t_offset_us, r.t_quality,
   row_number() OVER (PARTITION BY r.gpu_id ORDER BY b.minutes DESC, b.ref_id) AS nth, min(b.pstate) OVER (PARTITION BY r.gpu_id) AS best
  FROM busy b JOIN gpu_ref r ON r.id = b.ref_id JOIN gpu g ON g.id = r.gpu_id LEFT JOIN kb_gpu_model k ON k.model = g.model
  WHERE r.instance_id IS NULL AND b.minutes >= coalesce(:min_minutes, 2)
   AND EXISTS (SELECT 1 FROM episode e WHERE e.ref_id = b.ref_id AND e.kind = 'busy')
   AND b.pstate >= CASE WHEN k.class = 'datacenter' OR (k.model IS NULL AND (g.name LIKE 'Tesla %' OR g.name GLOB 'NVIDIA [ABHLV][0-9]*'))
                        THEN 1 ELSE coalesce(:consumer_pstate, 3) END
),
alike AS (
  SELECT l.*, min(l.minutes) OVER w AS minutes0, max(l.minutes) OVER w AS minutes1, max(l.mhz) OVER w AS mhz1
  FROM low l WHERE l.nth = 1 WINDOW w AS (PARTITION BY l.host_id, l.best)
)
SELECT a.host_id AS host_id, a.gpu_id AS gpu_id,
 CASE WHEN a.t_quality <> 'unknown' THEN s.t_raw_us + a.t_offset_us END AS t0_us, CASE WHEN a.t_quality <> 'unknown' THEN z.t_raw_us + a.t_offset_us END AS t1_us,
 0.85 AS confidence, json_array(a.source_id << 32 | s.line, a.source_id << 32 | z.line) AS evidence,
 printf('P%d', a.best) AS grp, a.best AS pstate,
 CASE WHEN a.minutes0 = a.minutes1 THEN printf('%d', a.minutes1) ELSE printf('%d-%d', a.minutes0, a.minutes1) END AS minutes,
 CASE WHEN a.mhz1 IS NULL THEN '' ELSE printf(', SM clock %g MHz at most', a.mhz1) END AS clock, a.ref_id AS ref_id
FROM alike a JOIN gpu_sample s ON s.rowid = a.first_id JOIN gpu_sample z ON z.rowid = a.last_id
