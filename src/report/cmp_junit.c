/* The gate for CI systems: one test case a condition. What cannot be told is skipped, and an error
 * as well unless it is allowed; it is never passed. */
#include "report/cmp.h"
#include "report/escape.h"

static void put_attr(struct gpudx_buf *b, const char *name, const char *value)
{
	gpudx_buf_printf(b, " %s=\"", name);
	gpudx_html_str(b, value);
	gpudx_buf_char(b, '"');
}

static void put_message(struct gpudx_buf *b, const char *element, const struct cmp_condition *k)
{
	gpudx_buf_printf(b, "    <%s", element);
	put_attr(b, "message", k->said);
	gpudx_buf_char(b, '>');
	gpudx_html_str(b, k->asked);
	if (k->cause) {
		gpudx_buf_str(b, "; cause: ");
		gpudx_html_str(b, k->cause);
	}
	if (k->needs) {
		gpudx_buf_str(b, "; needs ");
		gpudx_html_str(b, k->needs);
	}
	gpudx_buf_printf(b, "</%s>\n", element);
}

static void put_case(struct gpudx_buf *b, const struct gpudx_comparison *c,
		     const struct cmp_condition *k)
{
	gpudx_buf_str(b, "  <testcase classname=\"gpudx.compare\"");
	put_attr(b, "name", k->name);
	if (k->outcome == CMP_PASS) {
		gpudx_buf_str(b, "/>\n");
		return;
	}
	gpudx_buf_str(b, ">\n");
	if (k->outcome == CMP_FAIL)
		put_message(b, "failure", k);
	else
		put_message(b, "skipped", k);
	if (k->outcome == CMP_INCONCLUSIVE && !c->options.allow_inconclusive)
		put_message(b, "error", k);
	gpudx_buf_str(b, "  </testcase>\n");
}

void gpudx_cmp_junit(const struct gpudx_comparison *c, struct gpudx_buf *b)
{
	struct gpudx_compared sum = gpudx_comparison_sum(c);

	gpudx_buf_printf(b,
			 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			 "<!-- gpudx compare -->\n"
			 "<testsuite name=\"gpudx compare\" tests=\"%zu\" failures=\"%zu\" "
			 "errors=\"%zu\" skipped=\"%zu\">\n",
			 sum.conditions, sum.failed,
			 c->options.allow_inconclusive ? (size_t)0 : sum.inconclusive,
			 sum.inconclusive);
	for (size_t i = 0; i < c->ngate; i++)
		put_case(b, c, &c->gate[i]);
	gpudx_buf_str(b, "</testsuite>\n");
}
