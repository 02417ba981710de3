/* ps in its usual forms: which daemons of the GPU stack run, and what hangs in the kernel.
 *
 *   USER   PID %CPU %MEM    VSZ   RSS TTY   STAT START   TIME COMMAND                 ps aux
 *   root  1803  0.0  0.0 123456  4242 ?     Ssl  May07   0:12 /usr/bin/nv-fabricmanager -c ...
 *   UID    PID  PPID  C STIME TTY       TIME CMD                                       ps -ef
 *   root  1240     1  0 May07 ?     00:00:03 nvidia-cuda-mps-server
 *
 * Columns are told by the heading; the last one is the command. Command lines of other programs are
 * not kept: they hold secrets. Source: procps-ng, src/ps. */
#include "parse/tool.h"

#include <stdio.h>

enum { COLUMNS = 24, WHOLE = 30, HUNG = 20 };

static const char *const daemons[] = {
	"nvidia-persistenced",	  "nv-fabricmanager", "nv-hostengine", "nvidia-cuda-mps-control",
	"nvidia-cuda-mps-server", "nvidia-imex",      "dcgm-exporter", "nvsm_core",
	"nvidia-gridd",		  "nvidia-powerd",    "Xorg",	       "gnome-shell"
};

enum { DAEMONS = sizeof(daemons) / sizeof(daemons[0]) };

struct ps {
	unsigned columns;	  /* 0: no heading yet */
	unsigned pid, stat, user; /* their places; COLUMNS: not there */
	unsigned processes, hung;
	bool init, running[DAEMONS];
};

static bool is_command_column(struct gpudx_sv s)
{
	return sv_is(s, "COMMAND") || sv_is(s, "CMD") || sv_is(s, "ARGS");
}

/* True for a line of column names with a pid, a command at the end. */
static bool scan_heading(struct gpudx_sv s, struct ps *p)
{
	struct gpudx_sv word = { NULL, 0 };
	unsigned n = 0;
	bool pid = false;

	p->pid = p->stat = p->user = COLUMNS;
	while (n < COLUMNS && sv_spaces(&s) && sv_token(&s, &word)) {
		for (size_t i = 0; i < word.n; i++)
			if (word.p[i] >= 'a' && word.p[i] <= 'z')
				return false;
		if (sv_is(word, "PID")) {
			p->pid = n;
			pid = true;
		} else if (sv_is(word, "STAT") || sv_is(word, "S")) {
			p->stat = n;
		}
		n++;
	}
	if (!pid || n < 3 || !is_command_column(word) || sv_blank(word))
		return false;
	p->columns = n;
	return true;
}

struct process {
	uint64_t pid;
	struct gpudx_sv stat, command;
};

static bool scan_process(const struct ps *p, struct gpudx_sv s, struct process *out)
{
	struct gpudx_sv word;
	bool pid = false;

	out->stat = sv_n(NULL, 0);
	for (unsigned n = 0; n + 1 < p->columns; n++) {
		if (!sv_spaces(&s) || !sv_token(&s, &word))
			return false;
		if (n == p->pid) {
			struct gpudx_sv d = word;

			if (!sv_u64(&d, &out->pid) || d.n)
				return false;
			pid = true;
		} else if (n == p->stat) {
			out->stat = word;
		}
	}
	out->command = sv_trim(s);
	return pid && out->command.n;
}

/* The tree that ps f and --forest draw in front. */
static struct gpudx_sv cut_tree(struct gpudx_sv s)
{
	while (s.n && (sv_is_space(s.p[0]) || s.p[0] == '\\' || s.p[0] == '|' || s.p[0] == '_'))
		s = sv_from(s, 1);
	return s;
}

static struct gpudx_sv program(struct gpudx_sv command)
{
	struct gpudx_sv s = cut_tree(command), word = { NULL, 0 };

