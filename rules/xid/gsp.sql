-- id:       xid.gsp
-- title:    The firmware processor of a GPU (GSP) does not answer or crashed
-- scope:    bundle
-- severity: critical
-- symptom:  hang
-- kind:     fault
-- points:   driver
-- shows:    effect
-- settle:   fact.gsp.version
-- needs:    log.xid
-- reads:    xid.119|xid.120
-- explains: xid.burst overlap gpu; xid.recovery-action +180 gpu; xid.sympathetic +180 gpu; xid.other +180 gpu; xid.mmu-fault +180 gpu; xid.sm-exception +180 gpu; driver.init-failed +180 gpu;
--           driver.gpu-unresponsive overlap gpu; driver.gpu-unresponsive +86400 gpu; host.hung-task +600 host; host.nccl-hang +7200 host
-- summary:  {gpu}: {what}{task}{wait}{callers}{times}{after}
-- meaning:  Most of the driver runs on a processor of the card. {means} Whoever asks the GPU next waits and gets the same error: nvidia-smi,
--           health agents and jobs that are named here are victims, not causes.
-- action:   reset_gpu
-- remedy:   {advice}
-- falsepositives: Notices that such errors are printed less often, and the history that follows one, are no errors of their own.
-- refs:     NVIDIA Xid catalog, 119 and 120; open-gpu-kernel-modules kernel_gsp.c (text, limit of 1 in 30)
WITH reset AS ( -- the module was loaded again, or the driver says that nothing is left to do
  SELECT e.host_id, 'host' AS seat, e.boot_id, e.t_quality, e.t_us, e.line_id, row_number() OVER (PARTITION BY e.host_id, e.boot_id, e.t_quality ORDER BY e.t_us, e.id) AS nth
  FROM event e WHERE e.kind = 'nvrm.load' AND e.copy_of IS NULL AND e.t_us IS NOT NULL
  UNION ALL
  SELECT e.host_id, CAST(e.gpu_id AS TEXT), e.boot_id, e.t_quality, e.t_us, e.line_id, row_number() OVER (PARTITION BY e.gpu_id, e.boot_id, e.t_quality ORDER BY e.t_us, e.id)
  FROM event e JOIN event_attr a ON a.event_id = e.id
  WHERE e.kind = 'xid' AND e.code = 154 AND e.copy_of IS NULL AND e.gpu_id IS NOT NULL AND e.t_us IS NOT NULL AND a.name = 'to' AND a.value = 'None'
),
said AS (
  SELECT x.*, coalesce(b.seq, 0) AS boot_seq, CAST(coalesce(x.gpu_id, 'at ' || r.bdf, 'unknown') AS TEXT) AS seat,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'function_name') AS task,
   (SELECT CAST(a.num AS INTEGER) FROM event_attr a WHERE a.event_id = x.id AND a.name = 'wait_s') AS wait_s,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'reason') AS reason,
   coalesce((SELECT a.value = 'GSP_INIT_DONE' FROM event_attr a WHERE a.event_id = x.id AND a.name = 'function_name'), 0)
    OR coalesce(x.incident_id IN (SELECT i.incident_id FROM event i WHERE i.kind IN ('nvrm.init_failed', 'nvrm.firmware_boot') AND i.incident_id IS NOT NULL), 0) AS starting
  FROM xid x LEFT JOIN boot b ON b.id = x.boot_id LEFT JOIN event e ON e.id = x.id LEFT JOIN gpu_ref r ON r.id = e.ref_id
  WHERE x.code IN (119, 120) AND x.host_id IS NOT NULL
),
-- How many resets came before: of the host, of the GPU.
loads AS (
  SELECT id, max(nth) OVER (PARTITION BY host_id, boot_id, t_quality ORDER BY t_us, is_hit ROWS UNBOUNDED PRECEDING) AS loads FROM (
    SELECT id, host_id, boot_id, t_quality, t_us, 1 AS is_hit, NULL AS nth FROM said
    UNION ALL SELECT NULL, host_id, boot_id, t_quality, t_us, 0, nth FROM reset WHERE seat = 'host')
),
cures AS (
  SELECT id, max(nth) OVER (PARTITION BY host_id, seat, boot_id, t_quality ORDER BY t_us, is_hit ROWS UNBOUNDED PRECEDING) AS cures FROM (
    SELECT id, host_id, seat, boot_id, t_quality, t_us, 1 AS is_hit, NULL AS nth FROM said
    UNION ALL SELECT NULL, host_id, seat, boot_id, t_quality, t_us, 0, nth FROM reset WHERE seat <> 'host')
),
hit AS (
  SELECT s.*, coalesce(l.loads, 0) AS loads, coalesce(c.cures, 0) AS cures,
   s.seat || '/' || coalesce(s.boot_id, 0) || '/' || coalesce(l.loads, 0) || '/' || coalesce(c.cures, 0) || '/' || s.t_quality || '/' || s.starting AS life
  FROM said s LEFT JOIN loads l ON l.id = s.id LEFT JOIN cures c ON c.id = s.id
),
per AS (
  SELECT h.host_id, h.life, max(h.code = 120) AS crashed, sum(h.repeats) AS n, count(DISTINCT coalesce(h.incident_id, -h.id)) AS incidents, min(h.t_us) AS t0, max(h.t_us) AS t1,
   max(h.gpu_id) AS gpu_id, max(h.instance_id) AS instance_id, max(h.boot_id) AS boot_id, max(h.t_quality) AS t_quality, max(h.boot_seq) AS boot_seq, max(h.starting) AS starting,
   max(h.seat) AS seat, max(h.loads) AS loads, max(h.cures) AS cures
  FROM hit h GROUP BY h.host_id, h.life
),
first AS (SELECT h.*, row_number() OVER (PARTITION BY h.host_id, h.life ORDER BY h.t_us, h.id) AS nth FROM hit h),
codes AS (
  SELECT host_id, life, group_concat(code, ', ') AS codes FROM (SELECT host_id, life, code FROM first GROUP BY host_id, life, code ORDER BY host_id, life, min(nth)) GROUP BY host_id, life
),
callers AS (
  SELECT host_id, life, group_concat(process, ', ') AS callers FROM (SELECT host_id, life, process, row_number() OVER (PARTITION BY host_id, life ORDER BY process) AS k
    FROM (SELECT DISTINCT host_id, life, process FROM hit WHERE process IS NOT NULL)) WHERE k <= 6 GROUP BY host_id, life
),
limited AS (
  SELECT host_id, gpu_id, boot_id, min(line_id) AS line_id FROM event WHERE kind = 'nvrm.gsp_rate_limited' AND copy_of IS NULL GROUP BY host_id, gpu_id, boot_id
),
judged AS (
  SELECT p.*, m.line_id AS limited,
   coalesce(z.line_id, y.line_id) AS cure
  FROM per p LEFT JOIN limited m ON m.host_id = p.host_id AND m.gpu_id IS p.gpu_id AND m.boot_id IS p.boot_id
  LEFT JOIN reset z ON z.host_id = p.host_id AND z.seat = 'host' AND z.boot_id IS p.boot_id AND z.t_quality = p.t_quality AND z.nth = p.loads + 1
  LEFT JOIN reset y ON y.host_id = p.host_id AND y.seat = p.seat AND y.boot_id IS p.boot_id AND y.t_quality = p.t_quality AND y.nth = p.cures + 1
)
SELECT j.host_id AS host_id, j.gpu_id AS gpu_id, j.instance_id AS instance_id, j.t0 AS t0_us, j.t1 AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT h.line_id FROM first h WHERE h.host_id = j.host_id AND h.life = j.life AND h.nth <= 45
   UNION SELECT j.limited WHERE j.limited IS NOT NULL UNION SELECT j.cure WHERE j.cure IS NOT NULL ORDER BY 1)) AS evidence,
 CASE WHEN j.cure IS NOT NULL THEN 'watch' WHEN j.starting THEN 'power_cycle' ELSE 'reset_gpu' END AS action,
 'gsp ' || j.life AS grp,
 CASE WHEN j.boot_seq < 0 THEN 'history' WHEN j.cure IS NOT NULL THEN 'cured' END AS state,
 CASE WHEN j.starting THEN 'the GSP firmware did not start (Xid ' WHEN j.crashed THEN 'the GSP firmware crashed (Xid ' ELSE 'the GSP firmware stopped answering (Xid ' END || c.codes || ')' AS what,
 coalesce(', asked for ' || f.task, ', ' || f.reason, '') AS task, coalesce(', no answer in ' || f.wait_s || ' s', '') AS wait,
 coalesce('; asked by ' || k.callers, '') AS callers,
 CASE WHEN j.n > 1 OR j.limited IS NOT NULL THEN printf('; %s%d messages', CASE WHEN j.limited IS NOT NULL THEN 'more than ' ELSE '' END, j.n) ELSE '' END
  || CASE WHEN j.incidents > 1 THEN printf(' in %d incidents', j.incidents) ELSE '' END AS times,
 CASE WHEN j.cure IS NOT NULL THEN '; reset since' ELSE '' END AS after,
 CASE WHEN j.starting THEN 'Its firmware never came up, so the GPU is not usable since this start.' ELSE 'It hangs until the GPU is reset.' END AS means,
 CASE WHEN j.starting THEN 'Power the machine off and on. If it stays: see that the firmware files of exactly this driver version are on disk, try another driver branch, another slot.'
  WHEN j.cure IS NOT NULL THEN 'It was reset since. If it comes back, update the driver: many such hangs are cured by a later one.'
  ELSE 'Run nvidia-bug-report.sh, drain the node, nvidia-smi -r -i INDEX or reboot. If it comes back, update the driver; the same GPU again and again among healthy ones points at the card.' END AS advice
FROM judged j JOIN first f ON f.host_id = j.host_id AND f.life = j.life AND f.nth = 1 JOIN codes c ON c.host_id = j.host_id AND c.life = j.life
LEFT JOIN callers k ON k.host_id = j.host_id AND k.life = j.life
