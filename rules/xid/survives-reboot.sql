-- id:       xid.survives-reboot
-- title:    An error that needs a reset comes back on the same card after reboots
-- scope:    bundle
-- severity: critical
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   seat.swap
-- needs:    log.xid
-- reads:    xid.46|xid.48|xid.62|xid.64|xid.79|xid.95|xid.109|xid.119|xid.120|xid.140|xid.143|xid.158
-- params:   min_reboots=2
-- explains: xid.memory-chain any gpu; xid.gsp any gpu; xid.fallen-off-bus any gpu; xid.firmware-boot any gpu; xid.burst any gpu; xid.other any gpu;
--           driver.init-failed any gpu; driver.gpu-unresponsive any gpu
-- summary:  {gpu}: Xid {codes} in {boots} boots of {all_boots} seen: {reboots} reboots did not cure it{peers}
-- meaning:  Software starts afresh with every boot; what comes back each time on the same card while the others stay quiet points at the card, its
--           slot or its power. {sure}
-- action:   drain_rma_candidate
-- remedy:   Take the GPU out of service. Swap it with one of another slot: if the error moves with it, the card is the candidate for replacement; if it
--           stays, the slot. Run the field diagnostic before the card is sent in.
-- falsepositives: Errors of programs (13, 31, 43), which come back with the program; a driver that makes all cards of a host fail alike.
-- refs:     NVIDIA Xid catalog: codes whose first action is a reset; min_reboots: the Xid workflows ask for a reset first and for support when
--           it comes back; once is allowed for (field)
WITH said AS (
  SELECT x.*, g.uuid, g.serial FROM xid x JOIN gpu g ON g.id = x.gpu_id
  WHERE x.code IN (46, 48, 62, 64, 79, 95, 109, 119, 120, 140, 143, 158) AND x.boot_id IS NOT NULL
   -- 64 also says that a row waits for its reset: that is no failure.
   AND NOT EXISTS (SELECT 1 FROM event_attr a WHERE a.event_id = x.id AND a.name = 'state' AND a.value = 'already_pending')
),
per AS (
  SELECT s.host_id, s.gpu_id, count(DISTINCT s.boot_id) AS boots, max(s.uuid IS NOT NULL OR s.serial IS NOT NULL) AS known, max(b.seq) AS last_seq
  FROM said s JOIN boot b ON b.id = s.boot_id GROUP BY s.host_id, s.gpu_id
),
codes AS (
  SELECT gpu_id, group_concat(code, ', ') AS codes FROM (SELECT DISTINCT gpu_id, code FROM said ORDER BY 1, 2) GROUP BY gpu_id
),
seen AS (SELECT host_id, count(*) AS boots FROM boot GROUP BY host_id),
cards AS (SELECT host_id, count(*) AS gpus FROM gpu GROUP BY host_id),
likes AS (SELECT host_id, sum(boots > 1) AS alike FROM per GROUP BY host_id),
back AS (
  SELECT p.*, c.codes, s.boots AS all_boots, g.gpus, l.alike
  FROM per p JOIN codes c ON c.gpu_id = p.gpu_id JOIN seen s ON s.host_id = p.host_id JOIN cards g ON g.host_id = p.host_id JOIN likes l ON l.host_id = p.host_id
  WHERE p.boots > coalesce(:min_reboots, 2)
),
first AS (
  SELECT s.*, row_number() OVER (PARTITION BY s.gpu_id, s.boot_id ORDER BY s.t_us, s.id) AS nth FROM said s
)
SELECT f.host_id AS host_id, f.gpu_id AS gpu_id, f.t_us AS t0_us, f.t_us AS t1_us, CASE WHEN k.known THEN 0.85 ELSE 0.5 END AS confidence, json_array(f.line_id) AS evidence,
 'card ' || f.gpu_id AS grp,
 CASE WHEN k.alike > 1 AND k.alike = k.gpus THEN 'unknown' ELSE 'hardware' END AS points,
 CASE WHEN k.last_seq < 0 THEN 'history' ELSE 'active' END AS state, k.codes AS codes,
 k.boots AS boots, k.all_boots AS all_boots, k.boots - 1 AS reboots,
 CASE WHEN k.gpus < 2 THEN '' WHEN k.alike > 1 AND k.alike = k.gpus THEN '; all GPUs of the host show it' WHEN k.alike > 1 THEN printf('; so on %d of %d GPUs', k.alike, k.gpus)
  ELSE printf('; the other %d GPU(s) show nothing of the kind', k.gpus - 1) END AS peers,
 CASE WHEN k.known THEN 'It is the same card by its UUID or serial number.' ELSE 'That it is the same card is taken from its address: no line names UUID or serial number.' END AS sure
FROM first f JOIN back k ON k.gpu_id = f.gpu_id WHERE f.nth = 1
