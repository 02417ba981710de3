/* Who the machine is and what its clock says, from small tools; only what cannot be anything else:
 *
 *   Tue Jan 13 10:22:41 CET 2026                                    date, in any locale
 *   2026-01-11 08:12:01                                             uptime -s
 *    10:22:41 up 2 days,  2:10,  1 user,  load average: 0.5, 0.5    uptime
 *    Static hostname: node01                                        hostnamectl
 *          Local time: Tue 2026-01-13 10:22:41 CET                  timedatectl
 *   PRETTY_NAME="Ubuntu 22.04.4 LTS"                                os-release
 *   Description:	Ubuntu 22.04.4 LTS                                     lsb_release
 *
 * A word is a host name, and a date without zone a boot time, only when the command or the path
 * says so. Times become clock anchors: "date" is the moment of the collection, "uptime" how long
 * ago the boot was at that moment, "uptime_s" the boot. */
#include "parse/tool.h"

struct host_date {
	int64_t day_us;	  /* start of the day of the last date, local; GPUDX_NO_TIME */
	int64_t local_us; /* timedatectl's local time, until the universal one comes */
	bool os_release;  /* lines are KEY=value */
	bool name_due;	  /* the line before was "Hostname:" */
};

static struct gpudx_anchor anchor(const char *kind)
{
	return (struct gpudx_anchor){ .kind = sv_str(kind),
				      .mono_us = GPUDX_NO_TIME,
				      .local_us = GPUDX_NO_TIME,
				      .utc_us = GPUDX_NO_TIME };
}

/* ---- date ---- */

/* date, date -R, date -Is: the whole view. */
static bool scan_date(struct gpudx_sv s, struct gpudx_stamp *t)
{
	struct gpudx_sv rfc = s;
	unsigned weekday;

	if (gpudx_scan_iso(&s, t) && !s.n)
		return true;
	if (gpudx_scan_weekday(&rfc, &weekday) && sv_lit(&rfc, ", "))
		s = rfc;
	return gpudx_scan_ctime(&s, t) && !sv_trim(s).n;
}

/* date -u and a stamp in Z tell the time, but not the zone of the machine. */
static bool zone_is_asked(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv command = gpudx_command(c);

	return sv_ends(line, "Z") || sv_has(command, " -u") || sv_has(command, " --utc");
}

static void put_date(struct gpudx_ctx *c, struct host_date *h, struct gpudx_sv line,
		     const struct gpudx_stamp *t)
{
	struct gpudx_anchor a = anchor("date");

	if (t->kind == GPUDX_STAMP_UTC)
		a.utc_us = t->t_us;
	if (t->kind != GPUDX_STAMP_UTC || !zone_is_asked(c, line)) {
		a.has_offset = t->has_offset;
		a.offset_min = t->offset_min;
		a.local_us = t->t_us + t->offset_min * GPUDX_MINUTE;
		h->day_us = a.local_us - (a.local_us % GPUDX_DAY + GPUDX_DAY) % GPUDX_DAY;
	}
	gpudx_clock(c, (enum gpudx_clock_kind)t->kind);
	gpudx_put_anchor(c, &a);
}

/* ---- uptime ---- */

/* "2 days,  2:10", "1 day, 5 min", "3:04", "2 weeks, 3 days, 4 hours, 5 minutes" */
static bool scan_span(struct gpudx_sv *s, int64_t *us)
{
	static const struct {
		const char *unit;
		int64_t us;
	} units[] = { { "week", 7 * GPUDX_DAY },
		      { "day", GPUDX_DAY },
		      { "hour", GPUDX_HOUR },
		      { "min", GPUDX_MINUTE },
		      { "sec", GPUDX_SECOND } };
	struct gpudx_sv c = *s, word;
	uint64_t n, m;
	bool any = false;

	*us = 0;
	while (sv_spaces(&c) && sv_u64(&c, &n) && n < 100000) {
		size_t i = 0;

		if (sv_char(&c, ':') && sv_u64(&c, &m) && m < 60) {
			*us += (int64_t)n * GPUDX_HOUR + (int64_t)m * GPUDX_MINUTE;
		} else {
			sv_spaces(&c);
			while (i < 5 && !sv_starts(c, units[i].unit))
				i++;
			if (i == 5)
				break;
			*us += (int64_t)n * units[i].us;
			word = sv_first(c, sv_index(c, ','));
			c = sv_from(c, word.n);
		}
		*s = c;
		any = true;
		sv_char(&c, ',');
	}
	return any;
}

