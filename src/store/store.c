#include "store/store.h"

#include "store/foreign.h"
#include "store/kb.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Four batches of two thousand samples keep both threads busy and cost 1 MB. Thirty-two
 * rows a statement: more gains nothing measurable, fewer costs. */
enum { BATCHES = 4, BATCH_SAMPLES = 2048, BATCH_ROWS = 256 << 10, ROWS_A_STEP = 32 };

struct batch {
	size_t n;
	struct gpudx_buf rows;
	struct gpudx_sample samples[BATCH_SAMPLES];
};

/* What the parameters of one row hold; .ref 0: nothing yet. */
struct slot {
	uint32_t ref, have;
	double v[GPUDX_COLS];
};

struct gpudx_store {
	sqlite3 *db;
	pthread_t writer;
	bool running;
	int64_t next_sample; /* rowid of the next one */
	struct batch *filling;

	/* between the threads */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct batch *batches[BATCHES];
	struct batch *full[BATCHES], *empty[BATCHES]; /* a queue and a stack */
	unsigned full_at, full_n, empty_n;
	bool last; /* nothing more will come */
	atomic_bool failed;
	struct gpudx_err err; /* of the writer; read after it has ended */

	/* of the writer */
	sqlite3_stmt *many, *one, *insert[GPUDX_TABLES];
	struct slot slots[ROWS_A_STEP], slot; /* of many and one */
};

/* ---- the queue ---- */

static struct batch *take_empty(struct gpudx_store *s)
{
	struct batch *b;

	pthread_mutex_lock(&s->mutex);
	while (!s->empty_n)
		pthread_cond_wait(&s->changed, &s->mutex);
	b = s->empty[--s->empty_n];
	pthread_mutex_unlock(&s->mutex);
	b->n = 0;
	gpudx_buf_clear(&b->rows);
	return b;
}

static void give_empty(struct gpudx_store *s, struct batch *b)
{
	pthread_mutex_lock(&s->mutex);
	s->empty[s->empty_n++] = b;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->mutex);
}

static void give_full(struct gpudx_store *s, struct batch *b)
{
	pthread_mutex_lock(&s->mutex);
	s->full[(s->full_at + s->full_n++) % BATCHES] = b;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->mutex);
}

static struct batch *take_full(struct gpudx_store *s)
{
	struct batch *b = NULL;

	pthread_mutex_lock(&s->mutex);
	while (!s->full_n && !s->last)
		pthread_cond_wait(&s->changed, &s->mutex);
	if (s->full_n) {
		b = s->full[s->full_at++ % BATCHES];
		s->full_n--;
	}
	pthread_mutex_unlock(&s->mutex);
	return b;
}

/* ---- the writer ---- */

static void bind_val(sqlite3_stmt *st, int i, const struct gpudx_val *v)
{
	switch (v->type) {
	case GPUDX_V_NULL:
		sqlite3_bind_null(st, i);
		break;
	case GPUDX_V_INT:
		sqlite3_bind_int64(st, i, v->i);
		break;
	case GPUDX_V_REAL:
		sqlite3_bind_double(st, i, v->d);
		break;
	case GPUDX_V_TEXT:
		sqlite3_bind_text64(st, i, v->s.p, v->s.n, SQLITE_STATIC, SQLITE_UTF8);
		break;
	}
}

static enum gpudx_status step_reset(struct gpudx_store *s, sqlite3_stmt *st, struct gpudx_err *err)
{
	if (sqlite3_step(st) != SQLITE_DONE)
		return gpudx_db_fail(s->db, err);
	sqlite3_reset(st);
	return GPUDX_OK;
}

static enum gpudx_status write_rows(struct gpudx_store *s, const struct batch *b,
				    struct gpudx_err *err)
{
	struct gpudx_sv cursor = sv_n(b->rows.p, b->rows.n);
	struct gpudx_val v[32];
	enum gpudx_table t;
	enum gpudx_status rc = GPUDX_OK;
	int n;

	if (b->rows.failed)
		return gpudx_nomem(err);
	while (!rc && gpudx_row_next(&cursor, &t, v, &n)) {
		if (!s->insert[t])
			rc = gpudx_db_prepare(s->db, gpudx_inserts[t].sql, &s->insert[t], err);
		for (int i = 0; i < n && !rc; i++)
			bind_val(s->insert[t], i + 1, &v[i]);
		if (!rc)
			rc = step_reset(s, s->insert[t], err);
	}
	return rc;
}

/* A bound value stays bound, and much of a series stays as it was: GPUs come in a fixed order, so a
 * slot of the statement sees the same card, limit and state again. */
static bool bound(const struct slot *was, const struct gpudx_sample *v, int c)
{
	uint32_t bit = 1u << c;

	if ((was->have ^ v->have) & bit)
		return false;
	return !(v->have & bit) || (v->v[c] <= was->v[c] && v->v[c] >= was->v[c]);
}

/* Columns in the order of enum gpudx_col, as in the table. Whole numbers are bound as such: they
 * need a third of the space, and the column's affinity gives them back as they were. */
