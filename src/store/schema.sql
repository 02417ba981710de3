-- The case database. Column names carry units; NULL is unknown, never 0 or ''. All times are
-- microseconds; t_us is UTC where t_quality is exact or aligned, else local time or time since boot.
PRAGMA application_id = 0x67707564; -- 'gpud'
PRAGMA user_version = 4;

CREATE TABLE meta( -- What made this database.
  key TEXT PRIMARY KEY,         -- version | rules_digest | complaint | at | tz
  value TEXT
) WITHOUT ROWID;

CREATE TABLE bundle( -- One ingested bundle.
  id INTEGER PRIMARY KEY,
  label TEXT NOT NULL,          -- how reports call it: base name of the input, "stdin"
  digest TEXT NOT NULL,         -- SHA-256 of the input as stored; of a directory over sorted path, size, SHA-256
  collected_us INTEGER,         -- when it was collected (t_us of its best clock); NULL unknown
  collected_quality TEXT,       -- as t_quality elsewhere
  collected_how TEXT,           -- bugreport date | newest stamp | archive mtime
  members INTEGER NOT NULL,     -- files and entries found
  unread INTEGER NOT NULL,      -- of these, nobody could read
  limit_hit TEXT                -- what ended the reading early; NULL nothing
);

CREATE TABLE input( -- Several inputs that became one bundle, in the order of time; one alone has no row.
  bundle_id INTEGER NOT NULL REFERENCES bundle(id),
  nr INTEGER NOT NULL,          -- from 1
  name TEXT NOT NULL,           -- how its paths begin: "1-before"
  digest TEXT NOT NULL          -- as of a bundle
);

CREATE TABLE host( -- A machine seen in a bundle. Never shared between bundles; compare pairs equal ones.
  id INTEGER PRIMARY KEY,
  bundle_id INTEGER NOT NULL REFERENCES bundle(id),
  name TEXT,                    -- NULL unknown
  machine_id TEXT,
  how TEXT NOT NULL             -- where the name comes from
);

CREATE TABLE boot( -- One boot of a host. seq 0 is the one in which the bundle was collected, -1 the one before.
  id INTEGER PRIMARY KEY,
  host_id INTEGER NOT NULL REFERENCES host(id),
  seq INTEGER NOT NULL,
  start_us INTEGER,             -- when the monotonic clock was 0; NULL unknown
  start_quality TEXT NOT NULL,
  kernel TEXT, cmdline TEXT,
  line_id INTEGER               -- what shows the start
);

CREATE TABLE clock( -- How the stamps of some sources become UTC: one row a stretch with constant offset.
  id INTEGER PRIMARY KEY,
  host_id INTEGER NOT NULL REFERENCES host(id),
  boot_id INTEGER REFERENCES boot(id),
  kind TEXT NOT NULL,           -- utc | local | bmc | boot | order
  zone TEXT,                    -- zone name or offset that was used; NULL none
  offset_us INTEGER,            -- utc = raw + offset_us; 0 when the zone is assumed; NULL cannot be placed
  quality TEXT NOT NULL,        -- exact | aligned | zone_assumed | boot_relative | unknown
  error_us INTEGER,             -- how far off it may be; NULL unknown
  how TEXT NOT NULL,            -- in words
  line_id INTEGER               -- the anchor
);

CREATE TABLE clock_anchor( -- Lines that tie clocks together, as found by ingest.
  source_id INTEGER NOT NULL,
  src_boot INTEGER NOT NULL,    -- boot count inside the source
  kind TEXT NOT NULL,           -- two_stamps | rtc | date | uptime | uptime_s | btime | ls_offset | boot | sel_time | utc
  mono_us INTEGER, local_us INTEGER, utc_us INTEGER, -- the same moment on different clocks
  offset_min INTEGER,           -- zone offset that was printed, minutes east
  line_id INTEGER NOT NULL
);

CREATE TABLE source( -- One member, or one part of a member. Lines are numbered as in the member.
  id INTEGER PRIMARY KEY,
  bundle_id INTEGER NOT NULL REFERENCES bundle(id),
  host_id INTEGER REFERENCES host(id),
  parent_id INTEGER REFERENCES source(id), -- the member, when this is a part of it
  path TEXT NOT NULL,           -- of the member inside the bundle
  title TEXT,                   -- of the part: a section title or the command that printed it
  first_line INTEGER NOT NULL DEFAULT 1,
  lines INTEGER,                -- lines that belong to this source
  taken INTEGER,                -- of these, understood by the parser
  bytes INTEGER,                -- decoded size of the member
  sha256 TEXT,                  -- of files of the bundle as stored; NULL for entries and parts
  mtime_us INTEGER,             -- file or archive time, UTC
  parser TEXT,                  -- NULL: nobody could read it
  status TEXT NOT NULL,         -- read | partly | unread | skipped | empty
  reason TEXT,                  -- why unread or skipped
  damage TEXT,                  -- what was cut off or broken
  encoding TEXT,                -- when not UTF-8
  rejected INTEGER NOT NULL DEFAULT 0, -- lines of the format that are broken
  excerpt INTEGER NOT NULL DEFAULT 0,  -- 1: not all that the tool printed
  src_clock TEXT NOT NULL DEFAULT 'none', -- none | boot | noyear | local | utc: what its stamps are
  year0 INTEGER,                -- calendar year in which its stamps without year begin (derive)
  clock_id INTEGER REFERENCES clock(id),
  member INTEGER                -- which file or entry of the bundle, counted from 1 as they are read: paths may be there twice
);

CREATE TABLE source_span( -- Where the stamps of one kind run in one boot of a source: what it covers in time.
  source_id INTEGER NOT NULL REFERENCES source(id),
  src_boot INTEGER NOT NULL,    -- boot count inside the source
  kind TEXT NOT NULL,           -- boot | noyear | local | utc
  first_us INTEGER NOT NULL, last_us INTEGER NOT NULL, -- the least and the greatest, on that clock
  boot_id INTEGER REFERENCES boot(id), -- derive ...
  t0_us INTEGER, t1_us INTEGER, t_quality TEXT NOT NULL DEFAULT 'unknown'
);
CREATE INDEX source_span_source ON source_span(source_id, src_boot);

CREATE TABLE line( -- Text of a line that something cites or may cite.
  id INTEGER PRIMARY KEY,       -- source.id << 32 | line number
  byte_offset INTEGER NOT NULL, -- in the decoded member
  text TEXT NOT NULL            -- without escape sequences and line end
);

CREATE TABLE reject( -- Broken lines, the first hundred of each source.
  source_id INTEGER NOT NULL,
  line_id INTEGER NOT NULL,
  reason TEXT NOT NULL
);

