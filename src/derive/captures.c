#include "derive/captures.h"

#include "base/bdf.h"
#include "base/map.h"
#include "base/search.h"
#include "store/query.h"

#include <stdio.h>
#include <stdlib.h>

/* A card at an address, as a tool printed it at a time. */
struct sight {
	int64_t host, source, t_us;
	const struct gpudx_clock_boot *boot; /* in which it seems to have been made */
	struct gpudx_sv dir, uuid, bdf;
};

struct captures {
	struct gpudx_clocks *c;
	struct gpudx_arena arena;
	struct sight *sight;
	size_t n, cap;
	struct gpudx_map seats; /* "BOOT/UUID" and "BOOT/ADDRESS" -> number of the sight + 1 */
};

enum { MEMORY = 64 << 20, SIGHTS_MAX = 1 << 16, KEY_TEXT = 160 };

/* ---- loading ---- */

static struct sight *add_sight(struct captures *p)
{
	struct sight *more = p->sight;

	if (p->n == p->cap) {
		size_t cap = p->cap ? p->cap * 2 : 64;

		more = gpudx_arena_array(&p->arena, cap, sizeof(*more));
		if (!more)
			return NULL;
		for (size_t i = 0; i < p->n; i++)
			more[i] = p->sight[i];
		p->sight = more;
		p->cap = cap;
	}
	return &more[p->n++];
}

/* Rows: host, source, directory, uuid, address, kind and value of its first stamp. */
static enum gpudx_status sight_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct captures *p = arg;
	int64_t source = sqlite3_column_int64(row, 1);
	const struct gpudx_clock_source *s = gpudx_clocks_source(p->c, source);
	const struct gpudx_clock_boot *boot;
	char text[GPUDX_BDF_TEXT];
	struct gpudx_moment when;
	struct gpudx_bdf bdf;
	struct sight *at;

	if (!s || p->n == SIGHTS_MAX || !gpudx_bdf_parse(gpudx_col_text(row, 4), &bdf))
		return GPUDX_OK;
	when = gpudx_clocks_place(p->c, s->host, s, 0, gpudx_stamp_kind_of(gpudx_col_text(row, 5)),
				  gpudx_col_time(row, 6), &boot);
	if (when.t_us == GPUDX_NO_TIME || !boot)
		return GPUDX_OK;
	at = add_sight(p);
	if (!at)
		return gpudx_nomem(err);
	*at = (struct sight){
		.host = sqlite3_column_int64(row, 0),
		.source = source,
		.t_us = when.t_us,
		.boot = boot,
		.dir = gpudx_arena_sv(&p->arena, gpudx_col_text(row, 2)),
		.uuid = gpudx_arena_sv(&p->arena, gpudx_col_text(row, 3)),
		.bdf = gpudx_arena_sv(&p->arena, sv_str(gpudx_bdf_text(bdf, text))),
	};
	return at->dir.p && at->uuid.p && at->bdf.p ? GPUDX_OK : gpudx_nomem(err);
}

static enum gpudx_status load(struct captures *p, struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT s.host_id, s.id, rtrim(s.path, replace(s.path, '/', '')), lower(r.uuid),"
		" r.bdf, min(p.kind), min(p.first_us) FROM gpu_ref r"
		" JOIN source s ON s.id = r.source_id JOIN source_span p ON p.source_id = s.id"
		" WHERE s.bundle_id = ?1 AND s.parser LIKE 'smi-%' AND r.uuid LIKE 'GPU-%'"
		" AND r.bdf IS NOT NULL GROUP BY r.id HAVING min(p.kind) = max(p.kind)";

	return gpudx_query_each(p->c->db, sql, p->c->bundle, sight_row, p, err);
}

/* The newest first, and of each capture all together. */
static int by_age(const void *pa, const void *pb)
{
	const struct sight *a = pa, *b = pb;

	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	if (a->t_us != b->t_us)
		return a->t_us > b->t_us ? -1 : 1;
	if (a->source != b->source)
		return a->source > b->source ? -1 : 1;
	return (a > b) - (a < b);
}

/* ---- parting ---- */

static struct gpudx_sv key_of(int64_t boot, struct gpudx_sv what, char buf[KEY_TEXT])
{
	int n = snprintf(buf, KEY_TEXT, "%lld/%.*s", (long long)boot, (int)sv_first(what, 100).n,
			 what.p);

