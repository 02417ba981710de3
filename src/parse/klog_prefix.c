#include "parse/klog_prefix.h"

#include "base/zone_name.h"
#include "parse/klog_carrier.h"

enum { PROBES = 256, TAG_MAX = 96 };

/* A machine that has been up for longer than a hundred years is none. */
#define UPTIME_MAX (36525 * GPUDX_DAY)

const char *klog_form_name(enum klog_form form)
{
	static const char *const names[] = {
		[KLOG_MONO] = "dmesg",
		[KLOG_MONO_HOST] = "journal short-monotonic",
		[KLOG_DELTA] = "dmesg -H",
		[KLOG_CTIME] = "dmesg -T",
		[KLOG_DMESG_ISO] = "dmesg iso",
		[KLOG_KMSG] = "kmsg",
		[KLOG_SHORT] = "syslog",
		[KLOG_ISO] = "syslog iso",
		[KLOG_FULL] = "journal full",
		[KLOG_UNIX] = "journal short-unix",
		[KLOG_SYSLOG] = "syslog RFC5424",
		[KLOG_BARE] = "no stamps",
	};

	return names[form];
}

bool klog_has_tags(enum klog_form form)
{
	return form == KLOG_SHORT || form == KLOG_ISO || form == KLOG_FULL || form == KLOG_UNIX ||
	       form == KLOG_SYSLOG || form == KLOG_MONO_HOST;
}

static void clear(struct klog_line *out)
{
	*out = (struct klog_line){ .stamp = GPUDX_NO_STAMP };
}

bool klog_is_gpu_message(struct gpudx_sv s)
{
	static const char *const starts[] = {
		"NVRM: ",	 "nvidia-nvswitch",  "nvidia-nvlink: ",
		"nvidia-uvm: ",	 "nvidia-modeset: ", "nvidia 0",
		"nvidia-drm: ",	 "pcieport 0",	     "[drm:",
		"[drm] [nvidia", "Xid (PCI:"
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (sv_starts(s, starts[i]))
			return true;
	return false;
}

static bool is_one_of(struct gpudx_sv word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_is(word, words[i]))
			return true;
	return false;
}

/* ---- behind the stamp: host and program ---- */

/* "kernel: ", "systemd[1]: ", "/usr/libexec/gdm-x-session[34144]: ". */
static bool scan_tag(struct gpudx_sv *s, struct gpudx_sv *tag)
{
	struct gpudx_sv c = *s;
	size_t i = 0, max = c.n < TAG_MAX ? c.n : TAG_MAX, open = 0;

	for (; i < max && c.p[i] != ':' && c.p[i] != ' '; i++)
		if (c.p[i] == '[')
			open = i;
	if (!i || i == max || c.p[i] != ':' ||
	    (i + 1 < c.n && c.p[i + 1] != ' ' && c.p[i + 1] != '['))
		return false;
	*tag = sv_first(c, open && c.p[i - 1] == ']' ? open : i);
	c = sv_from(c, i + 1);
	sv_char(&c, ' ');
	*s = c;
	return true;
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* "(none)" and "::1" are names and addresses; "[12.345678]", "#" and "|" are other things. */
static bool is_name_start(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c) || c == '(' || c == ':' || c == '_';
}

/* Words behind the stamp of other programs' logs, where a host would stand. */
static bool is_no_host(struct gpudx_sv word)
{
	static const char *const words[] = { "DEBUG",	 "INFO",  "WARN",  "WARNING",  "ERROR",
					     "CRITICAL", "FATAL", "TRACE", "SUBDEBUG", "DDEBUG",
					     "NOTICE",	 "F",	  "P",	   "stdout",   "stderr" };

	if (!is_name_start(word.p[0]))
		return true;
	if (!is_upper(word.p[0]) && word.p[0] != 's')
		return false;
	return is_one_of(word, words, sizeof(words) / sizeof(words[0]));
}

/* What yum and dnf write where a program would stand. */
static bool is_no_tag(struct gpudx_sv tag)
{
	static const char *const words[] = { "Installed", "Updated",	"Erased",     "Upgraded",
					     "Obsoleted", "Downgraded", "Reinstalled" };

	return is_upper(tag.p[0]) && is_one_of(tag, words, sizeof(words) / sizeof(words[0]));
}

