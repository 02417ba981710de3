-- id:       memory.remap-failed
-- title:    Bad memory of a GPU could not be replaced by spare memory
-- scope:    bundle
-- severity: critical
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    condition
-- settle:   diag.memory
-- needs:    fact.remap.failure
-- reads:    fact.remap.failure|xid.64
-- explains: xid.memory-chain any gpu; xid.recovery-action any gpu; memory.remap-pending any gpu; memory.uncorrected-ecc any gpu;
--           memory.retired-pages any gpu; memory.bank-low any gpu; memory.corrected-history any gpu;
--           memory.ecc-without-log any gpu
-- summary:  {gpu}: {what}{count}
-- meaning:  {means} Programs that use that place will die of it again. The flag keeps what happened at any time in the life of the card.
-- action:   drain_rma_candidate
-- remedy:   Drain the GPU; run the field diagnostic and open a case for replacement with its result, this report and nvidia-smi -q.
-- falsepositives: Xid 64 that only says that the row already waits for its reset; boards without spare rows (N/A).
-- refs:     NVIDIA GPU memory error management, row remapping and RMA criteria; Xid catalog 64
WITH failed AS (
  SELECT c.host_id, c.gpu_id, c.gpu_id AS seat, NULL AS t_us, c.line_id, NULL AS reason, 0 AS boot_seq, 1 AS flag
  FROM contract c WHERE c.gpu_id IS NOT NULL AND c.key = 'remap.failure' AND c.value IN ('yes', '1')
  UNION ALL
  SELECT x.host_id, x.gpu_id, coalesce(x.gpu_id, 'at ' || r.bdf, 'unknown'), x.t_us, x.line_id,
   (SELECT a.value FROM event_attr a WHERE a.event_id = x.id AND a.name = 'repair'), coalesce(b.seq, 0), 0
  FROM xid x JOIN event e ON e.id = x.id LEFT JOIN gpu_ref r ON r.id = e.ref_id LEFT JOIN boot b ON b.id = x.boot_id
  WHERE x.code = 64 AND x.host_id IS NOT NULL
   AND EXISTS (SELECT 1 FROM event_attr a WHERE a.event_id = x.id AND a.name = 'state' AND a.value = 'failed')
),
seat AS (
  SELECT f.*, max(f.flag) OVER w AS flagged, sum(1 - f.flag) OVER w AS logged, max(f.reason) OVER w AS kind_of_repair
  FROM failed f WINDOW w AS (PARTITION BY f.host_id, f.seat)
)
SELECT s.host_id AS host_id, s.gpu_id AS gpu_id, s.t_us AS t0_us, s.t_us AS t1_us, 0.95 AS confidence, json_array(s.line_id) AS evidence,
 's' || s.seat AS grp, 'active' AS state,
 CASE WHEN s.kind_of_repair = 'page_retirement' THEN 'a bad memory page could not be retired'
  WHEN s.flagged AND s.logged THEN 'a bad memory row could not be replaced, as flag and log say'
  WHEN s.flagged THEN 'a bad memory row could not be replaced, now or at some time before' ELSE 'a bad memory row could not be replaced' END AS what,
 coalesce((SELECT printf('; %d rows replaced', sum(c.num)) FROM contract c WHERE c.gpu_id = s.gpu_id AND c.layer = (SELECT max(o.layer) FROM contract o
   WHERE o.gpu_id = s.gpu_id AND o.key = 'remap.uncorrectable') AND c.key IN ('remap.correctable', 'remap.uncorrectable') HAVING sum(c.num) > 0), '')
  || coalesce((SELECT printf(', %d bank(s) without a spare', max(c.num)) FROM contract c WHERE c.gpu_id = s.gpu_id AND c.key = 'remap.banks_none' HAVING max(c.num) > 0), '')
  AS count,
 CASE WHEN s.kind_of_repair = 'page_retirement' THEN 'The table of retired pages takes no more or could not be written.'
  ELSE 'The spare rows of that bank are used up, or the replacement was refused.' END AS means
FROM seat s
