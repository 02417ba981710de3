-- id:       bundle.window-lost
-- title:    The kernel log does not reach back to what matters
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   boot.journal
-- needs:    log.xid
-- params:   late_s=60
-- summary:  {what}
-- meaning:  Errors from before that may have happened: nothing in this bundle can show them or exclude them. The ring buffer of the kernel keeps some
--           hundred kilobytes and overwrites the oldest lines first.
-- action:   collect
-- remedy:   journalctl -k -b -o short-iso keeps the whole boot where the journal is kept on disk (Storage=persistent); else a larger buffer:
--           log_buf_len=16M on the kernel's command line.
-- falsepositives: Another log of the same boot that reaches back; logs of earlier boots that were kept in part.
-- refs:     late_s: the first minute has the messages of the driver's start (practice); dmesg(1)

WITH kept AS ( -- how late after the boot each whole log of the last boot begins
  SELECT s.host_id, s.id AS source_id, p.t0_us, p.t_quality,
   CASE WHEN p.kind = 'boot' THEN p.first_us
    WHEN b.start_us IS NOT NULL AND (b.start_quality = p.t_quality OR (b.start_quality <> 'zone_assumed' AND p.t_quality <> 'zone_assumed')) THEN p.t0_us - b.start_us
   END / 1000000 AS late_s,
   (SELECT f.line_id FROM fact f WHERE f.source_id = s.id AND f.key = 'log.span' AND f.layer = 'first' AND f.src_boot = p.src_boot ORDER BY f.line_id LIMIT 1) AS line_id
  FROM source s JOIN source_span p ON p.source_id = s.id LEFT JOIN boot b ON b.id = p.boot_id
  WHERE s.parser = 'kernel-log' AND NOT s.excerpt AND s.host_id IS NOT NULL AND coalesce(b.seq, 0) = 0
),
first AS (SELECT *, row_number() OVER (PARTITION BY host_id ORDER BY late_s, source_id) AS nth FROM kept WHERE late_s IS NOT NULL),
said AS ( -- the time that was asked for, and the first moment that any log covers
  SELECT s.host_id, m.value AS at, CAST(strftime('%s', m.value) AS INTEGER) * 1000000 AS at_us, min(p.t0_us) AS t0_us
  FROM meta m, source s JOIN source_span p ON p.source_id = s.id
  WHERE m.key = 'at' AND m.value <> '' AND s.parser = 'kernel-log' AND s.host_id IS NOT NULL AND p.t_quality IN ('exact', 'aligned', 'zone_assumed')
  GROUP BY s.host_id
),
found AS (
  SELECT f.host_id, 'begin' AS grp, f.line_id, printf('the kernel log begins %s after the boot: what the driver said before is lost',
    CASE WHEN f.late_s >= 172800 THEN printf('%d days', f.late_s / 86400) WHEN f.late_s >= 7200 THEN printf('%d h', f.late_s / 3600) ELSE printf('%d s', f.late_s) END) AS what,
   'info' AS severity, 0.85 AS confidence
  FROM first f WHERE f.nth = 1 AND f.late_s > coalesce(:late_s, 60)
  UNION ALL
  SELECT s.host_id, 'asked', (SELECT k.line_id FROM fact k WHERE k.host_id = s.host_id AND k.key = 'log.span' AND k.t_us = s.t0_us ORDER BY k.line_id LIMIT 1),
   'the time that was asked for, ' || s.at || ', is before the first line of every kernel log', 'warning', 0.85
  FROM said s WHERE s.at_us < s.t0_us
  UNION ALL
  SELECT e.host_id, 'dropped', e.line_id, 'the log itself says that messages were lost: counts of errors are lower bounds', 'info', 0.95
  FROM (SELECT *, row_number() OVER (PARTITION BY host_id ORDER BY id) AS nth FROM event WHERE kind = 'kernel.messages_lost' AND copy_of IS NULL AND host_id IS NOT NULL) e
  WHERE e.nth <= 20
)
SELECT f.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, f.confidence AS confidence, json_array(f.line_id) AS evidence,
 f.grp AS grp, f.severity AS severity, f.what AS what
FROM found f WHERE f.line_id IS NOT NULL
