#include "report/history.h"

#include "report/select.h"
#include "report/words.h"
#include "store/query.h"

/* Which rows: id and time alone are sorted, so that storms and their texts cost nothing. What a finding
 * cites comes first. kind: 0 message, 1 stretch, 2 change, 3 boot (that a line shows: of others only the
 * first message is known). */
#define CITED "EXISTS (SELECT 1 FROM main.finding_line l WHERE l.line_id = "
static const char picked_sql[] =
	"CREATE TEMP TABLE picked AS SELECT * FROM ("
	" SELECT 0 AS kind, e.id AS id, e.t_us AS t, " CITED "e.line_id) AS cited"
	"  FROM main.event e JOIN main.host h ON h.id = e.host_id"
	"  WHERE h.bundle_id = ?1 AND e.copy_of IS NULL AND e.kind <> 'kernel.gpu_found'"
	" UNION ALL SELECT 1, e.id, e.t0_us, " CITED "e.line_first) OR " CITED "e.line_worst)"
	"  FROM main.episode e JOIN main.source s ON s.id = e.source_id"
	"  WHERE s.bundle_id = ?1 AND e.t0_us IS NOT NULL"
	" UNION ALL SELECT 2, c.id, c.t_us, " CITED "c.line_after)"
	"  FROM main.change c JOIN main.host h ON h.id = c.host_id WHERE h.bundle_id = ?1"
	" UNION ALL SELECT 3, b.id, b.start_us, 1 FROM main.boot b"
	"  JOIN main.host h ON h.id = b.host_id WHERE h.bundle_id = ?1 AND b.start_us IS NOT NULL "
	"AND b.line_id IS NOT NULL)"
	" ORDER BY cited DESC, t IS NULL, t, kind DESC, id LIMIT 300"; /* REP_HISTORY */

/* Columns: t, t1, quality, raw, raw kind, what, text, line, cited, GPU, host, offset of local time, stamp. The views
 * that hide names are asked for what is shown only. */
#define LANE "g.label, h.name"
#define OFFSET(source)                                                                           \
	"coalesce((SELECT -c.offset_us FROM clock c JOIN source s ON s.clock_id = c.id"          \
	"  WHERE s.id = " source " AND c.kind = 'local' AND c.quality IN ('exact', 'aligned'))," \
	" (SELECT -c.offset_us FROM clock c WHERE c.host_id = h.id AND c.kind = 'local'"         \
	"  AND c.quality IN ('exact', 'aligned') ORDER BY c.id LIMIT 1))"
/* What stands in front of the message, up to the name of the machine: "Feb  6 10:15:02", "[    5.230114]". Of
 * logs that wrap their messages otherwise it is none. */
#define BEFORE "rtrim(substr(l.text, 1, instr(l.text, e.text) - 1))"
#define STAMP                                                                                   \
	"(SELECT iif(length(v) BETWEEN 4 AND 40 AND v GLOB '*[0-9]*' AND substr(v, 1, 1) GLOB"  \
	"  '[[A-Z0-9]', v, NULL) FROM (SELECT iif(instr(" BEFORE ", ' ' || h.name) > 1,"        \
	"   substr(l.text, 1, instr(l.text, ' ' || h.name) - 1),"                               \
	"   iif(l.text GLOB '[[]*]*', substr(l.text, 1, instr(l.text, ']')), " BEFORE ")) AS v" \
	"  FROM line l WHERE l.id = e.line_id))"
static const char rows_sql[] =
	"SELECT * FROM ("
	"SELECT e.t_us AS t, NULL, e.t_quality AS quality, e.t_raw_us, e.t_kind,"
	" CASE e.kind WHEN 'xid' THEN 'Xid ' || e.code WHEN 'sxid' THEN 'SXid ' || e.code"
	"  ELSE e.kind END, e.text || iif(e.repeats > 1, ' (' || e.repeats || ' times)', ''),"
	" e.line_id, p.cited, " LANE ", " OFFSET(
		"e.source_id") ", " STAMP ","
			       " p.kind AS kind, p.id AS id FROM temp.picked p JOIN event e ON "
			       "e.id = p.id"
			       " JOIN host h ON h.id = e.host_id LEFT JOIN gpu g ON g.id = "
			       "e.gpu_id WHERE p.kind = 0"
			       " UNION ALL SELECT e.t0_us, e.t1_us, e.t_quality, NULL, 'none', "
			       "replace(e.kind, '_', ' '),"
			       " e.samples || ' samples', e.line_first, p.cited, " LANE ", " OFFSET(
				       "e.source_id") ","
						      " NULL, p.kind, p.id FROM temp.picked p JOIN "
						      "episode e ON e.id = p.id"
						      " JOIN gpu g ON g.id = e.gpu_id JOIN host h "
						      "ON h.id = g.host_id WHERE p.kind = 1"
						      " UNION ALL SELECT c.t_us, NULL, "
						      "c.t_quality, NULL, 'none', 'changed',"
						      " c.what || ': ' || c.before || ' -> ' || "
						      "c.after, c.line_after, p.cited, " LANE ","
						      " " OFFSET(
							      "c.line_after >> 32") ", NULL, "
										    "p.kind, p.id "
										    "FROM "
										    "temp.picked p"
										    " JOIN change "
										    "c ON c.id = "
										    "p.id JOIN "
										    "host h ON "
										    "h.id = "
										    "c.host_id"
										    " LEFT JOIN "
										    "gpu g ON g.id "
										    "= c.gpu_id "
										    "WHERE p.kind "
										    "= 2"
										    " UNION ALL "
										    "SELECT "
										    "b.start_us, "
										    "NULL, "
										    "b.start_"
										    "quality, "
										    "NULL, 'none', "
										    "'boot',"
										    " coalesce('"
										    "kernel ' || "
										    "b.kernel, "
										    "''), "
										    "b.line_id, 0, "
										    "NULL, h.name,"
										    " " OFFSET(
											    "b."
											    "line_"
											    "id >> "
											    "32") ", NULL, p.kind, p.id FROM temp.picked p"
												  " JOIN boot b ON b.id = p.id JOIN host h ON h.id = b.host_id WHERE p.kind = 3)"
												  " ORDER BY quality IN ('boot_relative', 'unknown'), t IS NULL, t, kind DESC, id";

