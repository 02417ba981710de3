-- id:       xid.memory-chain
-- title:    An uncorrectable memory error and what followed it
-- scope:    bundle
-- severity: critical
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   fact.remap.failure
-- needs:    log.xid
-- params:   gap_s=180
-- explains: xid.burst overlap gpu; xid.recovery-action +180 gpu; xid.sympathetic +180 gpu; xid.mmu-fault +180 gpu; xid.sm-exception +180 gpu; xid.other +180 gpu; xid.gsp +180 gpu; driver.gpu-unresponsive overlap gpu;
--           driver.gpu-unresponsive +86400 gpu
-- summary:  {gpu}: {what} (Xid {codes}){place}{lost}{again}{after}
-- meaning:  Several codes tell of one event: 48, 140, 171 and 172 of the error, 94 and 95 of whether only one program lost its work or all
--           did, 63 and 64 of the repair. {means}
-- action:   reset_gpu
-- remedy:   {advice}
-- falsepositives: 64 for a row that already waits for its reset, and 63 alone, ask for a reset some day and are no failure; more hits of the
--           same row before that reset are the same event.
-- refs:     NVIDIA GPU memory error management (A100 and later); NVIDIA Xid catalog 48, 63, 64, 94, 95, 140, 171, 172; gap_s: 3 minutes of
--           silence end an incident
WITH reset AS ( -- after which spares are in use: the module was loaded again, or the driver says that nothing is left to do
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
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'address') AS address,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'state') AS repair,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'unit') AS unit,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'location') AS location,
   (SELECT 'partition ' || a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'partition') AS partition,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'memory') AS memory,
   coalesce((SELECT max(a.value = 'Yes') FROM event_attr a WHERE a.event_id = x.id AND a.name IN ('rst', 'drst')), 0) AS wants_reset
  FROM xid x LEFT JOIN boot b ON b.id = x.boot_id LEFT JOIN event e ON e.id = x.id LEFT JOIN gpu_ref r ON r.id = e.ref_id
  WHERE x.code IN (48, 63, 64, 94, 95, 140, 171, 172) AND x.host_id IS NOT NULL
),
stepped AS (
  SELECT s.*, coalesce(s.t_us - lag(s.t_us) OVER life > coalesce(:gap_s, 180) * 1000000, 0) AS fresh
  FROM said s WINDOW life AS (PARTITION BY s.host_id, s.seat, s.boot_id, s.era, s.t_quality ORDER BY s.t_us, s.id)
),
burst AS (
  SELECT s.*, sum(s.fresh) OVER (PARTITION BY s.host_id, s.seat, s.boot_id, s.era, s.t_quality ORDER BY s.t_us, s.id) AS n FROM stepped s
),
-- The same place hit again before a reset is the same event.
place AS (
  SELECT host_id, seat, boot_id, era, t_quality, address, min(n) AS first_n FROM burst WHERE address IS NOT NULL
  GROUP BY host_id, seat, boot_id, era, t_quality, address
),
hit AS (
  SELECT b.*, b.seat || '/' || coalesce(b.boot_id, 0) || '/' || b.era || '/' || b.t_quality || '/'
   || min(b.n, coalesce((SELECT min(p.first_n) FROM burst o JOIN place p ON p.host_id = o.host_id AND p.seat = o.seat AND p.boot_id IS o.boot_id
     AND p.era = o.era AND p.t_quality = o.t_quality AND p.address = o.address
     WHERE o.host_id = b.host_id AND o.seat = b.seat AND o.boot_id IS b.boot_id AND o.era = b.era AND o.t_quality = b.t_quality AND o.n = b.n), b.n)) AS chain
  FROM burst b
),
per AS (
  SELECT host_id, chain, seat, max(boot_seq) AS boot_seq, count(*) AS messages, min(t_us) AS t0, max(era) AS era, max(boot_id) AS boot_id, max(t_quality) AS t_quality,
   max(gpu_id) AS gpu_id, max(code = 64 AND coalesce(repair, 'failed') <> 'already_pending') AS failed,
   max(code = 95 OR code = 140) AS loose, max(code IN (48, 171, 172)) AS bad, max(code = 94) AS contained, max(wants_reset) AS wants_reset,
   max(code = 63) AS repaired, max(t_us) AS t1
  FROM hit GROUP BY host_id, chain
),
judged AS (
  SELECT p.*,
   (SELECT min(z.line_id) FROM reset z WHERE z.host_id = p.host_id AND coalesce(z.gpu_id = p.gpu_id, 1) AND z.boot_id IS p.boot_id
     AND z.t_quality = p.t_quality AND z.t_us > p.t1) AS cure,
   (SELECT count(*) FROM per o WHERE o.host_id = p.host_id AND o.seat = p.seat AND o.chain <> p.chain AND o.bad + o.loose + o.contained > 0
     AND (o.boot_seq < p.boot_seq OR (o.boot_id IS p.boot_id AND o.t_quality = p.t_quality AND o.t1 < p.t0))) AS before
  FROM per p
)
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, h.instance_id AS instance_id, h.t_us AS t0_us, h.t_us AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT DISTINCT el.line_id FROM event_line el WHERE el.event_id = h.id AND el.role <> 'copy'
   UNION SELECT j.cure WHERE j.cure IS NOT NULL ORDER BY 1 LIMIT 10)) AS evidence,
 CASE WHEN j.failed OR j.loose OR j.bad OR j.wants_reset THEN 'critical' WHEN j.contained THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN j.failed THEN 'drain_rma_candidate' WHEN j.cure IS NOT NULL THEN 'watch' WHEN j.loose OR j.bad OR j.wants_reset THEN 'reset_gpu'
  WHEN j.contained AND NOT j.repaired THEN 'restart_app' WHEN j.contained THEN 'reset_gpu' ELSE 'watch' END AS action,
 'memory ' || h.chain AS grp,
 CASE WHEN j.boot_seq < 0 THEN 'history' WHEN j.cure IS NOT NULL AND NOT j.failed THEN 'cured' END AS state,
 CASE WHEN j.failed THEN 'memory that could not be repaired: no spare row, or the repair failed' WHEN j.loose THEN 'uncorrectable memory error, not contained'
  WHEN j.contained THEN 'uncorrectable memory error, contained to the program that used it' WHEN j.bad THEN 'uncorrectable memory error'
  WHEN j.repaired THEN 'bad memory was noted; the next reset puts a spare in its place' ELSE 'memory that already waits for the next reset was hit again' END AS what,
 (SELECT group_concat(code, ', ') FROM (SELECT o.code FROM hit o WHERE o.host_id = h.host_id AND o.chain = h.chain GROUP BY o.code
   ORDER BY min(o.t_us / 1000000), o.code IN (63, 64), min(o.id))) AS codes,
 coalesce((SELECT ' in ' || coalesce(o.unit || coalesce(' (' || o.location || ')', ''), o.memory, 'memory') || coalesce(', ' || o.partition, '') FROM hit o
   WHERE o.host_id = h.host_id AND o.chain = h.chain AND coalesce(o.unit, o.memory, o.partition) IS NOT NULL ORDER BY o.t_us, o.id LIMIT 1), '')
  || coalesce((SELECT ' at ' || o.address FROM hit o WHERE o.host_id = h.host_id AND o.chain = h.chain AND o.address IS NOT NULL ORDER BY o.t_us, o.id LIMIT 1), '') AS place,
 coalesce('; it cost ' || (SELECT group_concat(process, ', ') FROM (SELECT DISTINCT o.process FROM hit o
   WHERE o.host_id = h.host_id AND o.chain = h.chain AND o.code = 94 AND o.process IS NOT NULL ORDER BY 1 LIMIT 5)), '') AS lost,
 CASE WHEN j.before > 0 THEN printf('; %d earlier such incident(s) on this GPU', j.before) ELSE '' END AS again,
 CASE WHEN j.cure IS NOT NULL AND NOT j.failed THEN '; reset since' ELSE '' END AS after,
 CASE WHEN j.failed THEN 'Spares ran out or the repair failed: this card is a candidate for replacement.'
  WHEN j.loose THEN 'It was not contained: all programs on this GPU may have read wrong data.'
  WHEN j.contained THEN 'It was contained: other programs on this GPU may go on.' WHEN j.bad THEN 'Programs that used the place died.'
  ELSE 'No data was lost by this message alone.' END AS means,
 CASE WHEN j.failed THEN 'Drain the node; nvidia-smi -q -d ROW_REMAPPER,PAGE_RETIREMENT; run the field diagnostic and open a case with its result.'
  WHEN j.cure IS NOT NULL THEN 'It was reset since: see that nvidia-smi -q -d ROW_REMAPPER shows neither pending nor failure.'
  WHEN j.loose OR j.bad OR j.wants_reset THEN 'Drain the GPU, reset it (nvidia-smi -r -i INDEX, else reboot), then see that nvidia-smi -q -d ROW_REMAPPER shows neither pending nor failure.'
  WHEN j.contained THEN 'Restart the job that died; reset the GPU when it is next idle, so that the spare is used.'
  ELSE 'Reset the GPU in the next maintenance window.' END
  || CASE WHEN j.before > 0 AND NOT j.failed THEN ' It is not the first time: if it comes back after the reset, run the field diagnostic.' ELSE '' END AS advice
FROM hit h JOIN judged j ON j.host_id = h.host_id AND j.chain = h.chain
