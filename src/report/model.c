#include "report/model.h"

#include "report/select.h"
#include "report/words.h"

enum rep_quality gpudx_model_quality(struct gpudx_sv text)
{
	static const struct {
		const char *text;
		enum rep_quality quality;
	} names[] = { { "exact", REP_T_EXACT },
		      { "aligned", REP_T_ALIGNED },
		      { "zone_assumed", REP_T_ASSUMED },
		      { "boot_relative", REP_T_BOOT } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_is(text, names[i].text))
			return names[i].quality;
	return REP_T_UNKNOWN;
}

const struct rep_gpu *gpudx_model_gpu(const struct rep_model *m, int64_t id)
{
	for (size_t i = 0; i < m->ngpus; i++)
		if (m->gpus[i].id == id)
			return &m->gpus[i];
	return NULL;
}

const struct rep_host *gpudx_model_host(const struct rep_model *m, int64_t id)
{
	for (size_t i = 0; i < m->nhosts; i++)
		if (m->hosts[i].id == id)
			return &m->hosts[i];
	return NULL;
}

struct rep_finding *gpudx_model_finding(const struct rep_model *m, int64_t id)
{
	for (size_t i = 0; i < m->nfindings; i++)
		if (m->findings[i].id == id)
			return &m->findings[i];
	return NULL;
}

const struct rep_ref *gpudx_model_ref(const struct rep_model *m, const struct rep_finding *f,
				      const struct rep_gpu *g)
{
	const struct rep_ref *best = NULL;

	for (size_t i = 0; i < m->nrefs; i++) {
		const struct rep_ref *r = &m->refs[i];

		if (r->gpu != g)
			continue;
		for (size_t p = 0; p < f->shown.n; p++)
			if (f->shown.places[p].source_id == r->source_id)
				return r;
		if (!best || r->samples > best->samples)
			best = r;
	}
	return best;
}

bool gpudx_model_other_question(const struct rep_model *m, const struct rep_finding *f)
{
	return f != m->first && f->rank && sv_is(f->shows, "effect") && f->severity > REP_INFO &&
	       *gpudx_word_symptom(f->symptom) &&
	       (!m->first || !sv_eq(f->symptom, m->first->symptom));
}

struct gpudx_sv gpudx_model_path(const struct rep_model *m, int64_t source_id,
				 struct gpudx_err *err)
{
	struct rep_select q =
		gpudx_select(m->db, "SELECT path FROM source WHERE id = ?1", source_id, err);
	struct gpudx_sv path = SV("");

	if (gpudx_select_next(&q))
		path = gpudx_select_text(&q, m->arena, 0);
	/* A source that is missing leaves the citation without a path; that is all it does. */
	if (gpudx_select_end(&q) || !path.p)
		path = SV_LIT("");
	return path;
}

static int64_t at_least(int64_t v, int64_t least)
{
	return v < least ? least : v;
}

static enum gpudx_status load_bundle(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		m->db,
		"SELECT b.label, b.digest, b.limit_hit, b.collected_how, b.collected_quality, "
		"b.collected_us,"
		" b.members, b.unread, (SELECT count(*) FROM finding WHERE bundle_id = b.id)"
		" FROM bundle b WHERE b.id = ?1",
		m->bundle, err);
	bool there = gpudx_select_next(&q);

	if (there) {
		m->label = gpudx_select_text(&q, m->arena, 0);
		m->digest = gpudx_select_text(&q, m->arena, 1);
		m->limit_hit = gpudx_select_text(&q, m->arena, 2);
		m->collected_how = gpudx_select_text(&q, m->arena, 3);
		m->collected_quality = gpudx_select_text(&q, m->arena, 4);
		m->collected = (struct rep_span){ gpudx_col_time(q.st, 5), GPUDX_NO_TIME,
						  gpudx_model_quality(m->collected_quality) };
		m->counts.unread = at_least(gpudx_col_int(q.st, 7, 0), 0);
		m->counts.members = at_least(gpudx_col_int(q.st, 6, 0), m->counts.unread);
		m->counts.findings = gpudx_col_int(q.st, 8, 0);
	}
	if (gpudx_select_end(&q))
		return q.rc;
	return there ? GPUDX_OK
		     : gpudx_fail(err, GPUDX_E_USAGE, "no bundle %lld in this database",
				  (long long)m->bundle);
}

static enum gpudx_status load_damage(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		m->db,
		"SELECT path, damage, count(*) OVER () FROM source WHERE bundle_id = ?1"
		" AND damage IS NOT NULL ORDER BY id LIMIT 1",
		m->bundle, err);

	if (gpudx_select_next(&q)) {
		m->damaged = gpudx_select_text(&q, m->arena, 0);
		m->damage = gpudx_select_text(&q, m->arena, 1);
		m->counts.damaged = gpudx_col_int(q.st, 2, 1);
	}
	return gpudx_select_end(&q);
}