CREATE TABLE gpu( -- One physical GPU of one host.
  id INTEGER PRIMARY KEY,
  host_id INTEGER NOT NULL REFERENCES host(id),
  key TEXT NOT NULL,            -- HOST/BDF, else HOST/UUID, else HOST/gpuN
  label TEXT NOT NULL,          -- how sentences call it: "GPU 0", "GPU 3b:00.0"
  idx INTEGER,                  -- nvidia-smi index
  uuid TEXT, serial TEXT,       -- equal serial = same board, which may carry two GPUs
  bdf TEXT,                     -- in the last boot
  minor INTEGER,
  name TEXT,
  model TEXT,                   -- row of kb_gpu_model; NULL not in the knowledge base
  how TEXT NOT NULL             -- what identified it
);

CREATE TABLE gpu_name( -- What a GPU was called when: addresses move between boots.
  gpu_id INTEGER NOT NULL REFERENCES gpu(id),
  boot_id INTEGER REFERENCES boot(id),
  kind TEXT NOT NULL,           -- bdf | uuid | serial | index
  value TEXT NOT NULL,
  line_id INTEGER
);

CREATE TABLE gpu_instance( -- One MIG slice. Not a gpu.
  id INTEGER PRIMARY KEY,
  gpu_id INTEGER REFERENCES gpu(id),  -- derive
  ref_id INTEGER NOT NULL,            -- the parent as the source says
  gi INTEGER, ci INTEGER, profile TEXT, uuid TEXT, line_id INTEGER
);

CREATE TABLE gpu_ref( -- "GPU 0 of this file": what ingest writes; derive fills gpu_id. Samples point here.
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source(id),
  src_boot INTEGER NOT NULL,    -- boot count inside the source
  idx INTEGER, uuid TEXT, serial TEXT, bdf TEXT, gi INTEGER, ci INTEGER, -- as the source says
  line_id INTEGER,              -- where it is first named
  placed INTEGER NOT NULL DEFAULT 0, -- 1: idx is the place in a poll, no index is printed
  reasons_known INTEGER NOT NULL DEFAULT 0, -- reason bits that the source records
  samples INTEGER NOT NULL DEFAULT 0,
  turned_back INTEGER NOT NULL DEFAULT 0, -- how often a minute began before the one that was written before it
  gpu_id INTEGER REFERENCES gpu(id), instance_id INTEGER REFERENCES gpu_instance(id), -- derive
  how TEXT, confidence REAL,    -- why that GPU, or why none
  t_offset_us INTEGER NOT NULL DEFAULT 0,
  t_quality TEXT NOT NULL DEFAULT 'unknown' -- zone_assumed also where the clocks were changed within its samples
);

CREATE VIEW seat AS -- Seat history: which card sat at which address in which boot, from all sources that name one.
 -- gpu_id NULL: what is at the address fits no card that is known. bdf NULL: the card was named, but not where it sits.
 WITH shown AS (
  SELECT g.host_id, n.boot_id, n.value AS bdf, g.id AS gpu_id, g.uuid, g.serial, n.line_id
  FROM gpu_name n JOIN gpu g ON g.id = n.gpu_id WHERE n.kind = 'bdf'
  UNION ALL
  SELECT g.host_id, n.boot_id, NULL, g.id, g.uuid, g.serial, min(n.line_id)
  FROM gpu_name n JOIN gpu g ON g.id = n.gpu_id WHERE n.kind IN ('uuid', 'serial')
   AND NOT EXISTS (SELECT 1 FROM gpu_name a WHERE a.gpu_id = n.gpu_id AND a.boot_id IS n.boot_id AND a.kind = 'bdf')
  GROUP BY g.id, n.boot_id
  UNION ALL
  SELECT s.host_id, p.boot_id, r.bdf, NULL, max(r.uuid), max(r.serial), min(r.line_id)
  FROM gpu_ref r JOIN source s ON s.id = r.source_id
  LEFT JOIN (SELECT source_id, src_boot, min(boot_id) AS boot_id FROM source_span GROUP BY source_id, src_boot) p
   ON p.source_id = r.source_id AND p.src_boot = r.src_boot
  WHERE r.gpu_id IS NULL AND r.bdf IS NOT NULL AND r.how = 'fits no GPU that is known' GROUP BY s.host_id, p.boot_id, r.bdf)
 SELECT h.bundle_id, w.host_id, h.name AS host, w.bdf, w.serial, w.uuid, w.gpu_id, w.boot_id, b.seq AS boot_seq,
  b.start_us AS from_us, -- start of that boot, and of the next one; NULL unknown, or still so
  (SELECT n.start_us FROM boot n WHERE n.host_id = b.host_id AND n.seq = b.seq + 1) AS to_us,
  b.start_quality AS t_quality, w.line_id
 FROM shown w JOIN host h ON h.id = w.host_id LEFT JOIN boot b ON b.id = w.boot_id;

CREATE TABLE gpu_sample( -- One time step of one GPU. rowid is the order of arrival. Never updated.
  ref_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  t_raw_us INTEGER,             -- the clock of the source; NULL without stamps
  seq INTEGER,                  -- steps since the start of the source
  pstate INTEGER, sm_clock_mhz REAL, mem_clock_mhz REAL, power_w REAL, power_limit_w REAL,
  temp_c REAL, util_pct REAL, mem_util_pct REAL, mem_used_mib REAL,
  reasons INTEGER               -- clocks event reason mask
);

CREATE VIEW sample AS -- Samples with GPU and time.
 SELECT s.rowid AS id, r.gpu_id, r.instance_id, s.t_raw_us + r.t_offset_us AS t_us, r.t_quality, s.seq,
  s.pstate, s.sm_clock_mhz, s.mem_clock_mhz, s.power_w, s.power_limit_w, s.temp_c, s.util_pct,
  s.mem_util_pct, s.mem_used_mib, s.reasons,
  (r.source_id << 32) | s.line AS line_id, r.source_id, s.ref_id
 FROM gpu_sample s JOIN gpu_ref r ON r.id = s.ref_id;

CREATE TABLE gpu_minute( -- Rollup of one ref over one minute of its own clock (of 60 steps without stamps).
  ref_id INTEGER NOT NULL,
  t_raw_us INTEGER NOT NULL,    -- start of the minute; seq * 1 s without stamps
  n INTEGER NOT NULL,
  first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, -- rowids of gpu_sample, others in between
  sm_min REAL, sm_avg REAL, sm_max REAL,          -- MHz
  power_min REAL, power_avg REAL, power_max REAL, -- W
  limit_min REAL, limit_max REAL,                 -- W
  temp_min REAL, temp_avg REAL, temp_max REAL,    -- C
  util_min REAL, util_avg REAL, util_max REAL,    -- %
  memutil_avg REAL, memused_avg REAL, memused_max REAL, memclk_avg REAL,
  pstate_min INTEGER, pstate_max INTEGER,
  reasons_or INTEGER,           -- NULL not recorded
  reasons_and INTEGER,          -- bits that all n samples have; NULL not recorded
  whole INTEGER,                -- samples that state SM clock, power and utilization
  sm_med REAL,                  -- MHz; of its last 64 samples
  PRIMARY KEY(ref_id, first_id) -- minutes of a ref lie together, in their order: nobody has to sort them
) WITHOUT ROWID;

