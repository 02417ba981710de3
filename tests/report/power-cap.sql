-- One A100 whose clock falls at its default power limit; a crash eight minutes before is another
-- story. Local times, zone unknown.
INSERT INTO bundle VALUES(1, 'power-cap', '3b4f6e0c2d9a81757e0d3c1b5a6978f0e1d2c3b4a5968778695a4b3c2d1e0f00', 1772805791000000, 'zone_assumed', 'newest stamp', 9, 0, NULL);
INSERT INTO host VALUES(1, 1, NULL, NULL, 'nobody says it');
INSERT INTO boot VALUES(1, 1, 0, NULL, 'unknown', '6.8.0-51-generic', NULL, NULL);
INSERT INTO clock VALUES(1, 1, NULL, 'local', NULL, 0, 'zone_assumed', NULL, 'no source says the zone', NULL);
INSERT INTO source(id, bundle_id, host_id, path, lines, taken, parser, status, src_clock, clock_id) VALUES
 (1, 1, 1, 'dmesg.txt', 2, 2, 'kernel-log', 'read', 'local', 1),
 (2, 1, 1, 'dmon.txt', 8, 8, 'smi-dmon', 'read', 'none', NULL),
 (3, 1, 1, 'lspci.txt', 2, 2, 'lspci', 'read', 'none', NULL),
 (4, 1, 1, 'power.txt', 3, 3, 'smi-q', 'read', 'none', NULL),
 (5, 1, 1, 'pmon.txt', 4, 4, 'smi-pmon', 'read', 'none', NULL),
 (6, 1, 1, 'smi-L.txt', 3, 3, 'smi-list', 'read', 'none', NULL),
 (7, 1, 1, 'smi.txt', 14, 14, 'smi-table', 'read', 'local', 1),
 (8, 1, 1, 'trace.csv', 7, 7, 'smi-query-csv', 'read', 'local', 1),
 (9, 1, 1, 'modinfo.txt', 8, 8, 'modinfo', 'read', 'none', NULL);
INSERT INTO line VALUES
 (1 << 32 | 1, 0, '[Fri Mar  6 13:55:09 2026] NVRM: Xid (PCI:0000:41:00): 31, pid=31177, name=python3, Ch 0000001b'),
 (1 << 32 | 2, 96, '[Fri Mar  6 13:55:09 2026] NVRM: Xid (PCI:0000:41:00): 31, pid=31177, name=python3, MMU Fault: ENGINE CE2'),
 (2 << 32 | 6, 210, '    0   236 93  1410 1215 70  58'),
 (2 << 32 | 7, 245, '    0   398 99  1155 1215 85  66'),
 (2 << 32 | 8, 280, '    0   400 99  1125 1215 86  67'),
 (3 << 32 | 1, 0, 'LnkCap: Port #0, Speed 16GT/s, Width x16, ASPM not supported'),
 (3 << 32 | 2, 61, 'LnkSta: Speed 8GT/s (downgraded), Width x8 (downgraded)'),
 (4 << 32 | 1, 0, '    Power Limit                    : 400.00 W'),
 (4 << 32 | 2, 46, '    Default Power Limit            : 400.00 W'),
 (4 << 32 | 3, 92, '    Enforced Power Limit           : 400.00 W'),
 (5 << 32 | 3, 150, '    0      31177     C    91    20     0     0     0     0     python3'),
 (5 << 32 | 4, 220, '    0      31544     C     6     3     0     0     0     0     python3'),
 (6 << 32 | 1, 0, 'GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5a6b7c8d-1122-3344-5566-778899aabbcc)'),
 (6 << 32 | 2, 80, '  MIG 1g.5gb Device 0: (UUID: MIG-11112222-3333-4444-5555-666677778888)'),
 (6 << 32 | 3, 153, '  MIG 1g.5gb Device 1: (UUID: MIG-99990000-aaaa-bbbb-cccc-ddddeeeeffff)'),
 (7 << 32 | 3, 90, '| NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4  |'),
 (8 << 32 | 1, 0, 'timestamp, pstate, clocks.sm [MHz], power.draw [W], temperature.gpu, utilization.gpu [%]'),
 (8 << 32 | 2, 88, '2026/03/06 14:03:06, P0, 1410, 231.40, 55, 88'),
 (8 << 32 | 3, 134, '2026/03/06 14:03:07, P0, 1410, 240.02, 58, 93'),
 (8 << 32 | 4, 180, '2026/03/06 14:03:08, P0, 1155, 398.77, 65, 99'),
 (8 << 32 | 5, 226, '2026/03/06 14:03:09, P0, 1125, 400.61, 66, 99'),
 (8 << 32 | 6, 272, '2026/03/06 14:03:10, P0, 1125, 400.58, 67, 99'),
 (8 << 32 | 7, 318, '2026/03/06 14:03:11, P0, 1125, 400.49, 67, 98'),
 (9 << 32 | 2, 60, 'version:        550.90.07');
