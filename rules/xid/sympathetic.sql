-- id:       xid.sympathetic
-- title:    Clean-up messages that follow another error (Xid 45, 43)
-- scope:    bundle
-- severity: info
-- symptom:  crash
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.xid
-- needs:    log.xid
-- summary:  {gpu}: channels torn down (Xid {codes}){cause}
-- meaning:  The driver removes what a dead or killed process left. It is printed once a channel, so dozens of lines can be one event. It is a
--           consequence: look for what stands before it.
-- action:   none
-- remedy:   Follow the error that it names or that stands before it. Alone it usually means that a job was stopped or killed.
-- falsepositives: none: it never is the cause
-- refs:     NVIDIA Xid catalog, 45 and 43
WITH soft AS (
  SELECT x.*, i.root_event, i.kind AS root_kind, i.code AS root_code, b.seq AS boot_seq,
   (SELECT value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'caused_by') AS caused_by
  FROM xid x LEFT JOIN incident i ON i.id = x.incident_id LEFT JOIN boot b ON b.id = x.boot_id
  WHERE x.code = 45 OR (x.code = 43 AND EXISTS (SELECT 1 FROM event o WHERE o.incident_id = x.incident_id AND o.kind = 'xid' AND o.code NOT IN (43, 45)))
),
head AS (
  SELECT s.*, coalesce(s.caused_by, CASE WHEN s.root_event <> s.id AND s.root_code NOT IN (43, 45) THEN s.root_code END) AS cause FROM soft s
)
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, min(h.t_us) AS t0_us, max(h.t_us) AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT DISTINCT el.line_id FROM head x JOIN event_line el ON el.event_id = x.id
   WHERE x.host_id = h.host_id AND x.gpu_id IS h.gpu_id AND el.role <> 'copy' ORDER BY el.line_id LIMIT 50)) AS evidence,
 'host' AS grp,
 CASE WHEN max(coalesce(h.boot_seq, 0)) < 0 THEN 'history' END AS state,
 (SELECT group_concat(code, ', ') FROM (SELECT DISTINCT x.code AS code FROM head x WHERE x.host_id = h.host_id ORDER BY 1)) AS codes,
 CASE WHEN (SELECT count(*) FROM head x WHERE x.host_id = h.host_id AND x.cause IS NOT NULL) > 0
      THEN ', caused by Xid ' || (SELECT group_concat(cause, ', ') FROM (SELECT DISTINCT x.cause AS cause FROM head x WHERE x.host_id = h.host_id AND x.cause IS NOT NULL ORDER BY 1))
      ELSE '; no error before it is in the bundle' END AS cause
FROM head h
GROUP BY h.host_id, h.gpu_id
