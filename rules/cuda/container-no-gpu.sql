-- id:       cuda.container-no-gpu
-- title:    A container has no GPU, or lost it
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   platform
-- shows:    effect
-- settle:   fact.container.gpus
-- needs:    log.container.no_driver|log.smi.nvml_unknown|fact.container.gpus
-- reads:    event.container.no_driver|event.smi.nvml_unknown|event.cuda.no_device
-- summary:  {what}{host_fine}
-- meaning:  {means}
-- action:   restart_app
-- remedy:   {todo}
-- falsepositives: A host whose own driver is missing (driver.module-missing); "Unknown Error" outside of containers; CUDA_VISIBLE_DEVICES set to none.
-- refs:     NVIDIA container toolkit, troubleshooting; issue 48 of NVIDIA/nvidia-container-toolkit; entry scripts of the NGC images

WITH fine AS ( -- hosts whose driver runs
  SELECT host_id, min(line_id) AS line_id FROM contract
  WHERE key = 'driver.version' AND gpu_id IS NULL AND layer IN ('loaded', 'nvml') AND value <> 'none' GROUP BY host_id
),
broken AS (
  SELECT host_id FROM event WHERE kind IN ('nvrm.none_initialized', 'nvrm.init_failed', 'nvrm.fallen_off_bus', 'module.rejected') AND host_id IS NOT NULL
  UNION SELECT host_id FROM event WHERE kind = 'smi.no_driver' AND host_id IS NOT NULL
),
inside AS ( -- sources that are of a container
  SELECT s.id FROM source s
  WHERE s.path LIKE '%docker%' OR s.path LIKE '%container%' OR s.path LIKE '%pod%' OR s.path LIKE '%kubectl%' OR coalesce(s.title, '') LIKE '%docker %'
   OR coalesce(s.title, '') LIKE '%podman %' OR coalesce(s.title, '') LIKE '%kubectl %' OR coalesce(s.title, '') LIKE '%nerdctl %'
  -- what follows the banner of an image
  UNION SELECT s.id FROM source s WHERE coalesce(s.parent_id, s.id) IN (SELECT coalesce(b.parent_id, b.id) FROM fact f JOIN source b ON b.id = f.source_id
   WHERE f.key IN ('container.product', 'container.release'))
),
docker AS (SELECT DISTINCT host_id FROM contract WHERE key LIKE 'container.%' OR key LIKE 'docker.%'),
reload AS (SELECT host_id, t_us, t_quality, line_id FROM event WHERE kind = 'systemd.reload' AND copy_of IS NULL),
found AS (
  SELECT e.host_id, e.t_us, e.t_quality, e.line_id, 'start' AS grp, 0.95 AS confidence, NULL AS also,
   'a container found no NVIDIA driver when it started' AS what
  FROM event e WHERE e.kind = 'container.no_driver' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
  UNION ALL
  SELECT e.host_id, e.t_us, e.t_quality, e.line_id, 'lost', CASE WHEN i.id IS NOT NULL THEN 0.85 ELSE 0.5 END,
   (SELECT max(r.line_id) FROM reload r WHERE r.host_id = e.host_id AND ((r.t_quality = e.t_quality AND r.t_us < e.t_us) OR e.t_us IS NULL)),
   'a container lost its GPUs: NVML answers "Unknown Error"'
  FROM event e LEFT JOIN inside i ON i.id = e.source_id
  WHERE e.kind = 'smi.nvml_unknown' AND e.copy_of IS NULL AND e.host_id IS NOT NULL AND (i.id IS NOT NULL OR e.host_id IN (SELECT host_id FROM docker))
  UNION ALL
  SELECT e.host_id, e.t_us, e.t_quality, e.line_id, 'start', CASE WHEN f.host_id IS NOT NULL THEN 0.85 ELSE 0.7 END, NULL, 'a program in a container sees no GPU'
  FROM event e JOIN inside i ON i.id = e.source_id LEFT JOIN fine f ON f.host_id = e.host_id
  WHERE e.kind = 'cuda.no_device' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
  UNION ALL -- a server that is shipped as an image and, as a rule, run so
  SELECT e.host_id, e.t_us, e.t_quality, e.line_id, 'start', 0.5, NULL, 'Triton, which is mostly run in a container, sees no GPU'
  FROM event e JOIN event_attr a ON a.event_id = e.id AND a.name = 'by' AND a.value = 'triton'
  WHERE e.kind = 'cuda.no_device' AND e.copy_of IS NULL AND e.host_id IS NOT NULL AND e.source_id NOT IN (SELECT id FROM inside)
   AND NOT EXISTS (SELECT 1 FROM gpu g JOIN gpu_ref r ON r.gpu_id = g.id WHERE r.source_id = e.source_id)
),
-- A container that was given none, by docker inspect.
given AS (
  SELECT c.host_id, c.layer AS name, c.value, c.line_id FROM contract c WHERE c.key = 'container.runtime' AND c.value NOT LIKE '%nvidia%'
   AND NOT EXISTS (SELECT 1 FROM contract g WHERE g.host_id = c.host_id AND g.key = 'container.gpus' AND g.layer = c.layer AND g.value NOT IN ('', 'none', 'void'))
),
told AS (
  SELECT f.*, (SELECT min(g.line_id) FROM given g WHERE g.host_id = f.host_id AND f.grp = 'start') AS given_line, p.line_id AS fine_line,
   row_number() OVER (PARTITION BY f.host_id, f.grp ORDER BY f.confidence DESC, f.t_us DESC, f.line_id) AS nth
  FROM found f LEFT JOIN fine p ON p.host_id = f.host_id
  WHERE f.host_id NOT IN (SELECT host_id FROM broken)
)
SELECT t.host_id AS host_id, NULL AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, nullif(t.t_quality, 'unknown') AS t_quality, t.confidence AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT t.line_id UNION SELECT t.given_line WHERE t.given_line IS NOT NULL UNION SELECT t.also WHERE t.also IS NOT NULL ORDER BY 1)) AS evidence,
 t.grp AS grp, CASE WHEN t.grp = 'start' AND t.confidence = 0.5 THEN 'warning' END AS severity, CASE WHEN t.grp = 'lost' THEN 'restart_app' ELSE 'fix_config' END AS action,
 t.what || CASE WHEN t.given_line IS NOT NULL THEN '; docker inspect shows one that was given no GPU' WHEN t.also IS NOT NULL THEN ', after systemd was reloaded' ELSE '' END AS what,
 CASE WHEN t.fine_line IS NOT NULL THEN '; the driver of the host runs' ELSE '' END AS host_fine,
 CASE WHEN t.grp = 'lost' THEN 'systemd manages the devices that a container may open. When it reads its units again (systemctl daemon-reload, which every package update does), it takes away those it does not know of. GPUs and driver are sound.'
  ELSE 'The container runtime did not hand over the devices and libraries: it was started without them, or the NVIDIA runtime is not set up. GPUs and driver are sound.' END AS means,
 CASE WHEN t.grp = 'lost' THEN 'Restart the container: it has its GPUs again. For good: container toolkit 1.18.1 or newer with CDI, or "native.cgroupdriver=cgroupfs" in daemon.json.'
  ELSE 'docker run --gpus all (or --runtime=nvidia with NVIDIA_VISIBLE_DEVICES=all; in Kubernetes a limit of nvidia.com/gpu). Test with docker run --rm --gpus all ubuntu nvidia-smi; if that fails: nvidia-ctk runtime configure, restart docker.' END AS todo
FROM told t WHERE t.nth <= 12