CREATE TABLE gpu_second( -- The same over one second, for sources above 2 Hz: what charts and gaps need.
  ref_id INTEGER NOT NULL, t_raw_us INTEGER NOT NULL, n INTEGER NOT NULL,
  first_id INTEGER NOT NULL, last_id INTEGER NOT NULL,
  sm_min REAL, sm_avg REAL, sm_max REAL, power_min REAL, power_avg REAL, power_max REAL,
  temp_avg REAL, util_avg REAL, reasons_or INTEGER
);

CREATE TABLE gpu_hist( -- Distribution of a column over a whole ref.
  ref_id INTEGER NOT NULL,
  col TEXT NOT NULL,            -- sm_clock_mhz | power_w | temp_c | util_pct
  busy INTEGER NOT NULL,        -- 1: only samples with util >= 80 %; 0: all others
  lo REAL NOT NULL,             -- lower end of the bin
  n INTEGER NOT NULL
);

CREATE TABLE gpu_stat( -- What rules and charts ask of a whole ref (derive).
  ref_id INTEGER NOT NULL,
  col TEXT NOT NULL,            -- as in gpu_hist
  n INTEGER NOT NULL,
  min REAL, p10 REAL, p50 REAL, p90 REAL, max REAL, -- p10, p50, p90: within one bin of gpu_hist
  top REAL                      -- sm_clock_mhz: highest level seen in >= 2 samples
);

CREATE TABLE metric( -- Another series of one GPU or of the host.
  id INTEGER PRIMARY KEY,
  ref_id INTEGER, source_id INTEGER NOT NULL,
  gpu_id INTEGER,               -- derive
  key TEXT NOT NULL, unit TEXT
);

CREATE TABLE metric_sample( -- Its values, where they changed.
  metric_id INTEGER NOT NULL, line INTEGER NOT NULL, t_raw_us INTEGER, seq INTEGER, value REAL NOT NULL
);

CREATE TABLE metric_stat( -- What a metric amounts to (derive).
  metric_id INTEGER PRIMARY KEY,
  n INTEGER NOT NULL,           -- values kept: where it changed
  min REAL NOT NULL, max REAL NOT NULL, first REAL NOT NULL, last REAL NOT NULL,
  rise REAL NOT NULL,           -- sum of all increases: what a counter grew by, also past a reset
  t_max_raw_us INTEGER,         -- of the first highest value, on the clock of the source; NULL without stamps
  line_first INTEGER NOT NULL, line_last INTEGER NOT NULL,
  line_min INTEGER NOT NULL, line_max INTEGER NOT NULL
);

CREATE TABLE process_sample( -- One client of one GPU at one moment.
  id INTEGER PRIMARY KEY,
  ref_id INTEGER NOT NULL,
  gpu_id INTEGER,               -- derive
  instance_id INTEGER,
  t_raw_us INTEGER, seq INTEGER, -- seq: the round of pmon
  pid INTEGER, type TEXT, name TEXT, -- type: C compute, G graphics, M MPS
  sm_pct REAL, mem_pct REAL, fb_mib REAL, gi INTEGER, ci INTEGER,
  line_id INTEGER NOT NULL
);

CREATE TABLE fact( -- What a source states. Keys and units: kb_fact_keys.
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source(id),
  ref_id INTEGER REFERENCES gpu_ref(id), -- NULL: of the host
  src_boot INTEGER NOT NULL,
  host_id INTEGER, gpu_id INTEGER, instance_id INTEGER, boot_id INTEGER, -- derive
  key TEXT NOT NULL,
  layer TEXT NOT NULL DEFAULT '', -- loaded | nvml | disk | modeset | uvm | package | container | ...
  value TEXT, num REAL, unit TEXT,
  t_raw_us INTEGER, t_kind TEXT NOT NULL DEFAULT 'none', -- as source.src_clock
  t_us INTEGER, t_quality TEXT NOT NULL DEFAULT 'unknown', -- derive; NULL: the time of the collection
  line_id INTEGER NOT NULL
);
CREATE INDEX fact_key ON fact(key);

CREATE TABLE event( -- One message that a log printed, or that a tool gave instead of its output.
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source(id),
  ref_id INTEGER REFERENCES gpu_ref(id),
  src_boot INTEGER NOT NULL,
  host_id INTEGER, boot_id INTEGER, gpu_id INTEGER, instance_id INTEGER, -- derive
  kind TEXT NOT NULL,           -- kb_event_kinds
  code INTEGER,                 -- Xid, SXid
  t_raw_us INTEGER, t_kind TEXT NOT NULL, mono_us INTEGER,
  t_us INTEGER, t_quality TEXT NOT NULL DEFAULT 'unknown', -- derive
  pid INTEGER, process TEXT,
  text TEXT NOT NULL,           -- without the log's prefix
  repeats INTEGER NOT NULL DEFAULT 1, -- as the log says ("message repeated N times")
  copy_of INTEGER,              -- the same message in another log: that event (derive)
  incident_id INTEGER,          -- derive
  line_id INTEGER NOT NULL
);

CREATE INDEX event_kind ON event(kind, boot_id, t_quality, t_us);
CREATE INDEX event_time ON event(kind, t_quality, t_us);
CREATE INDEX event_line_id ON event(line_id);
CREATE INDEX event_incident ON event(incident_id);

CREATE TABLE event_attr( -- What was decoded from the text.
  event_id INTEGER NOT NULL, name TEXT NOT NULL, value TEXT, num REAL,
  PRIMARY KEY(event_id, name)
) WITHOUT ROWID;

CREATE TABLE event_line( -- All lines of an event.
  event_id INTEGER NOT NULL, line_id INTEGER NOT NULL,
  role TEXT NOT NULL,           -- first | more | copy
  PRIMARY KEY(event_id, line_id)
) WITHOUT ROWID;

