-- id:       cuda.forward-compat
-- title:    CUDA runs in forward-compatibility mode: newer driver libraries on an older kernel module
-- scope:    bundle
-- severity: info
-- symptom:  none
-- kind:     explanation
-- points:   driver
-- shows:    condition
-- settle:   fact.driver.version
-- needs:    fact.cuda.forward_compat|fact.cuda.compat
-- reads:    fact.cuda.forward_compat
-- summary:  Forward compatibility is in use: libraries {compat} on kernel module {loaded}
-- meaning:  The container brought its own driver libraries (cuda-compat), so it runs a CUDA that the host's driver is too old for. That is supported on
--           data-center GPUs only; features of the newer driver that need its kernel module are missing, and host and container name different versions.
-- action:   none
-- remedy:   Nothing, as long as it works. When it does not (errors 803 and 804), or to be rid of the difference: update the driver of the host to {compat}
--           or newer.
-- falsepositives: cuda-compat that is installed and not used: the entry script of the image says which.
-- refs:     NVIDIA CUDA compatibility guide, forward compatibility

SELECT f.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT f.line_id UNION SELECT c.line_id FROM contract c WHERE c.host_id = f.host_id AND c.key = 'cuda.compat' AND c.layer = f.layer ORDER BY 1)) AS evidence,
 'host' AS grp, coalesce((SELECT c.value FROM contract c WHERE c.host_id = f.host_id AND c.key = 'cuda.compat' AND c.layer = f.layer), 'of cuda-compat') AS compat,
 coalesce((SELECT d.value FROM contract d WHERE d.host_id = f.host_id AND d.key = 'driver.version' AND d.layer = 'loaded'), 'of the host') AS loaded
FROM contract f WHERE f.key = 'cuda.forward_compat' AND f.value = 'enabled' AND f.gpu_id IS NULL