/* " 10:22:41 up 2 days,  2:10,  1 user,  load average: ..." and "up 2 weeks, 3 days" */
static bool scan_uptime(struct gpudx_sv s, int64_t *day_us, int64_t *up_us)
{
	*day_us = GPUDX_NO_TIME;
	s = sv_ltrim(s);
	if (gpudx_scan_clock(&s, day_us))
		return sv_lit(&s, " up ") && scan_span(&s, up_us) && sv_has(s, "load average");
	return sv_lit(&s, "up ") && scan_span(&s, up_us) && !sv_trim(s).n;
}

static void put_uptime(struct gpudx_ctx *c, const struct host_date *h, int64_t day_us,
		       int64_t up_us)
{
	struct gpudx_anchor a = anchor("uptime");

	a.mono_us = up_us;
	if (day_us != GPUDX_NO_TIME && h->day_us != GPUDX_NO_TIME)
		a.local_us = h->day_us + day_us;
	gpudx_put_anchor(c, &a);
}

/* /proc/uptime: "180712.33 1423112.06", seconds */
static bool scan_proc_uptime(struct gpudx_sv s, int64_t *up_us)
{
	double up, idle;

	if (!sv_decimal(&s, &up) || !sv_char(&s, ' ') || !sv_decimal(&s, &idle) || s.n || up > 1e10)
		return false;
	*up_us = (int64_t)(up * 1e6);
	return true;
}

/* ---- keys ---- */

struct label {
	const char *text;
	const char *key; /* of the fact; NULL: of no use here */
	const char *layer;
};

static const struct label labels[] = {
	{ "Static hostname:", "host.name", "hostname" },
	{ "Transient hostname:", NULL, NULL },
	{ "Pretty hostname:", NULL, NULL },
	{ "Icon name:", NULL, NULL },
	{ "Chassis:", "host.chassis", "hostnamectl" },
	{ "Deployment:", NULL, NULL },
	{ "Location:", NULL, NULL },
	{ "Machine ID:", "host.machine_id", "hostnamectl" },
	{ "Boot ID:", "host.boot_id", "hostnamectl" },
	{ "Virtualization:", "host.virtualization", "hostnamectl" },
	{ "Operating System:", "host.os", "hostnamectl" },
	{ "CPE OS Name:", NULL, NULL },
	{ "OS Support End:", NULL, NULL },
	{ "OS Support Expired:", NULL, NULL },
	{ "Kernel: Linux", "kernel.release", "hostnamectl" },
	{ "Architecture:", NULL, NULL },
	{ "Hardware Vendor:", "host.vendor", "hostnamectl" },
	{ "Hardware Model:", "host.product", "hostnamectl" },
	{ "Hardware Serial:", NULL, NULL },
	{ "Hardware Version:", NULL, NULL },
	{ "Firmware Version:", "host.bios", "hostnamectl" },
	{ "Firmware Date:", "host.bios_date", "hostnamectl" },
	{ "Firmware Age:", NULL, NULL },
	{ "Time zone:", NULL, NULL },
	{ "RTC time:", NULL, NULL },
	{ "System clock synchronized:", "host.clock_synchronized", "timedatectl" },
	{ "NTP synchronized:", "host.clock_synchronized", "timedatectl" },
	{ "NTP service:", NULL, NULL },
	{ "systemd-timesyncd.service active:", NULL, NULL },
	{ "Network time on:", NULL, NULL },
	{ "NTP enabled:", NULL, NULL },
	{ "RTC in local TZ:", "host.rtc_in_local_tz", "timedatectl" },
	{ "DST active:", NULL, NULL },
	{ "Distributor ID:\t", NULL, NULL },
	{ "Description:\t", "host.os", "lsb_release" },
	{ "Release:\t", NULL, NULL },
	{ "Codename:\t", NULL, NULL },
};

static bool label_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		if (!sv_lit(&s, labels[i].text))
			continue;
		s = sv_trim(s);
		if (labels[i].key && s.n && !sv_is(s, "n/a"))
			gpudx_fact(c, 0, labels[i].key, labels[i].layer, s);
		return true;
	}
	return false;
}

/* "Local time: Tue 2026-01-13 10:22:41 CET", then "Universal time: Tue 2026-01-13 09:22:41 UTC" */
static bool timedatectl_line(struct gpudx_ctx *c, struct host_date *h, struct gpudx_sv s)
{
	struct gpudx_anchor a = anchor("date");
	bool local = sv_lit(&s, "Local time:");
	unsigned weekday;
	int64_t t;

	if (!local && !sv_lit(&s, "Universal time:"))
		return false;
	sv_spaces(&s);
	gpudx_scan_weekday(&s, &weekday);
	sv_spaces(&s);
	if (!gpudx_scan_ymd_hms(&s, &t))
		return false;
	if (local) {
		h->local_us = t;
		return true;
	}
	a.utc_us = t;
	a.local_us = h->local_us;
	if (h->local_us != GPUDX_NO_TIME) {
		a.has_offset = true;
		a.offset_min = (int32_t)((h->local_us - t) / GPUDX_MINUTE);
	}
	gpudx_put_anchor(c, &a);
	return true;
}