CREATE TABLE incident( -- Events that belong together: linked by kb_chains, ended by 3 minutes of silence.
  id INTEGER PRIMARY KEY,
  host_id INTEGER NOT NULL, boot_id INTEGER, gpu_id INTEGER, -- gpu_id NULL: several or unknown
  root_event INTEGER NOT NULL,  -- the event that the others follow from
  kind TEXT NOT NULL, code INTEGER, -- of the root event
  t0_us INTEGER, t1_us INTEGER, t_quality TEXT NOT NULL, -- NULL: only their order is known
  events INTEGER NOT NULL,      -- without copies
  gpus INTEGER NOT NULL,        -- blast radius: GPUs, known or named by an address only
  port TEXT                     -- PCI port above all its GPUs, or above one and named itself; NULL none or unknown
);

CREATE TABLE pci_device( -- One PCI function as one source shows it.
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source(id),
  ref_id INTEGER,
  host_id INTEGER, gpu_id INTEGER, -- derive
  bdf TEXT,                     -- NULL in an excerpt without addresses
  class_id INTEGER, vendor_id INTEGER, device_id INTEGER, name TEXT, driver TEXT, slot TEXT,
  port_type TEXT,
  cap_gts REAL, cap_width INTEGER,    -- LnkCap
  sta_gts REAL, sta_width INTEGER,    -- LnkSta
  target_gts REAL,                    -- LnkCtl2 target speed
  secondary_bus INTEGER, subordinate_bus INTEGER,
  parent_id INTEGER,            -- the port above it in the same source (derive)
  numa_node INTEGER, iommu_group INTEGER,
  ue_status TEXT, ce_status TEXT, -- AER status bits that are set, blank-separated; '' none; NULL not shown
  acs_ctl TEXT,                 -- ACS controls that are on, likewise: ReqRedir, SrcValid ... stand in the way of P2P
  dead INTEGER NOT NULL,        -- all-ones reads
  denied INTEGER NOT NULL,      -- capabilities hidden
  line_id INTEGER NOT NULL, line_cap INTEGER, line_sta INTEGER
);

CREATE TABLE change( -- A change of a version or setting in time, as one layer saw it (derive: from facts over time and boots).
  id INTEGER PRIMARY KEY,
  host_id INTEGER NOT NULL, gpu_id INTEGER,
  what TEXT NOT NULL,           -- fact key
  layer TEXT NOT NULL,          -- of the fact; the same change is often seen in several
  before TEXT NOT NULL, after TEXT NOT NULL,
  t_before_us INTEGER,          -- when the old value was last seen; NULL unknown
  t_us INTEGER,                 -- when the new value was first seen; NULL unknown
  t_quality TEXT NOT NULL,
  line_before INTEGER NOT NULL, line_after INTEGER NOT NULL
);

CREATE TABLE rate_test( -- Did an error kind start or grow with a change of a version? (derive)
  -- Before: since the change before this one; after: until the next one. No row when one of the two versions also
  -- ran at another time that the logs cover: what goes back and forth cannot be told from the time that passes.
  -- Incidents count where a whole log covers them; those that a change brings about itself (kb_change_effects) do not.
  id INTEGER PRIMARY KEY,
  host_id INTEGER NOT NULL, change_id INTEGER NOT NULL,
  kind TEXT NOT NULL, code INTEGER,
  n_before INTEGER NOT NULL, n_after INTEGER NOT NULL,   -- incidents
  hours_before REAL NOT NULL, hours_after REAL NOT NULL, -- exposure: time that whole logs of this kind cover
  ratio REAL,                   -- of the rates; NULL when one of the exposures is 0 or none came before
  ratio_lo REAL, ratio_hi REAL, -- 95 %, Clopper-Pearson; hi NULL: no bound
  p REAL NOT NULL,              -- one-sided (a rise), exact conditional Poisson
  hours_needed REAL             -- exposure before without any that would have made it p <= 0.01; NULL: as much was there
);

CREATE TABLE episode( -- A stretch of samples in one state, cut at documented floors (derive).
  -- Unless said otherwise, columns speak of the samples in the state, not of short pauses between them.
  id INTEGER PRIMARY KEY,
  gpu_id INTEGER NOT NULL, ref_id INTEGER NOT NULL, source_id INTEGER NOT NULL,
  kind TEXT NOT NULL,           -- kb_episode_kinds, where the floors are
  t0_us INTEGER, t1_us INTEGER, t_quality TEXT NOT NULL, -- first and last sample; NULL without stamps
  samples INTEGER NOT NULL,     -- in the state; of kinds named by a reason bit all from first to last
  source_samples INTEGER NOT NULL, -- of this GPU in this source
  first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, -- rowids
  power_min_w REAL, power_med_w REAL, power_max_w REAL,
  limit_w REAL, limit_how TEXT, -- power_limit: sample | fact | plateau; power_plateau: its median power
  clock_min_mhz REAL, clock_med_mhz REAL,
  clock_ref_mhz REAL,           -- the top level of the ref; busy_slow: what 60 s of its busy samples reach
  util_min_pct REAL, temp_max_c REAL,
  reasons_or INTEGER, reasons_known INTEGER, -- NULL not recorded
  reasons_set INTEGER,          -- samples with the reason bit kb_episode_kinds.counts; NULL not recorded
  line_first INTEGER NOT NULL,
  line_worst INTEGER,           -- the first with the lowest SM clock; NULL clocks unknown
  line_last INTEGER NOT NULL
);

CREATE TABLE coverage( -- What could have been seen. Terms of "needs" in rules.
  host_id INTEGER NOT NULL,
  gpu_id INTEGER,               -- NULL: the host
  what TEXT NOT NULL,           -- sample.COLUMN | metric.KEY | fact.KEY | log.KIND | episode.KIND | table.NAME
  from_us INTEGER, to_us INTEGER, -- NULL unknown
  n INTEGER NOT NULL,
  whole INTEGER NOT NULL,       -- 0: an excerpt; absence in it is not clean
  how TEXT, source_id INTEGER
);
CREATE INDEX coverage_what ON coverage(what);

