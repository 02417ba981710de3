-- id:       cuda.compat-mismatch
-- title:    CUDA's driver library does not fit the kernel module
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   driver
-- shows:    effect
-- settle:   fact.cuda.compat
-- needs:    log.cuda.error|fact.cuda.compat fact.driver.version
-- summary:  {what}{versions}
-- meaning:  libcuda.so and the kernel module must be of one version, unless cuda-compat is newer than the module, on a data-center GPU. 803: the library
--           is of another version than the module. 804: cuda-compat was tried on a GPU, mostly a GeForce, where it is not supported.
-- action:   fix_config
-- remedy:   {todo}
-- falsepositives: cuda-compat that is newer than the module and in use (cuda.forward-compat); a copy that is installed and not used.
-- refs:     CUDA runtime errors 803 cudaErrorSystemDriverMismatch and 804 cudaErrorCompatNotSupportedOnDevice; NVIDIA CUDA compatibility guide

WITH kernel AS (
  SELECT host_id, value, num, line_id, row_number() OVER (PARTITION BY host_id ORDER BY layer = 'loaded' DESC, layer) AS nth
  FROM contract WHERE key = 'driver.version' AND gpu_id IS NULL AND layer IN ('loaded', 'nvml') AND num IS NOT NULL
),
library AS ( -- what a program loaded, or would load
  SELECT host_id, key, layer, value, num, line_id FROM contract
  WHERE gpu_id IS NULL AND num IS NOT NULL AND (key = 'cuda.compat' OR (key = 'driver.version' AND layer = 'libcuda'))
),
said AS (
  SELECT e.host_id, e.t_us, e.t_quality, e.line_id, CAST(a.value AS INTEGER) AS error
  FROM event e JOIN event_attr a ON a.event_id = e.id AND a.name = 'error' AND a.value IN ('803', '804')
  WHERE e.kind = 'cuda.error' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
found AS (
  SELECT s.host_id, s.t_us, nullif(s.t_quality, 'unknown') AS t_quality, 0.95 AS confidence, json_array(s.line_id) AS evidence, 'said' AS grp, s.error,
   printf('CUDA error %d: ', s.error) || iif(s.error = 803, 'the driver library and the kernel module do not fit', 'forward compatibility was tried on a GPU that does not support it') AS what
  FROM said s
  UNION ALL
  -- Older than the module: no direction of compatibility covers that. A program that loaded it is needed: installed is not used.
  SELECT l.host_id, NULL, NULL, 0.85, json_array(l.line_id, k.line_id), 'version', 803, 'a program loads a libcuda of another version than the kernel module'
  FROM library l JOIN kernel k ON k.host_id = l.host_id AND k.nth = 1
  WHERE l.layer = 'libcuda' AND l.num <> k.num AND instr(l.value || '.', k.value || '.') <> 1 AND instr(k.value || '.', l.value || '.') <> 1
   AND NOT EXISTS (SELECT 1 FROM contract f WHERE f.host_id = l.host_id AND f.key = 'cuda.forward_compat' AND f.value = 'enabled' AND l.num > k.num)
)
SELECT f.host_id AS host_id, NULL AS gpu_id, f.t_us AS t0_us, f.t_us AS t1_us, f.t_quality AS t_quality, f.confidence AS confidence, f.evidence AS evidence, 'host' AS grp, f.what AS what,
 coalesce(' (library ' || (SELECT group_concat(value, ', ') FROM (SELECT DISTINCT l.value FROM library l WHERE l.host_id = f.host_id ORDER BY 1)) || ', module '
  || (SELECT k.value FROM kernel k WHERE k.host_id = f.host_id AND k.nth = 1) || ')', '') AS versions,
 iif(f.error = 804, 'Take cuda-compat out of the image or of LD_LIBRARY_PATH, or update the driver of the host to what the image asks for.',
  'In a container: do not bake driver libraries into the image; let the container toolkit mount those of the host, and take old cuda-compat out of LD_LIBRARY_PATH. On the host: find / -name ''libcuda.so*'', remove copies, ldconfig, reboot.') AS todo
FROM found f
