#include "parse/diag.h"

#include <stdio.h>

static const struct {
	const char *text, *word;
	enum diag_status status;
} statuses[] = {
	{ "pass", "pass", DIAG_PASS },		{ "ok", "pass", DIAG_PASS },
	{ "skip", "skip", DIAG_SKIP },		{ "warn", "warn", DIAG_WARN },
	{ "fail", "fail", DIAG_FAIL },		{ "not_run", "not_run", DIAG_NOT_RUN },
	{ "not run", "not_run", DIAG_NOT_RUN }, { "notrun", "not_run", DIAG_NOT_RUN },
};

enum diag_status diag_status(struct gpudx_sv s)
{
	s = sv_ltrim(s);
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (sv_ilit(&s, statuses[i].text))
			return statuses[i].status;
	return DIAG_UNKNOWN;
}

static struct gpudx_sv status_word(enum diag_status status)
{
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (statuses[i].status == status)
			return sv_str(statuses[i].word);
	return SV_LIT("");
}

/* "Page Retirement/Row Remap" as diag.page_retirement_row_remap. */
static void test_key(char key[80], struct gpudx_sv test)
{
	size_t n = (size_t)snprintf(key, 80, "diag.");

	for (size_t i = 0; i < test.n && n < 79; i++) {
		if (sv_is_alpha(test.p[i]) || sv_is_digit(test.p[i]))
			key[n++] = sv_lower(test.p[i]);
		else if (key[n - 1] != '_' && key[n - 1] != '.')
			key[n++] = '_';
	}
	while (n && key[n - 1] == '_')
		n--;
	key[n] = '\0';
}

static void put_failure(struct gpudx_ctx *c, uint32_t ref, const struct diag_result *r)
{
	struct gpudx_event e = gpudx_event_of(SV_LIT("diag.failed"), gpudx_time(c), r->message);

	e.ref = ref;
	e.line = r->line;
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("test"), r->test };
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("result"), status_word(r->status) };
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("by"), sv_str(r->by) };
	if (r->message.n)
		e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("message"), r->message };
	if (r->error.n)
		e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("error"), r->error };
	gpudx_put_event(c, &e);
}

void diag_put(struct gpudx_ctx *c, uint32_t ref, const struct diag_result *r)
{
	char key[80];
	struct gpudx_fact f = { .ref = ref, .layer = sv_str(r->by), .line = r->line };

	if (r->status == DIAG_UNKNOWN || !r->test.n)
		return;
	test_key(key, r->test);
	f.key = sv_str(key);
	f.value = status_word(r->status);
	gpudx_put_fact(c, &f);
	if (r->status == DIAG_FAIL || r->status == DIAG_WARN)
		put_failure(c, ref, r);
}

void diag_put_list(struct gpudx_ctx *c, struct gpudx_sv gpus, const struct diag_result *r)
{
	unsigned n = 0;
	uint64_t v;

	while (gpus.n && n < 256) {
		if (sv_u64(&gpus, &v)) {
			if (v < 4096)
				diag_put(c, gpudx_ref_idx(c, (int32_t)v), r);
			n++;
		} else {
			gpus = sv_from(gpus, 1);
		}
	}
	if (!n)
		diag_put(c, 0, r);
}
