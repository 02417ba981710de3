#include "redact/audit.h"

#include "base/embed.h"

struct sum {
	size_t values, weak;
	uint64_t times;
};

static struct sum sum_of(const struct gpudx_redact *r, struct gpudx_sv class_name)
{
	struct sum s = { 0 };

	for (size_t i = 0; i < gpudx_redact_count(r); i++) {
		struct gpudx_redacted e = gpudx_redact_at(r, i);

		if (!sv_eq(e.class_name, class_name))
			continue;
		s.values++;
		s.weak += e.weak != NULL;
		s.times += e.times;
	}
	return s;
}

/* One row of classes.tsv: class, how, when, why. */
static void class_row(const struct gpudx_redact *r, struct gpudx_sv row, bool replaced,
		      struct gpudx_buf *b)
{
	struct gpudx_sv cell[4] = { { NULL, 0 } };
	struct sum s;

	for (int i = 0; i < 4 && sv_cell(&row, '\t', &cell[i]); i++)
		;
	s = sum_of(r, cell[0]);
	if (replaced && s.values)
		gpudx_buf_printf(b, "| %.*s | %zu | %s | %zu |\n", (int)cell[0].n, cell[0].p,
				 s.values, sv_is(cell[1], "remove") ? "removed" : "pseudonym",
				 s.weak);
	if (!replaced && !s.values && !sv_is(cell[2], "always"))
		gpudx_buf_printf(b, "- %.*s: %.*s\n", (int)cell[0].n, cell[0].p, (int)cell[3].n,
				 cell[3].p);
}

static void class_rows(const struct gpudx_redact *r, bool replaced, struct gpudx_buf *b)
{
	struct gpudx_sv text = gpudx_embed("rules/redact/classes.tsv"), row;
	bool heading = true;

	while (sv_line(&text, &row)) {
		if (!row.n || row.p[0] == '#')
			continue;
		if (!heading)
			class_row(r, row, replaced, b);
		heading = false;
	}
}

void gpudx_redact_audit(const struct gpudx_redact *r, struct gpudx_buf *b)
{
	size_t weak = 0;

	gpudx_buf_str(b, "| class | values | | of these only where they were found |\n"
			 "|---|---:|---|---:|\n");
	class_rows(r, true, b);
	gpudx_buf_str(b, "\nLeft as it is:\n\n");
	class_rows(r, false, b);
	gpudx_buf_str(b, "- versions of kernel, driver and packages, times, pids, registers, hex "
			 "words of NVRM and AER lines, all counters: without them nothing can be "
			 "decoded\n");
	for (size_t i = 0; i < gpudx_redact_count(r); i++)
		weak += gpudx_redact_at(r, i).weak != NULL;
	if (!weak)
		return;
	gpudx_buf_str(b, "\nToo short or too common to be replaced everywhere; replaced where a "
			 "pattern or a field showed what they are:\n\n");
	for (size_t i = 0; i < gpudx_redact_count(r); i++) {
		struct gpudx_redacted e = gpudx_redact_at(r, i);

		if (e.weak)
			gpudx_buf_printf(b, "- `%.*s`: %s\n", (int)e.pseudonym.n, e.pseudonym.p,
					 e.weak);
	}
}
