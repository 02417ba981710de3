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
-- explains: xid.burst overlap gpu; xid.recovery-action +180 gpu; xid.sympathetic +180 gpu; xid.other +180 gpu; xid.mmu-fault +180 gpu; xid.sm-exception +180 gpu; driver.init-failed +180 gpu;
--           driver.gpu-unresponsive overlap gpu; driver.gpu-unresponsive +86400 gpu
-- summary:  {gpu}: {what}{task}{wait}{callers}{times}{after}
-- meaning:  Most of the driver runs on a processor of the card. {means} Whoever asks the GPU next waits and gets the same error: nvidia-smi,
--           health agents and jobs that are named here are victims, not causes.
-- action:   reset_gpu
-- remedy:   {advice}
-- falsepositives: Notices that such errors are printed less often, and the history that follows one, are no errors of their own.
-- refs:     NVIDIA Xid catalog, 119 and 120; open-gpu-kernel-modules kernel_gsp.c (text, limit of 1 in 30)
WITH reset AS (
  SELECT e.host_id, NULL AS gpu_id, e.boot_id, e.t_quality, e.t_us, e.line_id FROM event e
  WHERE e.kind = 'nvrm.load' AND e.copy_of IS NULL AND e.t_us IS NOT NULL
  UNION ALL
  SELECT e.host_id, e.gpu_id, e.boot_id, e.t_quality, e.t_us, e.line_id FROM event e JOIN event_attr a ON a.event_id = e.id
  WHERE e.kind = 'xid' AND e.code = 154 AND e.copy_of IS NULL AND e.gpu_id IS NOT NULL AND a.name = 'to' AND a.value = 'None'
),
said AS (
  SELECT x.*, coalesce(b.seq, 0) AS boot_seq, coalesce(x.gpu_id, 'at ' || r.bdf, 'unknown') AS seat,
   (SELECT count(*) FROM reset z WHERE z.host_id = x.host_id AND coalesce(z.gpu_id = x.gpu_id, 1) AND z.boot_id IS x.boot_id
     AND z.t_quality = x.t_quality AND z.t_us <= x.t_us) AS era,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'function_name') AS task,
   (SELECT a.num FROM event_attr a WHERE a.event_id = x.id AND a.name = 'wait_s') AS wait_s,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'reason') AS reason,
   coalesce((SELECT a.value = 'GSP_INIT_DONE' FROM event_attr a WHERE a.event_id = x.id AND a.name = 'function_name'), 0)
    OR EXISTS (SELECT 1 FROM event i WHERE i.incident_id = x.incident_id AND i.kind IN ('nvrm.init_failed', 'nvrm.firmware_boot')) AS starting
  FROM xid x LEFT JOIN boot b ON b.id = x.boot_id LEFT JOIN event e ON e.id = x.id LEFT JOIN gpu_ref r ON r.id = e.ref_id
  WHERE x.code IN (119, 120) AND x.host_id IS NOT NULL
),
hit AS (
  SELECT s.*, s.seat || '/' || coalesce(s.boot_id, 0) || '/' || s.era || '/' || s.t_quality || '/' || s.starting AS life,
   row_number() OVER (PARTITION BY s.host_id, s.seat, s.boot_id, s.era, s.t_quality, s.starting ORDER BY s.t_us, s.id) AS nth
  FROM said s
),
per AS (
  SELECT h.host_id, h.life, max(h.code = 120) AS crashed, sum(h.repeats) AS n, count(DISTINCT coalesce(h.incident_id, -h.id)) AS incidents, max(h.t_us) AS t1, max(h.gpu_id) AS gpu_id, max(h.boot_id) AS boot_id, max(h.t_quality) AS t_quality,
   max(h.boot_seq) AS boot_seq FROM hit h GROUP BY h.host_id, h.life
),
judged AS (
  SELECT p.*,
   (SELECT min(z.line_id) FROM reset z WHERE z.host_id = p.host_id AND coalesce(z.gpu_id = p.gpu_id, 1) AND z.boot_id IS p.boot_id
     AND z.t_quality = p.t_quality AND z.t_us > p.t1) AS cure,
   (SELECT min(e.line_id) FROM event e WHERE e.kind = 'nvrm.gsp_rate_limited' AND e.copy_of IS NULL AND e.host_id = p.host_id AND e.boot_id IS p.boot_id
     AND coalesce(e.gpu_id = p.gpu_id, 1)) AS limited
  FROM per p
)
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, h.instance_id AS instance_id, h.t_us AS t0_us, h.t_us AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT h.line_id AS line_id UNION SELECT j.limited WHERE j.limited IS NOT NULL AND h.nth = 1
   UNION SELECT j.cure WHERE j.cure IS NOT NULL ORDER BY 1)) AS evidence,
 CASE WHEN j.cure IS NOT NULL THEN 'watch' WHEN f.starting THEN 'power_cycle' ELSE 'reset_gpu' END AS action,
 'gsp ' || h.life AS grp,
 CASE WHEN j.boot_seq < 0 THEN 'history' WHEN j.cure IS NOT NULL THEN 'cured' END AS state,
 CASE WHEN f.starting THEN 'the GSP firmware did not start (Xid ' WHEN j.crashed THEN 'the GSP firmware crashed (Xid ' ELSE 'the GSP firmware stopped answering (Xid ' END
  || (SELECT group_concat(code, ', ') FROM (SELECT o.code FROM hit o WHERE o.host_id = h.host_id AND o.life = h.life GROUP BY o.code ORDER BY min(o.nth))) || ')' AS what,
 coalesce(', asked for ' || f.task, ', ' || f.reason, '') AS task, coalesce(', no answer in ' || CAST(f.wait_s AS INTEGER) || ' s', '') AS wait,
 coalesce('; asked by ' || (SELECT group_concat(process, ', ') FROM (SELECT DISTINCT o.process FROM hit o
   WHERE o.host_id = h.host_id AND o.life = h.life AND o.process IS NOT NULL ORDER BY 1 LIMIT 6)), '') AS callers,
 CASE WHEN j.n > 1 OR j.limited IS NOT NULL THEN printf('; %s%d messages', CASE WHEN j.limited IS NOT NULL THEN 'more than ' ELSE '' END, j.n) ELSE '' END
  || CASE WHEN j.incidents > 1 THEN printf(' in %d incidents', j.incidents) ELSE '' END AS times,
 CASE WHEN j.cure IS NOT NULL THEN '; reset since' ELSE '' END AS after,
 CASE WHEN f.starting THEN 'Its firmware never came up, so the GPU is not usable since this start.' ELSE 'It hangs until the GPU is reset.' END AS means,
 CASE WHEN f.starting THEN 'Power the machine off and on. If it stays: see that the firmware files of exactly this driver version are on disk, try another driver branch, another slot.'
  WHEN j.cure IS NOT NULL THEN 'It was reset since. If it comes back, update the driver: many such hangs are cured by a later one.'
  ELSE 'Run nvidia-bug-report.sh, drain the node, nvidia-smi -r -i INDEX or reboot. If it comes back, update the driver; the same GPU again and again among healthy ones points at the card.' END AS advice
FROM hit h JOIN judged j ON j.host_id = h.host_id AND j.life = h.life JOIN hit f ON f.host_id = h.host_id AND f.life = h.life AND f.nth = 1
