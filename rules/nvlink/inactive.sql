-- id:       nvlink.inactive
-- title:    NVLinks that are down where the board has them
-- scope:    bundle
-- severity: critical
-- symptom:  transfer
-- kind:     fault
-- points:   hardware
-- shows:    effect
-- settle:   log.sxid
-- needs:    fact.nvlink.links_up
-- reads:    fact.nvlink.links_up
-- summary:  {gpu}: {state_words}{peers}
-- meaning:  {means} Collectives fall back to fewer links, to PCIe, or do not start.
-- action:   fix_host
-- remedy:   {advice}
-- falsepositives: Boards that only have links where a bridge is mounted, GPUs of which MIG is on or a virtual machine got a part, NVLink that was
--           switched off for the driver; the same links down on all GPUs of a host (info: it may be the design).
-- refs:     nvidia-smi manual, nvlink -s; DCGM, dcgmi nvlink -s; kb_gpu_model.nvlink_how
WITH told AS (
  SELECT u.host_id, u.gpu_id, u.num AS up, coalesce(d.num, 0) + coalesce(x.num, 0) AS down, u.line_id, coalesce(d.line_id, u.line_id) AS down_line,
   row_number() OVER (PARTITION BY u.gpu_id ORDER BY u.layer) AS nth
  FROM contract u LEFT JOIN contract d ON d.gpu_id = u.gpu_id AND d.key = 'nvlink.links_down' AND d.layer = u.layer
   LEFT JOIN contract x ON x.gpu_id = u.gpu_id AND x.key = 'nvlink.links_disabled' AND x.layer = u.layer
  WHERE u.key = 'nvlink.links_up' AND u.gpu_id IS NOT NULL
),
board AS (
  SELECT t.*, g.label, g.name, k.form = 'sxm' AND k.nvlink_how = 'board' AS wired,
   (SELECT count(*) FROM gpu o WHERE o.host_id = t.host_id) AS gpus
  FROM told t JOIN gpu g ON g.id = t.gpu_id LEFT JOIN kb_gpu_model k ON k.model = g.model
  WHERE t.nth = 1
   AND NOT EXISTS (SELECT 1 FROM contract m WHERE m.gpu_id = t.gpu_id AND m.key = 'mig.mode' AND lower(m.value) = 'enabled')
   AND NOT EXISTS (SELECT 1 FROM contract f WHERE f.host_id = t.host_id AND f.gpu_id IS NULL
     AND ((f.key IN ('nvreg.NvLinkDisable', 'cmdline.nvidia.NVreg_NvLinkDisable') AND f.value NOT IN ('0', '0x0'))
      OR f.key = 'host.hypervisor' OR (f.key = 'host.chassis' AND f.value = 'vm')
      OR (f.key = 'host.virtualization' AND f.value NOT IN ('none', 'docker', 'podman', 'lxc', 'systemd-nspawn', 'container-other'))))
),
peer AS (
  SELECT b.gpu_id, max(o.up) AS most, count(o.gpu_id) AS n FROM board b JOIN board o ON o.host_id = b.host_id AND o.gpu_id <> b.gpu_id AND o.name IS b.name GROUP BY b.gpu_id
),
hit AS (
  SELECT b.*, p.most, coalesce(p.n, 0) AS peers, coalesce(b.wired, b.up > b.down) AS counts, coalesce(b.up < p.most, 0) AS fewer
  FROM board b LEFT JOIN peer p ON p.gpu_id = b.gpu_id
  WHERE (b.down > 0 AND b.up > 0) OR (b.up = 0 AND b.gpus > 1) OR b.up < p.most
)
SELECT h.host_id AS host_id, h.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, CASE WHEN h.wired IS NULL THEN 0.7 ELSE 0.95 END AS confidence,
 (SELECT json_group_array(line_id) FROM (SELECT h.line_id AS line_id UNION SELECT h.down_line)) AS evidence,
 CASE WHEN h.up = 0 OR h.fewer THEN printf('fewer %d/%d', h.up, h.down) ELSE printf('alike %d/%d', h.up, h.down) END AS grp,
 CASE WHEN h.up = 0 OR h.fewer THEN 'critical' WHEN h.wired IS NULL THEN 'error' WHEN h.peers > 0 THEN 'info' ELSE 'error' END AS severity,
 CASE WHEN h.up = 0 THEN 'no NVLink is up' ELSE printf('%d of %d NVLinks are down', CASE WHEN h.down > 0 THEN h.down ELSE h.most - h.up END, CASE WHEN h.down > 0 THEN h.up + h.down ELSE h.most END) END AS state_words,
 CASE WHEN h.fewer THEN printf('; up to %d are up on its peers', h.most) WHEN h.peers > 0 AND h.up > 0 THEN '; alike on its peers' ELSE '' END AS peers,
 CASE WHEN h.fewer THEN 'Its peers on the same base board have them: evidence points at this card, its seat or the switch at the other end.'
  WHEN h.up = 0 THEN 'The base board wires them, so all should be up: Fabric Manager, the switches or the driver''s start.'
  ELSE 'All GPUs alike: a base board or model with fewer links, or one cause for all.' END AS means,
 CASE WHEN h.fewer THEN 'Look for Xid 74, 144 to 150 and SXid around the start; reset the GPU (nvidia-smi -r -i INDEX) or reboot; reseat the module if it stays.'
  ELSE 'systemctl status nvidia-fabricmanager, same version as the driver; nvidia-smi -q for the fabric state; then reboot.' END AS advice
FROM hit h WHERE h.counts