CREATE VIEW contract AS -- Per GPU (gpu_id NULL: host) and key the newest value of each layer in the last boot.
 -- What a container has may differ from its host; "2.1.0" and "2.1.0+cu121" are one version, said with and without build.
 WITH last AS (
  SELECT f.host_id, f.gpu_id, f.key, f.layer, f.value, f.num, f.unit, f.t_us, f.t_quality, f.line_id, f.id,
   f.layer = 'container' AS inside,
   CASE WHEN f.key LIKE '%.version' AND instr(f.value, '+') > 1 THEN substr(f.value, 1, instr(f.value, '+') - 1) ELSE f.value END AS plain,
   row_number() OVER (PARTITION BY f.host_id, f.gpu_id, f.key, f.layer
                      ORDER BY f.t_us IS NULL DESC, f.t_us DESC, f.id DESC) AS age,
   count(*) OVER (PARTITION BY f.host_id, f.gpu_id, f.key, f.layer) AS seen,
   min(f.value) OVER (PARTITION BY f.host_id, f.gpu_id, f.key, f.layer) <>
   max(f.value) OVER (PARTITION BY f.host_id, f.gpu_id, f.key, f.layer) AS moved
  FROM fact f LEFT JOIN boot b ON b.id = f.boot_id
  WHERE f.host_id IS NOT NULL AND f.instance_id IS NULL AND coalesce(b.seq, 0) = 0
   AND (f.ref_id IS NULL OR f.gpu_id IS NOT NULL)), -- what is said of an unknown GPU is not of the host
 grouped AS (
  SELECT host_id, gpu_id, key, inside, count(*) AS layers, count(DISTINCT plain) AS distinct_values, max(moved) AS moved
  FROM last WHERE age = 1 GROUP BY host_id, gpu_id, key, inside)
 SELECT l.host_id, l.gpu_id, l.key, l.layer, l.value, l.num, l.unit, l.t_us, l.t_quality, l.line_id,
  CASE WHEN g.distinct_values > 1 THEN 'conflict' WHEN g.moved THEN 'changed'
       WHEN g.layers > 1 OR l.seen > 1 THEN 'agreed' ELSE 'single' END AS state
 FROM last l JOIN grouped g ON g.host_id = l.host_id AND g.gpu_id IS l.gpu_id AND g.key = l.key AND g.inside = l.inside
 WHERE l.age = 1;

CREATE VIEW xid AS -- Xid events without copies, with what the catalog says of the code. Their texts are those of event: rules hold storms of them in memory.
 SELECT e.id, e.host_id, e.gpu_id, e.instance_id, e.boot_id, e.code, e.t_us, e.t_quality, e.pid, e.process,
  e.repeats, e.incident_id, e.line_id, e.source_id, k.mnemonic, k.severity, k.action, k.rule
 FROM event e LEFT JOIN kb_xid k ON k.code = e.code
 WHERE e.kind = 'xid' AND e.copy_of IS NULL;

CREATE VIEW link AS -- The PCIe link of each GPU from the source that says most, with the port above.
 WITH ranked AS (
  SELECT d.id, row_number() OVER (PARTITION BY d.gpu_id
   ORDER BY p.cap_width IS NULL, p.id IS NULL, d.cap_width IS NULL, d.sta_gts IS NULL, d.target_gts IS NULL, d.id) AS rank
  FROM pci_device d LEFT JOIN pci_device p ON p.id = d.parent_id
  WHERE d.gpu_id IS NOT NULL AND d.sta_width > 0)
 SELECT d.host_id, d.gpu_id, d.id AS device_id, d.bdf, d.cap_gts, d.cap_width, d.sta_gts, d.sta_width, d.target_gts,
  d.source_id, d.line_id, d.line_cap, d.line_sta, p.bdf AS port_bdf, p.cap_gts AS port_cap_gts,
  p.cap_width AS port_cap_width, p.line_cap AS port_line_cap, p.line_id AS port_line_id
 FROM ranked r JOIN pci_device d ON d.id = r.id LEFT JOIN pci_device p ON p.id = d.parent_id
 WHERE r.rank = 1;

CREATE VIEW memory_limit AS -- How hot the memory of a GPU may get, where board or product documents say it; NULL: GDDR6X, of which none is published.
 WITH known AS (
  SELECT g.id AS gpu_id, g.host_id, coalesce(
    (SELECT max(c.num) FROM contract c WHERE c.gpu_id = g.id AND c.key = 'temp.memory_max_operating_c'),
    CASE WHEN k.temp_style = 'absolute' THEN k.mem_max_c END) AS limit_c,
   g.name LIKE '%RTX 3070 Ti%' OR g.name LIKE '%RTX 308%' OR g.name LIKE '%RTX 309%' OR g.name LIKE '%RTX 407%'
    OR g.name LIKE '%RTX 408%' OR g.name LIKE '%RTX 409%' AS gddr6x
  FROM gpu g LEFT JOIN kb_gpu_model k ON k.model = g.model)
 SELECT gpu_id, host_id, limit_c FROM known WHERE limit_c IS NOT NULL OR gddr6x;

CREATE VIEW oom AS -- Failed allocations of GPU memory without copies, in MiB as the message says; NULL what it does not.
 WITH said AS (
  SELECT e.id, e.host_id, e.gpu_id, e.source_id, e.t_us, e.t_quality, e.line_id, e.repeats,
   max(CASE a.name WHEN 'requested_mib' THEN a.num END) AS asked, max(CASE a.name WHEN 'total_mib' THEN a.num END) AS total,
   max(CASE a.name WHEN 'free_mib' THEN a.num END) AS free, max(CASE a.name WHEN 'allocated_mib' THEN a.num END) AS allocated,
   coalesce(max(CASE a.name WHEN 'reserved_total_mib' THEN a.num END) - max(CASE a.name WHEN 'allocated_mib' THEN a.num END),
    max(CASE a.name WHEN 'reserved_unused_mib' THEN a.num END)) AS unused, -- "reserved in total" of the old wording holds what is allocated
   max(CASE a.name WHEN 'process_mib' THEN a.num END) AS process, max(CASE a.name WHEN 'other_mib' THEN a.num END) AS other,
   max(CASE a.name WHEN 'by' THEN a.value END) AS by, max(CASE a.name WHEN 'cuda_device' THEN a.value END) AS device -- as CUDA counts in that process
  FROM event e LEFT JOIN event_attr a ON a.event_id = e.id
  WHERE e.kind = 'vram.oom' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
  GROUP BY e.id)
 SELECT s.*, s.total - s.free - coalesce(s.process, -- what others hold. In a container the program itself is but a number: what it reserved and a context up to 4 GiB
   CASE WHEN s.other BETWEEN s.allocated + s.unused AND s.allocated + s.unused + 4096 THEN s.other END, s.allocated + s.unused) AS foreign_mib
 FROM said s;

