/* ticket.json and the tables for spreadsheets. */
#include "report/jsonw.h"
#include "ticket/write.h"

#include "base/csv.h"

static void put_row(struct rep_json *j, const struct tk_row *r)
{
	gpudx_json_open(j, NULL, '{');
	gpudx_json_text(j, "label", r->label);
	gpudx_json_text(j, "of", r->of.n ? r->of : sv_n(NULL, 0));
	gpudx_json_text(j, "value", r->value);
	gpudx_json_text(j, "state", r->state);
	gpudx_json_text(j, "source", r->place);
	gpudx_json_bool(j, "human", tk_human(r));
	gpudx_json_text(j, "collect", tk_human(r) ? sv_n(NULL, 0) : r->todo);
	gpudx_json_close(j);
}

void gpudx_ticket_json(const struct tk_ticket *k, struct gpudx_buf *b)
{
	struct rep_json j = { .b = b };

	gpudx_json_open(&j, NULL, '{');
	gpudx_json_str(&j, "schema", "gpudx/ticket/1");
	gpudx_json_str(&j, "gpudx", GPUDX_VERSION);
	gpudx_json_text(&j, "input", k->m->label);
	gpudx_json_text(&j, "input_sha256", k->m->digest);
	gpudx_json_open(&j, "sections", '{');
	for (size_t i = 0; i < k->t->n; i++) {
		gpudx_json_open_text(&j, k->t->sections[i].id, '[');
		for (size_t n = 0; n < k->t->sections[i].n; n++)
			put_row(&j, &k->t->sections[i].rows[n]);
		gpudx_json_close(&j);
	}
	gpudx_json_close(&j);
	gpudx_json_open(&j, "attachments", '[');
	for (size_t i = 0; i < k->pack->n; i++) {
		gpudx_json_open(&j, NULL, '{');
		gpudx_json_text(&j, "name", k->pack->files[i].name);
		gpudx_json_str(&j, "what", k->pack->files[i].what);
		gpudx_json_int(&j, "bytes", (int64_t)k->pack->files[i].bytes);
		gpudx_json_str(&j, "sha256", k->pack->files[i].sha256);
		gpudx_json_close(&j);
	}
	gpudx_json_close(&j);
	gpudx_json_close(&j);
	gpudx_buf_char(b, '\n');
}

static void put_cell(struct gpudx_buf *b, struct gpudx_sv s, const char *behind)
{
	gpudx_csv_text(b, s);
	gpudx_buf_str(b, behind);
}

void gpudx_ticket_csv(const struct tk_section *s, struct gpudx_buf *b)
{
	/* The first name is the mark by which gpudx knows its own tables. */
	gpudx_buf_str(b, "gpudx_label,of,value,state,source\n");
	for (size_t i = 0; i < s->n; i++) {
		put_cell(b, s->rows[i].label, ",");
		put_cell(b, s->rows[i].of, ",");
		put_cell(b, s->rows[i].value, ",");
		put_cell(b, s->rows[i].state, ",");
		put_cell(b, s->rows[i].place, "\n");
	}
}
