/* The sentences of findings: templates of the rule filled from the finding's attributes. */
#ifndef GPUDX_SENTENCE_H
#define GPUDX_SENTENCE_H

#include "rules/finding.h"

/* Fills summary, meaning and remedy. Times and GPUs of the findings must be known. */
GPUDX_CHECK enum gpudx_status gpudx_sentences(sqlite3 *db, const struct gpudx_scene *scene,
					      const struct gpudx_findings *findings,
					      struct gpudx_err *err);

#endif
