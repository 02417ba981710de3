-- id:       cuda.mixed-install
-- title:    Parts of the framework in one environment do not belong together
-- scope:    bundle
-- severity: warning
-- symptom:  start
-- kind:     fault
-- points:   application
-- shows:    condition
-- settle:   fact.torch.version
-- needs:    fact.torch.version
-- reads:    fact.torch.version|fact.torchvision.version
-- summary:  {what}
-- meaning:  The parts were installed at different times or by different tools. What is imported may not be what the list of packages says: operators
--           are missing, libraries of another CUDA are loaded, and results of one node cannot be held against another's.
-- action:   fix_config
-- remedy:   Make a new environment and install torch, torchvision and torchaudio in one command from one source; then pin the versions.
-- falsepositives: The same version from pip and conda; nightly and source builds beside their own kind; other CUDA toolkits on the host, which the
--           framework does not use.
-- refs:     pytorch/vision README, table of compatible versions; PEP 440 local versions

WITH v AS ( -- "1.8.0a0+af2250e": release, build
  SELECT c.host_id, c.key, c.layer, c.value, c.line_id, c.num,
   CASE WHEN instr(c.value, '+') > 0 THEN substr(c.value, 1, instr(c.value, '+') - 1) ELSE c.value END AS release,
   CASE WHEN instr(c.value, '+') > 0 THEN substr(c.value, instr(c.value, '+') + 1) END AS build
  FROM contract c WHERE c.gpu_id IS NULL AND c.key IN ('torch.version', 'torchvision.version') AND c.value <> 'none' AND c.layer <> 'container'
),
-- What is imported, and what the list says.
two AS (
  SELECT a.host_id, a.line_id AS line_a, b.line_id AS line_b, 1 AS used,
   printf('PyTorch %s is imported, and %s lists %s', a.value, b.layer, b.value) AS what, 'torch' AS grp
  FROM v a JOIN v b ON b.host_id = a.host_id AND b.key = a.key AND b.layer <> 'python'
  WHERE a.key = 'torch.version' AND a.layer = 'python' AND (a.release <> b.release OR a.build <> b.build)
   AND NOT EXISTS (SELECT 1 FROM v o WHERE o.host_id = a.host_id AND o.key = a.key AND o.layer <> 'python' AND o.release = a.release AND coalesce(o.build = a.build, 1))
  UNION ALL
  SELECT a.host_id, a.line_id, b.line_id, 0, printf('%s lists PyTorch %s, %s lists %s', a.layer, a.value, b.layer, b.value), 'torch'
  FROM v a JOIN v b ON b.host_id = a.host_id AND b.key = a.key AND b.layer > a.layer AND b.layer <> 'python'
  WHERE a.key = 'torch.version' AND a.layer <> 'python' AND a.release <> b.release
   AND NOT EXISTS (SELECT 1 FROM v o WHERE o.host_id = a.host_id AND o.key = a.key AND o.layer = 'python')
),
-- torchvision 0.(m + 1) is of torch 1.m, 0.(m + 15) of 2.m; from 1.4 on.
pair AS (
  SELECT t.host_id, t.line_id AS line_a, i.line_id AS line_b, EXISTS (SELECT 1 FROM v p WHERE p.host_id = t.host_id AND p.key = t.key AND p.layer = 'python') AS used,
   t.value AS torch, i.value AS vision, t.num AS torch_num, CAST(substr(i.value, 3) AS INTEGER) AS vision_minor, t.build AS torch_build, i.build AS vision_build
  FROM v t JOIN v i ON i.host_id = t.host_id AND i.key = 'torchvision.version' AND i.layer = t.layer AND i.value LIKE '0.%'
  -- source and nightly builds number themselves as the next or the last release
  WHERE t.key = 'torch.version' AND t.num BETWEEN 1004 AND 2999 AND t.release NOT GLOB '*[a-z]*'
),
found AS (
  SELECT * FROM two
  UNION ALL
  SELECT host_id, line_a, line_b, used, printf('torchvision %s beside PyTorch %s: it belongs to PyTorch %s', vision, torch,
    CASE WHEN vision_minor >= 15 THEN printf('2.%d', vision_minor - 15) ELSE printf('1.%d', vision_minor - 1) END), 'vision'
  FROM pair WHERE vision_minor <> CASE WHEN torch_num >= 2000 THEN torch_num - 2000 + 15 ELSE torch_num - 1000 + 1 END
  UNION ALL
  SELECT host_id, line_a, line_b, used, printf('torchvision %s beside PyTorch %s: built with different CUDA', vision, torch), 'vision'
  FROM pair WHERE torch_build GLOB 'cu[0-9]*' AND (vision_build GLOB 'cu[0-9]*' OR vision_build = 'cpu') AND torch_build <> vision_build
)
SELECT f.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.85 AS confidence, json_array(f.line_a, f.line_b) AS evidence,
 f.grp AS grp, iif(f.used, 'warning', 'info') AS severity, f.what AS what
FROM found f
