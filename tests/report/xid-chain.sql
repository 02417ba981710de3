-- A memory error on one GPU of eight, what followed from it, and a restart without the reset that
-- the driver asked for. The zone of the log is known.
INSERT INTO meta VALUES('complaint', 'hang');
INSERT INTO bundle VALUES(1, 'serving-hang-n31.tar.gz', '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0', 1757930000000000, 'aligned', 'newest stamp', 31, 2, 'more than 1,000,000 members');
INSERT INTO host VALUES(1, 1, 'n31', '8f1d', 'syslog');
INSERT INTO boot VALUES(1, 1, 0, 1757900000000000, 'exact', '6.8.0-60-generic', NULL, NULL);
INSERT INTO clock VALUES(1, 1, NULL, 'local', '+02:00', -7200000000, 'exact', 0, 'zone printed by date', NULL);
INSERT INTO source(id, bundle_id, host_id, parent_id, path, title, first_line, lines, taken, parser, status, reason, damage, rejected, src_clock, clock_id) VALUES
 (1, 1, 1, NULL, 'logs/dmesg.txt', NULL, 1, 9400, 9400, 'kernel-log', 'read', NULL, NULL, 0, 'local', 1),
 (2, 1, 1, NULL, 'logs/server.log', NULL, 1, 22000, 21990, 'log', 'partly', NULL, 'cut in the middle of a line', 10, 'local', 1),
 (3, 1, 1, NULL, 'core.4711', NULL, 1, NULL, NULL, NULL, 'unread', 'no known format', NULL, 0, 'none', NULL),
 (4, 1, 1, NULL, 'sosreport/nvidia-smi_-q', NULL, 1, 1800, 1800, 'smi-q', 'read', NULL, NULL, 0, 'local', 1),
 (5, 1, 1, 4, 'sosreport/nvidia-smi_-q', 'nvidia-smi -q -d ROW_REMAPPER', 900, 90, 90, 'smi-q', 'read', NULL, NULL, 0, 'local', 1),
 (6, 1, 1, NULL, 'secret.zip', NULL, 1, NULL, NULL, NULL, 'skipped', 'encrypted', NULL, 0, 'none', NULL);
INSERT INTO gpu
WITH RECURSIVE g(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM g WHERE i < 7)
SELECT i + 1, 1, printf('n31/0000:%02x:00.0', 16 * i + 12), 'GPU ' || i, i, printf('GPU-1111222%d-aaaa-bbbb-cccc-0123456789ab', i), printf('165432100%02d', i), printf('0000:%02x:00.0', 16 * i + 12), NULL, 'NVIDIA H100 80GB HBM3', 'H100-SXM5-80GB', 'uuid' FROM g;
INSERT INTO event(id, source_id, src_boot, host_id, boot_id, gpu_id, kind, code, t_raw_us, t_kind, t_us, t_quality, pid, process, text, incident_id, line_id) VALUES
 (1, 1, 0, 1, 1, 7, 'xid', 48, 1, 'local', 1757924591000000, 'aligned', NULL, NULL, 'Xid (PCI:0000:6c:00): 48, An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at partition 9, subpartition 1.', 1, 1 << 32 | 8812),
 (2, 1, 0, 1, 1, 7, 'xid', 63, 1, 'local', 1757924591000000, 'aligned', NULL, NULL, 'Xid (PCI:0000:6c:00): 63, Row Remapper: New row (0x0000000000abcdef) marked for remapping, reset gpu to activate.', 1, 1 << 32 | 8813),
 (3, 1, 0, 1, 1, 7, 'xid', 94, 1, 'local', 1757924591000000, 'aligned', 70122, 'Worker_TP6', 'Xid (PCI:0000:6c:00): 94, pid=70122, name=Worker_TP6, Contained: CE User Channel (0x9). RST: No, D-RST: No', 1, 1 << 32 | 8814),
 (4, 1, 0, 1, 1, 7, 'xid', 154, 1, 'local', 1757924592000000, 'aligned', NULL, NULL, 'Xid (PCI:0000:6c:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Drain and Reset)', 1, 1 << 32 | 8819),
 (5, 2, 0, 1, 1, NULL, 'app.rpc_timeout', NULL, 1, 'local', 1757924891000000, 'aligned', NULL, NULL, 'RPC call to sample_tokens timed out', 2, 2 << 32 | 20411),
 (6, 1, 0, 1, 1, 7, 'xid', 48, 1, 'local', 1757926910000000, 'aligned', NULL, NULL, 'Xid (PCI:0000:6c:00): 48, An uncorrectable double bit error (DBE) has been detected on GPU in the framebuffer at partition 9, subpartition 1.', 3, 1 << 32 | 9120),
 (7, 1, 0, 1, 1, 7, 'xid', 94, 1, 'local', 1757926911000000, 'aligned', 70998, 'Worker_TP6', 'Xid (PCI:0000:6c:00): 94, pid=70998, name=Worker_TP6, Contained: CE User Channel (0x9). RST: No, D-RST: No', 3, 1 << 32 | 9121),
 (8, 2, 0, 1, 1, NULL, 'app.start', NULL, 1, 'local', 1757926300000000, 'aligned', NULL, NULL, 'engine started', NULL, 2 << 32 | 21001),
 (9, 1, 0, 1, 1, NULL, 'network.link_down', NULL, 1, 'local', 1757925300000000, 'aligned', NULL, NULL, 'mlx5_0 port 1 link down', NULL, 1 << 32 | 9000);
