#include "derive/identity.h"
#include "store/query.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- rows of gpu ---- */

struct writing {
	struct gpudx_identity *d;
	sqlite3_stmt *gpu, *taken, *name, *ref, *device;
	struct gpudx_sv host; /* its name, or "host" */
	int ordinal;	      /* of the next GPU of this host */
};

/* Any address that it had, the last one for those that are still there. */
static struct gpudx_sv last_seat(const struct gpudx_node *r)
{
	const struct gpudx_seat *best = NULL;

	for (const struct gpudx_seat *s = r->seats; s; s = s->next)
		if (!best || s->boot > best->boot)
			best = s;
	return best ? best->bdf : sv_n(NULL, 0);
}

static int compare(struct gpudx_sv a, struct gpudx_sv b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

/* Those that are there first, by index, address, UUID. */
static int by_rank(const void *pa, const void *pb)
{
	const struct gpudx_node *a = *(struct gpudx_node *const *)pa,
				*b = *(struct gpudx_node *const *)pb;
	int c;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->gone != b->gone)
		return a->gone - b->gone;
	if (a->r_idx != b->r_idx && (a->r_idx < 0 || b->r_idx < 0))
		return a->r_idx < 0 ? 1 : -1;
	if (a->r_idx != b->r_idx)
		return a->r_idx < b->r_idx ? -1 : 1;
	c = compare(last_seat(a), last_seat(b));
	if (!c)
		c = compare(a->r_uuid, b->r_uuid);
	return c ? c : (a > b) - (a < b);
}

/* "GPU 3b:00.0": domain 0 goes without saying. */
static void seat_label(struct gpudx_sv bdf, char *buf, size_t size)
{
	sv_lit(&bdf, "0000:");
	snprintf(buf, size, "GPU %.*s", (int)bdf.n, bdf.p);
}

static enum gpudx_status is_taken(struct writing *w, const char *key, bool *taken,
				  struct gpudx_err *err)
{
	enum gpudx_status rc;

	gpudx_bind_text(w->taken, 1, sv_str(key));
	sqlite3_bind_int64(w->taken, 2, w->d->bundle);
	rc = gpudx_db_step(w->taken, taken, err);
	sqlite3_reset(w->taken);
	return rc;
}

/* HOST/BDF, else HOST/UUID, else HOST/gpuN; the first that nobody has. */
static enum gpudx_status make_key(struct writing *w, const struct gpudx_node *r,
				  struct gpudx_sv bdf, int number, char *buf, size_t size,
				  struct gpudx_err *err)
{
	const struct gpudx_sv names[] = { bdf, r->r_uuid };
	enum gpudx_status rc = GPUDX_OK;
	bool taken = true;

	for (size_t i = 0; i < 2 && taken && !rc; i++) {
		if (!names[i].p)
			continue;
		snprintf(buf, size, "%.*s/%.*s", (int)sv_first(w->host, 80).n, w->host.p,
			 (int)sv_first(names[i], 80).n, names[i].p);
		rc = is_taken(w, buf, &taken, err);
	}
	for (; taken && !rc; number++) {
		snprintf(buf, size, "%.*s/gpu%d", (int)sv_first(w->host, 80).n, w->host.p, number);
		rc = is_taken(w, buf, &taken, err);
	}
	return rc;
}

static const char *identified_by(const struct gpudx_node *r)
{
	if (r->r_uuid.p)
		return "uuid";
	if (r->seats)
		return "address";
	return r->how ? r->how : "nothing identifies it";
}

static enum gpudx_status insert_gpu(struct writing *w, struct gpudx_node *r, struct gpudx_err *err)
{
	struct gpudx_sv seat = last_seat(r), bdf = r->gone ? sv_n(NULL, 0) : seat;
	int32_t idx = r->gone ? -1 : r->r_idx;
	int number = idx >= 0 ? idx : w->ordinal;
	char key[200], label[64];
	enum gpudx_status rc = make_key(w, r, bdf, number, key, sizeof(key), err);

