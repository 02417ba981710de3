-- id:       part.fault-follows-slot
-- title:    A fault stayed at its slot though another card sits there
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   pcie.ports
-- needs:    log.xid table.swap
-- reads:    event.xid
-- explains: xid.survives-reboot any gpu; xid.memory-chain any gpu; xid.gsp any gpu; xid.fallen-off-bus any gpu; xid.firmware-boot any gpu; xid.burst any gpu; xid.other any gpu
-- summary:  Xid {code} at {bdf} with one card and, after it was replaced, with another{former}
-- meaning:  The card was changed, the fault stayed: evidence points at slot, riser, cable, switch or power of that place. A replacement of the first card is
--           not supported by it.
-- action:   fix_host
-- remedy:   Look at the slot: reseat or swap riser and cables, power cable of that place, firmware of switches; then leave the slot empty until it is mended.
-- falsepositives: Buses that were renumbered, which keeps the order of the cards; errors of programs; a second card that had the error before it came.
-- refs:     NVIDIA GPU Debug Guidelines (isolating by swap); NVIDIA Xid catalog for the codes
WITH fault AS ( -- errors that are not a program's
  SELECT x.id, x.host_id, x.gpu_id, x.boot_id, b.seq, x.code, x.t_us, x.line_id FROM xid x JOIN boot b ON b.id = x.boot_id
  WHERE x.gpu_id IS NOT NULL AND x.severity IN ('critical', 'error') AND coalesce(x.action, '') NOT IN ('restart_app', 'none')
),
moved AS (
  SELECT w.host_id, w.bdf, w.gpu_before, w.gpu_after, max(w.seq_before) AS seq_before, min(w.seq_after) AS seq_after, max(w.went_to) AS went_to
  FROM swap w GROUP BY w.host_id, w.bdf, w.gpu_before, w.gpu_after
),
pair AS (
  SELECT m.*, f.code, f.t_us AS t0_us, l.t_us AS t1_us, f.line_id AS line_first, l.line_id AS line_last, row_number() OVER (PARTITION BY m.host_id, m.bdf, f.code ORDER BY f.id DESC, l.id) AS nth
  FROM moved m JOIN fault f ON f.gpu_id = m.gpu_before AND f.seq <= m.seq_before JOIN fault l ON l.gpu_id = m.gpu_after AND l.code = f.code AND l.seq >= m.seq_after
  WHERE NOT EXISTS (SELECT 1 FROM fault o WHERE o.gpu_id = m.gpu_before AND o.code = f.code AND o.seq >= m.seq_after)
   AND NOT EXISTS (SELECT 1 FROM fault o WHERE o.gpu_id = m.gpu_after AND o.code = f.code AND o.seq <= m.seq_before)
),
side AS (
  SELECT p.host_id, p.gpu_before AS gpu_id, p.t0_us AS t_us, p.line_first AS line_id, p.code, p.bdf, p.went_to FROM pair p WHERE p.nth = 1
  UNION ALL
  SELECT p.host_id, p.gpu_after, p.t1_us, p.line_last, p.code, p.bdf, p.went_to FROM pair p WHERE p.nth = 1
)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, CASE WHEN s.went_to IS NULL THEN 0.7 ELSE 0.85 END AS confidence,
 json_array(s.line_id) AS evidence, printf('slot %s %d', s.bdf, s.code) AS grp, s.code AS code, s.bdf AS bdf,
 CASE WHEN s.went_to IS NULL THEN '' ELSE '; the first card shows none at ' || s.went_to END AS former
FROM side s
