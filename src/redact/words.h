/* Many words at once in a text: each where it stands with a boundary on both sides. */
#ifndef GPUDX_REDACT_WORDS_H
#define GPUDX_REDACT_WORDS_H

#include "base/arena.h"

enum { GPUDX_WORD_MIN = 4, GPUDX_WORD_BUCKETS = 1 << 14 };

struct gpudx_words {
	struct word *v;
	size_t n, cap;
	uint32_t head[GPUDX_WORD_BUCKETS]; /* index + 1 of the first word with these four bytes */
};

/* Text is borrowed and of at least GPUDX_WORD_MIN bytes. False when memory is out. */
bool gpudx_words_add(struct gpudx_words *w, struct gpudx_sv text, uint32_t value);
void gpudx_words_free(struct gpudx_words *w);

struct gpudx_word_hit {
	size_t at, n;
	uint32_t value;
};

/* The first word at or behind from, the longest of several. want, if given, refuses values. */
bool gpudx_words_find(const struct gpudx_words *w, struct gpudx_sv text, size_t from,
		      bool (*want)(const void *arg, uint32_t value), const void *arg,
		      struct gpudx_word_hit *hit);

#endif
