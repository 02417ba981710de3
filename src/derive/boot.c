/* The boots of a host: the counts of its logs and the starts that tools state, held against each
 * other. One boot that two logs saw is one row. In this order:
 *
 *   starts known to the second   equal within half a minute and the error of their way
 *   a border without mono        the boot that began up to two minutes before, else a new one
 *   journalctl -b -N             the boot that its stamps lie in, if no other N has it, else its
 * own no border                    the boot that its stamps lie in no wall clock at all equal times
 * since boot; the same messages; else counted from the end
 *
 * Tools ran in the last boot. */
#include "derive/boot.h"
#include "store/query.h"

#include <stdlib.h>

#define LATE (2 * GPUDX_MINUTE) /* a collector begins at most so long after the kernel */
#define DAY_PART (14 * GPUDX_HOUR)

/* ---- starts ---- */

const int64_t gpudx_start_error[] = {
	[GPUDX_START_TWO] = 1 * GPUDX_SECOND,
	[GPUDX_START_MESSAGE] = 2 * GPUDX_SECOND,
	[GPUDX_START_BTIME] = 1 * GPUDX_SECOND,
	[GPUDX_START_UPTIME_S] = 1 * GPUDX_SECOND,
	[GPUDX_START_DATE_UPTIME] = GPUDX_MINUTE,
	[GPUDX_START_RTC] = 5 * GPUDX_SECOND,
	[GPUDX_START_FIRST] = LATE,
	[GPUDX_START_NOT_AFTER] = -1,
	[GPUDX_START_NONE] = -1,
};

/* Local time of an unknown zone differs from UTC by quarters of an hour. */
bool gpudx_start_same(const struct gpudx_start *a, const struct gpudx_start *b)
{
	int64_t tolerance =
		30 * GPUDX_SECOND + gpudx_start_error[a->way] + gpudx_start_error[b->way];
	int64_t d = a->m.t_us > b->m.t_us ? a->m.t_us - b->m.t_us : b->m.t_us - a->m.t_us;

	if (gpudx_same_clock(a->m, b->m))
		return d <= tolerance;
	if (d > DAY_PART)
		return false;
	d %= 15 * GPUDX_MINUTE;
	return d <= GPUDX_MINUTE || d >= 14 * GPUDX_MINUTE;
}

/* True when the next or the previous count of the same log is that boot: a log that counts on saw
 * another boot begin. */
static bool counted_apart(const struct gpudx_boots *b, const struct gpudx_bootseg *g, size_t boot)
{
	const struct gpudx_bootseg *before = g - 1, *after = g + 1;

	if (g > b->seg && before->s == g->s && before->src_boot == g->src_boot - 1 &&
	    before->boot == boot)
		return true;
	return after < b->seg + b->nseg && after->s == g->s && after->src_boot == g->src_boot + 1 &&
	       after->boot == boot;
}

static void improve(struct gpudx_boot *boot, const struct gpudx_start *start)
{
	if (start->way < boot->start.way)
		boot->start = *start;
}

void gpudx_boot_take(struct gpudx_boots *b, struct gpudx_bootseg *g, size_t boot)
{
	struct gpudx_boot *to = &b->boot[boot];

	g->boot = boot;
	if (to->ago < 0)
		to->ago = g->ago;
	improve(to, &g->start);
	if (gpudx_start_known(&g->rtc) && !gpudx_start_known(&to->rtc))
		to->rtc = g->rtc;
	if (!gpudx_start_known(&to->start))
		to->start = to->rtc;
	if (g->opens && !to->open_line)
		to->open_line = g->open_line;
}

size_t gpudx_boot_new(struct gpudx_boots *b, uint32_t back)
{
	if (b->n == GPUDX_BOOTS_MAX)
		return SIZE_MAX;
	b->boot[b->n] =
		(struct gpudx_boot){ .start = { .way = GPUDX_START_NONE, .m = GPUDX_NO_MOMENT },
				     .rtc = { .way = GPUDX_START_NONE, .m = GPUDX_NO_MOMENT },
				     .back = back,
				     .ago = -1 };
	return b->n++;
}

/* ---- starts known to the second ---- */

struct hard {
	const struct gpudx_start *start;
	struct gpudx_bootseg *seg; /* NULL: a tool's */
	size_t order;
};