/* " T1946]" and "C12]" behind a bracket: thread or CPU that printed the line. */
static void skip_caller(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s;
	uint64_t id;

	sv_char(&c, ' ');
	if (!sv_char(&c, '['))
		return;
	sv_spaces(&c);
	if ((sv_char(&c, 'T') || sv_char(&c, 'C')) && sv_u64(&c, &id) && sv_char(&c, ']'))
		*s = c;
}

/* The second stamp of a kernel line, "[  882.456994] " or "[  882.456994][    T1] ". */
static void scan_second_stamp(struct gpudx_sv *s, int64_t *mono_us)
{
	struct gpudx_sv c = *s;
	int64_t us;

	if (!sv_char(&c, '[') || !gpudx_scan_mono(&c, &us) || us > UPTIME_MAX || !sv_char(&c, ']'))
		return;
	skip_caller(&c);
	sv_char(&c, ' ');
	*mono_us = us;
	*s = c;
}

/* "node01 kernel: ", as the line before had it. */
static bool same_names(const struct klog_prefix *p, struct gpudx_sv *s, struct klog_line *out)
{
	size_t n = p->host_n;

	if (!n || s->n <= n + 8 || memcmp(s->p, p->host, n) != 0 ||
	    memcmp(s->p + n, " kernel: ", 9) != 0)
		return false;
	out->host = sv_first(*s, n);
	out->tag = sv_n(s->p + n + 1, 6);
	*s = sv_from(*s, n + 9);
	return true;
}

static void keep_host(struct klog_prefix *p, struct gpudx_sv host)
{
	if (host.n > sizeof(p->host) || sv_eq(host, sv_n(p->host, p->host_n)))
		return;
	memcpy(p->host, host.p, host.n);
	p->host_n = host.n;
}

/* "kern.err kernel: ", as some relays write between host and message. */
static void skip_facility(struct gpudx_sv *s, struct gpudx_sv *tag)
{
	struct gpudx_sv c = *s, word;

	if (sv_starts(c, "kern") && sv_token(&c, &word) && sv_lit(&c, " kernel: ")) {
		*tag = SV_LIT("kernel");
		*s = c;
	}
}

static bool scan_names(struct gpudx_sv *s, struct klog_line *out)
{
	if (!scan_tag(s, &out->tag)) {
		if (!sv_token(s, &out->host) || is_no_host(out->host))
			return false;
		sv_spaces(s);
		if (!scan_tag(s, &out->tag))
			skip_facility(s, &out->tag);
	}
	return !out->tag.p || !is_no_tag(out->tag);
}

/* "node01 kernel: [  882.456994] msg"; the host may be left out, the second stamp usually is. A
 * line may also lack the program: "node01 -- MARK --". */
static bool scan_host_tag(struct klog_prefix *p, struct gpudx_sv c, struct klog_line *out)
{
	sv_spaces(&c);
	if (p->host_n && c.n && c.p[0] == '[') {
		/* A relay that leaves out host and program. */
		scan_second_stamp(&c, &out->stamp.mono_us);
		if (out->stamp.mono_us == GPUDX_NO_TIME)
			return false;
		out->tag = SV_LIT("kernel");
	} else if (!same_names(p, &c, out)) {
		if (!scan_names(&c, out))
			return false;
		if (out->host.p)
			keep_host(p, out->host);
	}
	if (c.n && c.p[0] == '[' && sv_is(out->tag, "kernel"))
		scan_second_stamp(&c, &out->stamp.mono_us);
	out->message = c;
	return true;
}

/* ---- stamps of the wall clock ---- */

/* Index of the "hh:" of a time of day, s.n when there is none in the first 40 bytes. */
static size_t clock_start(struct gpudx_sv s)
{
	size_t i = sv_index(sv_first(s, 40), ':');

	if (i == sv_first(s, 40).n)
		return s.n;
	while (i > 0 && sv_is_digit(s.p[i - 1]))
		i--;
	return i;
}

/* A new date of a log without years. Months that fall by half a year and more turn the year; other
 * falls are lines out of order. */
static void new_date(struct klog_prefix *p, unsigned month, unsigned day)
{
	if (p->month >= month + 6 && p->turn < 1000)
		p->turn++;
	else if (p->turn && p->month == 1 && p->day == 1 && month == 12 && day == 31)
		p->turn--;
	p->month = month;
	p->day = day;
}

