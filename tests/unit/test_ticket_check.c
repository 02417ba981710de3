#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "own_dir.h"
#include "ticket/excerpt.h"

#include <string.h>

/* What the first pass over a finished archive would miss, the second must not: here it is planted behind
 * the back of the first. */
struct planted {
	const char *name, *text;
	enum gpudx_status found;
};

static struct gpudx_redact *learnt(void)
{
	struct gpudx_redact_options o = { .key = "a key" };
	struct gpudx_buf b = { .max = 4096 };
	struct gpudx_err err = { 0 };
	struct gpudx_redact *r;

	assert_int_equal(gpudx_redact_new(&o, &r, &err), GPUDX_OK);
	gpudx_redact_text(r, SV_LIT("Linux planted-h1 5.15.0 x"), &b);
	gpudx_redact_as(r, SV_LIT("path"), SV_LIT("R&D\"77"), &b);
	gpudx_redact_text(r, SV_LIT("/home/bob/x"), &b);
	gpudx_redact_settle(r);
	gpudx_buf_free(&b);
	return r;
}

static enum gpudx_status searched(const struct planted *p, struct gpudx_err *err)
{
	struct gpudx_arena arena = { .limit = 1 << 20 };
	struct gpudx_redact *r = learnt();
	struct tk_pack pack;
	enum gpudx_status rc;

	write_file("t.tgz", "", 0);
	assert_int_equal(gpudx_pack_open(&pack, "t.tgz", &arena, err), GPUDX_OK);
	assert_int_equal(gpudx_pack_add(&pack, sv_str(p->name), "x", sv_str(p->text), err),
			 GPUDX_OK);
	assert_int_equal(gpudx_pack_close(&pack, err), GPUDX_OK);
	rc = gpudx_ticket_check(r, "t.tgz", err);
	gpudx_redact_free(r);
	gpudx_arena_free(&arena);
	return rc;
}

static void finds_what_was_to_be_replaced(void **state)
{
	static const struct planted cases[] = {
		{ "evidence/a.txt", "nothing of note, planted-h2, planted-h1x", GPUDX_OK },
		{ "evidence/a.txt", "up: planted-h1.", GPUDX_E_BUG },
		{ "evidence/a.txt", "PLANTED-H1 as others write it", GPUDX_E_BUG },
		{ "evidence/planted-h1.txt", "nothing of note", GPUDX_E_BUG },
		{ "report.html", "<td>R&amp;D&quot;77</td>", GPUDX_E_BUG },
		{ "ticket.json", "{\"a\":\"R&D\\\"77\"}", GPUDX_E_BUG },
		{ "timeline.csv", "a,\"R&D\"\"77\"\n", GPUDX_E_BUG },
		/* Shorter than four characters: replaced in its field, and listed. */
		{ "evidence/a.txt", "bob", GPUDX_OK },
		/* The original is not searched, and that is said. */
		{ "sealed/a.txt", "planted-h1", GPUDX_OK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpudx_err err = { 0 };
		enum gpudx_status rc = searched(&cases[i], &err);

		if (rc != cases[i].found)
			print_message("%s: %s\n", cases[i].name, cases[i].text);
		assert_int_equal(rc, cases[i].found);
		/* Who reads the message must not learn it from there. */
		assert_null(strstr(err.text[0], "planted-h1"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(finds_what_was_to_be_replaced) };

	return cmocka_run_group_tests_name("ticket_check", tests, own_dir_enter, own_dir_leave);
}
