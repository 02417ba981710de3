-- id:       memory.ecc-without-log
-- title:    Memory errors in the counters that no kept log shows
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   unknown
-- shows:    condition
-- settle:   boot.previous
-- needs:    log.xid fact.ecc.uncorrected.volatile.dram|fact.ecc.uncorrected.volatile.sram|fact.ecc.uncorrected.volatile.device_memory|fact.ecc.uncorrected.volatile.total
-- summary:  {gpu}: {n} uncorrectable memory error(s) since the driver was loaded, none of them in the logs that were kept
-- meaning:  The driver logs each such error. So the time in which they came is not in these logs: rotated, overwritten, or another boot. What
--           they cost and what else happened then cannot be told from this bundle.
-- action:   collect
-- remedy:   Look for older logs (journalctl -k -b, /var/log/kern.log.*, the log server) and keep more of them.
-- falsepositives: Corrected errors; excerpts and bundles without a kernel log; logs that show any memory error of this GPU, or of one unnamed.
-- refs:     NVIDIA Xid catalog 48, 94, 95, 140; nvidia-smi manual, ECC Errors
WITH counted AS (
  SELECT c.host_id, c.gpu_id, max(c.num) AS n, c.line_id
  FROM contract c
  WHERE c.gpu_id IS NOT NULL AND c.key GLOB 'ecc.uncorrected.volatile.*' AND c.num > 0
  GROUP BY c.host_id, c.gpu_id
)
SELECT c.host_id AS host_id, c.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.7 AS confidence, json_array(c.line_id) AS evidence,
 CAST(c.n AS INTEGER) AS n
FROM counted c
WHERE EXISTS (SELECT 1 FROM coverage v WHERE v.host_id = c.host_id AND v.what = 'log.xid' AND v.whole = 1)
 AND NOT EXISTS (SELECT 1 FROM xid x WHERE x.host_id = c.host_id AND coalesce(x.gpu_id, c.gpu_id) = c.gpu_id
  AND x.code IN (48, 63, 64, 94, 95, 140, 171, 172))