static enum gpudx_status load_meta(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(m->db, "SELECT key, value FROM meta", 0, err);

	while (gpudx_select_next(&q)) {
		struct gpudx_sv key = gpudx_col_text(q.st, 0);

		if (sv_is(key, "version"))
			m->version = gpudx_select_text(&q, m->arena, 1);
		else if (sv_is(key, "rules_digest"))
			m->rules_digest = gpudx_select_text(&q, m->arena, 1);
		else if (sv_is(key, "complaint"))
			m->complaint = gpudx_select_text(&q, m->arena, 1);
	}
	return gpudx_select_end(&q);
}

/* What may be said of times in general: which kinds of clock the sources had. */
static enum gpudx_status load_clocks(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q =
		gpudx_select(m->db,
			     "SELECT c.quality, c.zone FROM clock c JOIN host h ON h.id = c.host_id"
			     " WHERE h.bundle_id = ?1 AND EXISTS(SELECT 1 FROM source s WHERE "
			     "s.clock_id = c.id) ORDER BY c.id",
			     m->bundle, err);

	while (gpudx_select_next(&q)) {
		enum rep_quality quality = gpudx_model_quality(gpudx_col_text(q.st, 0));

		m->zone_assumed |= quality == REP_T_ASSUMED;
		m->time_exact |= quality >= REP_T_ALIGNED;
		m->time_boot |= quality == REP_T_BOOT;
		if (!m->zone.p && quality >= REP_T_ALIGNED)
			m->zone = gpudx_select_text(&q, m->arena, 1);
	}
	return gpudx_select_end(&q);
}

static enum gpudx_status load_verdict(struct rep_model *m, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		m->db, "SELECT kind, finding_id, reason, action FROM verdict WHERE bundle_id = ?1",
		m->bundle, err);

	if (gpudx_select_next(&q)) {
		m->kind = gpudx_select_text(&q, m->arena, 0);
		m->first = gpudx_model_finding(m, gpudx_col_int(q.st, 1, -1));
		m->reason = gpudx_select_text(&q, m->arena, 2);
		m->action = gpudx_select_text(&q, m->arena, 3);
	}
	return gpudx_select_end(&q);
}

enum gpudx_status gpudx_model_load(sqlite3 *db, int64_t bundle, struct gpudx_arena *arena,
				   struct rep_model *m, struct gpudx_err *err)
{
	static enum gpudx_status (*const parts[])(struct rep_model *, struct gpudx_err *) = {
		load_bundle,	      load_damage,	    load_meta,
		load_clocks,	      gpudx_model_machines, gpudx_model_samples,
		gpudx_model_findings, gpudx_model_answers,  gpudx_model_evidence,
		load_verdict,	      gpudx_model_checks,   gpudx_model_contract,
	};
	enum gpudx_status rc = GPUDX_OK;

	*m = (struct rep_model){ .db = db, .arena = arena, .bundle = bundle };
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && !rc; i++)
		rc = parts[i](m, err);
	return rc ? gpudx_while(err, "while reading bundle %lld for the report", (long long)bundle)
		  : GPUDX_OK;
}

/* ---- sources, which may be a million and are therefore not kept ---- */

#define SOURCES                                                                                  \
	"SELECT path, title, parser, status, reason, damage, lines, rejected, parent_id IS NOT " \
	"NULL"                                                                                   \
	" FROM source WHERE bundle_id = ?1 ORDER BY "

enum gpudx_status gpudx_model_sources(const struct rep_model *m, bool unread_first, int64_t limit,
				      void (*each)(const struct rep_source *, void *), void *arg,
				      struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		m->db,
		unread_first ? SOURCES
			"status IN ('read', 'empty') AND damage IS NULL AND rejected = 0, id"
			     : SOURCES "id",
		m->bundle, err);

	for (; limit && gpudx_select_next(&q); limit--) {
		struct rep_source s = { gpudx_col_text(q.st, 0),       gpudx_col_text(q.st, 1),
					gpudx_col_text(q.st, 2),       gpudx_col_text(q.st, 3),
					gpudx_col_text(q.st, 4),       gpudx_col_text(q.st, 5),
					gpudx_col_int(q.st, 6, -1),    gpudx_col_int(q.st, 7, 0),
					gpudx_col_int(q.st, 8, 0) != 0 };

		each(&s, arg);
	}
	return gpudx_select_end(&q);
}
