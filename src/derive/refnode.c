#include "base/bdf.h"
#include "derive/identity.h"
#include "store/query.h"

#include <stdlib.h>

/* ---- trees ---- */

struct gpudx_node *gpudx_node_root(struct gpudx_node *n)
{
	while (n->up) {
		if (n->up->up)
			n->up = n->up->up;
		n = n->up;
	}
	return n;
}

struct gpudx_sv gpudx_node_seat(const struct gpudx_node *root, int64_t boot)
{
	for (const struct gpudx_seat *s = root->seats; s && s->boot <= boot; s = s->next)
		if (s->boot == boot)
			return s->bdf;
	return sv_n(NULL, 0);
}

static bool differ(struct gpudx_sv a, struct gpudx_sv b)
{
	return a.p && b.p && !sv_ieq(a, b);
}

/* Serial numbers do not count: the driver prints that of the board and that of the GPU. */
bool gpudx_node_contradict(struct gpudx_node *a, struct gpudx_node *b)
{
	a = gpudx_node_root(a);
	b = gpudx_node_root(b);
	if (a == b)
		return false;
	if (a->r_uuid.p && b->r_uuid.p)
		return differ(a->r_uuid, b->r_uuid);
	for (const struct gpudx_seat *s = b->seats; s; s = s->next)
		if (differ(s->bdf, gpudx_node_seat(a, s->boot)))
			return true;
	return false;
}

/* The seats of b that a does not have yet get their place in a's list. Of two addresses in what seems
 * to be one boot, the later counts: the card was moved, and nobody logged the boot. */
static void take_seats(struct gpudx_node *a, struct gpudx_node *b)
{
	struct gpudx_seat **at = &a->seats, *s = b->seats, *next;

	for (; s; s = next) {
		next = s->next;
		while (*at && (*at)->boot < s->boot)
			at = &(*at)->next;
		if (*at && (*at)->boot == s->boot) {
			if (s->t_us > (*at)->t_us) {
				(*at)->bdf = s->bdf;
				(*at)->t_us = s->t_us;
			}
			continue;
		}
		s->next = *at;
		*at = s;
	}
	b->seats = NULL;
}

bool gpudx_node_has_seat(const struct gpudx_node *root, struct gpudx_sv bdf)
{
	for (const struct gpudx_seat *s = root->seats; s; s = s->next)
		if (sv_eq(s->bdf, bdf))
			return true;
	return false;
}

bool gpudx_node_join(struct gpudx_node *a, struct gpudx_node *b)
{
	struct gpudx_node *ring;

	a = gpudx_node_root(a);
	b = gpudx_node_root(b);
	if (a == b)
		return true;
	if (gpudx_node_contradict(a, b))
		return false;
	if (b < a) { /* the first of them stays the root: results do not depend on the way */
		struct gpudx_node *t = a;

		a = b;
		b = t;
	}
	ring = a->next;
	a->next = b->next;
	b->next = ring;
	b->up = a;
	take_seats(a, b);
	if (!a->r_uuid.p)
		a->r_uuid = b->r_uuid;
	if (!a->r_serial.p)
		a->r_serial = b->r_serial;
	if (a->r_idx < 0 || (b->r_tool_boot > a->r_tool_boot && b->r_idx >= 0))
		a->r_idx = b->r_idx;
	if (b->r_tool_boot > a->r_tool_boot)
		a->r_tool_boot = b->r_tool_boot;
	a->is_gpu |= b->is_gpu;
	a->found &= b->found;
	a->probed |= b->probed;
	return true;
}

/* ---- loading ---- */

static struct gpudx_sv keep(struct gpudx_identity *d, struct gpudx_sv s)
{
	s = sv_trim(s);
	return s.n ? gpudx_arena_sv(&d->arena, s) : sv_n(NULL, 0);
}

static struct gpudx_sv keep_bdf(struct gpudx_identity *d, struct gpudx_sv s)
{
	char buf[GPUDX_BDF_TEXT];
	struct gpudx_bdf bdf;

	return gpudx_bdf_parse(s, &bdf) ? keep(d, sv_str(gpudx_bdf_text(bdf, buf))) : sv_n(NULL, 0);
}

