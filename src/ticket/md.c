/* TICKET.md. */
#include "report/markdown.h"
#include "report/words.h"
#include "ticket/write.h"

#include "base/utf8.h"

static void put_cell(struct gpudx_buf *b, struct gpudx_sv s)
{
	gpudx_buf_str(b, " ");
	if (s.p)
		gpudx_md_text(b, s);
	gpudx_buf_str(b, " |");
}

/* "not in the evidence: `nvidia-smi -q`" */
static void put_value(struct gpudx_buf *b, const struct tk_row *r)
{
	gpudx_buf_char(b, ' ');
	if (r->value.p)
		gpudx_md_text(b, r->value);
	if (r->value.p && r->todo.p)
		gpudx_buf_str(b, "; ");
	if (tk_human(r)) {
		gpudx_buf_str(b, "**human: please fill**");
	} else if (r->todo.p) {
		gpudx_buf_str(b, "not in the evidence: ");
		gpudx_md_code(b, r->todo, true);
	} else if (!r->value.p) {
		gpudx_buf_str(b, "not in the evidence");
	}
	gpudx_buf_str(b, " |");
}

static bool any_of(const struct tk_section *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->rows[i].of.n)
			return true;
	return false;
}

void gpudx_ticket_md_section(struct gpudx_buf *b, const struct tk_section *s, size_t most)
{
	bool of = any_of(s);

	gpudx_buf_str(b, "## ");
	gpudx_md_text(b, s->title);
	gpudx_buf_str(b, "\n\n");
	if (!s->n) {
		gpudx_buf_str(b, "Nothing in the evidence.\n\n");
		return;
	}
	gpudx_buf_str(b, of ? "| | of | | | |\n|---|---|---|---|---|\n"
			    : "| | | | |\n|---|---|---|---|\n");
	for (size_t i = 0; i < s->n && i < most; i++) {
		const struct tk_row *r = &s->rows[i];

		gpudx_buf_char(b, '|');
		put_cell(b, r->label);
		if (of)
			put_cell(b, r->of);
		put_value(b, r);
		put_cell(b, r->state);
		gpudx_buf_char(b, ' ');
		if (r->place.p)
			gpudx_md_code(b, r->place, true);
		gpudx_buf_str(b, " |\n");
	}
	if (s->n > most)
		gpudx_buf_printf(b, "\nand %zu more below\n", s->n - most);
	gpudx_buf_char(b, '\n');
}

static void attachments(struct gpudx_buf *b, const struct tk_ticket *k)
{
	gpudx_buf_str(b, "## Attachments\n\n| file | | bytes | SHA-256 |\n|---|---|---:|---|\n");
	for (size_t i = 0; i < k->pack->n; i++) {
		const struct tk_file *f = &k->pack->files[i];

		gpudx_buf_str(b, "| ");
		gpudx_md_code(b, f->name, true);
		gpudx_buf_printf(b, " | %s | %llu | %s |\n", f->what, (unsigned long long)f->bytes,
				 f->sha256);
	}
	gpudx_buf_str(b, "\nMade from ");
	gpudx_md_text(b, k->m->label);
	gpudx_buf_str(b, ", SHA-256 ");
	gpudx_md_text(b, k->m->digest);
	gpudx_buf_str(b, ".\n\n");
}

void gpudx_ticket_md(const struct tk_ticket *k, struct gpudx_buf *b)
{
	struct gpudx_buf line = { .max = 1 << 16 };

	gpudx_word_read(&line, k->m);
	gpudx_md_text(b, sv_n(gpudx_buf_cstr(&line), line.n));
	gpudx_buf_free(&line);
	gpudx_buf_str(b, "\n\n# Ticket\n\n");
	for (size_t i = 0; i < k->t->n; i++)
		if (k->t->sections[i].mail)
			gpudx_ticket_md_section(b, &k->t->sections[i], k->t->sections[i].mail);
	attachments(b, k);
	gpudx_buf_str(b, "---\n\n# In full\n\n");
	for (size_t i = 0; i < k->t->n; i++)
		gpudx_ticket_md_section(b, &k->t->sections[i], SIZE_MAX);
	gpudx_buf_str(b, "## Redaction\n\n");
	gpudx_buf_sv(b, k->audit);
}
