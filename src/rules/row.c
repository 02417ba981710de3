#include "rules/row.h"

#include "base/stamp.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct row_reader {
	struct gpudx_statement *s;
	struct gpudx_fence *fence;
	struct gpudx_rule *rule;
	const struct gpudx_scene *scene;
	struct gpudx_arena *arena;
	struct gpudx_problems *problems;
	struct gpudx_rows *rows;
	size_t room, place;
};

enum { VALUE_TEXT = 40 };

/* A wrong cell: "row 3: gpu_id is ...". Always false. */
static bool bad_row(struct row_reader *r, const char *what, int i)
{
	const char *v = i < 0 ? NULL : (const char *)sqlite3_column_text(r->s->st, i);

	gpudx_problem_add(r->problems, r->rule, r->rule->query_line, "row %zu: %s%s%.*s",
			  r->place + 1, what, i < 0 ? "" : "; it is ", VALUE_TEXT,
			  i < 0 ? ""
			  : v	? v
				: "NULL");
	return false;
}

static bool no_room(struct row_reader *r)
{
	gpudx_problem_add(r->problems, r->rule, r->rule->query_line,
			  "its rows need more than %zu MiB; return fewer or smaller ones",
			  r->arena->limit >> 20);
	return false;
}

static bool is_null(struct row_reader *r, int i)
{
	return i < 0 || sqlite3_column_type(r->s->st, i) == SQLITE_NULL;
}

static bool read_int(struct row_reader *r, enum gpudx_column c, int64_t null, int64_t *out)
{
	int i = r->s->at[c];

	*out = null;
	if (is_null(r, i))
		return true;
	if (sqlite3_column_type(r->s->st, i) != SQLITE_INTEGER)
		return false;
	*out = sqlite3_column_int64(r->s->st, i);
	return true;
}

static bool read_place(struct row_reader *r, struct gpudx_row_seen *row)
{
	if (!read_int(r, GPUDX_C_GPU_ID, 0, &row->gpu) ||
	    (row->gpu && !gpudx_scene_gpu(r->scene, row->host, row->gpu)))
		return bad_row(r, "gpu_id must be a gpu.id of the same host, or NULL",
			       r->s->at[GPUDX_C_GPU_ID]);
	if (!read_int(r, GPUDX_C_INSTANCE_ID, 0, &row->instance))
		return bad_row(r, "instance_id must be a gpu_instance.id or NULL",
			       r->s->at[GPUDX_C_INSTANCE_ID]);
	return true;
}

/* Years beyond +-9999 are no times, and differences of times must not overflow. */
static bool read_time(struct row_reader *r, enum gpudx_column c, int64_t *out)
{
	static const int64_t limit = INT64_C(400000000000000000);

	return read_int(r, c, GPUDX_NO_TIME, out) &&
	       (*out == GPUDX_NO_TIME || (*out > -limit && *out < limit));
}

static bool read_times(struct row_reader *r, struct gpudx_row_seen *row)
{
	if (!read_time(r, GPUDX_C_T0_US, &row->t0_us))
		return bad_row(r, "t0_us must be whole microseconds or NULL",
			       r->s->at[GPUDX_C_T0_US]);
	if (!read_time(r, GPUDX_C_T1_US, &row->t1_us))
		return bad_row(r, "t1_us must be whole microseconds or NULL",
			       r->s->at[GPUDX_C_T1_US]);
	if (row->t0_us == GPUDX_NO_TIME)
		row->t0_us = row->t1_us;
	if (row->t1_us == GPUDX_NO_TIME)
		row->t1_us = row->t0_us;
	if (row->t1_us < row->t0_us)
		return bad_row(r, "t1_us lies before t0_us", r->s->at[GPUDX_C_T1_US]);
	return true;
}

