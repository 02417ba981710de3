/* The closed lists of words that rules and findings use. Their order is their rank: worst, or
 * first, in front. */
#ifndef GPUDX_WORDS_H
#define GPUDX_WORDS_H

#include "base/sv.h"
#include "gpudx/gpudx.h"

enum gpudx_words {
	GPUDX_W_SCOPE,
	GPUDX_W_SEVERITY,
	GPUDX_W_SYMPTOM,
	GPUDX_W_KIND,
	GPUDX_W_POINTS,
	GPUDX_W_SHOWS,
	GPUDX_W_STATE,
	GPUDX_W_ACTION,
	GPUDX_W_QUALITY,
	GPUDX_W_LISTS
};

enum { GPUDX_WORDS_MAX = 12, GPUDX_CHOICES_TEXT = 160 };

/* Ranks of the words that the code itself asks for; severities and actions rank as their enums in
 * gpudx.h. */
enum { GPUDX_SCOPE_BUNDLE, GPUDX_SCOPE_COMPARE, GPUDX_SCOPE_FLEET };
enum { GPUDX_EXACT, GPUDX_ALIGNED, GPUDX_ZONE_ASSUMED, GPUDX_BOOT_RELATIVE, GPUDX_TIME_UNKNOWN };

/* The list's own copy of the word, which lives for ever; NULL when s is not in it. */
const char *gpudx_word(enum gpudx_words list, struct gpudx_sv s);

/* Place of the word in its list; -1 when it is not there. */
int gpudx_word_rank(enum gpudx_words list, struct gpudx_sv s);

/* "critical, error, warning or info", for messages; returns buf. */
const char *gpudx_word_choices(enum gpudx_words list, char buf[GPUDX_CHOICES_TEXT]);

#endif
