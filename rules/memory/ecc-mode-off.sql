-- id:       memory.ecc-mode-off
-- title:    Error correction of the GPU memory is off, or about to change
-- scope:    bundle
-- severity: warning
-- symptom:  crash
-- kind:     explanation
-- points:   policy
-- shows:    condition
-- settle:   fact.ecc.mode
-- needs:    fact.ecc.mode
-- summary:  {gpu}: {what}
-- meaning:  {means}
-- action:   fix_config
-- remedy:   {todo}
-- falsepositives: Boards of desktops and workstations, which come with it off; boards without it (N/A).
-- refs:     nvidia-smi manual, ECC Mode
WITH server AS ( -- boards for servers: as the knowledge base says, else as such products are called; never a virtual GPU
  SELECT g.id FROM gpu g LEFT JOIN kb_gpu_model m ON m.model = g.model
  WHERE m.class = 'datacenter' OR (m.model IS NULL AND g.name NOT GLOB '*-[0-9]*[QBCA]'
   AND (g.name GLOB 'Tesla *' OR g.name GLOB 'NVIDIA [ABHLV][0-9]*' OR g.name GLOB '[AH][0-9]00-*'))
),
newest AS (
  SELECT c.*, row_number() OVER (PARTITION BY c.gpu_id, c.key ORDER BY c.t_us IS NULL DESC, c.t_us DESC, c.line_id) AS age
  FROM contract c JOIN server s ON s.id = c.gpu_id WHERE c.key IN ('ecc.mode', 'ecc.mode_pending')
),
mode AS (
  SELECT n.host_id, n.gpu_id, n.line_id, n.value IN ('disabled', 'off') AS off, p.line_id AS pending_line,
   CASE WHEN p.value IN ('enabled', 'on') THEN 0 WHEN p.value IN ('disabled', 'off') THEN 1 END AS off_next
  FROM newest n LEFT JOIN newest p ON p.gpu_id = n.gpu_id AND p.key = 'ecc.mode_pending' AND p.age = 1
  WHERE n.key = 'ecc.mode' AND n.age = 1 AND n.value IN ('disabled', 'off', 'enabled', 'on')
)
SELECT m.host_id AS host_id, m.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.95 AS confidence,
 CASE WHEN m.off_next <> m.off THEN json_array(m.line_id, m.pending_line) ELSE json_array(m.line_id) END AS evidence,
 printf('%d %s', m.off, coalesce(m.off_next, '')) AS grp,
 CASE WHEN m.off AND m.off_next = 0 THEN 'error correction (ECC) is off; the next reset turns it on'
  WHEN m.off THEN 'error correction (ECC) is off' ELSE 'error correction (ECC) is on; the next reset turns it off' END AS what,
 CASE WHEN m.off THEN 'Flipped bits pass unnoticed: wrong results, programs that die without a reason in any log. Error counters stay at zero because nothing counts.'
  ELSE 'Someone asked for it. After that flipped bits pass unnoticed.' END AS means,
 CASE WHEN m.off AND m.off_next = 0 THEN 'Reset the GPU when it is idle (nvidia-smi -r -i INDEX), or reboot.'
  WHEN m.off THEN 'nvidia-smi -e 1, then reset the GPU or reboot; unless this site wants the memory or speed that it costs.'
  ELSE 'nvidia-smi -e 1 takes it back, if nobody wants it.' END AS todo
FROM mode m
WHERE m.off OR m.off_next = 1
