/* A case database in memory for tests of derive: one bundle, one host in its last boot, four GPUs,
 * and series of samples that go through the rollups of ingest. */
#ifndef DERIVE_DB_H
#define DERIVE_DB_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "derive/stages.h"
#include "ingest/series.h"

struct derive_db {
	struct gpudx_store *store;
	sqlite3 *db;
	struct gpudx_err err;
	struct gpudx_arena arena;
	struct gpudx_series series;
	uint32_t line;
};

/* 10:00:00 of some day. */
static const int64_t ten_o_clock = INT64_C(1768298400) * GPUDX_SECOND;

static inline void must(struct derive_db *d, enum gpudx_status rc)
{
	if (rc)
		fail_msg("%s", d->err.text[0]);
}

static inline void sql(struct derive_db *d, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static inline void sql(struct derive_db *d, const char *fmt, ...)
{
	char text[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	must(d, gpudx_db_exec(d->db, text, &d->err));
}

static inline int db_open(void **state)
{
	struct derive_db *d = calloc(1, sizeof(*d));

	if (!d)
		return -1;
	*state = d;
	must(d, gpudx_store_create(NULL, &d->store, &d->err));
	d->db = gpudx_store_db(d->store);
	sql(d, "INSERT INTO bundle(id, label, digest, members, unread) VALUES(1, 'test', '', 1, 0);"
	       "INSERT INTO host(id, bundle_id, name, how) VALUES(1, 1, 'node', 'test');"
	       "INSERT INTO boot(id, host_id, seq, start_quality) VALUES(1, 1, 0, 'unknown');"
	       "INSERT INTO source(id, bundle_id, host_id, path, status) VALUES(1, 1, 1, "
	       "'trace.csv', 'read');"
	       "INSERT INTO gpu(id, host_id, key, label, idx, how) VALUES(1, 1, 'node/gpu0', 'GPU "
	       "0', 0, 't'),"
	       " (2, 1, 'node/gpu1', 'GPU 1', 1, 't'), (3, 1, 'node/gpu2', 'GPU 2', 2, 't'),"
	       " (4, 1, 'node/gpu3', 'GPU 3', 3, 't')");
	return 0;
}

static inline int db_close(void **state)
{
	struct derive_db *d = *state;

	gpudx_store_close(d->store);
	gpudx_arena_free(&d->arena);
	free(d);
	return 0;
}

/* A ref of its own for a GPU in a source; before samples_begin. */
static inline void add_ref(struct derive_db *d, int ref, int gpu, int source)
{
	sql(d,
	    "INSERT INTO gpu_ref(id, source_id, src_boot, idx, gpu_id, t_quality)"
	    " VALUES(%d, %d, 0, %d, %d, 'zone_assumed')",
	    ref, source, gpu - 1, gpu);
}

static inline void samples_begin(struct derive_db *d)
{
	d->series = (struct gpudx_series){ .store = d->store, .arena = &d->arena };
	d->line = 1; /* the header */
	must(d, gpudx_store_begin(d->store, &d->err));
}

static inline void samples_end(struct derive_db *d)
{
	gpudx_series_end(&d->series);
	must(d, gpudx_store_end(d->store, &d->err));
}

/* What a test wants to say of a sample; NAN or NO_TIME is missing. */
struct sample {
	int64_t t_us, seq;
	double sm, power, limit, temp, util, reasons;
};

#define NO_SAMPLE                                                                               \
	((struct sample){ GPUDX_NO_TIME, 0, (double)NAN, (double)NAN, (double)NAN, (double)NAN, \
			  (double)NAN, (double)NAN })

static inline void put(struct derive_db *d, uint32_t ref, const struct sample *s)
{
	struct gpudx_sample v = { .ref = ref, .line = ++d->line, .t_us = s->t_us, .seq = s->seq };
	const double col[] = { s->sm, s->power, s->limit, s->temp, s->util, s->reasons };
	const enum gpudx_col id[] = { GPUDX_COL_SM_CLOCK, GPUDX_COL_POWER, GPUDX_COL_POWER_LIMIT,
				      GPUDX_COL_TEMP,	  GPUDX_COL_UTIL,  GPUDX_COL_REASONS };

	for (int i = 0; i < 6; i++)
		if (!isnan(col[i]))
			gpudx_sample_set(&v, id[i], col[i]);
	gpudx_series_add(&d->series, &v, gpudx_store_sample(d->store, &v));
}

/* One value of a query. */
static inline double ask(struct derive_db *d, const char *query)
{
	sqlite3_stmt *st;
	double out = (double)NAN;
	bool row;

	must(d, gpudx_db_prepare(d->db, query, &st, &d->err));
	must(d, gpudx_db_step(st, &row, &d->err));
	if (row)
		out = gpudx_col_real(st, 0);
	sqlite3_finalize(st);
	return out;
}

/* All rows of a query, columns by "|", rows by newlines, NULL empty. */
static inline void assert_rows(struct derive_db *d, const char *query, const char *want)
{
	struct gpudx_buf got = { .max = 1 << 20 };
	sqlite3_stmt *st;
	bool row;

	must(d, gpudx_db_prepare(d->db, query, &st, &d->err));
	for (;;) {
		must(d, gpudx_db_step(st, &row, &d->err));
		if (!row)
			break;
		for (int i = 0; i < sqlite3_column_count(st); i++) {
			if (i)
				gpudx_buf_char(&got, '|');
			gpudx_buf_sv(&got, gpudx_col_text(st, i));
		}
		gpudx_buf_char(&got, '\n');
	}
	sqlite3_finalize(st);
	if (!sv_is(sv_str(gpudx_buf_cstr(&got)), want))
		fail_msg("%s\ngives\n%swant\n%s", query, gpudx_buf_cstr(&got), want);
	gpudx_buf_free(&got);
}

#endif