static int bind_sample(sqlite3_stmt *st, int i, const struct gpudx_sample *v, struct slot *was)
{
	if (v->ref != was->ref)
		sqlite3_bind_int64(st, i, v->ref);
	sqlite3_bind_int64(st, i + 1, v->line);
	gpudx_bind_time(st, i + 2, v->t_us);
	sqlite3_bind_int64(st, i + 3, v->seq);
	i += 4;
	for (int c = 0; c < GPUDX_COLS; c++, i++) {
		double d = v->v[c];

		if (bound(was, v, c))
			continue;
		if (!(v->have & 1u << c))
			sqlite3_bind_null(st, i);
		else if (d >= INT32_MIN && d <= INT32_MAX && d == (double)(int32_t)d)
			sqlite3_bind_int(st, i, (int32_t)d);
		else
			sqlite3_bind_double(st, i, d);
		was->v[c] = d;
	}
	was->have = v->have;
	was->ref = v->ref;
	return i;
}

static enum gpudx_status write_samples(struct gpudx_store *s, const struct batch *b,
				       struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;
	size_t i = 0;

	while (i < b->n && !rc) {
		bool many = b->n - i >= ROWS_A_STEP;
		sqlite3_stmt *st = many ? s->many : s->one;
		struct slot *was = many ? s->slots : &s->slot;

		for (int at = 1, r = 0; r < (many ? ROWS_A_STEP : 1); r++)
			at = bind_sample(st, at, &b->samples[i++], &was[r]);
		rc = step_reset(s, st, err);
	}
	return rc;
}

static void *writer_main(void *arg)
{
	struct gpudx_store *s = arg;
	struct batch *b;

	while ((b = take_full(s)) != NULL) {
		if (!atomic_load(&s->failed) &&
		    (write_rows(s, b, &s->err) || write_samples(s, b, &s->err)))
			atomic_store(&s->failed, true);
		give_empty(s, b);
	}
	return NULL;
}

static enum gpudx_status prepare_samples(struct gpudx_store *s, int rows, sqlite3_stmt **out,
					 struct gpudx_err *err)
{
	struct gpudx_buf sql = { .max = 1 << 16 };
	enum gpudx_status rc;

	gpudx_buf_str(&sql, "INSERT INTO gpu_sample VALUES");
	for (int r = 0; r < rows; r++) {
		gpudx_buf_str(&sql, r ? ",(?" : "(?");
		for (int c = 1; c < 4 + GPUDX_COLS; c++)
			gpudx_buf_str(&sql, ",?");
		gpudx_buf_char(&sql, ')');
	}
	rc = gpudx_db_prepare(s->db, gpudx_buf_cstr(&sql), out, err);
	gpudx_buf_free(&sql);
	return rc;
}

/* ---- begin and end ---- */

static void free_batches(struct gpudx_store *s)
{
	for (int i = 0; i < BATCHES; i++) {
		if (s->batches[i])
			gpudx_buf_free(&s->batches[i]->rows);
		free(s->batches[i]);
		s->batches[i] = NULL;
	}
	s->filling = NULL;
	s->empty_n = s->full_n = s->full_at = 0;
}

static enum gpudx_status make_batches(struct gpudx_store *s, struct gpudx_err *err)
{
	for (int i = 0; i < BATCHES; i++) {
		s->batches[i] = malloc(sizeof(struct batch));
		if (!s->batches[i])
			return gpudx_nomem(err);
		s->batches[i]->n = 0;
		/* One record may be as large as a line and its copy. */
		s->batches[i]->rows = (struct gpudx_buf){ .max = BATCH_ROWS + (64 << 20) };
		s->empty[s->empty_n++] = s->batches[i];
	}
	return GPUDX_OK;
}

/* While rows are appended few pages are wanted: those that are full are written while the CPU's cache
 * still has them. What comes then reads at random. */
static const char loading[] = "PRAGMA cache_size=-256; BEGIN";
static const char loaded[] = "COMMIT; PRAGMA cache_size=-8000";

enum gpudx_status gpudx_store_begin(struct gpudx_store *s, struct gpudx_err *err)
{
	enum gpudx_status rc = gpudx_db_int(s->db, "SELECT max(rowid) + 1 FROM gpu_sample", 1,
					    &s->next_sample, err);

	if (!rc)
		rc = gpudx_db_exec(s->db, loading, err);
	if (!rc)
		rc = prepare_samples(s, ROWS_A_STEP, &s->many, err);
	if (!rc)
		rc = prepare_samples(s, 1, &s->one, err);
	if (!rc)
		rc = make_batches(s, err);
	if (rc)
		return rc;
	memset(s->slots, 0, sizeof(s->slots));
	memset(&s->slot, 0, sizeof(s->slot));
	s->last = false;
	atomic_store(&s->failed, false);
	s->filling = take_empty(s);
	if (pthread_create(&s->writer, NULL, writer_main, s) != 0)
		return gpudx_fail(err, GPUDX_E_IO, "cannot start a thread");
	s->running = true;
	return GPUDX_OK;
}

