#include "parse/node_out.h"

#include <stdio.h>

/* ---- states ---- */

/* Beginnings: tables cut words off. */
static const char *const out_words[] = {
	"drain", "drng", "down",     "fail",	 "boot_fail",	       "maint",
	"inval", "unk",	 "not_resp", "notready", "schedulingdisabled", "cordoned"
};

static bool word_is_out(struct gpudx_sv word)
{
	for (size_t i = 0; i < sizeof(out_words) / sizeof(out_words[0]); i++) {
		struct gpudx_sv s = word;

		if (sv_ilit(&s, out_words[i]))
			return true;
	}
	return false;
}

bool node_is_out(struct gpudx_sv state)
{
	while (state.n) {
		size_t n = 0;

		while (n < state.n && (sv_is_alpha(state.p[n]) || state.p[n] == '_'))
			n++;
		if (word_is_out(sv_first(state, n)))
			return true;
		state = sv_from(state, n ? n : 1);
	}
	return false;
}

static void attr(struct gpudx_event *e, const char *name, struct gpudx_sv value)
{
	if (value.n)
		e->attrs[e->nattrs++] = (struct gpudx_attr){ sv_str(name), value };
}

void node_put_out(struct gpudx_ctx *c, struct gpudx_sv node, const char *layer,
		  struct gpudx_sv state, struct gpudx_sv reason, const struct gpudx_stamp *stamp,
		  uint32_t line)
{
	struct gpudx_event e =
		gpudx_event_of(SV_LIT("scheduler.node_out"), *stamp, reason.n ? reason : state);

	if (!node.n)
		return;
	e.line = line;
	attr(&e, "node", node);
	attr(&e, "state", state);
	attr(&e, "reason", reason);
	gpudx_said_by(c, layer);
	gpudx_put_event(c, &e);
	gpudx_said_by(c, NULL);
}

/* ---- lists ---- */

void node_list_begin(struct node_list *l, struct gpudx_sv text)
{
	*l = (struct node_list){ .left = text };
}

/* Up to the next comma outside of brackets. */
static struct gpudx_sv next_item(struct gpudx_sv *s)
{
	struct gpudx_sv item;
	size_t n = 0;

	for (int depth = 0; n < s->n && (depth > 0 || s->p[n] != ','); n++)
		depth += s->p[n] == '[' ? 1 : s->p[n] == ']' ? -1 : 0;
	item = sv_first(*s, n);
	*s = sv_from(*s, n < s->n ? n + 1 : n);
	return sv_trim(item);
}

/* "014-015" or "17" at the beginning of the ranges. */
static bool next_range(struct node_list *l)
{
	struct gpudx_sv s, range;

	if (!sv_cell(&l->ranges, ',', &range))
		return false;
	s = range;
	if (!sv_u64(&s, &l->next) || l->next > 99999999)
		return false;
	l->digits = (unsigned)(range.n - s.n);
	l->last = l->next;
	if (sv_char(&s, '-') && (!sv_u64(&s, &l->last) || l->last > 99999999))
		return false;
	l->in_range = !s.n && l->digits < 10;
	return l->in_range;
}

static bool open_brackets(struct node_list *l, struct gpudx_sv item)
{
	size_t open = sv_index(item, '['), close = sv_index(item, ']');

	if (close < open || close >= item.n)
		return false;
	l->stem = sv_first(item, open);
	l->tail = sv_from(item, close + 1);
	l->ranges = sv_first(sv_from(item, open + 1), close - open - 1);
	return sv_index(l->tail, '[') == l->tail.n;
}

static bool number_name(struct node_list *l, char buf[NODE_NAME], struct gpudx_sv *name)
{
	int n = snprintf(buf, NODE_NAME, "%.*s%0*lu%.*s", (int)(l->stem.n < 100 ? l->stem.n : 100),
			 l->stem.p, (int)l->digits, (unsigned long)l->next++,
			 (int)(l->tail.n < 100 ? l->tail.n : 100), l->tail.p ? l->tail.p : "");

	l->in_range = l->next <= l->last;
	*name = sv_n(buf, n > 0 && n < NODE_NAME ? (size_t)n : 0);
	return name->n > 0;
}

bool node_list_next(struct node_list *l, char buf[NODE_NAME], struct gpudx_sv *name)
{
	while (l->n < NODE_LIST_MAX) {
		struct gpudx_sv item;

		if (l->in_range || (l->ranges.n && next_range(l))) {
			l->n++;
			return number_name(l, buf, name);
		}
		l->ranges.n = 0;
		if (!l->left.n)
			return false;
		item = next_item(&l->left);
		if (sv_index(item, '[') < item.n) {
			if (!open_brackets(l, item))
				l->ranges.n = 0;
		} else if (item.n && item.n < NODE_NAME) {
			l->n++;
			*name = item;
			return true;
		}
	}
	return false;
}
