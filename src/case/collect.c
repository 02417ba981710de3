/* The collecting script, which is a part of the program. */
#include "gpudx/gpudx.h"

#include "base/embed.h"

#include <stdio.h>

/* The one line of it that is an option here. */
static const char trace_line[] = "TRACE=10\n";

void gpudx_collect_script(unsigned trace_s, FILE *out)
{
	struct gpudx_sv s = gpudx_embed("src/case/gpudx-collect.sh"), line;

	while (s.n) {
		size_t n = sv_index(s, '\n');

		line = sv_first(s, n < s.n ? n + 1 : n);
		s = sv_from(s, line.n);
		if (sv_is(line, trace_line))
			fprintf(out, "TRACE=%u\n", trace_s);
		else
			fwrite(line.p, 1, line.n, out);
	}
}
