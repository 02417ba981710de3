/* Text as the head that parsers bid on. */
#ifndef GPUDX_TEST_HEAD_H
#define GPUDX_TEST_HEAD_H

#include "parse/parser.h"

enum { HEAD_LINES = 64 };

struct test_head {
	struct gpudx_head head;
	struct gpudx_line lines[HEAD_LINES];
};

/* Borrows text. */
static inline const struct gpudx_head *test_head(struct test_head *h, const char *text,
						 const char *command)
{
	struct gpudx_sv rest = sv_str(text), line;

	*h = (struct test_head){ .head = { .path = SV("x"), .command = sv_str(command) } };
	while (h->head.n < HEAD_LINES && sv_line(&rest, &line)) {
		h->lines[h->head.n].text = line;
		h->lines[h->head.n].no = (uint32_t)h->head.n + 1;
		h->head.n++;
	}
	h->head.lines = h->lines;
	return &h->head;
}

#endif