INSERT INTO gpu VALUES(1, 1, 'host/0000:41:00.0', 'GPU 0', 0, 'GPU-5a6b7c8d-1122-3344-5566-778899aabbcc', NULL, '0000:41:00.0', NULL, 'NVIDIA A100-SXM4-40GB', 'A100-SXM4-40GB', 'uuid');
INSERT INTO gpu_ref(id, source_id, src_boot, idx, samples, gpu_id, how, confidence, t_quality) VALUES
 (1, 2, 0, 0, 5, 1, 'index', 0.9, 'unknown'), (2, 8, 0, 0, 6, 1, 'only GPU', 0.5, 'zone_assumed');
INSERT INTO gpu_sample(ref_id, line, t_raw_us, seq, pstate, sm_clock_mhz, mem_clock_mhz, power_w, temp_c, util_pct) VALUES
 (1, 4, NULL, 0, NULL, 1410, 1215, 214, 50, 12), (1, 5, NULL, 1, NULL, 1410, 1215, 228, 56, 85),
 (1, 6, NULL, 2, NULL, 1410, 1215, 236, 58, 93), (1, 7, NULL, 3, NULL, 1155, 1215, 398, 66, 99),
 (1, 8, NULL, 4, NULL, 1125, 1215, 400, 67, 99),
 (2, 2, 1772805786000000, 0, 0, 1410, NULL, 231.40, 55, 88), (2, 3, 1772805787000000, 1, 0, 1410, NULL, 240.02, 58, 93),
 (2, 4, 1772805788000000, 2, 0, 1155, NULL, 398.77, 65, 99), (2, 5, 1772805789000000, 3, 0, 1125, NULL, 400.61, 66, 99),
 (2, 6, 1772805790000000, 4, 0, 1125, NULL, 400.58, 67, 99), (2, 7, 1772805791000000, 5, 0, 1125, NULL, 400.49, 67, 98);
INSERT INTO gpu_minute(ref_id, t_raw_us, n, first_id, last_id, sm_min, sm_avg, sm_max, power_min, power_avg, power_max, temp_min, temp_avg, temp_max, util_min, util_avg, util_max)
SELECT ref_id, coalesce(t_raw_us, seq * 1000000) / 60000000 * 60000000, count(*), min(rowid), max(rowid), min(sm_clock_mhz), avg(sm_clock_mhz), max(sm_clock_mhz),
 min(power_w), avg(power_w), max(power_w), min(temp_c), avg(temp_c), max(temp_c), min(util_pct), avg(util_pct), max(util_pct) FROM gpu_sample GROUP BY 1, 2;
INSERT INTO episode(id, gpu_id, ref_id, source_id, kind, t0_us, t1_us, t_quality, samples, source_samples, first_id, last_id, power_min_w, power_med_w, power_max_w, limit_w, limit_how, clock_min_mhz, clock_med_mhz, clock_ref_mhz, util_min_pct, temp_max_c, line_first, line_worst, line_last) VALUES
 (1, 1, 1, 2, 'power_limit', NULL, NULL, 'unknown', 2, 5, 4, 5, 398, 399, 400, 400, 'fact', 1125, 1140, 1410, 99, 67, 2 << 32 | 7, 2 << 32 | 8, 2 << 32 | 8),
 (2, 1, 2, 8, 'power_limit', 1772805788000000, 1772805791000000, 'zone_assumed', 4, 6, 8, 11, 398.77, 400.5, 400.61, 400, 'fact', 1125, 1125, 1410, 98, 67, 8 << 32 | 4, 8 << 32 | 5, 8 << 32 | 7);
