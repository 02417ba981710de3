#include "report/words.h"

#include "base/utf8.h"

#include <stdio.h>

struct word {
	const char *code, *text;
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *translate(const struct word *w, size_t n, struct gpudx_sv code,
			     const char *other)
{
	for (size_t i = 0; i < n; i++)
		if (sv_is(code, w[i].code))
			return w[i].text;
	return other;
}

static const char *const severities[] = { "info", "warning", "error", "critical" };

enum rep_severity gpudx_word_severity(struct gpudx_sv text)
{
	for (int i = REP_CRITICAL; i > REP_INFO; i--)
		if (sv_is(text, severities[i]))
			return (enum rep_severity)i;
	return REP_INFO;
}

char gpudx_word_severity_letter(enum rep_severity s)
{
	return "IWEC"[s];
}

const char *gpudx_word_severity_name(enum rep_severity s)
{
	return severities[s];
}

const char *gpudx_word_kind(struct gpudx_sv kind)
{
	static const struct word words[] = { { "fault", "FAULT" },
					     { "explanation", "EXPLANATION" },
					     { "operation", "OPERATION" },
					     { "healthy", "HEALTHY" },
					     { "cannot_tell", "CANNOT TELL" } };

	return translate(words, COUNT(words), kind, "NOT JUDGED");
}

const char *gpudx_word_kind_note(struct gpudx_sv kind)
{
	static const struct word words[] = { { "explanation", "not a fault" },
					     { "operation", "someone did this" },
					     { "healthy", "as far as the bundle shows" } };

	return translate(words, COUNT(words), kind, "");
}

const char *gpudx_word_points(struct gpudx_sv points)
{
	static const struct word words[] = { { "driver", "driver and its software" },
					     { "hardware", "hardware" },
					     { "platform",
					       "platform: power, cooling, slot or board" },
					     { "application", "application" },
					     { "policy", "settings" } };

	return translate(words, COUNT(words), points, "");
}

const char *gpudx_word_action(struct gpudx_sv action)
{
	static const struct word words[] = {
		{ "none", "Nothing to repair." },
		{ "watch", "Keep an eye on it." },
		{ "restart_app", "Restart the application." },
		{ "restart_service", "Mend the service and restart it." },
		{ "reset_gpu", "Drain and reset the GPU." },
		{ "reboot_node", "Drain and reboot the node." },
		{ "power_cycle", "Drain and power-cycle the node." },
		{ "drain_rma_candidate",
		  "Drain the node; the card is a candidate for replacement." },
		{ "fix_host", "Mend the host, not the card." },
		{ "fix_config", "Correct the configuration." },
		{ "collect", "Collect what is missing." },
	};

	return translate(words, COUNT(words), action, "");
}

const char *gpudx_word_symptom(struct gpudx_sv symptom)
{
	static const struct word words[] = {
		{ "slow", "slowness" },
		{ "hang", "a hang" },
		{ "crash", "a crash" },
		{ "oom", "running out of memory" },
		{ "missing", "a missing GPU" },
		{ "transfer", "slow transfers" },
		{ "start", "that nothing starts" },
	};

	return translate(words, COUNT(words), symptom, "");
}

const char *gpudx_word_list(struct gpudx_sv list)
{
	static const struct word words[] = {
		{ "preflight", "Before and after" },
		{ "triage", "What changed, what limits, what is missing" },
		{ "evidence", "Evidence that a bundle should hold" },
		{ "serving", "Serving" },
	};

	return translate(words, COUNT(words), list, "");
}

const char *gpudx_word_status(struct gpudx_sv status)
{
	static const struct word words[] = { { "pass", "pass" },
					     { "warn", "warn" },
					     { "fail", "FAIL" } };

	return translate(words, COUNT(words), status, "?");
}

const char *gpudx_word_confidence(double c)
{
	if (c >= 0.8)
		return "high";
	return c >= 0.6 ? "medium" : "low";
}

const char *gpudx_word_episode(struct gpudx_sv kind)
{
	static const struct word words[] = {
		{ "power_limit", "at the power limit" },
		{ "thermal_sw", "held back by heat" },
		{ "thermal_hw", "hardware slowdown by heat" },
		{ "power_brake", "power brake" },
		{ "hw_slowdown", "hardware slowdown" },
		{ "busy_slow", "busy but slow" },
	};

	return translate(words, COUNT(words), kind, NULL);
}

/* ---- time ---- */

static bool civil(enum rep_quality q)
{
	return q >= REP_T_ASSUMED;
}

bool gpudx_word_time_known(int64_t t_us)
{
	return t_us > -REP_TIME_MOST && t_us < REP_TIME_MOST;
}

/* "2026-01-13 10:26:33", with a Z when it is UTC and mark_utc; "1234.567 s after boot";
 * "" when unknown. */
static const char *word_time(int64_t t_us, enum rep_quality q, bool mark_utc,
			     char buf[REP_TIME_TEXT])
{
	char text[GPUDX_TIME_TEXT];

	buf[0] = '\0';
	if (!gpudx_word_time_known(t_us))
		return buf;
	if (q == REP_T_BOOT)
		snprintf(buf, REP_TIME_TEXT, "%.3f s after boot", (double)t_us / GPUDX_SECOND);
	if (!civil(q))
		return buf;
	/* Seconds are enough for people; the line cited has the rest. */
	gpudx_time_text(t_us - ((t_us % GPUDX_SECOND) + GPUDX_SECOND) % GPUDX_SECOND, false, text);
	for (char *t = text; *t; t++)
		*t = *t == 'T' ? ' ' : *t;
	snprintf(buf, REP_TIME_TEXT, "%s%s", text, mark_utc && q >= REP_T_ALIGNED ? "Z" : "");
	return buf;
}

const char *gpudx_word_clock(int64_t t_us, enum rep_quality q, char buf[REP_TIME_TEXT])
{
	const char *blank;
	size_t n;

	word_time(t_us, q, false, buf);
	if (civil(q) && (blank = strchr(buf, ' ')) != NULL) {
		n = strlen(blank + 1);
		memmove(buf, blank + 1, n + 1);
	}
	return buf;
}

const char *gpudx_word_span(const struct rep_span *s, bool mark_utc, char buf[2 * REP_TIME_TEXT])
{
	char a[REP_TIME_TEXT], b[REP_TIME_TEXT];
	const char *from, *to;

	from = word_time(s->t0_us, s->quality, false, a);
	to = word_time(s->t1_us, s->quality, mark_utc, b);
	if (!*from || !*to || s->t0_us == s->t1_us) {
		word_time(*from ? s->t0_us : s->t1_us, s->quality, mark_utc, a);
		snprintf(buf, (size_t)2 * REP_TIME_TEXT, "%s", a);
		return buf;
	}
	if (civil(s->quality) && strncmp(a, b, 10) == 0)
		to += 11;
	snprintf(buf, (size_t)2 * REP_TIME_TEXT, "%s to %s", from, to);
	return buf;
}

const char *gpudx_word_iso(int64_t t_us, enum rep_quality q, char buf[REP_TIME_TEXT])
{
	_Static_assert((int)GPUDX_TIME_TEXT <= (int)REP_TIME_TEXT, "room for a time");
	buf[0] = '\0';
	if (!gpudx_word_time_known(t_us) || q == REP_T_UNKNOWN)
		return buf;
	if (q == REP_T_BOOT)
		snprintf(buf, REP_TIME_TEXT, "boot+%.6f", (double)t_us / GPUDX_SECOND);
	else
		gpudx_time_text(t_us, q >= REP_T_ALIGNED, buf);
	return buf;
}

const char *gpudx_word_date(int64_t t_us, char buf[REP_TIME_TEXT])
{
	static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	int64_t year;
	unsigned month, day;

	buf[0] = '\0';
	if (!gpudx_word_time_known(t_us))
		return buf;
	gpudx_civil(t_us / GPUDX_DAY - (t_us % GPUDX_DAY < 0), &year, &month, &day);
	snprintf(buf, REP_TIME_TEXT, "%u %s %lld", day, months[month - 1], (long long)year);
	return buf;
}

bool gpudx_word_mark_utc(const struct rep_model *m)
{
	return m->time_exact && m->zone_assumed;
}

/* ---- composed ---- */

void gpudx_word_times(struct gpudx_buf *b, const struct rep_model *m)
{
	bool utc = sv_is(m->zone, "UTC") || sv_is(m->zone, "+00:00") || sv_is(m->zone, "Z");

	if (gpudx_word_mark_utc(m))
		gpudx_buf_str(b, "UTC where they end in Z, else local, zone not in the bundle");
	else if (m->zone_assumed)
		gpudx_buf_str(b, "local, zone not in the bundle");
	else if (m->time_exact)
		gpudx_buf_str(b, "UTC");
	else
		gpudx_buf_str(b, m->time_boot ? "since boot only" : "no dated source");
	if (m->time_exact && m->zone.n && !utc) {
		gpudx_buf_str(b, " (zone of the machine: ");
		gpudx_word_path(b, m->zone, 24);
		gpudx_buf_char(b, ')');
	}
}

void gpudx_word_count(struct gpudx_buf *b, int64_t n)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%lld", (long long)n);

