/* systemctl status of the services around GPUs, and lists of units:
 *
 *   ● nvidia-fabricmanager.service - NVIDIA fabric manager service
 *        Loaded: loaded (/lib/systemd/system/nvidia-fabricmanager.service; enabled; preset:
 * enabled) Active: failed (Result: exit-code) since Tue 2024-05-07 09:58:55 UTC; 3min ago Main PID:
 * 1803 (code=exited, status=1/FAILURE)
 *
 *     UNIT                          LOAD   ACTIVE SUB     DESCRIPTION
 *   ● nvidia-persistenced.service   loaded failed failed  NVIDIA Persistence Daemon
 *     nvidia-persistenced.service   enabled         enabled            (list-unit-files)
 *   Unit nvidia-fabricmanager.service could not be found.
 *
 * Other units are read over. Below a status stand the last lines of the journal. Source: systemd,
 * src/systemctl/systemctl-show.c. */
#include "parse/klog_prefix.h"
#include "parse/tool.h"

#include <stdio.h>

struct status {
	char unit[64];		   /* without ".service"; empty: not ours */
	bool inside;		   /* a unit was named */
	struct klog_prefix prefix; /* of the journal's lines */
};

/* Dots and bullets that mark the state of a unit, in UTF-8 or without. */
static struct gpudx_sv cut_mark(struct gpudx_sv s)
{
	static const char *const marks[] = {
		"\xe2\x97\x8f", "\xe2\x97\x8b", "\xc3\x97", "\xe2\x86\xbb", "*", "x "
	};

	s = sv_ltrim(s);
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (sv_lit(&s, marks[i]))
			return sv_ltrim(s);
	return s;
}

