/* Any bytes as a transcript: what the segmenter finds lies inside the line that it looked at, and the
 * same line behind the same one gives the same. */
#include "fuzz.h"

#include "ingest/segment.h"

static void inside(struct gpudx_sv part, struct gpudx_sv line)
{
	must(!part.n || (part.p >= line.p && part.p + part.n <= line.p + line.n),
	     "a part of a line lies inside it");
	touch(part);
}

static enum gpudx_boundary_kind look(struct gpudx_sv line, enum gpudx_boundary_kind before)
{
	struct gpudx_boundary b = gpudx_segment_look(line, before);
	struct gpudx_boundary again = gpudx_segment_look(line, before);

	inside(b.command, line);
	inside(b.host, line);
	inside(b.far, line);
	must(b.kind == again.kind && b.command.p == again.command.p &&
		     b.command.n == again.command.n,
	     "looking twice shows the same");
	return b.kind;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_sv rest = sv_n((const char *)p, n), line, title = SV("");
	enum gpudx_boundary_kind before = GPUDX_NO_BOUNDARY;

	while (sv_line(&rest, &line)) {
		struct gpudx_boundary more;

		if (title.n && gpudx_segment_repeats(title, line, &more))
			touch(more.command);
		before = look(line, before);
		title = line;
	}
	return 0;
}