static bool read_confidence(struct row_reader *r, struct gpudx_row_seen *row)
{
	int i = r->s->at[GPUDX_C_CONFIDENCE], type = sqlite3_column_type(r->s->st, i);

	row->confidence = sqlite3_column_double(r->s->st, i);
	if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) || row->confidence <= 0 ||
	    row->confidence > 1)
		return bad_row(r, "confidence must be above 0 and at most 1", i);
	return true;
}

static bool read_word(struct row_reader *r, enum gpudx_column c, enum gpudx_words list,
		      const char **out)
{
	char choices[GPUDX_CHOICES_TEXT], what[GPUDX_CHOICES_TEXT + 40];
	struct gpudx_buf b = { .max = sizeof(what) };
	int i = r->s->at[c];

	if (is_null(r, i))
		return true;
	*out = gpudx_word(list, gpudx_col_text(r->s->st, i));
	if (*out)
		return true;
	gpudx_buf_printf(&b, "%s must be %s, or NULL", sqlite3_column_name(r->s->st, i),
			 gpudx_word_choices(list, choices));
	bad_row(r, gpudx_buf_cstr(&b), i);
	gpudx_buf_free(&b);
	return false;
}

static bool read_words(struct row_reader *r, struct gpudx_row_seen *row)
{
	return read_word(r, GPUDX_C_SEVERITY, GPUDX_W_SEVERITY, &row->severity) &&
	       read_word(r, GPUDX_C_KIND, GPUDX_W_KIND, &row->kind) &&
	       read_word(r, GPUDX_C_POINTS, GPUDX_W_POINTS, &row->points) &&
	       read_word(r, GPUDX_C_STATE, GPUDX_W_STATE, &row->state) &&
	       read_word(r, GPUDX_C_ACTION, GPUDX_W_ACTION, &row->action) &&
	       read_word(r, GPUDX_C_T_QUALITY, GPUDX_W_QUALITY, &row->quality);
}

/* ---- evidence ---- */

/* The numbers of "[1,2,3]"; false when it is anything else. */
static bool scan_ids(struct gpudx_sv s, int64_t *out, size_t *n)
{
	uint64_t id;

	*n = 0;
	if (!sv_spaces(&s) || !sv_char(&s, '['))
		return false;
	if (sv_spaces(&s) && sv_char(&s, ']'))
		return sv_blank(s);
	do {
		if (!sv_spaces(&s) || !sv_u64(&s, &id) || id > INT64_MAX || !sv_spaces(&s))
			return false;
		out[(*n)++] = (int64_t)id;
	} while (sv_char(&s, ','));
	return sv_char(&s, ']') && sv_blank(s);
}

static bool read_ids(struct row_reader *r, int i, struct gpudx_lines_cited *out)
{
	struct gpudx_sv s = gpudx_col_text(r->s->st, i);
	size_t room = 1;

	for (size_t k = 0; k < s.n; k++)
		room += s.p[k] == ',';
	out->id = gpudx_arena_array(r->arena, room, sizeof(*out->id));
	if (!out->id)
		return no_room(r);
	if (!scan_ids(s, out->id, &out->n))
		return bad_row(r,
			       "evidence and against must be JSON arrays of line ids, as "
			       "json_array(line_id) or json_group_array(line_id) give them",
			       i);
	for (size_t k = 0; k < out->n; k++)
		if ((out->id[k] & 0xffffffff) == 0 ||
		    !gpudx_scene_has_source(r->scene, out->id[k] >> 32))
			return bad_row(r, "a line id belongs to no source of the bundle", i);
	return true;
}

static bool read_evidence(struct row_reader *r, struct gpudx_row_seen *row)
{
	int i = r->s->at[GPUDX_C_EVIDENCE], against = r->s->at[GPUDX_C_AGAINST];

	if (is_null(r, i))
		return bad_row(r, "there is no evidence; a rule fires on lines that it can cite",
			       i);
	if (!read_ids(r, i, &row->evidence))
		return false;
	if (!row->evidence.n)
		return bad_row(r, "there is no evidence; a rule fires on lines that it can cite",
			       i);
	row->first_line = row->evidence.id[0];
	for (size_t k = 1; k < row->evidence.n; k++)
		if (row->evidence.id[k] < row->first_line)
			row->first_line = row->evidence.id[k];
	return is_null(r, against) || read_ids(r, against, &row->against);
}

