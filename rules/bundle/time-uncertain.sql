-- id:       bundle.time-uncertain
-- title:    Some times cannot be held against others
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   host.date
-- needs:    table.source
-- params:   step_s=60 step_max_h=26
-- summary:  {what}
-- meaning:  {means}
-- action:   collect
-- remedy:   {todo}
-- falsepositives: Stamps with a zone, or tied to one by an anchor; sources without any stamps; files that are joined in another order than
--           they were written (steps of more than step_max_h); the turn of a year in stamps without one.
-- refs:     quality of the table clock; systemd timedatectl; a zone is at most 26 h from another; step_s: practice

WITH placed AS (
  SELECT s.host_id, s.id, s.src_clock, c.quality, c.kind,
   (SELECT l.id FROM line l WHERE l.id BETWEEN s.id << 32 AND (s.id << 32) + 0xffffffff ORDER BY l.id LIMIT 1) AS line_id
  FROM source s JOIN clock c ON c.id = s.clock_id WHERE s.host_id IS NOT NULL
),
others AS (
  SELECT host_id, count(CASE WHEN quality IN ('exact', 'aligned') THEN 1 END) AS utc, count(CASE WHEN kind NOT IN ('boot', 'order') THEN 1 END) AS wall
  FROM placed GROUP BY host_id
),
-- Clocks that were set back while something was written.
stepped AS (
  SELECT r.source_id, s.host_id, r.gpu_id, m.before_us - m.t_raw_us AS back_us, r.source_id << 32 | x.line AS line_id
  FROM (SELECT ref_id, t_raw_us, first_id, lag(t_raw_us) OVER (PARTITION BY ref_id ORDER BY first_id) AS before_us
    FROM gpu_minute WHERE ref_id IN (SELECT id FROM gpu_ref WHERE turned_back)) m
  JOIN gpu_ref r ON r.id = m.ref_id JOIN source s ON s.id = r.source_id JOIN gpu_sample x ON x.rowid = m.first_id
  WHERE m.t_raw_us < m.before_us AND s.host_id IS NOT NULL
  UNION ALL
  SELECT e.source_id, e.host_id, NULL, e.before_us - e.t_raw_us, e.line_id
  FROM (SELECT source_id, host_id, t_raw_us, line_id,
     lag(t_raw_us) OVER (PARTITION BY source_id, host_id, src_boot, t_kind ORDER BY line_id) AS before_us
    FROM event WHERE t_raw_us IS NOT NULL AND t_kind <> 'none' AND host_id IS NOT NULL) e
  WHERE e.t_raw_us < e.before_us
),
steps AS (
  SELECT s.host_id, s.line_id, s.back_us, row_number() OVER (PARTITION BY s.host_id ORDER BY s.back_us DESC, s.line_id) AS nth
  FROM stepped s WHERE s.back_us BETWEEN coalesce(:step_s, 60) * 1000000 AND coalesce(:step_max_h, 26) * 3600000000
),
found AS (
  SELECT p.host_id, 'zone' AS grp, 0.95 AS confidence, p.line_id,
   printf('%d source(s) have local times of an unknown zone; they order among themselves, not against %s',
    count(*) OVER (PARTITION BY p.host_id), CASE WHEN o.utc > 0 THEN printf('the %d in UTC', o.utc) ELSE 'times in UTC' END) AS what,
   'Order between these sources is right. Against sources in UTC (a BMC log, Prometheus, another site) it may be off by hours.' AS means,
   'Pass --tz ZONE or collect the output of date and timedatectl with the next bundle.' AS todo
  FROM placed p JOIN others o ON o.host_id = p.host_id WHERE p.quality = 'zone_assumed' AND p.line_id IS NOT NULL
  UNION ALL
  SELECT p.host_id, 'boot', 0.95, p.line_id,
   printf('%d source(s) count from a boot whose time of day nothing tells; their order against the others is not known', count(*) OVER (PARTITION BY p.host_id)),
   'What stands there happened in this boot, before or after what the other sources date.',
   'Collect the kernel log with times (journalctl -k -o short-iso), or uptime -s beside it.'
  FROM placed p JOIN others o ON o.host_id = p.host_id WHERE p.src_clock = 'boot' AND p.quality = 'boot_relative' AND o.wall > 0 AND p.line_id IS NOT NULL
  UNION ALL
  SELECT c.host_id, 'rtc', 0.95, c.line_id, 'the hardware clock runs in local time',
   'What the firmware, the BMC and the first lines of a boot say is in local time, which jumps twice a year.', 'timedatectl set-local-rtc 0, unless another system on this machine needs it.'
  FROM contract c WHERE c.key = 'host.rtc_in_local_tz' AND c.value IN ('yes', '1', 'true')
  UNION ALL
  SELECT e.host_id, 'suspend', 0.95, e.line_id, 'the machine slept: times since boot do not count the sleep',
   'After the sleep, times of dmesg that count from the boot are too early by its length, also those that dmesg -T turns into dates.',
   'Use journalctl -k -o short-iso for the times after it.'
  FROM event e WHERE e.kind = 'kernel.suspend' AND e.copy_of IS NULL AND e.host_id IN (SELECT p.host_id FROM placed p WHERE p.src_clock = 'boot')
  UNION ALL
  SELECT s.host_id, 'step', 0.85, s.line_id,
   printf('the clock went back by up to %d s while a source was written', (SELECT round(m.back_us / 1000000.0) FROM steps m WHERE m.host_id = s.host_id AND m.nth = 1)),
   'The order of the lines is right; times before and after the step overlap, and durations across it are wrong.',
   'Look for a change of the zone or of summer time, for NTP setting the clock, or for files that were joined.'
  FROM steps s WHERE s.nth <= 20
)
SELECT f.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, f.confidence AS confidence,
 json_array(f.line_id) AS evidence, f.grp AS grp, f.what AS what, f.means AS means, f.todo AS todo
FROM found f
