/* A case without its secrets. */
#include "base/buf.h"
#include "case/case.h"
#include "redact/audit.h"
#include "redact/database.h"
#include "ticket/postmortem.h"
#include "ticket/ticket.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

static const char mark[] = "gpudx map, keep it to yourself";

_Static_assert((int)GPUDX_KEY == (int)GPUDX_REDACT_KEY, "one length of keys");

enum gpudx_status gpudx_case_redact(struct gpudx_case *c, const struct gpudx_redact_how *how,
				    struct gpudx_err *err)
{
	struct gpudx_redact_options o = { .report = !how->ticket,
					  .gpu = how->gpu,
					  .cloud = how->cloud };
	sqlite3 *db = gpudx_store_db(c->store);
	enum gpudx_status rc;

	memcpy(o.key, how->key, sizeof(o.key));
	rc = gpudx_redact_new(&o, &c->redact, err);
	if (!rc)
		rc = gpudx_redact_learn(c->redact, db, err);
	return rc ? rc : gpudx_redact_hide(c->redact, db, err);
}

enum gpudx_status gpudx_case_unredact(struct gpudx_case *c, struct gpudx_err *err)
{
	enum gpudx_status rc =
		c->redact ? gpudx_redact_show(gpudx_store_db(c->store), err) : GPUDX_OK;

	gpudx_redact_free(c->redact);
	c->redact = NULL;
	return rc;
}

static void put_key(const unsigned char *key, FILE *out)
{
	for (int i = 0; i < GPUDX_KEY; i++)
		fprintf(out, "%02x", key[i]);
}

void gpudx_case_map(const struct gpudx_case *c, FILE *out)
{
	fprintf(out, "# %s\nkey\t", mark);
	put_key(gpudx_redact_key(c->redact), out);
	fputs("\nclass\tpseudonym\toriginal\n", out);
	for (size_t i = 0; i < gpudx_redact_count(c->redact); i++) {
		struct gpudx_redacted e = gpudx_redact_at(c->redact, i);

		fprintf(out, "%.*s\t%.*s\t%.*s\n", (int)e.class_name.n, e.class_name.p,
			(int)e.pseudonym.n, e.pseudonym.p, (int)e.original.n, e.original.p);
	}
}

static bool read_key(FILE *f, unsigned char key[GPUDX_KEY])
{
	char head[256];
	size_t n = fread(head, 1, sizeof(head), f);
	struct gpudx_sv s = sv_n(head, n);
	uint64_t byte;

	if (!sv_lit(&s, "# ") || !sv_lit(&s, mark) || !sv_lit(&s, "\nkey\t"))
		return false;
	for (int i = 0; i < GPUDX_KEY; i++) {
		if (!sv_hex(&s, 2, 2, &byte))
			return false;
		key[i] = (unsigned char)byte;
	}
	return true;
}

enum gpudx_status gpudx_map_key(const char *path, unsigned char key[GPUDX_KEY],
				struct gpudx_err *err)
{
	FILE *f = path ? fopen(path, "rb") : NULL;
	bool good = f && read_key(f, key);

	if (f)
		fclose(f);
	else if (path && errno != ENOENT)
		return gpudx_fail(err, GPUDX_E_USAGE, "%s: %s", path, strerror(errno));
	if (f)
		return good ? GPUDX_OK
			    : gpudx_fail(err, GPUDX_E_USAGE, "%s: is no map of gpudx", path);
	if (getrandom(key, GPUDX_KEY, 0) != GPUDX_KEY)
		return gpudx_fail(err, GPUDX_E_IO, "no random numbers: %s", strerror(errno));
	return GPUDX_OK;
}

enum gpudx_status gpudx_case_audit(const struct gpudx_case *c, FILE *out, struct gpudx_err *err)
{
	struct gpudx_buf b = { .max = 16 << 20 };
	bool bad;

	gpudx_redact_audit(c->redact, &b);
	bad = b.failed || fwrite(gpudx_buf_cstr(&b), 1, b.n, out) != b.n;
	gpudx_buf_free(&b);
	return bad ? gpudx_fail(err, GPUDX_E_IO, "cannot write the audit") : GPUDX_OK;
}

enum gpudx_status gpudx_case_ticket_look(struct gpudx_case *c, int64_t bundle,
					 const struct gpudx_ticket_options *o,
					 struct gpudx_err *err)
{
	return gpudx_ticket_prepare(gpudx_store_db(c->store), c->redact, bundle, o, &c->limits,
				    err);
}

enum gpudx_status gpudx_case_ticket(struct gpudx_case *c, int64_t bundle,
				    const struct gpudx_ticket_options *o, const char *path,
				    struct gpudx_err *err)
{
	return gpudx_ticket(gpudx_store_db(c->store), c->redact, bundle, o, &c->limits, path, err);
}

enum gpudx_status gpudx_case_postmortem(struct gpudx_case *c, int64_t bundle, FILE *out,
					struct gpudx_err *err)
{
	return gpudx_postmortem(gpudx_store_db(c->store), bundle, out, err);
}
