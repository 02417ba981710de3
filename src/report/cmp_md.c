/* A comparison for a merge request or a ticket: Markdown. */
#include "report/cmp.h"

#include <math.h>

/* Text of a bundle inside a table cell: nothing of it is markup. */
static void put_text(struct gpudx_buf *b, const char *s)
{
	for (; s && *s; s++) {
		if (strchr("\\`*_{}[]<>()#+!|~&", *s))
			gpudx_buf_char(b, '\\');
		gpudx_buf_char(b, *s == '\n' ? ' ' : *s);
	}
}

static void put_words(struct gpudx_buf *b, struct gpudx_buf *words)
{
	put_text(b, gpudx_buf_cstr(words));
	gpudx_buf_clear(words);
}

static void cell(struct gpudx_buf *b, const char *s)
{
	gpudx_buf_str(b, "| ");
	put_text(b, s);
	gpudx_buf_char(b, ' ');
}

static void changes(const struct gpudx_comparison *c, struct gpudx_buf *b)
{
	gpudx_buf_str(b, "\n## Changed\n\n");
	if (!c->nchanges) {
		gpudx_buf_str(b, "Nothing that both sides state.\n");
		return;
	}
	gpudx_buf_str(b, "| key | where | before | after | class |\n|---|---|---|---|---|\n");
	for (size_t i = 0; i < c->nchanges; i++) {
		const struct cmp_change *k = &c->changes[i];

		cell(b, k->key);
		cell(b, k->of_gpus ? k->who : "host");
		cell(b, k->value[0]);
		cell(b, k->value[1]);
		cell(b, k->lost ? "site policy lost" : gpudx_cmp_group(k->group));
		gpudx_buf_str(b, "|\n");
	}
}

static void shifts(const struct gpudx_comparison *c, struct gpudx_buf *b)
{
	struct gpudx_buf words = { .max = 4096 };

	if (!c->nshifts)
		return;
	gpudx_buf_str(b, "\n## Effect\n\n| series | before | after | change | 95 % interval | |\n"
			 "|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < c->nshifts; i++) {
		const struct cmp_shift *s = &c->shifts[i];

		gpudx_cmp_shift_name(&words, c, s);
		gpudx_buf_str(b, "| ");
		put_words(b, &words);
		for (int k = 0; k < CMP_SIDES; k++) {
			gpudx_cmp_value(&words, s, k);
			gpudx_buf_str(b, " | ");
			put_words(b, &words);
		}
		gpudx_buf_str(b, " | ");
		gpudx_cmp_difference(b, s);
		gpudx_buf_str(b, " | ");
		gpudx_cmp_interval(b, s);
		gpudx_buf_str(b, " | ");
		gpudx_cmp_verdict(b, s);
		gpudx_buf_str(b, " |\n");
	}
	gpudx_buf_free(&words);
}

static void counters(const struct gpudx_comparison *c, struct gpudx_buf *b)
{
	struct gpudx_buf words = { .max = 4096 };

	gpudx_buf_str(b, "\n## Counters\n\n");
	for (size_t i = 0; i < c->ncounters; i++) {
		if (!gpudx_counter_first(c, i))
			continue;
		gpudx_counter_sentence(&words, c, i);
		gpudx_buf_printf(b, "- %c ", c->counters[i].grade);
		put_words(b, &words);
		gpudx_buf_char(b, '\n');
	}
	gpudx_cmp_counters_still(&words, c);
	gpudx_buf_char(b, '\n');
	put_words(b, &words);
	gpudx_buf_char(b, '\n');
	gpudx_buf_free(&words);
}

static void gate(const struct gpudx_comparison *c, struct gpudx_buf *b)
{
	if (!c->ngate)
		return;
	gpudx_buf_printf(b, "\n## Gate: %s\n\n",
			 gpudx_comparison_sum(c).gate_failed ? "failed" : "passed");
	for (size_t i = 0; i < c->ngate; i++) {
		const struct cmp_condition *k = &c->gate[i];

		gpudx_buf_printf(b, "- **%s** ", gpudx_cmp_outcome(k->outcome));
		put_text(b, k->asked);
		gpudx_buf_str(b, ": ");
		put_text(b, k->said);
		if (k->cause) {
			gpudx_buf_str(b, "; cause: ");
			put_text(b, k->cause);
		}
		if (k->needs) {
			gpudx_buf_str(b, "; needs ");
			put_text(b, k->needs);
		}
		gpudx_buf_char(b, '\n');
	}
}

static void findings(const struct gpudx_comparison *c, struct gpudx_buf *b)
{
	if (c->nfindings)
		gpudx_buf_str(b, "\n## Findings\n\n");
	for (size_t i = 0; i < c->nfindings; i++) {
		const struct cmp_finding *f = &c->findings[i];

		gpudx_buf_printf(b, "- %c `%s` ", f->severity, f->id);
		if (*f->who) {
			put_text(b, f->who);
			gpudx_buf_str(b, ": ");
		}
		put_text(b, f->text);
		gpudx_buf_char(b, '\n');
	}
}

void gpudx_cmp_markdown(const struct gpudx_comparison *c, struct gpudx_buf *b)
{
	gpudx_buf_str(b, "<!-- gpudx compare -->\n# ");
	put_text(b, c->side[CMP_BEFORE].label);
	gpudx_buf_str(b, " → ");
	put_text(b, c->split_by ? c->split_by : c->side[CMP_AFTER].label);
	gpudx_buf_str(b, "\n\n**");
	put_text(b, c->lead);
	gpudx_buf_str(b, "**\n");
	for (size_t i = 0; i < c->nreasons; i++) {
		gpudx_buf_char(b, '\n');
		put_text(b, c->reasons[i]);
		gpudx_buf_char(b, '\n');
	}
	changes(c, b);
	shifts(c, b);
	counters(c, b);
	gate(c, b);
	findings(c, b);
}
