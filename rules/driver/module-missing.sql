-- id:       driver.module-missing
-- title:    The kernel module or the library of the driver is missing or refused, or another driver holds the GPUs
-- scope:    bundle
-- severity: error
-- symptom:  start
-- kind:     fault
-- points:   driver
-- shows:    condition
-- settle:   log.nvrm.load
-- needs:    fact.driver.version|log.nvrm.load
-- explains: driver.init-failed overlap host
-- summary:  {what}
-- meaning:  Without its kernel module no program sees a GPU, and nvidia-smi says so first. The card itself is mostly fine: the kernel was updated
--           and the module was not built or not signed for it, or another driver was there first.
-- action:   fix_host
-- remedy:   {todo}
-- falsepositives: DKMS trees of kernels that do not run; failures before the driver was loaded after all (info); GPUs handed to a guest with
--           vfio (info); nouveau on one card beside others that NVIDIA's driver runs (info); nvidia-smi inside containers.
-- refs:     open-gpu-kernel-modules kernel-open/nvidia/nv.c; kernel/module/signing.c; dkms(8); NVIDIA driver README, common problems

WITH kernel AS (
  SELECT host_id, max(value) AS value FROM contract WHERE key = 'kernel.release' AND gpu_id IS NULL AND layer <> 'container'
  GROUP BY host_id HAVING count(DISTINCT value) = 1
),
next_kernel AS (SELECT host_id, value FROM contract WHERE key = 'kernel.package' AND gpu_id IS NULL),
runs AS ( -- the module is loaded now
  SELECT host_id, min(line_id) AS line_id FROM contract
  WHERE key = 'driver.version' AND gpu_id IS NULL AND layer IN ('loaded', 'nvml') AND value <> 'none' GROUP BY host_id
),
held AS (
  SELECT host_id, driver, min(line_id) AS line_id, count(*) AS gpus
  FROM pci_device WHERE vendor_id = 0x10de AND class_id / 256 = 3 AND host_id IS NOT NULL AND driver IN ('nouveau', 'nvidiafb', 'vfio-pci')
  GROUP BY host_id, driver
),
-- Sources of a container: what is missing in there says nothing of the host.
inside AS (
  SELECT id FROM source
  WHERE path LIKE '%docker%' OR path LIKE '%container%' OR coalesce(title, '') LIKE '%docker%' OR coalesce(title, '') LIKE '%podman%' OR coalesce(title, '') LIKE '%kubectl%'
),
said AS (
  SELECT e.*, coalesce(b.seq, 0) AS boot_seq, (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'kernel') AS kernel,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'file') AS file,
   (SELECT a.value FROM event_attr a WHERE a.event_id = e.id AND a.name = 'why') AS why,
   (SELECT a.num FROM event_attr a WHERE a.event_id = e.id AND a.name = 'count') AS gpus,
   (SELECT min(o.line_id) FROM event o WHERE o.host_id = e.host_id AND o.kind = 'nvrm.load' AND (o.boot_id IS e.boot_id OR o.t_quality <> 'boot_relative')
     AND ((o.t_quality = e.t_quality AND o.t_us > e.t_us) OR (e.t_us IS NULL AND o.source_id = e.source_id AND o.line_id > e.line_id))) AS cure_line
  FROM event e LEFT JOIN boot b ON b.id = e.boot_id
  WHERE e.copy_of IS NULL AND e.host_id IS NOT NULL
   AND e.kind IN ('module.rejected', 'module.build_failed', 'nvrm.firmware_missing', 'nvrm.not_probed', 'smi.no_driver', 'smi.no_library')
),
-- rank: which of several tells the cause. now: it stands at the end.
cause AS (
  SELECT host_id, 'module' AS grp, 1 AS rank, t_us, t_quality, line_id, cure_line, cure_line IS NULL AND boot_seq = 0 AS now, 0.95 AS confidence,
   'the kernel refused the module of the driver: its signature is missing or not trusted (Secure Boot)' AS what,
   'Sign the module with a key that is enrolled (mokutil --import, then reboot and confirm on the console), install the signed packages of the distribution, or switch Secure Boot off.' AS todo,
   'error' AS severity, 'fault' AS kind
  FROM said WHERE kind = 'module.rejected'
  UNION ALL
  SELECT s.host_id, 'module', 2, NULL, NULL, s.line_id, NULL, 1, iif(k.value IS NULL, 0.7, 0.95),
   'the module of the driver could not be built for kernel ' || coalesce(s.kernel, k.value, 'at hand') || iif(s.why = 'headers', ': its headers are not installed', ''),
   iif(s.why = 'headers', 'Install the headers of this kernel (linux-headers-$(uname -r), kernel-devel-$(uname -r)), then dkms autoinstall.',
    'Read the first error in /var/lib/dkms/nvidia/VERSION/build/make.log: mostly the driver is older than the kernel. Boot the kernel before, or install a newer driver branch.'),
   'error', 'fault'
  FROM said s LEFT JOIN kernel k ON k.host_id = s.host_id
  WHERE s.kind = 'module.build_failed' AND coalesce(s.kernel = k.value, 1) AND s.host_id NOT IN (SELECT host_id FROM runs)
  UNION ALL
  SELECT s.host_id, 'next', 2, NULL, NULL, s.line_id, NULL, 1, 0.95,
   'the next boot will be without a driver: its module could not be built for kernel ' || s.kernel || ', which was installed last',
   'Before anybody reboots: install the headers and dkms autoinstall, or a driver that knows this kernel, or make the running kernel the default.', 'warning', 'fault'
  FROM said s JOIN kernel k ON k.host_id = s.host_id AND k.value <> s.kernel JOIN next_kernel n ON n.host_id = s.host_id AND n.value = s.kernel
  WHERE s.kind = 'module.build_failed'
   AND NOT EXISTS (SELECT 1 FROM contract d WHERE d.host_id = s.host_id AND d.key = 'dkms.nvidia' AND d.layer = s.kernel AND d.value LIKE '% installed%')
  UNION ALL
  SELECT d.host_id, 'module', 3, NULL, NULL, d.line_id, NULL, 1, 0.95,
   printf('DKMS has the driver %s for kernel %s, which runs, but it is not installed there', d.value, k.value),
   'dkms autoinstall (the headers of this kernel must be there), then modprobe nvidia.', 'error', 'fault'
  FROM contract d JOIN kernel k ON k.host_id = d.host_id AND d.layer = k.value
  WHERE d.key = 'dkms.nvidia' AND d.value NOT LIKE '% installed%' AND d.host_id NOT IN (SELECT host_id FROM runs)
  UNION ALL
  SELECT c.host_id, 'module', 4, NULL, NULL, c.line_id, NULL, 1, 0.95, 'there is no module of the driver on the disk for the kernel that runs',
   'Install the driver for this kernel: the package of the module, or the headers and dkms autoinstall.', 'error', 'fault'
  FROM contract c WHERE c.key = 'module.present' AND c.value = 'no' AND c.host_id NOT IN (SELECT host_id FROM runs)
  UNION ALL
  SELECT s.host_id, 'module', 6, NULL, NULL, s.line_id, NULL, 1, 0.7, 'nvidia-smi finds no loaded driver; why, the bundle does not show',
   'lsmod | grep nvidia; modinfo nvidia; dkms status; sudo dmesg | grep -i -e nvrm -e nvidia: one of them says why.', 'error', 'fault'
  FROM said s WHERE s.kind = 'smi.no_driver' AND s.host_id NOT IN (SELECT host_id FROM runs) AND s.source_id NOT IN (SELECT id FROM inside)
  UNION ALL
  SELECT s.host_id, 'library', 1, NULL, NULL, s.line_id, NULL, 1, 0.95,
   'nvidia-smi finds no libnvidia-ml.so: the libraries of the driver are not installed, or not where the loader looks',
   'Install the libraries of exactly the driver version that is loaded (cat /proc/driver/nvidia/version; libnvidia-compute, nvidia-driver-libs), then ldconfig; ldconfig -p | grep libnvidia-ml shows what is found.',
   'error', 'fault'
  FROM said s WHERE s.kind = 'smi.no_library' AND s.source_id NOT IN (SELECT id FROM inside)
  UNION ALL
  SELECT host_id, 'firmware', 1, t_us, t_quality, line_id, NULL, boot_seq = 0, 0.95, 'the firmware file ' || file || ' of the driver is not on the disk',
   'Install the firmware package of exactly this driver version (nvidia-firmware, nvidia-kernel-common) and rebuild the initramfs if the module is loaded from it.', 'error', 'fault'
  FROM said WHERE kind = 'nvrm.firmware_missing' AND file GLOB 'nvidia/[0-9]*'
  UNION ALL
  SELECT s.host_id, 'held', 1, s.t_us, s.t_quality, s.line_id, s.cure_line, s.cure_line IS NULL AND s.boot_seq = 0, iif(h.driver IS NULL, 0.85, 0.95),
   printf('another driver (%s) holds %s', coalesce(h.driver, 'nouveau, as a rule'), coalesce(printf('%d GPU(s)', s.gpus), 'the GPUs')),
   iif(h.driver = 'vfio-pci', 'Nothing, where a virtual machine is meant to have these GPUs; else take their ids out of the options of vfio-pci and reboot.',
    'Blacklist nouveau (options nouveau modeset=0, blacklist nouveau in /etc/modprobe.d), rebuild the initramfs, reboot.'),
   iif(h.driver = 'vfio-pci', 'info', 'error'), iif(h.driver = 'vfio-pci', 'operation', 'fault')
  FROM said s LEFT JOIN held h ON h.host_id = s.host_id WHERE s.kind = 'nvrm.not_probed'
  UNION ALL
  SELECT h.host_id, 'held', 2, NULL, NULL, h.line_id, NULL, 1, 0.95, printf('the driver %s holds %d GPU(s)', h.driver, h.gpus),
   iif(h.driver = 'vfio-pci', 'Nothing, where a virtual machine is meant to have these GPUs.',
    'Blacklist nouveau (options nouveau modeset=0, blacklist nouveau in /etc/modprobe.d), rebuild the initramfs, reboot.'),
   iif(h.driver = 'vfio-pci' OR r.host_id IS NOT NULL, 'info', 'error'), iif(h.driver = 'vfio-pci', 'operation', 'fault')
  FROM held h LEFT JOIN runs r ON r.host_id = h.host_id
),
-- A cause that stands hides the same cause that is over.
standing AS (SELECT *, max(now) OVER (PARTITION BY host_id, grp) AS any_now FROM cause),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY host_id, grp ORDER BY now DESC, rank, t_us DESC, line_id) AS nth
  FROM standing WHERE now = any_now
)
SELECT r.host_id AS host_id, NULL AS gpu_id, r.t_us AS t0_us, r.t_us AS t1_us, r.t_quality AS t_quality, r.confidence AS confidence,
 (SELECT json_group_array(line_id) FROM (
   SELECT line_id FROM (SELECT x.line_id FROM ranked x WHERE x.host_id = r.host_id AND x.grp = r.grp ORDER BY x.nth LIMIT 12)
   UNION SELECT r.cure_line WHERE r.cure_line IS NOT NULL ORDER BY 1)) AS evidence,
 r.grp AS grp, iif(r.now, r.severity, 'info') AS severity, r.kind AS kind,
 CASE WHEN r.now THEN 'active' WHEN r.cure_line IS NOT NULL THEN 'cured' ELSE 'history' END AS state, iif(r.now AND r.kind = 'fault', 'fix_host', 'none') AS action,
 r.what || CASE WHEN r.now THEN '' WHEN r.cure_line IS NOT NULL THEN '; the driver was loaded since' ELSE '; in an earlier boot' END AS what, r.todo AS todo
FROM ranked r WHERE r.nth = 1