/* ---- all other columns ---- */

static bool read_cell(struct row_reader *r, int i, struct gpudx_val *v)
{
	sqlite3_stmt *st = r->s->st;

	switch (sqlite3_column_type(st, i)) {
	case SQLITE_INTEGER:
		*v = (struct gpudx_val){ .type = GPUDX_V_INT, .i = sqlite3_column_int64(st, i) };
		return true;
	case SQLITE_FLOAT:
		*v = (struct gpudx_val){ .type = GPUDX_V_REAL, .d = sqlite3_column_double(st, i) };
		return true;
	case SQLITE_NULL:
		*v = (struct gpudx_val){ .type = GPUDX_V_NULL };
		return true;
	case SQLITE_BLOB:
		return bad_row(r, "a column is a blob; return numbers and text", -1);
	}
	*v = (struct gpudx_val){ .type = GPUDX_V_TEXT,
				 .s = gpudx_arena_sv(r->arena, gpudx_col_text(st, i)) };
	return v->s.p || no_room(r);
}

static bool read_cells(struct row_reader *r, struct gpudx_row_seen *row)
{
	row->cell = gpudx_arena_array(r->arena, (size_t)r->s->n, sizeof(*row->cell));
	if (!row->cell)
		return no_room(r);
	for (int i = 0; i < r->s->n; i++)
		if (i != r->s->at[GPUDX_C_EVIDENCE] && i != r->s->at[GPUDX_C_AGAINST] &&
		    !read_cell(r, i, &row->cell[i]))
			return false;
	return true;
}

static bool read_group(struct row_reader *r, struct gpudx_row_seen *row)
{
	int i = r->s->at[GPUDX_C_GRP];

	if (is_null(r, i))
		return true;
	row->grp = gpudx_arena_sv(r->arena, gpudx_col_text(r->s->st, i));
	return row->grp.p || no_room(r);
}

/* False with a problem; *skip: the row is of a host of another bundle. */
static bool read_row(struct row_reader *r, struct gpudx_row_seen *row, bool *skip)
{
	*row = (struct gpudx_row_seen){ .place = r->place };
	*skip = false;
	if (!read_int(r, GPUDX_C_HOST_ID, 0, &row->host))
		return bad_row(r, "host_id must be a host.id", r->s->at[GPUDX_C_HOST_ID]);
	if (gpudx_scene_is_other(r->scene, row->host)) {
		*skip = true;
		return true;
	}
	if (!gpudx_scene_host(r->scene, row->host))
		return bad_row(r, "host_id must be a host.id", r->s->at[GPUDX_C_HOST_ID]);
	/* Cells first: asking a number for its text may change its type. */
	return read_cells(r, row) && read_place(r, row) && read_times(r, row) &&
	       read_confidence(r, row) && read_words(r, row) && read_evidence(r, row) &&
	       read_group(r, row);
}

/* ---- the whole ---- */

static bool read_names(struct row_reader *r)
{
	struct gpudx_rows *rows = r->rows;

	rows->columns = r->s->n;
	rows->name = gpudx_arena_array(r->arena, (size_t)rows->columns, sizeof(*rows->name));
	for (int i = 0; rows->name && i < rows->columns; i++) {
		rows->name[i] =
			gpudx_arena_sv(r->arena, sv_str(sqlite3_column_name(r->s->st, i))).p;
		if (!rows->name[i])
			return no_room(r);
	}
	return rows->name || no_room(r);
}

