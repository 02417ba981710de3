-- id:       cuda.cpu-only-build
-- title:    The framework in use was built without CUDA
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   application
-- shows:    condition
-- settle:   fact.torch.cuda
-- needs:    fact.torch.cuda|fact.tensorflow.cuda
-- reads:    fact.torch.cuda|fact.tensorflow.cuda
-- summary:  {framework} {version} {in_use} was built without CUDA{gpus}
-- meaning:  This build never looks for a GPU: jobs run on the CPU, many times slower, or stop with "Torch not compiled with CUDA enabled". Driver and
--           GPUs are not to blame. A resolver mostly brought it in: a plain "pip install" or conda without the CUDA channel.
-- action:   fix_config
-- remedy:   In the environment of the job: remove the package, install the CUDA build (pip with --index-url of the CUDA wheels, conda from the channel
--           that has them), and pin it with its +cu suffix.
-- falsepositives: macOS, where no build has CUDA; a list of packages of an environment that nobody says was used, hosts without a GPU (info).
-- refs:     PyTorch, torch.version.cuda; TensorFlow, tf.sysconfig.get_build_info

WITH built AS ( -- python: the program itself said it; wheel and others: a list of packages
  SELECT c.host_id, substr(c.key, 1, instr(c.key, '.') - 1) AS framework, c.layer = 'python' AS used, c.line_id
  FROM contract c
  WHERE c.gpu_id IS NULL AND ((c.key IN ('torch.cuda', 'tensorflow.cuda') AND c.value = 'none') OR (c.key = 'torch.version' AND c.value LIKE '%+cpu'))
   -- the program, where it speaks, is right about itself
   AND NOT EXISTS (SELECT 1 FROM contract o WHERE o.host_id = c.host_id AND o.key IN ('torch.cuda', 'tensorflow.cuda') AND o.layer = 'python'
                   AND substr(o.key, 1, 5) = substr(c.key, 1, 5) AND o.value <> 'none')
),
one AS (
  SELECT b.host_id, b.framework, max(b.used) AS used,
   (SELECT json_group_array(line_id) FROM (SELECT DISTINCT x.line_id FROM built x WHERE x.host_id = b.host_id AND x.framework = b.framework ORDER BY 1)) AS evidence,
   (SELECT count(*) FROM gpu g WHERE g.host_id = b.host_id)
    + EXISTS (SELECT 1 FROM contract d WHERE d.host_id = b.host_id AND d.key = 'driver.version' AND d.layer IN ('loaded', 'nvml')) AS gpus
  FROM built b GROUP BY b.host_id, b.framework
)
SELECT o.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, iif(o.used, 0.95, 0.7) AS confidence, o.evidence AS evidence, o.framework AS grp,
 iif(o.used AND o.gpus > 0, 'error', 'info') AS severity, iif(o.used AND o.gpus > 0, 'fix_config', 'watch') AS action,
 CASE o.framework WHEN 'torch' THEN 'PyTorch' ELSE 'TensorFlow' END AS framework,
 coalesce((SELECT v.value FROM contract v WHERE v.host_id = o.host_id AND v.key = o.framework || '.version' ORDER BY v.layer = 'python' DESC, v.layer LIMIT 1), '') AS version,
 iif(o.used, 'in the environment that was asked', 'among the installed packages') AS in_use, iif(o.gpus > 0, ', on a machine with GPUs', '; no GPU is seen in the bundle') AS gpus
FROM one o
WHERE NOT EXISTS (SELECT 1 FROM contract h WHERE h.host_id = o.host_id AND h.key = 'host.os' AND (h.value LIKE 'macOS%' OR h.value LIKE 'Mac OS%' OR h.value LIKE '%Darwin%'))