static void put_zone(struct gpudx_ctx *c, struct gpudx_sv s)
{
	if (!sv_lit(&s, "Time zone:"))
		return;
	s = sv_trim(sv_first(s, sv_find(s, " (")));
	if (s.n && !sv_is(s, "n/a"))
		gpudx_fact(c, 0, "host.timezone", "timedatectl", s);
}

/* ---- os-release ---- */

static struct gpudx_sv unquote(struct gpudx_sv s)
{
	if (s.n >= 2 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.n - 1] == s.p[0])
		return sv_n(s.p + 1, s.n - 2);
	return s;
}

static bool is_variable(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= 'A' && s.p[i] <= 'Z') && !sv_is_digit(s.p[i]) && s.p[i] != '_')
			return false;
	return s.n > 0;
}

static bool os_release_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv name;

	if (!sv_until(&s, "=", &name) || !is_variable(name))
		return false;
	s = unquote(sv_trim(s));
	if (!s.n)
		return true;
	if (sv_is(name, "PRETTY_NAME"))
		gpudx_fact(c, 0, "host.os", "os-release", s);
	else if (sv_is(name, "ID"))
		gpudx_fact(c, 0, "host.os_id", "os-release", s);
	else if (sv_is(name, "VERSION_ID"))
		gpudx_fact(c, 0, "host.os_version", "os-release", s);
	return true;
}

/* ---- what the command or the path says ---- */

/* The command is PROGRAM with or without arguments, or the file is called like it. */
static bool is_about(const char *program, struct gpudx_sv command, struct gpudx_sv path)
{
	struct gpudx_sv word = command;
	size_t n = strlen(program);

	word = sv_first(word, sv_index(word, ' '));
	if (sv_ends(word, program) && (word.n == n || word.p[word.n - n - 1] == '/'))
		return true;
	if (sv_ends(path, ".txt") || sv_ends(path, ".log") || sv_ends(path, ".out"))
		path.n -= 4;
	return sv_ends(path, program) && (path.n == n || path.p[path.n - n - 1] == '/');
}

/* The command is uptime -s, or the file is called like it or like uptime: a bare date is no output of
 * that without -s. */
static bool is_uptime_s(struct gpudx_sv command, struct gpudx_sv path)
{
	static const char *const names[] = { "uptime_-s", "uptime-s",	  "uptime_s",
					     "uptime.s",  "uptime_since", "uptime_--since",
					     "boot_time", "boottime",	  "uptime" };

	if (sv_starts(command, "uptime -s") || sv_has(command, "/uptime -s") ||
	    sv_starts(command, "uptime --since"))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (is_about(names[i], SV_LIT(""), path))
			return true;
	return false;
}

/* What hostname prints, with -f or -s, too: a word with a letter; not the addresses of -I. */
static bool is_host_name(struct gpudx_sv s)
{
	bool alpha = false;

	for (size_t i = 0; i < s.n; i++) {
		alpha |= sv_is_alpha(s.p[i]);
		if (!sv_is_alpha(s.p[i]) && !sv_is_digit(s.p[i]) && s.p[i] != '-' &&
		    s.p[i] != '.' && s.p[i] != '_')
			return false;
	}
	return alpha && s.n <= 253 && !sv_is(s, "hostname");
}

static bool is_named(struct gpudx_sv command, struct gpudx_sv path, struct gpudx_sv s)
{
	return (tool_is("hostname", command, path) || tool_shows("/etc/hostname", command, path)) &&
	       is_host_name(s);
}

/* /etc/machine-id: 32 figures of a hexadecimal number. */
static bool is_machine_id(struct gpudx_sv command, struct gpudx_sv path, struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (sv_hex_value(s.p[i]) < 0)
			return false;
	return s.n == 32 && tool_shows("/etc/machine-id", command, path);
}

/* "Hostname: gpu-b12", as scripts that collect write it above what they do. */
static bool is_told_name(struct gpudx_sv s, struct gpudx_sv *name)
{
	static const char *const words[] = { "Hostname:", "hostname:", "HOSTNAME:", "Host name:",
					     "Host Name:" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_lit(&s, words[i])) {
			*name = sv_trim(s);
			return !name->n || is_host_name(*name);
		}
	return false;
}

