#include "derive/incident.h"
#include "store/query.h"

#include <stdlib.h>

struct writing {
	struct gpudx_incidents *in;
	sqlite3_stmt *insert, *link;
	struct gpudx_inc_event **member; /* by incident, then in order */
	int64_t *seats;			 /* room for those of one incident */
};

static int by_root(const void *pa, const void *pb)
{
	struct gpudx_inc_event *a = *(struct gpudx_inc_event *const *)pa,
			       *b = *(struct gpudx_inc_event *const *)pb;
	struct gpudx_inc_event *ra = gpudx_incident_root(a), *rb = gpudx_incident_root(b);

	if (ra != rb)
		return ra < rb ? -1 : 1;
	return (a > b) - (a < b);
}

/* The first that follows from no other; in a circle the first. */
static const struct gpudx_inc_event *find_root(struct gpudx_inc_event *const *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!m[i]->follows)
			return m[i];
	return m[0];
}

static int by_number(const void *pa, const void *pb)
{
	const int64_t *a = pa, *b = pb;

	return (*a > *b) - (*a < *b);
}

/* The GPUs of an incident, each once: known ones last. */
static size_t collect_seats(struct writing *w, struct gpudx_inc_event *const *m, size_t n)
{
	size_t all = 0, kept = 0;

	for (size_t i = 0; i < n; i++)
		if (m[i]->seat)
			w->seats[all++] = m[i]->seat;
	if (all)
		qsort(w->seats, all, sizeof(*w->seats), by_number);
	for (size_t i = 0; i < all; i++)
		if (!kept || w->seats[kept - 1] != w->seats[i])
			w->seats[kept++] = w->seats[i];
	return kept;
}

static bool above_all(const struct writing *w, size_t nseats, int64_t port)
{
	for (size_t i = 0; i < nseats; i++) {
		const struct gpudx_inc_gpu *g = gpudx_incident_gpu(w->in, w->seats[i]);

		if (!g || !gpudx_incident_above(g, port))
			return false;
	}
	return true;
}

static bool names_device(struct gpudx_inc_event *const *m, size_t n, int64_t device)
{
	for (size_t i = 0; i < n; i++)
		if (m[i]->device == device)
			return true;
	return false;
}

/* The nearest port above all GPUs; above a single one only a port that the events name. */
static struct gpudx_sv common_port(const struct writing *w, struct gpudx_inc_event *const *m,
				   size_t n, size_t nseats)
{
	const struct gpudx_inc_gpu *g = nseats ? gpudx_incident_gpu(w->in, w->seats[0]) : NULL;

	for (unsigned i = 0; g && i < g->nports; i++)
		if (g->port[i] && (nseats > 1 ? above_all(w, nseats, g->port[i])
					      : names_device(m, n, g->port[i])))
			return w->in->seat_names[-g->port[i]];
	return sv_n(NULL, 0);
}

static enum gpudx_status insert(struct writing *w, struct gpudx_inc_event *const *m, size_t n,
				int64_t *id, struct gpudx_err *err)
{
	const struct gpudx_inc_event *root = find_root(m, n);
	size_t nseats = collect_seats(w, m, n);
	int64_t t0 = GPUDX_NO_TIME, t1 = GPUDX_NO_TIME;
	enum gpudx_status rc;

	for (size_t i = 0; i < n && root->time != GPUDX_TIME_ORDER; i++) {
		if (t0 == GPUDX_NO_TIME || m[i]->m.t_us < t0)
			t0 = m[i]->m.t_us;
		if (t1 == GPUDX_NO_TIME || m[i]->m.t_us > t1)
			t1 = m[i]->m.t_us;
	}
	sqlite3_bind_int64(w->insert, 1, root->host);
	gpudx_bind_unless(w->insert, 2, root->boot, 0);
	gpudx_bind_unless(w->insert, 3, nseats == 1 && w->seats[0] > 0 ? w->seats[0] : 0, 0);
	sqlite3_bind_int64(w->insert, 4, root->id);
	gpudx_bind_time(w->insert, 5, t0);
	gpudx_bind_time(w->insert, 6, t1);
	gpudx_bind_text(w->insert, 7, sv_str(gpudx_quality_word(root->m.quality)));
	sqlite3_bind_int64(w->insert, 8, (int64_t)n);
	sqlite3_bind_int64(w->insert, 9, (int64_t)nseats);
	gpudx_bind_text(w->insert, 10, common_port(w, m, n, nseats));
	rc = gpudx_db_run(w->insert, err);
	*id = sqlite3_last_insert_rowid(w->in->db);
	return rc;
}

static enum gpudx_status write_incident(struct writing *w, struct gpudx_inc_event *const *m,
					size_t n, struct gpudx_err *err)
{
	int64_t id;
	enum gpudx_status rc = insert(w, m, n, &id, err);

	for (size_t i = 0; i < n && !rc; i++) {
		sqlite3_bind_int64(w->link, 1, id);
		sqlite3_bind_int64(w->link, 2, m[i]->id);
		rc = gpudx_db_run(w->link, err);
	}
	return rc;
}

static enum gpudx_status write_all(struct writing *w, struct gpudx_err *err)
{
	struct gpudx_incidents *in = w->in;
	enum gpudx_status rc = GPUDX_OK;
	size_t from, to;

	for (size_t i = 0; i < in->n; i++)
		w->member[i] = &in->event[i];
	if (in->n)
		qsort(w->member, in->n, sizeof(*w->member), by_root);
	for (from = 0; from < in->n && !rc; from = to) {
		const struct gpudx_inc_event *root = gpudx_incident_root(w->member[from]);

		for (to = from; to < in->n && gpudx_incident_root(w->member[to]) == root; to++)
			;
		rc = write_incident(w, w->member + from, to - from, err);
	}
	return rc;
}

enum gpudx_status gpudx_incidents_write(struct gpudx_incidents *in, struct gpudx_err *err)
{
	static const char sql[] = "INSERT INTO incident(host_id, boot_id, gpu_id, root_event, "
				  "t0_us, t1_us, t_quality, events, gpus, port,"
				  " kind, code) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,"
				  " e.kind, e.code FROM event e WHERE e.id = ?4";
	struct writing w = { .in = in };
	enum gpudx_status rc;

	w.member = gpudx_arena_array(&in->arena, in->n + 1, sizeof(struct gpudx_inc_event *));
	w.seats = gpudx_arena_array(&in->arena, in->n + 1, sizeof(*w.seats));
	if (!w.member || !w.seats)
		return gpudx_nomem(err);
	rc = gpudx_db_prepare(in->db, sql, &w.insert, err);
	if (!rc)
		rc = gpudx_db_prepare(in->db, "UPDATE event SET incident_id = ? WHERE id = ?",
				      &w.link, err);
	if (!rc)
		rc = write_all(&w, err);
	sqlite3_finalize(w.insert);
	sqlite3_finalize(w.link);
	return rc;
}