	for (int i = 0; i < len; i++) {
		gpudx_buf_char(b, digits[i]);
		if (digits[i] != '-' && (len - i - 1) % 3 == 0 && i + 1 < len)
			gpudx_buf_char(b, ',');
	}
}

void gpudx_word_plural(struct gpudx_buf *b, int64_t n, const char *one, const char *many)
{
	gpudx_word_count(b, n);
	gpudx_buf_printf(b, " %s", n == 1 ? one : many);
}

int gpudx_word_next_width(struct gpudx_sv *s)
{
	uint32_t u = gpudx_utf8_next(s);

	return gpudx_utf8_unprintable(u) ? 1 : gpudx_utf8_width(u);
}

int gpudx_word_width(struct gpudx_sv text)
{
	int columns = 0;

	while (text.n)
		columns += gpudx_word_next_width(&text);
	return columns;
}

/* The longest head of s that fits into columns. */
static struct gpudx_sv head_columns(struct gpudx_sv s, int columns)
{
	struct gpudx_sv rest = s;
	size_t keep = 0;

	while (rest.n) {
		columns -= gpudx_word_next_width(&rest);
		if (columns < 0)
			break;
		keep = s.n - rest.n;
	}
	return sv_first(s, keep);
}

void gpudx_word_head(struct gpudx_buf *b, struct gpudx_sv text, int columns)
{
	if (gpudx_word_width(text) <= columns) {
		gpudx_utf8_show(b, text);
		return;
	}
	gpudx_utf8_show(b, head_columns(text, columns - 1));
	gpudx_buf_str(b, "…");
}

