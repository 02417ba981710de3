#include "report/escape.h"

#include "base/utf8.h"

static const char *entity(uint32_t u)
{
	switch (u) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

void gpudx_html_text(struct gpudx_buf *b, struct gpudx_sv s)
{
	while (s.n) {
		uint32_t u = gpudx_utf8_next(&s);
		const char *e = entity(u);

		if (e)
			gpudx_buf_str(b, e);
		else if (u == '\t')
			gpudx_buf_char(b, ' ');
		else
			gpudx_buf_u32(b, gpudx_utf8_unprintable(u) ? 0xfffd : u);
	}
}

void gpudx_html_str(struct gpudx_buf *b, const char *s)
{
	gpudx_html_text(b, sv_str(s));
}
