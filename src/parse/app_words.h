/* The few words by which a program's complaint about GPUs is told from other text. What the
 * complaints are is data: rules/signatures/app.tsv and framework.tsv; a trial sees no marks of the
 * finder, so the words stand here as well, and a unit test keeps both together. */
#ifndef GPUDX_APP_WORDS_H
#define GPUDX_APP_WORDS_H

#include "base/sv.h"

bool app_has_words(struct gpudx_sv line);

#endif
