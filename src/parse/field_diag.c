/* NVIDIA's field and partner diagnostics (MODS) and the EUD that DCGM runs, as far as their logs
 * have been seen: results by test, the code of the error, the end.
 *
 *   MODS start: Thu Mar 31 19:57:56 2022
 *   Command Line : gpugen.js -readspec ...
 *   Exit 020000083062 : Test 242 LwvidLWDEC HW ECC error [12.345 seconds]
 *   Exit 000000000000 : CheckConfig ok [0.1 seconds]
 *   Error Code = 020000083062 (HW ECC error)
 *   Testing gpustress FAIL [ 2:04s ]
 *   Final Result: FAIL */
#include "parse/diag.h"

/* "020000083062": the last three digits say what failed, all zero is no error. */
static bool scan_code(struct gpudx_sv *s, struct gpudx_sv *code, bool *failed)
{
	size_t n = 0;

	*failed = false;
	while (n < s->n && sv_is_digit(s->p[n])) {
		*failed |= s->p[n] != '0';
		n++;
	}
	if (n < 6 || n > 16)
		return false;
	*code = sv_first(*s, n);
	*s = sv_from(*s, n);
	return true;
}

/* "Exit 020000083062 : NAME TEXT [12.3 seconds]" */
static bool exit_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct diag_result r = { .by = "field" };
	struct gpudx_sv rest;
	bool failed;

	if (!sv_lit(&s, "Exit ") || !sv_spaces(&s) || !scan_code(&s, &r.error, &failed) ||
	    !sv_spaces(&s) || !sv_char(&s, ':'))
		return false;
	s = sv_trim(s);
	rest = s;
	if (!sv_token(&rest, &r.test))
		return false;
	r.status = failed ? DIAG_FAIL : DIAG_PASS;
	r.message = failed ? s : SV_LIT("");
	if (!failed)
		r.error = SV_LIT("");
	if (c)
		diag_put(c, 0, &r);
	return true;
}

/* "Testing gpustress FAIL [ 2:04s ]", "Testing Inventory ..... OK" */
static bool testing_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct diag_result r = { .by = "field" };

	if (!sv_lit(&s, "Testing ") || !sv_token(&s, &r.test))
		return false;
	while (s.n && (sv_is_space(s.p[0]) || s.p[0] == '.'))
		s = sv_from(s, 1);
	r.status = diag_status(s);
	r.message = r.status == DIAG_FAIL ? sv_rtrim(s) : SV_LIT("");
	if (r.status != DIAG_UNKNOWN && c)
		diag_put(c, 0, &r);
	return r.status != DIAG_UNKNOWN;
}

/* "Error Code = 020000083062 (HW ECC error)", "Final Result: FAIL" */
static bool end_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct diag_result r = { .by = "field" };
	bool failed;

	if (sv_lit(&s, "Error Code = ") && scan_code(&s, &r.error, &failed)) {
		r.test = SV_LIT("error code");
		r.status = failed ? DIAG_FAIL : DIAG_PASS;
		r.message = sv_trim(s);
	} else if (sv_lit(&s, "Final Result:")) {
		r.test = SV_LIT("final result");
		r.status = diag_status(s);
		r.message = sv_trim(s);
	} else {
		return false;
	}
	if (c)
		diag_put(c, 0, &r);
	return true;
}

static bool is_frame(struct gpudx_sv s)
{
	static const char *const starts[] = { "MODS start:",	"MODS end",	  "Command Line",
					      "Enter ",		"Driver Version", "Version",
					      "Foreign Version" };

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (sv_starts(s, starts[i]))
			return true;
	return false;
}

static enum gpudx_take field_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line);

	if (exit_line(c, s) || testing_line(c, s) || end_line(c, s) || is_frame(s))
		return GPUDX_TAKEN;
	return GPUDX_NOT_MINE;
}

/* MODS names itself; else a result and an end must be there. */
static int field_bid(const struct gpudx_head *head)
{
	bool mods = false, result = false, end = false;

	for (size_t i = 0; i < head->n; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		mods |= sv_starts(s, "MODS start:") || sv_starts(s, "MODS-");
		result |= exit_line(NULL, s) || testing_line(NULL, s);
		end |= end_line(NULL, s);
	}
	return mods && (result || end) ? 70 : result && end ? 60 : 0;
}

static bool field_starts(struct gpudx_sv line)
{
	return sv_starts(line, "MODS start:");
}

const struct gpudx_parser gpudx_parser_field_diag = {
	.name = "field-diag",
	.what = "logs of NVIDIA's field diagnostics (MODS) and EUD",
	.bid = field_bid,
	.starts = field_starts,
	.line = field_line,
};
