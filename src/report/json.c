/* The report for programs: docs/report.schema.json is its contract. */
#include "report/jsonw.h"
#include "report/select.h"
#include "report/report.h"
#include "report/words.h"

#include <math.h>
#include <stdio.h>

static void put_time(struct rep_json *j, const char *name, int64_t t_us, enum rep_quality q)
{
	char buf[REP_TIME_TEXT];
	const char *text = gpudx_word_iso(t_us, q, buf);

	gpudx_json_str(j, name, *text ? text : NULL);
}

/* Words of the contract, NULL-terminated. A database that somebody else made may hold others, which
 * readers of this format need not understand: the first word stands for them. */
static const char *const qualities[] = { "unknown",	 "exact",	  "aligned",
					 "zone_assumed", "boot_relative", NULL };
static const char *const kinds[] = { "cannot_tell", "fault",   "explanation",
				     "operation",   "healthy", NULL };
static const char *const symptoms[] = { "none",	   "slow",     "hang",	"crash", "oom",
					"missing", "transfer", "start", NULL };
static const char *const points[] = { "unknown",     "driver", "hardware", "platform",
				      "application", "policy", NULL };
static const char *const states[] = { "unknown", "active", "cured", "history", NULL };
static const char *const actions[] = {
	"none",	     "watch",	    "restart_app", "restart_service",
	"reset_gpu", "reboot_node", "power_cycle", "drain_rma_candidate",
	"fix_host",  "fix_config",  "collect",	   NULL
};
static const char *const outcomes[] = { "error", "fired", "clean", "not_checkable", NULL };
static const char *const agreements[] = { "single", "agreed", "changed", "conflict", NULL };
static const char *const statuses[] = { "unread", "read", "partly", "skipped", "empty", NULL };

static void put_word(struct rep_json *j, const char *name, struct gpudx_sv word,
		     const char *const *known)
{
	const char *const *k = known;

	while (*k && !sv_is(word, *k))
		k++;
	gpudx_json_str(j, name, *k ? *k : known[0]);
}

static void put_id(struct rep_json *j, const char *name, const struct rep_finding *f)
{
	if (f)
		gpudx_json_int(j, name, f->id);
	else
		gpudx_json_null(j, name);
}

/* ---- what was read, and of which machines ---- */

/* Every limit that was hit, of reading and of this report. */
static void put_limit(struct rep_json *j, const struct rep_model *m)
{
	struct gpudx_buf b = { .max = 1 << 16 };

	if (m->limit_hit.n)
		gpudx_buf_sv(&b, m->limit_hit);
	if (m->counts.findings > (int64_t)m->nfindings)
		gpudx_buf_printf(&b, "%sonly %zu of %lld findings are listed", b.n ? "; " : "",
				 m->nfindings, (long long)m->counts.findings);
	if (m->counts.checks > (int64_t)m->nchecks)
		gpudx_buf_printf(&b, "%sonly %zu of %lld checks are listed", b.n ? "; " : "",
				 m->nchecks, (long long)m->counts.checks);
	if (m->texts_cut)
		gpudx_buf_printf(&b, "%ssome evidence stands without its text", b.n ? "; " : "");
	gpudx_json_text(j, "limit", b.n ? sv_n(b.p, b.n) : sv_n(NULL, 0));
	gpudx_buf_free(&b);
}

static void put_bundle(struct rep_json *j, const struct rep_model *m)
{
	gpudx_json_open(j, "bundles", '[');
	gpudx_json_open(j, NULL, '{');
	gpudx_json_text(j, "label", m->label);
	gpudx_json_text(j, "sha256", m->digest);
	put_time(j, "collected", m->collected.t0_us, m->collected.quality);
	put_word(j, "collected_quality", m->collected_quality, qualities);
	gpudx_json_text(j, "collected_how", m->collected_how);
	gpudx_json_int(j, "members", m->counts.members);
	gpudx_json_int(j, "unread", m->counts.unread);
	put_limit(j, m);
	gpudx_json_close(j);
	gpudx_json_close(j);
}

