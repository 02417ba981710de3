#include "redact/words.h"

#include <stdlib.h>

struct word {
	struct gpudx_sv text;
	uint32_t value, next;
};

static bool is_alnum(char c)
{
	return sv_is_digit(c) || sv_is_alpha(c) || (unsigned char)c >= 0x80;
}

static uint32_t bucket(const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return (v * UINT32_C(2654435761)) >> 18;
}

bool gpudx_words_add(struct gpudx_words *w, struct gpudx_sv text, uint32_t value)
{
	uint32_t *head = &w->head[bucket(text.p)];
	struct word *more;

	if (w->n == w->cap) {
		more = realloc(w->v, (w->cap ? w->cap * 2 : 64) * sizeof(*more));
		if (!more)
			return false;
		w->v = more;
		w->cap = w->cap ? w->cap * 2 : 64;
	}
	w->v[w->n] = (struct word){ text, value, *head };
	*head = (uint32_t)++w->n;
	return true;
}

void gpudx_words_free(struct gpudx_words *w)
{
	free(w->v);
	w->v = NULL;
	w->n = w->cap = 0;
}

static bool stands_at(struct gpudx_sv text, size_t at, struct gpudx_sv word)
{
	size_t end = at + word.n;

	return word.n <= text.n - at && memcmp(text.p + at, word.p, word.n) == 0 &&
	       (!at || !is_alnum(text.p[at - 1]) || !is_alnum(word.p[0])) &&
	       (end == text.n || !is_alnum(text.p[end]) || !is_alnum(word.p[word.n - 1]));
}

bool gpudx_words_find(const struct gpudx_words *w, struct gpudx_sv text, size_t from,
		      bool (*want)(const void *arg, uint32_t value), const void *arg,
		      struct gpudx_word_hit *hit)
{
	hit->n = 0;
	for (size_t at = from; w->n && at + GPUDX_WORD_MIN <= text.n; at++) {
		for (uint32_t i = w->head[bucket(text.p + at)]; i; i = w->v[i - 1].next) {
			const struct word *v = &w->v[i - 1];

			if (v->text.n > hit->n && stands_at(text, at, v->text) &&
			    (!want || want(arg, v->value)))
				*hit = (struct gpudx_word_hit){ at, v->text.n, v->value };
		}
		if (hit->n)
			return true;
	}
	return false;
}
