/* The log of a training job or an inference server: PyTorch, NCCL, TensorFlow, JAX, Triton, vLLM,
 * TensorRT, the fabric manager, one of them or many mixed, with ranks in front or without:
 *
 *   [rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.
 *
 * What messages mean is data (rules/signatures/framework.tsv, app.tsv); prefixes are in app_prefix.c,
 * what says how fast it goes in app_series.c, and
 * whose a line is app_host.c. Lines without any of that are left to others: jobs
 * print the output of nvidia-smi into their logs. */
#include "parse/app_host.h"
#include "parse/app_prefix.h"
#include "parse/app_series.h"
#include "parse/app_words.h"
#include "parse/parser.h"

enum { LOOKED_AT = 400 };

struct app_log {
	struct app_years years;
	struct app_hosts hosts;
	int64_t count;		    /* lines of series */
	bool trace;		    /* inside a Python traceback */
	bool utc;		    /* that its clock is UTC was said */
	enum gpudx_stamp_kind best; /* of the stamps so far: series have times of one kind only */
};

/* Lines of a traceback and what stands around it; they belong to the message that ends it. */
static bool is_trace(struct gpudx_sv message)
{
	return sv_starts(message, "Traceback (most recent call last)") ||
	       sv_starts(message, "File \"") ||
	       sv_starts(message, "During handling of the above exception") ||
	       sv_starts(message, "The above exception was the direct cause");
}

/* The statements that a traceback shows are indented, whatever stands in front of them; the message at
 * its end is not. They hold texts of errors that did not come. */
static bool is_statement(struct app_log *a, struct gpudx_sv line, struct gpudx_sv message)
{
	struct gpudx_sv text = sv_ltrim(message);
	bool indented = text.p - line.p >= 2 && sv_is_space(text.p[-1]) && sv_is_space(text.p[-2]);

	if (is_trace(text))
		a->trace = true;
	else if (!indented)
		a->trace = false;
	return a->trace && indented;
}

/* The stamp of a line: its own, or else the last one of the log, which it was written after. */
static struct gpudx_stamp line_time(struct gpudx_ctx *c, struct app_log *a,
				    const struct app_line *l)
{
	if (l->stamp.kind == GPUDX_STAMP_NONE)
		return gpudx_time(c);
	if (l->stamp.kind >= a->best) {
		a->best = l->stamp.kind;
		gpudx_now(c, l->stamp.kind, l->stamp.t_us);
	}
	return l->stamp;
}

/* slurmstepd says when it ended a job in the line itself, in local time. That is of the event alone:
 * the log may count otherwise. */
static void cancelled_at(struct gpudx_sv message, struct gpudx_stamp *stamp)
{
	struct gpudx_stamp t;
	struct gpudx_sv before;

	if (sv_until(&message, " CANCELLED AT ", &before) && gpudx_scan_iso(&message, &t))
		*stamp = t;
}

/* A log that quotes the kernel is no kernel log: when it happened is not said here. */
static bool quotes_kernel(struct gpudx_sv message)
{
	return sv_has(message, "NVRM: ") || sv_has(message, "Xid (PCI:");
}

static enum gpudx_take app_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct app_log *a = gpudx_state(c);
	struct gpudx_stamp stamp;
	struct app_line l;
	bool known, hit;

	if (quotes_kernel(line))
		return GPUDX_NOT_MINE;
	app_peel(&a->years, line, &l);
	stamp = line_time(c, a, &l);
	if (l.stamp.kind == GPUDX_STAMP_NONE)
		cancelled_at(l.message, &stamp);
	app_of_host(c, &a->hosts, &l, gpudx_this_line(c)->flags & GPUDX_LINE_HIT);
	if (l.utc && !a->utc) {
		gpudx_put_anchor(c, &(struct gpudx_anchor){ .kind = SV_LIT("utc"),
							    .mono_us = GPUDX_NO_TIME,
							    .local_us = GPUDX_NO_TIME,
							    .utc_us = GPUDX_NO_TIME });
		a->utc = true;
	}
	if (is_statement(a, line, l.message))
		return GPUDX_TAKEN;
	hit = gpudx_match(c, l.message, &stamp);
	known = app_series(c, l.message, gpudx_time(c).t_us, &a->count);
	return l.stamped || hit || known || is_trace(sv_ltrim(l.message)) ||
			       app_has_words(l.message)
		       ? GPUDX_TAKEN
		       : GPUDX_NOT_MINE;
}

/* "raise RuntimeError(...)": what a program would say. */
static bool is_code(struct gpudx_sv message)
{
	return sv_starts(message, "raise ") || sv_starts(message, "assert ") ||
	       sv_starts(message, "print(") || sv_starts(message, "warnings.warn(");
}

static bool app_starts(struct gpudx_sv line)
{
	struct app_line l;
	int64_t count = 0;

	if (is_code(sv_ltrim(line)))
		return false;
	app_peel(NULL, line, &l);
	return l.sure || app_series(NULL, l.message, GPUDX_NO_TIME, &count) || app_has_words(line);
}

/* 60 when most lines are of such loggers, 45 when something in it can be of nothing else. A stamp
 * alone says nothing: all the world's logs have them. */
static int app_bid(const struct gpudx_head *head)
{
	size_t lines = 0, stamped = 0, sure = 0;

	for (size_t i = 0; i < head->n && lines < LOOKED_AT; i++) {
		struct app_line l;

		if (sv_blank(head->lines[i].text))
			continue;
		app_peel(NULL, head->lines[i].text, &l);
		lines++;
		stamped += l.stamped;
		sure += app_starts(head->lines[i].text);
	}
	if (!sure)
		return 0;
	return stamped * 2 > lines && sure * 4 > lines ? 60 : 45;
}

const struct gpudx_parser gpudx_parser_app_log = {
	.name = "app-log",
	.what = "logs of jobs and servers: PyTorch, NCCL, TensorFlow, JAX, Triton, vLLM, fabric "
		"manager",
	.bid = app_bid,
	.starts = app_starts,
	.line = app_line,
	.state_size = sizeof(struct app_log),
	.flags = GPUDX_P_FIND | GPUDX_P_RESUMES | GPUDX_P_ASIDE | GPUDX_P_TASKS,
};
