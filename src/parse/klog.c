/* Kernel logs, and journals and syslogs that hold the kernel's messages among others:
 *
 *   [  882.456994] NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.
 *   May  7 09:58:55 node01 kernel: [  882.456994] NVRM: Xid (PCI:0000:3b:00): 79, GPU has ...
 *   2024-05-07T09:58:55+0000 node01 kernel: NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen ...
 *   -- Boot 0123456789abcdef0123456789abcdef --
 *
 * (klog_prefix.h has all the forms.) This file keeps track of time and boots; what the messages
 * mean is said by rules/signatures. Lines of other subsystems and programs are part of the log. */
#include "parse/klog_boot.h"
#include "parse/klog_look.h"
#include "parse/klog_prefix.h"
#include "parse/klog_quote.h"
#include "parse/klog_shape.h"

enum { BOOTS_MAX = 4096, HOSTS_MAX = 8 /* a file that collects more is nobody's log */ };

/* A year without number is kept as four (gpudx_noyear); between years that follow each other three
 * of them did not pass. */
#define YEARS_NOT_PASSED (1095 * GPUDX_DAY)

struct klog {
	struct klog_prefix prefix;
	struct klog_shape shape;
	struct klog_boot boot;
	struct gpudx_stamp stamp; /* of the last line that has one */
	uint32_t stamp_no;	  /* its number */
	uint32_t last_no;	  /* of the last line that was taken */
	enum klog_form form;	  /* of the last line with a prefix */
	bool tagged;		  /* a line with host and program was seen */
	unsigned boots;
	struct host {
		char name[64];
		size_t n;
	} hosts[HOSTS_MAX];	     /* named so far */
	unsigned nhosts, host, said; /* host: of the line at hand; said: the one stated last */
	bool mixed;		     /* lines of several hosts take turns */
};

/* ---- time and boots ---- */

static bool is_kernel(const struct klog_line *l)
{
	return !l->tag.p || sv_is(l->tag, "kernel");
}

static struct klog_moment moment_of(const struct klog *k, const struct klog_line *l)
{
	struct klog_moment m = { .wall_us = GPUDX_NO_TIME, .mono_us = l->stamp.mono_us };

	if (l->stamp.kind > GPUDX_STAMP_BOOT)
		m.wall_us = l->stamp.t_us;
	if (l->stamp.kind == GPUDX_STAMP_NOYEAR)
		m.wall_us -= k->prefix.turn * YEARS_NOT_PASSED;
	m.linux_version = sv_starts(l->message, "Linux version ") && is_kernel(l);
	return m;
}

/* From when to when the log goes, for each boot of it. */
static void span(struct gpudx_ctx *c, const struct klog *k, const char *which)
{
	struct gpudx_fact f = { .key = SV_LIT("log.span"),
				.layer = sv_str(which),
				.value = sv_str(klog_form_name(k->form)),
				.stamp = k->stamp,
				.line = k->stamp_no };

	if (k->stamp.kind != GPUDX_STAMP_NONE)
		gpudx_put_fact(c, &f);
}

/* began: the lines that follow are the first of it. */
static void new_boot(struct gpudx_ctx *c, struct klog *k, bool began)
{
	if (!k->boot.lines || k->boots == BOOTS_MAX)
		return;
	span(c, k, "last");
	gpudx_new_boot(c);
	k->boots++;
	klog_boot_init(&k->boot, began, true);
}

static void put_anchor(struct gpudx_ctx *c, const char *kind, const struct gpudx_stamp *t)
{
	struct gpudx_anchor a = { .kind = sv_str(kind),
				  .mono_us = t->mono_us,
				  .local_us = GPUDX_NO_TIME,
				  .utc_us = GPUDX_NO_TIME,
				  .has_offset = t->has_offset,
				  .offset_min = t->offset_min };

	if (t->kind == GPUDX_STAMP_UTC)
		a.utc_us = t->t_us;
	else
		a.local_us = t->kind == GPUDX_STAMP_BOOT ? GPUDX_NO_TIME : t->t_us;
	gpudx_put_anchor(c, &a);
}

