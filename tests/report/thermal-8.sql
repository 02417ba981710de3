-- Eight A100 PCIe in a chassis that is not cooled: 4 samples a second for ten minutes, with a gap of
-- twenty seconds; all are held back by heat from the third minute on. Times are UTC.
INSERT INTO bundle VALUES(1, 'burnin_0612.csv.gz', 'aa00bb11cc22dd33ee44ff5566778899aa00bb11cc22dd33ee44ff5566778899', 1749729000000000, 'exact', 'newest stamp', 2, 0, NULL);
INSERT INTO host VALUES(1, 1, 'rack4-n12', NULL, 'syslog');
INSERT INTO boot VALUES(1, 1, 0, 1749000000000000, 'exact', '5.15.0-122-generic', NULL, NULL);
INSERT INTO clock VALUES(1, 1, NULL, 'utc', '+00:00', 0, 'exact', 0, 'zone in the stamp', NULL);
INSERT INTO source(id, bundle_id, host_id, path, lines, taken, parser, status, src_clock, clock_id) VALUES
 (1, 1, 1, 'burnin_0612.csv', 19201, 19201, 'smi-query-csv', 'read', 'utc', 1),
 (2, 1, 1, 'kern.log', 212, 212, 'kernel-log', 'read', 'utc', 1);
INSERT INTO gpu
WITH RECURSIVE g(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM g WHERE i < 7)
SELECT i + 1, 1, printf('rack4-n12/0000:%02x:00.0', 16 * i + 7), 'GPU ' || i, i, printf('GPU-000000%02x-aaaa-bbbb-cccc-0123456789ab', i), printf('13250220%04d', 1000 + i), printf('0000:%02x:00.0', 16 * i + 7), NULL, 'NVIDIA A100 80GB PCIe', 'A100-PCIE-80GB', 'uuid' FROM g;
INSERT INTO gpu_ref(id, source_id, src_boot, idx, samples, reasons_known, gpu_id, how, confidence, t_quality)
SELECT id, 1, 0, idx, 2400, 255, id, 'uuid', 1, 'exact' FROM gpu;
INSERT INTO gpu_sample(ref_id, line, t_raw_us, seq, pstate, sm_clock_mhz, mem_clock_mhz, power_w, power_limit_w, temp_c, util_pct, reasons)
WITH RECURSIVE k(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM k WHERE n < 19199),
 s AS (SELECT n, n / 8 AS i, n % 8 AS g, ((n * 7919 + (n % 8) * 104729) % 97) / 97.0 AS r FROM k),
 v AS (SELECT *, i / 4.0 AS t, i / 4.0 > 150 + 5 * g AS hot, min(86.0 + (7 - g) * 0.4, 52 + i / 4.0 * 0.23 + g * 0.3) AS die FROM s)
SELECT g + 1, n + 2, 1749728400000000 + i * 250000, i, 0,
 CASE WHEN hot THEN round((520 + 75 * g) + 130 * (r - 0.5) - (r > 0.97) * 240) ELSE 1410 END, 1512,
 CASE WHEN hot THEN round(127 + 2 * g + 6 * r, 1) ELSE round(238 + 30 * r, 1) END, 300, round(die + r), CASE WHEN r > 0.99 THEN 97 ELSE 100 END, CASE WHEN hot THEN 32 ELSE 0 END
FROM v WHERE t < 300 OR t >= 320;
INSERT INTO gpu_minute(ref_id, t_raw_us, n, first_id, last_id, sm_min, sm_avg, sm_max, power_min, power_avg, power_max, limit_min, limit_max, temp_min, temp_avg, temp_max, util_min, util_avg, util_max, reasons_or)
SELECT ref_id, t_raw_us / 60000000 * 60000000, count(*), min(rowid), max(rowid), min(sm_clock_mhz), avg(sm_clock_mhz), max(sm_clock_mhz),
 min(power_w), avg(power_w), max(power_w), 300, 300, min(temp_c), avg(temp_c), max(temp_c), min(util_pct), avg(util_pct), max(util_pct), max(reasons) FROM gpu_sample GROUP BY 1, 2;