static bool is_unit(struct gpudx_sv s)
{
	static const char *const kinds[] = { ".service", ".timer", ".socket", ".target", ".mount",
					     ".device",	 ".path",  ".scope",  ".slice" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (sv_ends(s, kinds[i]))
			return s.n > strlen(kinds[i]);
	return false;
}

static bool is_ours(struct gpudx_sv unit)
{
	return sv_starts(unit, "nvidia-") || sv_starts(unit, "dcgm") || sv_starts(unit, "nvsm") ||
	       sv_starts(unit, "nv-") || sv_starts(unit, "docker.") ||
	       sv_starts(unit, "containerd.") || sv_starts(unit, "slurmd.") ||
	       sv_starts(unit, "kubelet.") || sv_starts(unit, "openibd.") ||
	       sv_starts(unit, "gdm") || sv_starts(unit, "display-manager.");
}

static void set_unit(struct status *s, struct gpudx_sv unit)
{
	s->inside = true;
	s->unit[0] = 0;
	if (!is_ours(unit) || !sv_ends(unit, ".service"))
		return;
	unit.n -= strlen(".service");
	if (unit.n < sizeof(s->unit)) {
		memcpy(s->unit, unit.p, unit.n);
		s->unit[unit.n] = 0;
	}
}

static void put(struct gpudx_ctx *c, const struct status *s, const char *what,
		struct gpudx_sv value, const struct gpudx_stamp *since)
{
	struct gpudx_fact f = { .layer = SV_LIT("systemctl"), .value = sv_trim(value) };
	char key[100];
	int n = snprintf(key, sizeof(key), "service.%s.%s", s->unit, what);

	if (!s->unit[0] || !f.value.n)
		return;
	f.key = sv_n(key, n > 0 && (size_t)n < sizeof(key) ? (size_t)n : 0);
	if (since)
		f.stamp = *since;
	gpudx_put_fact(c, &f);
}

/* "active (running) since Tue 2024-05-07 09:58:55 UTC; 3 days ago" */
static void active(struct gpudx_ctx *c, const struct status *s, struct gpudx_sv v)
{
	size_t at = sv_find(v, " since ");
	struct gpudx_stamp t = { .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME };
	struct gpudx_sv since = sv_from(v, at + strlen(" since "));
	unsigned weekday;

	v = sv_first(v, at);
	if (gpudx_scan_weekday(&since, &weekday) && sv_spaces(&since) &&
	    gpudx_scan_ymd_hms(&since, &t.t_us)) {
		if (sv_char(&since, ' ') && gpudx_scan_offset(&since, &t.offset_min)) {
			t.kind = GPUDX_STAMP_UTC;
			t.has_offset = true;
			t.t_us -= t.offset_min * GPUDX_MINUTE;
		}
		gpudx_clock(c, (enum gpudx_clock_kind)t.kind);
		put(c, s, "active", v, &t);
	} else {
		put(c, s, "active", v, NULL);
	}
}

/* "loaded (/lib/systemd/system/x.service; enabled; vendor preset: enabled)": the second word. */
static void loaded(struct gpudx_ctx *c, const struct status *s, struct gpudx_sv v)
{
	struct gpudx_sv rest = v, path, word;

	if (sv_until(&rest, "; ", &path)) {
		word = sv_first(rest, sv_index(rest, ';'));
		put(c, s, "enabled", sv_first(word, sv_index(word, ')')), NULL);
	} else {
		put(c, s, "enabled", sv_first(v, sv_index(v, ' ')), NULL);
	}
}

static const char *const details[] = {
	"Main PID:",  "Process:",     "Tasks:",	   "Memory:",	 "CPU:",     "CGroup:",
	"Docs:",      "TriggeredBy:", "Triggers:", "Drop-In:",	 "Status:",  "Invocation:",
	"Transient:", "Duration:",    "Mem peak:", "Condition:", "Trigger:", "What:",
	"Where:",     "IP:",	      "IO:",	   "FD Store:",	 "Follow:",  "Until:",
	"Assert:",    "Listen:",      "Accepted:"
};

static bool is_detail(struct gpudx_sv s)
{
	for (size_t i = 0; i < sizeof(details) / sizeof(details[0]); i++)
		if (sv_starts(s, details[i]))
			return true;
	/* the tree of processes and files */
	return sv_starts(s, "\xe2\x94") || sv_starts(s, "|-") || sv_starts(s, "`-");
}

static bool status_line(struct gpudx_ctx *c, struct status *s, struct gpudx_sv text)
{
	struct gpudx_sv v = text;

	if (!s->inside)
		return false;
	if (sv_lit(&v, "Active:"))
		active(c, s, sv_trim(v));
	else if (sv_lit(&v, "Loaded:"))
		loaded(c, s, sv_trim(v));
	else
		return is_detail(text);
	return true;
}

/* "● UNIT - Description" */
static bool scan_head(struct gpudx_sv line, struct gpudx_sv *unit)
{
	struct gpudx_sv s = cut_mark(line);

	return sv_token(&s, unit) && is_unit(*unit) && (sv_starts(s, " - ") || !sv_trim(s).n);
}

static bool not_found(struct gpudx_ctx *c, struct status *s, struct gpudx_sv text)
{
	struct gpudx_sv unit;

	if (!sv_lit(&text, "Unit ") || !sv_token(&text, &unit) || !is_unit(unit) ||
	    !(sv_is(text, " could not be found.") || sv_is(text, " not found.")))
		return false;
	set_unit(s, unit);
	put(c, s, "active", SV_LIT("not found"), NULL);
	s->inside = false;
	return true;
}

static bool is_load(struct gpudx_sv s)
{
	return sv_is(s, "loaded") || sv_is(s, "not-found") || sv_is(s, "bad-setting") ||
	       sv_is(s, "error") || sv_is(s, "masked");
}

static bool is_file_state(struct gpudx_sv s)
{
	return sv_is(s, "enabled") || sv_is(s, "disabled") || sv_is(s, "static") ||
	       sv_is(s, "masked") || sv_is(s, "indirect") || sv_is(s, "generated") ||
	       sv_is(s, "alias") || sv_is(s, "transient") || sv_is(s, "enabled-runtime");
}

/* "UNIT loaded active running DESCRIPTION" and "UNIT enabled enabled" */
static bool list_line(struct gpudx_ctx *c, struct status *s, struct gpudx_sv line)
{
	struct gpudx_sv rest = cut_mark(line), unit, load, state, sub;
	char buf[64];
	int n;

	if (!sv_token(&rest, &unit) || !is_unit(unit) || !sv_spaces(&rest) ||
	    !sv_token(&rest, &load))
		return false;
	if (is_load(load) && sv_spaces(&rest) && sv_token(&rest, &state) && sv_spaces(&rest) &&
	    sv_token(&rest, &sub)) {
		n = snprintf(buf, sizeof(buf), "%.*s (%.*s)", (int)sv_first(state, 20).n, state.p,
			     (int)sv_first(sub, 20).n, sub.p);
		set_unit(s, unit);
		put(c, s, "active", sv_n(buf, n > 0 ? (size_t)n : 0), NULL);
	} else if (is_file_state(load)) {
		set_unit(s, unit);
		put(c, s, "enabled", load, NULL);
	} else {
		return false;
	}
	s->inside = false;
	return true;
}

static bool is_heading(struct gpudx_sv s)
{
	s = cut_mark(s);
	return sv_lit(&s, "UNIT ") && (sv_starts(sv_ltrim(s), "LOAD ") || sv_has(s, "STATE")) &&
	       (sv_has(s, "ACTIVE") || sv_has(s, "STATE"));
}

static bool is_legend(struct gpudx_sv s)
{
	return sv_starts(s, "LOAD   = ") || sv_starts(s, "ACTIVE = ") ||
	       sv_starts(s, "SUB    = ") || sv_has(s, " loaded units listed") ||
	       sv_has(s, " unit files listed") ||
	       sv_has(s, "Reflects whether the unit definition") ||
	       sv_starts(s, "To show all installed") ||
	       sv_starts(s, "Hint: Some lines were ellipsized") ||
	       sv_starts(s, "Warning: The unit file, source configuration");
}

/* "May 07 09:58:55 node01 nvidia-persistenced[1201]: Started (1201)" */
static bool journal_line(struct gpudx_ctx *c, struct status *s, struct gpudx_sv line)
{
	struct klog_line l;

	if (klog_peel(&s->prefix, line, &l) != KLOG_PEELED || !l.tag.p)
		return false;
	gpudx_match(c, l.message, &l.stamp);
	return true;
}

static enum gpudx_take systemctl_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct status *s = gpudx_state(c);
	struct gpudx_sv text = sv_trim(line), unit;

	if (is_heading(line))
		return GPUDX_TAKEN;
	if (not_found(c, s, text) || list_line(c, s, text) || status_line(c, s, text) ||
	    is_legend(text))
		return GPUDX_TAKEN;
	if (scan_head(line, &unit)) {
		set_unit(s, unit);
		return GPUDX_TAKEN;
	}
	return s->inside && journal_line(c, s, line) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static bool systemctl_starts(struct gpudx_sv line)
{
	struct gpudx_sv unit, s = line;

	if ((sv_starts(line, "\xe2\x97") || sv_starts(line, "\xc3\x97") || sv_starts(line, "* ")) &&
	    scan_head(line, &unit) && sv_has(line, " - "))
		return true;
	return sv_lit(&s, "Unit ") && sv_ends(s, " could not be found.") && sv_has(s, ".service ");
}

static int systemctl_bid(const struct gpudx_head *head)
{
	bool named = tool_is("systemctl", head->command, head->path);
	struct gpudx_sv unit;

	for (size_t i = 0, seen = 0; i < head->n && seen < 8; i++) {
		struct gpudx_sv s = head->lines[i].text;

		if (sv_blank(s))
			continue;
		seen++;
		if (systemctl_starts(s) || (sv_has(s, ".service") && named && scan_head(s, &unit)))
			return 80;
		if (is_heading(s) || (named && sv_has(s, ".service ")))
			return 60;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_systemctl = {
	.name = "systemctl",
	.what = "systemctl status and lists of units: the services around GPUs",
	.bid = systemctl_bid,
	.starts = systemctl_starts,
	.line = systemctl_line,
	.state_size = sizeof(struct status),
	.flags = GPUDX_P_RESUMES | GPUDX_P_FIND,
};