	if (rc)
		return rc;
	if (idx >= 0)
		snprintf(label, sizeof(label), "GPU %d", idx);
	else if (seat.p)
		seat_label(seat, label, sizeof(label));
	else
		snprintf(label, sizeof(label), "GPU gpu%d", number);
	sqlite3_bind_int64(w->gpu, 1, r->host);
	gpudx_bind_text(w->gpu, 2, sv_str(key));
	gpudx_bind_text(w->gpu, 3, sv_str(label));
	gpudx_bind_unless(w->gpu, 4, idx, -1);
	gpudx_bind_text(w->gpu, 5, r->r_uuid);
	gpudx_bind_text(w->gpu, 6, r->r_serial);
	gpudx_bind_text(w->gpu, 7, bdf);
	gpudx_bind_text(w->gpu, 8, sv_str(identified_by(r)));
	rc = gpudx_db_run(w->gpu, err);
	r->gpu = sqlite3_last_insert_rowid(w->d->db);
	w->ordinal++;
	return rc;
}

static enum gpudx_status host_name_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_sv name = gpudx_col_text(row, 0);
	struct writing *w = arg;

	(void)err;
	w->host = name.n ? gpudx_arena_sv(&w->d->arena, name) : SV_LIT("host");
	w->ordinal = 0;
	return GPUDX_OK;
}

static enum gpudx_status insert_gpus(struct writing *w, struct gpudx_err *err)
{
	struct gpudx_identity *d = w->d;
	struct gpudx_node **gpu =
		gpudx_arena_array(&d->arena, d->n + 1, sizeof(struct gpudx_node *));
	enum gpudx_status rc = GPUDX_OK;
	size_t n = 0;

	if (!gpu)
		return gpudx_nomem(err);
	for (size_t i = 0; i < d->n; i++)
		if (!d->node[i].up && d->node[i].is_gpu)
			gpu[n++] = &d->node[i];
	if (n)
		qsort(gpu, n, sizeof(*gpu), by_rank);
	for (size_t i = 0; i < n && !rc; i++) {
		if (!i || gpu[i]->host != gpu[i - 1]->host)
			rc = gpudx_query_each(d->db, "SELECT name FROM host WHERE id = ?1",
					      gpu[i]->host, host_name_row, w, err);
		if (!rc)
			rc = insert_gpu(w, gpu[i], err);
	}
	return rc;
}

/* ---- what points to them ---- */

static enum gpudx_status insert_name(struct writing *w, const struct gpudx_node *n, int64_t gpu,
				     const char *kind, struct gpudx_sv value, struct gpudx_err *err)
{
	if (!value.p)
		return GPUDX_OK;
	sqlite3_bind_int64(w->name, 1, gpu);
	gpudx_bind_unless(w->name, 2, n->boot, 0);
	gpudx_bind_text(w->name, 3, sv_str(kind));
	gpudx_bind_text(w->name, 4, value);
	gpudx_bind_unless(w->name, 5, n->line_id, 0);
	return gpudx_db_run(w->name, err);
}

static enum gpudx_status write_node(struct writing *w, struct gpudx_node *n, struct gpudx_err *err)
{
	int64_t gpu = n->excluded ? 0 : gpudx_node_root(n)->gpu;
	const char *how = n->excluded ? "no GPU" : gpu ? n->how : "fits no GPU that is known";
	sqlite3_stmt *st = n->ref ? w->ref : w->device;
	enum gpudx_status rc = GPUDX_OK;
	char idx[16];

	sqlite3_bind_int64(st, 1, n->ref ? n->ref : n->device);
	gpudx_bind_unless(st, 2, gpu, 0);
	if (n->ref) {
		gpudx_bind_text(st, 3, sv_str(how));
		gpudx_bind_real(st, 4, gpu ? n->confidence : 0.0 / 0.0);
	}
	rc = gpudx_db_run(st, err);
	if (!gpu || rc)
		return rc;
	snprintf(idx, sizeof(idx), "%d", n->idx);
	rc = insert_name(w, n, gpu, "bdf", n->bdf, err);
	if (!rc)
		rc = insert_name(w, n, gpu, "uuid", n->uuid, err);
	if (!rc)
		rc = insert_name(w, n, gpu, "serial", n->serial, err);
	if (!rc)
		rc = insert_name(w, n, gpu, "index", n->idx >= 0 ? sv_str(idx) : sv_n(NULL, 0),
				 err);
	return rc;
}

/* Of a slice that several sources list, the first row is the slice; what others know more is added.
 * Sources that know no instance ids count only where nobody does; but nvidia-smi -L, which has the
 * profiles, lists slices in the order of the table, which has the ids. */
