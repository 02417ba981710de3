/* Logs that have time since boot only: dmesg as it is. Which boot they saw is told, in this order,
 * by lines that another log has with the same time since boot, by messages that another log has
 * with a wall clock, by the hardware clock; else it is counted from the end. */
#include "derive/boot.h"
#include "store/query.h"

#include <stdlib.h>

/* Starts that differ by more are of other boots, or of messages that are equal by chance. */
#define FAR_OFF (15 * GPUDX_MINUTE)
#define AGREE (30 * GPUDX_SECOND)

enum { VOTES_MAX = 1000 };

/* A reason to think that a log saw a boot. */
struct vote {
	struct gpudx_bootseg *seg;
	size_t boot;
	struct gpudx_start start; /* NONE: equal times since boot only */
	size_t lines;		  /* that speak for it */
};

struct voting {
	struct gpudx_boots *b;
	struct vote *votes; /* by seg, in the end */
	size_t n, cap;
};

static enum gpudx_status add_vote(struct voting *v, const struct vote *vote, struct gpudx_err *err)
{
	if (v->n == v->cap) {
		size_t cap = v->cap ? v->cap * 2 : 256;
		struct vote *bigger = gpudx_arena_array(&v->b->c->arena, cap, sizeof(*bigger));

		if (!bigger)
			return gpudx_nomem(err);
		if (v->n)
			memcpy(bigger, v->votes, v->n * sizeof(*bigger));
		v->votes = bigger;
		v->cap = cap;
	}
	v->votes[v->n++] = *vote;
	return GPUDX_OK;
}

static bool is_mono_only(const struct gpudx_bootseg *g)
{
	return g->log && g->mono && g->first.t_us == GPUDX_NO_TIME;
}

/* Rows: source and count of a log without wall clock, source and count of another that has the same
 * time since boot, to the microsecond, and how many of them. */
static enum gpudx_status mono_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct voting *v = arg;
	struct vote vote = { .start = { .way = GPUDX_START_NONE },
			     .lines = (size_t)sqlite3_column_int64(row, 4) };
	const struct gpudx_bootseg *other;

	vote.seg = gpudx_bootseg_of(&v->b->segs, sqlite3_column_int64(row, 0),
				    sqlite3_column_int(row, 1));
	other = gpudx_bootseg_of(&v->b->segs, sqlite3_column_int64(row, 2),
				 sqlite3_column_int(row, 3));
	if (!vote.seg || !other || vote.seg->s->host != v->b->host || other->boot == SIZE_MAX ||
	    !is_mono_only(vote.seg))
		return GPUDX_OK;
	vote.boot = other->boot;
	return add_vote(v, &vote, err);
}

/* Rows: source, count and time since boot of a message; source, count, kind, stamp and line of the
 * same one with a wall clock. */
static enum gpudx_status message_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct voting *v = arg;
	struct vote vote = { .start = { .way = GPUDX_START_MESSAGE }, .lines = 1 };
	const struct gpudx_clock_source *s;
	const struct gpudx_bootseg *other;
	struct gpudx_moment m;

	vote.seg = gpudx_bootseg_of(&v->b->segs, sqlite3_column_int64(row, 0),
				    sqlite3_column_int(row, 1));
	s = gpudx_clocks_source(v->b->c, sqlite3_column_int64(row, 3));
	if (!vote.seg || !s || vote.seg->s->host != v->b->host || !is_mono_only(vote.seg))
		return GPUDX_OK;
	m = gpudx_clocks_wall(v->b->c, s, gpudx_stamp_kind_of(gpudx_col_text(row, 5)),
			      gpudx_col_time(row, 6));
	vote.start.mono_us = gpudx_col_time(row, 2);
	vote.start.line_id = sqlite3_column_int64(row, 7);
	vote.start.m = gpudx_start_zero(m, vote.start.mono_us);
	if (vote.start.m.quality > GPUDX_Q_ZONE_ASSUMED)
		return GPUDX_OK;
	other = gpudx_bootseg_of(&v->b->segs, s->id, sqlite3_column_int(row, 4));
	vote.boot =
		other && other->boot != SIZE_MAX ? other->boot : gpudx_boot_at(v->b, v->b->n, m);
	return vote.boot == SIZE_MAX ? GPUDX_OK : add_vote(v, &vote, err);
}

static int by_seg(const void *pa, const void *pb)
{
	const struct vote *a = pa, *b = pb;

	if (a->seg != b->seg)
		return a->seg < b->seg ? -1 : 1;
	if (a->boot != b->boot)
		return a->boot < b->boot ? -1 : 1;
	return (a->start.mono_us > b->start.mono_us) - (a->start.mono_us < b->start.mono_us);
}

static enum gpudx_status collect_votes(struct voting *v, struct gpudx_err *err)
{
	static const char mono[] =
		"SELECT m.source_id, m.src_boot, o.source_id, o.src_boot, count(DISTINCT m.mono)"
		" FROM temp.said m JOIN temp.said o ON o.mono = m.mono AND +o.host_id = ?1"
		"  AND o.source_id <> m.source_id"
		" WHERE m.host_id = ?1 AND m.kind = 'boot' AND m.mono > 0"
		" GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4 LIMIT 100000";
	static const char messages[] =
		"SELECT m.source_id, m.src_boot, m.raw, w.source_id, w.src_boot, w.kind, w.raw,"
		" w.line_id FROM temp.said_once m JOIN temp.said_once w ON w.host_id = m.host_id"
		"  AND w.key = m.key AND w.kind <> 'boot'"
		" WHERE m.host_id = ?1 AND m.kind = 'boot' ORDER BY 1, 2, 3, 8 LIMIT 100000";
	sqlite3 *db = v->b->c->db;
	int64_t host = v->b->host; /* ?1 */
	enum gpudx_status rc = gpudx_query_each(db, mono, host, mono_row, v, err);

