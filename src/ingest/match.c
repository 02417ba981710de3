#include "ingest/match.h"

#include "sig/sig.h"

#include <stdio.h>

enum { REWRITTEN = 1024 };

/* One message while its signatures come in. */
struct matching {
	struct gpudx_ctx *c;
	struct gpudx_sv msg;
	const struct gpudx_stamp *stamp;
	bool any;
	struct gpudx_event event; /* emitted when all signatures have added what they know */
	bool has_event;
	char text[REWRITTEN]; /* values that stand otherwise in the message */
	size_t used;
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

/* ---- GPUs ---- */

static bool says_gpu_before(const struct gpudx_hit *h)
{
	return sv_has(h->sig->attrs, "gpu=before");
}

/* What the message says of the GPU; false when nothing. */
static bool hit_id(const struct gpudx_hit *h, struct gpudx_gpu_id *id)
{
	*id = GPUDX_GPU_NONE;
	id->idx = (int32_t)capture_int(h, "idx", -1);
	id->gi = (int32_t)capture_int(h, "gi", -1);
	id->ci = (int32_t)capture_int(h, "ci", -1);
	id->uuid = capture(h, "uuid");
	id->serial = capture(h, "serial");
	if (capture(h, "bdf").p)
		gpudx_bdf_parse(capture(h, "bdf"), &id->bdf);
	return id->idx >= 0 || id->uuid.p || id->serial.p || id->bdf.known;
}

/* Adds the address and UUID of the GPU that was named a few lines ago; false when none was. */
static bool id_before(const struct gpudx_ctx *c, struct gpudx_gpu_id *id)
{
	const struct gpudx_named_gpu *g = &c->named;

	if (!g->line || c->line->no - g->line > 8)
		return false;
	id->bdf = g->bdf;
	if (g->uuid_n)
		id->uuid = sv_n(g->uuid, g->uuid_n);
	return true;
}

static void remember(struct gpudx_ctx *c, const struct gpudx_gpu_id *id)
{
	struct gpudx_named_gpu *g = &c->named;

	*g = (struct gpudx_named_gpu){ .bdf = id->bdf, .line = c->line->no };
	if (id->uuid.p && id->uuid.n <= sizeof(g->uuid)) {
		memcpy(g->uuid, id->uuid.p, id->uuid.n);
		g->uuid_n = (uint32_t)id->uuid.n;
	}
}

/* 0 when the message names no GPU. */
static uint32_t hit_ref(struct matching *m, const struct gpudx_hit *h)
{
	struct gpudx_gpu_id id;

	if (hit_id(h, &id) || (says_gpu_before(h) && id_before(m->c, &id)))
		return gpudx_ref(m->c, &id);
	return 0;
}

static void on_gpu(struct matching *m, const struct gpudx_hit *h)
{
	struct gpudx_gpu_id id;

	if (!hit_id(h, &id))
		return;
	if (id.bdf.known || id.uuid.p)
		remember(m->c, &id);
	else if (!id_before(m->c, &id))
		return;
	m->any |= gpudx_ref(m->c, &id) != 0;
}

/* ---- events ---- */

static bool is_field(struct gpudx_sv name)
{
	static const char *const fields[] = { "bdf",  "uuid", "serial", "idx", "gi",	  "ci",
					      "code", "pid",  "name",	"v",   "repeats", "gpu" };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (sv_is(name, fields[i]))
			return true;
	return false;
}

/* "0x6f17_04027000" and "0000002a" as "0x6f1704027000" and "0x0000002a"; unchanged when there is
 * no room. */
static struct gpudx_sv hex_value(struct matching *m, struct gpudx_sv value)
{
	char *out = m->text + m->used;
	struct gpudx_sv digits = value;
	size_t n = 2;

	if (!sv_ilit(&digits, "0x"))
		digits = value;
	if (digits.n + 2 > sizeof(m->text) - m->used)
		return value;
	memcpy(out, "0x", 2);
	for (size_t i = 0; i < digits.n; i++)
		if (digits.p[i] != '_')
			out[n++] = sv_lower(digits.p[i]);
	m->used += n;
	return sv_n(out, n);
}

/* 11040, as the CUDA runtime counts, as 11.4; unchanged when it is no such number. */
static struct gpudx_sv cuda_value(struct matching *m, struct gpudx_sv value)
{
	char *out = m->text + m->used;
	size_t room = sizeof(m->text) - m->used;
	struct gpudx_sv s = value;
	uint64_t v;
	int n;

