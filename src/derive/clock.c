#include "derive/clock.h"

#include "base/search.h"
#include "store/query.h"
#include "derive/year.h"

#include <stdlib.h>

enum { MEMORY = 256 << 20 };

/* Around its beginning the log's own count of boots is better than its times: early lines are
 * stamped late by collectors that start after them. */
#define BORDER (120 * GPUDX_SECOND)

/* Local time and UTC differ by less than this anywhere. */
#define ZONE_SPAN (14 * GPUDX_HOUR)

/* ---- words and sums ---- */

static const char *const quality_words[] = { "exact", "aligned", "zone_assumed", "boot_relative",
					     "unknown" };

const char *gpudx_quality_word(enum gpudx_quality q)
{
	return quality_words[q];
}

enum gpudx_quality gpudx_quality_of(struct gpudx_sv word)
{
	for (int i = 0; i < GPUDX_Q_UNKNOWN; i++)
		if (sv_is(word, quality_words[i]))
			return (enum gpudx_quality)i;
	return GPUDX_Q_UNKNOWN;
}

enum gpudx_stamp_kind gpudx_stamp_kind_of(struct gpudx_sv word)
{
	static const char *const words[] = { "none", "boot", "noyear", "local", "utc" };

	for (int i = 1; i < 5; i++)
		if (sv_is(word, words[i]))
			return (enum gpudx_stamp_kind)i;
	return GPUDX_STAMP_NONE;
}

int64_t gpudx_time_add(int64_t t_us, int64_t us)
{
	int64_t sum;

	if (t_us == GPUDX_NO_TIME || us == GPUDX_NO_TIME || __builtin_add_overflow(t_us, us, &sum))
		return GPUDX_NO_TIME;
	return sum;
}

static bool is_wall(struct gpudx_moment m)
{
	return m.t_us != GPUDX_NO_TIME && m.quality <= GPUDX_Q_ZONE_ASSUMED;
}

bool gpudx_same_clock(struct gpudx_moment a, struct gpudx_moment b)
{
	return (a.quality == GPUDX_Q_ZONE_ASSUMED) == (b.quality == GPUDX_Q_ZONE_ASSUMED);
}

bool gpudx_surely_before(struct gpudx_moment a, struct gpudx_moment b)
{
	if (!is_wall(a) || !is_wall(b))
		return false;
	return gpudx_time_add(a.t_us, gpudx_same_clock(a, b) ? 0 : ZONE_SPAN) < b.t_us;
}

/* ---- sources ---- */

static enum gpudx_status source_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_clocks *c = arg;

	(void)err;
	c->sources[c->nsources++] = (struct gpudx_clock_source){
		.id = sqlite3_column_int64(row, 0),
		.host = sqlite3_column_int64(row, 1),
		.kind = gpudx_stamp_kind_of(gpudx_col_text(row, 2)),
		.year0 = gpudx_col_time(row, 3),
		.noyear_lo = gpudx_col_int(row, 4, INT64_MAX),
		.noyear_hi = gpudx_col_int(row, 5, INT64_MIN),
		.bmc = sqlite3_column_int(row, 6),
		.utc = sqlite3_column_int(row, 7),
	};
	return GPUDX_OK;
}

/* Only sources that say something: an archive may have a million others. */
#define SPEAKING                                                                             \
	" FROM source s WHERE s.bundle_id = ?1 AND (s.parser IS NOT NULL OR s.id IN ("       \
	"SELECT source_id FROM fact UNION ALL SELECT source_id FROM event UNION ALL SELECT " \
	"source_id FROM clock_anchor))"

static enum gpudx_status count_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	size_t *n = arg;

	(void)err;
	*n = (size_t)sqlite3_column_int64(row, 0);
	return GPUDX_OK;
}

static enum gpudx_status load_sources(struct gpudx_clocks *c, struct gpudx_err *err)
{
	static const char sources[] = "SELECT s.id, s.host_id, s.src_clock, s.year0,"
				      " (SELECT min(first_us) FROM source_span p"
				      " WHERE p.source_id = s.id AND p.kind = 'noyear'),"
				      " (SELECT max(last_us) FROM source_span p"
				      " WHERE p.source_id = s.id AND p.kind = 'noyear'),"
				      " s.parser IN " GPUDX_BMC_PARSERS ","
				      " s.id IN (SELECT source_id FROM clock_anchor"
				      " WHERE kind = 'utc')" SPEAKING " ORDER BY s.id";
	enum gpudx_status rc;
	size_t n = 0;