CREATE VIEW bmc AS -- Records of a BMC's log without copies, in spells: of one kind, with pauses under an hour; what has no time is one spell.
 WITH record AS (
  SELECT e.id, e.host_id, e.kind, e.t_us, e.t_quality, e.line_id, e.text, e.source_id,
   max(CASE a.name WHEN 'device' THEN a.value END) AS thing, -- the part that it is about; NULL not named
   max(CASE a.name WHEN 'severity' THEN lower(a.value) END) AS severity, max(CASE a.name WHEN 'reading' THEN a.value END) AS reading,
   max(CASE a.name WHEN 'threshold' THEN a.value END) AS threshold, coalesce(max(a.name = 'recovered'), 0) AS recovered,
   coalesce(max(a.name = 'side' AND a.value = 'lower'), 0) AS low, -- a reading that fell too low
   e.t_us - lag(e.t_us) OVER (PARTITION BY e.host_id, e.kind, e.t_quality ORDER BY e.t_us, e.id) AS pause_us
  FROM event e LEFT JOIN event_attr a ON a.event_id = e.id
  WHERE e.kind LIKE 'bmc.%' AND e.copy_of IS NULL AND e.host_id IS NOT NULL
  GROUP BY e.id),
 numbered AS (
  SELECT r.*, sum(r.t_us IS NOT NULL AND (r.pause_us IS NULL OR r.pause_us > 3600000000)) OVER (PARTITION BY r.host_id, r.kind, r.t_quality ORDER BY r.t_us, r.id) AS spell FROM record r),
 ranked AS (
  SELECT n.*, row_number() OVER (PARTITION BY n.host_id, n.kind, n.t_quality, n.spell ORDER BY n.recovered, n.t_us, n.id) AS nth,
   row_number() OVER (PARTITION BY n.host_id, n.kind, n.t_quality, n.spell, n.thing ORDER BY n.recovered, n.t_us, n.id) AS nth_of_thing,
   row_number() OVER (PARTITION BY n.host_id, n.kind, n.t_quality, n.spell, n.thing ORDER BY n.t_us DESC, n.id DESC) AS from_end
  FROM numbered n)
 SELECT r.id, r.host_id, r.kind, r.t_us, r.t_quality, r.line_id, r.thing, r.severity, r.reading, r.threshold, r.recovered, r.low, r.spell, r.nth,
  rtrim(r.text, '. ') AS said,
  CASE WHEN r.text LIKE '%non-recoverable%' OR r.text LIKE '%trip%' OR r.text LIKE '%shutdown%' THEN 3
   WHEN r.text LIKE '%non-critical%' OR r.text LIKE '%warning%' OR r.text LIKE '%predict%' THEN 1
   WHEN r.text LIKE '%critical%' THEN 2 WHEN r.severity IN ('warning', 'caution', 'minor', 'degraded') THEN 1 ELSE 2 END AS grade, -- 3 the machine stops, 2 critical, 1 a warning
  coalesce(CASE WHEN b.collected_how <> 'archive mtime' THEN b.collected_us END, max(r.t_us) OVER (PARTITION BY r.host_id)) - r.t_us AS age_us,
  min(r.t_us) OVER w AS t0_us, max(r.t_us) OVER w AS t1_us,
  sum(NOT r.recovered) OVER w AS n, -- records of the spell that say bad things,
  sum(NOT r.recovered AND r.nth_of_thing = 1) OVER w AS things, -- parts they are about,
  sum(NOT r.recovered AND r.from_end = 1) OVER w AS open -- and parts of which the last one is bad
 FROM ranked r JOIN source s ON s.id = r.source_id JOIN bundle b ON b.id = s.bundle_id
 WINDOW w AS (PARTITION BY r.host_id, r.kind, r.t_quality, r.spell);

CREATE VIEW swap AS -- At an address sits another card than in an earlier boot, and not because buses were renumbered, which keeps their order.
 WITH seat AS (
  SELECT g.host_id, n.gpu_id, n.boot_id, b.seq, n.value AS bdf, coalesce(g.uuid, g.serial) AS card, n.line_id
  FROM gpu_name n JOIN gpu g ON g.id = n.gpu_id JOIN boot b ON b.id = n.boot_id
  WHERE n.kind = 'bdf' AND coalesce(g.uuid, g.serial) IS NOT NULL),
 taken AS (
  SELECT x.host_id, x.bdf, x.gpu_id AS gpu_before, y.gpu_id AS gpu_after, x.boot_id AS boot_before, y.boot_id AS boot_after, x.seq AS seq_before, y.seq AS seq_after,
   x.line_id AS line_before, y.line_id AS line_after,
   (SELECT s.bdf FROM seat s WHERE s.gpu_id = x.gpu_id AND s.boot_id = y.boot_id) AS went_to,   -- where the former card sits then; NULL not seen
   (SELECT s.bdf FROM seat s WHERE s.gpu_id = y.gpu_id AND s.boot_id = x.boot_id) AS came_from
  FROM seat x JOIN seat y ON y.host_id = x.host_id AND y.bdf = x.bdf AND y.seq > x.seq AND y.card <> x.card)
 SELECT t.* FROM taken t
 WHERE CASE WHEN t.went_to IS NULL AND t.came_from IS NULL THEN 1 -- one taken out, one put in
  WHEN t.went_to IS NOT NULL AND t.came_from IS NOT NULL THEN (t.bdf < t.came_from) <> (t.went_to < t.bdf)
  ELSE EXISTS (SELECT 1 FROM seat k JOIN seat l ON l.gpu_id = k.gpu_id AND l.bdf = k.bdf AND l.boot_id = t.boot_after -- a card behind them all stayed
   WHERE k.boot_id = t.boot_before AND k.bdf > t.bdf AND k.bdf > coalesce(t.went_to, t.came_from)) END;

