#include "ingest/carry.h"

#include "base/buf.h"

#include <stdio.h>

enum { HEAD_LINES = 4, HOST_MAX = 63, PATH_MAX_BYTES = 255 };

/* ---- hosts ---- */

static bool is_name_char(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c) || c == '-' || c == '.' || c == '_';
}

/* Numbered things of one machine that stand in front of a colon, too. "gpu0" is a GPU, "gpu01" a
 * machine. */
static bool is_no_host(struct gpudx_sv token)
{
	static const char *const words[] = { "cuda", "eth",  "nvme", "mlx",  "cpu",  "nvidia",
					     "rank", "link", "card", "sd",   "dm-",  "loop",
					     "ib",   "line", "gpu",  "step", "epoch" };
	size_t max = sizeof(words) / sizeof(words[0]);

	for (size_t i = 0; i < max; i++) {
		struct gpudx_sv rest = token;
		size_t digits;
		uint64_t n;

		if (!sv_ilit(&rest, words[i]))
			continue;
		digits = rest.n;
		if (sv_u64(&rest, &n) && !rest.n && (digits < 2 || words[i][0] != 'g'))
			return true;
	}
	return false;
}

static bool by_host(struct gpudx_sv *s, struct gpudx_carried *out)
{
	bool digit = false;
	size_t i = 0;

	for (; i < s->n && is_name_char(s->p[i]); i++)
		digit |= sv_is_digit(s->p[i]);
	if (!digit || i > HOST_MAX || i == s->n || s->p[i] != ':' ||
	    (i + 1 < s->n && s->p[i + 1] != ' ') || is_no_host(sv_first(*s, i)))
		return false;
	out->host = sv_first(*s, i);
	*s = sv_from(*s, i + 1 < s->n ? i + 2 : i + 1);
	return true;
}

/* What the tool says itself: "pdsh@login1: node03: ssh exited with exit code 255". */
static bool is_of_tool(struct gpudx_sv line)
{
	return sv_starts(line, "pdsh@") || sv_starts(line, "clush: ");
}

static bool by_pod(struct gpudx_sv *s, struct gpudx_carried *out)
{
	struct gpudx_sv c = *s, pod, container;

	if (!sv_lit(&c, "[pod/") || !sv_until(&c, "/", &pod) || !sv_until(&c, "]", &container) ||
	    !pod.n || pod.n > HOST_MAX || sv_has(pod, " "))
		return false;
	sv_char(&c, ' ');
	out->host = pod;
	*s = c;
	return true;
}

/* ---- times ---- */

static bool by_cri(struct gpudx_sv *s, struct gpudx_carried *out)
{
	struct gpudx_stamp t = GPUDX_NO_STAMP;
	struct gpudx_sv c = *s;

	if (!gpudx_scan_iso(&c, &t) || !(sv_lit(&c, " stdout ") || sv_lit(&c, " stderr ")) ||
	    !(sv_lit(&c, "F") || sv_lit(&c, "P")))
		return false;
	sv_char(&c, ' ');
	out->stamp = t;
	*s = c;
	return true;
}

/* "Jan 12 00:38:20". The year is counted by whoever knows more lines than this one. */
static bool scan_noyear(struct gpudx_sv *s, struct gpudx_stamp *t)
{
	struct gpudx_sv c = *s;
	unsigned month, day;
	int64_t day_us;

	if (!gpudx_scan_month_day(&c, &month, &day, &day_us))
		return false;
	t->kind = GPUDX_STAMP_NOYEAR;
	t->t_us = gpudx_noyear(0, month, day, day_us);
	*s = c;
	return true;
}

/* "1718100001" or "1718100001.123456", as "ts %s" and "ts %.s" write it. */
static bool scan_epoch(struct gpudx_sv *s, struct gpudx_stamp *t)
{
	struct gpudx_sv c = *s;
	uint32_t us = 0;
	uint64_t seconds;

	if (!sv_u64(&c, &seconds) || s->n - c.n != 10)
		return false;
	gpudx_scan_fraction(&c, &us);
	t->kind = GPUDX_STAMP_UTC;
	t->t_us = (int64_t)seconds * GPUDX_SECOND + us;
	*s = c;
	return true;
}

static bool scan_date_and_time(struct gpudx_sv *s, struct gpudx_stamp *t)
{
	int32_t minutes;

	if (gpudx_scan_iso(s, t))
		return true;
	*t = GPUDX_NO_STAMP;
	if (!gpudx_scan_ymd_hms(s, &t->t_us))
		return scan_noyear(s, t) || scan_epoch(s, t);
	t->kind = GPUDX_STAMP_LOCAL;
	if (gpudx_scan_offset(s, &minutes)) {
		t->kind = GPUDX_STAMP_UTC;
		t->t_us -= minutes * GPUDX_MINUTE;
		t->has_offset = true;
		t->offset_min = minutes;
	}
	return true;
}

static bool by_stamp(struct gpudx_sv *s, struct gpudx_carried *out)
{
	struct gpudx_stamp t = GPUDX_NO_STAMP;
	struct gpudx_sv c = *s;
	bool bracket = sv_char(&c, '[');

	if (!scan_date_and_time(&c, &t) || (bracket && !sv_char(&c, ']')))
		return false;
	sv_char(&c, ':');
	if (c.n && !sv_char(&c, ' ') && !sv_char(&c, '\t'))
		return false;
	out->stamp = t;
	*s = c;
	return true;
}

/* ---- files ---- */

static struct gpudx_sv base_name(struct gpudx_sv path)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.p[i - 1] == '/')
			return sv_from(path, i);
	return path;
}

