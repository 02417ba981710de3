/* A small case for tests of rules: one host "node1" with GPU 0 and GPU 1, four sources, and rules
 * made of a body and of what differs from a plain header. */
#ifndef RULES_CASE_H
#define RULES_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "rules/judge.h"
#include "store/store.h"

/* Sources of the case; AT(TRACE, 4) is line 4 of trace.csv. */
enum { TRACE = 1, DMESG = 2, SNAPSHOT = 3, FOREIGN = 4 };
#define AT(source, line) ((int64_t)(source) << 32 | (line))

struct rules_case {
	struct gpudx_store *store;
	sqlite3 *db;
	struct gpudx_ruleset *rules;
	struct gpudx_judge_in in;
	struct gpudx_judge_out out;
	struct gpudx_err err;
	char answer[4096];
};

static inline void run_sql(struct rules_case *c, const char *fmt, ...)
{
	char *sql, *message = NULL;
	va_list ap;

	va_start(ap, fmt);
	sql = sqlite3_vmprintf(fmt, ap);
	va_end(ap);
	if (sqlite3_exec(c->db, sql, NULL, NULL, &message) != SQLITE_OK)
		fail_msg("%s in: %s", message, sql);
	sqlite3_free(sql);
}

static const char rules_case_sql[] =
	"CREATE TABLE IF NOT EXISTS kb_xid(code, mnemonic, description, severity, action, rule);"
	"DROP TABLE IF EXISTS kb_fact_keys; CREATE TABLE kb_fact_keys(key, kind, scope);"
	"INSERT INTO kb_fact_keys VALUES('power.limit_w', 'fact', 'gpu'),"
	" ('driver.version', 'fact', 'host'), ('nvreg.*', 'fact', 'host'),"
	" ('fan.speed_pct', 'series', 'gpu');"
	"DROP TABLE IF EXISTS kb_event_kinds; CREATE TABLE kb_event_kinds(kind, scope, "
	"severity_hint);"
	"INSERT INTO kb_event_kinds VALUES('xid', 'gpu', NULL), ('kernel.panic', 'host', "
	"'critical');"
	"DROP TABLE IF EXISTS kb_episode_kinds; CREATE TABLE kb_episode_kinds(kind);"
	"INSERT INTO kb_episode_kinds VALUES('power_limit'), ('power_plateau'), ('busy');"
	"INSERT INTO bundle(id, label, digest, members, unread) VALUES(1, 'b', '', 4, 0),"
	" (2, 'other', '', 1, 0);"
	"INSERT INTO host(id, bundle_id, name, how) VALUES(1, 1, 'node1', ''), (2, 2, 'node2', '');"
	"INSERT INTO gpu(id, host_id, key, label, how) VALUES(1, 1, 'node1/gpu0', 'GPU 0', ''),"
	" (2, 1, 'node1/gpu1', 'GPU 1', ''), (3, 2, 'node2/gpu0', 'GPU 0', '');"
	"INSERT INTO source(id, bundle_id, host_id, path, status) VALUES(1, 1, 1, 'trace.csv', "
	"'read'),"
	" (2, 1, 1, 'dmesg.txt', 'read'), (3, 1, 1, 'nvidia-smi-q.txt', 'read'),"
	" (4, 2, 2, 'foreign.txt', 'read');";

static inline int rules_case_open(void **state)
{
	struct rules_case *c = calloc(1, sizeof(*c));

	assert_non_null(c);
	assert_int_equal(gpudx_store_create(NULL, &c->store, &c->err), GPUDX_OK);
	c->db = gpudx_store_db(c->store);
	run_sql(c, "%s", rules_case_sql);
	assert_int_equal(gpudx_ruleset_new(&c->rules, &c->err), GPUDX_OK);
	c->in = (struct gpudx_judge_in){ .bundle = 1,
					 .at_us = GPUDX_NO_TIME,
					 .since_us = GPUDX_NO_TIME,
					 .until_us = GPUDX_NO_TIME };
	*state = c;
	return 0;
}