	return sv_n(buf, (size_t)n);
}

/* What was seen with this card or address in the boot; NULL nothing. */
static const struct sight *seen(const struct captures *p, int64_t boot, struct gpudx_sv what)
{
	char buf[KEY_TEXT];
	const uint32_t *at = gpudx_map_get(&p->seats, key_of(boot, what, buf));

	return at && *at ? &p->sight[*at - 1] : NULL;
}

static bool fits(const struct captures *p, size_t from, size_t to, int64_t boot)
{
	for (size_t i = from; i < to; i++) {
		const struct sight *card = seen(p, boot, p->sight[i].uuid),
				   *seat = seen(p, boot, p->sight[i].bdf);

		if ((card && !sv_eq(card->bdf, p->sight[i].bdf)) ||
		    (seat && !sv_eq(seat->uuid, p->sight[i].uuid)))
			return false;
	}
	return true;
}

static bool remember(struct captures *p, size_t i, int64_t boot)
{
	const struct gpudx_sv what[] = { p->sight[i].uuid, p->sight[i].bdf };
	char buf[KEY_TEXT];
	uint32_t *at;
	bool is_new;

	for (size_t k = 0; k < 2; k++) {
		at = gpudx_map_at(&p->seats, key_of(boot, what[k], buf), &is_new);
		if (!at)
			return false;
		if (is_new)
			*at = (uint32_t)i + 1;
	}
	return true;
}

/* The last boot, from this one back, in which the capture can have been made; this one if none is. */
static const struct gpudx_clock_boot *boot_for(const struct captures *p, size_t from, size_t to,
					       const struct gpudx_clock_boot *boot)
{
	const struct gpudx_clock_boot *b = boot;

	while (!fits(p, from, to, b->id)) {
		if (b == p->c->boots || (b - 1)->host != boot->host)
			return boot;
		b--;
	}
	return b;
}

/* Rows: source. */
struct limit {
	struct gpudx_clocks *c;
	const struct gpudx_clock_boot *last;
};

static enum gpudx_status limit_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	const struct limit *l = arg;
	struct gpudx_clock_source *s =
		GPUDX_FIND(l->c->sources, l->c->nsources, struct gpudx_clock_source, id,
			   sqlite3_column_int64(row, 0));

	(void)err;
	if (s)
		s->last = l->last;
	return GPUDX_OK;
}

/* A capture and, unless the newest stands there, too, its directory. */
static enum gpudx_status limit(struct captures *p, size_t from, const struct gpudx_clock_boot *last,
			       struct gpudx_err *err)
{
	static const char beside[] =
		"SELECT id FROM source WHERE host_id = (SELECT host_id FROM source WHERE id = ?1)"
		" AND rtrim(path, replace(path, '/', '')) ="
		"  (SELECT rtrim(path, replace(path, '/', '')) FROM source WHERE id = ?1)";
	static const char alone[] = "SELECT id FROM source WHERE ?1 IN (id, parent_id)";
	bool apart = true;

	for (size_t i = 0; i < from && apart; i++)
		apart = p->sight[i].host != p->sight[from].host ||
			!sv_eq(p->sight[i].dir, p->sight[from].dir);
	return gpudx_query_each(p->c->db, apart ? beside : alone, p->sight[from].source, limit_row,
				&(struct limit){ p->c, last }, err);
}

static enum gpudx_status place(struct captures *p, size_t from, size_t to, struct gpudx_err *err)
{
	const struct gpudx_clock_boot *boot = p->sight[from].boot, *b = boot_for(p, from, to, boot);

	for (size_t i = from; i < to; i++)
		if (!remember(p, i, b->id))
			return gpudx_nomem(err);
	return b == boot ? GPUDX_OK : limit(p, from, b, err);
}

enum gpudx_status gpudx_captures_part(struct gpudx_clocks *c, struct gpudx_err *err)
{
	struct captures p = { .c = c, .arena = { .limit = MEMORY } };
	enum gpudx_status rc = load(&p, err);

	p.seats.arena = &p.arena;
	if (p.n)
		qsort(p.sight, p.n, sizeof(*p.sight), by_age);
	for (size_t from = 0, to; from < p.n && !rc; from = to) {
		for (to = from; to < p.n && p.sight[to].source == p.sight[from].source; to++)
			continue;
		rc = place(&p, from, to, err);
	}
	gpudx_arena_free(&p.arena);
	return rc;
}