INSERT INTO gpu_second(ref_id, t_raw_us, n, first_id, last_id, sm_min, sm_avg, sm_max, power_min, power_avg, power_max, temp_avg, util_avg, reasons_or)
SELECT ref_id, t_raw_us / 1000000 * 1000000, count(*), min(rowid), max(rowid), min(sm_clock_mhz), avg(sm_clock_mhz), max(sm_clock_mhz),
 min(power_w), avg(power_w), max(power_w), avg(temp_c), avg(util_pct), max(reasons) FROM gpu_sample GROUP BY 1, 2;
INSERT INTO metric(id, ref_id, source_id, gpu_id, key, unit) SELECT id, id, 1, id, 'temp.memory_c', 'C' FROM gpu;
INSERT INTO metric_sample SELECT ref_id, line, t_raw_us, seq, temp_c + 6 FROM gpu_sample WHERE seq % 40 = 0;
INSERT INTO episode(gpu_id, ref_id, source_id, kind, t0_us, t1_us, t_quality, samples, source_samples, first_id, last_id, clock_min_mhz, clock_med_mhz, clock_ref_mhz, util_min_pct, temp_max_c, reasons_or, reasons_known, reasons_set, line_first, line_last)
SELECT ref_id, ref_id, 1, 'thermal_sw', min(t_raw_us), max(t_raw_us), 'exact', count(*), 2320, min(rowid), max(rowid), min(sm_clock_mhz), avg(sm_clock_mhz), 1410, 97, max(temp_c), 32, 255, count(*), 1 << 32 | min(line), 1 << 32 | max(line)
FROM gpu_sample WHERE reasons = 32 GROUP BY ref_id;
INSERT INTO line SELECT 1 << 32 | line, 88 + (line - 2) * 90, printf('2025/06/12 11:40:%02d, %d, P0, %d MHz, %.1f W, 300.00 W, %d, 100 %%, 0x0000000000000020', seq / 4 % 60, ref_id - 1, sm_clock_mhz, power_w, temp_c)
FROM gpu_sample WHERE seq IN (700, 701);
INSERT INTO line VALUES
 (2 << 32 | 88, 9000, '2025-06-12T11:46:40.250113+00:00 rack4-n12 kernel: NVRM: Xid (PCI:0000:57:00): 43, pid=2211, name=burn'),
 (2 << 32 | 90, 9200, '2025-06-12T11:46:41.100000+00:00 rack4-n12 kernel: mce: CPU3: Package temperature above threshold, cpu clock throttled');
INSERT INTO event(id, source_id, src_boot, host_id, boot_id, gpu_id, kind, code, t_raw_us, t_kind, t_us, t_quality, pid, process, text, incident_id, line_id) VALUES
 (1, 2, 0, 1, 1, 6, 'xid', 43, 1749728800250113, 'utc', 1749728800250113, 'exact', 2211, 'burn', 'Xid (PCI:0000:57:00): 43, pid=2211, name=burn', 1, 2 << 32 | 88);
INSERT INTO incident VALUES(1, 1, 1, 6, 1, 'xid', 43, 1749728800250113, 1749728800250113, 'exact', 1, 1, NULL);
INSERT INTO fact(source_id, ref_id, src_boot, host_id, gpu_id, boot_id, key, layer, value, num, unit, line_id)
SELECT 1, id, 0, 1, id, 1, 'power.limit_w', '', '300', 300, 'W', 1 << 32 | 2 FROM gpu;
INSERT INTO fact(source_id, ref_id, src_boot, host_id, gpu_id, boot_id, key, layer, value, num, unit, line_id)
SELECT 1, id, 0, 1, id, 1, 'gpu.vbios', '', CASE WHEN id = 4 THEN '92.00.A0.00.05' ELSE '92.00.9E.00.01' END, NULL, NULL, 1 << 32 | 2 FROM gpu;
INSERT INTO fact(source_id, ref_id, src_boot, host_id, gpu_id, boot_id, key, layer, value, num, unit, line_id)
SELECT 1, id, 0, 1, id, 1, 'temp.max_operating_c', '', '85', 85, 'C', 1 << 32 | 2 FROM gpu;
INSERT INTO fact(source_id, ref_id, src_boot, host_id, gpu_id, boot_id, key, layer, value, line_id) VALUES
 (1, NULL, 0, 1, NULL, 1, 'driver.version', 'nvml', '550.54.15', 1 << 32 | 2),
 (2, NULL, 0, 1, NULL, 1, 'driver.version', 'loaded', '535.183.01', 2 << 32 | 12);
