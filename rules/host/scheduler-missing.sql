-- id:       host.scheduler-missing
-- title:    A scheduler finds fewer GPUs on a node than it should
-- scope:    bundle
-- severity: error
-- symptom:  missing
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   pcie.ports
-- needs:    log.scheduler.gpu_missing
-- summary:  {who} finds {amount} on {node}{times}
-- meaning:  A GPU that was there is not, or does not answer: the scheduler only counts. A job that asks for the whole node no longer starts there.
-- action:   collect
-- remedy:   Compare nvidia-smi -L with lspci -d 10de: on that node: a card that lspci lacks is gone from PCIe, one that only nvidia-smi lacks failed in the
--           driver. The kernel log of that minute says why.
-- falsepositives: A wrong count in gres.conf; a device plugin that was just restarted (warning).
-- refs:     Slurm gres.conf, AutoDetect; Kubernetes device manager, UnexpectedAdmissionError
WITH said AS (
  SELECT e.*, coalesce(b.seq, 0) AS boot_seq,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'by') AS layer, (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'node') AS node,
   (SELECT CAST(a.value AS INTEGER) FROM event_attr a WHERE a.event_id = e.id AND a.name = 'found') AS found,
   (SELECT CAST(a.value AS INTEGER) FROM event_attr a WHERE a.event_id = e.id AND a.name = 'wanted') AS wanted
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id WHERE e.kind = 'scheduler.gpu_missing' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
seat AS (
  SELECT s.*, coalesce(s.node, CASE WHEN s.layer = 'slurm' THEN h.name END, 'a node') AS at, h.name FROM said s JOIN host h ON h.id = s.host_id
),
ranked AS (
  SELECT s.*, count(*) OVER w AS n, row_number() OVER (w ORDER BY s.found IS NULL, s.t_us DESC, s.id DESC) AS nth, min(s.t_us) OVER w AS from_us, max(s.t_us) OVER w AS to_us,
   max(s.boot_seq) OVER w AS last_seq
  FROM seat s WINDOW w AS (PARTITION BY s.host_id, s.layer, s.at)
)
SELECT r.host_id AS host_id, NULL AS gpu_id, r.from_us AS t0_us, r.to_us AS t1_us, CASE r.layer WHEN 'slurm' THEN 0.85 ELSE 0.7 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT o.line_id FROM ranked o WHERE o.host_id = r.host_id AND o.layer IS r.layer AND o.at = r.at ORDER BY o.nth LIMIT 10)) AS evidence,
 coalesce(r.layer, '') || ' ' || r.at AS grp, CASE r.layer WHEN 'slurm' THEN 'error' ELSE 'warning' END AS severity, CASE WHEN r.last_seq < 0 THEN 'history' END AS state,
 CASE r.layer WHEN 'slurm' THEN 'Slurm' WHEN 'kubernetes' THEN 'Kubernetes' ELSE 'the scheduler' END AS who,
 CASE WHEN r.found IS NULL THEN 'fewer GPUs than configured' ELSE printf('%d of %d GPUs', r.found, r.wanted) END AS amount,
 r.at AS node, CASE WHEN r.n > 1 THEN printf(', said %d times', r.n) ELSE '' END AS times
FROM ranked r WHERE r.nth = 1
