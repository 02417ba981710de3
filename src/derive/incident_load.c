#include "base/search.h"
#include "derive/incident.h"
#include "store/query.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- numbers for words and addresses ---- */

int32_t gpudx_incident_kind(struct gpudx_incidents *in, struct gpudx_sv word)
{
	bool is_new;
	uint32_t *at = gpudx_map_at(&in->kinds, word, &is_new);

	if (!at)
		return 0;
	if (is_new)
		*at = in->kinds.n;
	return (int32_t)*at;
}

static bool room_for_seat(struct gpudx_incidents *in)
{
	size_t cap = in->seats_cap ? in->seats_cap * 2 : 64;
	struct gpudx_sv *bigger;

	if (in->nseats + 1 < in->seats_cap)
		return true;
	bigger = gpudx_arena_array(&in->arena, cap, sizeof(*bigger));
	if (!bigger)
		return false;
	if (in->nseats)
		memcpy(bigger, in->seat_names, (in->nseats + 1) * sizeof(*bigger));
	in->seat_names = bigger;
	in->seats_cap = cap;
	return true;
}

/* A negative number for an address on a host; 0 for none. */
static int64_t seat_of(struct gpudx_incidents *in, int64_t host, struct gpudx_sv bdf)
{
	char key[80];
	uint32_t *at;
	bool is_new;
	int n;

	if (!bdf.n || !room_for_seat(in))
		return 0;
	n = snprintf(key, sizeof(key), "%lld/%.*s", (long long)host, (int)sv_first(bdf, 40).n,
		     bdf.p);
	at = gpudx_map_at(&in->seats, sv_n(key, n > 0 ? (size_t)n : 0), &is_new);
	if (!at)
		return 0;
	if (is_new) {
		*at = (uint32_t)++in->nseats;
		in->seat_names[in->nseats] = gpudx_arena_sv(&in->arena, bdf);
	}
	return -(int64_t)*at;
}

/* ---- GPUs and the ports above them ---- */

/* Rows: gpu, host, board, level, address of the port. */
static enum gpudx_status gpu_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	int64_t id = sqlite3_column_int64(row, 0), host = sqlite3_column_int64(row, 1);
	struct gpudx_sv port = gpudx_col_text(row, 4);
	struct gpudx_incidents *in = arg;
	struct gpudx_inc_gpu *g;

	(void)err;
	if (!in->ngpus || in->gpu[in->ngpus - 1].id != id)
		in->gpu[in->ngpus++] = (struct gpudx_inc_gpu){ .id = id,
							       .host = host,
							       .board = gpudx_col_int(row, 2, 0) };
	g = &in->gpu[in->ngpus - 1];
	if (port.n && g->nports < GPUDX_PORTS_MAX)
		g->port[g->nports++] = seat_of(in, host, port);
	return GPUDX_OK;
}

static enum gpudx_status load_gpus(struct gpudx_incidents *in, struct gpudx_err *err)
{
	/* Of several sources the one that shows most of the way up. */
	static const char sql[] =
		"WITH RECURSIVE ranked AS (SELECT d.gpu_id, d.parent_id, row_number() OVER"
		"  (PARTITION BY d.gpu_id ORDER BY d.parent_id IS NULL, d.id) AS rank"
		"  FROM pci_device d WHERE d.gpu_id IS NOT NULL),"
		" way(gpu_id, level, id) AS ("
		"  SELECT gpu_id, 0, parent_id FROM ranked WHERE rank = 1 UNION ALL"
		"  SELECT w.gpu_id, w.level + 1, d.parent_id FROM way w"
		"  JOIN pci_device d ON d.id = w.id WHERE w.level < 16),"
		" boards AS (SELECT a.gpu_id, min(b.gpu_id) AS board FROM gpu_name a"
		"  JOIN gpu_name b ON b.kind = 'serial' AND b.value = a.value"
		"  JOIN gpu g ON g.id = a.gpu_id JOIN gpu o ON o.id = b.gpu_id"
		" AND o.host_id = g.host_id"
		"  WHERE a.kind = 'serial' GROUP BY a.gpu_id)"
		" SELECT g.id, g.host_id, b.board, w.level, p.bdf FROM gpu g"
		" JOIN host h ON h.id = g.host_id LEFT JOIN boards b ON b.gpu_id = g.id"
		" LEFT JOIN way w ON w.gpu_id = g.id LEFT JOIN pci_device p ON p.id = w.id"
		" WHERE h.bundle_id = ?1 ORDER BY g.id, w.level";
	enum gpudx_status rc;
	int64_t n;

