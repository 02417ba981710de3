/* Answers of Prometheus' query and query_range, mostly in one line of many MB; also of Thanos,
 * Mimir and VictoriaMetrics, with or without the envelope:
 *
 *   {"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":
 *   "DCGM_FI_DEV_GPU_TEMP","gpu":"0",...},"values":[[1715075935.123,"63"],...]},...]}}
 *   ... {"metric":{...},"value":[1715075935.123,"63"]} ...
 *
 * Times are Unix seconds, values are strings. The series come one behind the other, each over the
 * whole time; columns of one GPU at one time are brought together before they become samples. */
#include "base/json.h"
#include "base/num.h"
#include "parse/prom_series.h"

#include <stdlib.h>

enum { LABEL_BYTES = 8192, POINTS = 1 << 18 };

/* One value of a column, until its neighbours are known. */
struct point {
	int64_t t_us;
	float value;
	uint32_t line;
	uint16_t gpu;
	uint8_t col;
};

struct query {
	struct gpudx_json json;
	struct prom prom;
	struct prom_line series; /* the one at hand */
	struct prom_what what;
	bool resolved, told;
	size_t text_n;
	char text[LABEL_BYTES]; /* its labels */
	struct point *points;
	uint32_t npoints;
};

static const char *const places[] = { "**.metric", "**.metric.*", "**.values[][]", "**.value[]" };
enum place { METRIC, LABEL, IN_VALUES, IN_VALUE, NOWHERE };

/* ---- columns ---- */

static int by_gpu_and_time(const void *pa, const void *pb)
{
	const struct point *a = pa, *b = pb;

	if (a->gpu != b->gpu)
		return a->gpu < b->gpu ? -1 : 1;
	if (a->t_us != b->t_us)
		return a->t_us < b->t_us ? -1 : 1;
	return (a->col > b->col) - (a->col < b->col);
}

static struct prom_gpu *gpu_numbered(const struct prom *p, uint32_t number)
{
	struct prom_gpu *g = p->gpus;

	while (g && g->number != number)
		g = g->next;
	return g;
}

/* Samples of all points gathered. */
static void put_points(struct gpudx_ctx *c, struct query *q)
{
	struct gpudx_sample s = { .have = 0 };
	struct prom_gpu *gpu = NULL;

	if (!q->npoints)
		return;
	qsort(q->points, q->npoints, sizeof(*q->points), by_gpu_and_time);
	for (uint32_t i = 0; i < q->npoints; i++) {
		const struct point *p = &q->points[i];

		if (!i || p[-1].gpu != p->gpu) {
			gpu = gpu_numbered(&q->prom, p->gpu);
			s.seq = 0;
		}
		if (!s.have)
			s.line = p->line;
		prom_set(&s, (enum gpudx_col)p->col, (double)p->value);
		if (gpu && (i + 1 == q->npoints || p[1].gpu != p->gpu || p[1].t_us != p->t_us)) {
			s.ref = gpu->ref;
			s.t_us = p->t_us;
			gpudx_put_sample(c, &s);
			s.have = 0;
			s.seq++;
		}
	}
	q->npoints = 0;
}

static void add_point(struct gpudx_ctx *c, struct query *q, int64_t t_us)
{
	double v = prom_scaled(&q->what, q->series.value);

	if (!metric_is_value(q->series.value))
		return;
	if (!q->points)
		q->points = gpudx_arena_array(gpudx_memory(c), POINTS, sizeof(*q->points));
	if (!q->points)
		return;
	if (q->npoints == POINTS)
		put_points(c, q);
	q->points[q->npoints++] = (struct point){ .t_us = t_us,
						  .value = (float)v,
						  .line = gpudx_this_line(c)->no,
						  .gpu = (uint16_t)q->what.gpu->number,
						  .col = (uint8_t)q->what.col };
	prom_reason_known(c, &q->what);
	if (q->what.field)
		metric_fact(c, q->what.gpu->ref, q->what.field, v);
}

/* ---- series ---- */

static struct gpudx_sv keep(struct query *q, struct gpudx_sv s)
{
	char *to = q->text + q->text_n;

	if (s.n > sizeof(q->text) - q->text_n)
		return SV_LIT("");
	memcpy(to, s.p, s.n);
	q->text_n += s.n;
	return sv_n(to, s.n);
}

static void begin_series(struct query *q)
{
	q->series.name = SV_LIT("");
	q->series.nlabels = 0;
	q->text_n = 0;
	q->resolved = false;
}

