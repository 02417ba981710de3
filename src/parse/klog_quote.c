/* Messages of the kernel that other texts quote: issue threads, mails, tables, tickets, logs of programs.
 *
 *   It dies with `[  123.456789] NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.` each night.
 *   | node01 | NVRM: Xid (PCI:0000:5d:00): 48, pid=77, DBE (double bit error) ECC Error |
 *   > - nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Non-fatal, Link 46 MC TS crumbstore MCTO (First)
 *   10:00:01 watchdog: found "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus."
 *
 * Such a message has a time only where the kernel's or the logger's own stamp was quoted with it: a time
 * in front of the whole line says when somebody spoke of it. Nobody quotes a log whole. */
#include "parse/klog_quote.h"

#include "base/bdf.h"
#include "parse/parser.h"

enum {
	WITHIN = 1 << 16,   /* of a line: one JSON string can hold a whole log */
	PREFIX_MAX = 160,   /* stamp, host and program */
	SUBJECT_WITHIN = 80 /* behind "NVRM: " */
};

/* ---- where a message is ---- */

/* "(PCI:0000:3b:00): 79" and "(0000:3b:00 GPU-I:03): 31"; s is behind the opening bracket. */
static bool is_xid(struct gpudx_sv s)
{
	struct gpudx_sv where;
	struct gpudx_bdf bdf;
	uint64_t code;

	if (!sv_until(&s, "): ", &where) || where.n > 64)
		return false;
	where = sv_first(where, sv_index(where, ' '));
	return gpudx_bdf_parse(where, &bdf) && sv_u64(&s, &code) && code <= 99999 && s.n &&
	       s.p[0] == ',';
}

/* Behind "NVRM: ": a device, or the codes of RmInitAdapter. */
static bool names_subject(struct gpudx_sv s)
{
	struct gpudx_sv word;
	struct gpudx_bdf bdf;

	if (sv_starts(s, "Xid "))
		return false;
	s = sv_first(s, SUBJECT_WITHIN);
	while (sv_spaces(&s), sv_token(&s, &word)) {
		if (sv_starts(word, "(0x"))
			return true;
		sv_char(&word, '(');
		while (word.n && !sv_is_digit(word.p[word.n - 1]) &&
		       sv_hex_value(word.p[word.n - 1]) < 0)
			word.n--;
		if (sv_index(word, ':') < word.n && gpudx_bdf_parse(word, &bdf))
			return true;
	}
	return false;
}

static bool ends_with(struct gpudx_sv line, size_t *at, const char *text)
{
	if (!sv_ends(sv_first(line, *at), text))
		return false;
	*at -= strlen(text);
	return true;
}

/* The beginning of the message whose "Xid (" is at; SXid's names its switch in front. */
static size_t xid_start(struct gpudx_sv line, size_t at)
{
	size_t start = at;

	if (!ends_with(line, &start, "S")) {
		ends_with(line, &start, "NVRM: ");
		return start;
	}
	at = start;
	if (!ends_with(line, &start, ": "))
		return at;
	while (start && sv_is_digit(line.p[start - 1]))
		start--;
	return ends_with(line, &start, "nvidia-nvswitch") ? start : at;
}

static size_t next_xid(struct gpudx_sv line, size_t from)
{
	static const char mark[] = "Xid (";
	size_t at = from;

	while (at += sv_find(sv_from(line, at), mark), at < line.n) {
		size_t start = xid_start(line, at);

		if (start >= from && is_xid(sv_from(line, at + sizeof(mark) - 1)))
			return start;
		at += sizeof(mark) - 1;
	}
	return line.n;
}

static size_t next_nvrm(struct gpudx_sv line, size_t from, size_t end)
{
	static const char mark[] = "NVRM: ";
	size_t at = from;

	line = sv_first(line, end);
	while (at += sv_find(sv_from(line, at), mark), at < line.n) {
		if (names_subject(sv_from(line, at + sizeof(mark) - 1)))
			return at;
		at += sizeof(mark) - 1;
	}
	return line.n;
}

