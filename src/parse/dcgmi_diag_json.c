/* `dcgmi diag -j`, the words in front of it included, of DCGM 2 to 4:
 *
 *   {"DCGM GPU Diagnostic": {"test_categories": [{"category": "Hardware", "tests": [{"name":
 *   "Memory", "results": [{"gpu_ids": "0,1", "status": "FAIL", "warnings": "..."}]}]}]},
 *    "Driver Version Detected": "535.129.03", "version": "3.3.1"}
 *   {"DCGM Diagnostic": {"test_categories": [{"tests": [{"name": "memory", "results":
 *   [{"entity_group": "GPU", "entity_id": 0, "status": "Fail", "warnings": [{"warning": "...",
 *   "error_id": 28}]}], "test_summary": {"status": "Fail"}}]}]}, "metadata": {...}}
 *
 * Source: dcgmi/DcgmDiagResponse and nvvs of NVIDIA/DCGM. */
#include "base/json.h"
#include "parse/diag.h"

#include <stdio.h>

enum { TEXT = 1024 };

struct text {
	size_t n;
	char s[TEXT];
};

struct diag_json {
	struct gpudx_json json;
	bool begun, told;
	bool results; /* the test has had results of its own */
	struct text test, gpus, status, message, error, group;
	uint32_t line; /* of the status */
};

enum place { NAME, RESULT, GPUS, GROUP, STATUS, SUMMARY, WARNING, ERROR_ID, DCGM, DRIVER, NOWHERE };

static const struct {
	const char *path;
	enum place place;
} places[] = {
	{ "**.tests[].name", NAME },
	{ "**.results[]", RESULT },
	{ "**.results[].gpu_ids", GPUS },
	{ "**.results[].gpu_id", GPUS },
	{ "**.results[].entity_id", GPUS },
	{ "**.results[].entity_group", GROUP },
	{ "**.results[].status", STATUS },
	{ "**.tests[].test_summary.status", SUMMARY },
	{ "**.results[].warnings", WARNING },
	{ "**.results[].warnings[]", WARNING },
	{ "**.results[].warnings[].warning", WARNING },
	{ "**.results[].warnings[].error_id", ERROR_ID },
	{ "**.version", DCGM },
	{ "**.DCGM version", DCGM },
	{ "**.Driver Version Detected", DRIVER },
};

static struct gpudx_sv view(const struct text *t)
{
	return sv_n(t->s, t->n);
}

static void set(struct text *t, struct gpudx_sv s)
{
	s = sv_first(s, sizeof(t->s));
	memcpy(t->s, s.p, s.n);
	t->n = s.n;
}

/* Several warnings of a result are one message. */
static void add(struct text *t, struct gpudx_sv s)
{
	if (t->n && t->n + 2 < sizeof(t->s)) {
		memcpy(t->s + t->n, "; ", 2);
		t->n += 2;
	}
	s = sv_first(s, sizeof(t->s) - t->n);
	memcpy(t->s + t->n, s.p, s.n);
	t->n += s.n;
}

static void begin_result(struct diag_json *d)
{
	d->gpus.n = d->status.n = d->message.n = d->error.n = d->group.n = 0;
	d->line = 0;
	d->results = true;
}

static void put(struct gpudx_ctx *c, struct diag_json *d, struct gpudx_sv gpus)
{
	struct diag_result r = { .by = "dcgmi",
				 .status = diag_status(view(&d->status)),
				 .test = view(&d->test),
				 .message = view(&d->message),
				 .error = view(&d->error),
				 .line = d->line };

	diag_put_list(c, gpus, &r);
}

static void end_result(struct gpudx_ctx *c, struct diag_json *d)
{
	bool gpu = !d->group.n || sv_is(view(&d->group), "GPU");

	put(c, d, gpu ? view(&d->gpus) : SV_LIT(""));
}

static void take_status(struct gpudx_ctx *c, struct diag_json *d)
{
	set(&d->status, d->json.text);
	d->line = gpudx_this_line(c)->no;
	gpudx_cite(c);
}

static enum place place_of(const struct gpudx_json *j)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (gpudx_json_at(j, places[i].path))
			return places[i].place;
	return NOWHERE;
}

static void value(struct gpudx_ctx *c, struct diag_json *d, enum place place)
{
	struct gpudx_sv text = d->json.text;

	if (place == NAME) {
		set(&d->test, text);
		d->results = false;
	} else if (place == GPUS) {
		set(&d->gpus, text);
	} else if (place == GROUP) {
		set(&d->group, text);
	} else if (place == STATUS) {
		take_status(c, d);
	} else if (place == WARNING) {
		add(&d->message, text);
	} else if (place == ERROR_ID) {
		set(&d->error, text);
	} else if (place == SUMMARY && !d->results) {
		begin_result(d);
		take_status(c, d);
		put(c, d, SV_LIT(""));
	} else if (place == DCGM) {
		gpudx_fact(c, 0, "dcgm.version", "dcgmi", text);
	} else if (place == DRIVER) {
		gpudx_fact(c, 0, "driver.version", "nvml", text);
	}
}

static void token(struct gpudx_ctx *c, struct diag_json *d)
{
	enum gpudx_json_kind kind = d->json.kind;
	enum place place;

	if (kind == GPUDX_JSON_KEY || kind == GPUDX_JSON_ARRAY || kind == GPUDX_JSON_ARRAY_END ||
	    kind == GPUDX_JSON_LITERAL)
		return;
	place = place_of(&d->json);
	if (place == RESULT && kind == GPUDX_JSON_OBJECT)
		begin_result(d);
	else if (place == RESULT && kind == GPUDX_JSON_OBJECT_END)
		end_result(c, d);
	else if (kind == GPUDX_JSON_STRING || kind == GPUDX_JSON_NUMBER)
		value(c, d, place);
}

static enum gpudx_take diag_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct diag_json *d = gpudx_state(c);
	bool whole = gpudx_json_whole(&d->json);

	if (d->told || (whole && !sv_starts(sv_ltrim(line), "{")))
		return GPUDX_NOT_MINE;
	gpudx_json_feed(&d->json, line, !(gpudx_this_line(c)->flags & GPUDX_LINE_CUT));
	while (gpudx_json_next(&d->json))
		token(c, d);
	if (!d->json.error)
		return GPUDX_TAKEN;
	d->told = true;
	return gpudx_reject(c, d->json.error);
}

static void diag_finish(struct gpudx_ctx *c)
{
	struct diag_json *d = gpudx_state(c);

	if (!d->told && !gpudx_json_whole(&d->json))
		gpudx_reject(c, "the document ends in its middle");
}

static int diag_bid(const struct gpudx_head *head)
{
	bool title = false, tests = false;

	for (size_t i = 0; i < head->n && !(title && tests); i++) {
		struct gpudx_sv s = head->lines[i].text;

		title |= sv_has(s, "\"DCGM GPU Diagnostic\"") || sv_has(s, "\"DCGM Diagnostic\"");
		tests |= sv_has(s, "\"test_categories\"");
	}
	return title && tests ? 80 : 0;
}

const struct gpudx_parser gpudx_parser_dcgmi_diag_json = {
	.name = "dcgmi-diag-json",
	.what = "dcgmi diag -j",
	.bid = diag_bid,
	.line = diag_line,
	.finish = diag_finish,
	.state_size = sizeof(struct diag_json),
	.flags = GPUDX_P_BYTES,
};
