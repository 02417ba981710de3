-- id:       driver.gpu-unresponsive
-- title:    nvidia-smi gets no answer from a GPU
-- scope:    bundle
-- severity: critical
-- symptom:  missing
-- kind:     fault
-- points:   unknown
-- shows:    effect
-- settle:   log.xid
-- needs:    log.smi.unknown_error
-- reads:    event.smi.unknown_error|event.smi.requires_reset|event.smi.gpu_lost|event.smi.handle_error
-- params:   min_cells=2
-- summary:  {gpu}{address}: {who} says "{said}"{cells}{cured}
-- meaning:  The driver cannot talk to this GPU any more: it hangs, waits for a reset, or is gone. Until then each tool that asks it waits or
--           fails, and one such GPU can keep nvidia-smi from printing anything of the others.
-- action:   reboot_node
-- remedy:   {advice} Before that, save the kernel log of this boot: the Xid before this moment says why.
-- falsepositives: A value that this board does not have ([N/A]); ERR! as CUDA version; one broken sensor, such as a fan, beside good values.
-- refs:     NVML nvmlErrorString: GPU_IS_LOST, RESET_REQUIRED, UNKNOWN; min_cells: practice, a sensor that fails spoils one value
WITH said AS (
  SELECT e.*, coalesce(b.seq, 0) AS boot_seq, l.text AS row_text, r.bdf, r.idx, g.label,
   coalesce(nullif((SELECT count(*) FROM event_attr a WHERE a.event_id = e.id AND a.name <> 'reason' AND a.name NOT LIKE '%fan%'), 0),
    CASE WHEN EXISTS (SELECT 1 FROM event_attr a WHERE a.event_id = e.id) THEN 0
     -- Rows of CSV: as often as it stands there, less a fan that the heading names.
     ELSE (length(l.text) - length(replace(l.text, 'Unknown Error', ''))) / 13 + (length(l.text) - length(replace(l.text, 'ERR!', ''))) / 4
      - coalesce((SELECT min(1, instr(h.text, 'fan.')) FROM source s JOIN line h ON h.id = (s.id << 32 | s.first_line) WHERE s.id = e.source_id), 0) END) AS cells
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id LEFT JOIN line l ON l.id = e.line_id LEFT JOIN gpu_ref r ON r.id = e.ref_id
  LEFT JOIN gpu g ON g.id = e.gpu_id
  WHERE e.kind IN ('smi.unknown_error', 'smi.requires_reset', 'smi.gpu_lost', 'smi.handle_error') AND e.copy_of IS NULL AND e.host_id IS NOT NULL
),
hit AS (
  SELECT s.*, row_number() OVER (PARTITION BY s.host_id, coalesce(s.gpu_id, s.bdf, 'gpu' || s.idx, 'host') ORDER BY s.t_us DESC, s.id DESC) AS age,
   coalesce(s.gpu_id, s.bdf, 'gpu' || s.idx, 'host') AS seat,
   coalesce((SELECT a.value FROM event_attr a WHERE a.event_id = s.id AND a.name = 'reason'), s.text) AS words
  FROM said s WHERE s.kind <> 'smi.unknown_error' OR s.cells > 0
),
-- It answered later on, by the same clock.
back AS (
  SELECT h.id, min(m.first_id) AS first_id, max(r.source_id) AS source_id
  FROM hit h JOIN gpu_ref r ON r.gpu_id = h.gpu_id AND r.t_quality = h.t_quality
  JOIN gpu_minute m ON m.ref_id = r.id AND m.t_raw_us + r.t_offset_us > h.t_us AND m.temp_avg IS NOT NULL
  WHERE h.age = 1 GROUP BY h.id
),
-- The worst that it said, and when: a GPU that fails goes from one value to all of them.
worst AS (
  SELECT h.*, row_number() OVER (PARTITION BY h.host_id, h.seat ORDER BY CASE h.kind WHEN 'smi.gpu_lost' THEN 3 WHEN 'smi.handle_error' THEN 3 WHEN 'smi.requires_reset' THEN 2 ELSE 1 END DESC, h.t_us, h.id) AS nth
  FROM hit h
),
per AS (
  SELECT host_id, seat, max(kind = 'smi.requires_reset') AS reset, max(kind IN ('smi.gpu_lost', 'smi.handle_error')) AS lost, max(cells) AS cells,
   min(CASE WHEN kind = 'smi.unknown_error' THEN 1 ELSE 0 END) AS vague, max(words LIKE 'GPU is lost%') AS gone
  FROM hit GROUP BY host_id, seat
)
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, h.t_us AS t0_us, h.t_us AS t1_us,
 CASE WHEN p.vague AND p.cells < coalesce(:min_cells, 2) THEN 0.5 ELSE 0.95 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT DISTINCT el.line_id FROM event_line el WHERE el.event_id = h.id AND el.role <> 'copy' ORDER BY 1 LIMIT 10)) AS evidence,
 CASE WHEN p.vague AND p.cells < coalesce(:min_cells, 2) THEN 'warning' ELSE 'critical' END AS severity,
 CASE WHEN k.id IS NOT NULL THEN 'none' WHEN p.vague AND p.cells < coalesce(:min_cells, 2) THEN 'watch' WHEN p.lost THEN 'reboot_node' ELSE 'reset_gpu' END AS action,
 'gpu' || h.seat AS grp,
 CASE WHEN k.id IS NOT NULL THEN 'cured' WHEN h.boot_seq < 0 THEN 'history' END AS state,
 CASE WHEN h.gpu_id IS NULL THEN coalesce(' at ' || h.bdf, ' with index ' || h.idx, '') ELSE '' END AS address,
 coalesce((SELECT CASE a.value WHEN 'dcgm' THEN 'DCGM' WHEN 'bmc' THEN 'the BMC' WHEN 'nccl' THEN 'NCCL' WHEN 'vllm' THEN 'vLLM' WHEN 'kubernetes' THEN 'Kubernetes'
   WHEN 'slurm' THEN 'Slurm' WHEN 'device-plugin' THEN 'the device plugin' ELSE a.value END FROM event_attr a WHERE a.event_id = w.id AND a.name = 'by'), 'nvidia-smi') AS who,
 w.words AS said,
 CASE WHEN w.kind <> 'smi.unknown_error' THEN '' WHEN w.cells = 1 THEN ' instead of one value' ELSE printf(' instead of %d values', w.cells) END AS cells,
 CASE WHEN k.id IS NOT NULL THEN '; later it answers again' ELSE '' END AS cured,
 CASE WHEN p.gone THEN 'Reboot; if it is not there after that, power the machine off and on.'
  WHEN p.lost THEN 'Drain the node and reboot it.' ELSE 'Drain it, then nvidia-smi -r -i INDEX with nothing running on it; reboot if that fails.' END AS advice
FROM hit h JOIN per p ON p.host_id = h.host_id AND p.seat = h.seat JOIN worst w ON w.host_id = h.host_id AND w.seat = h.seat AND w.nth = 1
LEFT JOIN hit l ON l.host_id = h.host_id AND l.seat = h.seat AND l.age = 1
LEFT JOIN back k ON k.id = l.id