/* The line before showed the time of the wall, this one that since boot. */
static void tie_lines(struct gpudx_ctx *c, struct klog *k, const struct klog_moment *m)
{
	struct gpudx_stamp wall = k->stamp;
	struct klog_moment tie;

	if (!klog_boot_between(&k->boot, m, &tie) || !klog_boot_ties(&k->boot, &tie))
		return;
	wall.mono_us = tie.mono_us;
	put_anchor(c, "two_stamps", &wall);
}

static void keep_time(struct gpudx_ctx *c, struct klog *k, const struct klog_line *l)
{
	struct klog_moment m = moment_of(k, l);

	if (klog_boot_ends(&k->boot, &m))
		new_boot(c, k, m.linux_version);
	tie_lines(c, k, &m);
	gpudx_now(c, l->stamp.kind, l->stamp.t_us);
	k->stamp = l->stamp;
	k->stamp_no = gpudx_this_line(c)->no;
	gpudx_hold(c);
	k->form = l->form;
	if (!k->boot.lines) {
		gpudx_cite(c);
		span(c, k, "first");
	}
	if (klog_boot_add(&k->boot, &m))
		put_anchor(c, "boot", &l->stamp);
	if (klog_boot_ties(&k->boot, &m))
		put_anchor(c, "two_stamps", &l->stamp);
	k->shape.begins_at_boot |= k->boot.began;
}

/* ---- lines ---- */

/* Before it knows its name a machine calls itself so. */
static bool is_nameless(struct gpudx_sv host)
{
	return sv_is(host, "localhost") || sv_is(host, "localhost.localdomain") ||
	       sv_is(host, "(none)");
}

static bool is_host(const struct host *h, struct gpudx_sv name)
{
	return sv_eq(name, sv_n(h->name, h->n));
}

static void say_host(struct gpudx_ctx *c, struct klog *k)
{
	const struct host *h = &k->hosts[k->host];
	struct gpudx_sv name = sv_n(h->name, h->n);

	if (is_nameless(name))
		return;
	gpudx_fact(c, 0, "host.name", "syslog", name);
	k->said = k->host;
}

/* States each host when it is new, usually once: there is one, and the line before named it. That
 * one comes back is stated at the first time; from then on say_host tells whose an event is. */
static void name_host(struct gpudx_ctx *c, struct klog *k, struct gpudx_sv name)
{
	struct host *h = &k->hosts[k->nhosts];

	if (k->nhosts && is_host(&k->hosts[k->host], name))
		return;
	for (unsigned i = 0; i < k->nhosts; i++)
		if (is_host(&k->hosts[i], name)) {
			k->host = i;
			if (!k->mixed)
				say_host(c, k);
			k->mixed = true;
			return;
		}
	if (k->nhosts == HOSTS_MAX || name.n > sizeof(h->name))
		return;
	memcpy(h->name, name.p, name.n);
	h->n = name.n;
	k->host = k->nhosts++;
	say_host(c, k);
}

/* "message repeated 3 times: [ NVRM: ...]", which stands for three more of it. */
static struct gpudx_sv unfold(struct gpudx_ctx *c, struct gpudx_sv message)
{
	struct gpudx_sv s = message;
	int64_t mono;
	uint64_t n;

	if (!sv_lit(&s, "message repeated ") || !sv_u64(&s, &n) || !sv_lit(&s, " times: [") || !n ||
	    n > UINT32_MAX)
		return message;
	sv_spaces(&s);
	s = sv_rtrim(s);
	if (s.n && s.p[s.n - 1] == ']')
		s.n--;
	if (sv_char(&s, '[') && (!gpudx_scan_mono(&s, &mono) || !sv_lit(&s, "] ")))
		return message;
	gpudx_repeated(c, (uint32_t)n);
	return s;
}

