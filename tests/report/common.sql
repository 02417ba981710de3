-- What the test cases share: a small knowledge base and some rules, of the likeness of the real
-- ones but independent of them, so that reports of these cases change only when the report does.
INSERT INTO meta VALUES('version', 'test'), ('rules_digest', '00112233445566778899aabbccddeeff');

DROP TABLE IF EXISTS kb_collect;
CREATE TABLE kb_collect(what, command, note, source);
INSERT INTO kb_collect VALUES
 ('sample.*', 'nvidia-smi --query-gpu=timestamp,index,pstate,clocks.sm,power.draw,enforced.power.limit,temperature.gpu,utilization.gpu,clocks_event_reasons.active --format=csv -l 1', 'at least ten minutes under load', 'test'),
 ('trace.reasons', 'nvidia-smi --query-gpu=timestamp,index,clocks.sm,power.draw,enforced.power.limit,clocks_event_reasons.active --format=csv -l 1', 'one minute while it is slow', 'test'),
 ('log.xid', 'journalctl -k -b --no-pager -o short-iso', 'of the boot in which it happened', 'test'),
 ('log.*', 'journalctl -k -b --no-pager -o short-iso', 'of the boot in which it happened', 'test'),
 ('table.pci_device', 'sudo lspci -vvnn', NULL, 'test'),
 ('table.port', 'sudo lspci -vvnn', NULL, 'test'),
 ('log.bmc', 'ipmitool sel elist; ipmitool sdr type temperature; ipmitool sdr type fan', NULL, 'test'),
 ('fact.power.*', 'nvidia-smi -q -d POWER', NULL, 'test'),
 ('fact.remap.*', 'nvidia-smi -q -d ROW_REMAPPER', NULL, 'test'),
 ('fact.driver.version', 'cat /proc/driver/nvidia/version; modinfo nvidia', NULL, 'test');

DROP TABLE IF EXISTS kb_fact_keys;
CREATE TABLE kb_fact_keys(key, type, unit, scope, contract, meaning);
INSERT INTO kb_fact_keys VALUES
 ('driver.version', 'word', NULL, 'host', 'yes', 'version of the NVIDIA driver'),
 ('kernel.release', 'word', NULL, 'host', 'yes', 'kernel that runs'),
 ('cuda.driver_max', 'word', NULL, 'host', 'yes', 'newest CUDA that the driver serves'),
 ('power.limit_w', 'num', 'W', 'gpu', 'yes', 'power limit in force'),
 ('power.limit_default_w', 'num', 'W', 'gpu', 'yes', 'power limit of the board as delivered'),
 ('ecc.mode', 'word', NULL, 'gpu', 'yes', 'error correction on or off'),
 ('mig.mode', 'word', NULL, 'gpu', 'yes', 'whether the GPU is cut into slices'),
 ('persistence.mode', 'word', NULL, 'gpu', 'yes', 'driver stays loaded without clients'),
 ('gpu.vbios', 'word', NULL, 'gpu', 'yes', 'firmware of the card'),
 ('memory.used_mib', 'num', 'MiB', 'gpu', 'no', 'memory in use');

INSERT INTO rule(id, title, scope, severity, symptom, kind, points, shows, summary, path, digest)
SELECT column1, column2, 'bundle', column3, column4, column5, column6, column7, '', 'rules/' || column1, 'd'
FROM (VALUES
 ('bundle.missing-evidence', 'The bundle lacks part of the minimum', 'info', 'none', 'explanation', 'unknown', 'condition'),
 ('clocks.busy-but-slow', 'The GPU is busy but slow', 'warning', 'slow', 'explanation', 'unknown', 'effect'),
 ('clocks.locked-low', 'Clocks are locked below the default', 'warning', 'slow', 'operation', 'policy', 'condition'),
 ('cuda.driver-too-old', 'The driver is too old for this CUDA', 'error', 'start', 'fault', 'driver', 'condition'),
 ('driver.version-conflict', 'Parts of the driver have different versions', 'error', 'start', 'fault', 'driver', 'condition'),
 ('host.iommu', 'IOMMU translation is on', 'info', 'transfer', 'explanation', 'policy', 'condition'),
 ('memory.remap-pending', 'A memory row waits for a reset to be replaced', 'warning', 'crash', 'fault', 'hardware', 'condition'),
 ('memory.uncorrected-ecc', 'Uncorrected memory errors', 'critical', 'crash', 'fault', 'hardware', 'effect'),
 ('mig.partitioned', 'The GPU is cut into slices', 'warning', 'slow', 'explanation', 'policy', 'condition'),
 ('pcie.width-reduced', 'The PCIe link is narrower than it could be', 'error', 'transfer', 'fault', 'platform', 'condition'),
 ('pcie.speed-reduced', 'The PCIe link is slower than it could be', 'error', 'transfer', 'fault', 'platform', 'condition'),
 ('policy.persistence-off', 'Persistence mode is off', 'info', 'none', 'explanation', 'policy', 'condition'),
 ('power.brake', 'The power brake holds the GPU back', 'critical', 'slow', 'fault', 'platform', 'effect'),
 ('power.cap-clock-drop', 'The SM clock falls when power reaches the limit', 'info', 'slow', 'explanation', 'policy', 'effect'),
 ('power.limit-below-default', 'The power limit is below the default', 'info', 'slow', 'explanation', 'policy', 'condition'),
 ('sharing.contention', 'Several programs share the GPU', 'warning', 'slow', 'explanation', 'application', 'condition'),
 ('thermal.slowdown', 'Heat holds the GPU back', 'error', 'slow', 'fault', 'platform', 'effect'),
 ('thermal.soak-drift', 'It gets slower as it warms up', 'warning', 'slow', 'fault', 'platform', 'effect'),
 ('xid.fallen-off-bus', 'The GPU has fallen off the bus', 'critical', 'missing', 'fault', 'hardware', 'effect'),
 ('xid.memory-chain', 'A memory error and what followed from it', 'critical', 'crash', 'fault', 'hardware', 'effect'),
 ('xid.mmu-fault', 'A program touched memory that is not its own', 'warning', 'crash', 'fault', 'application', 'effect'),
 ('xid.recovery-action', 'A recovery that the driver asked for is due', 'error', 'crash', 'fault', 'hardware', 'condition'));
