-- A bundle that holds next to nothing, with times since boot only and a single unstamped series.
INSERT INTO meta VALUES('complaint', 'slow');
INSERT INTO bundle VALUES(1, 'stdin', 'dd00dd00dd00dd00dd00dd00dd00dd00dd00dd00dd00dd00dd00dd00dd00dd00', NULL, NULL, NULL, 2, 1, NULL);
INSERT INTO host VALUES(1, 1, NULL, NULL, 'nobody says it');
INSERT INTO boot VALUES(1, 1, 0, NULL, 'unknown', NULL, NULL, NULL);
INSERT INTO clock VALUES(1, 1, 1, 'boot', NULL, NULL, 'boot_relative', NULL, 'no anchor', NULL);
INSERT INTO source(id, bundle_id, host_id, path, lines, taken, parser, status, reason, src_clock, clock_id) VALUES
 (1, 1, 1, 'stdin', 12, 12, 'smi-dmon', 'read', NULL, 'none', NULL), (2, 1, 1, 'photo.jpg', NULL, NULL, NULL, 'unread', 'no known format', 'none', NULL), (3, 1, 1, 'dmesg', 3, 3, 'kernel-log', 'read', NULL, 'boot', 1);
INSERT INTO gpu VALUES(1, 1, 'host/gpu0', 'GPU 0', 0, NULL, NULL, NULL, NULL, NULL, NULL, 'index');
INSERT INTO gpu_ref(id, source_id, src_boot, idx, samples, gpu_id) VALUES(1, 1, 0, 0, 10, 1);
INSERT INTO gpu_sample(ref_id, line, t_raw_us, seq, power_w, temp_c, util_pct)
WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n < 9) SELECT 1, n + 3, NULL, n, 60 + n, 40 + n, CASE n WHEN 4 THEN NULL ELSE 10 * n END FROM k;
INSERT INTO gpu_minute(ref_id, t_raw_us, n, first_id, last_id, power_min, power_avg, power_max, temp_min, temp_avg, temp_max, util_min, util_avg, util_max)
SELECT ref_id, 0, count(*), min(rowid), max(rowid), min(power_w), avg(power_w), max(power_w), min(temp_c), avg(temp_c), max(temp_c), min(util_pct), avg(util_pct), max(util_pct) FROM gpu_sample;
INSERT INTO finding(id, rule, bundle_id, host_id, severity, confidence, kind, symptom, points, shows, state, action, t0_us, t1_us, t_quality, at_end, summary) VALUES
 (1, 'bundle.missing-evidence', 1, 1, 'info', 0.95, 'explanation', 'none', 'unknown', 'condition', 'active', 'collect', 12345678, NULL, 'boot_relative', 1, 'The bundle lacks the minimum for a slowdown');
INSERT INTO finding_line VALUES(1, 1 << 32 | 3, 'shows');
INSERT INTO verdict VALUES(1, 'cannot_tell', NULL, 'Neither a kernel log nor a trace with clocks is in the bundle.', 'collect');
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) VALUES
 ('bundle.missing-evidence', 1, NULL, 'fired', NULL), ('power.cap-clock-drop', 1, 1, 'not_checkable', 'sample.sm_clock_mhz sample.power_limit_w|fact.power.limit_w'),
 ('thermal.slowdown', 1, 1, 'not_checkable', 'sample.reasons sample.sm_clock_mhz'), ('xid.memory-chain', 1, 1, 'not_checkable', 'log.xid'), ('power.brake', 1, 1, 'not_checkable', 'nobody.knows');
