/* What the knowledge base says of a code that somebody read in a log: Xid, SXid, or the triple of
 * RmInitAdapter. The answer is a list of headed paragraphs, each a query. */
#include "gpudx/gpudx.h"

#include "base/sv.h"
#include "store/store.h"

enum { WIDTH = 100, INDENT = 14 };

/* Each row of a query is a paragraph; ?1 is the code, or the stage, ?2 the status of a triple. */
struct topic {
	const char *heading;
	const char *sql;
};

#define ACTION(column)                                                                        \
	"CASE " column                                                                        \
	" WHEN 'none' THEN 'nothing' WHEN 'watch' THEN 'watch whether it comes again'"        \
	" WHEN 'restart_app' THEN 'restart the program' WHEN 'restart_service' THEN"          \
	" 'restart the service' WHEN 'reset_gpu' THEN 'reset the GPU'"                        \
	" WHEN 'reboot_node' THEN 'reboot the node' WHEN 'power_cycle' THEN"                  \
	" 'power the machine off and on' WHEN 'drain_rma_candidate' THEN"                     \
	" 'drain it: a candidate for replacement' WHEN 'fix_host' THEN 'look at the machine'" \
	" WHEN 'fix_config' THEN 'look at the configuration'"                                 \
	" ELSE 'collect a bug report and ask the vendor' END"

#define NEIGHBOURS(mine, other)                                                                  \
	"SELECT group_concat(name, ', ') FROM (SELECT DISTINCT CASE " other "_kind WHEN 'xid'"   \
	" THEN 'Xid ' || " other "_code WHEN 'sxid' THEN 'SXid' ELSE " other "_kind END AS name" \
	" FROM kb_chains WHERE " mine "_kind = 'xid' AND " mine "_code = ?1"                     \
	" ORDER BY " other "_kind <> 'xid', " other "_code, " other "_kind)"

static const struct topic xid_topics[] = {
	{ NULL,
	  "SELECT 'Xid ' || code || ': ' || description || coalesce(' (' || mnemonic || ')', '')"
	  " FROM kb_xid WHERE code = ?1" },
	{ "how bad",
	  "SELECT severity || ', ' || replace(category, '_', ' ') FROM kb_xid WHERE code = ?1" },
	{ "causes", "SELECT replace(replace(likely_causes, ',', ', '), '_', ' ') FROM kb_xid"
		    " WHERE code = ?1 AND likely_causes IS NOT NULL" },
	{ "do", "SELECT " ACTION("action") " FROM kb_xid WHERE code = ?1" },
	{ "verdicts",
	  "SELECT 'NVIDIA: ' || coalesce(nvidia_immediate, 'not published') ||"
	  " coalesce(', then ' || nvidia_followup, '') FROM kb_xid WHERE code = ?1"
	  " UNION ALL SELECT author || ': ' || verdict FROM kb_xid_verdict WHERE code = ?1" },
	{ "branches",
	  "SELECT mnemonic || ': ' || replace(branches, ',', ', ') FROM kb_xid_by_branch"
	  " WHERE code = ?1" },
	{ "since", "SELECT first_seen FROM kb_xid WHERE code = ?1" },
	{ "follows", NEIGHBOURS("effect", "cause") },
	{ "then", NEIGHBOURS("cause", "effect") },
	{ "note", "SELECT note FROM kb_xid WHERE code = ?1" },
	{ "rule", "SELECT 'gpudx rules show ' || rule FROM kb_xid WHERE code = ?1" },
	{ "source", "SELECT source FROM kb_xid WHERE code = ?1" },
};

static const struct topic sxid_topics[] = {
	{ NULL, "SELECT 'SXid ' || code || ': ' || name FROM kb_sxid WHERE code = ?1" },
	{ "text", "SELECT text FROM kb_sxid WHERE code = ?1" },
	{ "unit", "SELECT replace(unit, '_', ' ') FROM kb_sxid WHERE code = ?1" },
	{ "reaches",
	  "SELECT CASE reach WHEN 'fabric' THEN 'the whole switch and all jobs on it'"
	  " WHEN 'port' THEN 'one link and who uses it' WHEN 'none' THEN 'nothing else' END"
	  " || '; the word Fatal or Non-fatal of the line decides' FROM kb_sxid WHERE code = ?1" },
	{ "do", "SELECT " ACTION("action") " FROM kb_sxid WHERE code = ?1" },
	{ "guide", "SELECT 'Fabric Manager guide: ' || replace(guide, '_', '-') FROM kb_sxid WHERE "
		   "code = ?1" },
	{ "since", "SELECT first_seen FROM kb_sxid WHERE code = ?1" },
	{ "note", "SELECT note FROM kb_sxid WHERE code = ?1" },
	{ "rule", "SELECT 'gpudx rules show fabric.sxid' FROM kb_sxid WHERE code = ?1" },
	{ "source", "SELECT source FROM kb_sxid WHERE code = ?1" },
};

