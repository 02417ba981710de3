#include "ingest/match.h"

#include "sig/sig.h"

#include <stdio.h>

struct matching {
	struct gpudx_ctx *c;
	struct gpudx_sv msg;
	const struct gpudx_stamp *stamp;
	bool any, event; /* event: one was emitted; others of the line do not count */
	struct gpudx_sv event_kind;
	char text[24]; /* a value that stands otherwise in the message */
};

static struct gpudx_sv capture(const struct gpudx_hit *h, const char *name)
{
	for (unsigned i = 0; i < h->n; i++)
		if (sv_is(h->captures[i].name, name))
			return h->captures[i].value;
	return sv_n(NULL, 0);
}

static int64_t capture_int(const struct gpudx_hit *h, const char *name, int64_t none)
{
	struct gpudx_sv s = capture(h, name);
	uint64_t v;

	return s.p && sv_u64(&s, &v) && !s.n && v <= INT32_MAX ? (int64_t)v : none;
}

/* 0 when the message names no GPU. */
static uint32_t hit_ref(struct matching *m, const struct gpudx_hit *h)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;

	id.idx = (int32_t)capture_int(h, "idx", -1);
	id.gi = (int32_t)capture_int(h, "gi", -1);
	id.ci = (int32_t)capture_int(h, "ci", -1);
	id.uuid = capture(h, "uuid");
	id.serial = capture(h, "serial");
	if (capture(h, "bdf").p)
		gpudx_bdf_parse(capture(h, "bdf"), &id.bdf);
	if (id.idx < 0 && !id.uuid.p && !id.serial.p && !id.bdf.known)
		return 0;
	return gpudx_ref(m->c, &id);
}

static bool is_field(struct gpudx_sv name)
{
	static const char *const fields[] = { "bdf", "uuid", "serial", "idx", "gi", "ci", "code", "pid", "name", "v", "repeats" };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (sv_is(name, fields[i]))
			return true;
	return false;
}

static void add_attr(struct gpudx_event *e, struct gpudx_sv name, struct gpudx_sv value)
{
	if (e->nattrs < GPUDX_ATTRS_MAX)
		e->attrs[e->nattrs++] = (struct gpudx_attr){ name, value };
}

/* 11040, as the CUDA runtime counts, as 11.4; unchanged when it is no such number. */
static struct gpudx_sv cuda_value(struct matching *m, struct gpudx_sv value)
{
	struct gpudx_sv s = value;
	uint64_t v;
	int n;

	if (!sv_u64(&s, &v) || s.n || v > 99999)
		return value;
	n = snprintf(m->text, sizeof(m->text), "%u.%u", (unsigned)v / 1000, (unsigned)v % 1000 / 10);
	return sv_n(m->text, n > 0 ? (size_t)n : 0);
}

static void add_capture(struct matching *m, struct gpudx_event *e, const struct gpudx_capture *c)
{
	if (sv_ends(c->name, "_cuda"))
		add_attr(e, sv_first(c->name, c->name.n - 5), cuda_value(m, c->value));
	else
		add_attr(e, c->name, c->value);
}

static void fill_attrs(struct matching *m, struct gpudx_event *e, const struct gpudx_hit *h)
{
	struct gpudx_sv rest = h->sig->attrs, word, name;

	for (unsigned i = 0; i < h->n; i++)
		if (!is_field(h->captures[i].name))
			add_capture(m, e, &h->captures[i]);
	while (sv_spaces(&rest) && sv_token(&rest, &word))
		if (sv_until(&word, "=", &name))
			add_attr(e, name, word);
}

/* "<unknown>" and quotes around it are what the driver prints for no process. */
static struct gpudx_sv process_name(struct gpudx_sv s)
{
	return !s.p || sv_has(s, "<unknown>") ? sv_n(NULL, 0) : s;
}

static struct gpudx_event hit_event(struct matching *m, const struct gpudx_hit *h, struct gpudx_sv kind)
{
	struct gpudx_event e = { .kind = kind, .stamp = *m->stamp, .text = m->msg };

	e.ref = hit_ref(m, h);
	e.code = capture_int(h, "code", -1);
	e.pid = capture_int(h, "pid", -1);
	e.process = process_name(capture(h, "name"));
	e.repeats = (uint32_t)capture_int(h, "repeats", 1);
	fill_attrs(m, &e, h);
	return e;
}

static void on_event(struct matching *m, const struct gpudx_hit *h)
{
	struct gpudx_event e;

	if (m->event)
		return;
	e = hit_event(m, h, h->sig->kind);
	gpudx_put_event(m->c, &e);
	m->event = true;
	m->any = true;
}

static void on_fact(struct matching *m, const struct gpudx_hit *h, struct gpudx_sv key)
{
	struct gpudx_fact f = { .ref = hit_ref(m, h), .key = key, .value = capture(h, "v"), .stamp = *m->stamp };
	size_t slash = sv_index(key, '/');

	f.key = sv_first(key, slash);
	f.layer = sv_from(key, slash + 1);
	if (!f.value.p)
		f.value = h->sig->attrs; /* a constant: "=driver.flavor/loaded" with attrs "open" */
	if (f.value.n)
		gpudx_put_fact(m->c, &f);
	m->any = true;
}

/* An anchor's times: v is an ISO time or epoch seconds in UTC, mono that of the line's stamp. */
static void on_anchor(struct matching *m, const struct gpudx_hit *h, struct gpudx_sv kind)
{
	struct gpudx_anchor a = { .kind = kind, .mono_us = m->stamp->mono_us, .local_us = GPUDX_NO_TIME, .utc_us = GPUDX_NO_TIME };
	struct gpudx_sv v = capture(h, "v");
	struct gpudx_stamp t;
	uint64_t epoch;

	if (m->stamp->kind == GPUDX_STAMP_BOOT)
		a.mono_us = m->stamp->t_us;
	else if (m->stamp->kind == GPUDX_STAMP_LOCAL)
		a.local_us = m->stamp->t_us;
	if (v.p && gpudx_scan_iso(&v, &t))
		a.utc_us = t.t_us;
	else if (v.p && sv_u64(&v, &epoch) && epoch < UINT64_C(253402300800))
		a.utc_us = (int64_t)epoch * GPUDX_SECOND;
	gpudx_put_anchor(m->c, &a);
	m->any = true;
}

/* More about the event before. Only when that is of the kind: its lines stand together. */
static void on_more(struct matching *m, const struct gpudx_hit *h, struct gpudx_sv kind)
{
	struct gpudx_event e = hit_event(m, h, kind);

	if (gpudx_ctx_more(m->c, &e))
		m->any = m->event = true;
}

static void on_hit(void *arg, const struct gpudx_hit *h)
{
	struct gpudx_sv kind = h->sig->kind;
	struct matching *m = arg;

	if (sv_char(&kind, '+'))
		on_more(m, h, kind);
	else if (sv_char(&kind, '='))
		on_fact(m, h, kind);
	else if (sv_char(&kind, '@'))
		on_anchor(m, h, kind);
	else if (sv_char(&kind, '#'))
		m->any |= hit_ref(m, h) != 0;
	else
		on_event(m, h);
}

bool gpudx_signature_match(struct gpudx_ctx *c, struct gpudx_sv msg, const struct gpudx_stamp *stamp)
{
	struct matching m = { .c = c, .msg = msg, .stamp = stamp };

	gpudx_sigs_match(c->match_arg, msg, on_hit, &m);
	return m.any;
}
