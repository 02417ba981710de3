-- id:       host.storage-timeout
-- title:    A disk or a file server did not answer in time
-- scope:    bundle
-- severity: warning
-- symptom:  hang
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   log.kernel.*
-- needs:    log.kernel.storage_timeout
-- reads:    event.kernel.storage_timeout
-- params:   min_server=3 wait_s=600
-- explains: host.hung-task +600 host; load.starved overlap host
-- summary:  {what} {disk} did not answer in time{times}{order}
-- meaning:  Who reads or writes there waits, and with it the GPU that waits for data. It is no fault of a GPU.
-- action:   fix_host
-- remedy:   {todo}
-- falsepositives: A file server that is slow once or twice while no process is reported to wait for it (info). "completion polled": the answer was there, an interrupt was lost (info).
-- refs:     Linux drivers/nvme/host/pci.c, nvme_timeout; net/sunrpc/clnt.c; Lustre operations manual; min_server, wait_s: practice
WITH late AS (
  SELECT e.id, e.host_id, e.boot_id, e.t_us, e.t_quality, e.line_id, e.repeats, coalesce(b.seq, 0) AS boot_seq, coalesce(d.value, 'unknown') AS disk,
   coalesce(r.value = 'completion', 0) AS polled, coalesce(r.value = 'server', 0) AS remote
  FROM event e LEFT JOIN event_attr d ON d.event_id = e.id AND d.name = 'disk' LEFT JOIN event_attr r ON r.event_id = e.id AND r.name = 'reason' LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind = 'kernel.storage_timeout' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
per AS (
  SELECT l.host_id, l.disk, coalesce(l.boot_id, 0) AS boot, l.t_quality, max(l.boot_id) AS boot_id, max(l.boot_seq) AS boot_seq, min(l.polled) AS polled, max(l.remote) AS remote, sum(l.repeats) AS n,
   min(l.t_us) AS t0, max(l.t_us) AS t1 FROM late l GROUP BY l.host_id, l.disk, boot, l.t_quality
),
dated AS (
  SELECT p.*, (SELECT min(x.t_us) FROM xid x WHERE x.host_id = p.host_id AND x.boot_id IS p.boot_id AND x.t_quality = p.t_quality) AS first_xid,
   EXISTS (SELECT 1 FROM event w WHERE w.host_id = p.host_id AND w.kind = 'kernel.hung_task' AND w.boot_id IS p.boot_id AND w.t_quality = p.t_quality
    AND w.t_us BETWEEN p.t0 AND p.t1 + coalesce(:wait_s, 600) * 1000000) AS waited FROM per p
)
SELECT p.host_id AS host_id, NULL AS gpu_id, p.t0 AS t0_us, p.t1 AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT l.line_id FROM late l WHERE l.host_id = p.host_id AND l.disk = p.disk AND coalesce(l.boot_id, 0) = p.boot
   AND l.t_quality = p.t_quality ORDER BY l.id LIMIT 20)) AS evidence,
 CASE WHEN p.polled OR (p.remote AND NOT p.waited AND p.n < coalesce(:min_server, 3)) THEN 'info' ELSE 'warning' END AS severity, CASE WHEN p.boot_seq < 0 THEN 'history' END AS state, p.disk AS disk,
 CASE WHEN p.remote THEN 'Server' ELSE 'Disk' END AS what,
 CASE WHEN p.remote THEN 'Look at that server and the network to it at this time: nfsstat -c, lfs check servers, the switch.'
  ELSE 'smartctl -a and nvme smart-log of this disk, its firmware, its slot; nvme_core.default_ps_max_latency_us=0 if it sleeps too deep.' END AS todo,
 CASE WHEN p.n > 1 THEN printf(', %d times', p.n) ELSE '' END AS times,
 CASE WHEN p.first_xid IS NULL THEN '' WHEN p.t0 <= p.first_xid THEN '; before the first Xid' ELSE '; after the first Xid' END AS "order"
FROM dated p