	rc = gpudx_db_int(in->db, "SELECT count(*) FROM gpu", 0, &n, err);
	if (rc)
		return rc;
	in->gpu = gpudx_arena_array(&in->arena, (size_t)n + 1, sizeof(*in->gpu));
	if (!in->gpu)
		return gpudx_nomem(err);
	return gpudx_query_each(in->db, sql, in->bundle, gpu_row, in, err);
}

const struct gpudx_inc_gpu *gpudx_incident_gpu(const struct gpudx_incidents *in, int64_t seat)
{
	return GPUDX_FIND(in->gpu, in->ngpus, struct gpudx_inc_gpu, id, seat);
}

bool gpudx_incident_above(const struct gpudx_inc_gpu *gpu, int64_t port)
{
	for (unsigned i = 0; i < gpu->nports; i++)
		if (gpu->port[i] == port && port)
			return true;
	return false;
}

/* ---- events ---- */

static void place_in_time(struct gpudx_inc_event *e, int64_t line, int64_t source)
{
	bool timed = e->m.t_us != GPUDX_NO_TIME;

	if (timed && e->m.quality <= GPUDX_Q_ZONE_ASSUMED) {
		e->time = GPUDX_TIME_WALL;
	} else if (timed && e->m.quality == GPUDX_Q_BOOT) {
		e->time = GPUDX_TIME_BOOT;
		e->stream = e->boot;
	} else {
		e->time = GPUDX_TIME_ORDER;
		e->stream = source;
	}
	e->at = e->time == GPUDX_TIME_ORDER ? line & 0xffffffff : e->m.t_us;
	e->precise = e->time != GPUDX_TIME_ORDER && e->at % GPUDX_SECOND != 0;
}

/* Rows: id, host, boot, gpu, address and uuid of the ref, whether the ref is no GPU, t, quality,
 * source, line, kind, code, device, caused_by, mono. */
static enum gpudx_status event_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_incidents *in = arg;
	struct gpudx_inc_event *e = &in->event[in->n++];
	struct gpudx_sv name;

	*e = (struct gpudx_inc_event){ .id = sqlite3_column_int64(row, 0),
				       .host = sqlite3_column_int64(row, 1),
				       .boot = gpudx_col_int(row, 2, 0),
				       .gpu = gpudx_col_int(row, 3, 0),
				       .m = { gpudx_col_time(row, 7),
					      gpudx_quality_of(gpudx_col_text(row, 8)) },
				       .code = gpudx_col_int(row, 12, -1),
				       .caused_by = gpudx_col_int(row, 14, -1),
				       .mono = gpudx_col_time(row, 15) };
	e->kind = gpudx_incident_kind(in, gpudx_col_text(row, 11));
	if (!e->kind)
		return gpudx_nomem(err);
	name = gpudx_col_text(row, 4);
	e->seat = e->gpu ? e->gpu : seat_of(in, e->host, name.n ? name : gpudx_col_text(row, 5));
	e->device = seat_of(in, e->host, gpudx_col_text(row, 13));
	if (sqlite3_column_int(row, 6) && !e->device) {
		e->device = e->seat;
		e->seat = 0;
	}
	place_in_time(e, sqlite3_column_int64(row, 10), sqlite3_column_int64(row, 9));
	return GPUDX_OK;
}

