-- id:       driver.inforom-corrupt
-- title:    The information store of the board (infoROM) is corrupt
-- scope:    bundle
-- severity: error
-- symptom:  none
-- kind:     fault
-- points:   hardware
-- shows:    condition
-- settle:   fact.inforom.image
-- needs:    log.xid|fact.inforom.checksum
-- reads:    event.smi.inforom_corrupt|xid.93|xid.125|fact.inforom.checksum
-- summary:  {gpu}: {what}
-- meaning:  The infoROM keeps serial number, ECC history, retired pages and remapped rows. While it is corrupt, what nvidia-smi says of this board's
--           memory is not to be trusted: no remapped row here does not mean a sound memory. Work itself may go on.
-- action:   collect
-- remedy:   {todo}
-- falsepositives: none known
-- refs:     NVIDIA Xid catalog, 93 and 125; nvidia-smi manual, "infoROM is corrupted"; kb_xid

WITH said AS (
  SELECT e.host_id, e.gpu_id, e.t_us, e.t_quality, e.line_id, e.code, e.kind, coalesce(b.seq, 0) AS boot_seq
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.copy_of IS NULL AND e.host_id IS NOT NULL AND (e.kind = 'smi.inforom_corrupt' OR (e.kind = 'xid' AND e.code IN (93, 125)))
  UNION ALL
  SELECT c.host_id, c.gpu_id, NULL, 'unknown', c.line_id, NULL, 'fact', 0
  FROM contract c WHERE c.key = 'inforom.checksum' AND c.gpu_id IS NOT NULL AND c.value IN ('invalid', 'failed', 'corrupt', 'no')
),
of_gpu AS (SELECT *, min(coalesce(code, 0) = 93) OVER (PARTITION BY host_id, gpu_id) AS only_writes FROM said)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, nullif(s.t_quality, 'unknown') AS t_quality, 0.95 AS confidence,
 json_array(s.line_id) AS evidence, coalesce(s.gpu_id, 'host') || iif(s.only_writes, '/93', '') AS grp,
 -- What is stored stays corrupt over boots.
 CASE WHEN s.only_writes THEN NULL ELSE 'active' END AS state, CASE WHEN s.only_writes THEN 'watch' END AS action,
 CASE WHEN s.only_writes THEN 'too many writes to the infoROM (Xid 93)' WHEN s.code = 125 THEN 'the file system of the infoROM failed (Xid 125)'
  ELSE 'the infoROM is corrupt' END AS what,
 CASE WHEN s.only_writes THEN 'Find what sets application clocks or ECC mode in a loop on this node, and stop it.'
  ELSE 'Run nvidia-bug-report.sh before a reboot and open a case: the vendor repairs it with a tool or replaces the board. Do not judge its memory by row-remapper or page-retirement counts.' END AS todo
FROM of_gpu s