	if (!sv_u64(&s, &v) || s.n || v > 99999 || room < 16)
		return value;
	n = snprintf(out, room, "%u.%u", (unsigned)v / 1000, (unsigned)v % 1000 / 10);
	m->used += (size_t)n;
	return sv_n(out, (size_t)n);
}

/* "1.74 GiB", "219.44MiB", "8,000,000,000 bytes", "1073741824" as MiB; .p NULL when it is no size.
 * Units of a thousand are of 1024 where programs print them. */
static struct gpudx_sv size_value(struct matching *m, struct gpudx_sv value)
{
	static const char units[] = "KMGT";
	char *out = m->text + m->used, digits[32];
	size_t room = sizeof(m->text) - m->used, n = 0;
	const char *unit;
	double v;
	int len;

	for (; value.n && (sv_is_digit(value.p[0]) || value.p[0] == '.' || value.p[0] == ',');
	     value = sv_from(value, 1))
		if (value.p[0] != ',' && n < sizeof(digits))
			digits[n++] = value.p[0];
	if (!sv_decimal(&(struct gpudx_sv){ digits, n }, &v) || room < 32)
		return sv_n(NULL, 0);
	value = sv_ltrim(value);
	unit = value.n && value.p[0] ? strchr(units, value.p[0]) : NULL;
	for (long i = unit ? unit - units : -1; i < 1; i++)
		v /= 1024;
	for (long i = unit ? unit - units : 0; i > 1; i--)
		v *= 1024;
	/* On Windows and WSL the size of a process can be nonsense. */
	if (v > 1e9)
		return sv_n(NULL, 0);
	len = snprintf(out, room, "%.10g", v);
	m->used += (size_t)len;
	return sv_n(out, (size_t)len);
}

/* "requested_size" as "requested_mib". */
static struct gpudx_sv mib_name(struct matching *m, struct gpudx_sv name)
{
	char *out = m->text + m->used;

	name.n -= 4;
	if (sizeof(m->text) - m->used < name.n + 3)
		return name;
	memcpy(out, name.p, name.n);
	memcpy(out + name.n, "mib", 3);
	m->used += name.n + 3;
	return sv_n(out, name.n + 3);
}

/* Addresses in the form that the database has for those of GPUs; unchanged when it is none. */
static struct gpudx_sv address_value(struct matching *m, struct gpudx_sv value)
{
	char *out = m->text + m->used;
	struct gpudx_bdf bdf;

	if (sizeof(m->text) - m->used < GPUDX_BDF_TEXT || !gpudx_bdf_parse(value, &bdf))
		return value;
	value = sv_str(gpudx_bdf_text(bdf, out));
	m->used += value.n;
	return value;
}

static void add_attr(struct matching *m, struct gpudx_event *e, struct gpudx_sv name,
		     struct gpudx_sv value)
{
	if (!value.n || is_field(name) || e->nattrs == GPUDX_ATTRS_MAX)
		return;
	if (sv_ends(name, "_hex")) {
		name.n -= 4;
		value = hex_value(m, value);
	} else if (sv_ends(name, "_cuda")) {
		name.n -= 5;
		value = cuda_value(m, value);
	} else if (sv_ends(name, "_size")) {
		value = size_value(m, value);
		name = mib_name(m, name);
		if (!value.p)
			return;
	} else if (sv_is(name, "device")) {
		value = address_value(m, value);
	}
	for (unsigned i = 0; i < e->nattrs; i++)
		if (sv_eq(e->attrs[i].name, name))
			return;
	e->attrs[e->nattrs++] = (struct gpudx_attr){ name, value };
}

static void fill_attrs(struct matching *m, struct gpudx_event *e, const struct gpudx_hit *h)
{
	struct gpudx_sv rest = h->sig->attrs, word, name;

	for (unsigned i = 0; i < h->n; i++)
		add_attr(m, e, h->captures[i].name, h->captures[i].value);
	while (sv_spaces(&rest) && sv_token(&rest, &word))
		if (sv_until(&word, "=", &name))
			add_attr(m, e, name, word);
}

/* "<unknown>" and quotes around it are what the driver prints for no process. */
static struct gpudx_sv process_name(struct gpudx_sv s)
{
	return !s.n || sv_has(s, "<unknown>") ? sv_n(NULL, 0) : s;
}

static struct gpudx_event hit_event(struct matching *m, const struct gpudx_hit *h,
				    struct gpudx_sv kind)
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
	if (m->has_event)
		return;
	m->event = hit_event(m, h, h->sig->kind);
	m->has_event = m->any = true;
}