/* "MIG-GPU-x/1/0" names its parent and instance, "MIG-y" only itself. */
static void take_mig_uuid(struct gpudx_identity *d, struct gpudx_node *n, struct gpudx_sv uuid)
{
	struct gpudx_sv c = uuid, parent;
	uint64_t gi, ci;

	n->mig_uuid = keep(d, uuid);
	if (!sv_lit(&c, "MIG-GPU-") || !sv_until(&c, "/", &parent) || !sv_u64(&c, &gi) ||
	    !sv_char(&c, '/') || !sv_u64(&c, &ci) || c.n || gi > 255 || ci > 255)
		return;
	n->uuid = keep(d, sv_n(parent.p - 4, parent.n + 4)); /* with the "GPU-" in front of it */
	n->gi = (int32_t)gi;
	n->ci = (int32_t)ci;
}

static void take_uuid(struct gpudx_identity *d, struct gpudx_node *n, struct gpudx_sv uuid)
{
	if (sv_starts(uuid, "MIG-"))
		take_mig_uuid(d, n, uuid);
	else
		n->uuid = keep(d, uuid);
}

static bool is_zero(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '0')
			return false;
	return true;
}

static struct gpudx_sv directory(struct gpudx_sv path)
{
	while (path.n && path.p[path.n - 1] != '/')
		path.n--;
	return path;
}

/* The boot in which the ref was seen: as its log counts, else by its first stamp. */
static int64_t node_boot(const struct gpudx_identity *d, const struct gpudx_node *n,
			 int32_t src_boot, enum gpudx_stamp_kind kind, int64_t raw)
{
	const struct gpudx_clock_source *s = gpudx_clocks_source(d->c, n->source);
	const struct gpudx_clock_boot *boot;

	if (!s)
		return 0;
	gpudx_clocks_place(d->c, n->host, s, src_boot, kind, raw, &boot);
	return boot ? boot->id : 0;
}

static void start_tree(struct gpudx_identity *d, struct gpudx_node *n)
{
	n->r_uuid = n->uuid;
	n->r_serial = n->serial;
	n->r_idx = n->idx;
	if (n->tool && (n->uuid.p || n->bdf.p || n->serial.p || n->idx >= 0))
		n->r_tool_boot = n->boot;
	if (n->uuid.p || n->bdf.p) {
		n->how = n->uuid.p ? "uuid" : "address";
		n->confidence = 0.95;
	} else if (n->serial.p || n->idx >= 0) {
		n->how = n->serial.p ? "serial number" : "nvidia-smi index";
		n->confidence = 0.85;
	}
	if (!n->bdf.p)
		return;
	n->seats = gpudx_arena_alloc(&d->arena, sizeof(*n->seats));
	if (n->seats)
		*n->seats = (struct gpudx_seat){ NULL, n->boot, n->t_us, n->bdf };
}

/* Rows: host, ref, source, src_boot, idx, uuid, serial, bdf, gi, ci, line, placed, smi, log, path,
 * kind and raw of the first sample, kind and raw of the first fact, excluded, nameless, found. */
static enum gpudx_status ref_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_identity *d = arg;
	struct gpudx_node *n = &d->node[d->n++];
	struct gpudx_sv serial = gpudx_col_text(row, 6);
	int32_t idx = (int32_t)gpudx_col_int(row, 4, -1);
	bool placed = sqlite3_column_int(row, 11);
	int at = sqlite3_column_type(row, 16) == SQLITE_NULL ? 17 : 15;

	*n = (struct gpudx_node){ .host = sqlite3_column_int64(row, 0),
				  .ref = sqlite3_column_int64(row, 1),
				  .source = sqlite3_column_int64(row, 2),
				  .gi = (int32_t)gpudx_col_int(row, 8, -1),
				  .ci = (int32_t)gpudx_col_int(row, 9, -1),
				  .line_id = gpudx_col_int(row, 10, 0),
				  .idx = -1,
				  .place = -1,
				  .nameless = sqlite3_column_int(row, 20),
				  .tool = !sqlite3_column_int(row, 13),
				  .excluded = sqlite3_column_int(row, 19),
				  .probed = sqlite3_column_type(row, 21) != SQLITE_NULL,
				  .found = sqlite3_column_int(row, 21) };
	if (placed)
		n->place = idx;
	else if (sqlite3_column_int(row, 12))
		n->idx = idx;
	take_uuid(d, n, gpudx_col_text(row, 5));
	n->serial = is_zero(serial) ? sv_n(NULL, 0) : keep(d, serial);
	n->bdf = keep_bdf(d, gpudx_col_text(row, 7));
	n->dir = keep(d, directory(gpudx_col_text(row, 14)));
	n->t_us = gpudx_col_time(row, at + 1);
	n->boot = node_boot(d, n, sqlite3_column_int(row, 3),
			    gpudx_stamp_kind_of(gpudx_col_text(row, at)),
			    gpudx_col_time(row, at + 1));
	start_tree(d, n);
	return n->bdf.p && !n->seats ? gpudx_nomem(err) : GPUDX_OK;
}