static void put_hosts(struct rep_json *j, const struct rep_model *m)
{
	gpudx_json_open(j, "hosts", '[');
	for (size_t i = 0; i < m->nhosts; i++) {
		gpudx_json_open(j, NULL, '{');
		gpudx_json_str(j, "host", m->hosts[i].label);
		gpudx_json_text(j, "name", m->hosts[i].name);
		gpudx_json_text(j, "machine_id", m->hosts[i].machine_id);
		gpudx_json_text(j, "kernel", m->hosts[i].kernel);
		gpudx_json_text(j, "how", m->hosts[i].how);
		gpudx_json_close(j);
	}
	gpudx_json_close(j);
}

static void put_value(struct rep_json *j, const char *name, const struct rep_value *v)
{
	if (v->is_num)
		gpudx_json_real(j, name, v->num);
	else
		gpudx_json_text(j, name, v->text);
}

/* Values that contradict each other are no value: then each layer says its own. */
static void put_term(struct rep_json *j, const struct rep_term *t, const struct rep_gpu *gpu)
{
	const struct rep_value *first = NULL;
	bool conflict;

	for (size_t i = 0; i < t->nvalues && !first; i++)
		if (t->values[i].gpu == gpu)
			first = &t->values[i];
	if (!first)
		return;
	conflict = sv_is(first->state, "conflict");
	gpudx_json_open_text(j, t->key, '{');
	if (conflict)
		gpudx_json_null(j, "value");
	else
		put_value(j, "value", first);
	put_word(j, "state", first->state, agreements);
	if (conflict) {
		gpudx_json_open(j, "layers", '[');
		for (const struct rep_value *v = first; v < t->values + t->nvalues && v->gpu == gpu;
		     v++) {
			gpudx_json_open(j, NULL, '{');
			gpudx_json_text(j, "layer", v->layer);
			put_value(j, "value", v);
			gpudx_json_close(j);
		}
		gpudx_json_close(j);
	}
	gpudx_json_close(j);
}

/* The contract of a GPU includes what holds for its host. */
static void put_contract(struct rep_json *j, const struct rep_model *m, const struct rep_gpu *g)
{
	gpudx_json_open(j, "contract", '{');
	for (size_t i = 0; i < m->nterms; i++) {
		const struct rep_term *t = &m->terms[i];
		bool own = false;

		if (t->host != g->host)
			continue;
		for (size_t k = 0; k < t->nvalues; k++)
			own |= t->values[k].gpu == g;
		put_term(j, t, own ? g : NULL);
	}
	gpudx_json_close(j);
}

static void put_gpus(struct rep_json *j, const struct rep_model *m)
{
	gpudx_json_open(j, "gpus", '[');
	for (size_t i = 0; i < m->ngpus; i++) {
		const struct rep_gpu *g = &m->gpus[i];

		gpudx_json_open(j, NULL, '{');
		gpudx_json_text(j, "key", g->key);
		gpudx_json_str(j, "host", g->host->label);
		gpudx_json_text(j, "bdf", g->bdf);
		gpudx_json_text(j, "uuid", g->uuid);
		gpudx_json_text(j, "serial", g->serial);
		if (g->index < 0)
			gpudx_json_null(j, "index");
		else
			gpudx_json_int(j, "index", g->index);
		gpudx_json_text(j, "name", g->name);
		put_contract(j, m, g);
		gpudx_json_close(j);
	}
	gpudx_json_close(j);
}

/* ---- what was concluded ---- */

static struct gpudx_sv settle_of(const struct rep_finding *f)
{
	return f->settle_command.p ? f->settle_command : f->settle;
}

