/* Any bytes as a bundle through everything: read, derive, judge, report, by the public interface.
 */
#include "render.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_err err = { 0 };
	struct gpudx_judged judged;
	struct gpudx_case *c;
	struct gpudx_read read;

	must_ok(gpudx_case_create(NULL, &c, &err), &err);
	must_ok(gpudx_case_read(c, fuzz_file(p, n), &read, &err), &err);
	must_ok(gpudx_case_derive(c, read.bundle, NULL, &err), &err);
	must_ok(gpudx_case_judge(c, read.bundle, NULL, &judged, &err), &err);
	must(judged.broken == 0, "no rule breaks");
	must_ok(gpudx_case_sources(c, read.bundle, touch_source, NULL, &err), &err);
	must_ok(render(c, read.bundle, &err), &err);
	gpudx_case_close(c);
	return 0;
}