/* Rows: host, source, bdf, line, device. */
static enum gpudx_status device_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_identity *d = arg;
	struct gpudx_node *n = &d->node[d->n++];

	*n = (struct gpudx_node){ .host = sqlite3_column_int64(row, 0),
				  .source = sqlite3_column_int64(row, 1),
				  .line_id = sqlite3_column_int64(row, 3),
				  .device = sqlite3_column_int64(row, 4),
				  .t_us = GPUDX_NO_TIME,
				  .idx = -1,
				  .place = -1,
				  .gi = -1,
				  .ci = -1,
				  .tool = true };
	n->bdf = keep_bdf(d, gpudx_col_text(row, 2));
	n->boot = node_boot(d, n, 0, GPUDX_STAMP_NONE, GPUDX_NO_TIME);
	start_tree(d, n);
	return n->bdf.p && !n->seats ? gpudx_nomem(err) : GPUDX_OK;
}

/* Refs in front of mere devices. */
static int by_host_and_ref(const void *pa, const void *pb)
{
	const struct gpudx_node *a = pa, *b = pb;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (!a->ref != !b->ref)
		return !a->ref - !b->ref;
	if (a->ref != b->ref)
		return a->ref < b->ref ? -1 : 1;
	return (a->device > b->device) - (a->device < b->device);
}

/* Display class, NVIDIA, not given away to a guest. class_id may carry the programming interface.
 */
#define IS_DISPLAY(d)                                                         \
	"(CASE WHEN " d ".class_id > 65535 THEN " d ".class_id >> 16 ELSE " d \
	".class_id >> 8 END = 3)"
#define IS_NVIDIA(d) "(" d ".vendor_id = 4318)"
#define IS_VFIO(d) "(coalesce(" d ".driver, '') LIKE '%vfio%')"

/* What lspci says is no GPU of this host, by address. */
static const char *const others_sql[] = {
	"DROP TABLE IF EXISTS temp.no_gpu",
	"CREATE TEMP TABLE no_gpu AS SELECT DISTINCT d.host_id, d.bdf FROM pci_device d"
	" JOIN source s ON s.id = d.source_id WHERE s.bundle_id = ?1 AND d.bdf IS NOT NULL"
	" AND (NOT " IS_DISPLAY("d") " OR NOT " IS_NVIDIA("d") " OR " IS_VFIO("d") ")",
	"CREATE INDEX temp.no_gpu_bdf ON no_gpu(bdf)",
};
/* Schedulers call a GPU by its index when it failed: that is no inventory. */
#define IS_HEARSAY                                                 \
	"s.parser IN ('node-state', 'slurm-table', 'slurm-json', " \
	"'node-table', 'k8s-events', 'k8s-object')"

/* Indexes count where they are NVML's: DCGM and the exporters number GPUs as they find them there,
 * collect_env prints nvidia-smi -L. What programs call device 0 is another order. Functions above 0 are sound, USB or virtual; switches are known by what they report. */
