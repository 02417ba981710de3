/* Rules of the file system: a file, or a directory of families. */
#include "rules/set.h"

#include "base/buf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static enum gpudx_status add_file(struct gpudx_ruleset *s, const char *path, struct gpudx_err *err)
{
	struct gpudx_buf b = { .max = GPUDX_RULE_BYTES + 2 };
	FILE *f = fopen(path, "rb");
	enum gpudx_status rc;
	char *room;

	if (!f)
		return gpudx_fail(err, GPUDX_E_USAGE, "%s: %s", path, strerror(errno));
	room = gpudx_buf_room(&b, GPUDX_RULE_BYTES + 1); /* one more than allowed shows */
	if (room)
		b.n = fread(room, 1, GPUDX_RULE_BYTES + 1, f);
	if (!room)
		rc = gpudx_nomem(err);
	else if (ferror(f))
		rc = gpudx_fail(err, GPUDX_E_IO, "%s: %s", path, strerror(errno));
	else
		rc = gpudx_ruleset_add(s, path, sv_n(b.p, b.n), err);
	fclose(f);
	gpudx_buf_free(&b);
	return rc;
}

static int is_family(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static int is_rule(const struct dirent *e)
{
	return e->d_name[0] != '.' && sv_ends(sv_str(e->d_name), ".sql");
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

typedef enum gpudx_status each_fn(struct gpudx_ruleset *s, const char *path, struct gpudx_err *err);

/* Calls each for every entry that wanted lets through, by name. */
static enum gpudx_status walk(struct gpudx_ruleset *s, const char *dir,
			      int (*wanted)(const struct dirent *), each_fn *each,
			      struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;
	struct dirent **entry;
	int n = scandir(dir, &entry, wanted, alphasort);

	if (n < 0)
		return gpudx_fail(err, GPUDX_E_USAGE, "%s: %s", dir, strerror(errno));
	for (int i = 0; i < n; i++) {
		char *path =
			rc ? NULL : gpudx_arena_printf(&s->arena, "%s/%s", dir, entry[i]->d_name);

		if (path)
			rc = each(s, path, err);
		else if (!rc)
			rc = gpudx_nomem(err);
		free(entry[i]);
	}
	free(entry);
	return rc;
}

static enum gpudx_status add_family(struct gpudx_ruleset *s, const char *path,
				    struct gpudx_err *err)
{
	return is_directory(path) ? walk(s, path, is_rule, add_file, err) : GPUDX_OK;
}

/* A directory of families, or one family: what lies in it says which. */
enum gpudx_status gpudx_ruleset_add_path(struct gpudx_ruleset *s, const char *path,
					 struct gpudx_err *err)
{
	struct gpudx_sv p = sv_str(path);
	enum gpudx_status rc;
	size_t before = s->n;
	const char *clean;

	if (!is_directory(path))
		return add_file(s, path, err);
	while (p.n > 1 && p.p[p.n - 1] == '/')
		p.n--;
	clean = gpudx_arena_sv(&s->arena, p).p;
	if (!clean)
		return gpudx_nomem(err);
	rc = walk(s, clean, is_family, add_family, err);
	if (!rc)
		rc = walk(s, clean, is_rule, add_file, err);
	if (!rc && s->n == before)
		rc = gpudx_fail(err, GPUDX_E_USAGE, "%s: no rule in it; rules are FAMILY/NAME.sql",
				path);
	return rc;
}