static int by_start(const void *pa, const void *pb)
{
	const struct hard *a = pa, *b = pb;

	if (a->start->m.t_us != b->start->m.t_us)
		return a->start->m.t_us < b->start->m.t_us ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static size_t find_same_start(const struct gpudx_boots *b, const struct hard *h)
{
	for (size_t i = b->n; i > 0; i--)
		if (gpudx_start_same(&b->boot[i - 1].start, h->start) &&
		    !(h->seg && counted_apart(b, h->seg, i - 1)))
			return i - 1;
	return SIZE_MAX;
}

static enum gpudx_status join_hard(struct gpudx_boots *b, struct gpudx_err *err)
{
	struct hard *hard =
		gpudx_arena_array(&b->c->arena, b->nseg + b->segs.nstated + 1, sizeof(*hard));
	size_t n = 0, at;

	if (!hard)
		return gpudx_nomem(err);
	for (size_t i = 0; i < b->nseg; i++)
		if (gpudx_start_known(&b->seg[i].start))
			hard[n] = (struct hard){ &b->seg[i].start, &b->seg[i], n }, n++;
	for (size_t i = 0; i < b->segs.nstated; i++)
		if (b->segs.stated[i].host == b->host)
			hard[n] = (struct hard){ &b->segs.stated[i].start, NULL, n }, n++;
	if (n)
		qsort(hard, n, sizeof(*hard), by_start);
	for (size_t i = 0; i < n; i++) {
		at = find_same_start(b, &hard[i]);
		if (at == SIZE_MAX && (at = gpudx_boot_new(b, 0)) == SIZE_MAX)
			break;
		if (hard[i].seg)
			gpudx_boot_take(b, hard[i].seg, at);
		else
			improve(&b->boot[at], hard[i].start);
	}
	return GPUDX_OK;
}

/* ---- borders without time since boot ---- */

static size_t find_begun(const struct gpudx_boots *b, const struct gpudx_bootseg *g)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < b->n; i++) {
		const struct gpudx_start *s = &b->boot[i].start;
		int64_t early = s->way == GPUDX_START_FIRST ? GPUDX_MINUTE : 5 * GPUDX_SECOND;
		int64_t late;

		if (!gpudx_start_known(s) || !gpudx_same_clock(s->m, g->first) ||
		    counted_apart(b, g, i))
			continue;
		late = g->first.t_us - s->m.t_us;
		if (late < -early || late > LATE)
			continue;
		if (best == SIZE_MAX || s->m.t_us > b->boot[best].start.m.t_us)
			best = i;
	}
	return best;
}

static void join_borders(struct gpudx_boots *b)
{
	for (size_t i = 0; i < b->nseg; i++) {
		struct gpudx_bootseg *g = &b->seg[i];
		bool border = g->opens || g->src_boot > 0;
		size_t at;

		if (g->boot != SIZE_MAX || !g->log || !border || g->first.t_us == GPUDX_NO_TIME ||
		    g->first.quality > GPUDX_Q_ZONE_ASSUMED)
			continue;
		at = find_begun(b, g);
		if (at == SIZE_MAX && (at = gpudx_boot_new(b, 0)) == SIZE_MAX)
			return;
		g->start = (struct gpudx_start){ GPUDX_START_FIRST, g->first, 0, g->open_line };
		gpudx_boot_take(b, g, at);
	}
}

/* ---- order ---- */

static int by_time(const void *pa, const void *pb)
{
	const struct gpudx_boot *a = pa, *b = pb;
	bool ka = gpudx_start_known(&a->start), kb = gpudx_start_known(&b->start);

	if (ka != kb)
		return ka - kb;
	if (!ka)
		return (a->back < b->back) - (a->back > b->back);
	return (a->start.m.t_us > b->start.m.t_us) - (a->start.m.t_us < b->start.m.t_us);
}

/* Sorts the boots; segs follow. Ids serve to find the new places. */
static enum gpudx_status sort_boots(struct gpudx_boots *b, struct gpudx_err *err)
{
	size_t *place = gpudx_arena_array(&b->c->arena, b->n + 1, sizeof(*place));

	if (!place)
		return gpudx_nomem(err);
	for (size_t i = 0; i < b->n; i++)
		b->boot[i].id = (int64_t)i;
	if (b->n)
		qsort(b->boot, b->n, sizeof(b->boot[0]), by_time);
	for (size_t i = 0; i < b->n; i++)
		place[b->boot[i].id] = i;
	for (size_t i = 0; i < b->nseg; i++)
		if (b->seg[i].boot != SIZE_MAX)
			b->seg[i].boot = place[b->seg[i].boot];
	return GPUDX_OK;
}

