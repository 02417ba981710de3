#include "report/jsonw.h"

#include "base/utf8.h"

#include <inttypes.h>
#include <math.h>

static void escaped_unit(struct gpudx_buf *b, uint32_t unit)
{
	gpudx_buf_printf(b, "\\u%04" PRIx32, unit);
}

static void put_char(struct gpudx_buf *b, uint32_t u)
{
	static const char special[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
	const char *at = u && u < 0x80 ? strchr(special, (int)u) : NULL;

	if (at) {
		gpudx_buf_char(b, '\\');
		gpudx_buf_char(b, names[at - special]);
	} else if (gpudx_utf8_unprintable(u)) {
		escaped_unit(b, u); /* none of them lies beyond U+FFFF */
	} else {
		gpudx_buf_u32(b, u);
	}
}

static void put_string(struct gpudx_buf *b, struct gpudx_sv s)
{
	gpudx_buf_char(b, '"');
	while (s.n)
		put_char(b, gpudx_utf8_next(&s));
	gpudx_buf_char(b, '"');
}

/* The comma, the line, the indent and the name before a value. */
static void before(struct rep_json *j, struct gpudx_sv name)
{
	if (!j->depth)
		return;
	gpudx_buf_str(j->b, j->any[j->depth - 1] ? ",\n" : "\n");
	j->any[j->depth - 1] = true;
	for (unsigned i = 0; i < j->depth; i++)
		gpudx_buf_char(j->b, ' ');
	if (name.p) {
		put_string(j->b, name);
		gpudx_buf_str(j->b, ": ");
	}
}

void gpudx_json_open_text(struct rep_json *j, struct gpudx_sv name, char bracket)
{
	before(j, name);
	gpudx_buf_char(j->b, bracket);
	if (j->depth == REP_JSON_DEPTH) {
		j->b->failed = true;
		return;
	}
	j->any[j->depth] = false;
	j->end[j->depth++] = bracket == '{' ? '}' : ']';
}

void gpudx_json_open(struct rep_json *j, const char *name, char bracket)
{
	gpudx_json_open_text(j, sv_str(name), bracket);
}

void gpudx_json_close(struct rep_json *j)
{
	bool any;

	if (!j->depth)
		return;
	any = j->any[--j->depth];
	if (any) {
		gpudx_buf_char(j->b, '\n');
		for (unsigned i = 0; i < j->depth; i++)
			gpudx_buf_char(j->b, ' ');
	}
	gpudx_buf_char(j->b, j->end[j->depth]);
	if (!j->depth)
		gpudx_buf_char(j->b, '\n');
}

void gpudx_json_text(struct rep_json *j, const char *name, struct gpudx_sv s)
{
	before(j, sv_str(name));
	if (s.p)
		put_string(j->b, s);
	else
		gpudx_buf_str(j->b, "null");
}

void gpudx_json_str(struct rep_json *j, const char *name, const char *s)
{
	gpudx_json_text(j, name, sv_str(s));
}

void gpudx_json_int(struct rep_json *j, const char *name, int64_t v)
{
	before(j, sv_str(name));
	gpudx_buf_printf(j->b, "%" PRId64, v);
}

void gpudx_json_real(struct rep_json *j, const char *name, double v)
{
	before(j, sv_str(name));
	if (isfinite(v))
		gpudx_buf_printf(j->b, "%.10g", v);
	else
		gpudx_buf_str(j->b, "null");
}

void gpudx_json_bool(struct rep_json *j, const char *name, bool v)
{
	before(j, sv_str(name));
	gpudx_buf_str(j->b, v ? "true" : "false");
}

void gpudx_json_null(struct rep_json *j, const char *name)
{
	before(j, sv_str(name));
	gpudx_buf_str(j->b, "null");
}