	rc = gpudx_query_each(c->db, "SELECT count(*)" SPEAKING, c->bundle, count_row, &n, err);
	if (rc)
		return rc;
	c->sources = gpudx_arena_array(&c->arena, n + 1, sizeof(*c->sources));
	if (!c->sources)
		return gpudx_nomem(err);
	return gpudx_query_each(c->db, sources, c->bundle, source_row, c, err);
}

const struct gpudx_clock_source *gpudx_clocks_source(const struct gpudx_clocks *c, int64_t id)
{
	return GPUDX_FIND(c->sources, c->nsources, struct gpudx_clock_source, id, id);
}

enum gpudx_status gpudx_clocks_open(struct gpudx_clocks *c, sqlite3 *db, int64_t bundle,
				    const char *tz, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	*c = (struct gpudx_clocks){ .db = db, .bundle = bundle, .arena = { .limit = MEMORY } };
	if (tz)
		rc = gpudx_zone_open(sv_str(tz), &c->tz, err);
	if (!rc)
		rc = load_sources(c, err);
	if (!rc)
		rc = gpudx_clocks_find_zones(c, err);
	if (!rc)
		rc = gpudx_clocks_find_bmcs(c, err);
	return rc;
}

void gpudx_clocks_close(struct gpudx_clocks *c)
{
	gpudx_zone_free(c->tz);
	gpudx_arena_free(&c->arena);
}

/* ---- wall clocks ---- */

const struct gpudx_host_zone *gpudx_clocks_zone(const struct gpudx_clocks *c, int64_t host)
{
	return GPUDX_FIND(c->zones, c->nzones, struct gpudx_host_zone, host, host);
}

/* A log without any year somewhere: its stamps order among themselves, in years that nobody
 * lived. A leap year, so that every date exists. */
enum { NO_YEAR = 1972 };

int64_t gpudx_clocks_local(const struct gpudx_clock_source *s, enum gpudx_stamp_kind kind,
			   int64_t raw)
{
	if (raw == GPUDX_NO_TIME || kind != GPUDX_STAMP_NOYEAR)
		return raw;
	return gpudx_year_local(raw, s->year0 == GPUDX_NO_TIME ? NO_YEAR : s->year0);
}

int64_t gpudx_clocks_anchor_local(const struct gpudx_clock_source *s, int64_t local_us)
{
	bool noyear = local_us >= s->noyear_lo && local_us <= s->noyear_hi;

	return gpudx_clocks_local(s, noyear ? GPUDX_STAMP_NOYEAR : GPUDX_STAMP_LOCAL, local_us);
}

static int64_t distance(int64_t a, int64_t b)
{
	return a > b ? a - b : b - a;
}

const struct gpudx_offset *gpudx_clocks_offset(const struct gpudx_host_zone *z, int64_t local_us)
{
	const struct gpudx_offset *best = NULL;

	for (size_t i = 0; z && i < z->n; i++)
		if (!best ||
		    distance(z->at[i].local_us, local_us) < distance(best->local_us, local_us))
			best = &z->at[i];
	return best;
}

/* Seconds east at a local time; false when nothing is known. */
static bool offset_at(const struct gpudx_host_zone *z, int64_t local_us, int32_t *offset_s)
{
	const struct gpudx_offset *o;

	if (z && z->tz) {
		*offset_s = gpudx_zone_offset_local(z->tz, local_us);
		return true;
	}
	o = gpudx_clocks_offset(z, local_us);
	*offset_s = o ? o->offset_s : 0;
	return o != NULL;
}

int32_t gpudx_clocks_offset_s(const struct gpudx_clocks *c, int64_t host, int64_t local_us)
{
	int32_t offset_s;

	offset_at(gpudx_clocks_zone(c, host), local_us, &offset_s);
	return offset_s;
}

struct gpudx_moment gpudx_clocks_moment(const struct gpudx_clocks *c, int64_t host,
					int64_t local_us)
{
	const struct gpudx_host_zone *z = gpudx_clocks_zone(c, host);
	struct gpudx_moment m = { local_us, GPUDX_Q_ZONE_ASSUMED };
	int32_t offset_s;

	if (local_us == GPUDX_NO_TIME)
		return GPUDX_NO_MOMENT;
	if (offset_at(z, local_us, &offset_s)) {
		m.t_us = gpudx_time_add(local_us, -offset_s * GPUDX_SECOND);
		m.quality = z->tz ? GPUDX_Q_EXACT : GPUDX_Q_ALIGNED;
	}
	return m;
}