#define NAMED_SLICE(what)                                                           \
	"(SELECT min(b." what ") FROM temp.slice_place a JOIN temp.slice_place b"   \
	"  ON b.gpu_id = a.gpu_id AND b.n = a.n AND b.nth = a.nth AND b.gi IS NULL" \
	"  WHERE a.id = gpu_instance.id HAVING min(b." what ") = max(b." what "))"
static const char *const slices[] = {
	"DROP TABLE IF EXISTS temp.slice",
	"CREATE TEMP TABLE slice AS SELECT i.id, r.gpu_id, i.gi, coalesce(i.ci, -1) AS ci, i.uuid,"
	" i.profile,"
	" min(i.id) OVER (PARTITION BY r.gpu_id, i.gi, coalesce(i.ci, -1),"
	"  CASE WHEN i.gi IS NULL THEN coalesce(i.uuid, i.id) END) AS first"
	" FROM gpu_instance i JOIN gpu_ref r ON r.id = i.ref_id JOIN source s"
	" ON s.id = r.source_id"
	" WHERE s.bundle_id = ?1 AND r.gpu_id IS NOT NULL",
	"DROP TABLE IF EXISTS temp.slice_place",
	"CREATE TEMP TABLE slice_place AS SELECT i.id, r.gpu_id, i.gi, i.uuid, i.profile,"
	" row_number() OVER (PARTITION BY r.gpu_id, r.source_id ORDER BY i.id) AS nth,"
	" count(*) OVER (PARTITION BY r.gpu_id, r.source_id) AS n"
	" FROM gpu_instance i JOIN temp.slice x ON x.id = i.id JOIN gpu_ref r ON r.id = i.ref_id",
	"UPDATE gpu_instance SET uuid = coalesce(uuid, " NAMED_SLICE(
		"uuid") "),"
			" profile = coalesce(profile, " NAMED_SLICE(
				"profile") ")"
					   " WHERE id IN (SELECT id FROM temp.slice_place WHERE gi "
					   "IS NOT NULL)",
	"DELETE FROM temp.slice WHERE gi IS NULL AND gpu_id IN (SELECT gpu_id FROM temp.slice"
	" WHERE gi IS NOT NULL)",
	"UPDATE gpu_instance SET gpu_id = (SELECT gpu_id FROM temp.slice s"
	" WHERE s.id = gpu_instance.id),"
	" uuid = coalesce(uuid, (SELECT max(uuid) FROM temp.slice s"
	" WHERE s.first = gpu_instance.id)),"
	" profile = coalesce(profile, (SELECT max(profile) FROM temp.slice s"
	" WHERE s.first = gpu_instance.id))"
	" WHERE id IN (SELECT first FROM temp.slice)",
	/* Slices that are only used or only complained about. */
	"INSERT INTO gpu_instance(gpu_id, ref_id, gi, ci, line_id)"
	" SELECT r.gpu_id, min(r.id), r.gi, r.ci, min(r.line_id) FROM gpu_ref r JOIN source s"
	" ON s.id = r.source_id"
	" WHERE s.bundle_id = ?1 AND r.gpu_id IS NOT NULL AND r.gi IS NOT NULL AND NOT EXISTS ("
	"  SELECT 1 FROM gpu_instance i WHERE i.gpu_id = r.gpu_id AND i.gi = r.gi"
	"  AND (r.ci IS NULL OR i.ci IS NULL OR i.ci = r.ci))"
	" GROUP BY r.gpu_id, r.gi, r.ci ORDER BY 1, 3, 4",
	"UPDATE gpu_ref SET instance_id ="
	" (SELECT min((i.ci IS NOT gpu_ref.ci) << 32 | i.id) & 4294967295"
	"  FROM gpu_instance i WHERE i.gpu_id = gpu_ref.gpu_id"
	"  AND (i.uuid = gpu_ref.uuid OR (i.gi = gpu_ref.gi"
	"   AND (gpu_ref.ci IS NULL OR i.ci IS NULL OR i.ci = gpu_ref.ci))))"
	" WHERE gpu_id IS NOT NULL AND (gi IS NOT NULL OR uuid LIKE 'MIG-%')",
};

