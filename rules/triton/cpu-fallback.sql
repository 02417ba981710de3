-- id:       triton.cpu-fallback
-- title:    A Triton server runs models on the CPU because CUDA failed
-- scope:    bundle
-- severity: error
-- symptom:  slow
-- kind:     fault
-- points:   driver
-- shows:    effect
-- settle:   log.triton.*
-- needs:    log.triton.cpu_instance
-- reads:    event.triton.cpu_instance|event.triton.model_ready
-- explains: triton.queue-dominates any host
-- summary:  {host}: {models} on the CPU: {reason}
-- meaning:  The server came up and answers, many times slower than it should. Nothing restarts it, because to its health check it is ready.
-- action:   fix_config
-- remedy:   See that the container gets the GPUs (--gpus all, nvidia runtime, the device plugin) and that the driver is new enough for the image; start it anew. KIND_GPU in config.pbtxt
--           lets a model fail instead of falling back.
-- falsepositives: Models that are configured for the CPU (KIND_CPU); servers on machines where nothing speaks of a GPU; servers whose models did not come up.
-- refs:     Triton documentation, model configuration (instance groups); Triton backend API
WITH failed AS ( -- CUDA did not work in this server, the first message that says so
  SELECT e.source_id, e.host_id, e.kind, e.line_id, e.text, row_number() OVER (PARTITION BY e.source_id ORDER BY e.id) AS nth FROM event e
  WHERE e.kind IN ('cuda.no_device', 'cuda.driver_too_old', 'cuda.error', 'cuda.provider_failed') AND e.host_id IS NOT NULL
),
meant AS ( -- models that shall run on the CPU
  SELECT n.host_id, n.value AS model FROM fact n JOIN fact k ON k.source_id = n.source_id AND k.key = 'triton.config.instance_kind' WHERE n.key = 'triton.config.name' AND k.value = 'KIND_CPU'
),
placed AS (
  SELECT e.source_id, e.host_id, e.id, e.line_id, e.kind, e.t_us, e.t_quality, a.value AS name FROM event e JOIN event_attr a ON a.event_id = e.id AND a.name IN ('instance', 'model')
  WHERE e.kind IN ('triton.cpu_instance', 'triton.model_ready')
),
own AS (
  SELECT p.*, f.kind AS why, f.line_id AS why_line, max(p.kind = 'triton.cpu_instance') OVER (PARTITION BY p.source_id) AS told
  FROM placed p JOIN failed f ON f.source_id = p.source_id AND f.nth = 1
  WHERE NOT EXISTS (SELECT 1 FROM meant m WHERE m.host_id = p.host_id AND (p.name = m.model OR p.name GLOB m.model || '_[0-9]*'))
),
counted AS (
  SELECT o.*, count(*) OVER (PARTITION BY o.source_id) AS n, row_number() OVER (PARTITION BY o.source_id ORDER BY o.id) AS nth FROM own o
  WHERE (o.kind = 'triton.cpu_instance') = o.told
)
SELECT c.host_id AS host_id, NULL AS gpu_id, c.t_us AS t0_us, c.t_us AS t1_us, CASE WHEN c.told THEN 0.95 ELSE 0.7 END AS confidence,
 json_array(c.why_line, c.line_id) AS evidence, printf('server %d', c.source_id) AS grp,
 CASE WHEN c.told THEN printf('%d instance(s) of models run', c.n) ELSE printf('%d model(s) are ready', c.n) END AS models,
 CASE c.why WHEN 'cuda.no_device' THEN 'the server sees no GPU' WHEN 'cuda.driver_too_old' THEN 'the driver is too old for its CUDA' WHEN 'cuda.provider_failed' THEN 'the CUDA provider of ONNX Runtime could not be created'
  ELSE 'CUDA failed at the start' END AS reason
FROM counted c
WHERE c.nth <= 20 AND (c.why <> 'cuda.no_device' OR EXISTS (SELECT 1 FROM gpu g WHERE g.host_id = c.host_id) OR EXISTS (SELECT 1 FROM pci_device d WHERE d.host_id = c.host_id AND d.vendor_id = 0x10de)
 OR EXISTS (SELECT 1 FROM fact f WHERE f.host_id = c.host_id AND (f.key = 'triton.config.instance_kind' AND f.value = 'KIND_GPU' OR f.key = 'env.NVIDIA_VISIBLE_DEVICES' AND f.value NOT IN ('void', 'none', '""'))))