struct gpudx_moment gpudx_clocks_wall(const struct gpudx_clocks *c,
				      const struct gpudx_clock_source *s,
				      enum gpudx_stamp_kind kind, int64_t raw)
{
	struct gpudx_moment m;

	if (raw == GPUDX_NO_TIME || kind < GPUDX_STAMP_NOYEAR)
		return GPUDX_NO_MOMENT;
	if (kind == GPUDX_STAMP_UTC)
		return (struct gpudx_moment){ raw, GPUDX_Q_EXACT };
	if (s->bmc)
		return gpudx_clocks_bmc_moment(c, s->host, raw);
	raw = gpudx_clocks_local(s, kind, raw);
	m = s->utc ? (struct gpudx_moment){ raw, GPUDX_Q_EXACT }
		   : gpudx_clocks_moment(c, s->host, raw);
	if (kind == GPUDX_STAMP_NOYEAR && s->year0 == GPUDX_NO_TIME)
		m.quality = GPUDX_Q_UNKNOWN;
	return m;
}

/* ---- boots ---- */

static enum gpudx_status boot_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_clocks *c = arg;

	(void)err;
	c->boots[c->nboots++] = (struct gpudx_clock_boot){
		.id = sqlite3_column_int64(row, 0),
		.host = sqlite3_column_int64(row, 1),
		.seq = sqlite3_column_int(row, 2),
		.start = { gpudx_col_time(row, 3), gpudx_quality_of(gpudx_col_text(row, 4)) },
	};
	return GPUDX_OK;
}

/* Boots were written host by host in their order, so their ids rise, too. */
static size_t boot_index(const struct gpudx_clocks *c, int64_t id)
{
	size_t lo = GPUDX_LOWER_BOUND(c->boots, c->nboots, struct gpudx_clock_boot, id, id);

	return lo < c->nboots && c->boots[lo].id == id ? lo : SIZE_MAX;
}

static enum gpudx_status span_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	bool counts = sqlite3_column_int(row, 3);
	struct gpudx_clocks *c = arg;

	(void)err;
	c->spans[c->nspans++] = (struct gpudx_clock_span){
		.source = sqlite3_column_int64(row, 0),
		.src_boot = sqlite3_column_int(row, 1),
		.boot = counts ? boot_index(c, sqlite3_column_int64(row, 2)) : SIZE_MAX,
	};
	return GPUDX_OK;
}

/* What was captured before a reboot knows nothing of the boot behind it: the last boot that logs of
 * the same input count is the one in which its documents were made. */
static enum gpudx_status last_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_clocks *c = arg;
	struct gpudx_clock_source *s =
		GPUDX_FIND(c->sources, c->nsources, struct gpudx_clock_source, id,
			   sqlite3_column_int64(row, 0));
	size_t boot = boot_index(c, sqlite3_column_int64(row, 1));

	(void)err;
	if (s && boot != SIZE_MAX)
		s->last = &c->boots[boot];
	return GPUDX_OK;
}

enum gpudx_status gpudx_clocks_load_boots(struct gpudx_clocks *c, struct gpudx_err *err)
{
	static const char boots[] = "SELECT b.id, b.host_id, b.seq, b.start_us, b.start_quality "
				    "FROM boot b JOIN host h ON h.id = b.host_id"
				    " WHERE h.bundle_id = ?1 ORDER BY b.host_id, b.seq";
	static const char spans[] = "SELECT p.source_id, p.src_boot, max(p.boot_id), "
				    "max(l.source_id IS NOT NULL) FROM source_span p"
				    " JOIN source s ON s.id = p.source_id"
				    " LEFT JOIN temp.boot_log l ON l.source_id = p.source_id"
				    " WHERE s.bundle_id = ?1 GROUP BY 1, 2 ORDER BY 1, 2";
	static const char lasts[] =
		"WITH last AS (SELECT l.host_id, CAST(l.path AS INTEGER) AS input,"
		"  max(p.boot_id) AS boot_id FROM source_span p JOIN source l ON l.id = p.source_id"
		"  JOIN temp.boot_log b ON b.source_id = l.id WHERE l.bundle_id = ?1"
		"  AND EXISTS (SELECT 1 FROM input WHERE bundle_id = ?1)"
		"  GROUP BY 1, 2 HAVING max(p.boot_id) IS NOT NULL)"
		" SELECT s.id, t.boot_id FROM source s JOIN last t ON t.host_id = s.host_id"
		" AND t.input = CAST(s.path AS INTEGER) WHERE s.bundle_id = ?1";
	enum gpudx_status rc;
	int64_t nboots, nspans = 0;

