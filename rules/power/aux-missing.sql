-- id:       power.aux-missing
-- title:    Auxiliary power of a board is not connected
-- scope:    bundle
-- severity: critical
-- symptom:  slow
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   bmc.power
-- needs:    log.xid log.nvrm.power_cable
-- reads:    event.nvrm.power_cable|xid.54
-- explains: power.brake any gpu; clocks.hw-slowdown any gpu; clocks.busy-but-slow any gpu; power.limit-forced any gpu
-- summary:  {gpu}: the driver misses its auxiliary power ({how}){times}
-- meaning:  The board does not see power on its extra connector: a cable is missing, loose or on a dead rail. It stays off or runs at
--           its lowest clocks.
-- action:   fix_host
-- remedy:   Power off, seat the auxiliary cables at both ends, look at the supply's rail. The card itself comes last.
-- falsepositives: Copies of one message in several logs. Messages of earlier boots are history.
-- refs:     NVIDIA Xid catalog, 54; text of the driver: "does not have the necessary power cables connected"
WITH seen AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.host_id, e.gpu_id, e.boot_id ORDER BY e.t_us, e.id) AS nth,
   sum(e.repeats) OVER (PARTITION BY e.host_id, e.gpu_id, e.boot_id) AS n,
   max(e.kind = 'xid') OVER (PARTITION BY e.host_id, e.gpu_id, e.boot_id) AS by_xid
  FROM event e
  WHERE e.copy_of IS NULL AND e.host_id IS NOT NULL AND (e.kind = 'nvrm.power_cable' OR (e.kind = 'xid' AND e.code = 54))
)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, 0.95 AS confidence,
 json_array(s.line_id) AS evidence, s.t_quality AS t_quality,
 -- A boot that is over is another finding: it may have been cured since.
 CASE WHEN b.seq < 0 THEN 'history' ELSE 'active' END AS state,
 printf('boot %d', coalesce(b.seq, 0)) AS grp,
 CASE WHEN s.by_xid THEN 'Xid 54' ELSE 'no power cable' END AS how,
 CASE WHEN s.n > 1 THEN printf(', %d messages', s.n) ELSE '' END AS times
FROM seen s LEFT JOIN boot b ON b.id = s.boot_id
WHERE s.nth <= 20