INSERT INTO fact(source_id, ref_id, src_boot, host_id, gpu_id, boot_id, key, layer, value, num, unit, line_id) VALUES
 (7, NULL, 0, 1, NULL, 1, 'driver.version', 'nvml', '550.90.07', NULL, NULL, 7 << 32 | 3),
 (9, NULL, 0, 1, NULL, 1, 'driver.version', 'disk', '550.90.07', NULL, NULL, 9 << 32 | 2),
 (7, NULL, 0, 1, NULL, 1, 'cuda.driver_max', '', '12.4', NULL, NULL, 7 << 32 | 3),
 (4, NULL, 0, 1, 1, 1, 'power.limit_w', '', '400', 400, 'W', 4 << 32 | 3),
 (4, NULL, 0, 1, 1, 1, 'power.limit_default_w', '', '400', 400, 'W', 4 << 32 | 2),
 (6, NULL, 0, 1, 1, 1, 'mig.mode', '', 'enabled', NULL, NULL, 6 << 32 | 2),
 (7, NULL, 0, 1, 1, 1, 'memory.used_mib', '', '1301', 1301, 'MiB', 7 << 32 | 10);
INSERT INTO event(id, source_id, src_boot, host_id, boot_id, gpu_id, kind, code, t_raw_us, t_kind, t_us, t_quality, pid, process, text, incident_id, line_id) VALUES
 (1, 1, 0, 1, 1, 1, 'xid', 31, 1772805309000000, 'local', 1772805309000000, 'zone_assumed', 31177, 'python3', 'Xid (PCI:0000:41:00): 31, pid=31177, name=python3, Ch 0000001b', 1, 1 << 32 | 1);
INSERT INTO event_line VALUES(1, 1 << 32 | 1, 'first'), (1, 1 << 32 | 2, 'more');
INSERT INTO incident VALUES(1, 1, 1, 1, 1, 'xid', 31, 1772805309000000, 1772805309000000, 'zone_assumed', 1, 1, NULL);
INSERT INTO finding(id, rule, bundle_id, host_id, severity, confidence, kind, symptom, points, shows, state, action, t0_us, t1_us, t_quality, at_end, summary, meaning, remedy, settle) VALUES
 (1, 'clocks.busy-but-slow', 1, 1, 'info', 0.7, 'explanation', 'slow', 'unknown', 'effect', 'active', 'none', 1772805788000000, 1772805791000000, 'zone_assumed', 1,
  'GPU 0: 99 % busy at 1125 MHz, 20 % under its own best', 'Busy says that the GPU has work, not how fast it does it.', NULL, NULL),
 (2, 'mig.partitioned', 1, 1, 'warning', 0.95, 'explanation', 'slow', 'policy', 'condition', 'active', 'none', NULL, NULL, NULL, 1,
  'GPU 0: two 1g.5gb slices; a job''s GPU 0 is a slice', 'A program that was given a slice sees one seventh of the card as its whole GPU.', 'Give the job the whole GPU, or size it for the slice.', NULL),
 (3, 'pcie.width-reduced', 1, 1, 'warning', 0.5, 'fault', 'transfer', 'platform', 'condition', 'active', 'fix_host', NULL, NULL, NULL, 1,
  'GPU 0: PCIe x8 of x16, 8 of 16 GT/s; the other end is not in the bundle', 'Transfers to and from the host take twice as long.', 'Look at both ends of the link, then reseat the board.', 'table.port'),
 (4, 'power.cap-clock-drop', 1, 1, 'info', 0.85, 'explanation', 'slow', 'policy', 'effect', 'active', 'none', 1772805788000000, 1772805791000000, 'zone_assumed', 1,
  'GPU 0: SM clock 1410 → 1125 MHz (−20 %) at 398.8–400.6 W of 400 W while 98–99 % busy',
  'The GPU works as configured: 400 W is the default limit of the board and nobody lowered it. This load needs more power than that at full clock, so the clock gives way.',
  'If the job used to be faster, compare with a capture of that time.', 'trace.reasons'),
 (5, 'sharing.contention', 1, 1, 'warning', 0.7, 'explanation', 'slow', 'application', 'condition', 'active', 'watch', NULL, NULL, NULL, 1,
  'GPU 0: two programs at once, 31177 python3 (91 %) and 31544 python3 (6 %)', 'Programs that share a GPU take turns.', NULL, NULL),
 (6, 'xid.mmu-fault', 1, 1, 'warning', 0.95, 'fault', 'crash', 'application', 'effect', 'unknown', 'restart_app', 1772805309000000, 1772805309000000, 'zone_assumed', 0,
  'GPU 0: python3 (pid 31177) had an MMU fault in engine CE2, once', 'The program read or wrote an address that is not mapped. One program and one fault point at the program.', 'Restart the program; look for the fault there first.', NULL),
 (7, 'bundle.missing-evidence', 1, 1, 'info', 0.95, 'explanation', 'none', 'unknown', 'condition', 'active', 'collect', NULL, NULL, NULL, 1,
  'The bundle lacks 3 things: reason bits, the whole kernel log, the PCIe port', NULL, NULL, NULL);