static void keep_date(struct klog_prefix *p, struct gpudx_sv date, struct gpudx_sv year)
{
	bool fits = date.n <= sizeof(p->date) && year.n <= sizeof(p->year);

	p->date_n = fits ? date.n : 0;
	p->year_n = fits ? year.n : 0;
	if (fits && date.n)
		memcpy(p->date, date.p, date.n);
	if (fits && year.n)
		memcpy(p->year, year.p, year.n);
}

/* True when the line begins with the date of the line before; s is then behind it. */
static bool same_date(const struct klog_prefix *p, struct gpudx_sv *s)
{
	if (!p->date_n || s->n < p->date_n + 8 || memcmp(s->p, p->date, p->date_n) != 0)
		return false;
	*s = sv_from(*s, p->date_n);
	return true;
}

static bool is_wall_clock_shape(struct gpudx_sv s)
{
	static const char shape[] = "dd:dd:dd";

	if (s.n < 8)
		return false;
	for (int i = 0; i < 8; i++)
		if (shape[i] == 'd' ? !sv_is_digit(s.p[i]) : s.p[i] != shape[i])
			return false;
	return true;
}

/* "May  7 ", "15 avril ", "9月 13日 " in front of the time of day at line[at]. */
static enum klog_peeled short_date(struct klog_prefix *p, struct gpudx_sv line, size_t at)
{
	struct gpudx_sv c = line, name = line;
	unsigned month, day;
	int64_t day_us;

	if (!gpudx_scan_month_day(&c, &month, &day, &day_us))
		return gpudx_scan_month(&name, &month) ? KLOG_IMPOSSIBLE : KLOG_NOT;
	new_date(p, month, day);
	p->form = KLOG_SHORT;
	p->kind = GPUDX_STAMP_NOYEAR;
	p->midnight_us = gpudx_noyear(p->turn, month, day, 0);
	keep_date(p, sv_first(line, at), SV_LIT(""));
	return KLOG_PEELED;
}

/* "2024-05-07T" and "Tue 2024-05-07 ". */
static enum klog_peeled long_date(struct klog_prefix *p, struct gpudx_sv line, size_t at)
{
	struct gpudx_sv c, clock = sv_from(line, at);
	struct gpudx_stamp t;
	int64_t local, day_us;
	bool iso = at == 11;
	unsigned weekday;

	if (at < 11 || line.p[at - 4] != '-' || line.p[at - 7] != '-' ||
	    line.p[at - 1] != (iso ? 'T' : ' '))
		return KLOG_NOT;
	c = line;
	if (!iso && !(gpudx_scan_weekday(&c, &weekday) && sv_char(&c, ' ')))
		return KLOG_NOT;
	if (!(iso ? gpudx_scan_iso(&c, &t) : gpudx_scan_ymd_hms(&c, &local)) ||
	    !gpudx_scan_clock(&clock, &day_us))
		return KLOG_IMPOSSIBLE;
	if (iso)
		local = t.t_us + t.offset_min * GPUDX_MINUTE;
	p->form = iso ? KLOG_ISO : KLOG_FULL;
	p->kind = GPUDX_STAMP_LOCAL;
	p->midnight_us = local - day_us;
	keep_date(p, sv_first(line, at), SV_LIT(""));
	return KLOG_PEELED;
}

/* "[Sun Feb 23 16:24:18 2025]", "[Sun Feb 23 16:24:18 2025 <    0.000012>]", also with the names in another language. */
static enum klog_peeled ctime_date(struct klog_prefix *p, struct gpudx_sv line, size_t at)
{
	struct gpudx_sv c = sv_from(line, 1), weekday = c, clock = sv_from(line, at);
	struct gpudx_sv year = sv_from(line, at + 8), rest = year;
	struct gpudx_stamp t;
	int64_t day_us;
	unsigned unused;
	uint32_t number;

	if (!gpudx_scan_weekday(&weekday, &unused) || !sv_char(&rest, ' ') ||
	    !sv_digits(&rest, 4, &number) || !(sv_char(&rest, ']') || sv_char(&rest, ' ')))
		return KLOG_NOT;
	if (!gpudx_scan_clock(&clock, &day_us) || !gpudx_scan_ctime(&c, &t))
		return KLOG_IMPOSSIBLE;
	p->form = KLOG_CTIME;
	p->kind = t.kind;
	p->midnight_us = t.t_us - day_us;
	keep_date(p, sv_first(line, at), sv_first(year, year.n - rest.n));
	return KLOG_PEELED;
}