static void put_verdict(struct rep_json *j, const struct rep_model *m)
{
	gpudx_json_open(j, "verdict", '{');
	gpudx_json_text(j, "finding", m->first ? m->first->rule : sv_n(NULL, 0));
	put_word(j, "kind", m->kind, kinds);
	gpudx_json_text(j, "reason",
			m->kind.p ? m->reason : SV_LIT("no rule has judged this bundle"));
	put_word(j, "action", m->action, actions);
	gpudx_json_open(j, "roots", '[');
	for (size_t i = 0; i < m->nroots; i++) {
		const struct rep_finding *f = &m->findings[i];

		gpudx_json_open(j, NULL, '{');
		put_id(j, "finding", f);
		gpudx_json_text(j, "id", f->rule);
		put_word(j, "symptom", f->symptom, symptoms);
		put_word(j, "points_to", f->points, points);
		gpudx_json_text(j, "settle", settle_of(f));
		gpudx_json_close(j);
	}
	gpudx_json_close(j);
	gpudx_json_close(j);
}

/* ---- incidents: a root, what follows from it, and how far it reached ---- */

static bool concerns(const struct rep_finding *f, const struct rep_gpu *g)
{
	for (size_t i = 0; i < f->ngpus; i++)
		if (f->gpus[i] == g)
			return true;
	return false;
}

static bool any_concerns(const struct rep_finding *root, const struct rep_gpu *g)
{
	bool any = concerns(root, g);

	for (size_t i = 0; i < root->nfolded && !any; i++)
		any = concerns(root->folded[i], g);
	return any;
}

static bool any_on(const struct rep_finding *root, const struct rep_host *h)
{
	bool any = root->host == h;

	for (size_t i = 0; i < root->nfolded && !any; i++)
		any = root->folded[i]->host == h;
	return any;
}

static void widen(struct rep_span *all, const struct rep_span *s)
{
	int64_t end = s->t1_us == GPUDX_NO_TIME ? s->t0_us : s->t1_us;

	if (s->t0_us == GPUDX_NO_TIME || s->quality < REP_T_BOOT)
		return;
	if (all->t0_us == GPUDX_NO_TIME) {
		*all = (struct rep_span){ s->t0_us, end, s->quality };
		return;
	}
	/* Clocks that cannot be compared are not put on one scale. */
	if ((all->quality == REP_T_BOOT) != (s->quality == REP_T_BOOT))
		return;
	all->t0_us = s->t0_us < all->t0_us ? s->t0_us : all->t0_us;
	all->t1_us = end > all->t1_us ? end : all->t1_us;
	all->quality = s->quality < all->quality ? s->quality : all->quality;
}

/* The GPUs' addresses, and ports that all devices of an event stood behind. */
static enum gpudx_status put_devices(struct rep_json *j, const struct rep_model *m,
				     const struct rep_finding *root, struct gpudx_err *err)
{
	struct rep_select q = gpudx_select(
		m->db,
		"SELECT DISTINCT i.port FROM finding_line l JOIN event e ON e.line_id = l.line_id"
		" JOIN incident i ON i.id = e.incident_id WHERE l.finding_id = ?1 AND i.port IS "
		"NOT NULL ORDER BY i.port",
		root->id, err);

	gpudx_json_open(j, "devices", '[');
	for (size_t i = 0; i < m->ngpus; i++)
		if (m->gpus[i].bdf.n && any_concerns(root, &m->gpus[i]))
			gpudx_json_text(j, NULL, m->gpus[i].bdf);
	while (gpudx_select_next(&q))
		gpudx_json_text(j, NULL, gpudx_col_text(q.st, 0));
	gpudx_json_close(j);
	return gpudx_select_end(&q);
}

