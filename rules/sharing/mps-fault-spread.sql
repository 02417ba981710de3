-- id:       sharing.mps-fault-spread
-- title:    A fault while MPS shares the GPU
-- scope:    bundle
-- severity: info
-- symptom:  crash
-- kind:     explanation
-- points:   application
-- shows:    condition
-- settle:   log.xid
-- needs:    log.xid table.process_sample
-- reads:    xid.13|xid.31|xid.43|xid.94 table.process_sample
-- summary:  {gpu}: MPS is active ({clients} client(s)), so Xid {codes} may have ended programs that did nothing wrong
-- meaning:  A fatal fault of one MPS client ends all clients of that server. The process that the driver names may be the server or another client.
-- action:   none
-- remedy:   Look into the log of the MPS server (/var/log/nvidia-mps) for the client that faulted; run suspects without MPS or in MIG slices.
-- falsepositives: none known
-- refs:     NVIDIA Multi-Process Service documentation, Error containment
WITH mps AS (
  SELECT p.gpu_id, count(DISTINCT CASE WHEN coalesce(p.name, '') NOT LIKE '%nvidia-cuda-mps%' THEN p.pid END) AS clients, min(p.line_id) AS line_id
  FROM process_sample p WHERE p.gpu_id IS NOT NULL AND (p.type LIKE '%M%' OR p.name LIKE '%nvidia-cuda-mps%') GROUP BY p.gpu_id
)
SELECT x.host_id AS host_id, x.gpu_id AS gpu_id, min(x.t_us) AS t0_us, max(x.t_us) AS t1_us, 0.7 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT m.line_id AS line_id UNION SELECT y.line_id FROM xid y WHERE y.gpu_id = x.gpu_id AND y.code IN (13, 31, 43, 94) ORDER BY 1 LIMIT 20)) AS evidence,
 m.clients AS clients, (SELECT group_concat(code, ', ') FROM (SELECT DISTINCT y.code FROM xid y WHERE y.gpu_id = x.gpu_id AND y.code IN (13, 31, 43, 94) ORDER BY 1)) AS codes
FROM xid x JOIN mps m ON m.gpu_id = x.gpu_id LEFT JOIN boot b ON b.id = x.boot_id
WHERE x.code IN (13, 31, 43, 94) AND coalesce(b.seq, 0) = 0
GROUP BY x.host_id, x.gpu_id
