-- id:       part.fault-follows-card
-- title:    A fault moved to another slot together with the card
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   log.diag.*
-- needs:    log.xid table.swap
-- reads:    event.xid
-- explains: xid.survives-reboot any gpu; xid.memory-chain any gpu; xid.gsp any gpu; xid.fallen-off-bus any gpu; xid.firmware-boot any gpu; xid.burst any gpu; xid.other any gpu
-- summary:  {gpu}: Xid {code} at {from_bdf} and, after the card was moved, at {to_bdf}; the card that took its place shows none
-- meaning:  Slot, riser, cable and power of the old place stayed behind, the fault did not: evidence points at the card. That is what a request for
--           replacement needs.
-- action:   drain_rma_candidate
-- remedy:   Take the card out of service, run the field diagnostic on it, and send both logs with its serial number.
-- falsepositives: Buses that were renumbered, which keeps the order of the cards; errors of programs; the same error on the card that came in its place.
-- refs:     NVIDIA GPU Debug Guidelines (isolating by swap); NVIDIA Xid catalog for the codes
WITH fault AS ( -- errors that are not a program's
  SELECT x.id, x.host_id, x.gpu_id, x.boot_id, b.seq, x.code, x.t_us, x.line_id FROM xid x JOIN boot b ON b.id = x.boot_id
  WHERE x.gpu_id IS NOT NULL AND x.severity IN ('critical', 'error') AND coalesce(x.action, '') NOT IN ('restart_app', 'none')
),
moved AS (
  SELECT w.host_id, w.bdf, w.gpu_before, w.gpu_after, max(w.seq_before) AS seq_before, min(w.seq_after) AS seq_after, min(w.line_before) AS line_before, max(w.line_after) AS line_after, min(w.went_to) AS went_to
  FROM swap w WHERE w.went_to IS NOT NULL GROUP BY w.host_id, w.bdf, w.gpu_before, w.gpu_after
),
pair AS (
  SELECT m.*, f.code, f.t_us AS t0_us, l.t_us AS t1_us, f.line_id AS line_first, l.line_id AS line_last, row_number() OVER (PARTITION BY m.gpu_before, f.code ORDER BY f.id DESC, l.id) AS nth
  FROM moved m JOIN fault f ON f.gpu_id = m.gpu_before AND f.seq <= m.seq_before JOIN fault l ON l.gpu_id = m.gpu_before AND l.code = f.code AND l.seq >= m.seq_after
  WHERE NOT EXISTS (SELECT 1 FROM fault o WHERE o.gpu_id = m.gpu_after AND o.code = f.code)
)
SELECT p.host_id AS host_id, p.gpu_before AS gpu_id, p.t0_us AS t0_us, p.t1_us AS t1_us, 0.85 AS confidence,
 json_array(p.line_first, p.line_last, p.line_before, p.line_after) AS evidence, printf('card %d %d', p.gpu_before, p.code) AS grp,
 p.code AS code, p.bdf AS from_bdf, p.went_to AS to_bdf
FROM pair p WHERE p.nth = 1