	if (!sv_token(&s, &word))
		return word;
	for (size_t i = word.n; i > 0 && word.p[0] != '['; i--)
		if (word.p[i - 1] == '/')
			return sv_from(word, i);
	return word;
}

/* A process that waits in the kernel, uninterruptibly: often for a GPU that does not answer. */
static void put_hung(struct gpudx_ctx *c, struct ps *p, const struct process *proc)
{
	struct gpudx_sv name = sv_first(program(proc->command), 40);
	char text[80], key[40];

	if (p->hung++ >= HUNG)
		return;
	snprintf(key, sizeof(key), "process.uninterruptible.%llu", (unsigned long long)proc->pid);
	snprintf(text, sizeof(text), "%.*s", (int)name.n, name.p);
	gpudx_fact(c, 0, key, "ps", sv_str(text));
}

/* comm of the kernel ends after 15 letters. */
static bool is_daemon(struct gpudx_sv name, const char *daemon)
{
	return sv_is(name, daemon) ||
	       (name.n == 15 && strlen(daemon) > 15 && sv_starts(sv_str(daemon), "nv") &&
		memcmp(name.p, daemon, 15) == 0);
}

static void take(struct gpudx_ctx *c, struct ps *p, const struct process *proc)
{
	struct gpudx_sv name = program(proc->command);
	char key[48];

	p->processes++;
	p->init |= proc->pid == 1;
	/* Kernel threads stand in brackets; they wait like this at all times. */
	if (sv_starts(proc->stat, "D") && !sv_starts(name, "["))
		put_hung(c, p, proc);
	for (unsigned i = 0; i < DAEMONS; i++) {
		if (!is_daemon(name, daemons[i]))
			continue;
		p->running[i] = true;
		snprintf(key, sizeof(key), "daemon.%s", daemons[i]);
		gpudx_fact(c, 0, key, "ps", SV_LIT("running"));
	}
}

static enum gpudx_take ps_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct ps *p = gpudx_state(c), other = { 0 };
	struct process proc = { .pid = 0 };

	if (scan_heading(line, &other)) {
		p->columns = other.columns;
		p->pid = other.pid;
		p->stat = other.stat;
		return GPUDX_TAKEN;
	}
	if (!p->columns || !scan_process(p, line, &proc))
		return GPUDX_NOT_MINE;
	take(c, p, &proc);
	return GPUDX_TAKEN;
}

/* Of a list of all processes: who is not in it does not run. */
static void ps_finish(struct gpudx_ctx *c)
{
	struct ps *p = gpudx_state(c);
	char key[48];

	if (!p->init || p->processes < WHOLE || sv_has(gpudx_command(c), "|"))
		return;
	for (unsigned i = 0; i < DAEMONS; i++) {
		if (p->running[i])
			continue;
		snprintf(key, sizeof(key), "daemon.%s", daemons[i]);
		gpudx_fact(c, 0, key, "ps", SV_LIT("not running"));
	}
}

/* Of tables with such a heading only ps has a terminal, a state or a parent in them. */
static bool ps_starts(struct gpudx_sv line)
{
	struct ps p = { 0 };

	return scan_heading(line, &p) &&
	       (sv_has(line, " TTY ") || sv_has(line, " STAT ") || sv_has(line, " PPID "));
}

static int ps_bid(const struct gpudx_head *head)
{
	struct ps p = { 0 };

	for (size_t i = 0, seen = 0; i < head->n && seen < 5; i++) {
		struct gpudx_sv s = head->lines[i].text;

		if (sv_blank(s))
			continue;
		seen++;
		if (ps_starts(s))
			return 80;
		if (tool_is("ps", head->command, head->path) && scan_heading(s, &p))
			return 60;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_ps = {
	.name = "ps",
	.what = "ps: daemons of the GPU stack, processes that hang in the kernel",
	.bid = ps_bid,
	.starts = ps_starts,
	.line = ps_line,
	.finish = ps_finish,
	.state_size = sizeof(struct ps),
};