static enum klog_peeled learn_date(struct klog_prefix *p, struct gpudx_sv line)
{
	size_t at = clock_start(line);
	enum klog_peeled how;

	if (!is_wall_clock_shape(sv_from(line, at)))
		return KLOG_NOT;
	if (line.p[0] == '[')
		return ctime_date(p, line, at);
	how = long_date(p, line, at);
	return how == KLOG_NOT ? short_date(p, line, at) : how;
}

/* "+02:00", "Z", "UTC", and with names "CEST" behind the time of day. */
static void scan_zone(struct gpudx_sv *s, struct gpudx_stamp *t, bool names)
{
	struct gpudx_sv c = *s, name;
	int32_t minutes;

	if (!gpudx_scan_offset(&c, &minutes) &&
	    !(names && sv_token(&c, &name) && gpudx_zone_name_minutes(name, &minutes)))
		return;
	t->kind = GPUDX_STAMP_UTC;
	t->t_us -= minutes * GPUDX_MINUTE;
	t->has_offset = true;
	t->offset_min = minutes;
	*s = c;
}

/* "In(182) vmkernel: cpu12:2098765)msg", "esx01 vmkernel: cpu12:2098765)msg": ESXi's kernel. */
static bool behind_vmkernel(struct klog_line *out)
{
	if (!klog_skip_world(&out->message) && out->host.p && sv_has(out->host, "("))
		return false;
	if (out->host.p && sv_has(out->host, "("))
		out->host = sv_n(NULL, 0);
	out->tag = SV_LIT("kernel");
	return true;
}

/* "+00:00 msg" (dmesg, behind a comma) or "+02:00 node01 kernel: msg". */
static bool behind_iso(struct klog_prefix *p, struct gpudx_sv c, bool comma, struct klog_line *out)
{
	scan_zone(&c, &out->stamp, false);
	if (!c.n || c.p[0] != ' ')
		return false;
	if (!comma && c.n > 4 && c.p[1] == 'c' && sv_starts(c, " cpu")) {
		out->message = sv_from(c, 1);
		if (klog_skip_world(&out->message)) {
			out->tag = SV_LIT("kernel");
			return true;
		}
	}
	if (!comma)
		return scan_host_tag(p, c, out) &&
		       (!sv_is(out->tag, "vmkernel") || behind_vmkernel(out));
	out->form = KLOG_DMESG_ISO;
	out->message = sv_from(c, 1);
	return out->stamp.has_offset;
}

/* " UTC node01 kernel: msg". */
static bool behind_full(struct klog_prefix *p, struct gpudx_sv c, struct klog_line *out)
{
	struct gpudx_sv zone;

	if (!sv_char(&c, ' '))
		return false;
	scan_zone(&c, &out->stamp, true);
	if (!out->stamp.has_offset && !sv_token(&c, &zone))
		return false;
	return c.n && c.p[0] == ' ' && scan_host_tag(p, c, out);
}

static bool behind_ctime(const struct klog_prefix *p, struct gpudx_sv c, struct klog_line *out)
{
	struct gpudx_sv delta;

	if (c.n < p->year_n || memcmp(c.p, p->year, p->year_n) != 0)
		return false;
	c = sv_from(c, p->year_n);
	if (p->year[p->year_n - 1] == ' ' && !(sv_char(&c, '<') && sv_until(&c, ">]", &delta)))
		return false;
	skip_caller(&c);
	sv_char(&c, ' ');
	out->message = c;
	return true;
}

/* Behind the date, at the time of day. */
static bool behind_date(struct klog_prefix *p, struct gpudx_sv c, struct klog_line *out)
{
	bool comma = c.n > 8 && c.p[8] == ',';
	int64_t day_us;

	if (!gpudx_scan_clock(&c, &day_us))
		return false;
	out->form = p->form;
	out->stamp.kind = p->kind;
	out->stamp.t_us = p->midnight_us + day_us;
	if (p->form == KLOG_SHORT)
		return c.n && c.p[0] == ' ' && scan_host_tag(p, c, out);
	if (p->form == KLOG_ISO)
		return behind_iso(p, c, comma, out);
	return p->form == KLOG_FULL ? behind_full(p, c, out) : behind_ctime(p, c, out);
}

static enum klog_peeled peel_dated(struct klog_prefix *p, struct gpudx_sv line,
				   struct klog_line *out)
{
	struct klog_prefix before = *p;
	struct gpudx_sv c = line;
	enum klog_peeled how;