DROP TABLE IF EXISTS kb_event_kinds;
CREATE TABLE kb_event_kinds(kind, log);
INSERT INTO kb_event_kinds VALUES('xid', 'kernel'), ('app.rpc_timeout', 'app'), ('app.start', 'app'), ('network.link_down', 'kernel');
INSERT INTO line SELECT line_id, 1000 + 100 * id, printf('[2025-09-15T%02d:%02d:%02d+02:00] NVRM: %s', (t_us / 1000000 + 7200) / 3600 % 24, t_us / 60000000 % 60, t_us / 1000000 % 60, text) FROM event;
INSERT INTO line VALUES(1 << 32 | 8811, 2000, 'pcieport 0000:60:01.0: link is up'), (1 << 32 | 8815, 2400, 'audit: type=1400'), (5 << 32 | 905, 100, '        Pending                           : Yes'), (5 << 32 | 906, 150, '        Remapping Failure Occurred        : No');
INSERT INTO incident VALUES
 (1, 1, 1, 7, 1, 'xid', 48, 1757924591000000, 1757924592000000, 'aligned', 4, 1, '0000:60:01.0'),
 (2, 1, 1, NULL, 5, 'app.rpc_timeout', NULL, 1757924891000000, 1757924891000000, 'aligned', 1, 0, NULL),
 (3, 1, 1, 7, 6, 'xid', 48, 1757926910000000, 1757926911000000, 'aligned', 2, 1, NULL);
INSERT INTO finding(id, rule, bundle_id, host_id, severity, confidence, kind, symptom, points, shows, state, action, t0_us, t1_us, t_quality, at_end, summary, meaning, remedy, settle) VALUES
 (1, 'xid.memory-chain', 1, 1, 'critical', 0.95, 'fault', 'crash', 'hardware', 'effect', 'active', 'reset_gpu', 1757924591000000, 1757926911000000, 'aligned', 1,
  'GPU 6 (6c:00.0): uncorrectable memory error at partition 9, subpartition 1, contained; again 39 minutes later at the same place',
  'A row of the memory failed and is marked for replacement, which takes effect at a reset. The programs that were hit are victims. The driver asked for "Drain and Reset"; no log shows that it was done.',
  'Drain n31, reset GPU 6 or reboot, then check that Remapped Rows Pending says No. If it fails again after the reset, open a ticket.', 'fact.remap.pending'),
 (2, 'memory.remap-pending', 1, 1, 'warning', 0.95, 'fault', 'crash', 'hardware', 'condition', 'active', 'reset_gpu', NULL, NULL, NULL, 1, 'GPU 6: a row waits for a reset to be replaced', 'Not a reason to replace the card.', NULL, NULL),
 (3, 'xid.recovery-action', 1, 1, 'error', 0.85, 'fault', 'crash', 'hardware', 'condition', 'active', 'reset_gpu', 1757924592000000, NULL, 'aligned', 1, 'GPU 6: "Drain and Reset" is due and work was restarted without it', NULL, NULL, NULL);
INSERT INTO finding_gpu VALUES(1, 7, NULL), (2, 7, NULL), (3, 7, NULL);
INSERT INTO finding_line SELECT 1, line_id, 'shows' FROM event WHERE id IN (1, 2, 3, 4, 5, 6, 7) ORDER BY id;
INSERT INTO finding_line VALUES(2, 5 << 32 | 905, 'shows'), (1, 5 << 32 | 906, 'against'), (3, 1 << 32 | 8819, 'shows'), (3, 2 << 32 | 21001, 'shows');
INSERT INTO finding_edge VALUES(1, 2, 'within 3 minutes on the same GPU'), (1, 3, 'within 3 minutes on the same GPU'), (3, 2, 'the same reset'), (2, 3, 'a cycle, which only a foreign database can hold');
INSERT INTO root VALUES(1, 1, 1);
INSERT INTO verdict VALUES(1, 'fault', 1, 'the first root', 'reset_gpu');
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT 'xid.memory-chain', 1, id, CASE id WHEN 7 THEN 'fired' ELSE 'clean' END, NULL FROM gpu;
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT 'memory.remap-pending', 1, id, CASE id WHEN 7 THEN 'fired' ELSE 'clean' END, NULL FROM gpu;
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT 'xid.recovery-action', 1, id, CASE id WHEN 7 THEN 'fired' ELSE 'clean' END, NULL FROM gpu;
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) SELECT r.id, 1, g.id, 'clean', NULL FROM gpu g JOIN rule r WHERE r.id IN ('xid.fallen-off-bus', 'thermal.slowdown', 'sharing.contention', 'mig.partitioned');
INSERT INTO rule_run(rule, host_id, gpu_id, outcome, missing) VALUES('driver.version-conflict', 1, NULL, 'clean', NULL), ('power.brake', 1, 1, 'not_checkable', 'sample.reasons');