static enum gpudx_status put_incident(struct rep_json *j, const struct rep_model *m,
				      const struct rep_finding *root, struct gpudx_err *err)
{
	struct rep_span span = { GPUDX_NO_TIME, GPUDX_NO_TIME, REP_T_UNKNOWN };
	enum gpudx_status rc;

	widen(&span, &root->span);
	gpudx_json_open(j, NULL, '{');
	put_id(j, "root", root);
	gpudx_json_open(j, "members", '[');
	for (size_t i = 0; i < root->nfolded; i++) {
		put_id(j, NULL, root->folded[i]);
		widen(&span, &root->folded[i]->span);
	}
	gpudx_json_close(j);
	gpudx_json_open(j, "hosts", '[');
	for (size_t i = 0; i < m->nhosts; i++)
		if (any_on(root, &m->hosts[i]))
			gpudx_json_str(j, NULL, m->hosts[i].label);
	gpudx_json_close(j);
	gpudx_json_open(j, "gpus", '[');
	for (size_t i = 0; i < m->ngpus; i++)
		if (any_concerns(root, &m->gpus[i]))
			gpudx_json_text(j, NULL, m->gpus[i].key);
	gpudx_json_close(j);
	rc = put_devices(j, m, root, err);
	put_time(j, "start", span.t0_us, span.quality);
	put_time(j, "end", span.t1_us, span.quality);
	gpudx_json_close(j);
	return rc;
}

static enum gpudx_status put_incidents(struct rep_json *j, const struct rep_model *m,
				       struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	gpudx_json_open(j, "incidents", '[');
	for (size_t i = 0; i < m->nroots && !rc; i++)
		rc = put_incident(j, m, &m->findings[i], err);
	gpudx_json_close(j);
	return rc;
}

/* ---- findings ---- */

static void put_evidence(struct rep_json *j, const char *name, const struct rep_evidence *e)
{
	gpudx_json_open(j, name, '[');
	for (size_t i = 0; i < e->n; i++)
		for (size_t k = 0; k < e->places[i].n; k++) {
			const struct rep_line *l = &e->places[i].lines[k];

			if (!l->cited)
				continue;
			gpudx_json_open(j, NULL, '{');
			gpudx_json_text(j, "source", e->places[i].path);
			gpudx_json_int(j, "line", l->number);
			if (l->offset < 0)
				gpudx_json_null(j, "offset");
			else
				gpudx_json_int(j, "offset", l->offset);
			gpudx_json_text(j, "text", l->text);
			gpudx_json_bool(j, "verbatim", l->verbatim);
			gpudx_json_close(j);
		}
	gpudx_json_close(j);
}

static void put_whom(struct rep_json *j, const struct rep_finding *f)
{
	gpudx_json_open(j, "hosts", '[');
	if (f->host)
		gpudx_json_str(j, NULL, f->host->label);
	gpudx_json_close(j);
	gpudx_json_open(j, "gpus", '[');
	for (size_t i = 0; i < f->ngpus; i++)
		gpudx_json_text(j, NULL, f->gpus[i]->key);
	gpudx_json_close(j);
}

static void put_finding(struct rep_json *j, const struct rep_finding *f)
{
	gpudx_json_open(j, NULL, '{');
	put_id(j, "n", f);
	gpudx_json_text(j, "id", f->rule);
	gpudx_json_str(j, "severity", gpudx_word_severity_name(f->severity));
	put_word(j, "state", f->state, states);
	put_word(j, "action", f->action, actions);
	put_whom(j, f);
	put_time(j, "start", f->span.t0_us, f->span.quality);
	put_time(j, "end", f->span.t1_us, f->span.quality);
	put_word(j, "time_quality", f->quality, qualities);
	gpudx_json_real(j, "confidence",
			f->confidence >= 0 && f->confidence <= 1 ? f->confidence : NAN);
	gpudx_json_text(j, "summary", f->summary);
	gpudx_json_text(j, "meaning", f->meaning);
	gpudx_json_text(j, "remedy", f->remedy);
	put_id(j, "caused_by", f->cause);
	gpudx_json_open(j, "effects", '[');
	for (size_t i = 0; i < f->neffects; i++)
		put_id(j, NULL, f->effects[i]);
	gpudx_json_close(j);
	put_evidence(j, "evidence", &f->shown);
	put_evidence(j, "against", &f->against);
	gpudx_json_close(j);
}

/* ---- checks and sources ---- */

