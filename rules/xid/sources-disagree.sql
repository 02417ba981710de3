-- id:       xid.sources-disagree
-- title:    Published sources rate an Xid differently
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     fault
-- points:   unknown
-- shows:    condition
-- settle:   log.xid
-- needs:    log.xid
-- reads:    event.xid
-- summary:  Xid {code} is rated differently: {verdicts}
-- meaning:  Tools follow different lists. A node that one of them took out, or left in, was judged by such a list and not by a measurement.
-- action:   none
-- remedy:   Decide by the finding for this Xid, which reads the text of the line; then make the tools of your site agree.
-- falsepositives: Codes on which all known lists agree.
-- refs:     NVIDIA Xid catalog 2025-10; kb_xid_verdict
WITH seen AS (
  SELECT x.host_id, x.code, min(x.line_id) AS line_id FROM xid x WHERE x.host_id IS NOT NULL GROUP BY x.host_id, x.code
),
voice AS (
  SELECT v.code, v.author, v.verdict, v.weight FROM kb_xid_verdict v
  UNION ALL
  SELECT k.code, 'NVIDIA catalog', lower(replace(k.nvidia_immediate, '_', ' ')), CASE k.nvidia_immediate WHEN 'IGNORE' THEN 0 WHEN 'RESTART_APP' THEN 1 WHEN 'RESET_GPU' THEN 2 ELSE 3 END
  FROM kb_xid k WHERE k.nvidia_immediate IN ('IGNORE', 'RESTART_APP', 'RESET_GPU', 'RESTART_BM')
),
-- One step apart is a matter of words.
apart AS (SELECT code FROM voice GROUP BY code HAVING max(weight) - min(weight) >= 2)
SELECT s.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, json_array(s.line_id) AS evidence,
 'code ' || s.code AS grp, s.code AS code,
 (SELECT group_concat(said, '; ') FROM (SELECT v.author || ': ' || v.verdict AS said FROM voice v WHERE v.code = s.code ORDER BY v.weight DESC, v.author)) AS verdicts
FROM seen s JOIN apart a ON a.code = s.code
