/* nvidia-bug-report.log: the frame that nvidia-bug-report.sh puts around what it collects. The
 * contents of the sections are read by their own parsers.
 *
 *   ____________________________________________
 *
 *   Start of NVIDIA bug report log file.  Please include this file, along
 *   ...
 *   nvidia-bug-report.sh Version: 35255295
 *
 *   Date: Sat Sep 13 09:50:48 AM UTC 2025
 *   uname: Linux node01 5.15.0-153-generic #163-Ubuntu SMP ... x86_64 GNU/Linux
 *   command line flags:
 *
 *   ____________________________________________
 *
 *   *** /etc/issue
 *   *** ls: -rw-r--r-- 1 root root 26 2024-09-10 11:18:05.000000000 +0000 /etc/issue
 *   ...
 *   Skipping acpidump output (acpidump not found)
 *   ...
 *   End of NVIDIA bug report log file.
 */
#include "parse/parser.h"

#include <stdio.h>

enum { HEAD_LINES = 40, BASE64_MIN = 60, SKIPPED_MAX = 512, OFFSETS_MAX = 200 };

static const char start_text[] = "Start of NVIDIA bug report log file";
static const char end_text[] = "End of NVIDIA bug report log file";

struct bugreport {
	uint32_t bar;  /* line of the last bar */
	bool base64;   /* until the next bar */
	bool complete; /* the end mark was seen */
	bool flags_seen;
	uint32_t title;	    /* line of the last title */
	uint32_t skipping;  /* line of the first note of something left out */
	int32_t offset_min; /* as said last */
	unsigned offsets;
	char skipped[SKIPPED_MAX]; /* names, divided by ", " */
	size_t skipped_n;
};

static bool is_bar(struct gpudx_sv line)
{
	if (line.n != 44)
		return false;
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] != '_')
			return false;
	return true;
}

/* A full line of base64; shorter ones only end a block, whose title told. */
static bool is_base64(struct gpudx_sv line)
{
	if (line.n < BASE64_MIN)
		return false;
	for (size_t i = 0; i < line.n; i++) {
		char c = line.p[i];

		if (!sv_is_alpha(c) && !sv_is_digit(c) && c != '+' && c != '/' && c != '=')
			return false;
	}
	return true;
}

/* ---- prologue ---- */

/* "Sat Sep 13 09:50:48 AM UTC 2025", in the words of the user's locale. The name of the zone tells
 * a reader more than it tells us: many zones share one. */
static void date_line(struct gpudx_ctx *c, struct gpudx_sv text)
{
	struct gpudx_anchor a = { .kind = SV_LIT("date"),
				  .mono_us = GPUDX_NO_TIME,
				  .local_us = GPUDX_NO_TIME,
				  .utc_us = GPUDX_NO_TIME };
	struct gpudx_sv rest = text, word;
	struct gpudx_stamp t;

	if (!gpudx_scan_ctime(&rest, &t))
		return;
	gpudx_now(c, t.kind, t.t_us);
	if (t.kind == GPUDX_STAMP_UTC)
		a.utc_us = t.t_us;
	else
		a.local_us = t.t_us;
	a.has_offset = t.has_offset;
	a.offset_min = t.offset_min;
	gpudx_put_anchor(c, &a);
	gpudx_fact(c, 0, "bugreport.date", "", text);
	while (sv_spaces(&text) && sv_token(&text, &word))
		if (word.n >= 3 && word.n <= 5 && word.p[0] >= 'A' && word.p[0] <= 'Z' &&
		    word.p[1] >= 'A' && word.p[1] <= 'Z')
			gpudx_fact(c, 0, "host.timezone", "date", word);
}

/* "Linux node01 5.15.0-153-generic #163-Ubuntu SMP ...". */
static void uname_line(struct gpudx_ctx *c, struct gpudx_sv text)
{
	struct gpudx_sv system, host, release;

	if (!sv_token(&text, &system) || !sv_spaces(&text) || !sv_token(&text, &host) ||
	    !sv_spaces(&text) || !sv_token(&text, &release))
		return;
	gpudx_fact(c, 0, "host.name", "uname", host);
	gpudx_fact(c, 0, "kernel.release", "uname", release);
}

static void flags_line(struct gpudx_ctx *c, struct bugreport *b, struct gpudx_sv text)
{
	b->flags_seen = true;
	gpudx_fact(c, 0, "bugreport.safe_mode", "",
		   sv_str(sv_has(text, "--safe-mode") ? "yes" : "no"));
	if (text.n)
		gpudx_fact(c, 0, "bugreport.flags", "", text);
}

/* Lines of the first section; false when this is none of them. */
static bool prologue_line(struct gpudx_ctx *c, struct bugreport *b, struct gpudx_sv line)
{
	if (sv_lit(&line, "nvidia-bug-report.sh Version: "))
		gpudx_fact(c, 0, "bugreport.script_version", "", sv_trim(line));
	else if (sv_lit(&line, "Date: "))
		date_line(c, sv_trim(line));
	else if (sv_lit(&line, "uname: "))
		uname_line(c, sv_trim(line));
	else if (sv_lit(&line, "command line flags:"))
		flags_line(c, b, sv_trim(line));
	else
		return sv_starts(line, start_text) ||
		       sv_starts(line, "with a detailed description") ||
		       sv_starts(line, "driver bug via ") || sv_starts(line, "or by sending email");
	return true;
}