static const char *const pointers[] = {
	"UPDATE process_sample SET gpu_id = (SELECT gpu_id FROM gpu_ref r WHERE r.id = ref_id),"
	" instance_id = (SELECT r.instance_id FROM gpu_ref r WHERE r.id = ref_id)"
	" WHERE ref_id IN (SELECT r.id FROM gpu_ref r JOIN source s ON s.id = r.source_id"
	" WHERE s.bundle_id = ?1)",
	"UPDATE process_sample SET instance_id ="
	" (SELECT min((i.ci IS NOT process_sample.ci) << 32 | i.id) & 4294967295"
	" FROM gpu_instance i"
	"  WHERE i.gpu_id = process_sample.gpu_id AND i.gi = process_sample.gi"
	"  AND (process_sample.ci IS NULL OR i.ci IS NULL OR i.ci = process_sample.ci))"
	" WHERE gi IS NOT NULL AND gpu_id IS NOT NULL",
	"UPDATE metric SET gpu_id = (SELECT gpu_id FROM gpu_ref r WHERE r.id = ref_id)"
	" WHERE source_id IN (SELECT id FROM source WHERE bundle_id = ?1)",
	"UPDATE pci_device SET gpu_id = (SELECT gpu_id FROM gpu_ref r WHERE r.id = ref_id)"
	" WHERE ref_id IS NOT NULL AND source_id IN (SELECT id FROM source WHERE bundle_id = ?1)",
	"UPDATE fact SET gpu_id = (SELECT gpu_id FROM gpu_ref r WHERE r.id = ref_id),"
	" instance_id = (SELECT instance_id FROM gpu_ref r WHERE r.id = ref_id)"
	" WHERE ref_id IS NOT NULL AND source_id IN (SELECT id FROM source WHERE bundle_id = ?1)",
	"UPDATE event SET gpu_id = (SELECT gpu_id FROM gpu_ref r WHERE r.id = ref_id),"
	" instance_id = (SELECT instance_id FROM gpu_ref r WHERE r.id = ref_id)"
	" WHERE ref_id IS NOT NULL AND source_id IN (SELECT id FROM source WHERE bundle_id = ?1)",
	"INSERT INTO gpu_name SELECT gpu_id, boot_id, kind, value, min(line_id) FROM temp.called"
	" GROUP BY gpu_id, boot_id, kind, value ORDER BY gpu_id, kind, boot_id, value",
	/* "NVIDIA A100-SXM4-4..." is what tables make of a name. lspci has it in brackets. */
	"CREATE TEMP TABLE gpu_said AS SELECT f.gpu_id, f.key, f.value, row_number() OVER"
	"  (PARTITION BY f.gpu_id, f.key ORDER BY f.value LIKE '%...', length(f.value) DESC, f.id)"
	"  AS rank FROM fact f JOIN source s ON s.id = f.source_id"
	" WHERE s.bundle_id = ?1 AND f.key IN ('gpu.name', 'gpu.minor') AND f.gpu_id IS NOT NULL"
	"  AND f.instance_id IS NULL AND f.value IS NOT NULL",
	"INSERT INTO temp.gpu_said SELECT d.gpu_id, 'lspci', CASE WHEN instr(d.name, '[') > 0"
	"  AND instr(d.name, ']') > instr(d.name, '[') THEN substr(d.name, instr(d.name, '[') + 1,"
	"   instr(d.name, ']') - instr(d.name, '[') - 1) ELSE d.name END,"
	"  row_number() OVER (PARTITION BY d.gpu_id ORDER BY d.id)"
	" FROM pci_device d WHERE d.gpu_id IS NOT NULL AND d.name <> ''",
	"CREATE INDEX temp.gpu_said_gpu ON gpu_said(gpu_id, key, rank)",
	"UPDATE gpu SET name = coalesce((SELECT rtrim(rtrim(n.value, '.')) FROM temp.gpu_said n"
	"   WHERE n.gpu_id = gpu.id AND n.key = 'gpu.name' AND n.rank = 1),"
	"  (SELECT n.value FROM temp.gpu_said n"
	"   WHERE n.gpu_id = gpu.id AND n.key = 'lspci' AND n.rank = 1)),"
	" minor = (SELECT CAST(n.value AS INTEGER) FROM temp.gpu_said n WHERE n.gpu_id = gpu.id"
	"  AND n.key = 'gpu.minor' AND n.rank = 1 AND n.value GLOB '[0-9]*')"
	" WHERE host_id IN (SELECT id FROM host WHERE bundle_id = ?1)",
	"DROP TABLE temp.gpu_said",
};

