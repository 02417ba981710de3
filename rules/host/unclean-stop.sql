-- id:       host.unclean-stop
-- title:    The machine stopped without an orderly shutdown
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.sel
-- needs:    log.kernel.shutdown
-- params:   last_min=10 mount_min=5
-- summary:  The machine stopped without a shutdown{at}; the next start follows{how}. In the {last} min before: {seen}
-- meaning:  Power, a hang that somebody ended by the power button or the BMC, or a crash. The last lines before it may never have reached the disk,
--           so what is not there may still have happened.
-- action:   collect
-- remedy:   Ask the BMC (ipmitool sel elist, sdr) of that minute; look for /var/crash and /sys/fs/pstore; send the kernel log over the network
--           (netconsole, serial over LAN) for the next time.
-- falsepositives: Logs of the kernel alone and logs that show no orderly stop of any boot: they may not keep such lines, unless the next boot
--           found file systems that nobody had closed. A disk that is plugged in later.
-- refs:     Linux kernel/reboot.c, fs/jbd2/recovery.c; systemd shutdown targets; last_min, mount_min: practice
WITH logged AS ( -- logs of the kernel and of programs; only in whole ones the lack of a line means something
  SELECT c.host_id, c.source_id, max(c.whole) AS whole FROM coverage c WHERE c.what = 'log.kernel.shutdown' AND c.source_id IS NOT NULL
  GROUP BY c.host_id, c.source_id
),
ended AS (
  SELECT l.host_id, l.source_id, l.whole, p.boot_id, b.seq, max(p.t1_us) AS t1_us, max(p.t_quality) AS t_quality,
   EXISTS (SELECT 1 FROM event e WHERE e.kind = 'kernel.shutdown' AND e.source_id = l.source_id AND e.boot_id = p.boot_id) AS orderly
  FROM logged l JOIN source_span p ON p.source_id = l.source_id JOIN boot b ON b.id = p.boot_id AND b.host_id = l.host_id
  GROUP BY l.host_id, l.source_id, p.boot_id
),
torn AS ( -- the lost end is written where the next boot begins
  SELECT e.host_id, e.source_id, e.boot_id, e.line_id FROM event e WHERE e.kind = 'kernel.log_torn' AND e.copy_of IS NULL
),
dirty AS ( -- what was open when it stopped is repaired at the next start
  SELECT e.host_id, e.boot_id, min(e.line_id) AS line_id FROM event e JOIN boot b ON b.id = e.boot_id
  WHERE e.kind = 'kernel.unclean_mount' AND e.copy_of IS NULL
   AND e.t_us <= (SELECT min(p.t0_us) FROM source_span p WHERE p.boot_id = b.id AND p.t_quality = e.t_quality) + coalesce(:mount_min, 5) * 60000000
  GROUP BY e.host_id, e.boot_id
),
stop AS (
  SELECT a.*, n.id AS next_id, n.line_id AS next_line,
   (SELECT min(t.line_id) FROM torn t WHERE t.source_id = a.source_id AND t.boot_id IN (a.boot_id, n.id)
     AND (t.boot_id = a.boot_id OR NOT EXISTS (SELECT 1 FROM boot z WHERE z.host_id = a.host_id AND z.seq = n.seq + 1))) AS torn_line,
   (SELECT min(e.line_id) FROM event e WHERE e.kind = 'kernel.panic' AND e.host_id = a.host_id AND e.boot_id = a.boot_id) AS panic_line,
   (SELECT d.line_id FROM dirty d WHERE d.host_id = a.host_id AND d.boot_id = n.id) AS dirty_line
  FROM ended a JOIN boot n ON n.host_id = a.host_id AND n.seq = a.seq + 1
  WHERE NOT a.orderly AND n.line_id IS NOT NULL AND a.source_id IN (SELECT o.source_id FROM ended o WHERE o.boot_id = n.id)
   AND NOT EXISTS (SELECT 1 FROM event e WHERE e.kind = 'kernel.shutdown' AND e.host_id = a.host_id AND e.boot_id = a.boot_id)
),
told AS (
  SELECT s.*, (SELECT min(e.line_id) FROM event e WHERE e.kind = 'kernel.shutdown' AND e.source_id = s.source_id AND e.boot_id <> s.boot_id) AS other_line FROM stop s
),
recent AS (
  SELECT DISTINCT t.boot_id, e.line_id, CASE e.kind WHEN 'xid' THEN 'Xid ' || e.code WHEN 'kernel.aer' THEN 'PCIe errors' WHEN 'kernel.dpc' THEN 'a port cut off (DPC)'
    WHEN 'kernel.mce' THEN 'platform errors' WHEN 'kernel.oom_kill' THEN 'the out-of-memory killer' WHEN 'kernel.hung_task' THEN 'waiting tasks'
    WHEN 'kernel.lockup' THEN 'a CPU that hung' WHEN 'kernel.panic' THEN 'a kernel panic' WHEN 'kernel.cpu_throttle' THEN 'a CPU slowed for heat'
    WHEN 'nvrm.fallen_off_bus' THEN 'the loss of a GPU' WHEN 'kernel.storage_timeout' THEN 'a disk that did not answer' WHEN 'kernel.surprise_down' THEN 'a PCIe link that went down' END AS what
  FROM told t JOIN event e ON e.host_id = t.host_id AND e.boot_id = t.boot_id AND e.t_quality = t.t_quality AND e.copy_of IS NULL
   AND e.t_us >= t.t1_us - coalesce(:last_min, 10) * 60000000
)
SELECT t.host_id AS host_id, NULL AS gpu_id, t.t1_us AS t0_us, t.t1_us AS t1_us, CASE WHEN t.torn_line IS NOT NULL OR t.panic_line IS NOT NULL THEN 0.95 ELSE 0.85 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT t.next_line AS line_id UNION SELECT t.torn_line UNION SELECT t.panic_line UNION SELECT t.dirty_line
   UNION SELECT line_id FROM (SELECT r.line_id FROM recent r WHERE r.boot_id = t.boot_id AND r.what IS NOT NULL ORDER BY r.line_id DESC LIMIT 10)) WHERE line_id IS NOT NULL) AS evidence,
 'boot ' || t.boot_id AS grp,
 CASE WHEN t.t1_us IS NULL OR t.t_quality NOT IN ('exact', 'aligned') THEN '' ELSE ' at about ' || strftime('%Y-%m-%d %H:%M:%S', t.t1_us / 1000000, 'unixepoch') || ' UTC' END AS at,
 CASE WHEN t.panic_line IS NOT NULL THEN '; the kernel had panicked' WHEN t.torn_line IS NOT NULL THEN ' behind a torn log' WHEN t.dirty_line IS NOT NULL THEN ' and finds open file systems' ELSE ', where other stops of this log were orderly' END AS how,
 coalesce(:last_min, 10) AS last,
 coalesce((SELECT group_concat(what, ', ') FROM (SELECT DISTINCT r.what AS what FROM recent r WHERE r.boot_id = t.boot_id AND r.what IS NOT NULL ORDER BY 1)), 'nothing of GPU, PCIe, memory or heat') AS seen
FROM told t WHERE t.torn_line IS NOT NULL OR t.panic_line IS NOT NULL OR t.dirty_line IS NOT NULL OR (t.whole AND t.other_line IS NOT NULL)