static int by_time(const void *pa, const void *pb)
{
	const struct gpudx_inc_event *a = pa, *b = pb;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* Kinds that date or explain but are no trouble; kb_event_kinds knows better. */
#define NO_TROUBLE                                                                           \
	"e.kind NOT IN ('kernel.boot', 'kernel.shutdown', 'kernel.suspend', 'kernel.resume'" \
	", 'nvrm.load', 'nvrm.unload')"
#define TROUBLE                                                                            \
	"e.kind NOT IN (SELECT kind FROM kb_event_kinds WHERE incident IN ('no', 0, '0', " \
	"'false'))"

#define EVENTS(trouble)                                                                        \
	"SELECT e.id, e.host_id, e.boot_id, e.gpu_id, r.bdf, r.uuid,"                          \
	" coalesce(r.how = 'no GPU', 0), e.t_us, e.t_quality, e.source_id, e.line_id, e.kind," \
	" e.code, d.value, coalesce(c.num, CAST(c.value AS INTEGER)),"                         \
	" CASE WHEN e.t_kind = 'boot' THEN e.t_raw_us ELSE e.mono_us END FROM event e"         \
	" JOIN source s ON s.id = e.source_id LEFT JOIN gpu_ref r ON r.id = e.ref_id"          \
	" LEFT JOIN event_attr d ON d.event_id = e.id AND d.name = 'device'"                   \
	" LEFT JOIN event_attr c ON c.event_id = e.id AND c.name = 'caused_by'"                \
	" WHERE s.bundle_id = ?1 AND e.copy_of IS NULL AND e.host_id IS NOT NULL AND " trouble

static enum gpudx_status load_events(struct gpudx_incidents *in, struct gpudx_err *err)
{
	bool told = gpudx_db_has(in->db, "kb_event_kinds", "incident");
	enum gpudx_status rc;
	int64_t n;

	rc = gpudx_db_int(in->db, "SELECT count(*) FROM event", 0, &n, err);
	if (rc)
		return rc;
	in->event = gpudx_arena_array(&in->arena, (size_t)n + 1, sizeof(*in->event));
	if (!in->event)
		return gpudx_nomem(err);
	rc = gpudx_query_each(in->db, told ? EVENTS(TROUBLE) : EVENTS(NO_TROUBLE), in->bundle,
			      event_row, in, err);
	if (in->n)
		qsort(in->event, in->n, sizeof(*in->event), by_time);
	return rc;
}

/* ---- chains ---- */

/* Rows: cause kind and code, effect kind and code, seconds, scope. */
static enum gpudx_status chain_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_incidents *in = arg;
	struct gpudx_chain *c = &in->chain[in->nchains];

	*c = (struct gpudx_chain){ .cause = gpudx_incident_kind(in, gpudx_col_text(row, 0)),
				   .cause_code = gpudx_col_int(row, 1, -1),
				   .effect = gpudx_incident_kind(in, gpudx_col_text(row, 2)),
				   .effect_code = gpudx_col_int(row, 3, -1),
				   .within_us = gpudx_col_int(row, 4, 180) * GPUDX_SECOND,
				   .one_path = sv_is(gpudx_col_text(row, 5), "path") };
	c->host_wide = c->one_path || sv_is(gpudx_col_text(row, 5), "host");
	if (!c->cause || !c->effect)
		return gpudx_nomem(err);
	in->nchains++;
	return GPUDX_OK;
}

static enum gpudx_status load_chains(struct gpudx_incidents *in, struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT cause_kind, CASE WHEN typeof(cause_code) = 'integer' THEN cause_code END,"
		" effect_kind,"
		" CASE WHEN typeof(effect_code) = 'integer' THEN effect_code END, within_s, scope"
		" FROM kb_chains WHERE cause_kind IS NOT NULL AND effect_kind IS NOT NULL"
		" ORDER BY rowid";
	enum gpudx_status rc;
	int64_t n;

	if (!gpudx_db_has(in->db, "kb_chains", "cause_kind") ||
	    !gpudx_db_has(in->db, "kb_chains", "scope"))
		return GPUDX_OK;
	rc = gpudx_db_int(in->db, "SELECT count(*) FROM kb_chains", 0, &n, err);
	if (rc)
		return rc;
	in->chain = gpudx_arena_array(&in->arena, (size_t)n + 1, sizeof(*in->chain));
	if (!in->chain)
		return gpudx_nomem(err);
	return gpudx_query_each(in->db, sql, in->bundle, chain_row, in, err);
}

enum gpudx_status gpudx_incidents_load(struct gpudx_incidents *in, struct gpudx_err *err)
{
	enum gpudx_status rc;

	in->kinds.arena = in->seats.arena = &in->arena;
	rc = load_gpus(in, err);
	if (!rc)
		rc = load_events(in, err);
	return rc ? rc : load_chains(in, err);
}
