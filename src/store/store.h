/* The case database. While ingest runs, one thread writes it behind a bounded queue; before and
 * afterwards it is an ordinary SQLite handle for derive, rules and report. */
#ifndef GPUDX_STORE_H
#define GPUDX_STORE_H

#include <sqlite3.h>

#include "gpudx/status.h"
#include "parse/record.h"
#include "store/rows.h"

struct gpudx_store;

/* Creates the database at path, which must not exist; NULL = in memory. Schema and knowledge base
 * are in it on return. */
GPUDX_CHECK enum gpudx_status gpudx_store_create(const char *path, struct gpudx_store **out,
						 struct gpudx_err *err);

/* Opens a database that somebody made, read-only and immutable: its schema must be ours to the
 * byte, its views and triggers are not trusted. */
GPUDX_CHECK enum gpudx_status gpudx_store_open(const char *path, struct gpudx_store **out,
					       struct gpudx_err *err);
void gpudx_store_close(struct gpudx_store *s);

sqlite3 *gpudx_store_db(struct gpudx_store *s);

/* ---- writing, from one thread; between begin and end the handle must not be used ---- */

GPUDX_CHECK enum gpudx_status gpudx_store_begin(struct gpudx_store *s, struct gpudx_err *err);

/* A buffer to encode rows into; valid until the next call to the store. Never NULL. */
struct gpudx_buf *gpudx_store_rows(struct gpudx_store *s);

/* Appends a sample and returns the rowid that it will have. */
int64_t gpudx_store_sample(struct gpudx_store *s, const struct gpudx_sample *v);

/* False once writing has failed: the reader should stop; end says why. */
bool gpudx_store_ok(const struct gpudx_store *s);

/* Waits for the writer and commits. */
GPUDX_CHECK enum gpudx_status gpudx_store_end(struct gpudx_store *s, struct gpudx_err *err);

/* ---- small helps for those who use the handle ---- */

/* Runs statements without parameters. */
GPUDX_CHECK enum gpudx_status gpudx_db_exec(sqlite3 *db, const char *sql, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_db_prepare(sqlite3 *db, const char *sql, sqlite3_stmt **out,
					       struct gpudx_err *err);
/* One step: *row says whether there is one. */
GPUDX_CHECK enum gpudx_status gpudx_db_step(sqlite3_stmt *st, bool *row, struct gpudx_err *err);
/* Steps a statement that gives no rows, then resets it. */
GPUDX_CHECK enum gpudx_status gpudx_db_run(sqlite3_stmt *st, struct gpudx_err *err);
/* The first column of the first row; fallback when there is none or it is NULL. */
GPUDX_CHECK enum gpudx_status gpudx_db_int(sqlite3 *db, const char *sql, int64_t fallback,
					   int64_t *out, struct gpudx_err *err);
/* Knowledge may be absent: true when the table is there and, unless NULL, that column of it. */
bool gpudx_db_has(sqlite3 *db, const char *table, const char *column);
/* The failure of a call, as "database: ...". */
enum gpudx_status gpudx_db_fail(sqlite3 *db, struct gpudx_err *err);

/* Text and time columns; .p NULL and GPUDX_NO_TIME for NULL. Text is valid until the next step. */
struct gpudx_sv gpudx_col_text(sqlite3_stmt *st, int i);
int64_t gpudx_col_time(sqlite3_stmt *st, int i);
int64_t gpudx_col_int(sqlite3_stmt *st, int i, int64_t null);
double gpudx_col_real(sqlite3_stmt *st, int i); /* NAN for NULL */
void gpudx_bind_text(sqlite3_stmt *st, int i, struct gpudx_sv s);
void gpudx_bind_time(sqlite3_stmt *st, int i, int64_t t_us);
void gpudx_bind_real(sqlite3_stmt *st, int i, double v);
void gpudx_bind_unless(sqlite3_stmt *st, int i, int64_t v, int64_t none);

#endif