/* The name stands behind "Hostname:", or alone on the next line. */
static bool told_line(struct gpudx_ctx *c, struct host_date *h, struct gpudx_sv s)
{
	bool due = h->name_due;

	h->name_due = false;
	if (due && is_host_name(s)) {
		gpudx_fact(c, 0, "host.name", "hostname", s);
		return true;
	}
	if (!is_told_name(s, &s))
		return false;
	h->name_due = !s.n;
	if (s.n)
		gpudx_fact(c, 0, "host.name", "hostname", s);
	return true;
}

/* Lines that mean something only behind a command. */
static bool named_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv command = gpudx_command(c), path = gpudx_path(c), t = s;
	struct gpudx_anchor a = anchor("uptime_s");
	struct host_date *h = gpudx_state(c);
	int64_t up;

	if (is_uptime_s(command, path) && gpudx_scan_ymd_hms(&t, &a.local_us) && !t.n) {
		a.mono_us = 0;
		gpudx_put_anchor(c, &a);
		return true;
	}
	if ((sv_ends(command, "proc/uptime") || sv_ends(path, "proc/uptime")) &&
	    scan_proc_uptime(s, &up)) {
		put_uptime(c, h, GPUDX_NO_TIME, up);
		return true;
	}
	if (is_machine_id(command, path, s)) {
		gpudx_fact(c, 0, "host.machine_id", "file", s);
		return true;
	}
	if (is_named(command, path, s)) {
		gpudx_fact(c, 0, "host.name", "hostname", s);
		return true;
	}
	return false;
}

/* ---- the parser ---- */

static void host_begin(struct gpudx_ctx *c)
{
	struct host_date *h = gpudx_state(c);

	h->day_us = h->local_us = GPUDX_NO_TIME;
}

static enum gpudx_take host_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct host_date *h = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);
	struct gpudx_stamp t;
	int64_t day, up;

	put_zone(c, s);
	if (told_line(c, h, s))
		return GPUDX_TAKEN;
	if (label_line(c, s) || timedatectl_line(c, h, s) || named_line(c, s))
		return GPUDX_TAKEN;
	if (scan_date(s, &t)) {
		put_date(c, h, s, &t);
		return GPUDX_TAKEN;
	}
	if (scan_uptime(s, &day, &up)) {
		put_uptime(c, h, day, up);
		return GPUDX_TAKEN;
	}
	h->os_release |=
		sv_starts(s, "PRETTY_NAME=") || sv_starts(s, "NAME=") || sv_starts(s, "ID=");
	return h->os_release && os_release_line(c, s) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

/* A first line that can stand alone. */
static int bid_first(const struct gpudx_head *head, struct gpudx_sv s)
{
	struct gpudx_sv t = s;
	struct gpudx_stamp stamp;
	int64_t a, b;

	if (scan_date(s, &stamp))
		return is_about("date", head->command, head->path) ? 80 : 60;
	if (scan_uptime(s, &a, &b))
		return 60;
	if (is_uptime_s(head->command, head->path) && gpudx_scan_ymd_hms(&t, &a) && !t.n)
		return 80;
	if ((sv_ends(head->command, "proc/uptime") || sv_ends(head->path, "proc/uptime")) &&
	    scan_proc_uptime(s, &a))
		return 80;
	if (is_machine_id(head->command, head->path, s))
		return 80;
	return is_told_name(s, &t) || is_named(head->command, head->path, s) ? 60 : 0;
}

static int host_bid(const struct gpudx_head *head)
{
	static const char *const sure[] = { "Static hostname:", "Universal time:", "PRETTY_NAME=",
					    "Distributor ID:\t" };
	int bid = 0;

	for (size_t i = 0, seen = 0; i < head->n && seen < 20; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		if (!seen++)
			bid = bid_first(head, s);
		for (size_t k = 0; k < sizeof(sure) / sizeof(sure[0]); k++)
			if (sv_starts(s, sure[k]))
				return 80;
	}
	return bid;
}

/* In what comes before anything else; kubectl indents it. */
static bool host_starts(struct gpudx_sv line)
{
	struct gpudx_sv name;

	return line.n && (line.p[0] == 'H' || line.p[0] == 'h') && is_told_name(line, &name);
}

const struct gpudx_parser gpudx_parser_host_date = {
	.name = "host-date",
	.what = "date, uptime, hostname, hostnamectl, timedatectl, os-release, lsb_release",
	.bid = host_bid,
	.starts = host_starts,
	.begin = host_begin,
	.line = host_line,
	.state_size = sizeof(struct host_date),
};
