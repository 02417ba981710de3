/* `dcgmi diag -r N`:
 *
 *   Successfully ran diagnostic for group.
 *   +---------------------------+------------------------------------------------+
 *   | Diagnostic                | Result                                         |
 *   +===========================+================================================+
 *   |-----  Metadata  ----------+------------------------------------------------|
 *   | DCGM Version              | 3.3.1                                          |
 *   | Driver Version Detected   | 535.129.03                                     |
 *   |-----  Hardware  ----------+------------------------------------------------|
 *   | GPU Memory                | Fail - GPU: 2                                  |
 *   | Warning                   | GPU 2 Detected a DBE ... which goes on in      |
 *   |                           | the rows below                                 |
 *   | memory                    | Fail                                           |  DCGM 4
 *   |                           | GPU0: Pass                                     |
 *   |                           | GPU1: Fail                                     |
 *
 * Long results and messages are cut at the width of the cell, inside words too. Source:
 * dcgmi/Diag.cpp of NVIDIA/DCGM. */
#include "parse/dcgmi_box.h"
#include "parse/diag.h"

enum { TEXT = 1024, NAME = 96 };

struct diag_table {
	bool begun, metadata;
	/* the test at hand */
	char name[NAME], result[TEXT], message[TEXT];
	size_t name_n, result_n, message_n;
	uint32_t line;
	bool in_message, full; /* what a row without a name continues */
};

static void put_text(char *to, size_t size, size_t *n, struct gpudx_sv s, bool joined)
{
	if (*n && !joined && *n < size)
		to[(*n)++] = ' ';
	s = sv_first(s, size - *n);
	if (s.n)
		memcpy(to + *n, s.p, s.n);
	*n += s.n;
}

/* "GPU0: Pass GPU1: Fail" behind the word for all: each its own. False when it is no such list. */
static bool put_each(struct gpudx_ctx *c, struct diag_result *r, struct gpudx_sv result)
{
	enum diag_status all = r->status;
	bool any = false;
	uint64_t gpu;

	while (result.n) {
		size_t at = sv_find(result, "GPU");

		result = sv_from(result, at);
		if (!sv_lit(&result, "GPU") || !sv_spaces(&result) || !sv_u64(&result, &gpu) ||
		    !sv_char(&result, ':') || gpu >= 4096)
			continue;
		r->status = diag_status(result);
		diag_put(c, gpudx_ref_idx(c, (int32_t)gpu), r);
		any = true;
	}
	r->status = all;
	return any;
}

static void end_test(struct gpudx_ctx *c, struct diag_table *t)
{
	struct gpudx_sv result = sv_n(t->result, t->result_n);
	struct diag_result r = { .by = "dcgmi",
				 .status = diag_status(result),
				 .test = sv_n(t->name, t->name_n),
				 .message = sv_n(t->message, t->message_n),
				 .line = t->line };

	if (t->name_n && !put_each(c, &r, result))
		diag_put_list(c, sv_from(result, sv_find(result, "GPU")), &r);
	t->name_n = t->result_n = t->message_n = 0;
	t->in_message = false;
}

static void begin_test(struct gpudx_ctx *c, struct diag_table *t, struct gpudx_sv name,
		       struct gpudx_sv value)
{
	end_test(c, t);
	put_text(t->name, sizeof(t->name), &t->name_n, name, true);
	put_text(t->result, sizeof(t->result), &t->result_n, value, true);
	t->line = gpudx_this_line(c)->no;
	gpudx_cite(c);
}

static bool is_message(struct gpudx_sv name)
{
	static const char *const words[] = { "Warning", "Error", "Info" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_starts(name, words[i]) &&
		    (name.n == strlen(words[i]) || !sv_is_alpha(name.p[strlen(words[i])])))
			return true;
	return false;
}

static void metadata(struct gpudx_ctx *c, struct gpudx_sv name, struct gpudx_sv value)
{
	if (sv_is(name, "DCGM Version"))
		gpudx_fact(c, 0, "dcgm.version", "dcgmi", value);
	else if (sv_is(name, "Driver Version Detected"))
		gpudx_fact(c, 0, "driver.version", "nvml", value);
}

/* A row that goes on what stands above it. */
static void continued(struct diag_table *t, struct gpudx_sv value)
{
	if (!t->name_n)
		return;
	if (t->in_message)
		put_text(t->message, sizeof(t->message), &t->message_n, value, t->full);
	else
		put_text(t->result, sizeof(t->result), &t->result_n, value, t->full);
}

static enum gpudx_take row(struct gpudx_ctx *c, struct diag_table *t, struct gpudx_sv line)
{
	struct gpudx_sv name, value;
	bool full;

	if (!dcgmi_row(line, &name, &value, &full))
		return GPUDX_NOT_MINE;
	if (!name.n) {
		continued(t, value);
	} else if (t->metadata) {
		metadata(c, name, value);
	} else if (is_message(name)) {
		t->in_message = true;
		put_text(t->message, sizeof(t->message), &t->message_n, value, false);
	} else if (!sv_is(value, "Result")) {
		begin_test(c, t, name, value);
	}
	t->full = full;
	return GPUDX_TAKEN;
}

/* "-r 3" of the command is the level that was run. */
static void put_level(struct gpudx_ctx *c)
{
	struct gpudx_sv s = gpudx_command(c), word;

	while (sv_spaces(&s) && sv_token(&s, &word)) {
		if (!sv_is(word, "-r") && !sv_is(word, "--run"))
			continue;
		sv_spaces(&s);
		if (sv_token(&s, &word))
			gpudx_fact(c, 0, "diag.level", "dcgmi", word);
	}
}

/* "|-----  Hardware  ----------+------|", "+-----  Stress  ------------+------+" */
static bool group(struct gpudx_ctx *c, struct diag_table *t, struct gpudx_sv line)
{
	line = sv_trim(line);
	if (!sv_starts(line, "|-----  ") && !sv_starts(line, "+-----  "))
		return false;
	end_test(c, t);
	t->metadata = sv_has(line, " Metadata ");
	return true;
}

static enum gpudx_take diag_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct diag_table *t = gpudx_state(c);

	if (!t->begun)
		put_level(c);
	t->begun = true;
	if (dcgmi_rule(line) || group(c, t, line) ||
	    sv_starts(sv_ltrim(line), "Successfully ran diagnostic"))
		return GPUDX_TAKEN;
	return row(c, t, line);
}

static void diag_finish(struct gpudx_ctx *c)
{
	end_test(c, gpudx_state(c));
}

static bool is_title(struct gpudx_sv line)
{
	struct gpudx_sv name, value;
	bool full;

	return dcgmi_row(line, &name, &value, &full) && sv_is(name, "Diagnostic") &&
	       sv_is(value, "Result");
}

static bool diag_starts(struct gpudx_sv line)
{
	return sv_starts(line, "Successfully ran diagnostic") ||
	       (sv_starts(line, "| Diagnostic ") && is_title(line));
}

static int diag_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 200; i++)
		if (diag_starts(sv_ltrim(head->lines[i].text)))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_dcgmi_diag = {
	.name = "dcgmi-diag",
	.what = "dcgmi diag",
	.bid = diag_bid,
	.starts = diag_starts,
	.line = diag_line,
	.finish = diag_finish,
	.state_size = sizeof(struct diag_table),
};