/* What people search with grep; not the files of one value each below /proc and /sys. */
static bool is_searched(struct gpudx_sv path)
{
	static const char *const words[] = { "log", "messages", "dmesg", "journal" };
	static const char *const ends[] = { ".txt", ".csv", ".out", ".err" };

	if (sv_starts(path, "/proc/") || sv_starts(path, "/sys/"))
		return false;
	path = base_name(path);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_has(path, words[i]))
			return true;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (sv_ends(path, ends[i]))
			return true;
	return false;
}

/* "17:" behind the name of a file (grep -n), where no time of day begins. */
static void skip_number(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s;
	uint64_t n;

	if (sv_u64(&c, &n) && sv_char(&c, ':') && !(c.n && sv_is_digit(c.p[0]) && s->n - c.n == 3))
		*s = c;
}

static bool by_grep(struct gpudx_sv *s, struct gpudx_carried *out)
{
	struct gpudx_sv path = sv_first(*s, sv_index(*s, ':'));

	if (path.n == s->n || !path.n || path.n > PATH_MAX_BYTES || sv_has(path, " ") ||
	    sv_has(path, "[") || !is_searched(path))
		return false;
	*s = sv_from(*s, path.n + 1);
	skip_number(s);
	while (sv_lit(&path, "./") || sv_char(&path, '/'))
		continue;
	out->path = path;
	return true;
}

/* ---- records ---- */

void gpudx_carry_record(struct gpudx_buf *b, int64_t t_us, struct gpudx_sv host)
{
	char time[32] = "";

	if (t_us != GPUDX_NO_TIME && t_us > 0)
		snprintf(time, sizeof(time), "%lld", (long long)t_us);
	gpudx_buf_char(b, '\a');
	gpudx_buf_str(b, time);
	gpudx_buf_char(b, '\a');
	for (size_t i = 0; i < host.n && i < HOST_MAX; i++)
		if (is_name_char(host.p[i]))
			gpudx_buf_char(b, host.p[i]);
	gpudx_buf_char(b, '\a');
}

static bool by_record(struct gpudx_sv *s, struct gpudx_carried *out)
{
	struct gpudx_sv c = *s, time, host;
	uint64_t us;

	if (!sv_char(&c, '\a') || !sv_until(&c, "\a", &time) || !sv_until(&c, "\a", &host))
		return false;
	if (sv_u64(&time, &us) && us < INT64_MAX) {
		out->stamp.kind = GPUDX_STAMP_UTC;
		out->stamp.t_us = (int64_t)us;
	}
	if (host.n)
		out->host = host;
	*s = c;
	return true;
}

/* ---- all of them ---- */

static bool peel(enum gpudx_carrier_kind kind, struct gpudx_sv *s, struct gpudx_carried *out)
{
	switch (kind) {
	case GPUDX_BY_RECORD:
		return by_record(s, out);
	case GPUDX_BY_HOST:
		return by_host(s, out);
	case GPUDX_BY_POD:
		return by_pod(s, out);
	case GPUDX_BY_CRI:
		return by_cri(s, out);
	case GPUDX_BY_GREP:
		return by_grep(s, out);
	case GPUDX_BY_STAMP:
		return by_stamp(s, out);
	}
	return false;
}

struct gpudx_sv gpudx_carriers_peel(const struct gpudx_carriers *c, struct gpudx_sv line,
				    struct gpudx_carried *out)
{
	*out = (struct gpudx_carried){ .stamp = GPUDX_NO_STAMP };
	for (unsigned i = 0; i < c->n && peel(c->kind[i], &line, out); i++)
		continue;
	return line;
}

/* What looks as if a host stood in front: two lines of two hosts, lines of the kernel, or more lines
 * than would look so by accident. */
static bool are_hosts(size_t lines, bool differ, bool kernel)
{
	return lines >= HEAD_LINES || (lines && (differ || kernel));
}

static bool is_kernel_text(struct gpudx_sv s)
{
	int64_t us;

	return sv_char(&s, '[') && gpudx_scan_mono(&s, &us) && sv_char(&s, ']');
}

/* All lines, behind what is known to stand in front of them, begin so. */
static bool all_begin(const struct gpudx_carriers *c, enum gpudx_carrier_kind kind,
		      const struct gpudx_line *v, size_t n)
{
	struct gpudx_sv first = { NULL, 0 };
	bool differ = false, kernel = true;
	struct gpudx_carried said;
	size_t lines = 0;

	for (size_t i = 0; i < n && i < GPUDX_CARRIER_HEAD; i++) {
		struct gpudx_sv s = gpudx_carriers_peel(c, v[i].text, &said);

		if (sv_blank(s) || (kind == GPUDX_BY_HOST && is_of_tool(s)))
			continue;
		if (!peel(kind, &s, &said))
			return false;
		first = first.p ? first : said.host;
		differ |= first.p && !sv_eq(first, said.host);
		kernel &= is_kernel_text(s);
		lines++;
	}
	return kind == GPUDX_BY_HOST ? are_hosts(lines, differ, kernel) : lines > 0;
}

static bool add(struct gpudx_carriers *c, enum gpudx_carrier_kind kind, const struct gpudx_line *v,
		size_t n)
{
	if (c->n == GPUDX_CARRIERS || !all_begin(c, kind, v, n))
		return false;
	c->kind[c->n++] = kind;
	return true;
}

void gpudx_carriers_look(struct gpudx_carriers *c, const struct gpudx_line *v, size_t n)
{
	static const enum gpudx_carrier_kind kinds[] = { GPUDX_BY_POD, GPUDX_BY_HOST, GPUDX_BY_GREP,
							 GPUDX_BY_CRI };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]);)
		i = add(c, kinds[i], v, n) ? 0 : i + 1;
}

bool gpudx_carriers_stamp(struct gpudx_carriers *c, const struct gpudx_line *v, size_t n)
{
	return add(c, GPUDX_BY_STAMP, v, n);
}