/* Where line feeds were lost more messages follow, each with its stamp or with that of the line. */
static void take_glued(struct gpudx_ctx *c, struct klog *k, struct gpudx_sv rest,
		       const struct gpudx_stamp *stamp)
{
	struct klog_quotes q = { .line = rest };
	struct klog_line l;

	while (klog_quote_next(&q, &k->prefix, &l)) {
		if (l.stamp.kind != GPUDX_STAMP_NONE)
			keep_time(c, k, &l);
		else
			l.stamp = *stamp;
		gpudx_match(c, l.message, &l.stamp);
	}
}

static bool match(struct gpudx_ctx *c, struct klog *k, const struct klog_line *l)
{
	struct gpudx_sv message = unfold(c, l->message);
	struct gpudx_sv rest = klog_cut_glued(&k->prefix, &message);
	bool known = gpudx_match(c, message, &l->stamp);

	if (rest.n)
		take_glued(c, k, rest, &l->stamp);
	return known;
}

static enum gpudx_take take_line(struct gpudx_ctx *c, struct klog *k, struct klog_line *l)
{
	bool tags = klog_has_tags(l->form), hit = gpudx_this_line(c)->flags & GPUDX_LINE_HIT;

	if (tags && !l->tag.p && !k->tagged)
		return GPUDX_NOT_MINE;
	k->tagged |= l->tag.p != NULL;
	k->shape.rotates |= tags;
	if (l->stamp.kind != GPUDX_STAMP_NONE)
		keep_time(c, k, l);
	else
		k->form = l->form;
	if (l->host.p)
		name_host(c, k, l->host);
	if (hit && k->mixed && k->said != k->host)
		say_host(c, k);
	if (hit)
		hit = match(c, k, l);
	klog_shape_add(&k->shape, l->message, is_kernel(l), hit);
	return GPUDX_TAKEN;
}

/* A further line of one message: indented to the width of the prefix, or without any prefix where
 * the kernel broke the line. */
static enum gpudx_take take_rest(struct gpudx_ctx *c, struct klog *k, struct gpudx_sv message)
{
	gpudx_match(c, sv_ltrim(message), &k->stamp);
	return GPUDX_TAKEN;
}

static bool follows(const struct gpudx_ctx *c, const struct klog *k)
{
	return k->last_no && gpudx_this_line(c)->no - k->last_no <= 1;
}

static enum gpudx_take take_bare(struct gpudx_ctx *c, struct klog *k, struct gpudx_sv line)
{
	struct klog_line l = { .form = KLOG_BARE, .stamp = GPUDX_NO_STAMP };

	if (!klog_bare(line, &l.message, &l.stamp.mono_us))
		return GPUDX_NOT_MINE;
	if (l.stamp.mono_us != GPUDX_NO_TIME) {
		l.stamp.kind = GPUDX_STAMP_BOOT;
		l.stamp.t_us = l.stamp.mono_us;
		return take_line(c, k, &l);
	}
	if (follows(c, k) && k->stamp.kind != GPUDX_STAMP_NONE)
		return take_rest(c, k, l.message);
	return take_line(c, k, &l);
}

/* "-- Logs begin at Fri 2020-07-24 17:40:44 UTC, end at ...": when the journal was read; its lines
 * show no year. */
static void journal_ends(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_fact f = { .key = SV_LIT("log.journal"), .layer = SV_LIT("end") };
	struct gpudx_sv before, start;
	struct gpudx_stamp *t = &f.stamp;
	unsigned weekday;

	t->mono_us = GPUDX_NO_TIME;
	if (!sv_until(&line, "end", &before) ||
	    !(sv_lit(&line, "s at ") || sv_lit(&line, " at ")) ||
	    !gpudx_scan_weekday(&line, &weekday) || !sv_char(&line, ' '))
		return;
	start = line;
	if (!gpudx_scan_ymd_hms(&line, &t->t_us))
		return;
	t->kind = GPUDX_STAMP_LOCAL;
	f.value = sv_first(start, start.n - line.n);
	if (sv_char(&line, ' ') && gpudx_scan_offset(&line, &t->offset_min)) {
		t->kind = GPUDX_STAMP_UTC;
		t->has_offset = true;
		t->t_us -= t->offset_min * GPUDX_MINUTE;
	}
	gpudx_put_fact(c, &f);
}

