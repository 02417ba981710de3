-- Nothing to complain about, by what the bundle shows.
INSERT INTO bundle VALUES(1, 'node-check', 'cc00cc00cc00cc00cc00cc00cc00cc00cc00cc00cc00cc00cc00cc00cc00cc00', 1750000000000000, 'exact', 'newest stamp', 3, 0, NULL);
INSERT INTO host VALUES(1, 1, 'gpu-c2', NULL, 'uname');
INSERT INTO boot VALUES(1, 1, 0, NULL, 'unknown', '6.1.0-30-amd64', NULL, NULL);
INSERT INTO clock VALUES(1, 1, NULL, 'utc', '+00:00', 0, 'exact', 0, 'zone in the stamp', NULL);
INSERT INTO source(id, bundle_id, host_id, path, lines, taken, parser, status, src_clock, clock_id) VALUES
 (1, 1, 1, 'smi-q.txt', 400, 400, 'smi-q', 'read', 'utc', 1), (2, 1, 1, 'kern.log', 5000, 5000, 'kernel-log', 'read', 'utc', 1), (3, 1, 1, 'lspci.txt', 300, 300, 'lspci', 'read', 'none', NULL);
INSERT INTO gpu VALUES(1, 1, 'gpu-c2/0000:01:00.0', 'GPU 0', 0, 'GPU-0', NULL, '0000:01:00.0', NULL, 'NVIDIA L40S', 'L40S', 'uuid'),
 (2, 1, 'gpu-c2/0000:02:00.0', 'GPU 1', 1, 'GPU-1', NULL, '0000:02:00.0', NULL, 'NVIDIA L4', 'L4', 'uuid');
INSERT INTO fact(source_id, ref_id, src_boot, host_id, gpu_id, boot_id, key, layer, value, num, unit, line_id) VALUES
 (1, NULL, 0, 1, NULL, 1, 'driver.version', 'nvml', '570.124.06', NULL, NULL, 1 << 32 | 5),
 (1, NULL, 0, 1, 1, 1, 'power.limit_w', '', '350', 350, 'W', 1 << 32 | 100), (1, NULL, 0, 1, 2, 1, 'power.limit_w', '', '72', 72, 'W', 1 << 32 | 300);
INSERT INTO verdict VALUES(1, 'healthy', NULL, 'No finding above info; a whole kernel log and a full query were there to show one.', 'none');
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT r.id, 1, g.id, 'clean', NULL FROM gpu g JOIN rule r WHERE r.id NOT LIKE 'thermal%' AND r.id NOT LIKE 'clocks%';
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT r.id, 1, g.id, 'not_checkable', 'sample.temp_c' FROM gpu g JOIN rule r WHERE r.id LIKE 'thermal%' OR r.id LIKE 'clocks%';
