#include "parse/klog_look.h"

#include "parse/klog_prefix.h"

enum { LOOKED_AT = 300 };

static const char scan_title[] = "Scanning kernel log files for NVIDIA kernel messages";

/* ---- single lines ---- */

static const struct mark {
	const char *text;
	enum klog_mark mark;
} marks[] = {
	{ "-- Boot ", KLOG_MARK_BOOT },
	{ "-- Reboot --", KLOG_MARK_BOOT },
	{ "-- Logs begin at ", KLOG_MARK_JOURNAL },
	{ "-- Journal begins at ", KLOG_MARK_JOURNAL },
	{ "-- No entries --", KLOG_MARK_PARTIAL },
	{ "Hint: You are currently not seeing messages", KLOG_MARK_PARTIAL },
	{ "No journal files were opened due to insufficient permissions", KLOG_MARK_PARTIAL },
	{ "No journal files were found", KLOG_MARK_PARTIAL },
	{ "dmesg: read kernel buffer failed", KLOG_MARK_PARTIAL },
	{ "dmesg: klogctl: Operation not permitted", KLOG_MARK_PARTIAL },
	{ scan_title, KLOG_MARK_PARTIAL },
	{ "Panic#", KLOG_MARK_PART },
	{ "Oops#", KLOG_MARK_PART },
	{ "Emergency#", KLOG_MARK_PART },
	{ "dmesg-erst-", KLOG_MARK_PART },
	{ "dmesg-efi-", KLOG_MARK_PART },
	{ "dmesg-efi_pstore-", KLOG_MARK_PART },
	{ "dmesg-ramoops-", KLOG_MARK_PART },
	{ "Message from syslogd@", KLOG_MARK_OTHER },
	/* what systemd writes on a console, and explanations of journalctl --catalog */
	{ "[  OK  ] ", KLOG_MARK_OTHER },
	{ "[FAILED] ", KLOG_MARK_OTHER },
	{ "[DEPEND] ", KLOG_MARK_OTHER },
	{ "-- ", KLOG_MARK_OTHER },
	{ "░░ ", KLOG_MARK_OTHER },
};

enum klog_mark klog_mark(struct gpudx_sv line)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (line.n && line.p[0] == marks[i].text[0] && sv_starts(line, marks[i].text))
			return marks[i].mark;
	return KLOG_MARK_NONE;
}

bool klog_bare(struct gpudx_sv line, struct gpudx_sv *message, int64_t *mono_us)
{
	struct gpudx_sv c = line;
	int64_t mono;

	*mono_us = GPUDX_NO_TIME;
	sv_char(&c, ' ');
	if (!sv_lit(&c, "kernel:")) {
		*message = line;
		return klog_is_gpu_message(line);
	}
	sv_char(&c, ' ');
	*message = c;
	if (sv_char(&c, '[') && gpudx_scan_mono(&c, &mono) && sv_lit(&c, "] ")) {
		*message = c;
		*mono_us = mono;
	}
	return message->n > 0;
}

bool klog_is_title(struct gpudx_sv line)
{
	struct gpudx_sv c = sv_rtrim(line), word;

	if (!sv_lit(&c, "  ") || !sv_ends(c, ":"))
		return false;
	if (sv_starts(c, "journalctl "))
		return true;
	return sv_starts(c, "/var/log/") && sv_token(&c, &word) && !c.n;
}

/* ---- recognition ---- */

/* What a head's lines look like. */
struct look {
	unsigned lines, good, kernel, own; /* own: those that could stand in no other text */
};

static bool is_kernel_tag(const struct klog_line *l)
{
	return !klog_has_tags(l->form) || (l->tag.p && sv_is(l->tag, "kernel"));
}

static void look_at(struct look *k, struct klog_prefix *p, struct gpudx_sv line, bool first)
{
	enum klog_mark mark = klog_mark(line);
	struct gpudx_sv message;
	struct klog_line l;
	int64_t mono;

	if (sv_blank(line))
		return;
	k->lines++;
	if (klog_peel(p, line, &l) == KLOG_PEELED && (l.tag.p || !klog_has_tags(l.form))) {
		k->good++;
		k->own++;
		k->kernel += is_kernel_tag(&l);
	} else if (mark != KLOG_MARK_NONE) {
		k->good++;
		k->own += mark != KLOG_MARK_OTHER;
	} else if (!first && sv_is_space(line.p[0]) && !sv_starts(line, " kernel:")) {
		k->good++;
	} else if (klog_bare(line, &message, &mono)) {
		k->good++;
		k->own++;
		k->kernel++;
	}
}

static bool says_kernel_log(const struct gpudx_head *head)
{
	struct gpudx_sv c = head->command, word;

	if (!sv_token(&c, &word))
		return false;
	return sv_ends(word, "dmesg") || sv_ends(word, "journalctl") || sv_has(word, "kern.log") ||
	       sv_ends(word, "/messages") || sv_ends(word, "/syslog");
}

/* By the share of lines that look so: 80 all of them with lines of the kernel among them, 60 most,
 * 45 a journal or syslog without any, or a piece with foreign lines. */
int klog_bid(const struct gpudx_head *head)
{
	struct klog_prefix p = { .turn = 0 };
	struct look k = { .lines = 0 };

	for (size_t i = 0; i < head->n && k.lines < LOOKED_AT; i++)
		look_at(&k, &p, head->lines[i].text, i == 0);
	if (!k.own)
		return 0;
	if (says_kernel_log(head))
		return 90;
	if (k.good * 10 >= k.lines * 9)
		return k.kernel ? 80 : 45;
	if (k.good * 2 >= k.lines)
		return k.kernel ? 60 : 45;
	return k.kernel >= 2 && k.good * 5 >= k.lines ? 45 : 0;
}

/* A stamp that only dmesg and the kernel's consoles print, or a line of the kernel itself. */
bool klog_starts(struct gpudx_sv line)
{
	struct klog_prefix p = { .turn = 0 };
	struct klog_line l;

	if (line.n && sv_is_space(line.p[0]) && sv_starts(sv_ltrim(line), "["))
		line = sv_ltrim(line); /* a log that is indented as a whole */
	if (!line.n)
		return false;
	if (line.p[0] == 'N' || line.p[0] == 'S')
		return sv_starts(line, "NVRM: ") || sv_starts(line, scan_title);
	if (line.p[0] == '-')
		return klog_mark(line) == KLOG_MARK_BOOT || klog_mark(line) == KLOG_MARK_JOURNAL;
	if (line.p[0] == '[' || line.p[0] == '<' || sv_is_digit(line.p[0]))
		return klog_peel(&p, line, &l) == KLOG_PEELED &&
		       (!klog_has_tags(l.form) || sv_is(l.tag, "kernel"));
	return sv_has(sv_first(line, 120), " kernel: ") && klog_peel(&p, line, &l) == KLOG_PEELED &&
	       sv_is(l.tag, "kernel");
}
