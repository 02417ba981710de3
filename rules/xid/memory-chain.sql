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
-- reads:    xid.48|xid.63|xid.64|xid.94|xid.95|xid.140|xid.171|xid.172
-- params:   gap_s=180
-- explains: xid.burst overlap gpu; xid.recovery-action +180 gpu; xid.sympathetic +180 gpu; xid.mmu-fault +180 gpu; xid.sm-exception +180 gpu; xid.other +180 gpu; xid.gsp +180 gpu; driver.gpu-unresponsive overlap gpu;
--           driver.gpu-unresponsive +86400 gpu; memory.remap-pending any gpu; memory.uncorrected-ecc any gpu; memory.bank-low any gpu;
--           memory.retired-pages any gpu; memory.corrected-history any gpu; memory.repair-pending any gpu
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
  SELECT e.host_id, 'host' AS seat, e.boot_id, e.t_quality, e.t_us, e.line_id, row_number() OVER (PARTITION BY e.host_id, e.boot_id, e.t_quality ORDER BY e.t_us, e.id) AS nth
  FROM event e WHERE e.kind = 'nvrm.load' AND e.copy_of IS NULL AND e.t_us IS NOT NULL
  UNION ALL
  SELECT e.host_id, CAST(e.gpu_id AS TEXT), e.boot_id, e.t_quality, e.t_us, e.line_id, row_number() OVER (PARTITION BY e.gpu_id, e.boot_id, e.t_quality ORDER BY e.t_us, e.id)
  FROM event e JOIN event_attr a ON a.event_id = e.id
  WHERE e.kind = 'xid' AND e.code = 154 AND e.copy_of IS NULL AND e.gpu_id IS NOT NULL AND e.t_us IS NOT NULL AND a.name = 'to' AND a.value = 'None'
),
said AS (
  SELECT x.*, coalesce(b.seq, 0) AS boot_seq, CAST(coalesce(x.gpu_id, 'at ' || r.bdf, 'unknown') AS TEXT) AS seat,
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
lived AS ( -- life: a GPU between two resets
  SELECT s.*, coalesce(l.loads, 0) AS loads, coalesce(c.cures, 0) AS cures,
   s.seat || '/' || coalesce(s.boot_id, 0) || '/' || coalesce(l.loads, 0) || '/' || coalesce(c.cures, 0) || '/' || s.t_quality AS life
  FROM said s LEFT JOIN loads l ON l.id = s.id LEFT JOIN cures c ON c.id = s.id
),
stepped AS (
  SELECT l.*, coalesce(l.t_us - lag(l.t_us) OVER (PARTITION BY l.host_id, l.life ORDER BY l.t_us, l.id) > coalesce(:gap_s, 180) * 1000000, 0) AS fresh FROM lived l
),
burst AS (
  SELECT s.*, sum(s.fresh) OVER (PARTITION BY s.host_id, s.life ORDER BY s.t_us, s.id) AS n FROM stepped s
),
-- The same place hit again before a reset is the same event.
place AS (SELECT host_id, life, address, min(n) AS first_n FROM burst WHERE address IS NOT NULL GROUP BY host_id, life, address),
led AS (
  SELECT b.host_id, b.life, b.n, min(p.first_n) AS first_n
  FROM (SELECT DISTINCT host_id, life, n, address FROM burst WHERE address IS NOT NULL) b JOIN place p ON p.host_id = b.host_id AND p.life = b.life AND p.address = b.address
  GROUP BY b.host_id, b.life, b.n
),
hit AS (
  SELECT b.*, b.life || '/' || min(b.n, coalesce(l.first_n, b.n)) AS chain,
   row_number() OVER (PARTITION BY b.host_id, b.life, min(b.n, coalesce(l.first_n, b.n)) ORDER BY b.t_us / 1000000, b.code IN (63, 64), b.id) AS nth
  FROM burst b LEFT JOIN led l ON l.host_id = b.host_id AND l.life = b.life AND l.n = b.n
),
per AS (
  SELECT host_id, chain, max(seat) AS seat, max(boot_seq) AS boot_seq, min(t_us) AS t0, max(t_us) AS t1, max(loads) AS loads, max(cures) AS cures, max(boot_id) AS boot_id,
   max(t_quality) AS t_quality, max(gpu_id) AS gpu_id, max(instance_id) AS instance_id, max(code = 64 AND coalesce(repair, 'failed') <> 'already_pending') AS failed,
   max(code = 95 OR code = 140) AS loose, max(code IN (48, 171, 172)) AS bad, max(code = 94) AS contained, max(wants_reset) AS wants_reset, max(code = 63) AS repaired,
   min(CASE WHEN coalesce(unit, memory, partition) IS NOT NULL THEN nth END) AS unit_nth, min(CASE WHEN address IS NOT NULL THEN nth END) AS address_nth
  FROM hit GROUP BY host_id, chain
),
judged AS (
  SELECT p.*,
   coalesce(z.line_id, y.line_id) AS cure,
   coalesce(sum(p.bad OR p.loose OR p.contained) OVER (PARTITION BY p.host_id, p.seat ORDER BY p.boot_seq, p.t0 ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
  FROM per p LEFT JOIN reset z ON z.host_id = p.host_id AND z.seat = 'host' AND z.boot_id IS p.boot_id AND z.t_quality = p.t_quality AND z.nth = p.loads + 1
  LEFT JOIN reset y ON y.host_id = p.host_id AND y.seat = p.seat AND y.boot_id IS p.boot_id AND y.t_quality = p.t_quality AND y.nth = p.cures + 1
),
codes AS (
  SELECT host_id, chain, group_concat(code, ', ') AS codes FROM (SELECT host_id, chain, code FROM hit GROUP BY host_id, chain, code ORDER BY host_id, chain, min(nth)) GROUP BY host_id, chain
),
lost AS (
  SELECT host_id, chain, group_concat(process, ', ') AS lost FROM (SELECT host_id, chain, process, row_number() OVER (PARTITION BY host_id, chain ORDER BY process) AS k
    FROM (SELECT DISTINCT host_id, chain, process FROM hit WHERE code = 94 AND process IS NOT NULL)) WHERE k <= 5 GROUP BY host_id, chain
),
shown AS (
  SELECT h.host_id, h.chain, json_group_array(el.line_id) AS lines FROM hit h JOIN event_line el ON el.event_id = h.id AND el.role <> 'copy' WHERE h.nth <= 30 GROUP BY h.host_id, h.chain
)
SELECT j.host_id AS host_id, j.gpu_id AS gpu_id, j.instance_id AS instance_id, j.t0 AS t0_us, j.t1 AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(value) FROM (SELECT value FROM json_each(w.lines) UNION SELECT j.cure WHERE j.cure IS NOT NULL ORDER BY 1 LIMIT 50)) AS evidence,
 CASE WHEN j.failed OR j.loose OR j.bad OR j.wants_reset THEN 'critical' WHEN j.contained THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN j.failed THEN 'drain_rma_candidate' WHEN j.cure IS NOT NULL THEN 'watch' WHEN j.loose OR j.bad OR j.wants_reset THEN 'reset_gpu'
  WHEN j.contained AND NOT j.repaired THEN 'restart_app' WHEN j.contained THEN 'reset_gpu' ELSE 'watch' END AS action,
 'memory ' || j.chain AS grp,
 CASE WHEN j.boot_seq < 0 THEN 'history' WHEN j.cure IS NOT NULL AND NOT j.failed THEN 'cured' END AS state,
 CASE WHEN j.failed THEN 'memory that could not be repaired: no spare row, or the repair failed' WHEN j.loose THEN 'uncorrectable memory error, not contained'
  WHEN j.contained THEN 'uncorrectable memory error, contained to the program that used it' WHEN j.bad THEN 'uncorrectable memory error'
  WHEN j.repaired THEN 'bad memory was noted; the next reset puts a spare in its place' ELSE 'memory that already waits for the next reset was hit again' END AS what,
 c.codes AS codes,
 CASE WHEN u.id IS NOT NULL THEN ' in ' || coalesce(u.unit || coalesce(' (' || u.location || ')', ''), u.memory, 'memory') || coalesce(', ' || u.partition, '') ELSE '' END
  || coalesce(' at ' || a.address, '') AS place,
 coalesce('; it cost ' || o.lost, '') AS lost,
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
FROM judged j JOIN codes c ON c.host_id = j.host_id AND c.chain = j.chain JOIN shown w ON w.host_id = j.host_id AND w.chain = j.chain
LEFT JOIN lost o ON o.host_id = j.host_id AND o.chain = j.chain
LEFT JOIN hit u ON u.host_id = j.host_id AND u.chain = j.chain AND u.nth = j.unit_nth
LEFT JOIN hit a ON a.host_id = j.host_id AND a.chain = j.chain AND a.nth = j.address_nth