static void add_label(struct query *q)
{
	struct prom_line *l = &q->series;
	struct gpudx_sv name = gpudx_json_key(&q->json);

	if (sv_is(name, "__name__"))
		l->name = keep(q, q->json.text);
	else if (l->nlabels < PROM_LABELS)
		l->labels[l->nlabels++] =
			(struct prom_label){ keep(q, name), keep(q, q->json.text) };
}

static void add_value(struct gpudx_ctx *c, struct query *q)
{
	int64_t t_us = q->series.t_us;

	if (t_us == GPUDX_NO_TIME || !gpudx_real(q->json.text, &q->series.value))
		return;
	if (!q->resolved)
		prom_what(c, &q->prom, &q->series, &q->what);
	q->resolved = true;
	if (q->what.kind == PROM_NONE)
		return;
	gpudx_now(c, GPUDX_STAMP_UTC, t_us);
	if (q->what.kind == PROM_COL)
		add_point(c, q, t_us);
	else
		prom_put(c, &q->what, &q->series, t_us, 0);
}

/* The first of a pair is the time, the second the value. */
static void add_number(struct gpudx_ctx *c, struct query *q)
{
	double t = q->json.num;

	if (gpudx_json_index(&q->json) == 0 && q->json.kind == GPUDX_JSON_NUMBER)
		q->series.t_us =
			t > 0 && t < 1e11 ? (int64_t)(t * 1e3 + 0.5) * 1000 : GPUDX_NO_TIME;
	else if (gpudx_json_index(&q->json) == 1)
		add_value(c, q);
}

static void token(struct gpudx_ctx *c, struct query *q)
{
	enum gpudx_json_kind kind = q->json.kind;
	enum place place;

	if (kind != GPUDX_JSON_OBJECT && kind != GPUDX_JSON_STRING && kind != GPUDX_JSON_NUMBER)
		return;
	place = (enum place)gpudx_json_find(&q->json, places, NOWHERE);
	if (place == METRIC && kind == GPUDX_JSON_OBJECT)
		begin_series(q);
	else if (place == LABEL && kind == GPUDX_JSON_STRING)
		add_label(q);
	else if ((place == IN_VALUES || place == IN_VALUE) && kind != GPUDX_JSON_OBJECT)
		add_number(c, q);
}

/* ---- the parser ---- */

static enum gpudx_take query_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct query *q = gpudx_state(c);

	if (q->told || (gpudx_json_whole(&q->json) && !sv_starts(sv_ltrim(line), "{") &&
			!sv_starts(sv_ltrim(line), "[")))
		return GPUDX_NOT_MINE;
	gpudx_json_feed(&q->json, line, !(gpudx_this_line(c)->flags & GPUDX_LINE_CUT));
	while (gpudx_json_next(&q->json))
		token(c, q);
	if (!q->json.error)
		return GPUDX_TAKEN;
	q->told = true;
	return gpudx_reject(c, q->json.error);
}

static void query_begin(struct gpudx_ctx *c)
{
	begin_series(gpudx_state(c));
}

static void query_finish(struct gpudx_ctx *c)
{
	struct query *q = gpudx_state(c);

	put_points(c, q);
	if (!q->told && !gpudx_json_whole(&q->json))
		gpudx_reject(c, "the document ends in its middle");
}

/* Within the first bytes of a document there are a series and its name or values. */
static int query_bid(const struct gpudx_head *head)
{
	bool metric = false, values = false, begun = false;

	for (size_t i = 0; i < head->n && !(metric && values); i++) {
		struct gpudx_sv s = sv_first(sv_trim(head->lines[i].text), 1 << 16);

		if (!s.n)
			continue;
		if (!begun && s.p[0] != '{' && s.p[0] != '[')
			return 0;
		begun = true;
		metric |= sv_has(s, "\"metric\"") || sv_has(s, "\"resultType\"");
		values |= sv_has(s, "\"values\"") || sv_has(s, "\"value\"");
	}
	return metric && values ? 70 : 0;
}

const struct gpudx_parser gpudx_parser_prometheus_json = {
	.name = "prometheus-json",
	.what = "answers of Prometheus to query and query_range",
	.bid = query_bid,
	.begin = query_begin,
	.line = query_line,
	.finish = query_finish,
	.state_size = sizeof(struct query),
	.flags = GPUDX_P_BYTES | GPUDX_P_BLANKS,
};
