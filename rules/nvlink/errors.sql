-- id:       nvlink.errors
-- title:    Error counters of NVLink
-- scope:    bundle
-- severity: warning
-- symptom:  transfer
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   fact.nvlink.*
-- needs:    metric.nvlink.crc_flit_errors|metric.nvlink.replay_errors
-- reads:    metric.nvlink.crc_flit_errors|metric.nvlink.crc_data_errors|metric.nvlink.replay_errors|metric.nvlink.recovery_errors
-- params:   crc_per_s=100
-- summary:  {gpu}: NVLink errors: {counters}
-- meaning:  {means}
-- action:   watch
-- remedy:   {advice}
-- falsepositives: Counters of a single capture, which count since the driver was loaded (info).
-- refs:     nvidia-smi manual, nvlink -e; DCGM health checks of NVLink; crc_per_s: DCGM, DCGM_LIMIT_MAX_NVLINK_ERROR for CRC
WITH counted AS (
  SELECT m.id, m.gpu_id, m.key, s.first, s.last, s.rise, s.n, s.line_first, s.line_last, s.line_max, r.line_id
  FROM metric m JOIN metric_stat s ON s.metric_id = m.id JOIN gpu_ref r ON r.id = m.ref_id
  WHERE m.gpu_id IS NOT NULL AND s.max > 0 AND m.key IN ('nvlink.crc_flit_errors', 'nvlink.crc_data_errors', 'nvlink.replay_errors', 'nvlink.recovery_errors')
),
rated AS ( -- over the time between the values, where the source has one
  SELECT c.*, CASE WHEN c.rise > 0 AND c.key LIKE 'nvlink.crc%' THEN (
    SELECT c.rise / nullif((max(v.t_raw_us) - min(v.t_raw_us)) / 1000000.0, 0) FROM metric_sample v WHERE v.metric_id = c.id) END AS per_s
  FROM counted c
),
per AS (
  SELECT r.gpu_id, max(r.rise > 0) AS grows, max(r.per_s >= coalesce(:crc_per_s, 100)) AS fast FROM rated r GROUP BY r.gpu_id
)
SELECT g.host_id AS host_id, p.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, CASE WHEN p.grows THEN 0.95 ELSE 0.5 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT r.line_max AS line_id FROM rated r WHERE r.gpu_id = p.gpu_id UNION
   SELECT r.line_first FROM rated r WHERE r.gpu_id = p.gpu_id AND r.rise > 0 ORDER BY 1 LIMIT 20)) AS evidence,
 CASE WHEN p.fast THEN 'critical' WHEN p.grows THEN 'warning' ELSE 'info' END AS severity,
 CASE WHEN p.fast THEN 'reset_gpu' ELSE 'watch' END AS action, CASE WHEN NOT p.grows THEN 'history' END AS state,
 (SELECT group_concat(word, ', ') FROM (SELECT DISTINCT replace(replace(r.key, 'nvlink.', ''), '_', ' ') || ' ' ||
   CASE WHEN r.rise > 0 THEN printf('grew by %g', r.rise) ELSE printf('%g', r.last) END || CASE WHEN r.per_s IS NULL THEN '' ELSE printf(' (%.1f/s)', r.per_s) END AS word
   FROM rated r WHERE r.gpu_id = p.gpu_id ORDER BY 1)) AS counters,
 CASE WHEN p.grows THEN 'They grow while being watched: transfers are repeated, and bandwidth goes down.' ELSE 'They count since the driver was loaded; whether they still grow is not known.' END AS means,
 CASE WHEN p.grows THEN 'Compare with the other GPUs and the far ends of the links (nvidia-smi nvlink -R); reset, reseat the module, and look at the switch.'
  ELSE 'Read them twice, some minutes apart, under load: nvidia-smi nvlink -e.' END AS advice
FROM per p JOIN gpu g ON g.id = p.gpu_id