static const char refs_sql[] =
	"WITH sampled AS (SELECT ref_id, min(t_raw_us) AS raw FROM gpu_minute"
	" GROUP BY ref_id),"
	" stated AS (SELECT ref_id, t_kind, min(t_raw_us) AS raw FROM fact"
	"  WHERE ref_id IS NOT NULL AND t_kind <> 'none' GROUP BY ref_id),"
	/* What a capture names without saying more was there when the capture was made. */
	" captured AS (SELECT source_id, kind, min(first_us) AS raw FROM source_span"
	"  WHERE source_id IN (SELECT id FROM source WHERE parser LIKE 'smi-%')"
	"  GROUP BY source_id HAVING min(kind) = max(kind)),"
	" switches AS (SELECT ref_id FROM event WHERE ref_id IS NOT NULL GROUP BY ref_id"
	"  HAVING min(kind LIKE 'sxid%' OR kind LIKE '%nvswitch%')),"
	" found AS (SELECT ref_id, min(kind = 'kernel.gpu_found') AS alone FROM event"
	"  WHERE ref_id IS NOT NULL GROUP BY ref_id HAVING max(kind = 'kernel.gpu_found')),"
	" nameless AS (SELECT source_id, src_boot, count(*) AS n FROM gpu_ref"
	" WHERE uuid IS NULL"
	"  AND bdf IS NULL AND serial IS NULL GROUP BY source_id, src_boot)"
	" SELECT coalesce((SELECT a.host_id FROM temp.host_at a WHERE a.source_id = s.id"
	"  AND a.line <= (r.line_id & 4294967295) ORDER BY a.line DESC"
	" LIMIT 1), s.host_id) AS host,"
	" r.id, r.source_id, r.src_boot, r.idx, r.uuid, r.serial, r.bdf, r.gi, r.ci,"
	" r.line_id, r.placed,"
	" coalesce(s.parser LIKE 'smi-%' OR s.parser LIKE 'dcgmi-%' OR s.parser = 'collect-env'"
	" OR s.parser LIKE 'prometheus%' OR " IS_HEARSAY ", 0),"
	" l.source_id IS NOT NULL OR coalesce(" IS_HEARSAY ", 0), s.path,"
	" s.src_clock, p.raw, coalesce(f.t_kind, z.kind), coalesce(f.raw, z.raw),"
	" r.bdf IS NOT NULL AND (EXISTS (SELECT 1 FROM temp.no_gpu o WHERE o.bdf = r.bdf"
	" AND o.host_id = s.host_id)"
	"  OR (r.uuid IS NULL AND substr(r.bdf, -2) <> '.0' AND NOT EXISTS (SELECT 1"
	" FROM pci_device v"
	"   WHERE v.bdf = r.bdf AND v.host_id = s.host_id AND " IS_DISPLAY(
		"v") ")))"
		     " OR r.id IN (SELECT ref_id FROM switches), coalesce(m.n, 0),"
		     " (SELECT o.alone FROM found o WHERE o.ref_id = r.id)"
		     " FROM gpu_ref r JOIN source s ON s.id = r.source_id"
		     " LEFT JOIN temp.boot_log l ON l.source_id = s.id LEFT JOIN sampled p"
		     " ON p.ref_id = r.id"
		     " LEFT JOIN stated f ON f.ref_id = r.id"
		     " LEFT JOIN captured z ON z.source_id = r.source_id"
		     " LEFT JOIN nameless m ON m.source_id = r.source_id"
		     " AND m.src_boot = r.src_boot WHERE s.bundle_id = ?1"
		     " ORDER BY host, r.id";
static const char devices_sql[] =
	"SELECT d.host_id, d.source_id, d.bdf, d.line_id, d.id FROM pci_device d"
	" JOIN source s ON s.id = d.source_id"
	" WHERE s.bundle_id = ?1 AND d.ref_id IS NULL AND d.bdf IS NOT NULL "
	"AND " IS_DISPLAY("d") " AND " IS_NVIDIA("d") " AND NOT " IS_VFIO(
		"d") " ORDER BY d.host_id, d.id";

enum gpudx_status gpudx_identity_load(struct gpudx_identity *d, struct gpudx_err *err)
{
	static const char count[] =
		"SELECT (SELECT count(*) FROM gpu_ref) + (SELECT count(*) FROM pci_device)";
	enum gpudx_status rc;
	int64_t n = 0;

	rc = gpudx_db_int(d->db, count, 0, &n, err);
	if (!rc)
		rc = gpudx_query_all(d->db, others_sql, sizeof(others_sql) / sizeof(others_sql[0]),
				     d->bundle, err);
	if (rc)
		return rc;
	d->node = gpudx_arena_array(&d->arena, (size_t)n + 1, sizeof(*d->node));
	if (!d->node)
		return gpudx_nomem(err);
	rc = gpudx_query_each(d->db, refs_sql, d->bundle, ref_row, d, err);
	if (!rc)
		rc = gpudx_query_each(d->db, devices_sql, d->bundle, device_row, d, err);
	if (d->n)
		qsort(d->node, d->n, sizeof(*d->node), by_host_and_ref);
	for (size_t i = 0; i < d->n; i++)
		d->node[i].next = &d->node[i];
	return rc;
}