/* line.n: there is none. */
static size_t next_message(struct gpudx_sv line, size_t from)
{
	size_t xid;

	if (from >= line.n)
		return line.n;
	xid = next_xid(line, from);
	return next_nvrm(line, from, xid);
}

/* ---- what stands in front of it ---- */

/* Where a quotation can begin: not within a word. */
static bool may_begin(struct gpudx_sv line, size_t i)
{
	char before = i ? line.p[i - 1] : ' ';

	if (line.p[i] == ' ')
		return false;
	if (line.p[i] == '[' || line.p[i] == '<')
		return true;
	if (before == 'n' || before == 't') /* a line feed of JSON */
		return i > 1 && line.p[i - 2] == '\\';
	return !sv_is_alpha(before) && !sv_is_digit(before) && (unsigned char)before < 0x80 &&
	       before != ':' && before != '-';
}

static bool is_kernels(const struct klog_line *l)
{
	return !klog_has_tags(l->form) || (l->tag.p && sv_is(l->tag, "kernel"));
}

/* Where the prefix of the message at begins; at when it has none. */
static size_t prefix_start(struct gpudx_sv line, size_t from, size_t at, struct klog_prefix *p,
			   struct klog_line *out)
{
	struct gpudx_sv head = sv_first(line, at + 8);
	size_t i = at > from + PREFIX_MAX ? at - PREFIX_MAX : from;

	for (; i < at; i++) {
		struct klog_prefix after = *p;

		if (may_begin(line, i) &&
		    klog_peel_here(&after, sv_from(head, i), out) == KLOG_PEELED &&
		    out->message.p == line.p + at && is_kernels(out)) {
			*p = after;
			return i;
		}
	}
	*out = (struct klog_line){ .form = KLOG_BARE, .stamp = GPUDX_NO_STAMP };
	if (at >= from + 8)
		ends_with(line, &at, "kernel: ");
	return at;
}

/* ---- where it ends ---- */

/* What closes what opened directly in front of the message. */
static struct gpudx_sv until_closed(struct gpudx_sv text, char opened, bool table)
{
	static const char *const ends[] = { "<br", "</", "\\n", "\\r" };
	size_t end = text.n;

	if (opened == '`' || opened == '"')
		text.n = sv_index(text, opened);
	if (table)
		text.n = sv_index(text, '|');
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if ((end = sv_find(text, ends[i])) < text.n)
			text.n = end;
	text = sv_rtrim(text);
	while (text.n && strchr("\\`*", text.p[text.n - 1]))
		text.n--;
	return text;
}

/* ---- is it evidence ---- */

/* "When a node reports", "nodes that log": of any node, in a sentence that has no pause yet. What happens
 * "when a job starts, dmesg shows" did happen. */
static bool instructs(struct gpudx_sv low)
{
	static const char *const whom[] = { "when a ",	   "when an ",	  "when any ",
					    "if any ",	   "if one ",	  "once a ",
					    "once any ",   "nodes that ", "node that ",
					    "hosts that ", "host that ",  "any node ",
					    "any host ",   "any gpu ",	  "wenn ein" };
	size_t at = low.n;

	for (size_t i = 0; i < sizeof(whom) / sizeof(whom[0]) && at == low.n; i++)
		at = sv_find(low, whom[i]);
	low = sv_from(low, at);
	return low.n && sv_index(low, ',') == low.n && !sv_has(low, ". ") &&
	       sv_index(low, ':') == low.n;
}

/* Words of those who speak of what could happen, of what messages look like, or search for them. */
static bool supposes(struct gpudx_sv front)
{
	static const char *const words[] = {
		"e.g.",	      "for example",  "example:",      "such as",     "if you",
		"looks like", "look like",    "you may",       "may see",     "might ",
		"you see",    "in case of",   "form of ",      "whenever ",   "grep ",
		"sed ",	      "awk ",	      "match(",	       "if a ",	      "if the ",
		"lines like", "message like", "messages like", "errors like", "error like",
		"similar to", "alert on ",    "search for",    "look for",    "check for"
	};
	char low[96];
	struct gpudx_sv s = front.n > sizeof(low) ? sv_from(front, front.n - sizeof(low)) : front;

	for (size_t i = 0; i < s.n; i++)
		low[i] = sv_lower(s.p[i]);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_has(sv_n(low, s.n), words[i]))
			return true;
	return instructs(sv_n(low, s.n));
}