	if (same_date(p, &c) && behind_date(p, c, out))
		return KLOG_PEELED;
	clear(out);
	how = learn_date(p, line);
	c = line;
	if (how == KLOG_PEELED && (!same_date(p, &c) || !behind_date(p, c, out)))
		how = KLOG_NOT;
	if (how != KLOG_PEELED) {
		*p = before;
		clear(out);
		out->message = line;
	}
	return how;
}

/* ---- stamps since boot ---- */

/* The journal writes the host, or at least the program, between stamp and message. The host is
 * learned from a line of the kernel: "usb 1-2: ..." would look the same. */
static void journal_names(struct klog_prefix *p, struct klog_line *out)
{
	struct gpudx_sv c = out->message, host;
	bool named = p->host_n && c.n > p->host_n && c.p[p->host_n] == ' ' &&
		     memcmp(c.p, p->host, p->host_n) == 0;

	if (c.n && c.p[0] == 'k' && sv_lit(&c, "kernel: ")) {
		out->form = KLOG_MONO_HOST;
		out->tag = SV_LIT("kernel");
		out->message = c;
		return;
	}
	if (!p->host_n && p->probed < PROBES) {
		p->probed++;
		if (sv_token(&c, &host) && host.n <= sizeof(p->host) && sv_lit(&c, " kernel: ") &&
		    !sv_has(host, ":")) {
			keep_host(p, host);
			named = true;
		}
	}
	if (named && scan_host_tag(p, out->message, out))
		out->form = KLOG_MONO_HOST;
}

/* "123.45]", "123]": seconds that a tool cut or rounded. Numbers in brackets stand in front of many
 * texts: a line that can only be of the kernel must come first. */
static bool scan_rounded(struct klog_prefix *p, struct gpudx_sv *s, int64_t *us)
{
	struct gpudx_sv c = *s, message;
	uint64_t seconds;
	uint32_t fraction;

	sv_spaces(&c);
	if (!sv_u64(&c, &seconds) || seconds > (uint64_t)(UPTIME_MAX / GPUDX_SECOND))
		return false;
	*us = (int64_t)seconds * GPUDX_SECOND;
	if (gpudx_scan_fraction(&c, &fraction))
		*us += fraction;
	message = c;
	if (!sv_lit(&message, "] ") ||
	    !(p->rounded || klog_is_gpu_message(message) || sv_starts(message, "Linux version ")))
		return false;
	p->rounded = true;
	*s = c;
	return true;
}

static bool peel_mono(struct klog_prefix *p, struct gpudx_sv line, struct klog_line *out)
{
	struct gpudx_sv c = sv_from(line, 1), delta;
	int64_t us;

	if ((!gpudx_scan_mono(&c, &us) || (c.n && sv_is_digit(c.p[0]))) &&
	    (c = sv_from(line, 1), !scan_rounded(p, &c, &us)))
		return false;
	if (us > UPTIME_MAX)
		return false;
	if (sv_lit(&c, " <") && !sv_until(&c, ">", &delta))
		return false;
	sv_spaces(&c);
	if (!sv_char(&c, ']'))
		return false;
	skip_caller(&c);
	sv_char(&c, ' ');
	out->form = KLOG_MONO;
	out->stamp.kind = GPUDX_STAMP_BOOT;
	out->stamp.t_us = out->stamp.mono_us = us;
	out->message = c;
	journal_names(p, out);
	return true;
}

/* "[  +0.000012]", "[<    0.000012>]", "[Feb23 16:24]". */
static bool peel_delta(struct gpudx_sv line, struct klog_line *out)
{
	struct gpudx_sv c = sv_from(line, 1);
	unsigned month;
	uint32_t n;
	uint64_t day;
	int64_t us;
	bool ok;

	if (gpudx_scan_month(&c, &month)) {
		ok = sv_spaces(&c) && sv_u64(&c, &day) && day <= 31 && sv_char(&c, ' ') &&
		     sv_digits(&c, 2, &n) && sv_char(&c, ':') && sv_digits(&c, 2, &n);
	} else {
		sv_spaces(&c);
		ok = sv_char(&c, '+') ? gpudx_scan_mono(&c, &us)
				      : sv_char(&c, '<') && gpudx_scan_mono(&c, &us) &&
						sv_spaces(&c) && sv_char(&c, '>');
	}
	if (!ok || !sv_char(&c, ']'))
		return false;
	skip_caller(&c);
	sv_char(&c, ' ');
	out->form = KLOG_DELTA;
	out->message = c;
	return true;
}