void gpudx_word_path(struct gpudx_buf *b, struct gpudx_sv path, int columns)
{
	int width = gpudx_word_width(path), skip;
	struct gpudx_sv tail = path;

	if (width <= columns) {
		gpudx_utf8_show(b, path);
		return;
	}
	/* The end of a path says more than its beginning. */
	gpudx_utf8_show(b, head_columns(path, columns / 3));
	gpudx_buf_str(b, "…");
	for (skip = width - (columns - columns / 3 - 1); skip > 0 && tail.n;)
		skip -= gpudx_word_next_width(&tail);
	gpudx_utf8_show(b, tail);
}

void gpudx_word_lines(struct gpudx_buf *b, const struct rep_place *p, unsigned ranges)
{
	unsigned written = 0;

	for (size_t i = 0, next; i < p->n; i = next) {
		uint32_t from = p->lines[i].number, to = from;

		next = i + 1;
		if (!p->lines[i].cited)
			continue;
		while (next < p->n && p->lines[next].cited && p->lines[next].number == to + 1)
			to = p->lines[next++].number;
		if (written == ranges) {
			gpudx_buf_str(b, ",…");
			return;
		}
		gpudx_buf_printf(b, to == from ? "%s%u" : "%s%u-%u", written++ ? "," : "", from,
				 to);
	}
}

static struct gpudx_sv short_name(struct gpudx_sv name)
{
	sv_lit(&name, "NVIDIA ");
	return name;
}

void gpudx_word_gpus(struct gpudx_buf *b, const struct rep_model *m)
{
	struct gpudx_sv name = m->ngpus ? m->gpus[0].name : sv_n(NULL, 0);
	bool same = name.n > 0;

	if (!m->ngpus) {
		gpudx_buf_str(b, "no GPU identified");
		return;
	}
	gpudx_word_plural(b, (int64_t)m->ngpus, "GPU", "GPUs");
	for (size_t i = 1; i < m->ngpus; i++)
		same = same && sv_eq(m->gpus[i].name, name);
	if (same) {
		gpudx_buf_str(b, ": ");
		gpudx_word_path(b, short_name(name), 40);
	}
	if (m->ngpus == 1 && m->gpus[0].bdf.n) {
		struct gpudx_sv bdf = m->gpus[0].bdf;

		sv_lit(&bdf, "0000:");
		gpudx_buf_str(b, " at ");
		gpudx_word_path(b, bdf, 20);
	}
}