	rc = gpudx_db_int(c->db, "SELECT count(*) FROM boot", 0, &nboots, err);
	if (!rc)
		rc = gpudx_db_int(c->db, "SELECT count(*) FROM source_span", 0, &nspans, err);
	if (rc)
		return rc;
	c->boots = gpudx_arena_array(&c->arena, (size_t)nboots + 1, sizeof(*c->boots));
	c->spans = gpudx_arena_array(&c->arena, (size_t)nspans + 1, sizeof(*c->spans));
	if (!c->boots || !c->spans)
		return gpudx_nomem(err);
	rc = gpudx_query_each(c->db, boots, c->bundle, boot_row, c, err);
	if (!rc)
		rc = gpudx_query_each(c->db, spans, c->bundle, span_row, c, err);
	return rc ? rc : gpudx_query_each(c->db, lasts, c->bundle, last_row, c, err);
}

/* First of the boots whose host is not below this one. */
static size_t first_boot(const struct gpudx_clocks *c, int64_t host)
{
	return GPUDX_LOWER_BOUND(c->boots, c->nboots, struct gpudx_clock_boot, host, host);
}

/* The boot of a host in which a moment lies, the last one when it has no time; NULL: no such host.
 */
static const struct gpudx_clock_boot *boot_at(const struct gpudx_clocks *c, int64_t host,
					      struct gpudx_moment m)
{
	size_t first = first_boot(c, host), lo = first, hi = first_boot(c, host + 1);

	if (lo == hi)
		return NULL;
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (gpudx_surely_before(m, c->boots[mid].start))
			hi = mid;
		else
			lo = mid + 1;
	}
	return &c->boots[lo > first ? lo - 1 : first];
}

/* The boot that the count of the source means; NULL when it does not count. */
static const struct gpudx_clock_boot *boot_by_count(const struct gpudx_clocks *c, int64_t host,
						    const struct gpudx_clock_source *s,
						    int32_t src_boot)
{
	size_t lo = 0, hi = c->nspans;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		const struct gpudx_clock_span *p = &c->spans[mid];

		if (p->source < s->id || (p->source == s->id && p->src_boot < src_boot))
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == c->nspans || c->spans[lo].source != s->id || c->spans[lo].src_boot != src_boot ||
	    c->spans[lo].boot == SIZE_MAX || c->boots[c->spans[lo].boot].host != host)
		return NULL;
	return &c->boots[c->spans[lo].boot];
}

static struct gpudx_moment shifted(struct gpudx_moment m, int64_t us)
{
	m.t_us = gpudx_time_add(m.t_us, us);
	return m;
}

/* True unless the moment lies clearly before the boot or in a later one. */
static bool lies_in(const struct gpudx_clocks *c, const struct gpudx_clock_boot *b,
		    struct gpudx_moment m)
{
	const struct gpudx_clock_boot *next = b + 1;

	if (gpudx_surely_before(shifted(m, BORDER), b->start))
		return false;
	return next == c->boots + c->nboots || next->host != b->host ||
	       !gpudx_surely_before(shifted(next->start, BORDER), m);
}

static struct gpudx_moment since_boot(const struct gpudx_clock_boot *b, int64_t mono_us)
{
	struct gpudx_moment m = { mono_us, GPUDX_Q_BOOT };

	if (b && is_wall(b->start)) {
		m.t_us = gpudx_time_add(b->start.t_us, mono_us);
		m.quality = b->start.quality == GPUDX_Q_EXACT ? GPUDX_Q_ALIGNED : b->start.quality;
	}
	return m;
}

struct gpudx_moment gpudx_clocks_place(const struct gpudx_clocks *c, int64_t host,
				       const struct gpudx_clock_source *s, int32_t src_boot,
				       enum gpudx_stamp_kind kind, int64_t raw,
				       const struct gpudx_clock_boot **boot)
{
	const struct gpudx_clock_boot *counted = boot_by_count(c, host, s, src_boot);
	struct gpudx_moment m = gpudx_clocks_wall(c, s, kind, raw);

	*boot = counted && lies_in(c, counted, m) ? counted : boot_at(c, host, m);
	/* Only a time that is sure to be later is. */
	if (s->last && s->last->host == host && *boot > s->last && lies_in(c, s->last, m))
		*boot = s->last;
	if (kind == GPUDX_STAMP_BOOT && raw != GPUDX_NO_TIME)
		m = since_boot(*boot, raw);
	return m;
}
