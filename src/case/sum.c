/* What a caller wants to know of a judged bundle without reading the report. */
#include "case/case.h"

#include "base/buf.h"
#include "base/stamp.h"
#include "base/utf8.h"
#include "rules/words.h"

enum { SHOWN_MAX = 8192 };

bool gpudx_severity_by_name(const char *name, enum gpudx_severity *out)
{
	int i = gpudx_word_rank(GPUDX_W_SEVERITY, sv_str(name));

	*out = i < 0 ? GPUDX_INFO : (enum gpudx_severity)i;
	return i >= 0;
}

bool gpudx_action_by_name(const char *name, enum gpudx_action *out)
{
	int i = gpudx_word_rank(GPUDX_W_ACTION, sv_str(name));

	*out = i < 0 ? GPUDX_ACTION_NONE : (enum gpudx_action)i;
	return i >= 0;
}

static void sum_finding(sqlite3_stmt *st, struct gpudx_judged *out)
{
	int severity = gpudx_word_rank(GPUDX_W_SEVERITY, gpudx_col_text(st, 0));
	int action = gpudx_word_rank(GPUDX_W_ACTION, gpudx_col_text(st, 1));

	if (severity >= 0 && severity < (int)out->worst)
		out->worst = (enum gpudx_severity)severity;
	if (action >= 0 && sqlite3_column_int(st, 2))
		out->actions |= 1u << action;
}

enum gpudx_status gpudx_case_sum_up(struct gpudx_case *c, int64_t bundle, struct gpudx_judged *out,
				    struct gpudx_err *err)
{
	static const char sql[] = "SELECT severity, action, state NOT IN ('cured', 'history')"
				  " FROM finding WHERE bundle_id = ?";
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(gpudx_store_db(c->store), sql, &st, err);
	bool row = true;

	if (rc)
		return rc;
	out->worst = GPUDX_INFO;
	sqlite3_bind_int64(st, 1, bundle);
	while (!(rc = gpudx_db_step(st, &row, err)) && row)
		sum_finding(st, out);
	sqlite3_finalize(st);
	return rc;
}

enum gpudx_status gpudx_case_broken_rules(struct gpudx_case *c,
					  void (*each)(void *arg, const char *rule,
						       const char *message),
					  void *arg, struct gpudx_err *err)
{
	static const char sql[] = "SELECT rule, coalesce(message, 'is broken') FROM rule_run"
				  " WHERE outcome = 'error' GROUP BY rule ORDER BY rule";
	struct gpudx_buf rule = { .max = SHOWN_MAX }, message = { .max = SHOWN_MAX };
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(gpudx_store_db(c->store), sql, &st, err);
	bool row = true;

	if (rc)
		return rc;
	while (!(rc = gpudx_db_step(st, &row, err)) && row) {
		gpudx_buf_clear(&rule);
		gpudx_buf_clear(&message);
		gpudx_utf8_show(&rule, gpudx_col_text(st, 0));
		gpudx_utf8_show(&message, gpudx_col_text(st, 1));
		each(arg, gpudx_buf_cstr(&rule), gpudx_buf_cstr(&message));
	}
	sqlite3_finalize(st);
	gpudx_buf_free(&rule);
	gpudx_buf_free(&message);
	return rc;
}

enum gpudx_status gpudx_parse_time(const char *text, int64_t *out, struct gpudx_err *err)
{
	struct gpudx_sv s = sv_trim(sv_str(text)), c = s;
	struct gpudx_stamp t;

	if (gpudx_scan_iso(&c, &t) && !c.n) {
		*out = t.t_us;
		return GPUDX_OK;
	}
	c = s;
	if (gpudx_scan_ymd_hms(&c, out) && !c.n)
		return GPUDX_OK;
	return gpudx_fail(err, GPUDX_E_USAGE,
			  "%s: not a time like 2026-01-13T10:26:33 or 2026-01-13T10:26:33+01:00",
			  text);
}
