/* What logs said, in a form in which one log can be held against another. */
#ifndef GPUDX_SAID_H
#define GPUDX_SAID_H

#include "store/store.h"

/* Adds the source_span rows of stamps that stand in events, facts and samples only. */
GPUDX_CHECK enum gpudx_status gpudx_said_spans(sqlite3 *db, int64_t bundle, struct gpudx_err *err);

/* Makes temp.said(source_id, src_boot, host_id, key, kind, raw, mono, line_id): every event, and
 * the facts of logs, that have a stamp. Equal keys are equal messages; kind and raw are the stamp,
 * mono the time since boot where it is known. Empty when there is nothing to compare. */
GPUDX_CHECK enum gpudx_status gpudx_said_make(sqlite3 *db, int64_t bundle, struct gpudx_err *err);

#endif