	if (!rc)
		rc = gpudx_query_each(db, messages, host, message_row, v, err);
	if (v->n)
		qsort(v->votes, v->n, sizeof(*v->votes), by_seg);
	return rc;
}

/* False when the vote is a quarter of an hour off what is known of the boot, or later than its
 * first stamp. */
static bool fits(const struct gpudx_boots *b, const struct vote *vote)
{
	const struct gpudx_start *s = &b->boot[vote->boot].start;
	int64_t d;

	if (!gpudx_start_known(s) || !gpudx_start_known(&vote->start) ||
	    !gpudx_same_clock(s->m, vote->start.m))
		return true;
	d = s->m.t_us - vote->start.m.t_us;
	return (d <= FAR_OFF || s->way == GPUDX_START_NOT_AFTER) && d >= -FAR_OFF;
}

/* The votes for a log are [from, to). */
static void votes_of(const struct voting *v, const struct gpudx_bootseg *g, size_t *from,
		     size_t *to)
{
	size_t lo = 0, hi = v->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (v->votes[mid].seg < g)
			lo = mid + 1;
		else
			hi = mid;
	}
	*from = *to = lo;
	while (*to < v->n && v->votes[*to].seg == g)
		(*to)++;
}

/* How many votes for the same boot agree with this one on its start: messages that are equal by
 * chance do not. */
static size_t support(const struct voting *v, size_t from, size_t to, size_t at)
{
	const struct vote *a = &v->votes[at];
	size_t n = 0;

	if (!fits(v->b, a))
		return 0;
	for (size_t i = from; i < to; i++) {
		const struct vote *o = &v->votes[i];
		int64_t d = o->start.m.t_us - a->start.m.t_us;

		if (o->boot != a->boot)
			continue;
		if (!gpudx_start_known(&o->start) || !gpudx_start_known(&a->start) ||
		    (gpudx_same_clock(o->start.m, a->start.m) && d <= AGREE && d >= -AGREE))
			n += o->lines;
	}
	return n;
}

/* The vote that most others support, of equals the one for the later boot and time; NULL: nothing
 * speaks for any boot. */
static const struct vote *elect(const struct voting *v, const struct gpudx_bootseg *g)
{
	size_t from, to, most = 0;
	const struct vote *best = NULL;

	votes_of(v, g, &from, &to);
	if (to - from > VOTES_MAX)
		from = to - VOTES_MAX;
	for (size_t i = from; i < to; i++) {
		size_t n = support(v, from, to, i);

		if (n && n >= most) {
			most = n;
			best = &v->votes[i];
		}
	}
	return best;
}

/* The boot whose start the hardware clock shows, be it in UTC or in local time. */
static size_t by_hardware_clock(const struct gpudx_boots *b, const struct gpudx_bootseg *g)
{
	struct gpudx_start local = g->rtc;

	for (size_t i = b->n; i > 0 && gpudx_start_known(&g->rtc); i--) {
		const struct gpudx_start *s = &b->boot[i - 1].start;
		int32_t offset_s = gpudx_clocks_offset_s(b->c, b->host, g->rtc.m.t_us);

		local.m.t_us = gpudx_time_add(g->rtc.m.t_us, -offset_s * GPUDX_SECOND);
		if (gpudx_start_known(s) &&
		    (gpudx_start_same(s, &g->rtc) || gpudx_start_same(s, &local)))
			return i - 1;
	}
	return SIZE_MAX;
}

static bool is_crash_dump(const struct gpudx_boots *b, const struct gpudx_bootseg *g)
{
	for (size_t i = 0; i < b->nseg && g->former; i++)
		if (!b->seg[i].former)
			return true; /* alone it is the last that is known */
	return false;
}

/* The last boot that the log saw is the last one there is; a crash dump is of one before. */
static size_t from_the_end(struct gpudx_boots *b, const struct gpudx_bootseg *g, size_t sorted)
{
	const struct gpudx_bootseg *last = g;
	size_t back;

	while (last + 1 < b->seg + b->nseg && last[1].s == g->s)
		last++;
	back = (size_t)((int64_t)last->src_boot - g->src_boot) + is_crash_dump(b, g);
	if (back < sorted)
		return sorted - 1 - back;
	for (size_t i = sorted; i < b->n; i++)
		if (b->boot[i].back == back)
			return i;
	return gpudx_boot_new(b, (uint32_t)back);
}

enum gpudx_status gpudx_boots_join_mono(struct gpudx_boots *b, struct gpudx_err *err)
{
	struct voting v = { .b = b };
	enum gpudx_status rc = GPUDX_OK;
	size_t sorted = b->n, waiting = 0;

	for (size_t i = 0; i < b->nseg; i++)
		waiting += is_mono_only(&b->seg[i]);
	if (waiting)
		rc = collect_votes(&v, err);
	for (size_t i = 0; i < b->nseg && !rc; i++) {
		struct gpudx_bootseg *g = &b->seg[i];
		const struct vote *vote;
		size_t at;

		if (!is_mono_only(g))
			continue;
		vote = elect(&v, g);
		at = vote ? vote->boot : by_hardware_clock(b, g);
		if (at == SIZE_MAX)
			at = from_the_end(b, g, sorted);
		if (vote && gpudx_start_known(&vote->start))
			g->start = vote->start;
		if (at != SIZE_MAX)
			gpudx_boot_take(b, g, at);
	}
	return rc;
}