static void put_check(struct rep_json *j, const struct rep_check *c)
{
	struct gpudx_sv rest = c->missing, term;
	bool lacking = sv_is(c->outcome, "not_checkable");

	gpudx_json_open(j, NULL, '{');
	gpudx_json_text(j, "id", c->rule->id);
	gpudx_json_str(j, "host", c->host ? c->host->label : NULL);
	gpudx_json_text(j, "gpu", c->gpu ? c->gpu->key : sv_n(NULL, 0));
	put_word(j, "outcome", c->outcome, outcomes);
	gpudx_json_open(j, "missing", '[');
	while (lacking && sv_cell(&rest, ' ', &term))
		if (term.n)
			gpudx_json_text(j, NULL, term);
	gpudx_json_close(j);
	gpudx_json_text(j, "collect", c->collect);
	gpudx_json_close(j);
}

static const char *const said[] = { "unknown", "yes", "no", NULL };
static const char *const answer_states[] = { "not_checkable", "pass", "warn", "fail", NULL };
static const char *const lists[] = { "preflight", "triage", "evidence", "serving", NULL };

static void put_answer(struct rep_json *j, const struct rep_answer *a)
{
	gpudx_json_open(j, NULL, '{');
	put_word(j, "list", a->list, lists);
	gpudx_json_text(j, "question", a->question);
	put_word(j, "answer", a->answer, said);
	put_word(j, "status", a->status, answer_states);
	put_evidence(j, "evidence", &a->shown);
	gpudx_json_text(j, "collect", a->collect);
	gpudx_json_close(j);
}

struct sources {
	struct rep_json *j;
	struct rep_out *out;
};

static void put_source(const struct rep_source *s, void *arg)
{
	struct sources *to = arg;
	struct rep_json *j = to->j;

	gpudx_json_open(j, NULL, '{');
	gpudx_json_text(j, "path", s->path);
	gpudx_json_text(j, "parser", s->parser);
	put_word(j, "status", s->status, statuses);
	if (s->lines < 0)
		gpudx_json_null(j, "lines");
	else
		gpudx_json_int(j, "lines", s->lines);
	gpudx_json_int(j, "rejected", s->rejected);
	gpudx_json_close(j);
	gpudx_report_flush(to->out);
}

enum gpudx_status gpudx_report_json(const struct rep_model *m, struct rep_out *out,
				    struct gpudx_err *err)
{
	struct rep_json j = { .b = &out->b };
	struct sources to = { &j, out };
	enum gpudx_status rc;

	gpudx_json_open(&j, NULL, '{');
	gpudx_json_str(&j, "schema", "gpudx/1");
	gpudx_json_text(&j, "gpudx", m->version.p ? m->version : sv_str(gpudx_version()));
	gpudx_json_text(&j, "rules_digest", m->rules_digest);
	put_bundle(&j, m);
	put_hosts(&j, m);
	put_gpus(&j, m);
	put_verdict(&j, m);
	rc = put_incidents(&j, m, err);
	gpudx_json_open(&j, "findings", '[');
	for (size_t i = 0; i < m->nfindings; i++) {
		put_finding(&j, &m->findings[i]);
		gpudx_report_flush(out);
	}
	gpudx_json_close(&j);
	gpudx_json_open(&j, "checks", '[');
	for (size_t i = 0; i < m->nchecks; i++) {
		put_check(&j, &m->checks[i]);
		gpudx_report_flush(out);
	}
	gpudx_json_close(&j);
	gpudx_json_open(&j, "preflight", '[');
	for (size_t i = 0; i < m->nanswers; i++) {
		put_answer(&j, &m->answers[i]);
		gpudx_report_flush(out);
	}
	gpudx_json_close(&j);
	gpudx_json_open(&j, "sources", '[');
	if (!rc)
		rc = gpudx_model_sources(m, false, -1, put_source, &to, err);
	gpudx_json_close(&j);
	gpudx_json_close(&j);
	if (!rc && out->b.failed)
		rc = gpudx_nomem(err);
	gpudx_report_flush(out);
	return rc;
}
