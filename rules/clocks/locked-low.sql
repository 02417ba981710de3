-- id:       clocks.locked-low
-- title:    Clocks are set below the default
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   policy
-- shows:    effect
-- settle:   fact.clocks.app_graphics_mhz
-- needs:    fact.clocks.default_app_graphics_mhz fact.clocks.app_graphics_mhz|sample.reasons
-- reads:    fact.clocks.app_graphics_mhz|fact.clocks.default_app_graphics_mhz|sample.reasons
-- params:   low_mhz=30 very_low_mhz=75 min_samples=10 set_pct=90
-- explains: clocks.busy-but-slow any gpu; clocks.silent-straggler any gpu; clocks.no-p0 any gpu
-- summary:  {gpu}: {what} {mhz} MHz, {less_mhz} MHz below the default application clock ({default_mhz} MHz){by}
-- meaning:  A clock was set for this GPU and holds it below what the board runs at by default. It does not go faster, however
--           cool it is and however little it draws.
-- action:   fix_config
-- remedy:   {todo}
-- falsepositives: A default below the maximum (A100: 1275 of 1410 MHz) is no lock. A clock that somebody set on purpose in this
--           very bundle is an operation (info).
-- refs:     nvidia-smi manual, "Applications Clocks", "Default Applications Clocks", -ac, -rac, -lgc, -rgc; NVML
--           nvmlClocksEventReasonApplicationsClocksSetting; low_mhz, very_low_mhz: two and five steps of 15 MHz, practice
WITH newest AS (
  SELECT c.*, row_number() OVER (PARTITION BY c.gpu_id, c.key ORDER BY c.t_us IS NULL DESC, c.t_us DESC, c.line_id) AS age
  FROM contract c
  WHERE c.key IN ('clocks.app_graphics_mhz', 'clocks.default_app_graphics_mhz') AND c.gpu_id IS NOT NULL AND c.num > 0
),
board AS (
  SELECT d.host_id, d.gpu_id, d.num AS default_mhz, d.line_id AS default_line, a.num AS app_mhz, a.line_id AS app_line
  FROM newest d LEFT JOIN newest a ON a.gpu_id = d.gpu_id AND a.key = 'clocks.app_graphics_mhz' AND a.age = 1
  WHERE d.key = 'clocks.default_app_graphics_mhz' AND d.age = 1
),
-- Busy, bit 0x2 whenever it was, and never above one level: that is a lock, which nvidia-smi -q does not list.
busy AS (
  SELECT m.ref_id, sum(m.n) AS n, sum(CASE WHEN m.reasons_or & 2 THEN m.n ELSE 0 END) AS with_bit, max(m.sm_max) AS mhz,
   min(m.first_id) AS first_id, min(m.t_raw_us) AS t0, max(m.t_raw_us) AS t1
  FROM gpu_minute m WHERE m.util_avg >= 80 AND m.reasons_or IS NOT NULL GROUP BY m.ref_id
),
locked AS (
  SELECT r.gpu_id, r.source_id << 32 | (SELECT s.line FROM gpu_sample s WHERE s.rowid = b.first_id) AS line_id, b.mhz,
   row_number() OVER (PARTITION BY r.gpu_id ORDER BY b.mhz DESC, b.ref_id) AS nth
  FROM busy b JOIN gpu_ref r ON r.id = b.ref_id
  WHERE r.instance_id IS NULL AND b.n >= coalesce(:min_samples, 10) AND b.with_bit * 100 >= b.n * coalesce(:set_pct, 90)
),
low AS (
  SELECT b.host_id, b.gpu_id, b.default_mhz, b.default_line,
   CASE WHEN b.app_mhz <= b.default_mhz - coalesce(:low_mhz, 30) THEN b.app_mhz ELSE l.mhz END AS mhz,
   CASE WHEN b.app_mhz <= b.default_mhz - coalesce(:low_mhz, 30) THEN b.app_line ELSE l.line_id END AS line_id,
   CASE WHEN b.app_mhz <= b.default_mhz - coalesce(:low_mhz, 30) THEN 'application clock' ELSE 'clocks locked (0x2 while busy) at' END AS what,
   CASE WHEN b.app_mhz <= b.default_mhz - coalesce(:low_mhz, 30) THEN 0.95 ELSE 0.7 END AS confidence
  FROM board b LEFT JOIN locked l ON l.gpu_id = b.gpu_id AND l.nth = 1 AND l.mhz <= b.default_mhz - coalesce(:low_mhz, 30)
  WHERE b.app_mhz <= b.default_mhz - coalesce(:low_mhz, 30) OR l.mhz IS NOT NULL
),
told AS (
  SELECT l.*, l.default_mhz - l.mhz AS less_mhz,
   (SELECT max(e.line_id) FROM event e WHERE e.kind = 'smi.clocks_set' AND (e.gpu_id = l.gpu_id
     -- A command in the log of the machine: of all GPUs, unless it names one.
     OR (e.gpu_id IS NULL AND e.host_id = l.host_id AND NOT EXISTS (SELECT 1 FROM event_attr a JOIN gpu g ON g.id = l.gpu_id
      WHERE a.event_id = e.id AND a.name = 'index' AND a.num IS NOT g.idx)))) AS set_line
  FROM low l
)
SELECT t.host_id AS host_id, t.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, t.confidence AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT t.line_id AS line_id UNION ALL SELECT t.default_line UNION ALL SELECT t.set_line)
  WHERE line_id IS NOT NULL) AS evidence,
 CASE WHEN t.set_line IS NOT NULL THEN 'info' WHEN t.less_mhz >= coalesce(:very_low_mhz, 75) THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN t.set_line IS NOT NULL THEN 'operation' ELSE 'fault' END AS kind,
 printf('%g %g %d', t.mhz, t.default_mhz, t.set_line IS NOT NULL) AS grp,
 t.what AS what, printf('%g', t.mhz) AS mhz, printf('%g', t.default_mhz) AS default_mhz, printf('%g', t.less_mhz) AS less_mhz,
 CASE WHEN t.set_line IS NOT NULL THEN '; set on purpose, as the bundle shows' ELSE '' END AS by,
 CASE WHEN t.set_line IS NOT NULL THEN 'If the test that needed it is over: nvidia-smi -rac and nvidia-smi -rgc.'
      ELSE 'Put it back with nvidia-smi -rac (application clocks) and nvidia-smi -rgc (locked clocks), and look for what set it: a boot service, a profile, a scheduler prolog.' END AS todo
FROM told t