/* What is part of a sentence behind a word without any mark is told, not quoted. */
static bool is_marked(struct gpudx_sv front)
{
	struct gpudx_sv s = sv_rtrim(front);
	char last = s.n ? s.p[s.n - 1] : '\n';

	return s.n == front.n || !(sv_is_alpha(last) || sv_is_digit(last) || last == ',') ||
	       (s.n > 1 && s.p[s.n - 2] == '\\');
}

/* A message with its stamp was copied, and so was one that names the process. */
static bool is_evidence(struct gpudx_sv front, const struct klog_line *l)
{
	if (l->form != KLOG_BARE)
		return true;
	return (is_marked(front) || sv_has(l->message, " pid=")) && !supposes(front);
}

bool klog_quote_next(struct klog_quotes *q, struct klog_prefix *p, struct klog_line *out)
{
	struct gpudx_sv line = sv_first(q->line, WITHIN);
	size_t at = next_message(line, q->at), start, next, begin;
	struct klog_prefix unused = *p;
	struct klog_line other;

	if (at >= line.n)
		return false;
	start = prefix_start(line, q->at, at, p, out);
	next = next_message(line, at + 6);
	begin = next < line.n ? prefix_start(line, at + 6, next, &unused, &other) : line.n;
	out->message = until_closed(sv_n(line.p + at, begin - at), start ? line.p[start - 1] : ' ',
				    sv_index(sv_first(line, start), '|') < start);
	q->at = begin;
	q->evidence = is_evidence(sv_first(line, start), out);
	return true;
}

struct gpudx_sv klog_cut_glued(const struct klog_prefix *p, struct gpudx_sv *message)
{
	struct gpudx_sv whole = sv_first(*message, WITHIN);
	size_t at = next_message(whole, 0), start;
	struct klog_prefix scratch = *p;
	struct klog_line l;

	if (at >= whole.n)
		return sv_n(NULL, 0);
	start = prefix_start(whole, 0, at, &scratch, &l);
	if (l.form == KLOG_BARE) {
		/* One without a prefix is the message itself, or what it quotes. */
		at = next_message(whole, at + 6);
		if (at >= whole.n)
			return sv_n(NULL, 0);
		start = prefix_start(whole, 6, at, &scratch, &l);
	}
	*message = sv_rtrim(sv_first(whole, start));
	return sv_from(whole, start);
}

/* ---- the parser ---- */

struct quoting {
	struct klog_prefix prefix;
};

static bool quote_starts(struct gpudx_sv line)
{
	struct klog_quotes q = { .line = line };
	struct klog_prefix p = { .turn = 0 };
	struct klog_line l;

	while (klog_quote_next(&q, &p, &l))
		if (q.evidence)
			return true;
	return false;
}

static enum gpudx_take quote_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct quoting *s = gpudx_state(c);
	struct klog_quotes q = { .line = line };
	struct klog_line l;
	bool any = false;

	if (!(gpudx_this_line(c)->flags & GPUDX_LINE_HIT))
		return GPUDX_NOT_MINE;
	while (klog_quote_next(&q, &s->prefix, &l)) {
		if (!q.evidence)
			continue;
		gpudx_of_host(c, l.host.p ? l.host : SV_LIT(""), true);
		any |= gpudx_match(c, l.message, &l.stamp);
	}
	return any ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static void quote_begin(struct gpudx_ctx *c)
{
	gpudx_excerpt(c);
}

const struct gpudx_parser gpudx_parser_klog_quote = {
	.name = "kernel-quote",
	.what = "kernel messages that prose, tables and other logs quote",
	.starts = quote_starts,
	.begin = quote_begin,
	.line = quote_line,
	.state_size = sizeof(struct quoting),
	.flags = GPUDX_P_FIND | GPUDX_P_RESUMES | GPUDX_P_ASIDE,
};
