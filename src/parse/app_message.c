/* Any text in which a program says that it cannot work with this driver, or which library it has:
 *
 *   UserWarning: CUDA initialization: The NVIDIA driver on your system is too old (found version ...
 *   nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.4, please update ...
 *
 * What the messages are is data: rules/signatures/app.tsv. Here stand only their few words, so that
 * a text is looked at at all: a trial sees no marks of the finder. A unit test keeps both together.
 * They begin with rare letters, because every line that nobody takes is searched for them.
 * Only lines with these words are matched; a log that quotes the kernel is no kernel log. */
#include "parse/parser.h"

static const char *const words[] = {
	"your system is too old (found version",
	"version is insufficient for CUDA",
	"unsatisfied condition: ",
	"NVIDIA Driver Release ",
	"NCCL version ",
	"LLM API server version ",
	"LLM engine (v",
	"Loaded cuDNN version ",
	"[TensorRT v",
	"TensorRT version: ",
	"TensorRT-LLM version: ",
	"Bad return status for module build",
	"Your kernel headers for kernel ",
};

static bool has_words(struct gpudx_sv line)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_has(line, words[i]))
			return true;
	return false;
}

/* "2024-05-01 10:00:00 ...", "[2024-05-01T10:00:00Z ...": the stamp that a log puts in front. */
static struct gpudx_stamp leading_stamp(struct gpudx_sv line)
{
	struct gpudx_stamp none = { .t_us = GPUDX_NO_TIME, .mono_us = GPUDX_NO_TIME }, t = none;

	sv_char(&line, '[');
	if (gpudx_scan_iso(&line, &t))
		return t;
	t = none;
	if (!gpudx_scan_ymd_hms(&line, &t.t_us))
		return none;
	t.kind = GPUDX_STAMP_LOCAL;
	return t;
}

static enum gpudx_take app_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_stamp stamp;

	if (!has_words(line))
		return GPUDX_NOT_MINE;
	stamp = leading_stamp(line);
	gpudx_match(c, line, &stamp);
	return GPUDX_TAKEN;
}

static int app_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n; i++)
		if (has_words(head->lines[i].text))
			return 40;
	return 0;
}

const struct gpudx_parser gpudx_parser_app_message = {
	.name = "app-message",
	.what = "any text with a program's complaint about driver or CUDA, or its versions",
	.bid = app_bid,
	.starts = has_words,
	.line = app_line,
	.flags = GPUDX_P_FIND | GPUDX_P_ASIDE | GPUDX_P_RESUMES,
};