/* The row of the knowledge base that fits best: by PCI id and name, by PCI id, by the longest
 * pattern. */
static enum gpudx_status find_models(sqlite3 *db, int64_t bundle, struct gpudx_err *err)
{
	static const char by_name[] =
		"UPDATE gpu SET model = (SELECT k.model FROM kb_gpu_model k"
		" WHERE gpu.name GLOB k.name_pattern OR gpu.name LIKE k.name_pattern"
		" ORDER BY length(k.name_pattern) DESC, k.model LIMIT 1)"
		" WHERE name IS NOT NULL AND host_id IN (SELECT id FROM host WHERE bundle_id = ?1)";
	static const char by_id[] =
		"UPDATE gpu SET model = (SELECT min(k.model) FROM kb_gpu_model k JOIN pci_device d"
		" ON d.gpu_id = gpu.id AND d.device_id = k.pci_device_id)"
		" WHERE model IS NULL AND host_id IN (SELECT id FROM host WHERE bundle_id = ?1)";
	enum gpudx_status rc = GPUDX_OK;

	if (!gpudx_db_has(db, "kb_gpu_model", "model") ||
	    !gpudx_db_has(db, "kb_gpu_model", "name_pattern"))
		return GPUDX_OK;
	rc = gpudx_query_run(db, by_name, bundle, err);
	if (!rc && gpudx_db_has(db, "kb_gpu_model", "pci_device_id"))
		rc = gpudx_query_run(db, by_id, bundle, err);
	return rc;
}

static enum gpudx_status prepare(struct writing *w, struct gpudx_err *err)
{
	static const char called[] =
		"CREATE TEMP TABLE called(gpu_id INTEGER, boot_id INTEGER, kind TEXT,"
		" value TEXT, line_id INTEGER)";
	const struct {
		sqlite3_stmt **st;
		const char *sql;
	} all[] = {
		{ &w->gpu, "INSERT INTO gpu(host_id, key, label, idx, uuid, serial, bdf, how) "
			   "VALUES(?, ?, ?, ?, ?, ?, ?, ?)" },
		{ &w->taken, "SELECT 1 FROM gpu g JOIN host h ON h.id = g.host_id WHERE g.key = ? "
			     "AND h.bundle_id = ?" },
		{ &w->name, "INSERT INTO temp.called VALUES(?, ?, ?, ?, ?)" },
		{ &w->ref,
		  "UPDATE gpu_ref SET gpu_id = ?2, how = ?3, confidence = ?4 WHERE id = ?1" },
		{ &w->device, "UPDATE pci_device SET gpu_id = ?2 WHERE id = ?1" },
	};
	enum gpudx_status rc = gpudx_db_exec(w->d->db, "DROP TABLE IF EXISTS temp.called", err);

	if (!rc)
		rc = gpudx_db_exec(w->d->db, called, err);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]) && !rc; i++)
		rc = gpudx_db_prepare(w->d->db, all[i].sql, all[i].st, err);
	return rc;
}

enum gpudx_status gpudx_identity_write(struct gpudx_identity *d, struct gpudx_err *err)
{
	struct writing w = { .d = d };
	enum gpudx_status rc = prepare(&w, err);

	if (!rc)
		rc = insert_gpus(&w, err);
	for (size_t i = 0; i < d->n && !rc; i++)
		rc = write_node(&w, &d->node[i], err);
	sqlite3_finalize(w.gpu);
	sqlite3_finalize(w.taken);
	sqlite3_finalize(w.name);
	sqlite3_finalize(w.ref);
	sqlite3_finalize(w.device);
	if (!rc)
		rc = gpudx_query_all(d->db, slices, sizeof(slices) / sizeof(slices[0]), d->bundle,
				     err);
	if (!rc)
		rc = gpudx_query_all(d->db, pointers, sizeof(pointers) / sizeof(pointers[0]),
				     d->bundle, err);
	return rc ? rc : find_models(d->db, d->bundle, err);
}
