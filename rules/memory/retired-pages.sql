-- id:       memory.retired-pages
-- title:    Many memory pages of a GPU are retired
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     fault
-- points:   hardware
-- shows:    condition
-- settle:   diag.memory
-- needs:    fact.retired.single_bit fact.retired.double_bit
-- reads:    fact.retired.single_bit|fact.retired.double_bit
-- params:   many=15 full=60
-- summary:  {gpu}: {pages} memory pages retired{how}
-- meaning:  Boards of before Ampere take bad pages out of use; the table for that ends at 64. {means}
-- action:   watch
-- remedy:   {todo}
-- falsepositives: Lists of [N/A], which stand for no page; a few pages of an old board.
-- refs:     NVIDIA dynamic page retirement, RMA criteria: many, full (table of 64)
WITH n AS (
  SELECT c.host_id, c.gpu_id, c.layer, sum(c.num) AS pages, max(CASE c.key WHEN 'retired.single_bit' THEN c.num END) AS single,
   max(CASE c.key WHEN 'retired.double_bit' THEN c.num END) AS double, json_group_array(c.line_id) AS evidence
  FROM contract c
  WHERE c.gpu_id IS NOT NULL AND c.key IN ('retired.single_bit', 'retired.double_bit') AND c.num IS NOT NULL
  GROUP BY c.host_id, c.gpu_id, c.layer
),
worst AS (
  SELECT n.*, n.pages >= coalesce(:full, 60) AS is_full, row_number() OVER (PARTITION BY n.gpu_id ORDER BY n.pages DESC, n.layer) AS nth FROM n
),
told AS (
  SELECT w.*, CASE WHEN w.is_full THEN 'gpu ' || w.gpu_id ELSE 'many' END AS grp FROM worst w WHERE w.nth = 1 AND w.pages >= coalesce(:many, 15)
),
range AS (
  SELECT t.*, min(t.pages) OVER k AS lo, max(t.pages) OVER k AS hi, count(*) OVER k AS gpus FROM told t
  WINDOW k AS (PARTITION BY t.host_id, t.grp)
)
SELECT t.host_id AS host_id, t.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence, t.evidence AS evidence, t.grp AS grp,
 CASE WHEN t.is_full THEN 'critical' ELSE 'warning' END AS severity, CASE WHEN t.is_full THEN 'drain_rma_candidate' ELSE 'watch' END AS action,
 CASE WHEN t.lo = t.hi THEN printf('%d', t.hi) ELSE printf('%d-%d', t.lo, t.hi) END AS pages,
 CASE WHEN t.gpus = 1 AND t.single IS NOT NULL AND t.double IS NOT NULL THEN printf(' (%d for corrected errors, %d for uncorrectable ones)', t.single, t.double)
  ELSE '' END AS how,
 CASE WHEN t.is_full THEN 'It is as good as full: evidence points at the memory of this card.' ELSE 'So many say that its memory wears: watch whether the number grows.' END
  AS means,
 CASE WHEN t.is_full THEN 'Drain the GPU; run the field diagnostic and open a case for replacement with its result.'
  ELSE 'Note the number and look again in a month; run the field diagnostic if it grew.' END AS todo
FROM range t