CREATE TABLE rule( -- The rules that judged, as loaded.
  id TEXT PRIMARY KEY, title TEXT NOT NULL, scope TEXT NOT NULL, severity TEXT NOT NULL, symptom TEXT NOT NULL,
  kind TEXT NOT NULL, points TEXT NOT NULL, shows TEXT NOT NULL, settle TEXT, needs TEXT, reads TEXT, params TEXT, explains TEXT,
  summary TEXT NOT NULL, meaning TEXT, action TEXT, remedy TEXT, falsepositives TEXT, refs TEXT, path TEXT NOT NULL, digest TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE rule_run( -- What each rule said of each GPU and host.
  rule TEXT NOT NULL, host_id INTEGER, gpu_id INTEGER, -- host_id NULL: the rule failed as a whole
  outcome TEXT NOT NULL,        -- fired | clean | not_checkable | error
  missing TEXT,                 -- terms of "needs" that did not hold, blank-separated
  message TEXT                  -- of an error
);

CREATE TABLE site( -- Values of which the site says what it means to have (--site FILE); empty without.
  host_id INTEGER NOT NULL, gpu_id INTEGER, key TEXT NOT NULL, layer TEXT NOT NULL, value TEXT NOT NULL,
  expected TEXT NOT NULL,       -- "300", "at most 85"
  why TEXT NOT NULL,
  holds INTEGER NOT NULL,       -- the value is as it is meant
  value_line INTEGER NOT NULL,  -- that says the value
  line_id INTEGER NOT NULL      -- of the site's file
);

CREATE TABLE finding( -- What was concluded.
  id INTEGER PRIMARY KEY,
  rule TEXT NOT NULL, bundle_id INTEGER NOT NULL, host_id INTEGER NOT NULL, grp TEXT,
  severity TEXT NOT NULL,       -- critical | error | warning | info
  confidence REAL NOT NULL, kind TEXT NOT NULL, symptom TEXT NOT NULL, points TEXT NOT NULL, shows TEXT NOT NULL,
  state TEXT NOT NULL,          -- active | cured | history | unknown
  action TEXT NOT NULL,
  t0_us INTEGER, t1_us INTEGER, t_quality TEXT, at_end INTEGER NOT NULL, -- at_end: still true at the end
  summary TEXT NOT NULL, meaning TEXT, remedy TEXT, settle TEXT,
  more_lines INTEGER NOT NULL DEFAULT 0 -- evidence beyond the 50 lines kept
);

CREATE TABLE finding_attr( -- The other columns of its first row: what {…} in the summary was filled with, for charts.
  finding_id INTEGER NOT NULL, name TEXT NOT NULL, value TEXT, num REAL,
  PRIMARY KEY(finding_id, name)
) WITHOUT ROWID;

CREATE TABLE finding_gpu(finding_id INTEGER NOT NULL, gpu_id INTEGER NOT NULL, instance_id INTEGER);
CREATE INDEX finding_gpu_finding ON finding_gpu(finding_id);

CREATE TABLE finding_line( -- Evidence.
  finding_id INTEGER NOT NULL, line_id INTEGER NOT NULL,
  role TEXT NOT NULL            -- shows | against
);
CREATE INDEX finding_line_finding ON finding_line(finding_id);

CREATE TABLE finding_edge(cause_id INTEGER NOT NULL, effect_id INTEGER NOT NULL, why TEXT NOT NULL);

CREATE TABLE root( -- The order of what deserves attention.
  bundle_id INTEGER NOT NULL, rank INTEGER NOT NULL, finding_id INTEGER NOT NULL,
  PRIMARY KEY(bundle_id, rank)
) WITHOUT ROWID;
CREATE INDEX root_finding ON root(finding_id);

CREATE TABLE verdict( -- One row a bundle.
  bundle_id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,           -- fault | explanation | operation | healthy | cannot_tell
  finding_id INTEGER,           -- the first root; NULL healthy or cannot_tell
  reason TEXT NOT NULL, action TEXT NOT NULL
);

CREATE TABLE answer( -- What the lists of kb_checklist ask, answered: the view checklist when the rules had judged.
  bundle_id INTEGER NOT NULL,
  list TEXT NOT NULL, n INTEGER NOT NULL, -- of kb_checklist
  place INTEGER NOT NULL,       -- order of all questions
  question TEXT NOT NULL,
  answer TEXT NOT NULL,         -- yes | no | unknown
  status TEXT NOT NULL,         -- pass | warn | fail | not_checkable
  missing TEXT,                 -- what would answer it, terms of needs; NULL it is answered
  PRIMARY KEY(bundle_id, list, n)
) WITHOUT ROWID;

CREATE TABLE answer_line( -- Where it is said: at most eight lines an answer.
  bundle_id INTEGER NOT NULL, list TEXT NOT NULL, n INTEGER NOT NULL, line_id INTEGER NOT NULL
);

CREATE VIEW checklist_serves AS -- The bundles of machines that serve models.
 SELECT s.bundle_id FROM (SELECT DISTINCT source_id, key FROM fact) f JOIN source s ON s.id = f.source_id
  JOIN kb_serving_sign k ON k.kind = 'fact' AND f.key GLOB k.what
 UNION SELECT s.bundle_id FROM metric m JOIN source s ON s.id = m.source_id JOIN kb_serving_sign k ON k.kind = 'metric' AND m.key GLOB k.what
 UNION SELECT h.bundle_id FROM (SELECT DISTINCT gpu_id, name FROM process_sample) p JOIN gpu g ON g.id = p.gpu_id JOIN host h ON h.id = g.host_id
  JOIN kb_serving_sign k ON k.kind = 'process' AND p.name GLOB k.what
 UNION SELECT s.bundle_id FROM source s JOIN kb_serving_sign k ON k.kind = 'parser' AND s.parser = k.what;

CREATE VIEW checklist_here AS -- The questions that are asked of a bundle.
 SELECT b.id AS bundle_id, q.list, q.n, q.question, q.good, q.rowid AS place FROM bundle b JOIN kb_checklist q
 WHERE q.list <> 'serving' OR b.id IN (SELECT bundle_id FROM checklist_serves);

CREATE VIEW checklist_term AS -- Terms, with what stands before the first *: the index of coverage finds by it.
 SELECT list, n, need, how, what, substr(what, 1, instr(what || '*', '*') - 1) AS head FROM kb_checklist_term;

CREATE VIEW checklist_said AS -- What each term says to its question: found | answered | lacks; worst: 3 critical ... 0 info.
 SELECT q.bundle_id, q.list, q.n, t.need, t.how, t.what,
  CASE
   WHEN t.how IN ('rule', 'also') THEN (
    SELECT CASE WHEN max(r.outcome = 'fired') THEN 'found' WHEN min(r.outcome = 'clean') THEN 'answered' ELSE 'lacks' END
    FROM rule_run r JOIN host h ON h.id = r.host_id WHERE h.bundle_id = q.bundle_id AND r.rule GLOB t.what)
   WHEN t.how IN ('change', 'changed') THEN CASE
    WHEN EXISTS (SELECT 1 FROM change c JOIN host h ON h.id = c.host_id WHERE h.bundle_id = q.bundle_id AND c.what GLOB t.what) THEN 'found'
    WHEN EXISTS (SELECT 1 FROM fact f JOIN host h ON h.id = f.host_id WHERE h.bundle_id = q.bundle_id AND f.key GLOB t.what
                 GROUP BY f.host_id, f.gpu_id, f.key, f.t_quality
                 HAVING max(f.t_us) - min(f.t_us) >= 3600000000 OR count(DISTINCT f.boot_id) > 1) THEN 'answered'
    ELSE 'lacks' END
   WHEN t.how = 'event' THEN CASE
    WHEN EXISTS (SELECT 1 FROM event e JOIN host h ON h.id = e.host_id WHERE h.bundle_id = q.bundle_id AND e.kind GLOB t.what) THEN 'found'
    WHEN EXISTS (SELECT 1 FROM coverage c JOIN host h ON h.id = c.host_id
                 WHERE h.bundle_id = q.bundle_id AND c.what BETWEEN 'log.' || t.head AND 'log.' || t.head || char(1114111) AND c.what GLOB 'log.' || t.what AND c.whole) THEN 'answered'
    ELSE 'lacks' END
   WHEN t.how = 'has' THEN CASE
    WHEN EXISTS (SELECT 1 FROM change c JOIN host h ON h.id = c.host_id
                 WHERE h.bundle_id = q.bundle_id AND 'change.' || c.what GLOB t.what) THEN 'answered'
    WHEN EXISTS (SELECT 1 FROM gpu g JOIN host h ON h.id = g.host_id WHERE h.bundle_id = q.bundle_id AND NOT EXISTS (
                 SELECT 1 FROM coverage c WHERE c.host_id = g.host_id AND (c.gpu_id IS NULL OR c.gpu_id = g.id)
                 AND c.what BETWEEN t.head AND t.head || char(1114111) AND c.what GLOB t.what AND (c.whole OR t.what NOT GLOB 'log.*'))) THEN 'lacks'
    WHEN EXISTS (SELECT 1 FROM coverage c JOIN host h ON h.id = c.host_id WHERE h.bundle_id = q.bundle_id
                 AND c.what BETWEEN t.head AND t.head || char(1114111) AND c.what GLOB t.what AND (c.whole OR t.what NOT GLOB 'log.*')) THEN 'answered'
    ELSE 'lacks' END
  END AS said,
  CASE WHEN t.how IN ('rule', 'also') THEN (
   SELECT max(CASE f.severity WHEN 'critical' THEN 3 WHEN 'error' THEN 2 WHEN 'warning' THEN 1 ELSE 0 END)
   FROM finding f WHERE f.bundle_id = q.bundle_id AND f.rule GLOB t.what) END AS worst,
  CASE t.how WHEN 'rule' THEN (
   SELECT r.missing FROM rule_run r JOIN host h ON h.id = r.host_id
   WHERE h.bundle_id = q.bundle_id AND r.rule GLOB t.what AND r.outcome = 'not_checkable' ORDER BY r.rule, r.host_id, r.gpu_id LIMIT 1)
   WHEN 'change' THEN 'table.change' WHEN 'event' THEN 'log.' || t.what
   WHEN 'has' THEN CASE WHEN t.what GLOB 'change.*' THEN 'table.change' ELSE t.what END END AS missing
 FROM checklist_here q JOIN checklist_term t ON t.list = q.list AND t.n = q.n WHERE t.how <> 'cite';

CREATE VIEW checklist AS -- The answers: yes | no | unknown, and pass | warn | fail | not_checkable.
 WITH needs AS ( -- of the terms with one number one must be answered
  SELECT bundle_id, list, n, need, max(said = 'answered') AS met, max(said = 'found') AS found, max(CASE WHEN said = 'found' THEN worst END) AS worst,
   min(how = 'has') AS has, min(missing) AS missing
  FROM (SELECT * FROM checklist_said LIMIT -1) -- else each use of "said" would look again
  GROUP BY bundle_id, list, n, need),
 needed AS (
  SELECT bundle_id, list, n, max(found) AS found, max(worst) AS worst, min(CASE WHEN need IS NOT NULL THEN met END) AS met,
   min(CASE WHEN need IS NOT NULL THEN has END) AS has, min(CASE WHEN need IS NOT NULL AND NOT met THEN need || ' ' || missing END) AS missing
  FROM needs GROUP BY bundle_id, list, n),
 judged AS (
  SELECT q.bundle_id, q.list, q.n, q.place, q.question, q.good, d.worst, substr(d.missing, instr(d.missing, ' ') + 1) AS missing,
   CASE WHEN d.found THEN 'found' WHEN d.met THEN 'good' WHEN d.has THEN 'lacks' ELSE 'unknown' END AS state
  FROM needed d JOIN checklist_here q USING (bundle_id, list, n))
 SELECT bundle_id, list, n, place, question,
  CASE WHEN state = 'good' THEN good WHEN state = 'unknown' THEN 'unknown' WHEN good = 'yes' THEN 'no' ELSE 'yes' END AS answer,
  CASE state WHEN 'good' THEN 'pass' WHEN 'unknown' THEN 'not_checkable' WHEN 'lacks' THEN 'warn'
   ELSE CASE WHEN worst >= 2 THEN 'fail' ELSE 'warn' END END AS status,
  CASE WHEN state IN ('unknown', 'lacks') THEN missing END AS missing -- what would answer it, a term of needs
 FROM judged;

CREATE VIEW checklist_line AS -- Where an answer is said: 0-2 what was found or changed, 3-4 what was seen.
 WITH term AS (SELECT q.bundle_id, q.list, q.n, t.how, t.what, t.head FROM checklist_here q JOIN checklist_term t USING (list, n))
 SELECT t.bundle_id, t.list, t.n, 0 AS place, l.line_id
  FROM term t JOIN finding f ON f.bundle_id = t.bundle_id AND f.rule GLOB t.what
  JOIN finding_line l ON l.finding_id = f.id AND l.role = 'shows' WHERE t.how IN ('rule', 'also')
 UNION ALL SELECT t.bundle_id, t.list, t.n, 1, e.line_id
  FROM term t JOIN event e ON e.kind GLOB t.what AND e.copy_of IS NULL JOIN host h ON h.id = e.host_id AND h.bundle_id = t.bundle_id
  WHERE t.how = 'event'
 UNION ALL SELECT t.bundle_id, t.list, t.n, 2, w.line_id
  FROM (SELECT host_id, what, line_before AS line_id FROM change UNION SELECT host_id, what, line_after FROM change) w
  JOIN host h ON h.id = w.host_id JOIN term t ON t.bundle_id = h.bundle_id
   AND (t.how IN ('change', 'changed') AND w.what GLOB t.what OR t.how = 'has' AND 'change.' || w.what GLOB t.what)
 UNION ALL SELECT t.bundle_id, t.list, t.n, 3, c.line_id
  FROM (SELECT * FROM term WHERE how IN ('cite', 'has') AND what GLOB 'fact.*' LIMIT -1) t -- few, before each meets all facts
  CROSS JOIN (SELECT h.bundle_id, 'fact.' || c.key AS what, c.line_id FROM contract c JOIN host h ON h.id = c.host_id LIMIT -1) c
   ON c.bundle_id = t.bundle_id AND c.what BETWEEN t.head AND t.head || char(1114111) AND c.what GLOB t.what
 UNION ALL SELECT t.bundle_id, t.list, t.n, 4, (o.id << 32) | o.first_line
  FROM term t CROSS JOIN coverage c ON c.what BETWEEN t.head AND t.head || char(1114111) AND c.what GLOB t.what
  CROSS JOIN source o ON o.id = c.source_id AND o.bundle_id = t.bundle_id
  WHERE t.how IN ('cite', 'has') AND t.what NOT GLOB 'fact.*';
