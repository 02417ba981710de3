#include "report/cmp.h"
void gpudx_cmp_html(const struct gpudx_comparison *c, struct gpudx_plot *plot, struct gpudx_buf *b)
{
	(void)c;
	(void)plot;
	gpudx_buf_str(b, "");
}
