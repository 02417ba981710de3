/* `dcgmi dmon -e 203,155,150`: a column for each field, rows without stamps:
 *
 *   #Entity   GPUTL       POWER       TMPTR
 *   ID                    W           C
 *   GPU 0     100         631.402     63
 *   GPU-I 1   N/A         N/A         N/A
 *
 * The heading comes again every 14 rows or so; DCGM 2 wrote "# Entity" and "Id" and set it to the
 * right. Rows of one entity follow one another in steps of the delay. Source:
 * dcgmi/DeviceMonitor.cpp, dcgm_fields.cpp for the tags. */
#include "parse/metric_fields.h"

#include <stdio.h>

enum { COLUMNS = 128, ENTITIES = 1024 };

struct column {
	const struct metric_field *field;
	char key[32];	 /* of a series */
	size_t from, to; /* its place in the line */
};

struct dmon {
	struct column cols[COLUMNS];
	unsigned ncols;
	bool units; /* the row of units may follow */
	int64_t steps[ENTITIES];
	int64_t xid[ENTITIES];
};

static bool is_heading(struct gpudx_sv line)
{
	struct gpudx_sv c = sv_ltrim(line);

	return sv_char(&c, '#') && sv_spaces(&c) && sv_lit(&c, "Entity") && c.n &&
	       sv_is_space(c.p[0]);
}

static void add_column(struct dmon *d, struct gpudx_sv line, struct gpudx_sv tag)
{
	struct column *col = &d->cols[d->ncols++];

	*col = (struct column){ .field = metric_field_tag(tag),
				.from = (size_t)(tag.p - line.p),
				.to = line.n };
	if (d->ncols > 1)
		col[-1].to = col->from;
	snprintf(col->key, sizeof(col->key), "dcgm.%.*s", (int)sv_first(tag, 24).n, tag.p);
	for (char *p = col->key; *p; p++)
		*p = sv_lower(*p);
}

static enum gpudx_take heading(struct dmon *d, struct gpudx_sv line)
{
	struct gpudx_sv c = sv_from(line, sv_find(line, "Entity") + strlen("Entity")), tag;

	d->ncols = 0;
	while (sv_spaces(&c) && sv_token(&c, &tag) && d->ncols < COLUMNS)
		add_column(d, line, tag);
	if (d->ncols)
		d->cols[d->ncols - 1].to = SIZE_MAX;
	d->units = true;
	return GPUDX_TAKEN;
}

/* "GPU 0", "GPU-I 1", "Switch 8": the kind and number of an entity. */
static bool scan_entity(struct gpudx_sv *s, struct gpudx_sv *kind, uint64_t *n)
{
	static const char *const kinds[] = { "GPU",    "GPU-I", "GPU-CI",   "CPU",   "Core",
					     "Switch", "Link",	"NvSwitch", "CPU-C", "ConnectX" };
	struct gpudx_sv c = sv_ltrim(*s);

	if (!sv_token(&c, kind) || !sv_spaces(&c) || !sv_u64(&c, n) ||
	    (c.n && !sv_is_space(c.p[0])))
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (sv_is(*kind, kinds[i])) {
			*s = c;
			return true;
		}
	return false;
}

static void put_xid(struct gpudx_ctx *c, struct dmon *d, uint32_t ref, uint64_t gpu, double v)
{
	struct gpudx_event e = gpudx_event_of(SV_LIT("xid"), gpudx_time(c), SV_LIT("XIDER"));

	e.ref = ref;
	e.code = (int64_t)v;
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("by"), SV_LIT("dcgm") };
	if (e.code > 0 && e.code != d->xid[gpu])
		gpudx_put_event(c, &e);
	d->xid[gpu] = e.code;
}

