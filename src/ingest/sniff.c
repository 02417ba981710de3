#include "ingest/sniff.h"

#include "ingest/segment.h"

enum { TRIAL_BID = 40 };

/* True when a boundary ends a head of n lines here. */
static bool ends_head(struct gpudx_sv text, size_t n, enum gpudx_boundary_kind *before)
{
	enum gpudx_boundary_kind kind = gpudx_segment_look(text, *before).kind;

	*before = kind;
	return n && kind != GPUDX_NO_BOUNDARY && kind != GPUDX_RULE;
}

size_t gpudx_sniff_head_end(const struct gpudx_line *v, size_t n)
{
	enum gpudx_boundary_kind before = GPUDX_NO_BOUNDARY;
	size_t i = 0;

	while (i < n && !ends_head(v[i].text, i, &before))
		i++;
	return i;
}

struct gpudx_head gpudx_sniff_head(struct gpudx_lines *l, struct gpudx_sv path,
				   struct gpudx_sv command)
{
	enum gpudx_boundary_kind before = GPUDX_NO_BOUNDARY;
	struct gpudx_head h = { .path = path, .command = command };
	const struct gpudx_line *line;

	while ((line = gpudx_lines_peek(l, h.n)) != NULL && !ends_head(line->text, h.n, &before))
		h.n++;
	h.lines = gpudx_lines_peek(l, 0);
	return h;
}

static void swallow(struct gpudx_sink *sink, const struct gpudx_rec *rec)
{
	(void)sink;
	(void)rec;
}

/* Lines understood minus lines not, -1 when none is understood. */
static long trial(struct gpudx_sniffer *s, const struct gpudx_parser *p,
		  const struct gpudx_head *head)
{
	struct gpudx_ids ids = { 0 };
	struct gpudx_sink sink = { swallow };
	struct gpudx_ctx c = { .parser = p,
			       .sink = &sink,
			       .ids = &ids,
			       .arena = &s->arena,
			       .path = head->path,
			       .command = head->command,
			       .head = head,
			       .match = s->match,
			       .match_arg = s->match_arg };
	long good = 0, bad = 0;

	gpudx_arena_reset(&s->arena);
	if (!gpudx_ctx_begin(&c))
		return -1;
	for (size_t i = 0; i < head->n; i++) {
		if (!gpudx_ctx_wants(p, &head->lines[i]))
			continue;
		if (gpudx_ctx_line(&c, &head->lines[i]) == GPUDX_TAKEN)
			good++;
		else if (!sv_blank(head->lines[i].text))
			bad++;
	}
	return good ? good - bad : -1;
}

const struct gpudx_parser *gpudx_sniff(struct gpudx_sniffer *s, const struct gpudx_head *head,
				       bool containers)
{
	long score;

	return gpudx_sniff_best(s, head, containers, &score);
}

const struct gpudx_parser *gpudx_sniff_best(struct gpudx_sniffer *s, const struct gpudx_head *head,
					    bool containers, long *how_well)
{
	const struct gpudx_parser *best = NULL;
	long best_score = -1;
	int best_bid = 0;

	for (const struct gpudx_parser *const *p = gpudx_parsers; *p && head->n; p++) {
		int bid = !(*p)->bid || containers != !!((*p)->flags & GPUDX_P_CONTAINER)
				  ? 0
				  : (*p)->bid(head);
		long score;

		if (bid < TRIAL_BID)
			continue;
		/* A container understands little of what it contains: its bid alone decides. */
		score = containers ? bid : trial(s, *p, head);
		if (score > best_score || (score == best_score && best && bid > best_bid)) {
			best = *p;
			best_score = score;
			best_bid = bid;
		}
	}
	*how_well = best_score;
	return best;
}
