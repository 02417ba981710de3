/* What a site means to have (--site FILE): an intended deviation becomes a note, a lost one a
 * warning. Two forms, told apart by content:
 *
 *   # key            where      expected     why
 *   power.limit_w    *A100*     300          the rack has no more
 *   persistence.mode *          enabled      limits are lost without
 *   ecc.mode         lab-*      disabled     no results are kept there
 *
 * with tabs between the columns. key: of rules/kb/fact_keys.tsv. where: a pattern for the host's or the
 * GPU's name. expected: a number or a pattern, = in front or nothing, else != < <= > >=. Later lines
 * win. And error_thresholds.yaml of DCGM (its reference, "Error Threshold File"), whose thresholds are
 * what the site tolerates. */
#ifndef GPUDX_SITE_H
#define GPUDX_SITE_H

#include "base/arena.h"
#include "store/store.h"

enum gpudx_site_op {
	GPUDX_SITE_IS,
	GPUDX_SITE_IS_NOT,
	GPUDX_SITE_BELOW,
	GPUDX_SITE_AT_MOST,
	GPUDX_SITE_ABOVE,
	GPUDX_SITE_AT_LEAST
};

struct gpudx_site_term {
	struct gpudx_site_term *next;
	uint32_t line; /* that states it, and where that begins in the file */
	int64_t offset;
	struct gpudx_sv text, key, where, why;
	enum gpudx_site_op op;
	struct gpudx_sv expected; /* without the operator */
	bool has_num;
	double num;
};

struct gpudx_site {
	struct gpudx_arena arena;
	const char *label;		      /* the file's name without its folders */
	struct gpudx_site_term *first, **end; /* end: where the next one goes */
	uint32_t lines;
	uint32_t left_out; /* thresholds of DCGM that compare what gpudx does not know */
};

/* Reads a file. *out is NULL when it fails: GPUDX_E_USAGE, with the line that is none. */
GPUDX_CHECK enum gpudx_status gpudx_site_read(const char *path, struct gpudx_site **out,
					      struct gpudx_err *err);
void gpudx_site_free(struct gpudx_site *s); /* NULL is nothing */

/* GPUDX_E_USAGE: a term's key is none of the knowledge base. */
GPUDX_CHECK enum gpudx_status gpudx_site_check(const struct gpudx_site *s,
					       struct gpudx_store *store, struct gpudx_err *err);

/* Writes the file as a source of the bundle, and a row of table site for each value of the bundle that
 * a term speaks of. After derive, before judging. */
GPUDX_CHECK enum gpudx_status gpudx_site_write(const struct gpudx_site *s,
					       struct gpudx_store *store, int64_t bundle,
					       struct gpudx_err *err);

#endif