static void put_cell(struct gpudx_ctx *c, struct dmon *d, const struct column *col, uint64_t gpu,
		     struct gpudx_sv cell, struct gpudx_sample *s)
{
	const struct metric_field *f = col->field;
	struct gpudx_sv rest = cell;
	struct gpudx_metric m = { .ref = s->ref, .t_us = GPUDX_NO_TIME, .seq = s->seq };
	bool number = sv_decimal(&rest, &m.value) && !rest.n && metric_is_value(m.value);

	if (f && f->kind == METRIC_TEXT && cell.n && !sv_is(cell, "N/A") && !sv_starts(cell, "<<<"))
		gpudx_fact(c, sv_is(sv_str(f->key), "driver.version") ? 0 : s->ref, f->key, "nvml",
			   cell);
	if (!number || (f && (f->kind == METRIC_SKIP || f->kind == METRIC_TEXT)))
		return;
	if (f && f->scale > 0)
		m.value *= f->scale;
	if (f && f->kind == METRIC_COL)
		gpudx_sample_set(s, f->col, m.value);
	if (f && f->kind == METRIC_XID)
		put_xid(c, d, s->ref, gpu, m.value);
	else if (f && f->kind != METRIC_SERIES)
		metric_fact(c, s->ref, f, m.value);
	if (f && f->kind != METRIC_SERIES)
		return;
	m.key = sv_str(f ? f->key : col->key);
	if (!sv_is(m.key, "temp.memory_c") || m.value > 0)
		gpudx_put_metric(c, &m);
}

/* Texts may have blanks: then the columns' places decide. */
static bool split(const struct dmon *d, struct gpudx_sv line, struct gpudx_sv rest,
		  struct gpudx_sv *cells)
{
	struct gpudx_sv word, all = rest;
	unsigned n = 0;

	while (sv_spaces(&all) && sv_token(&all, &word)) {
		if (n < d->ncols)
			cells[n] = word;
		n++;
	}
	if (n == d->ncols)
		return true;
	for (unsigned i = 0; n > d->ncols && i < d->ncols; i++) {
		size_t from = d->cols[i].from, to = d->cols[i].to;

		cells[i] = sv_trim(sv_first(sv_from(line, from), to - from));
	}
	return n > d->ncols;
}

static enum gpudx_take row(struct gpudx_ctx *c, struct dmon *d, struct gpudx_sv line)
{
	struct gpudx_sv rest = line, kind, cells[COLUMNS];
	struct gpudx_sample s = { .t_us = GPUDX_NO_TIME };
	uint64_t n;

	if (!scan_entity(&rest, &kind, &n) || n >= ENTITIES)
		return GPUDX_NOT_MINE;
	if (!split(d, line, rest, cells))
		return gpudx_reject(c, "fewer cells than columns");
	if (!sv_is(kind, "GPU"))
		return GPUDX_TAKEN;
	s.ref = gpudx_ref_idx(c, (int32_t)n);
	s.seq = d->steps[n]++;
	for (unsigned i = 0; i < d->ncols; i++)
		put_cell(c, d, &d->cols[i], n, cells[i], &s);
	if (s.have)
		gpudx_put_sample(c, &s);
	return GPUDX_TAKEN;
}

static enum gpudx_take dmon_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct dmon *d = gpudx_state(c);
	struct gpudx_sv s = sv_ltrim(line);
	bool units = d->units;

	if (is_heading(line))
		return heading(d, line);
	d->units = false;
	if (units && (sv_ilit(&s, "ID ") || sv_ieq(sv_trim(s), SV_LIT("ID"))))
		return GPUDX_TAKEN;
	return d->ncols ? row(c, d, line) : GPUDX_NOT_MINE;
}

static int dmon_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n; i++)
		if (is_heading(head->lines[i].text))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_dcgmi_dmon = {
	.name = "dcgmi-dmon",
	.what = "dcgmi dmon",
	.bid = dmon_bid,
	.starts = is_heading,
	.line = dmon_line,
	.state_size = sizeof(struct dmon),
	.flags = GPUDX_P_RESUMES,
};
