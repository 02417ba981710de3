-- id:       memory.uncorrected-ecc
-- title:    Uncorrectable memory errors of a GPU, by its counters or by the words of the log
-- scope:    bundle
-- severity: error
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   log.xid
-- needs:    fact.ecc.uncorrected.volatile.dram|fact.ecc.uncorrected.volatile.sram|fact.ecc.uncorrected.volatile.sram_parity|fact.ecc.uncorrected.volatile.device_memory|fact.ecc.uncorrected.volatile.total|metric.ecc.uncorrected_errors
-- explains: memory.remap-pending any gpu; memory.ecc-without-log any gpu; memory.repair-pending any gpu
-- summary:  {gpu}: {what}
-- meaning:  {means}
-- action:   reset_gpu
-- remedy:   {todo}
-- falsepositives: Corrected errors. Counts over the life of the board are history and only a note. What the log tells of the same errors
--           leads (xid.memory-chain); its words count where no counter says it, a program's own where the log does not either.
-- refs:     NVIDIA GPU memory error management; nvidia-smi manual, ECC Errors; CUDA runtime error 214
WITH counter AS ( -- the newest word on each counter; a total stands in where the parts are not said
  SELECT c.host_id, c.gpu_id, c.key, max(c.num) AS num, min(c.line_id) AS line_id, c.key GLOB '*.volatile.*' AS volatile
  FROM contract c
  WHERE c.gpu_id IS NOT NULL AND c.key GLOB 'ecc.uncorrected.*' AND c.num > 0
  GROUP BY c.host_id, c.gpu_id, c.key
),
part AS (
  SELECT c.*, CASE WHEN c.key GLOB '*.sram*' THEN 'on-chip memory (SRAM)' WHEN c.key GLOB '*.dram' OR c.key GLOB '*.device_memory' THEN 'video memory (DRAM)'
    WHEN c.key GLOB '*.total' THEN 'memory' ELSE replace(substr(c.key, CASE WHEN c.volatile THEN 26 ELSE 27 END), '_', ' ') END AS place
  FROM counter c
  WHERE NOT (c.key GLOB '*.total' AND EXISTS (SELECT 1 FROM counter o WHERE o.gpu_id = c.gpu_id AND o.volatile = c.volatile AND o.key <> c.key))
   AND NOT (c.key GLOB '*.device_memory' AND EXISTS (SELECT 1 FROM counter o WHERE o.gpu_id = c.gpu_id AND o.volatile = c.volatile AND o.key GLOB '*.dram'))
   AND NOT (c.key GLOB '*.sram' AND EXISTS (SELECT 1 FROM counter o WHERE o.gpu_id = c.gpu_id AND o.volatile = c.volatile AND o.key GLOB '*.sram_*'))
),
place AS (
  SELECT host_id, gpu_id, volatile, place, sum(num) AS num, min(line_id) AS line_id FROM part GROUP BY host_id, gpu_id, volatile, place
),
grown AS ( -- a series that rose while it was watched
  SELECT g.host_id, m.gpu_id, t.rise, (m.source_id << 32) | t.line_max AS line_id
  FROM metric m JOIN metric_stat t ON t.metric_id = m.id JOIN gpu g ON g.id = m.gpu_id
  WHERE m.key = 'ecc.uncorrected_errors' AND t.rise > 0
),
fresh AS (
  SELECT host_id, gpu_id, num, place, line_id, 1 AS volatile FROM place WHERE volatile
  UNION ALL
  SELECT n.host_id, n.gpu_id, n.rise, 'memory, while it was watched', n.line_id, 1 FROM grown n
  WHERE NOT EXISTS (SELECT 1 FROM place p WHERE p.gpu_id = n.gpu_id AND p.volatile)
),
said AS (
  SELECT * FROM fresh
  UNION ALL
  SELECT host_id, gpu_id, num, place, line_id, 0 FROM place p WHERE NOT p.volatile AND NOT EXISTS (SELECT 1 FROM fresh f WHERE f.gpu_id = p.gpu_id)
   -- A repair that waits says the same and more.
   AND NOT EXISTS (SELECT 1 FROM contract c WHERE c.gpu_id = p.gpu_id AND c.key IN ('remap.pending', 'retired.pending', 'repair.channel_pending')
     AND c.value IN ('yes', '1'))
),
stood AS ( -- a series that already had counted some when the watch began: since when it counts it does not say
  SELECT g.host_id, m.gpu_id, max(t.min) AS num, min((m.source_id << 32) | t.line_max) AS line_id
  FROM metric m JOIN metric_stat t ON t.metric_id = m.id JOIN gpu g ON g.id = m.gpu_id
  WHERE m.key = 'ecc.uncorrected_errors' AND t.min > 0 AND NOT EXISTS (SELECT 1 FROM said s WHERE s.gpu_id = m.gpu_id)
  GROUP BY g.host_id, m.gpu_id
),
spoken AS ( -- the text says what was lost, and what it takes
  SELECT x.id, x.host_id, x.gpu_id, x.t_us, x.line_id, x.code, x.code <> 94 OR EXISTS (SELECT 1 FROM event_attr a
    WHERE a.event_id = x.id AND a.name IN ('rst', 'drst') AND a.value = 'Yes') AS lost
  FROM xid x
  WHERE x.host_id IS NOT NULL AND (x.code IN (94, 95, 140, 172)
    OR (x.code = 48 AND EXISTS (SELECT 1 FROM event_attr a WHERE a.event_id = x.id AND a.name IN ('rst', 'drst') AND a.value = 'Yes')))
   AND NOT EXISTS (SELECT 1 FROM fresh f WHERE f.gpu_id = x.gpu_id)
),
worded AS ( -- of a storm the first ones, which are cited, and the last one, which ends it
  SELECT * FROM (SELECT s.*, row_number() OVER (PARTITION BY host_id, gpu_id, lost ORDER BY t_us, id) AS nth,
    row_number() OVER (PARTITION BY host_id, gpu_id, lost ORDER BY t_us DESC, id DESC) AS from_end FROM spoken s)
  WHERE nth <= 50 OR from_end = 1
),
told AS (
  SELECT n.host_id, n.gpu_id, NULL AS t_us, n.line_id, 0.85 AS confidence, 5 AS volatile, 'gpu ' || n.gpu_id AS grp, printf('%d', n.num) AS amount FROM stood n
  UNION ALL
  SELECT s.host_id, s.gpu_id, NULL AS t_us, s.line_id, 0.95 AS confidence, s.volatile, 'gpu ' || s.gpu_id AS grp,
   (SELECT group_concat(printf('%d in %s', o.num, o.place), ', ') FROM (SELECT o.num, o.place FROM said o WHERE o.gpu_id = s.gpu_id ORDER BY o.line_id, o.place) o) AS amount
  FROM said s
  UNION ALL
  SELECT w.host_id, w.gpu_id, w.t_us, w.line_id, 0.95, CASE WHEN w.lost THEN 4 ELSE 3 END, 'gpu ' || coalesce(w.gpu_id, 'unknown'),
   CASE WHEN w.lost THEN printf('uncorrectable memory error that takes a reset (Xid %d)', w.code) ELSE 'uncorrectable memory error, contained: one program lost its work (Xid 94)' END
  FROM worded w
  UNION ALL
  SELECT e.host_id, e.gpu_id, e.t_us, e.line_id, 0.7, 2, 'program', NULL
  FROM event e JOIN event_attr a ON a.event_id = e.id AND a.name = 'error'
  WHERE e.kind = 'cuda.error' AND e.copy_of IS NULL AND e.host_id IS NOT NULL AND a.num = 214
   AND NOT EXISTS (SELECT 1 FROM fresh f WHERE f.host_id = e.host_id)
   AND NOT EXISTS (SELECT 1 FROM xid x WHERE x.host_id = e.host_id AND x.code IN (48, 94, 95, 140, 171, 172))
)
SELECT t.host_id AS host_id, t.gpu_id AS gpu_id, t.t_us AS t0_us, t.t_us AS t1_us, t.confidence AS confidence, json_array(t.line_id) AS evidence,
 CASE WHEN t.volatile IN (0, 5) THEN 'info' WHEN t.volatile = 4 THEN 'critical' ELSE 'error' END AS severity, CASE t.volatile WHEN 0 THEN 'none' WHEN 5 THEN 'watch' WHEN 2 THEN 'collect' ELSE 'reset_gpu' END AS action,
 CASE WHEN t.volatile IN (0, 5) THEN 'history' END AS state, t.grp AS grp,
 CASE t.volatile WHEN 1 THEN 'uncorrectable memory errors since the driver was loaded: ' || t.amount
  WHEN 3 THEN t.amount WHEN 4 THEN t.amount
  WHEN 0 THEN 'uncorrectable memory errors over the life of the board, none since the driver was loaded: ' || t.amount
  WHEN 5 THEN 'uncorrectable memory errors counted before the watch began, none in it: ' || t.amount
  ELSE 'a program ended with "uncorrectable ECC error encountered"' END AS what,
 CASE WHEN t.volatile IN (0, 5) THEN 'What was lost was lost then; bad places were replaced where the board can do so.'
  ELSE 'Data was lost: the program that used the place died, or read wrong data.' END AS means,
 CASE t.volatile WHEN 5 THEN 'See in nvidia-smi -q -d ECC,ROW_REMAPPER whether they are of this boot, and whether a repair waits.' WHEN 0 THEN 'Nothing now. Compare the counts with those of the next weeks.'
  WHEN 2 THEN 'Look which GPU it was: nvidia-smi -q -d ECC,ROW_REMAPPER and the kernel log, before a reset.'
  ELSE 'Keep nvidia-smi -q and the kernel log, then drain and reset the GPU (nvidia-smi -r -i INDEX, else reboot). If it comes back run the field diagnostic.'
  END AS todo
FROM told t