static enum gpudx_take take_mark(struct gpudx_ctx *c, struct klog *k, enum klog_mark mark,
				 struct gpudx_sv line)
{
	switch (mark) {
	case KLOG_MARK_NONE:
		return GPUDX_NOT_MINE;
	case KLOG_MARK_BOOT:
		new_boot(c, k, true);
		break;
	case KLOG_MARK_PART:
		k->boot.mono_us = GPUDX_NO_TIME;
		break;
	case KLOG_MARK_JOURNAL:
		journal_ends(c, line);
		break;
	case KLOG_MARK_PARTIAL:
		k->shape.partial = true;
		break;
	case KLOG_MARK_OTHER:
		return k->last_no ? GPUDX_TAKEN : GPUDX_NOT_MINE;
	}
	return GPUDX_TAKEN;
}

static enum gpudx_take take(struct gpudx_ctx *c, struct klog *k, struct gpudx_sv line)
{
	struct klog_line l;
	enum gpudx_take taken;

	switch (klog_peel(&k->prefix, line, &l)) {
	case KLOG_PEELED:
		return take_line(c, k, &l);
	case KLOG_IMPOSSIBLE:
		if (!k->tagged && k->form != KLOG_CTIME)
			return take_bare(c, k, line);
		gpudx_match(c, l.message, &l.stamp);
		return gpudx_reject(c, "no such date or time");
	case KLOG_NOT:
		break;
	}
	if (sv_is_space(line.p[0]) && follows(c, k) && !klog_is_title(line) &&
	    !sv_starts(line, " kernel:"))
		return take_rest(c, k, line);
	taken = take_mark(c, k, klog_mark(line), line);
	return taken == GPUDX_TAKEN ? taken : take_bare(c, k, line);
}

/* A run of NULs in front of a line is where the end of the log was lost when the machine stopped.
 */
static void torn(struct gpudx_ctx *c, const struct klog *k)
{
	struct gpudx_event e =
		gpudx_event_of(SV_LIT("kernel.log_torn"), k->stamp,
			       SV_LIT("a run of NUL bytes stands in front of this line"));

	gpudx_put_event(c, &e);
}

static enum gpudx_take klog_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct klog *k = gpudx_state(c);
	enum gpudx_take taken;

	if (!line.n)
		return GPUDX_NOT_MINE;
	if (gpudx_this_line(c)->flags & GPUDX_LINE_NULS && k->last_no)
		torn(c, k);
	taken = take(c, k, line);
	if (taken != GPUDX_NOT_MINE)
		k->last_no = gpudx_this_line(c)->no;
	return taken;
}

static void klog_begin(struct gpudx_ctx *c)
{
	struct klog *k = gpudx_state(c);

	klog_boot_init(&k->boot, false, false);
	k->stamp.t_us = k->stamp.mono_us = GPUDX_NO_TIME;
}

static void klog_finish(struct gpudx_ctx *c)
{
	struct klog *k = gpudx_state(c);

	span(c, k, "last");
	if (klog_is_excerpt(&k->shape))
		gpudx_excerpt(c);
}

const struct gpudx_parser gpudx_parser_klog = {
	.name = "kernel-log",
	.what = "kernel log: dmesg in all its forms, /dev/kmsg, pstore, journal and syslog lines",
	.bid = klog_bid,
	.starts = klog_starts,
	.begin = klog_begin,
	.line = klog_line,
	.finish = klog_finish,
	.state_size = sizeof(struct klog),
	.flags = GPUDX_P_FIND | GPUDX_P_HOLDS | GPUDX_P_HOSTS,
};
