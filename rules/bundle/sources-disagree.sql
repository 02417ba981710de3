-- id:       bundle.sources-disagree
-- title:    Two sources state different values of what can have one only
-- scope:    bundle
-- severity: warning
-- symptom:  none
-- kind:     explanation
-- points:   unknown
-- shows:    condition
-- settle:   fact.kernel.release
-- needs:    table.contract
-- summary:  {name} is {a} in {path_a} and {b} in {path_b}
-- meaning:  One machine has one such value at a time. Either the files are of different machines or of different boots, or one of them is old. Findings
--           that rest on both are doubtful.
-- action:   collect
-- remedy:   Ask where and when each file was collected; then collect all of them again in one go.
-- falsepositives: Containers, whose system is another; files of an earlier boot that say so; versions of parts of the driver (driver.version-conflict);
--           values that change while a machine runs.
-- refs:     practice

WITH fixed(key, name) AS (VALUES
  ('kernel.release', 'the running kernel'), ('host.product', 'the model of the machine'), ('host.machine_id', 'the machine id'),
  ('host.boot_id', 'the boot id'), ('host.bios', 'the system firmware'), ('host.serial', 'the serial number of the machine'),
  ('gpu.vbios', 'the video BIOS'), ('gpu.board_part', 'the part number of the board')
),
told AS ( -- in the last boot; a log of several boots says itself which is the last
  SELECT f.host_id, f.gpu_id, x.name, f.key, trim(f.value) AS value, f.line_id, s.path, s.id AS source_id, coalesce(s.parent_id, s.id) AS member,
   row_number() OVER (PARTITION BY f.host_id, f.gpu_id, f.key, f.source_id ORDER BY f.id DESC) AS age
  FROM fact f JOIN fixed x ON x.key = f.key JOIN source s ON s.id = f.source_id LEFT JOIN boot b ON b.id = f.boot_id
  WHERE f.host_id IS NOT NULL AND f.instance_id IS NULL AND f.layer NOT IN ('container', 'package') AND coalesce(b.seq, 0) = 0
   AND (f.ref_id IS NULL OR f.gpu_id IS NOT NULL) AND s.path NOT LIKE '%docker%' AND s.path NOT LIKE '%container%' AND coalesce(s.title, '') NOT LIKE '%docker%'
),
differ AS ( -- each value once; of very many the first, which are enough to disagree: thousands of parts may say the same
  SELECT v.*, row_number() OVER (PARTITION BY v.host_id, v.gpu_id, v.key ORDER BY v.line_id) AS place
  FROM (SELECT t.*, row_number() OVER (PARTITION BY t.host_id, t.gpu_id, t.key, lower(t.value) ORDER BY t.line_id) AS nth_same FROM told t WHERE t.age = 1) v WHERE v.nth_same = 1
),
clash AS (
  SELECT a.host_id, a.gpu_id, a.name, a.key, a.value AS a, a.path AS path_a, a.line_id AS line_a, b.value AS b, b.path AS path_b, b.line_id AS line_b,
   row_number() OVER (PARTITION BY a.host_id, a.gpu_id, a.key ORDER BY a.line_id, b.line_id) AS nth
  FROM differ a JOIN differ b ON b.host_id = a.host_id AND b.gpu_id IS a.gpu_id AND b.key = a.key AND b.place > a.place AND b.place <= 32
  -- "DGX H100" and "NVIDIA DGX H100" are one
  WHERE a.place <= 32 AND b.source_id <> a.source_id AND instr(lower(a.value), lower(b.value)) = 0 AND instr(lower(b.value), lower(a.value)) = 0
)
SELECT c.host_id AS host_id, c.gpu_id AS gpu_id, NULL AS t0_us, NULL AS t1_us, 0.85 AS confidence, json_array(c.line_a, c.line_b) AS evidence,
 c.key AS grp, c.name AS name, c.a AS a, c.path_a AS path_a, c.b AS b, c.path_b AS path_b
FROM clash c WHERE c.nth = 1
