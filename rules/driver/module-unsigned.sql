-- id:       driver.module-unsigned
-- title:    The driver's module is not signed by a key that the kernel knows, with Secure Boot on
-- scope:    bundle
-- severity: info
-- symptom:  start
-- kind:     fault
-- points:   driver
-- shows:    condition
-- settle:   fact.module.signer
-- needs:    fact.host.secure_boot log.module.rejected
-- reads:    fact.module.unsigned
-- summary:  Secure Boot is on, and {module} was loaded although its signature is missing or not known
-- meaning:  It runs because this kernel does not enforce signatures. A kernel that does (after an update, or with lockdown) will refuse it, and the
--           node will come up without GPUs.
-- action:   watch
-- remedy:   Install the signed packages of the distribution, or sign the module and enrol the key (mokutil --import) before the next kernel update.
-- falsepositives: Secure Boot off or not known: most modules built on the node are unsigned, and nothing follows from it.
-- refs:     kernel/module/signing.c, "module verification failed"; kernel_lockdown(7)

SELECT u.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.85 AS confidence,
 json_array(u.line_id, s.line_id) AS evidence, 'host' AS grp, u.value AS module
FROM contract u JOIN contract s ON s.host_id = u.host_id AND s.key = 'host.secure_boot' AND s.value = 'enabled' AND s.gpu_id IS NULL
WHERE u.key = 'module.unsigned' AND u.gpu_id IS NULL
