-- id:       triton.queue-dominates
-- title:    Requests of a Triton model wait longer than they are computed
-- scope:    bundle
-- severity: warning
-- symptom:  slow
-- kind:     fault
-- points:   application
-- shows:    effect
-- settle:   metric.triton.*
-- needs:    metric.triton.*|metric.perf.*
-- reads:    metric.triton.*|metric.perf.*
-- params:   ratio=1 min_queue_ms=2 min_requests=100
-- summary:  {model}: {queue_ms} ms in the queue for {compute_ms} ms of computing, on average{since}{window}
-- meaning:  {means}
-- action:   fix_config
-- remedy:   {advice}
-- falsepositives: Servers with hardly any requests; short waits; load tests, which fill the queue on purpose at high concurrency (only their lowest counts).
-- refs:     Triton documentation, metrics, dynamic batching (max_queue_delay_microseconds); ratio, min_queue_ms, min_requests: practice
WITH total AS ( -- sums of durations and counts: their growth, of a single look what there was since the start
  SELECT m.source_id, substr(m.key, 1, instr(m.key, '/') - 1) AS name, substr(m.key, instr(m.key, '/') + 1) AS model, CASE WHEN t.n > 1 THEN t.rise ELSE t.last END AS v, t.n > 1 AS grew, t.line_last
  FROM metric m JOIN metric_stat t ON t.metric_id = m.id WHERE m.key GLOB 'triton.inference_*/*'
),
served AS (
  SELECT t.source_id, t.model, max(CASE t.name WHEN 'triton.inference_queue_duration_us' THEN t.v END) AS queue, max(CASE t.name WHEN 'triton.inference_request_success' THEN t.v END) AS n,
   sum(CASE WHEN t.name IN ('triton.inference_compute_input_duration_us', 'triton.inference_compute_infer_duration_us', 'triton.inference_compute_output_duration_us') THEN t.v END) AS compute,
   max(CASE t.name WHEN 'triton.inference_queue_duration_us' THEN t.grew END) AS grew, max(CASE t.name WHEN 'triton.inference_queue_duration_us' THEN t.line_last END) AS line_id
  FROM total t GROUP BY t.source_id, t.model
),
tried AS ( -- perf_analyzer, at its lowest load
  SELECT m.source_id, m.key, s.value, s.line, row_number() OVER (PARTITION BY m.id ORDER BY s.seq, s.line) AS nth FROM metric m CROSS JOIN metric_sample s ON s.metric_id = m.id
  WHERE m.key IN ('perf.server_queue', 'perf.server_compute_input', 'perf.server_compute_infer', 'perf.server_compute_output', 'perf.server_compute')
),
waits AS (
  SELECT s.source_id, s.model, s.queue / s.n AS queue, s.compute / s.n AS compute, CASE WHEN s.grew THEN '' ELSE ' since the start of the server' END AS since, CASE WHEN s.grew THEN 0.95 ELSE 0.7 END AS sure, s.line_id
  FROM served s WHERE s.n >= coalesce(:min_requests, 100) AND s.compute > 0
  UNION ALL
  SELECT t.source_id, 'perf_analyzer', max(CASE t.key WHEN 'perf.server_queue' THEN t.value END), sum(CASE t.key WHEN 'perf.server_queue' THEN 0 ELSE t.value END), ' at its lowest load', 0.85, t.source_id << 32 | max(t.line)
  FROM tried t WHERE t.nth = 1 GROUP BY t.source_id
),
told AS (
  SELECT w.*, s.host_id, (SELECT max(CAST(d.value AS REAL)) FROM fact n JOIN fact d ON d.source_id = n.source_id AND d.key = 'triton.config.max_queue_delay_us'
    WHERE n.host_id = s.host_id AND n.key = 'triton.config.name' AND (w.model = n.value OR w.model GLOB n.value || '/*')) AS delay_us
  FROM waits w JOIN source s ON s.id = w.source_id
  WHERE s.host_id IS NOT NULL AND w.queue >= coalesce(:min_queue_ms, 2) * 1000 AND w.queue > w.compute * coalesce(:ratio, 1)
)
SELECT t.host_id AS host_id, NULL AS gpu_id, NULL AS t0_us, NULL AS t1_us, t.sure AS confidence, json_array(t.line_id) AS evidence, printf('model %d %s', t.source_id, t.model) AS grp,
 CASE t.model WHEN 'perf_analyzer' THEN 'The model of perf_analyzer' ELSE 'Model ' || t.model END AS model, round(t.queue / 1000.0, 1) AS queue_ms, round(t.compute / 1000.0, 1) AS compute_ms, t.since AS since,
 CASE WHEN t.delay_us > 0 THEN printf('; its batching window is %g ms', round(t.delay_us / 1000.0, 2)) ELSE '' END AS window,
 CASE WHEN t.delay_us >= t.queue / 2 THEN 'Most of the wait is the window in which the server collects a batch: the latency is configured, not lost in the GPU.'
  ELSE 'More comes in than the instances of this model take: the GPU may be idle or shared while requests wait.' END AS means,
 CASE WHEN t.delay_us >= t.queue / 2 THEN 'Shorten max_queue_delay_microseconds, or take preferred_batch_size from what really arrives together.'
  ELSE 'More instances (instance_group count), larger batches, or more replicas; see whether the GPU is busy (nv_gpu_utilization) and not held back by limits or others.' END AS advice
FROM told t
