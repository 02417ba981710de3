#include "store/foreign.h"

#include "base/buf.h"
#include "store/kb.h"
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_COLUMNS = 4, URI_MAX = 16 << 10 };

/* "file:" and the path with all that means something in an URI as %XX. */
static void make_uri(struct gpudx_buf *uri, const char *path)
{
	gpudx_buf_str(uri, "file:");
	for (; *path; path++) {
		if (strchr("%?#", *path))
			gpudx_buf_printf(uri, "%%%02X", (unsigned char)*path);
		else
			gpudx_buf_char(uri, *path);
	}
	/* Immutable: a plain read-only handle would still leave -shm and -wal beside the input. */
	gpudx_buf_str(uri, "?mode=ro&immutable=1");
}

static enum gpudx_status open_immutable(const char *path, sqlite3 **db, struct gpudx_err *err)
{
	struct gpudx_buf uri = { .max = URI_MAX };
	char *real = realpath(path, NULL);
	int rc;

	if (!real)
		return gpudx_fail(err, errno == EACCES ? GPUDX_E_INPUT : GPUDX_E_USAGE, "%s: %s",
				  path, strerror(errno));
	make_uri(&uri, real);
	free(real);
	rc = uri.failed
		     ? SQLITE_NOMEM
		     : sqlite3_open_v2(uri.p, db,
				       SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
				       NULL);
	gpudx_buf_free(&uri);
	return rc == SQLITE_OK ? GPUDX_OK
			       : gpudx_fail(err, GPUDX_E_INPUT, "%s: %s", path, sqlite3_errstr(rc));
}

/* Before the first statement reads the schema of a stranger. */
static void distrust(sqlite3 *db)
{
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
}

static bool same_row(sqlite3_stmt *a, sqlite3_stmt *b)
{
	for (int i = 0; i < SCHEMA_COLUMNS; i++) {
		struct gpudx_sv va = gpudx_col_text(a, i), vb = gpudx_col_text(b, i);

		if (!va.p != !vb.p || !sv_eq(va, vb))
			return false;
	}
	return true;
}

static enum gpudx_status same_rows(sqlite3_stmt *a, sqlite3_stmt *b, bool *same,
				   struct gpudx_err *err)
{
	bool row_a = true, row_b = true;
	enum gpudx_status rc = GPUDX_OK;

	*same = true;
	while (!rc && *same && row_a && row_b) {
		rc = gpudx_db_step(a, &row_a, err);
		if (!rc)
			rc = gpudx_db_step(b, &row_b, err);
		if (!rc)
			*same = row_a == row_b && (!row_a || same_row(a, b));
	}
	return rc;
}

static enum gpudx_status same_schema(sqlite3 *theirs, sqlite3 *ours, bool *same,
				     struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name, tbl_name";
	sqlite3_stmt *a = NULL, *b = NULL;
	enum gpudx_status rc = gpudx_db_prepare(theirs, sql, &a, err);

	if (!rc)
		rc = gpudx_db_prepare(ours, sql, &b, err);
	if (!rc)
		rc = same_rows(a, b, same, err);
	sqlite3_finalize(a);
	sqlite3_finalize(b);
	return rc;
}

static enum gpudx_status make_ours(sqlite3 **db, struct gpudx_err *err)
{
	if (sqlite3_open_v2(":memory:", db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
	    SQLITE_OK)
		return gpudx_nomem(err);
	return gpudx_schema_apply(*db, err);
}

static enum gpudx_status check_marks(sqlite3 *theirs, sqlite3 *ours, const char *path,
				     struct gpudx_err *err)
{
	int64_t app = 0, want_app = 0, version = 0, want_version = 0;
	enum gpudx_status rc = gpudx_db_int(theirs, "PRAGMA application_id", 0, &app, err);

	if (!rc)
		rc = gpudx_db_int(theirs, "PRAGMA user_version", 0, &version, err);
	if (!rc)
		rc = gpudx_db_int(ours, "PRAGMA application_id", 0, &want_app, err);
	if (!rc)
		rc = gpudx_db_int(ours, "PRAGMA user_version", 0, &want_version, err);
	if (rc)
		return rc;
	if (app != want_app)
		return gpudx_fail(err, GPUDX_E_INPUT, "%s: not a database of gpudx", path);
	if (version != want_version)
		return gpudx_fail(err, GPUDX_E_INPUT,
				  "%s: made by another gpudx (schema %lld, this one reads %lld): "
				  "analyze the bundle again",
				  path, (long long)version, (long long)want_version);
	return GPUDX_OK;
}

static enum gpudx_status check(sqlite3 *theirs, const char *path, struct gpudx_err *err)
{
	sqlite3 *ours = NULL;
	bool same = false;
	enum gpudx_status rc = make_ours(&ours, err);

	if (!rc)
		rc = check_marks(theirs, ours, path, err);
	if (!rc)
		rc = same_schema(theirs, ours, &same, err);
	if (!rc && !same)
		rc = gpudx_fail(err, GPUDX_E_INPUT, "%s: its schema is not that of gpudx: refused",
				path);
	/* A damaged file fails where our own statements would only fail by a bug. */
	if (rc == GPUDX_E_BUG || rc == GPUDX_E_IO)
		rc = gpudx_fail(err, GPUDX_E_INPUT, "%s: %s", path, sqlite3_errmsg(theirs));
	sqlite3_close(ours);
	return rc;
}

enum gpudx_status gpudx_foreign_open(const char *path, sqlite3 **out, struct gpudx_err *err)
{
	enum gpudx_status rc = open_immutable(path, out, err);

	if (!rc) {
		distrust(*out);
		rc = gpudx_db_exec(*out,
				   "PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY; PRAGMA "
				   "cache_size=-8000",
				   err);
	}
	if (rc == GPUDX_E_BUG)
		rc = gpudx_fail(err, GPUDX_E_INPUT, "%s: %s", path, sqlite3_errmsg(*out));
	if (!rc)
		rc = check(*out, path, err);
	if (rc) {
		sqlite3_close(*out);
		*out = NULL;
	}
	return rc;
}