static void next_batch(struct gpudx_store *s)
{
	give_full(s, s->filling);
	s->filling = take_empty(s);
}

struct gpudx_buf *gpudx_store_rows(struct gpudx_store *s)
{
	if (s->filling->rows.n > BATCH_ROWS)
		next_batch(s);
	return &s->filling->rows;
}

int64_t gpudx_store_sample(struct gpudx_store *s, const struct gpudx_sample *v)
{
	s->filling->samples[s->filling->n++] = *v;
	if (s->filling->n == BATCH_SAMPLES)
		next_batch(s);
	return s->next_sample++;
}

bool gpudx_store_ok(const struct gpudx_store *s)
{
	return !atomic_load(&s->failed);
}

static void join_writer(struct gpudx_store *s)
{
	if (!s->running)
		return;
	give_full(s, s->filling);
	pthread_mutex_lock(&s->mutex);
	s->last = true;
	pthread_cond_broadcast(&s->changed);
	pthread_mutex_unlock(&s->mutex);
	pthread_join(s->writer, NULL);
	s->running = false;
}

static void finalize_all(struct gpudx_store *s)
{
	sqlite3_finalize(s->many);
	sqlite3_finalize(s->one);
	s->many = s->one = NULL;
	for (int i = 0; i < GPUDX_TABLES; i++) {
		sqlite3_finalize(s->insert[i]);
		s->insert[i] = NULL;
	}
}

enum gpudx_status gpudx_store_end(struct gpudx_store *s, struct gpudx_err *err)
{
	join_writer(s);
	finalize_all(s);
	free_batches(s);
	if (atomic_load(&s->failed)) {
		*err = s->err;
		return err->st;
	}
	return gpudx_db_exec(s->db, loaded, err);
}

/* ---- open and close ---- */

static struct gpudx_store *store_alloc(struct gpudx_err *err)
{
	struct gpudx_store *s = calloc(1, sizeof(*s));

	if (!s) {
		gpudx_nomem(err);
		return NULL;
	}
	pthread_mutex_init(&s->mutex, NULL);
	pthread_cond_init(&s->changed, NULL);
	return s;
}

/* Sorts of derive and rules stay in memory: SQLite would spill them to /var/tmp. No journal: an
 * unfinished database is thrown away as a whole. */
static const char settings[] =
	"PRAGMA page_size=16384; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;"
	"PRAGMA locking_mode=EXCLUSIVE; PRAGMA secure_delete=OFF;"
	"PRAGMA temp_store=MEMORY;";

/* Preparing a hundred rules is mostly small allocations: these are served without lock and malloc. */
enum { LOOKASIDE_SIZE = 512, LOOKASIDE_COUNT = 4096 };

static enum gpudx_status fill_new(struct gpudx_store *s, struct gpudx_err *err)
{
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_LOOKASIDE, NULL, LOOKASIDE_SIZE, LOOKASIDE_COUNT);
	enum gpudx_status rc = gpudx_db_exec(s->db, settings, err);

	if (!rc)
		rc = gpudx_db_exec(s->db, "BEGIN", err);
	if (!rc)
		rc = gpudx_schema_apply(s->db, err);
	if (!rc)
		rc = gpudx_db_exec(s->db, "COMMIT", err);
	return rc;
}

enum gpudx_status gpudx_store_create(const char *path, struct gpudx_store **out,
				     struct gpudx_err *err)
{
	struct gpudx_store *s = store_alloc(err);
	enum gpudx_status rc;

	if (!s)
		return err->st;
	if (sqlite3_open_v2(path ? path : ":memory:", &s->db,
			    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
			    NULL) != SQLITE_OK)
		rc = gpudx_fail(err, GPUDX_E_IO, "%s: %s", path ? path : "memory",
				sqlite3_errmsg(s->db));
	else
		rc = fill_new(s, err);
	if (rc) {
		gpudx_store_close(s);
		return gpudx_while(err, "while creating the database %s",
				   path ? path : "in memory");
	}
	*out = s;
	return GPUDX_OK;
}

enum gpudx_status gpudx_store_open(const char *path, struct gpudx_store **out,
				   struct gpudx_err *err)
{
	struct gpudx_store *s = store_alloc(err);
	enum gpudx_status rc;

	if (!s)
		return err->st;
	rc = gpudx_foreign_open(path, &s->db, err);
	if (rc) {
		gpudx_store_close(s);
		return rc;
	}
	*out = s;
	return GPUDX_OK;
}

void gpudx_store_close(struct gpudx_store *s)
{
	if (!s)
		return;
	join_writer(s);
	finalize_all(s);
	free_batches(s);
	sqlite3_close(s->db);
	pthread_mutex_destroy(&s->mutex);
	pthread_cond_destroy(&s->changed);
	free(s);
}

sqlite3 *gpudx_store_db(struct gpudx_store *s)
{
	return s->db;
}