/* More about the event of this message, or else of the one before: its lines stand together. */
static void on_more(struct matching *m, const struct gpudx_hit *h, struct gpudx_sv kind)
{
	struct gpudx_event e;

	if (m->has_event && sv_eq(m->event.kind, kind)) {
		fill_attrs(m, &m->event, h);
		return;
	}
	e = hit_event(m, h, kind);
	m->any |= gpudx_ctx_more(m->c, &e);
}

/* ---- facts and anchors ---- */

/* "169,314" as 169314; unchanged when there is no room. */
static struct gpudx_sv count_value(struct matching *m, struct gpudx_sv value)
{
	char *out = m->text + m->used;
	size_t n = 0;

	if (value.n > sizeof(m->text) - m->used)
		return value;
	for (size_t i = 0; i < value.n; i++)
		if (value.p[i] != ',')
			out[n++] = value.p[i];
	m->used += n;
	return sv_n(out, n);
}

/* v, or v, v2 and v3 divided by dots: "8601" is 8.6.1; or v_count, a number. */
static struct gpudx_sv fact_value(struct matching *m, const struct gpudx_hit *h)
{
	struct gpudx_sv v = capture(h, "v"), v2 = capture(h, "v2"), v3 = capture(h, "v3");
	char *out = m->text + m->used;
	size_t room = sizeof(m->text) - m->used;
	int n;

	if (capture(h, "v_count").p)
		return count_value(m, capture(h, "v_count"));
	if (!v2.n || !v3.n || v.n + v2.n + v3.n + 3 > room)
		return v;
	n = snprintf(out, room, "%.*s.%.*s.%.*s", (int)v.n, v.p, (int)v2.n, v2.p, (int)v3.n, v3.p);
	m->used += (size_t)n;
	return sv_n(out, (size_t)n);
}

static void on_fact(struct matching *m, const struct gpudx_hit *h, struct gpudx_sv key)
{
	struct gpudx_fact f = { .ref = hit_ref(m, h),
				.value = fact_value(m, h),
				.stamp = *m->stamp };
	size_t slash = sv_index(key, '/');
	struct gpudx_sv number;

	f.key = sv_first(key, slash);
	f.layer = sv_from(key, slash + 1);
	if (!f.value.p)
		f.value = h->sig->attrs; /* a constant: "=driver.flavor/loaded" with attrs "open" */
	number = f.value;
	f.has_num = capture(h, "v_count").p && sv_decimal(&number, &f.num);
	if (f.value.n)
		gpudx_put_fact(m->c, &f);
	m->any = true;
}

/* An anchor's times: v is an ISO time or epoch seconds in UTC, the others those of the line. */
static void on_anchor(struct matching *m, const struct gpudx_hit *h, struct gpudx_sv kind)
{
	struct gpudx_anchor a = { .kind = kind,
				  .mono_us = m->stamp->mono_us,
				  .local_us = GPUDX_NO_TIME,
				  .utc_us = GPUDX_NO_TIME };
	struct gpudx_sv v = capture(h, "v");
	struct gpudx_stamp t;
	uint64_t epoch;

	if (m->stamp->kind == GPUDX_STAMP_BOOT)
		a.mono_us = m->stamp->t_us;
	else if (m->stamp->kind == GPUDX_STAMP_LOCAL || m->stamp->kind == GPUDX_STAMP_NOYEAR)
		a.local_us = m->stamp->t_us;
	if (v.p && gpudx_scan_iso(&v, &t))
		a.utc_us = t.t_us;
	else if (v.p && sv_u64(&v, &epoch) && epoch < UINT64_C(253402300800))
		a.utc_us = (int64_t)epoch * GPUDX_SECOND;
	gpudx_put_anchor(m->c, &a);
	m->any = true;
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
		on_gpu(m, h);
	else
		on_event(m, h);
}

bool gpudx_signature_match(struct gpudx_ctx *c, struct gpudx_sv msg,
			   const struct gpudx_stamp *stamp)
{
	struct matching m = { .c = c, .msg = msg, .stamp = stamp };

	gpudx_sigs_match(c->match_arg, msg, on_hit, &m);
	if (m.has_event)
		gpudx_put_event(c, &m.event);
	return m.any;
}
