-- id:       fabric.health
-- title:    The NVLink fabric of a GPU is not in order
-- scope:    bundle
-- severity: error
-- symptom:  transfer
-- kind:     fault
-- points:   platform
-- shows:    condition
-- settle:   log.sxid
-- needs:    fact.fabric.bandwidth|fact.fabric.route_unhealthy|fact.fabric.health|fact.fabric.status
-- explains: host.nccl-hang any host
-- summary:  {gpu}: NVLink fabric: {what}
-- meaning:  The GPU is part of the fabric, but not with all of it: transfers between GPUs are slower than they should be, take a detour, or end with
--           errors. {others}
-- action:   fix_host
-- remedy:   {advice}
-- falsepositives: A recovery that is under way and ends by itself (warning); values that this board does not have ([N/A]); a GPU that has no fabric.
-- refs:     nvidia-smi manual, Fabric; NVML nvmlGpuFabricInfoV_t, healthMask
WITH said AS (
  SELECT c.host_id, c.gpu_id, c.key, lower(c.value) AS value, c.value AS words, c.line_id FROM contract c
  WHERE c.gpu_id IS NOT NULL AND c.key IN ('fabric.bandwidth', 'fabric.route_recovery', 'fabric.route_unhealthy', 'fabric.access_timeout_recovery',
   'fabric.incorrect_configuration', 'fabric.health', 'fabric.status', 'fabric.state')
),
bad AS ( -- 1 broken, 2 on the way
  SELECT s.*, CASE s.key WHEN 'fabric.route_recovery' THEN 2 WHEN 'fabric.access_timeout_recovery' THEN 2 ELSE 1 END AS grade,
   CASE s.key WHEN 'fabric.bandwidth' THEN 'bandwidth degraded' WHEN 'fabric.route_unhealthy' THEN 'a route is unhealthy' WHEN 'fabric.route_recovery' THEN 'routes are being recovered'
    WHEN 'fabric.access_timeout_recovery' THEN 'it recovers from an access timeout' WHEN 'fabric.incorrect_configuration' THEN 'configured wrongly (' || s.words || ')'
    WHEN 'fabric.health' THEN 'health ' || s.words ELSE 'registration ended with "' || s.words || '"' END AS what
  FROM said s
  WHERE CASE s.key WHEN 'fabric.bandwidth' THEN s.value = 'degraded' WHEN 'fabric.health' THEN s.value IN ('unhealthy', 'limited capacity', 'limited_capacity')
    WHEN 'fabric.incorrect_configuration' THEN s.value NOT IN ('none', 'false', 'no', 'n/a', 'not supported', 'not_supported', '')
    WHEN 'fabric.status' THEN s.value NOT IN ('success', 'n/a', 'not supported', '')
     AND EXISTS (SELECT 1 FROM said t WHERE t.gpu_id = s.gpu_id AND t.key = 'fabric.state' AND t.value = 'completed')
    WHEN 'fabric.state' THEN 0 ELSE s.value IN ('true', 'yes') END
),
per AS (
  SELECT b.host_id, b.gpu_id, min(b.grade) AS grade, json_group_array(b.line_id) AS lines,
   (SELECT group_concat(what, ', ') FROM (SELECT DISTINCT o.what FROM bad o WHERE o.gpu_id = b.gpu_id ORDER BY o.grade, o.line_id)) AS what
  FROM bad b GROUP BY b.host_id, b.gpu_id
),
watched AS (SELECT host_id, count(DISTINCT gpu_id) AS gpus FROM said GROUP BY host_id)
SELECT p.host_id AS host_id, p.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, p.lines AS evidence, 'fabric ' || p.what AS grp,
 CASE p.grade WHEN 2 THEN 'warning' ELSE 'error' END AS severity, CASE p.grade WHEN 2 THEN 'watch' ELSE 'fix_host' END AS action, p.what AS what,
 CASE WHEN w.gpus = 1 THEN '' WHEN (SELECT count(*) FROM per o WHERE o.host_id = p.host_id) = w.gpus
   THEN 'All GPUs of the host say it: evidence points at switches, trays or cables, not at one card.'
  ELSE printf('%d of %d GPUs of the host say it.', (SELECT count(*) FROM per o WHERE o.host_id = p.host_id), w.gpus) END AS others,
 CASE p.grade WHEN 2 THEN 'Look again in some minutes: nvidia-smi -q shows whether the recovery ended.'
  ELSE 'Look into the logs of Fabric Manager and the NVSwitches (SXid, NMX on racks) for the link, then reseat or replace its cable or tray; compare nvidia-smi nvlink -e on both ends.' END AS advice
FROM per p JOIN watched w ON w.host_id = p.host_id