/* ---- sections ---- */

/* "-rw-r--r-- 1 root root 4096 2025-09-13 09:48:05.147848051 +0000 /path": the offset of the host
 * from UTC at that time, which is another in summer. */
static void ls_line(struct gpudx_ctx *c, struct bugreport *b, struct gpudx_sv s)
{
	struct gpudx_anchor a = { .kind = SV_LIT("ls_offset"),
				  .mono_us = GPUDX_NO_TIME,
				  .has_offset = true };
	struct gpudx_sv word;
	bool found = false;

	for (int i = 0; i < 9 && !found && sv_spaces(&s); i++)
		found = gpudx_scan_ymd_hms(&s, &a.local_us) || (sv_token(&s, &word), false);
	if (!found || !sv_char(&s, ' ') || !gpudx_scan_offset(&s, &a.offset_min))
		return;
	if (b->offsets && (b->offset_min == a.offset_min || b->offsets == OFFSETS_MAX))
		return;
	a.utc_us = a.local_us - a.offset_min * GPUDX_MINUTE;
	b->offset_min = a.offset_min;
	b->offsets++;
	gpudx_put_anchor(c, &a);
}

/* "lspci output (lspci not found)" behind "Skipping ". */
static bool skipping_line(struct gpudx_ctx *c, struct bugreport *b, struct gpudx_sv s)
{
	struct gpudx_sv name;
	int n;

	if (!sv_until(&s, " output", &name) || !name.n)
		return false;
	gpudx_cite(c);
	if (!b->skipping)
		b->skipping = gpudx_this_line(c)->no;
	n = snprintf(b->skipped + b->skipped_n, sizeof(b->skipped) - b->skipped_n, "%s%.*s",
		     b->skipped_n ? ", " : "", (int)sv_first(name, 60).n, name.p);
	if (n > 0 && (size_t)n < sizeof(b->skipped) - b->skipped_n)
		b->skipped_n += (size_t)n;
	return true;
}

/* Titles are kept: the last one shows how far an incomplete report came. */
static void title_line(struct gpudx_ctx *c, struct bugreport *b)
{
	b->title = gpudx_this_line(c)->no;
	gpudx_cite(c);
}

static void end_line(struct gpudx_ctx *c, struct bugreport *b)
{
	b->complete = true;
	gpudx_fact(c, 0, "bugreport.complete", "", SV_LIT("yes"));
}

static bool behind_bar(const struct gpudx_ctx *c, const struct bugreport *b)
{
	return b->bar && gpudx_this_line(c)->no - b->bar <= 2;
}

/* Titles and notes of sections; false for their contents. */
static bool section_line(struct gpudx_ctx *c, struct bugreport *b, struct gpudx_sv line)
{
	struct gpudx_sv s = line;

	if (sv_lit(&s, "*** ls: "))
		ls_line(c, b, s);
	else if (sv_starts(line, "*** "))
		title_line(c, b);
	else if (behind_bar(c, b) && sv_lit(&s, "Skipping "))
		return skipping_line(c, b, s);
	else if (behind_bar(c, b) && sv_starts(line, "base64 \""))
		b->base64 = true;
	else if (sv_starts(line, end_text))
		end_line(c, b);
	else
		return false;
	return true;
}

static enum gpudx_take bugreport_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct bugreport *b = gpudx_state(c);

	line = sv_rtrim(line);
	if (is_bar(line)) {
		b->bar = gpudx_this_line(c)->no;
		b->base64 = false;
		return GPUDX_TAKEN;
	}
	if (b->base64 || is_base64(line))
		return GPUDX_TAKEN;
	if (!b->flags_seen && prologue_line(c, b, line))
		return GPUDX_TAKEN;
	return section_line(c, b, line) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static void bugreport_finish(struct gpudx_ctx *c)
{
	const struct bugreport *b = gpudx_state(c);
	struct gpudx_fact no = { .key = SV_LIT("bugreport.complete"),
				 .layer = SV_LIT(""),
				 .value = SV_LIT("no"),
				 .line = b->title };
	struct gpudx_fact skipped = { .key = SV_LIT("bugreport.skipped"),
				      .layer = SV_LIT(""),
				      .value = sv_n(b->skipped, b->skipped_n),
				      .line = b->skipping };

	if (!b->complete)
		gpudx_put_fact(c, &no);
	if (b->skipped_n)
		gpudx_put_fact(c, &skipped);
}

static int bugreport_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < HEAD_LINES; i++)
		if (sv_starts(head->lines[i].text, start_text))
			return 90;
	return 0;
}

const struct gpudx_parser gpudx_parser_bugreport = {
	.name = "nvidia-bug-report",
	.what = "the frame of nvidia-bug-report.sh around the outputs it collects",
	.bid = bugreport_bid,
	.line = bugreport_line,
	.finish = bugreport_finish,
	.state_size = sizeof(struct bugreport),
	.flags = GPUDX_P_CONTAINER,
};