static inline int rules_case_close(void **state)
{
	struct rules_case *c = *state;

	gpudx_ruleset_free(c->rules);
	gpudx_store_close(c->store);
	free(c);
	return 0;
}

static const char *const plain_header[][2] = {
	{ "title", "a test" },	    { "scope", "bundle" },
	{ "severity", "warning" },  { "symptom", "none" },
	{ "kind", "fault" },	    { "points", "unknown" },
	{ "shows", "effect" },	    { "needs", "none" },
	{ "summary", "something" }, { "meaning", "of note" },
	{ "action", "watch" },	    { "remedy", "look" },
	{ "refs", "none" },	    { "falsepositives", "none known" },
};

/* id, then the plain header but for the keys that header has, then header and body. */
static inline void rule_text(struct gpudx_buf *b, const char *id, const char *header,
			     const char *body)
{
	gpudx_buf_printf(b, "-- id: %s\n", id);
	for (size_t i = 0; i < sizeof(plain_header) / sizeof(plain_header[0]); i++) {
		char key[40];

		snprintf(key, sizeof(key), "-- %s:", plain_header[i][0]);
		if (!strstr(header, key))
			gpudx_buf_printf(b, "%s %s\n", key, plain_header[i][1]);
	}
	gpudx_buf_printf(b, "%s%s", header, body);
	assert_false(b->failed);
}

/* Adds rule "family.name". */
static inline void add_rule(struct rules_case *c, const char *id, const char *header,
			    const char *body)
{
	struct gpudx_buf text = { .max = 1 << 20 };
	const char *dot = strchr(id, '.');
	char path[200];

	snprintf(path, sizeof(path), "rules/%.*s/%s.sql", (int)(dot - id), id, dot + 1);
	rule_text(&text, id, header, body);
	assert_int_equal(gpudx_ruleset_add(c->rules, path, sv_n(text.p, text.n), &c->err),
			 GPUDX_OK);
	gpudx_buf_free(&text);
}

/* The rows of the six columns that every rule gives, dated t0 .. t1 seconds; GPU 0 = NULL. */
#define ROW(gpu, t0, t1, line)                                                                 \
	"SELECT 1 AS host_id, nullif(" #gpu ", 0) AS gpu_id, " #t0 " * 1000000 AS t0_us, " #t1 \
	" * 1000000 AS t1_us, 0.7 AS confidence, "                                             \
	"json_array(" #line ") AS evidence"

static inline void judge(struct rules_case *c)
{
	enum gpudx_status rc = gpudx_ruleset_finish(c->rules, &c->err);

	if (!rc)
		rc = gpudx_judge(c->db, c->rules, &c->in, &c->out, &c->err);
	if (rc)
		fail_msg("%s (%s)", c->err.text[0], c->err.depth > 1 ? c->err.text[1] : "");
}

/* The first column of all rows, separated by blanks; "" when there is none. */
static inline const char *ask(struct rules_case *c, const char *fmt, ...)
{
	sqlite3_stmt *st;
	size_t n = 0;
	va_list ap;
	char *sql;

	va_start(ap, fmt);
	sql = sqlite3_vmprintf(fmt, ap);
	va_end(ap);
	if (sqlite3_prepare_v2(c->db, sql, -1, &st, NULL) != SQLITE_OK)
		fail_msg("%s in: %s", sqlite3_errmsg(c->db), sql);
	c->answer[0] = '\0';
	while (sqlite3_step(st) == SQLITE_ROW && n < sizeof(c->answer)) {
		const char *v = (const char *)sqlite3_column_text(st, 0);

		n += (size_t)snprintf(c->answer + n, sizeof(c->answer) - n, "%s%s", n ? " " : "",
				      v ? v : "NULL");
	}
	sqlite3_finalize(st);
	sqlite3_free(sql);
	return c->answer;
}

#endif
