-- id:       host.nccl-hang
-- title:    A collective of a distributed job did not end in time
-- scope:    bundle
-- severity: error
-- symptom:  hang
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.nccl.*
-- needs:    log.nccl.timeout
-- reads:    event.nccl.timeout|event.nccl.watchdog_stuck
-- params:   before_s=7200
-- summary:  {what}{rank}{op}{others}{earlier}
-- meaning:  The rank that reports it waited for another one; which one is missing stands in the logs of the ranks that do not report. {means}
-- action:   restart_app
-- remedy:   {advice}
-- falsepositives: Messages that only pass on that another rank timed out.
-- refs:     PyTorch ProcessGroupNCCL.cpp, watchdog; NCCL documentation, troubleshooting; before_s: practice
WITH hung AS (
  SELECT e.id, e.host_id, e.kind, e.t_us, e.t_quality, e.line_id, e.source_id, r.value AS rank, o.value AS op, n.num AS ran_ms
  FROM event e LEFT JOIN event_attr r ON r.event_id = e.id AND r.name = 'rank' LEFT JOIN event_attr o ON o.event_id = e.id AND o.name = 'op'
   LEFT JOIN event_attr n ON n.event_id = e.id AND n.name = 'ran_ms'
  WHERE e.kind IN ('nccl.timeout', 'nccl.watchdog_stuck') AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
first AS (
  SELECT h.*, row_number() OVER (PARTITION BY h.host_id ORDER BY h.kind, h.t_us IS NULL, h.t_us, h.id) AS nth, count(*) OVER (PARTITION BY h.host_id) AS n FROM hung h
),
found AS ( -- when it began: it reports only after the timeout
  SELECT f.*, (SELECT max(h.t_us) FROM hung h WHERE h.host_id = f.host_id AND h.t_quality = f.t_quality) AS t1,
   (SELECT x.id FROM xid x WHERE x.host_id = f.host_id AND x.t_quality = f.t_quality AND x.code NOT IN (43, 45, 154)
     AND x.t_us BETWEEN f.t_us - coalesce(f.ran_ms, 0) * 1000 - coalesce(:before_s, 7200) * 1000000 AND f.t_us ORDER BY x.t_us DESC, x.id DESC LIMIT 1) AS xid_id,
   (SELECT count(DISTINCT h.rank) FROM hung h WHERE h.host_id = f.host_id) AS ranks
  FROM first f WHERE f.nth = 1
)
SELECT f.host_id AS host_id, NULL AS gpu_id, f.t_us AS t0_us, coalesce(f.t1, f.t_us) AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT f.line_id AS line_id UNION SELECT x.line_id FROM xid x WHERE x.id = f.xid_id
   UNION SELECT line_id FROM (SELECT h.line_id FROM hung h WHERE h.host_id = f.host_id ORDER BY h.id LIMIT 20))) AS evidence,
 CASE f.kind WHEN 'nccl.timeout' THEN 'A collective timed out' ELSE 'The NCCL watchdog itself hung' END AS what,
 coalesce(' on rank ' || f.rank, '') AS rank, coalesce(' in ' || f.op, '') || CASE WHEN f.ran_ms IS NULL THEN '' ELSE printf(' after %d s', CAST(f.ran_ms / 1000 AS INTEGER)) END AS op,
 CASE WHEN f.ranks > 1 THEN printf(', %d ranks report it', f.ranks) ELSE '' END AS others,
 CASE WHEN f.xid_id IS NOT NULL THEN '; before it: Xid ' || (SELECT x.code FROM xid x WHERE x.id = f.xid_id) ELSE '' END AS earlier,
 CASE WHEN f.xid_id IS NOT NULL THEN 'A GPU of this host had an error before: that is the first suspect.' ELSE 'A dead or slow rank, different orders of collectives, the network, or a GPU.' END AS means,
 CASE WHEN f.xid_id IS NOT NULL THEN 'Follow the error of the GPU.'
  ELSE 'Find the rank that did not reach this collective (TORCH_NCCL_TRACE_BUFFER_SIZE, py-spy dump), its kernel log, and the links (ibstat).' END AS advice
FROM found f