/* "6,3964,206764307,-;msg": level, sequence, microseconds, flags and more fields. */
static bool peel_kmsg(struct gpudx_sv line, struct klog_line *out)
{
	struct gpudx_sv c = line, flags;
	uint64_t level, seq, us;

	if (!sv_u64(&c, &level) || level > 2047 || !sv_char(&c, ',') || !sv_u64(&c, &seq) ||
	    !sv_char(&c, ',') || !sv_u64(&c, &us) || us > (uint64_t)UPTIME_MAX ||
	    !sv_char(&c, ',') || !sv_until(&c, ";", &flags) || flags.n > 64 || sv_has(flags, " "))
		return false;
	out->form = KLOG_KMSG;
	out->stamp.kind = GPUDX_STAMP_BOOT;
	out->stamp.t_us = out->stamp.mono_us = (int64_t)us;
	out->message = c;
	return true;
}

/* "1715075935.123456 node01 kernel: msg". */
static bool peel_unix(struct klog_prefix *p, struct gpudx_sv line, struct klog_line *out)
{
	struct gpudx_sv c = line;
	int64_t us;

	if (sv_index(sv_first(line, 11), '.') != 10 || !gpudx_scan_mono(&c, &us) || !c.n ||
	    c.p[0] != ' ')
		return false;
	out->form = KLOG_UNIX;
	out->stamp.kind = GPUDX_STAMP_UTC;
	out->stamp.t_us = us;
	return scan_host_tag(p, c, out) && out->tag.p;
}

/* "2024-05-07 09:58:55[.123456][+02:00] node01 kernel: msg", as templates of rsyslog and exports of
 * collectors write it. Logs of all kinds of programs begin so: a line of the kernel must come
 * first. */
static bool peel_spaced(struct klog_prefix *p, struct gpudx_sv line, struct klog_line *out)
{
	struct gpudx_sv c = line;

	if (!gpudx_scan_ymd_hms(&c, &out->stamp.t_us))
		return false;
	out->form = KLOG_ISO;
	out->stamp.kind = GPUDX_STAMP_LOCAL;
	scan_zone(&c, &out->stamp, false);
	if (c.n && c.p[0] == ' ' && scan_host_tag(p, c, out) && out->tag.p &&
	    (p->spaced || sv_is(out->tag, "kernel"))) {
		p->spaced = true;
		return true;
	}
	clear(out);
	return false;
}

/* ---- decorations in front of the stamp ---- */

/* "kern  :warn  : " (dmesg -x). */
static void skip_words(struct gpudx_sv *s)
{
	static const char *const facilities[] = { "kern", "user",   "mail", "daemon",
						  "auth", "syslog", "lpr",  "news",
						  "uucp", "cron",   "ftp",  "authpriv" };
	static const char *const levels[] = { "emerg", "alert",	 "crit", "err",
					      "warn",  "notice", "info", "debug" };
	struct gpudx_sv c = *s, facility, level;

	if (!sv_until(&c, ":", &facility) || facility.n > 8 || !sv_until(&c, ": ", &level) ||
	    level.n > 6)
		return;
	facility = sv_rtrim(facility);
	if (!is_one_of(facility, facilities, sizeof(facilities) / sizeof(facilities[0])) &&
	    !sv_starts(facility, "local"))
		return;
	if (is_one_of(sv_rtrim(level), levels, sizeof(levels) / sizeof(levels[0])))
		*s = c;
}

/* "<6>" and what is behind it when that is RFC 5424's version. */
static bool skip_priority(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s;
	uint64_t priority;

	if (!sv_char(&c, '<') || !sv_u64(&c, &priority) || priority > 2047 || !sv_char(&c, '>'))
		return false;
	*s = c;
	return true;
}

