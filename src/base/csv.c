#include "base/csv.h"

#include "base/utf8.h"

enum { CELL_MAX = 16 << 20 };

static void quote(struct gpudx_buf *b, struct gpudx_sv s)
{
	bool formula = s.n && strchr("=+-@\t\r", s.p[0]);
	bool quoted = formula;

	for (size_t i = 0; i < s.n && !quoted; i++)
		quoted = s.p[i] == '"' || s.p[i] == ',' || s.p[i] == '\n' || s.p[i] == '\r';
	gpudx_buf_str(b, formula ? "\"'" : quoted ? "\"" : "");
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			gpudx_buf_char(b, '"');
		gpudx_buf_char(b, s.p[i]);
	}
	if (quoted)
		gpudx_buf_char(b, '"');
}

void gpudx_csv_text(struct gpudx_buf *b, struct gpudx_sv s)
{
	struct gpudx_buf shown = { .max = CELL_MAX };

	gpudx_utf8_show(&shown, s);
	quote(b, sv_n(gpudx_buf_cstr(&shown), shown.n));
	b->failed |= shown.failed;
	gpudx_buf_free(&shown);
}