void gpudx_word_term(struct gpudx_buf *b, const struct rep_model *m, const char *key,
		     const char *lead)
{
	struct gpudx_sv seen[4];
	size_t n = 0;

	for (size_t i = 0; i < m->nterms; i++) {
		if (!sv_is(m->terms[i].key, key))
			continue;
		for (size_t v = 0; v < m->terms[i].nvalues && n < COUNT(seen); v++) {
			struct gpudx_sv text = m->terms[i].values[v].text;
			size_t k = 0;

			while (k < n && !sv_eq(seen[k], text))
				k++;
			if (k < n || !text.n)
				continue;
			gpudx_buf_str(b, n ? " / " : lead);
			gpudx_word_path(b, text, 30);
			seen[n++] = text;
		}
	}
}

void gpudx_word_read(struct gpudx_buf *b, const struct rep_model *m)
{
	gpudx_word_path(b, m->label, 40);
	gpudx_buf_str(b, ": ");
	gpudx_word_plural(b, m->counts.members - m->counts.unread, "file read", "files read");
	gpudx_buf_printf(b, ", %lld unread · ", (long long)m->counts.unread);
	if (m->nhosts == 1 && m->hosts[0].name.n) {
		gpudx_word_path(b, m->hosts[0].name, 24);
		gpudx_buf_str(b, " · ");
	} else if (m->nhosts > 1) {
		gpudx_word_plural(b, (int64_t)m->nhosts, "host", "hosts");
		gpudx_buf_str(b, " · ");
	}
	gpudx_word_gpus(b, m);
	gpudx_word_term(b, m, "driver.version", " · driver ");
}

static void put_host(struct gpudx_buf *b, const struct rep_model *m, const struct rep_host *h)
{
	if (m->nhosts < 2 || !h)
		return;
	gpudx_word_path(b, sv_str(h->label), 24);
	gpudx_buf_char(b, ' ');
}

void gpudx_word_gpu(struct gpudx_buf *b, const struct rep_model *m, const struct rep_gpu *g)
{
	put_host(b, m, g->host);
	gpudx_word_path(b, g->label, 40);
}

void gpudx_word_summary(struct gpudx_buf *b, const struct rep_model *m, const struct rep_finding *f)
{
	put_host(b, m, f->host);
	gpudx_word_path(b, f->summary, 600);
}

void gpudx_word_measured(struct gpudx_buf *b, const struct rep_model *m, const char *lead)
{
	struct rep_span all = { GPUDX_NO_TIME, GPUDX_NO_TIME, REP_T_UNKNOWN };
	char when[2 * REP_TIME_TEXT];

	if (!m->counts.samples)
		return;
	for (size_t i = 0; i < m->nrefs; i++) {
		const struct rep_span *s = &m->refs[i].span;

		if (!m->refs[i].stamped || !civil(s->quality) || !gpudx_word_time_known(s->t0_us))
			continue;
		if (all.t0_us == GPUDX_NO_TIME)
			all = *s;
		all.t0_us = s->t0_us < all.t0_us ? s->t0_us : all.t0_us;
		all.t1_us = s->t1_us > all.t1_us ? s->t1_us : all.t1_us;
	}
	gpudx_buf_str(b, lead);
	gpudx_word_plural(b, m->counts.samples, "sample", "samples");
	if (*gpudx_word_span(&all, false, when))
		gpudx_buf_printf(b, " from %s", when);
}

void gpudx_word_value(struct gpudx_buf *b, const struct rep_value *v)
{
	if (!v->text.n) {
		gpudx_buf_str(b, "unknown");
		return;
	}
	gpudx_word_path(b, v->text, 60);
	if (v->unit.n) {
		gpudx_buf_char(b, ' ');
		gpudx_word_path(b, v->unit, 12);
	}
}

struct gpudx_sv gpudx_word_sentence(struct gpudx_sv text)
{
	for (size_t i = 0; i + 2 < text.n; i++)
		if ((text.p[i] == '.' || text.p[i] == '?') && text.p[i + 1] == ' ' &&
		    (unsigned char)(text.p[i + 2] - 'A') < 26)
			return sv_first(text, i + 1);
	return text;
}

void gpudx_word_damage(struct gpudx_buf *b, const struct rep_model *m)
{
	gpudx_word_path(b, m->damaged, 40);
	gpudx_buf_str(b, ": ");
	gpudx_utf8_show(b, sv_first(m->damage, 80));
	if (m->counts.damaged > 1)
		gpudx_buf_printf(b, " (and %lld more)", (long long)m->counts.damaged - 1);
	gpudx_buf_str(b, "; what stood behind is missing here");
}