static const char count_sql[] =
	"SELECT (SELECT count(*) FROM main.event e JOIN main.host h ON h.id = e.host_id"
	"  WHERE h.bundle_id = ?1 AND e.copy_of IS NULL AND e.kind <> 'kernel.gpu_found')"
	" + (SELECT count(*) FROM main.episode e JOIN main.source s ON s.id = e.source_id"
	"  WHERE s.bundle_id = ?1 AND e.t0_us IS NOT NULL)"
	" + (SELECT count(*) FROM main.change c JOIN main.host h ON h.id = c.host_id"
	"  WHERE h.bundle_id = ?1)"
	" + (SELECT count(*) FROM main.boot b JOIN main.host h ON h.id = b.host_id"
	"  WHERE h.bundle_id = ?1 AND b.start_us IS NOT NULL AND b.line_id IS NOT NULL)";

static enum gpudx_stamp_kind stamp_kind(struct gpudx_sv word)
{
	static const char *const words[] = { "none", "boot", "noyear", "local", "utc" };

	for (int i = 1; i < 5; i++)
		if (sv_is(word, words[i]))
			return (enum gpudx_stamp_kind)i;
	return GPUDX_STAMP_NONE;
}

/* "GPU 3", of several machines "node17 GPU 3"; what names no GPU is of the machine. */
static size_t lane_of(const struct rep_model *m, struct rep_history *h, struct rep_select *q)
{
	struct gpudx_sv gpu = gpudx_col_text(q->st, 9), host = gpudx_col_text(q->st, 10), name;
	bool both = gpu.n && m->nhosts > 1 && host.n;
	size_t i = 0;

	if (!gpu.n && !host.n)
		host = SV_LIT("host");
	name = both ? sv_str(gpudx_arena_printf(m->arena, "%.*s %.*s", (int)host.n, host.p,
						(int)gpu.n, gpu.p))
		    : gpudx_arena_sv(m->arena, gpu.n ? gpu : host);
	while (i < h->nlanes && !sv_eq(h->lanes[i], name))
		i++;
	if (i < h->nlanes)
		return i;
	if (i < REP_HISTORY_LANES) {
		h->lanes[h->nlanes++] = name;
		return i;
	}
	h->lanes[REP_HISTORY_LANES - 1] = SV_LIT("others");
	return REP_HISTORY_LANES - 1;
}

static int64_t local_time(const struct rep_happened *x, int64_t offset_us)
{
	int64_t sum;

	if (x->t_us == GPUDX_NO_TIME || x->quality == REP_T_ASSUMED)
		return x->quality == REP_T_ASSUMED ? x->t_us : GPUDX_NO_TIME;
	if (x->quality < REP_T_ASSUMED || offset_us == GPUDX_NO_TIME ||
	    __builtin_add_overflow(x->t_us, offset_us, &sum))
		return GPUDX_NO_TIME;
	return sum;
}

static enum gpudx_status load_rows(const struct rep_model *m, struct rep_history *h,
				   struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(m->db, rows_sql, 0, err);

	while (h->n < REP_HISTORY && gpudx_select_next(&q)) {
		struct rep_happened *x = &h->v[h->n++];
		int64_t line = gpudx_col_int(q.st, 7, 0);

		*x = (struct rep_happened){ .t_us = gpudx_col_time(q.st, 0),
					    .t1_us = gpudx_col_time(q.st, 1),
					    .raw_us = gpudx_col_time(q.st, 3),
					    .raw_kind = stamp_kind(gpudx_col_text(q.st, 4)),
					    .quality = gpudx_model_quality(gpudx_col_text(q.st, 2)),
					    .what = gpudx_select_text(&q, m->arena, 5),
					    .text = gpudx_select_text(&q, m->arena, 6),
					    .line = rep_line_number(line),
					    .cited = gpudx_col_int(q.st, 8, 0) != 0 };
		x->stamp = gpudx_select_text(&q, m->arena, 12);
		x->lane = lane_of(m, h, &q);
		x->local_us = local_time(x, gpudx_col_time(q.st, 11));
		if (line)
			x->path = gpudx_model_path(m, rep_line_source(line), err);
	}
	return gpudx_select_end(&q);
}

enum gpudx_status gpudx_history_load(const struct rep_model *m, struct rep_history *h,
				     struct gpudx_err *err)
{
	struct rep_select q;
	enum gpudx_status rc = gpudx_db_exec(m->db, "DROP TABLE IF EXISTS temp.picked", err);

	*h = (struct rep_history){ .v = gpudx_arena_array(m->arena, REP_HISTORY, sizeof(*h->v)) };
	if (!h->v)
		return gpudx_nomem(err);
	q = gpudx_select(m->db, count_sql, m->bundle, err);
	if (!rc && gpudx_select_next(&q))
		h->all = gpudx_col_int(q.st, 0, 0);
	rc = rc ? ((void)!gpudx_select_end(&q), rc) : gpudx_select_end(&q);
	if (!rc)
		rc = gpudx_query_run(m->db, picked_sql, m->bundle, err);
	if (!rc)
		rc = load_rows(m, h, err);
	if (!rc)
		rc = gpudx_db_exec(m->db, "DROP TABLE temp.picked", err);
	return rc;
}
