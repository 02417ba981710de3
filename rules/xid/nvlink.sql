-- id:       xid.nvlink
-- title:    NVLink errors of GPUs
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   fact.nvlink.*
-- needs:    log.xid
-- reads:    xid.45|xid.74|xid.136|xid.144|xid.145|xid.146|xid.147|xid.148|xid.149|xid.150|xid.155
-- params:   gap_s=180 rma_times=2
-- explains: xid.burst overlap gpu; xid.recovery-action +180 gpu; xid.sympathetic +180 host; xid.mmu-fault +180 gpu; xid.sm-exception +180 gpu; xid.other +180 host; nvlink.inactive any gpu; nvlink.errors any gpu; host.nccl-hang +7200 host
-- summary:  {gpu}: NVLink error (Xid {codes}){lead}{links}{symp}{times}
-- meaning:  {means} Errors run along a link: what is seen at one end is often the answer to what failed at the other.
-- action:   reset_gpu
-- remedy:   {advice}
-- falsepositives: Both ends of a link tell; switches and GPUs tell of a lost GPU, too (then that leads). Non-fatal ones that the decode sheet
--           says to ignore are a warning at most.
-- refs:     NVIDIA Xid catalog, 74, 136, 144 to 150 with decode sheet (kb_nvlink5, kb_nvlink74), 155; rma_times: its workflow of Xid 74; gap_s:
--           3 minutes of silence end an incident
WITH branch AS (
  SELECT host_id, max(CAST(value AS INTEGER)) AS branch FROM contract WHERE key = 'driver.version' AND gpu_id IS NULL AND layer IN ('loaded', 'nvml') GROUP BY host_id
),
-- What was printed, and what only a clean-up message names: its own line was not kept.
printed AS (
  SELECT id, host_id, gpu_id, boot_id, code, t_us, t_quality, repeats, 0 AS named FROM xid WHERE code IN (74, 136, 144, 145, 146, 147, 148, 149, 150, 155) AND host_id IS NOT NULL
),
told AS (
  SELECT * FROM printed
  UNION ALL
  SELECT x.id, x.host_id, x.gpu_id, x.boot_id, CAST(a.value AS INTEGER), x.t_us, x.t_quality, x.repeats, 1
  FROM xid x JOIN event_attr a ON a.event_id = x.id AND a.name = 'caused_by'
  WHERE x.code = 45 AND x.host_id IS NOT NULL AND CAST(a.value AS INTEGER) IN (74, 136, 144, 145, 146, 147, 148, 149, 150, 155)
   AND x.host_id NOT IN (SELECT p.host_id FROM printed p)
),
said AS (
  SELECT x.*, coalesce(b.seq, 0) AS boot_seq,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'unit') AS unit,
   (SELECT lower(a.value) FROM event_attr a WHERE a.event_id = x.id AND a.name = 'severity') AS word,
   (SELECT CAST(a.num AS INTEGER) FROM event_attr a WHERE a.event_id = x.id AND a.name = 'intrinfo') AS intrinfo,
   (SELECT CAST(a.num AS INTEGER) FROM event_attr a WHERE a.event_id = x.id AND a.name = 'error_status') AS status,
   (SELECT CAST(a.num AS INTEGER) FROM event_attr a WHERE a.event_id = x.id AND a.name = 'link') AS link,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'reason') AS reason
  FROM told x LEFT JOIN boot b ON b.id = x.boot_id
),
-- Blackwell: the row of the decode sheet.
sheet AS (
  SELECT s.id, min(k.rowid) AS row FROM said s JOIN kb_nvlink5 k ON k.xid = s.code AND k.error_status = s.status AND instr('/' || k.unit || '/', '/' || s.unit || '/') > 0
  LEFT JOIN branch b ON b.host_id = s.host_id
  WHERE (coalesce(b.branch, 0) < 575 AND (s.intrinfo & k.mask_old) = k.value_old) OR (coalesce(b.branch, 999) >= 575 AND (s.intrinfo & k.mask_new) = k.value_new)
  GROUP BY s.id
),
-- Up to Hopper: the bits that are set, the one that says most first.
bit AS (
  SELECT s.id, k.verdict, k.meaning, k.weight, row_number() OVER (PARTITION BY s.id ORDER BY k.weight DESC, k.word, k.bit) AS nth
  FROM said s JOIN event_attr a ON a.event_id = s.id JOIN kb_nvlink74 k ON a.name = 'word' || k.word AND (CAST(a.num AS INTEGER) & (1 << k.bit)) <> 0
  WHERE s.code = 74
),
decoded AS (
  SELECT s.*, k.severity AS sheet_severity, k.followup, coalesce(t.verdict, CASE
     WHEN k.followup LIKE 'INVESTIGATE_PEER%' OR k.followup LIKE 'SYMPATHETIC%' THEN 'sympathetic' WHEN k.followup LIKE 'INVESTIGATE_LINK_SI%' OR k.followup = 'CHECK_NVLINK_FAILURE_FLOW' THEN 'signal'
     WHEN k.followup LIKE 'INVESTIGATE_SW%' OR k.followup = 'INVESTIGATE_HOST' THEN 'software' WHEN k.action = 'IGNORE' THEN 'ignore' WHEN k.domain = 'HW' THEN 'hardware'
     WHEN s.code = 136 OR s.reason = 'training' THEN 'signal' END) AS verdict,
   coalesce(t.meaning, CASE WHEN k.followup LIKE 'INVESTIGATE_PEER%' OR k.followup LIKE 'SYMPATHETIC%' THEN 'the other end of the link failed'
     WHEN k.followup LIKE 'INVESTIGATE_LINK_SI%' OR k.followup = 'CHECK_NVLINK_FAILURE_FLOW' THEN 'signal of the link: cable, connector, backplane'
     WHEN k.followup LIKE 'INVESTIGATE_SW_USER_LINK_SI' THEN 'the link was taken down by software, or its signal is weak' WHEN k.followup LIKE 'INVESTIGATE_SW%' THEN 'the link was taken down by software or a person'
     WHEN k.followup = 'INVESTIGATE_HOST' THEN 'the host did it' WHEN k.domain = 'HW' THEN 'hardware of the link' WHEN k.domain IS NOT NULL THEN 'software or hardware of the link'
     WHEN s.code = 136 OR s.reason = 'training' THEN 'the link could not be trained' WHEN s.code = 155 THEN s.reason
     WHEN s.named THEN 'known from the clean-up messages (Xid 45) that name it' END) AS meaning,
   CASE WHEN s.named THEN 'error' WHEN k.severity = 'nonfatal' THEN 'warning' WHEN k.severity = 'link' THEN 'error' WHEN t.verdict IN ('sympathetic', 'ignore', 'counter') OR s.reason = 'training' THEN 'error'
     WHEN coalesce(s.word, '') = 'nonfatal' OR (s.code BETWEEN 144 AND 150 AND s.word IS NULL) THEN 'warning' ELSE 'critical' END AS bad
  FROM said s LEFT JOIN sheet h ON h.id = s.id LEFT JOIN kb_nvlink5 k ON k.rowid = h.row LEFT JOIN bit t ON t.id = s.id AND t.nth = 1
),
stepped AS (
  SELECT d.*, coalesce(d.t_us - lag(d.t_us) OVER (PARTITION BY d.host_id, d.boot_id, d.t_quality ORDER BY d.t_us, d.id) > coalesce(:gap_s, 180) * 1000000, 0) AS fresh FROM decoded d
),
hit AS (
  SELECT s.*, coalesce(s.boot_id, 0) || '/' || s.t_quality || '/' || sum(s.fresh) OVER (PARTITION BY s.host_id, s.boot_id, s.t_quality ORDER BY s.t_us, s.id) AS burst FROM stepped s
),
ranked AS (
  SELECT h.*, row_number() OVER (PARTITION BY h.host_id, h.burst ORDER BY h.verdict IS NULL, h.verdict IN ('sympathetic', 'ignore'), h.bad = 'warning', h.t_us, h.id) AS rank FROM hit h
),
-- The same link again and again with memory errors of its hardware.
coded AS ( -- the most telling code first
  SELECT host_id, burst, group_concat(code, ', ') AS codes FROM (SELECT host_id, burst, code FROM ranked GROUP BY host_id, burst, code ORDER BY host_id, burst, min(rank)) GROUP BY host_id, burst
),
worn AS (
  SELECT host_id, gpu_id, link FROM hit WHERE verdict = 'ecc' AND link IS NOT NULL AND gpu_id IS NOT NULL GROUP BY host_id, gpu_id, link HAVING count(*) > coalesce(:rma_times, 2)
),
per AS (
  SELECT h.host_id, h.burst, sum(h.repeats) AS n, max(h.boot_seq) AS boot_seq, count(DISTINCT h.gpu_id) AS gpus,
   max(h.bad = 'critical') AS c, max(h.bad = 'error') AS e, max(h.verdict = 'signal') AS signal, max(h.verdict = 'software') AS software,
   count(DISTINCT coalesce(h.gpu_id, 0) || '/' || h.link) AS ends,
   max(w.link IS NOT NULL) AS rma, min(coalesce(h.verdict, '') IN ('sympathetic', 'ignore')) AS only_symp
  FROM hit h LEFT JOIN worn w ON w.host_id = h.host_id AND w.gpu_id = h.gpu_id AND w.link = h.link GROUP BY h.host_id, h.burst
)
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, h.t_us AS t0_us, h.t_us AS t1_us, CASE WHEN h.named THEN 0.7 ELSE 0.95 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT el.line_id FROM event_line el WHERE el.event_id = h.id AND el.role <> 'copy' ORDER BY 1 LIMIT 10)) AS evidence,
 CASE WHEN p.c THEN 'critical' WHEN p.e THEN 'error' ELSE 'warning' END AS severity,
 CASE WHEN p.rma THEN 'drain_rma_candidate' WHEN p.c OR p.e THEN 'reset_gpu' ELSE 'watch' END AS action,
 CASE l.verdict WHEN 'ecc' THEN 'hardware' WHEN 'software' THEN 'driver' ELSE 'platform' END AS points,
 'nvlink ' || h.burst AS grp,
 CASE WHEN p.boot_seq < 0 THEN 'history' END AS state,
 c.codes AS codes,
 CASE WHEN p.gpus > 1 AND NOT l.named THEN ', first to look at ' || coalesce(g.label, 'an unidentified GPU') ELSE '' END || coalesce(', ' || l.unit, '') || CASE WHEN l.link >= 0 THEN ', link ' || l.link ELSE '' END
  || coalesce(': ' || l.meaning, '') AS lead,
 CASE WHEN p.ends > 1 THEN printf('; %d ends of links in all', p.ends) ELSE '' END AS links,
 CASE WHEN p.only_symp THEN '; what failed at the other end is not among the Xids of this host' ELSE '' END AS symp,
 CASE WHEN p.rma THEN '; the same link again and again' ELSE '' END AS times,
 CASE WHEN p.c THEN 'A link of the GPU failed: jobs that use several GPUs die or hang.' WHEN p.e THEN 'A link went down: jobs that use several GPUs over it die or hang.'
  ELSE 'The link goes on working.' END AS means,
 CASE WHEN p.rma THEN 'The link hardware fails again and again: drain the node and run the field diagnostic.'
  WHEN p.only_symp AND (p.c OR p.e) THEN 'Look for errors at the same time on the other GPUs and in the log of NVSwitches and Fabric Manager; then stop the jobs and reset all GPUs of the fabric together.'
  WHEN p.software THEN 'See who reset a GPU, stopped Fabric Manager or changed the fabric at that time; then stop the jobs and reset the GPUs.'
  WHEN p.signal THEN 'Stop the jobs, reset all GPUs of the fabric together (nvidia-smi -r). If the same link fails again, look at bridge, cable or baseboard at both its ends.'
  WHEN p.c OR p.e THEN 'Stop the jobs and reset all GPUs of the fabric together (nvidia-smi -r), or reboot. If the same link fails again, run dcgmi diag -r 3 and ask the vendor.'
  ELSE 'Nothing now. nvidia-smi nvlink -e twice, some minutes apart, says whether errors grow.' END AS advice
FROM hit h LEFT JOIN per p ON p.host_id = h.host_id AND p.burst = h.burst LEFT JOIN coded c ON c.host_id = h.host_id AND c.burst = h.burst LEFT JOIN ranked l ON l.host_id = h.host_id AND l.burst = h.burst AND l.rank = 1
LEFT JOIN gpu g ON g.id = l.gpu_id