static bool is_open(const struct gpudx_bootseg *g)
{
	return g->boot == SIZE_MAX && g->last.t_us != GPUDX_NO_TIME &&
	       g->last.quality <= GPUDX_Q_ZONE_ASSUMED;
}

/* ---- journalctl -b -N ---- */

/* The boot that a command called so; SIZE_MAX none. */
static size_t find_called(const struct gpudx_boots *b, int32_t ago)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->boot[i].ago == ago)
			return i;
	return SIZE_MAX;
}

static void join_called(struct gpudx_boots *b)
{
	size_t sorted = b->n;

	for (size_t i = 0; i < b->nseg; i++) {
		struct gpudx_bootseg *g = &b->seg[i];
		size_t at;

		if (!g->log || g->ago < 0 || !is_open(g))
			continue;
		at = find_called(b, g->ago);
		if (at == SIZE_MAX)
			at = gpudx_boot_at(b, sorted, g->last);
		if (at == SIZE_MAX || (b->boot[at].ago >= 0 && b->boot[at].ago != g->ago)) {
			at = gpudx_boot_new(b, 0);
			g->start = (struct gpudx_start){ GPUDX_START_NOT_AFTER, g->first, 0, 0 };
		}
		if (at != SIZE_MAX)
			gpudx_boot_take(b, g, at);
	}
}

/* ---- no border ---- */

size_t gpudx_boot_at(const struct gpudx_boots *b, size_t n, struct gpudx_moment m)
{
	for (size_t i = n; i > 0; i--)
		if (!gpudx_start_known(&b->boot[i - 1].start) ||
		    !gpudx_surely_before(m, b->boot[i - 1].start.m))
			return i - 1;
	return SIZE_MAX;
}

/* What lies before every start that is known belongs to one older boot. A log that counts takes the
 * boot before the one that it saw begin. */
static void join_by_time(struct gpudx_boots *b)
{
	size_t sorted = b->n, older = SIZE_MAX;

	for (size_t i = 0; i < b->nseg; i++) {
		struct gpudx_bootseg *g = &b->seg[i];
		size_t at;

		if (!is_open(g))
			continue;
		at = gpudx_boot_at(b, sorted, g->log ? g->last : g->first);
		while (at != SIZE_MAX && at < sorted && counted_apart(b, g, at))
			at = at ? at - 1 : SIZE_MAX;
		if (at == SIZE_MAX) {
			if (older == SIZE_MAX)
				older = gpudx_boot_new(b, 1);
			at = older;
		}
		if (g->log && at != SIZE_MAX)
			gpudx_boot_take(b, g, at);
	}
}

/* ---- all of a host ---- */

static enum gpudx_status boots_of_host(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_boots *b = arg;
	const struct gpudx_bootseg *end = b->segs.seg + b->segs.n;
	enum gpudx_status rc;

	/* Hosts and segs come in the same order. */
	b->host = sqlite3_column_int64(row, 0);
	b->seg += b->nseg;
	while (b->seg < end && b->seg->s->host < b->host)
		b->seg++;
	for (b->nseg = 0; b->seg + b->nseg < end && b->seg[b->nseg].s->host == b->host; b->nseg++)
		;
	b->n = 0;
	rc = join_hard(b, err);
	if (rc)
		return rc;
	join_borders(b);
	rc = sort_boots(b, err);
	if (rc)
		return rc;
	join_called(b);
	rc = sort_boots(b, err);
	if (rc)
		return rc;
	join_by_time(b);
	rc = sort_boots(b, err);
	if (!rc)
		rc = gpudx_boots_join_mono(b, err);
	if (!b->n)
		gpudx_boot_new(b, 0);
	if (!rc)
		rc = sort_boots(b, err);
	return rc ? rc : gpudx_boots_write(b, err);
}

enum gpudx_status gpudx_derive_boots(struct gpudx_store *store, int64_t bundle,
				     struct gpudx_clocks *clocks, struct gpudx_err *err)
{
	struct gpudx_boots *b = calloc(1, sizeof(*b));
	enum gpudx_status rc;

	(void)store;
	if (!b)
		return gpudx_nomem(err);
	b->c = clocks;
	rc = gpudx_bootsegs_load(&b->segs, clocks, err);
	b->seg = b->segs.seg;
	if (!rc)
		rc = gpudx_query_each(clocks->db,
				      "SELECT id FROM host WHERE bundle_id = ?1 ORDER BY id",
				      bundle, boots_of_host, b, err);
	free(b);
	return rc;
}
