/* Renders a report of a case database that a file of SQL describes:
 *	gpudx-render FIXTURE.sql... text|html|md|json|csv [width=N] [height=N] [colour] [files] [charts]
 * A first argument that ends in .db is opened as a database instead. */
#include "base/sv.h"
#include "report/report.h"
#include "store/store.h"

#include <stdlib.h>

static char *slurp(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = f ? calloc(1, 4 << 20) : NULL;

	if (text && fread(text, 1, (4 << 20) - 1, f) == 0)
		text[0] = '\0';
	if (f)
		fclose(f);
	return text;
}

static enum gpudx_status run_sql(sqlite3 *db, const char *path, struct gpudx_err *err)
{
	char *sql = slurp(path);
	enum gpudx_status rc = sql ? gpudx_db_exec(db, sql, err)
				   : gpudx_fail(err, GPUDX_E_IO, "cannot read %s", path);

	free(sql);
	return rc ? gpudx_while(err, "while running %s", path) : GPUDX_OK;
}

/* Takes the files off the front of the arguments. */
static enum gpudx_status load(char ***args, sqlite3 **db, struct gpudx_store **s,
			      struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	if (**args && sv_ends(sv_str(**args), ".db"))
		return sqlite3_open_v2(*(*args)++, db, SQLITE_OPEN_READONLY, NULL)
			       ? gpudx_fail(err, GPUDX_E_IO, "cannot open the database")
			       : GPUDX_OK;
	rc = gpudx_store_create(NULL, s, err);
	if (rc)
		return rc;
	*db = gpudx_store_db(*s);
	for (; **args && sv_ends(sv_str(**args), ".sql") && !rc; (*args)++)
		rc = run_sql(*db, **args, err);
	return rc;
}

static bool number(struct gpudx_sv arg, const char *name, int *out)
{
	uint64_t v;

	if (!sv_lit(&arg, name) || !sv_u64(&arg, &v) || v > 10000)
		return false;
	*out = (int)v;
	return true;
}

static void option(struct gpudx_report_options *o, struct gpudx_sv arg, bool *charts,
		   enum gpudx_format *format)
{
	if (number(arg, "width=", &o->width) || number(arg, "height=", &o->height))
		return;
	if (sv_is(arg, "json"))
		*format = GPUDX_JSON;
	if (sv_is(arg, "csv"))
		*format = GPUDX_CSV;
	if (sv_is(arg, "md"))
		*format = GPUDX_MD;
	if (sv_is(arg, "html"))
		*format = GPUDX_HTML;
	o->colour |= sv_is(arg, "colour");
	*charts |= sv_is(arg, "charts");
	if (sv_is(arg, "files")) {
		o->html_path = "case.gpudx.html";
		o->db_path = "case.gpudx.db";
	}
}

int main(int argc, char **argv)
{
	struct gpudx_report_options o = { 0 };
	struct gpudx_err err = { 0 };
	struct gpudx_store *store = NULL;
	enum gpudx_format format = GPUDX_TEXT;
	char **args = argv + (argc > 0);
	bool charts = false;
	sqlite3 *db = NULL;
	enum gpudx_status rc = load(&args, &db, &store, &err);

	for (; *args && !rc; args++)
		option(&o, sv_str(*args), &charts, &format);
	if (charts)
		o.plot = gpudx_plot_start();
	if (!rc)
		rc = gpudx_report(db, 1, format, &o, stdout, &err);
	gpudx_plot_stop(o.plot);
	for (int i = 0; i < err.depth && rc; i++)
		fprintf(stderr, "%s%s\n", i ? "  " : "gpudx-render: ", err.text[i]);
	if (store)
		gpudx_store_close(store);
	else
		sqlite3_close(db);
	return rc != GPUDX_OK;
}
