-- id:       driver.flavor-unsupported
-- title:    The kernel module that is installed does not support this GPU
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   driver
-- shows:    condition
-- settle:   fact.driver.flavor
-- needs:    fact.driver.flavor|log.nvrm.unsupported
-- summary:  {gpu}: {what}
-- meaning:  The open module drives GPUs from Turing on, which have a system processor (GSP); Blackwell and newer need it; older GPUs need the
--           proprietary one. The driver skips a GPU that it does not support: it is missing in nvidia-smi, and sound.
-- action:   fix_host
-- remedy:   {todo}
-- falsepositives: Turing to Hopper, which both modules drive; messages of an earlier boot (info).
-- refs:     open-gpu-kernel-modules kernel-open/nvidia/nv-pci.c and README, compatible GPUs; kb_gpu_arch

WITH said AS (
  SELECT e.host_id, e.gpu_id, e.t_us, e.t_quality, e.line_id, coalesce(b.seq, 0) AS boot_seq,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'reason') AS reason
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.kind = 'nvrm.unsupported' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
known AS ( -- what the module is and what the GPU needs; Turing is the first that the open module drives
  SELECT c.host_id, c.gpu_id, f.line_id AS flavor_line, c.line_id, iif(f.value = 'open', 'open_module', 'needs_open') AS reason
  FROM contract c JOIN contract f ON f.host_id = c.host_id AND f.key = 'driver.flavor' AND f.gpu_id IS NULL AND f.layer = 'loaded'
  JOIN kb_gpu_arch a ON a.compute_cap = c.value AND coalesce(a.unsure, '') NOT LIKE '%kernel_module%'
  WHERE c.key = 'gpu.compute_cap' AND c.gpu_id IS NOT NULL
   AND ((f.value = 'open' AND a.kernel_module = 'proprietary') OR (f.value = 'proprietary' AND a.kernel_module = 'open'))
),
found AS (
  SELECT host_id, gpu_id, t_us, t_quality, json_array(line_id) AS evidence, reason, boot_seq, 0.95 AS confidence FROM said
  UNION ALL
  SELECT host_id, gpu_id, NULL, NULL, json_array(line_id, flavor_line), reason, 0, 0.7 FROM known
)
SELECT f.host_id AS host_id, f.gpu_id AS gpu_id, f.t_us AS t0_us, f.t_us AS t1_us, f.t_quality AS t_quality, f.confidence AS confidence, f.evidence AS evidence,
 iif(f.boot_seq < 0, 'history', 'active') || coalesce(f.reason, '') AS grp, iif(f.boot_seq < 0, 'info', 'error') AS severity,
 iif(f.boot_seq < 0, 'history', 'active') AS state, iif(f.boot_seq < 0, 'none', 'fix_host') AS action,
 CASE f.reason WHEN 'open_module' THEN 'the open kernel module does not support it' WHEN 'needs_open' THEN 'it needs the open kernel module, and the proprietary one is installed'
  WHEN 'legacy' THEN 'this driver dropped it: an older branch still supports it' ELSE 'this driver release does not support it' END
 || iif(f.boot_seq < 0, '; in an earlier boot', '') AS what,
 CASE f.reason WHEN 'open_module' THEN 'Install the proprietary module of the same version (package without -open; --kernel-module-type=proprietary with the .run file).'
  WHEN 'needs_open' THEN 'Install the open module of the same version (package with -open; --kernel-module-type=open with the .run file).'
  WHEN 'legacy' THEN 'Install the legacy branch that the message names, or take the card out.'
  ELSE 'Compare the PCI id with the list of supported chips of this release: a GPU newer than the driver needs a newer branch, an older one a legacy branch.' END AS todo
FROM found f
