-- id:       network.ib-flap
-- title:    InfiniBand or RDMA links that go down and up
-- scope:    bundle
-- severity: warning
-- symptom:  hang
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   log.net.link_down
-- needs:    log.net.link_down
-- reads:    event.net.link_down
-- params:   flaps_h=3 outage_s=30
-- explains: host.nccl-hang +7200 host
-- summary:  Link {link}: down {times} time(s){span}{longest}
-- meaning:  Collectives over this port stall or end with errors. It is the network: cable, transceiver or switch port, not a GPU.
-- action:   fix_host
-- remedy:   ibstat and mlxlink of the port (error counters, cable), clean or change cable and transceiver, try another switch port.
-- falsepositives: Ethernet ports of management; links that come up once at the start of the machine.
-- refs:     Linux mlx5, ipoib, systemd-networkd; flaps_h, outage_s: practice
WITH moved AS (
  SELECT e.id, (SELECT count(*) FROM event_line x JOIN line l ON l.id = x.line_id -- equal messages of one second are one event, but each is a loss
    WHERE x.event_id = e.id AND x.role <> 'copy' AND substr(l.text, -length(e.text)) = e.text) AS times, e.host_id, e.boot_id, e.kind, e.t_us, e.t_quality, e.line_id, a.value AS link, coalesce(b.seq, 0) AS boot_seq
  FROM event e JOIN event_attr a ON a.event_id = e.id AND a.name = 'link' LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind IN ('net.link_down', 'net.link_up') AND e.copy_of IS NULL AND e.host_id IS NOT NULL AND e.t_us IS NOT NULL AND (a.value GLOB 'ib*' OR e.text LIKE '%mlx5%' OR e.text LIKE '%mlx4%')
),
next AS (
  SELECT m.*, lead(m.kind) OVER w AS after, lead(m.t_us) OVER w AS after_us, lead(m.line_id) OVER w AS after_line
  FROM moved m WINDOW w AS (PARTITION BY m.host_id, m.link, m.boot_id, m.t_quality ORDER BY m.t_us, m.id)
),
down AS (SELECT n.* FROM next n WHERE n.kind = 'net.link_down'),
busy AS ( -- as many within an hour
  SELECT host_id, link, boot_id, t_quality, count(*) AS hours FROM (
    SELECT host_id, link, boot_id, t_quality, sum(max(times, 1)) OVER (PARTITION BY host_id, link, boot_id, t_quality ORDER BY t_us RANGE BETWEEN CURRENT ROW AND 3600000000 FOLLOWING) AS n
    FROM down) WHERE n >= coalesce(:flaps_h, 3)
  GROUP BY host_id, link, boot_id, t_quality
),
per AS (
  SELECT d.host_id, d.link, d.boot_id, d.t_quality, max(d.boot_seq) AS boot_seq, sum(max(d.times, 1)) AS n, min(d.t_us) AS t0, max(coalesce(d.after_us, d.t_us)) AS t1,
   max(CASE d.after WHEN 'net.link_up' THEN d.after_us - d.t_us END) / 1000000 AS longest FROM down d GROUP BY d.host_id, d.link, d.boot_id, d.t_quality
)
SELECT p.host_id AS host_id, NULL AS gpu_id, p.t0 AS t0_us, p.t1 AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT line_id FROM (SELECT d.line_id FROM down d WHERE d.host_id = p.host_id AND d.link = p.link AND d.boot_id IS p.boot_id AND d.t_quality = p.t_quality ORDER BY d.id LIMIT 20)
   UNION SELECT line_id FROM (SELECT d.after_line AS line_id FROM down d WHERE d.host_id = p.host_id AND d.link = p.link AND d.boot_id IS p.boot_id AND d.t_quality = p.t_quality AND d.after = 'net.link_up'
    ORDER BY d.after_us - d.t_us DESC, d.id LIMIT 1))) AS evidence,
 CASE WHEN p.longest >= coalesce(:outage_s, 30) THEN 'error' ELSE 'warning' END AS severity, CASE WHEN p.boot_seq < 0 THEN 'history' END AS state,
 p.link AS link, p.n AS times, CASE WHEN p.n > 1 THEN printf(' in %d s', (p.t1 - p.t0) / 1000000) ELSE '' END AS span,
 CASE WHEN p.longest IS NULL THEN '' ELSE printf(', at most %d s long', p.longest) END AS longest
FROM per p LEFT JOIN busy b ON b.host_id = p.host_id AND b.link = p.link AND b.boot_id IS p.boot_id AND b.t_quality = p.t_quality
WHERE b.hours > 0 OR p.longest >= coalesce(:outage_s, 30)
