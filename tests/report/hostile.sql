-- Every text of the bundle is hostile: markup, quotes, back-quotes, escape sequences, marks that turn
-- the direction of writing, broken UTF-8, 10 kB names, times and numbers out of range, references
-- to nothing. Placeholders of charts stand in it, too.
CREATE TEMP TABLE evil AS SELECT
 '<script>alert(1)</script>'' "><img src=x onerror=alert(2)> `touch pwned` $(id) \ %s %n @0@ @7@ ' || char(27) || '[31mred' || char(7) || char(10)
  || 'EOD' || char(10) || 'system "id"' || char(8238) || 'gnp.exe' || char(8294) || char(65279) || char(133) || char(8232) || char(9) || CAST(x'fffec0afeda080' AS TEXT) || 'z' AS b,
 replace(hex(zeroblob(5000)), '00', 'Nn') || '</style><svg/onload=alert(3)>' || char(27) || ']0;title' || char(7) AS l;
UPDATE meta SET value = (SELECT b FROM evil);
INSERT INTO meta SELECT 'complaint', b FROM evil;
INSERT INTO bundle SELECT 1, b, b, 9223372036854775807, b, b, -5, 99, b FROM evil;
INSERT INTO host SELECT 1, 1, l, b, b FROM evil UNION ALL SELECT 2, 1, b, NULL, '' FROM evil;
INSERT INTO boot SELECT 1, 1, 0, 0, 'unknown', b, b, NULL FROM evil;
INSERT INTO clock SELECT 1, 1, 1, b, b, 0, 'exact', NULL, b, NULL FROM evil UNION ALL SELECT 2, 1, 1, 'local', b, 0, 'zone_assumed', NULL, b, NULL FROM evil;
INSERT INTO source(id, bundle_id, host_id, path, title, lines, parser, status, reason, damage, rejected, clock_id)
 SELECT 1, 1, 1, l, b, 9223372036854775807, b, b, b, b, -1, 1 FROM evil
 UNION ALL SELECT 2, 1, 1, b, NULL, NULL, NULL, 'unread', b, NULL, 0, 2 FROM evil
 UNION ALL SELECT 4294967297, 1, 1, '../../etc/passwd', NULL, 4, 'x', 'read', NULL, NULL, 7, NULL;
INSERT INTO line SELECT 1 << 32 | 4, -7, b FROM evil UNION ALL SELECT 1 << 32 | 5, 9223372036854775807, l FROM evil UNION ALL SELECT 1 << 32 | 6, 3, b FROM evil;
INSERT INTO line VALUES(2 << 32 | 4294967295, 0, '');
INSERT INTO gpu SELECT 1, 1, b, b, 0, b, b, b, NULL, b, b, b FROM evil
 UNION ALL SELECT 2, 1, l, l, 1, l, NULL, l, NULL, l, NULL, '' FROM evil
 UNION ALL SELECT 3, 77, 'k', 'GPU of nobody', 2, NULL, NULL, NULL, NULL, NULL, NULL, '';
INSERT INTO gpu_ref(id, source_id, src_boot, idx, samples, gpu_id, t_offset_us, t_quality) VALUES
 (1, 1, 0, 0, 4, 1, 0, 'exact'), (2, 2, 0, 0, 4, 2, -9223372036854775807, 'exact'), (3, 1, 0, 1, 3, 2, 0, 'exact');
INSERT INTO gpu_sample(ref_id, line, t_raw_us, seq, sm_clock_mhz, power_w, power_limit_w, temp_c, util_pct) VALUES
 (1, 4, 1750000000000000, 0, 1410, 1e308, -1e308, 9e999, -9e999), (1, 5, 1750000001000000, 1, -1410, -1e308, 1e308, 'hot', 101),
 (1, 6, 1750000002000000, 2, 0, 0, 0, 0, 0), (1, 7, 9223372036854775807, 3, 1, 1, 1, 1, 1),
 (2, 1, 9223372036854775807, 0, 1, 1, 1, 1, 1), (2, 1, -9223372036854775807, 9223372036854775807, 1, 1, 1, 1, 1),
 (3, 1, 1750000000000000, 0, 1410, 100, 300, 40, 50), (3, 2, 1750000000000000, 1, 1400, 101, 300, 41, 51), (3, 3, 1749999999000000, 2, 1400, 101, 300, 41, 51);
INSERT INTO gpu_minute(ref_id, t_raw_us, n, first_id, last_id, sm_avg) VALUES
 (1, 1750000000000000, 4, 1, 3, 1410), (2, 9223372036854775807, -4, 5, 6, 1e308), (3, 1750000000000000, 3, 7, 8, 1405);
INSERT INTO episode(id, gpu_id, ref_id, source_id, kind, t0_us, t1_us, t_quality, samples, source_samples, first_id, last_id, limit_w, limit_how, clock_ref_mhz, clock_med_mhz, line_first, line_last)
 SELECT 1, 1, 1, 1, 'power_limit', 1750000000000000, 1750000001000000, 'exact', 9223372036854775807, 0, 1, 2, 1e300, b, -1e300, 9e999, -1, 9223372036854775807 FROM evil
 UNION ALL SELECT 2, 1, 1, 1, b, 9223372036854775807, -9223372036854775807, 'exact', 1, 1, -1, -1, 1, 'x', 1, 1, 0, 0 FROM evil
 UNION ALL SELECT 3, 2, 3, 1, 'thermal_sw', 1750000001000000, 1749999999000000, 'exact', 1, 1, 7, 8, NULL, NULL, NULL, NULL, 1 << 32 | 4, 1 << 32 | 4
 UNION ALL SELECT 4, 1, 1, 1, 'power_brake', 1750000000500000, 1750000002000000, 'exact', 1, 1, 7, 8, NULL, NULL, NULL, NULL, 1 << 32 | 4, 1 << 32 | 4;