INSERT INTO finding(id, rule, bundle_id, host_id, severity, confidence, kind, symptom, points, shows, state, action, t0_us, t1_us, t_quality, at_end, summary, meaning, remedy, settle, more_lines) VALUES
 (1, 'thermal.slowdown', 1, 1, 'error', 0.95, 'fault', 'slow', 'platform', 'effect', 'active', 'fix_host', 1749728550250000, 1749728999750000, 'exact', 1,
  'All 8 GPUs: software thermal slowdown (0x20) from 11:42:30 on, SM clock 517–1045 MHz on average while 100 % busy',
  'All eight at once and none cooler: inlet air, fans, blanking plates or the room, not one card and not the driver. Power is only 127–147 W of 300 W, so it is not the power limit.',
  'Stop or cap the job, look at inlet temperature and fans, then run ten minutes again.', 'log.bmc', 15312),
 (2, 'clocks.busy-but-slow', 1, 1, 'warning', 0.85, 'explanation', 'slow', 'unknown', 'effect', 'active', 'none', 1749728550250000, 1749728999750000, 'exact', 1,
  'All 8 GPUs: busy at 37–74 % of their best clock', NULL, NULL, NULL, 0),
 (3, 'driver.version-conflict', 1, 1, 'error', 0.85, 'fault', 'start', 'driver', 'condition', 'active', 'reboot_node', NULL, NULL, NULL, 1,
  'NVML says 550.54.15, the loaded module 535.183.01', 'New programs fail to start until the module is reloaded.', 'Reboot, or reload the modules.', NULL, 0);
INSERT INTO finding_gpu SELECT 1, id, NULL FROM gpu UNION ALL SELECT 2, id, NULL FROM gpu;
INSERT INTO finding_line SELECT 1, 1 << 32 | line, 'shows' FROM gpu_sample WHERE seq IN (700, 701) UNION ALL SELECT 1, 1 << 32 | line, 'shows' FROM gpu_sample WHERE seq = 1500 AND ref_id < 3;
INSERT INTO finding_line VALUES (1, 2 << 32 | 90, 'shows'), (1, 2 << 32 | 88, 'against'), (2, 1 << 32 | 5602, 'shows'), (3, 1 << 32 | 2, 'shows'), (3, 2 << 32 | 12, 'shows');
INSERT INTO finding_edge VALUES(1, 2, 'same GPUs, overlapping in time');
INSERT INTO root VALUES(1, 1, 1), (1, 2, 3);
INSERT INTO verdict VALUES(1, 'fault', 1, 'the first root', 'fix_host');
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT 'thermal.slowdown', 1, id, 'fired', NULL FROM gpu;
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT 'clocks.busy-but-slow', 1, id, 'fired', NULL FROM gpu;
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT r.id, 1, g.id, 'clean', NULL FROM gpu g, (VALUES('x')) JOIN rule r WHERE r.id IN ('power.cap-clock-drop', 'power.brake', 'power.limit-below-default');
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT 'thermal.soak-drift', 1, id, 'not_checkable', 'sample.duration_30min' FROM gpu;
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT 'pcie.width-reduced', 1, id, 'not_checkable', 'table.pci_device' FROM gpu;
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT 'memory.remap-pending', 1, id, 'not_checkable', 'fact.remap.pending|log.remap' FROM gpu;
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) VALUES ('driver.version-conflict', 1, NULL, 'fired', NULL), ('xid.memory-chain', 1, NULL, 'not_checkable', 'log.xid log.bmc unknown.term'), ('cuda.driver-too-old', 1, NULL, 'clean', NULL);
INSERT INTO rule_run VALUES('host.iommu', NULL, NULL, 'error', NULL, 'rules/host/iommu.sql:12: no such column: translation');