#define STAGE " FROM kb_rm_init WHERE stage = printf('0x%02x', ?1)"
#define STATUS " FROM kb_nv_status WHERE status = printf('0x%02x', ?2)"

static const struct topic rminit_topics[] = {
	{ NULL, "SELECT 'RmInitAdapter ' || stage || ': stopped at ' || step" STAGE },
	{ "means", "SELECT meaning" STAGE },
	{ "status", "SELECT status || ' ' || name || ': ' || meaning" STATUS },
	{ "do", "SELECT " ACTION("coalesce((SELECT action" STATUS "), action)") STAGE },
	{ "advice", "SELECT advice" STAGE },
	{ "points at", "SELECT coalesce((SELECT points" STATUS "), points)" STAGE },
	{ "rule", "SELECT 'gpudx rules show driver.init-failed'" STAGE },
	{ "source", "SELECT source || coalesce((SELECT '; ' || source" STATUS "), '')" STAGE },
};

#define TOPICS(t) t, sizeof(t) / sizeof((t)[0])

/* Breaks at blanks; a word that is too long stands out. */
static void print_wrapped(FILE *out, struct gpudx_sv text, size_t indent)
{
	size_t column = indent;
	struct gpudx_sv word;

	while (sv_cell(&text, ' ', &word)) {
		if (column > indent && column + 1 + word.n > WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			putc(' ', out);
			column++;
		}
		fwrite(word.p, 1, word.n, out);
		column += word.n;
	}
	putc('\n', out);
}

static void print_paragraph(FILE *out, const struct topic *t, bool first, struct gpudx_sv text)
{
	if (!t->heading) {
		print_wrapped(out, text, 0);
		return;
	}
	fprintf(out, "  %-*s", INDENT - 2, first ? t->heading : "");
	print_wrapped(out, text, INDENT);
}

static enum gpudx_status print_topic(sqlite3 *db, const struct topic *t, const int64_t code[2],
				     FILE *out, size_t *told, struct gpudx_err *err)
{
	sqlite3_stmt *st;
	enum gpudx_status rc = gpudx_db_prepare(db, t->sql, &st, err);
	bool row = true, first = true;

	if (rc)
		return rc;
	for (int i = 0; i < 2 && i < sqlite3_bind_parameter_count(st); i++)
		gpudx_bind_unless(st, i + 1, code[i], -1);
	while (!(rc = gpudx_db_step(st, &row, err)) && row) {
		struct gpudx_sv text = gpudx_col_text(st, 0);

		if (!text.n)
			continue;
		print_paragraph(out, t, first, text);
		first = false;
		++*told;
	}
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status print_topics(const struct topic *t, size_t n, const int64_t code[2],
				      FILE *out, size_t *told, struct gpudx_err *err)
{
	struct gpudx_store *store;
	enum gpudx_status rc = gpudx_store_create(NULL, &store, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < n && !rc; i++)
		rc = print_topic(gpudx_store_db(store), &t[i], code, out, told, err);
	gpudx_store_close(store);
	return rc;
}

/* "79"; what is larger than any code is none. */
static bool plain_code(struct gpudx_sv s, int64_t *out)
{
	uint64_t v;

	if (!sv_u64(&s, &v) || s.n || v > INT32_MAX)
		return false;
	*out = (int64_t)v;
	return true;
}

/* "0x62:0x65:1792", in parentheses or not, or only its beginning. */
static bool triple(struct gpudx_sv s, int64_t code[2])
{
	uint64_t v;

	sv_char(&s, '(');
	for (int i = 0; i < 2; i++) {
		if (!sv_lit(&s, "0x") || !sv_hex(&s, 1, 8, &v))
			return false;
		code[i] = (int64_t)v;
		if (!s.n || !sv_char(&s, ':'))
			break;
	}
	sv_u64(&s, &v);
	sv_char(&s, ')');
	return s.n == 0;
}

enum gpudx_status gpudx_code_explain(enum gpudx_code kind, const char *text, FILE *out,
				     struct gpudx_err *err)
{
	static const struct {
		const char *name;
		const struct topic *topics;
		size_t n;
	} kinds[] = {
		[GPUDX_XID] = { "Xid", TOPICS(xid_topics) },
		[GPUDX_SXID] = { "SXid", TOPICS(sxid_topics) },
		[GPUDX_RMINIT] = { "RmInitAdapter", TOPICS(rminit_topics) },
	};
	int64_t code[2] = { -1, -1 };
	size_t told = 0;
	enum gpudx_status rc;

	if (kind == GPUDX_RMINIT ? !triple(sv_str(text), code)
				 : !plain_code(sv_str(text), &code[0]))
		return gpudx_fail(err, GPUDX_E_USAGE, "\"%s\" is no code of %s", text,
				  kinds[kind].name);
	rc = print_topics(kinds[kind].topics, kinds[kind].n, code, out, &told, err);
	if (!rc && !told)
		rc = gpudx_fail(err, GPUDX_E_USAGE, "%s %s is not in the knowledge base",
				kinds[kind].name, text);
	return rc;
}