INSERT INTO finding_gpu SELECT id, 1, NULL FROM finding WHERE id < 7;
INSERT INTO finding_line VALUES
 (4, 8 << 32 | 4, 'shows'), (4, 8 << 32 | 5, 'shows'), (4, 8 << 32 | 6, 'shows'), (4, 8 << 32 | 7, 'shows'),
 (4, 4 << 32 | 1, 'shows'), (4, 4 << 32 | 2, 'shows'), (4, 4 << 32 | 3, 'shows'),
 (4, 2 << 32 | 7, 'shows'), (4, 2 << 32 | 8, 'shows'),
 (1, 8 << 32 | 5, 'shows'), (1, 8 << 32 | 6, 'shows'),
 (2, 6 << 32 | 2, 'shows'), (2, 6 << 32 | 3, 'shows'), (3, 3 << 32 | 1, 'shows'), (3, 3 << 32 | 2, 'shows'),
 (5, 5 << 32 | 3, 'shows'), (5, 5 << 32 | 4, 'shows'), (6, 1 << 32 | 1, 'shows'), (6, 1 << 32 | 2, 'shows'),
 (7, 8 << 32 | 1, 'shows');
INSERT INTO finding_edge VALUES(4, 1, 'same GPU, overlapping in time');
INSERT INTO root VALUES(1, 1, 4), (1, 2, 6), (1, 3, 3), (1, 4, 2), (1, 5, 5);
INSERT INTO verdict VALUES(1, 'explanation', 4, 'the first root', 'none');
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) VALUES
 ('power.cap-clock-drop', 1, 1, 'fired', NULL), ('clocks.busy-but-slow', 1, 1, 'fired', NULL), ('mig.partitioned', 1, 1, 'fired', NULL),
 ('pcie.width-reduced', 1, 1, 'fired', NULL), ('sharing.contention', 1, 1, 'fired', NULL), ('xid.mmu-fault', 1, 1, 'fired', NULL),
 ('bundle.missing-evidence', 1, NULL, 'fired', NULL),
 ('power.limit-below-default', 1, 1, 'clean', NULL), ('driver.version-conflict', 1, NULL, 'clean', NULL),
 ('cuda.driver-too-old', 1, NULL, 'clean', NULL), ('host.iommu', 1, NULL, 'clean', NULL),
 ('policy.persistence-off', 1, 1, 'clean', NULL),
 ('thermal.slowdown', 1, 1, 'not_checkable', 'sample.reasons'), ('power.brake', 1, 1, 'not_checkable', 'sample.reasons'),
 ('thermal.soak-drift', 1, 1, 'not_checkable', 'sample.duration_30min'),
 ('pcie.speed-reduced', 1, 1, 'not_checkable', 'table.port'),
 ('xid.fallen-off-bus', 1, 1, 'not_checkable', 'log.xid'), ('xid.memory-chain', 1, 1, 'not_checkable', 'log.xid'),
 ('memory.remap-pending', 1, 1, 'not_checkable', 'fact.remap.pending');
INSERT INTO answer(bundle_id, list, n, place, question, answer, status, missing) VALUES
 (1, 'preflight', 5, 1, 'Is a PCIe link degraded?', 'yes', 'warn', NULL), (1, 'preflight', 6, 2, 'Are there Xids in the kernel log?', 'yes', 'fail', NULL),
 (1, 'preflight', 8, 3, 'Do several programs share a GPU?', 'unknown', 'not_checkable', 'table.process_sample'),
 (1, 'triage', 4, 4, 'Do clocks limit: power, heat, a lock?', 'yes', 'warn', NULL), (1, 'evidence', 1, 5, 'driver version', 'yes', 'pass', NULL);
INSERT INTO answer_line VALUES(1, 'preflight', 6, 1 << 32 | 1), (1, 'preflight', 6, 1 << 32 | 2), (1, 'preflight', 5, 3 << 32 | 1),
 (1, 'triage', 4, 2 << 32 | 6), (1, 'triage', 4, 2 << 32 | 7), (1, 'evidence', 1, 9 << 32 | 2);
