/* What bids on JSON have in common: how the head begins, and which words are in it. */
#ifndef GPUDX_JSON_HEAD_H
#define GPUDX_JSON_HEAD_H

#include "parse/parser.h"

enum { JSON_HEAD_LINES = 400, JSON_HEAD_BYTES = 1 << 16 };

/* The first character that is no blank opens an array ('[') or an object ('{'). */
static inline bool json_head_opens(const struct gpudx_head *head, char opening)
{
	for (size_t i = 0; i < head->n && i < 20; i++) {
		struct gpudx_sv s = sv_ltrim(head->lines[i].text);

		if (s.n)
			return s.p[0] == opening;
	}
	return false;
}

static inline bool json_head_has(const struct gpudx_head *head, const char *lit)
{
	for (size_t i = 0; i < head->n && i < JSON_HEAD_LINES; i++)
		if (sv_has(sv_first(head->lines[i].text, JSON_HEAD_BYTES), lit))
			return true;
	return false;
}

#endif
