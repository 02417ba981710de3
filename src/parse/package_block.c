#include "parse/package_block.h"

#include <stdio.h>

bool pkg_scan_apt_time(struct gpudx_sv s, struct gpudx_stamp *t)
{
	struct gpudx_sv date, one;
	char buf[48];
	int n;

	*t = (struct gpudx_stamp){ .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME };
	s = sv_trim(s);
	if (!sv_token(&s, &date) || date.n != 10)
		return false;
	s = sv_trim(s);
	n = snprintf(buf, sizeof(buf), "%.*s %.*s", (int)date.n, date.p, (int)sv_first(s, 16).n,
		     s.p);
	one = sv_n(buf, n > 0 ? (size_t)n : 0);
	return gpudx_scan_ymd_hms(&one, &t->t_us) && !one.n;
}

struct pkg_change *pkg_block_at(struct gpudx_ctx *c, struct pkg_block *b, enum pkg_by by,
				struct gpudx_sv name)
{
	struct pkg_change *change;

	if (name.n >= PKG_BLOCK_TEXT || !pkg_is_ours(by, name))
		return NULL;
	for (unsigned i = b->n; i > 0; i--)
		if (sv_is(name, b->of[i - 1].name))
			return &b->of[i - 1];
	if (b->n == PKG_BLOCK_MAX)
		return NULL;
	change = &b->of[b->n++];
	memset(change, 0, sizeof(*change));
	text_keep(change->name, PKG_BLOCK_TEXT, name);
	change->line = gpudx_this_line(c)->no;
	gpudx_cite(c);
	return change;
}

static void step_of(struct gpudx_ctx *c, const struct pkg_change *change, struct pkg_log *log,
		    enum pkg_by by, struct gpudx_stamp began, struct gpudx_stamp done)
{
	struct pkg_step step = {
		.began = began, .done = done, .line = change->line, .old_line = change->line
	};

	step.now.name = sv_str(change->name);
	step.now.version = sv_str(change->now);
	step.now.arch = sv_str(change->arch);
	step.old = sv_str(change->old);
	if (change->began.kind != GPUDX_STAMP_NONE)
		step.began = change->began;
	if (change->done.kind != GPUDX_STAMP_NONE)
		step.done = change->done;
	pkg_log_step(c, log, by, &step);
}

/* What goes out first: a package of another name may come in for it. */
void pkg_block_end(struct gpudx_ctx *c, struct pkg_block *b, struct pkg_log *log, enum pkg_by by,
		   struct gpudx_stamp began, struct gpudx_stamp done)
{
	unsigned left = 0;

	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < b->n; i++)
			if (b->of[i].complete && (b->of[i].now[0] != 0) == pass)
				step_of(c, &b->of[i], log, by, began, done);
	for (unsigned i = 0; i < b->n; i++) {
		if (b->of[i].complete)
			continue;
		if (left != i)
			b->of[left] = b->of[i];
		left++;
	}
	b->n = left;
}

void pkg_block_failed(struct gpudx_ctx *c, const struct pkg_block *b, struct gpudx_stamp stamp,
		      struct gpudx_sv text)
{
	struct gpudx_event e = gpudx_event_of(SV_LIT("package.failed"), stamp, text);

	if (!b->n)
		return;
	e.attrs[e.nattrs++] =
		(struct gpudx_attr){ SV_LIT("package"), sv_str(b->of[b->n - 1].name) };
	gpudx_put_event(c, &e);
}
