#include "rules/book.h"

static const char *text_of(const struct gpudx_rule *r, enum gpudx_rule_key key)
{
	return r->value[key] ? r->value[key] : "";
}

void gpudx_book_list(const struct gpudx_ruleset *s, FILE *out)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct gpudx_rule *r = s->rule[i];

		if (r->background)
			continue;
		fprintf(out, "%-32s  %-8s  %-11s  %s\n", r->id, text_of(r, GPUDX_K_SEVERITY),
			text_of(r, GPUDX_K_KIND),
			r->broken ? "(broken: see gpudx rules check)" : text_of(r, GPUDX_K_TITLE));
	}
}

enum { WIDTH = 78, INDENT = 16 };

/* "label:          text" with the text wrapped between words. */
static void print_wrapped(FILE *out, const char *label, struct gpudx_sv s)
{
	struct gpudx_sv word;
	size_t column = INDENT;

	if (!s.n)
		return;
	fprintf(out, "%-*s", INDENT, label);
	for (s = sv_ltrim(s); sv_token(&s, &word); s = sv_ltrim(s)) {
		if (column > INDENT && column + 1 + word.n > WIDTH) {
			fprintf(out, "\n%*s", INDENT, "");
			column = INDENT;
		}
		column += (size_t)fprintf(out, "%s%.*s", column > INDENT ? " " : "", (int)word.n,
					  word.p);
	}
	fputc('\n', out);
}

static void print_key(FILE *out, const char *label, const struct gpudx_rule *r,
		      enum gpudx_rule_key key)
{
	print_wrapped(out, label, sv_str(text_of(r, key)));
}

static void print_traits(FILE *out, const struct gpudx_rule *r)
{
	fprintf(out, "%-*s%s, %s; answers to: %s; points to: %s; shows: %s\n", INDENT,
		"kind:", text_of(r, GPUDX_K_SEVERITY), text_of(r, GPUDX_K_KIND),
		text_of(r, GPUDX_K_SYMPTOM), text_of(r, GPUDX_K_POINTS), text_of(r, GPUDX_K_SHOWS));
}

void gpudx_book_show(const struct gpudx_rule *r, FILE *out)
{
	fprintf(out, "%s\n%s\n\n", r->id, text_of(r, GPUDX_K_TITLE));
	print_key(out, "says:", r, GPUDX_K_SUMMARY);
	print_key(out, "means:", r, GPUDX_K_MEANING);
	print_key(out, "do:", r, GPUDX_K_REMEDY);
	print_key(out, "look-alikes:", r, GPUDX_K_FALSEPOSITIVES);
	print_traits(out, r);
	print_key(out, "action:", r, GPUDX_K_ACTION);
	print_key(out, "needs:", r, GPUDX_K_NEEDS);
	print_key(out, "settled by:", r, GPUDX_K_SETTLE);
	print_key(out, "parameters:", r, GPUDX_K_PARAMS);
	print_key(out, "explains:", r, GPUDX_K_EXPLAINS);
	print_key(out, "sources:", r, GPUDX_K_REFS);
	fprintf(out, "\n%.*s", (int)r->sql.n, r->sql.p ? r->sql.p : "");
}

void gpudx_book_problems(const struct gpudx_ruleset *s, FILE *out)
{
	for (const struct gpudx_problem *p = s->problems.first; p; p = p->next)
		fprintf(out, "%s:%u: %s\n", p->path, p->line, p->text);
}
