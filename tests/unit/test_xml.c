#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/xml.h"

/* What is read, as text: "+a" opened, "-a" closed, "a=text" a leaf, "!" a document. */
static void note(const struct gpudx_xml *x, enum gpudx_xml_kind kind, char *out, size_t size)
{
	struct gpudx_sv path = gpudx_xml_path(x);
	size_t n = strlen(out);

	if (kind == GPUDX_XML_DOCUMENT)
		snprintf(out + n, size - n, "! ");
	else if (kind == GPUDX_XML_LEAF)
		snprintf(out + n, size - n, "%.*s=%.*s ", (int)path.n, path.p, (int)x->text.n,
			 x->text.p);
	else
		snprintf(out + n, size - n, "%c%.*s ", kind == GPUDX_XML_OPEN ? '+' : '-',
			 (int)path.n, path.p);
}

static void feed(struct gpudx_xml *x, struct gpudx_sv piece, char *out, size_t size)
{
	enum gpudx_xml_kind kind;

	while ((kind = gpudx_xml_next(x, &piece)) != GPUDX_XML_MORE)
		note(x, kind, out, size);
}

/* Whole, and in pieces of every size: the same must come out. */
static void reads(const char *text, const char *want)
{
	for (size_t step = strlen(text); step > 0; step--) {
		struct gpudx_xml x = { 0 };
		struct gpudx_sv s = sv_str(text);
		char out[2048] = "";

		for (; s.n; s = sv_from(s, step))
			feed(&x, sv_first(s, step), out, sizeof(out));
		assert_string_equal(out, want);
	}
}

static void reads_elements_and_texts(void **state)
{
	(void)state;
	reads("<?xml version=\"1.0\" ?>\n<a>\n\t<b> 1 &amp; 2 </b><c/>\n</a>\n",
	      "! +a +a/b a/b=1 & 2 +a/c a/c= -a ");
	reads("<a><b><c>x</c></b></a><d/>", "+a +a/b +a/b/c a/b/c=x -a/b -a +d d= ");
}

static void keeps_what_is_no_markup(void **state)
{
	(void)state;
	reads("<a>1 < 2 && 3 &#228;&#x41;&bogus;&#0;</a>", "+a a=1 < 2 && 3 \xc3\xa4"
							   "A&bogus; ");
	reads("<a>x<!-- <b>--->y<![CDATA[<z>]]]></a>", "+a a=xy<z>] ");
}

static void mends_damage(void **state)
{
	(void)state;
	reads("<a><b><c>1</a><d>2</d>", "+a +a/b +a/b/c a/b/c=1 -a/b -a +d d=2 ");
	reads("<a></x><b>1</b></a>", "+a +a/b a/b=1 -a ");
	reads("<a><b>1<?xml version=\"1.0\"?><a>2</a>", "+a +a/b ! +a a=2 ");
	reads("<a><b attr=\"<c>1</c>", "+a +a/c a/c=1 ");
}

static void finds_attributes(void **state)
{
	struct gpudx_xml x = { 0 };
	struct gpudx_sv s = sv_str("<gpu a='1' id=\"00000000:01:00.0\">");

	(void)state;
	assert_int_equal(gpudx_xml_next(&x, &s), GPUDX_XML_OPEN);
	assert_true(sv_is(gpudx_xml_attr(&x, "id"), "00000000:01:00.0"));
	assert_true(sv_is(gpudx_xml_attr(&x, "a"), "1"));
	assert_null(gpudx_xml_attr(&x, "none").p);
	assert_true(gpudx_xml_inside(&x));
}

static void bears_any_depth_and_length(void **state)
{
	struct gpudx_xml x = { 0 };
	char out[64] = "";

	(void)state;
	for (int i = 0; i < 5000; i++)
		feed(&x, SV_LIT("<deep>"), out, sizeof(out) - 1);
	for (int i = 0; i < 5000; i++)
		feed(&x, SV_LIT("long & &amp; text"), out, sizeof(out) - 1);
	for (int i = 0; i < 5000; i++)
		feed(&x, SV_LIT("</deep>"), out, sizeof(out) - 1);
	assert_false(gpudx_xml_inside(&x));
	for (int i = 0; i < 5000; i++)
		feed(&x, SV_LIT("<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa b='"), out, sizeof(out) - 1);
	assert_true(x.tag_n <= GPUDX_XML_TAG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_elements_and_texts),
		cmocka_unit_test(keeps_what_is_no_markup),
		cmocka_unit_test(mends_damage),
		cmocka_unit_test(finds_attributes),
		cmocka_unit_test(bears_any_depth_and_length),
	};

	return cmocka_run_group_tests_name("xml", tests, NULL, NULL);
}