INSERT INTO fact(source_id, src_boot, host_id, gpu_id, boot_id, key, layer, value, num, unit, line_id)
 SELECT 1, 0, 1, NULL, 1, 'driver.version', b, b, NULL, b, 1 << 32 | 4 FROM evil
 UNION ALL SELECT 1, 0, 1, NULL, 1, 'driver.version', 'b', l, NULL, NULL, -1 FROM evil
 UNION ALL SELECT 1, 0, 1, 1, 1, 'power.limit_w', '', b, 9e999, b, 0 FROM evil;
INSERT INTO event(id, source_id, src_boot, host_id, boot_id, gpu_id, kind, code, t_raw_us, t_kind, t_us, t_quality, process, text, incident_id, line_id)
 SELECT 1, 1, 0, 1, 1, 1, 'xid', 9223372036854775807, 1, 'utc', 1750000001000000, 'exact', b, b, 1, 1 << 32 | 4 FROM evil
 UNION ALL SELECT 2, 1, 0, 1, 1, NULL, b, NULL, 1, 'utc', 1750000001500000, 'exact', NULL, l, 2, 1 << 32 | 5 FROM evil
 UNION ALL SELECT 3, 1, 0, 1, 1, 2, l, -3, 1, 'utc', 1750000001600000, 'exact', NULL, b, NULL, 1 << 32 | 6 FROM evil;
INSERT INTO incident SELECT 1, 1, 1, 1, 1, b, 5, 1750000001000000, 1750000001000000, 'exact', 1, 1, b FROM evil
 UNION ALL SELECT 2, 1, 1, 2, 2, l, NULL, 1750000000500000, NULL, 'exact', 1, 1, NULL FROM evil;
INSERT INTO finding(id, rule, bundle_id, host_id, grp, severity, confidence, kind, symptom, points, shows, state, action, t0_us, t1_us, t_quality, at_end, summary, meaning, remedy, settle, more_lines)
 SELECT 1, 'xid.' || b, 1, 1, b, b, 9e999, b, b, 'hardware', 'effect', b, b, 1750000000000000, 9223372036854775807, 'exact', 1, b, b, b, b, 9223372036854775807 FROM evil
 UNION ALL SELECT 2, 'power.' || b, 1, 1, NULL, 'critical', 'sure', b, 'crash', 'hardware', 'effect', b, b, 1750000000000000, 1750000001000000, 'exact', 1, b, b, b, b, -1 FROM evil
 UNION ALL SELECT 3, b, 1, 999, NULL, b, 0.5, b, b, b, b, b, b, 1750000000000000, NULL, 'exact', 1, l, b, b, b, 0 FROM evil;
INSERT INTO rule(id, title, scope, severity, symptom, kind, points, shows, summary, path, digest)
 SELECT rule, (SELECT b FROM evil), 'bundle', '', '', '', '', '', '', '', '' FROM finding;
INSERT INTO finding_gpu VALUES(1, 1, NULL), (1, 2, NULL), (1, 1, NULL), (2, 1, NULL), (3, 3, NULL), (99, 1, NULL), (1, 99, NULL);
INSERT INTO finding_line VALUES(1, 1 << 32 | 4, 'shows'), (1, 1 << 32 | 4, 'shows'), (1, 1 << 32 | 5, 'shows'), (1, 1 << 32 | 6, 'against'), (1, 1 << 32 | 6, 'shows'), (1, 1 << 32 | 7, 'shows'),
 (1, -1, 'shows'), (1, 0, 'shows'), (1, 9223372036854775807, 'shows'), (1, 99 << 32, 'shows'), (2, 2 << 32 | 4294967295, 'shows'), (2, 2 << 32 | 4294967294, 'shows'), (77, 1, 'shows');
INSERT INTO finding_line WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 500) SELECT 3, (1 << 32) + n * 3, 'shows' FROM k;
INSERT INTO finding_edge SELECT 1, 2, b FROM evil UNION ALL SELECT 2, 3, b FROM evil UNION ALL SELECT 3, 2, b FROM evil UNION ALL SELECT 3, 3, 'itself' UNION ALL SELECT 1, 77, 'nobody';
INSERT INTO root VALUES(1, 1, 1), (1, 2, 77);
INSERT INTO verdict SELECT 1, 'fault', 1, b, 'drain_rma_candidate' FROM evil;
INSERT INTO rule_run SELECT rule, 1, 1, 'not_checkable', (SELECT b FROM evil), (SELECT b FROM evil) FROM finding;
INSERT INTO rule_run SELECT 'host.iommu', NULL, NULL, 'error', NULL, b FROM evil UNION ALL SELECT 'power.brake', 1, 1, b, NULL, l FROM evil UNION ALL SELECT 'thermal.slowdown', 77, 77, 'clean', NULL, NULL;
INSERT INTO kb_collect SELECT '*', b, b, '' FROM evil UNION ALL SELECT '**********************b', l, NULL, '' FROM evil;
INSERT INTO answer SELECT 1, b, 1, 1, l, b, b, l FROM evil UNION ALL SELECT 1, 'triage', -1, 1, b, 'yes', 'fail', b FROM evil;
INSERT INTO answer_line SELECT 1, b, 1, 77 << 32 | 5 FROM evil UNION ALL SELECT 1, 'triage', -1, -1 UNION ALL SELECT 2, 'none', 4, 1 << 32 | 1;