/* "1 2024-05-07T09:58:55.1Z node01 kernel - - - msg". */
static bool peel_syslog(struct gpudx_sv line, struct klog_line *out)
{
	struct gpudx_sv c = line, procid, msgid, data;

	if (!sv_lit(&c, "1 ") || !gpudx_scan_iso(&c, &out->stamp) || !sv_char(&c, ' ') ||
	    !sv_token(&c, &out->host) || !sv_char(&c, ' ') || !sv_token(&c, &out->tag) ||
	    !sv_char(&c, ' ') || !sv_token(&c, &procid) || !sv_char(&c, ' ') ||
	    !sv_token(&c, &msgid) || !sv_char(&c, ' '))
		return false;
	if (!(sv_char(&c, '[') ? sv_until(&c, "]", &data) : sv_char(&c, '-')))
		return false;
	sv_char(&c, ' ');
	sv_lit(&c, "\xef\xbb\xbf");
	if (sv_is(out->tag, "kernel"))
		scan_second_stamp(&c, &out->stamp.mono_us);
	if (sv_is(out->host, "-"))
		out->host = sv_n(NULL, 0);
	out->form = KLOG_SYSLOG;
	out->message = c;
	return true;
}

enum klog_peeled klog_peel_here(struct klog_prefix *p, struct gpudx_sv line, struct klog_line *out)
{
	bool priority = false;

	clear(out);
	if (!line.n)
		return KLOG_NOT;
	if (line.p[0] == '<')
		priority = skip_priority(&line);
	else if (line.p[0] >= 'a' && line.p[0] <= 'u')
		skip_words(&line);
	if (!line.n)
		return KLOG_NOT;
	if (line.p[0] == '[' && (peel_mono(p, line, out) || peel_delta(line, out)))
		return KLOG_PEELED;
	if (priority && line.p[0] == '1' && peel_syslog(line, out))
		return KLOG_PEELED;
	if (sv_is_digit(line.p[0]) &&
	    (peel_kmsg(line, out) || peel_unix(p, line, out) || peel_spaced(p, line, out)))
		return KLOG_PEELED;
	return peel_dated(p, line, out);
}

/* ---- what a tool that carried the line wrote in front of it ---- */

/* Behind a carrier only what is of the kernel for certain is taken: other programs print words,
 * colons and numbers in brackets, too. */
static bool is_of_kernel(const struct klog_line *l, struct gpudx_sv rest)
{
	if (klog_has_tags(l->form))
		return l->tag.p && sv_is(l->tag, "kernel");
	if (l->form == KLOG_MONO)
		return sv_index(rest, '.') + 7 == sv_index(rest, ']');
	return l->form == KLOG_CTIME || l->form == KLOG_DMESG_ISO;
}

/* A collector knows when a line came that itself has time since boot only, or nothing. */
static void collected(const struct gpudx_stamp *when, struct klog_line *out)
{
	out->form = KLOG_ISO;
	out->tag = SV_LIT("kernel");
	out->stamp.kind = when->kind;
	out->stamp.t_us = when->t_us;
	out->stamp.has_offset = when->has_offset;
	out->stamp.offset_min = when->offset_min;
}

static bool peel_carried(struct klog_prefix *p, struct gpudx_sv line, struct klog_line *out)
{
	struct klog_prefix before = *p;
	struct gpudx_sv rest = line;
	struct klog_carrier by;
	bool peeled, dated;

	if (!klog_skip_carrier(&rest, &by))
		return false;
	dated = by.stamp.kind != GPUDX_STAMP_NONE;
	peeled = klog_peel_here(p, rest, out) == KLOG_PEELED && is_of_kernel(out, rest);
	if (!peeled && dated && klog_is_gpu_message(rest)) {
		clear(out);
		out->message = rest;
		peeled = true;
	}
	if (!peeled) {
		*p = before;
		return false;
	}
	if (dated && out->stamp.kind <= GPUDX_STAMP_BOOT)
		collected(&by.stamp, out);
	if (!out->host.p)
		out->host = by.host;
	return true;
}

/* Pasted into a list, a mail or YAML a whole log is indented. What goes on from the line before is, too,
 * but has no stamp of its own. */
static enum klog_peeled peel_indented(struct klog_prefix *p, struct gpudx_sv line,
				      struct klog_line *out)
{
	struct gpudx_sv s = sv_ltrim(line);

	if (s.n == line.n || !s.n || (s.p[0] != '[' && !sv_is_digit(s.p[0])))
		return KLOG_NOT;
	clear(out);
	return klog_peel_here(p, s, out);
}

enum klog_peeled klog_peel(struct klog_prefix *p, struct gpudx_sv line, struct klog_line *out)
{
	enum klog_peeled how = klog_peel_here(p, line, out);

	if (how == KLOG_NOT)
		how = peel_indented(p, line, out);
	if (how == KLOG_NOT) {
		if (peel_carried(p, line, out))
			return KLOG_PEELED;
		clear(out);
		out->message = line;
	}
	return how;
}