/* Room for one more row; doubling leaves the old array in the arena. */
static bool grow(struct row_reader *r)
{
	struct gpudx_rows *rows = r->rows;
	struct gpudx_row_seen *bigger;

	if (rows->n < r->room)
		return true;
	r->room = r->room ? r->room * 2 : 16;
	bigger = gpudx_arena_array(r->arena, r->room, sizeof(*bigger));
	if (!bigger)
		return no_room(r);
	if (rows->n)
		memcpy(bigger, rows->row, rows->n * sizeof(*bigger));
	rows->row = bigger;
	return true;
}

/* The rule ran into a limit: what it found until then holds, and is kept, but it did not look at
 * everything, so the problem stays. A bundle with very many errors would else have no finding. */
static bool keep_first(struct row_reader *r, const char *why)
{
	size_t n = r->rows->n;

	if (n)
		gpudx_problem_add(r->problems, r->rule, r->rule->query_line,
				  "%s; its first %zu rows are kept", why, n);
	else
		gpudx_problem_add(r->problems, r->rule, r->rule->query_line, "%s", why);
	return n > 0;
}

static bool is_limit(int rc)
{
	return rc == SQLITE_INTERRUPT || rc == SQLITE_NOMEM;
}

static bool step_all(struct row_reader *r)
{
	char why[GPUDX_FENCE_TEXT];
	bool skip;
	int rc;

	for (; (rc = sqlite3_step(r->s->st)) == SQLITE_ROW; r->place++) {
		if (r->place == (size_t)r->fence->limits.rows) {
			snprintf(why, sizeof(why), "more than %d rows; aggregate, or use grp",
				 r->fence->limits.rows);
			return keep_first(r, why);
		}
		if (!grow(r) || !read_row(r, &r->rows->row[r->rows->n], &skip))
			return false;
		r->rows->n += !skip;
	}
	if (rc == SQLITE_DONE)
		return true;
	gpudx_fence_why(r->fence, rc, why);
	if (is_limit(rc))
		return keep_first(r, why);
	gpudx_problem_add(r->problems, r->rule, r->rule->query_line, "%s", why);
	return false;
}

static int compare_text(struct gpudx_sv a, struct gpudx_sv b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

#define ORDER(x, y)                                \
	do {                                       \
		if ((x) != (y))                    \
			return (x) < (y) ? -1 : 1; \
	} while (0)

/* Groups together; inside a group the row that speaks for it first. */
static int compare_rows(const void *pa, const void *pb)
{
	const struct gpudx_row_seen *a = pa, *b = pb;
	int c;

	ORDER(a->host, b->host);
	ORDER(a->grp.p != NULL, b->grp.p != NULL);
	if (a->grp.p && (c = compare_text(a->grp, b->grp)) != 0)
		return c;
	ORDER(a->t0_us == GPUDX_NO_TIME, b->t0_us == GPUDX_NO_TIME);
	if (a->grp.p)
		ORDER(b->confidence, a->confidence);
	ORDER(a->t0_us, b->t0_us);
	ORDER(a->first_line, b->first_line);
	ORDER(a->place, b->place);
	return 0;
}

size_t gpudx_rows_group(const struct gpudx_rows *rows, size_t i)
{
	const struct gpudx_row_seen *first = &rows->row[i];
	size_t n = 1;

	while (first->grp.p && i + n < rows->n && rows->row[i + n].host == first->host &&
	       rows->row[i + n].grp.p && sv_eq(rows->row[i + n].grp, first->grp))
		n++;
	return n;
}

bool gpudx_rows_read(struct gpudx_statement *s, struct gpudx_fence *f, struct gpudx_rule *r,
		     const struct gpudx_scene *scene, struct gpudx_arena *a, struct gpudx_rows *out,
		     struct gpudx_problems *ps)
{
	struct row_reader reader = { s, f, r, scene, a, ps, out, 0, 0 };

	*out = (struct gpudx_rows){ 0 };
	if (!read_names(&reader) || !step_all(&reader)) {
		out->n = 0;
		return false;
	}
	if (out->n)
		qsort(out->row, out->n, sizeof(*out->row), compare_rows);
	return true;
}
