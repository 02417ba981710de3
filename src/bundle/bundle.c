#include "bundle/bundle.h"

#include "base/buf.h"
#include "base/stamp.h"
#include "bundle/container.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_MAX_BYTES = 1 << 16, DIRECTORY_DEPTH = 64 };

struct walk {
	const struct gpudx_visitor *v;
	struct gpudx_budget *budget;
	struct gpudx_bundle_result *res;
	struct gpudx_buf path; /* of the member at hand, grown and cut while walking */
	struct gpudx_buf sums; /* one line per file of a directory, for its digest */
	size_t base;	       /* length of what paths of this input begin with */
};

static struct gpudx_sv walk_path(const struct walk *w)
{
	return sv_n(w->path.n ? w->path.p : "", w->path.n);
}

static void walk_damage(struct walk *w, const char *what)
{
	w->v->damage(w->v->arg, walk_path(w), what);
}

/* Appends "/name" and returns the length to cut back to. */
static size_t path_push(struct walk *w, struct gpudx_sv name)
{
	size_t was = w->path.n;

	if (was)
		gpudx_buf_char(&w->path, '/');
	gpudx_buf_sv(&w->path, name);
	w->path.failed = false; /* an overlong path is cut; its members are still read */
	return was;
}

static void path_pop(struct walk *w, size_t was)
{
	w->path.n = was;
	if (w->path.p)
		w->path.p[was] = '\0';
}

/* ---- streams ---- */

static enum gpudx_status walk_stream(struct walk *w, struct gpudx_stream *s, int fd,
				     struct gpudx_member *m, unsigned depth, struct gpudx_err *err);

static enum gpudx_status offer(struct walk *w, struct gpudx_member *m, struct gpudx_err *err)
{
	if (w->budget->members >= w->budget->members_max) {
		w->budget->hit = "more members than allowed";
		return GPUDX_OK;
	}
	w->budget->members++;
	w->res->members++;
	m->path = walk_path(w);
	return w->v->member(w->v->arg, m, err);
}

static enum gpudx_status offer_skip(struct walk *w, struct gpudx_member *m, const char *what,
				    const char *hint, struct gpudx_err *err)
{
	m->stream = NULL;
	m->skip = what;
	m->hint = hint;
	return offer(w, m, err);
}

static enum gpudx_status walk_entries(struct walk *w, struct gpudx_archive *a,
				      struct gpudx_member *outer, unsigned depth,
				      struct gpudx_err *err)
{
	/* Entries of a bundle that is an archive are named as in it; those of an archive inside
	 * the bundle behind the name of that archive. */
	size_t base = outer->outermost && !w->res->directory ? w->base : w->path.n;
	enum gpudx_status rc = GPUDX_OK;
	struct gpudx_stream *data;
	struct gpudx_entry e;

	while (!rc && !w->budget->hit && gpudx_archive_next(a, &e, &data) == GPUDX_OK) {
		struct gpudx_member m = { .mtime_us = e.mtime_us };

		if (e.skip && strcmp(e.skip, "directory") == 0)
			continue;
		path_pop(w, base);
		path_push(w, e.name);
		if (m.mtime_us == GPUDX_NO_TIME)
			m.mtime_us = outer->mtime_us;
		rc = e.skip ? offer_skip(w, &m, e.skip, NULL, err)
			    : walk_stream(w, data, -1, &m, depth + 1, err);
	}
	return rc;
}

static enum gpudx_status walk_archive(struct walk *w, const struct gpudx_container *c,
				      struct gpudx_stream *s, int fd, struct gpudx_member *m,
				      unsigned depth, struct gpudx_err *err)
{
	struct gpudx_err why = { 0 };
	struct gpudx_archive *a;
	struct gpudx_buf own = { .max = PATH_MAX_BYTES };
	uint64_t before = w->budget->members;
	enum gpudx_status rc = gpudx_archive_open(c, s, c->seeks ? fd : -1, &a, &why);

	if (rc == GPUDX_E_NOMEM || rc == GPUDX_E_IO)
		return *err = why, rc;
	if (rc) {
		walk_damage(w, why.text[0]);
		return offer_skip(w, m, c->name, NULL, err);
	}
	gpudx_buf_sv(&own, walk_path(w));
	rc = walk_entries(w, a, m, depth, err);
	path_pop(w, 0);
	gpudx_buf_sv(&w->path, sv_n(own.p ? own.p : "", own.n));
	gpudx_buf_free(&own);
	if (gpudx_archive_damage(a)[0]) {
		walk_damage(w, gpudx_archive_damage(a));
		/* Nothing came out that could bear the damage. */
		if (!rc && w->budget->members == before)
			rc = offer_skip(w, m, c->name, NULL, err);
	}
	gpudx_archive_close(a);
	return rc;
}

static enum gpudx_status walk_decoded(struct walk *w, const struct gpudx_container *c,
				      struct gpudx_stream *s, struct gpudx_member *m,
				      unsigned depth, struct gpudx_err *err)
{
	struct gpudx_err why = { 0 };
	struct gpudx_stream *inner;
	enum gpudx_status rc = c->kind == GPUDX_GZIP ? gpudx_gzip_open(s, &inner, &why)
						     : gpudx_filter_open(c, s, &inner, &why);

	if (rc == GPUDX_E_NOMEM || rc == GPUDX_E_IO)
		return *err = why, rc;
	if (rc) {
		walk_damage(w, why.text[0]);
		return offer_skip(w, m, c->name, NULL, err);
	}
	rc = walk_stream(w, inner, -1, m, depth + 1, err);
	if (inner->damage[0])
		walk_damage(w, inner->damage);
	gpudx_stream_close(inner);
	return rc;
}

/* What stands in s: another container, or a member. fd >= 0 when s is a seekable file. */
static enum gpudx_status walk_stream(struct walk *w, struct gpudx_stream *s, int fd,
				     struct gpudx_member *m, unsigned depth, struct gpudx_err *err)
{
	const struct gpudx_container *c = gpudx_container_of(gpudx_stream_peek(s, GPUDX_PEEK));
	enum gpudx_status rc;

	if (c->kind != GPUDX_PLAIN && c->kind != GPUDX_OPAQUE && depth >= w->budget->depth_max) {
		walk_damage(w, "limit: containers nested too deeply");
		return offer_skip(w, m, c->name, NULL, err);
	}
	switch (c->kind) {
	case GPUDX_GZIP:
	case GPUDX_FILTER:
		return walk_decoded(w, c, s, m, depth, err);
	case GPUDX_ARCHIVE:
		return walk_archive(w, c, s, fd, m, depth, err);
	case GPUDX_OPAQUE:
		return offer_skip(w, m, c->name, c->hint, err);
	case GPUDX_PLAIN:
		break;
	}
	m->stream = s;
	rc = offer(w, m, err);
	/* Decoders report their own damage; an archive entry has nobody else to do it. */
	if (s->damage[0] && depth && !s->close)
		walk_damage(w, s->damage);
	return rc;
}

/* ---- files ---- */

/* The digest of an input is the same beside others. */
static const char *path_in_input(struct walk *w)
{
	const char *path = gpudx_buf_cstr(&w->path);

	return path + (w->base && w->path.n > w->base ? w->base + 1 : 0);
}

static void file_done(struct walk *w, uint64_t size, const char *hex)
{
	w->res->raw += size;
	w->v->stored(w->v->arg, walk_path(w), hex, size);
	if (w->res->directory)
		gpudx_buf_printf(&w->sums, "%s %llu %s\n", path_in_input(w),
				 (unsigned long long)size, hex);
	else
		memcpy(w->res->digest, hex, GPUDX_SHA256_HEX);
}

static enum gpudx_status walk_content(struct walk *w, struct gpudx_fd_stream *s, int seekable_fd,
				      struct gpudx_member *m, struct gpudx_err *err)
{
	size_t was = w->path.n;
	enum gpudx_status rc = walk_stream(w, &s->base, seekable_fd, m, 0, err);

	if (s->base.damage[0])
		walk_damage(w, s->base.damage);
	path_pop(w, was);
	free(s->base.peeked);
	return rc;
}

/* A file is hashed beside the reading. */
static enum gpudx_status walk_regular(struct walk *w, int fd, const struct stat *st,
				      struct gpudx_err *err)
{
	struct gpudx_member m = { .outermost = true };
	char hex[GPUDX_SHA256_HEX];
	struct gpudx_file_digest digest;
	struct gpudx_fd_stream s;
	enum gpudx_status rc;
	uint64_t size;

	m.mtime_us = (int64_t)st->st_mtim.tv_sec * GPUDX_SECOND + st->st_mtim.tv_nsec / 1000;
	gpudx_file_digest_start(&digest, fd, (uint64_t)st->st_size);
	gpudx_fd_stream_init(&s, fd, w->budget, NULL);
	rc = walk_content(w, &s, fd, &m, err);
	size = gpudx_file_digest_end(&digest, hex);
	/* The same directory is the same bundle also after its own report was put into it. */
	if (!rc && !(w->res->directory && m.skip == gpudx_own_output.name))
		file_done(w, size, hex);
	return rc;
}

/* What flows by once is hashed as it does, and to its end. */
static enum gpudx_status walk_pipe(struct walk *w, int fd, struct gpudx_err *err)
{
	struct gpudx_member m = { .mtime_us = GPUDX_NO_TIME, .outermost = true };
	char hex[GPUDX_SHA256_HEX];
	struct gpudx_sha256 digest;
	struct gpudx_fd_stream s;
	enum gpudx_status rc;

	gpudx_sha256_init(&digest);
	gpudx_fd_stream_init(&s, fd, w->budget, &digest);
	rc = walk_content(w, &s, -1, &m, err);
	if (rc)
		return rc;
	gpudx_fd_stream_drain(&s);
	gpudx_sha256_hex(&digest, hex);
	file_done(w, s.raw, hex);
	return GPUDX_OK;
}

static enum gpudx_status walk_file(struct walk *w, int fd, const struct stat *st,
				   struct gpudx_err *err)
{
	if (S_ISREG(st->st_mode) && lseek(fd, 0, SEEK_CUR) == 0)
		return walk_regular(w, fd, st, err);
	return walk_pipe(w, fd, err);
}

static const char *special_file(mode_t mode)
{
	if (S_ISLNK(mode))
		return "symbolic link";
	if (S_ISFIFO(mode))
		return "named pipe";
	if (S_ISSOCK(mode))
		return "socket";
	return "device";
}

static int name_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(char **names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

/* All names of a directory but . and .., sorted by bytes so that the order is the same everywhere;
 * *broken says why there may be more, or is 0. */
static bool read_names(DIR *d, char ***out, size_t *n, int *broken)
{
	char **names = NULL, **more;
	size_t cap = 0;
	struct dirent *e;

	*n = 0;
	while (errno = 0, (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (*n == cap) {
			cap = cap ? cap * 2 : 64;
			more = realloc(names, cap * sizeof(*names));
			if (!more)
				return free_names(names, *n), false;
			names = more;
		}
		names[*n] = strdup(e->d_name);
		if (!names[*n])
			return free_names(names, *n), false;
		(*n)++;
	}
	*broken = errno;
	if (*n)
		qsort(names, *n, sizeof(*names), name_order);
	*out = names;
	return true;
}

static enum gpudx_status walk_directory(struct walk *w, int fd, unsigned depth,
					struct gpudx_err *err);

/* What this very run, or one that was killed, writes into the directory. */
static bool is_unfinished_output(const char *name)
{
	return name[0] == '.' && sv_ends(sv_str(name), ".gpudx-part");
}

static enum gpudx_status walk_name(struct walk *w, int dirfd, const char *name, unsigned depth,
				   struct gpudx_err *err)
{
	struct gpudx_member m = { .mtime_us = GPUDX_NO_TIME, .outermost = true };
	enum gpudx_status rc = GPUDX_OK;
	struct stat st;
	int fd;

	if (is_unfinished_output(name))
		return GPUDX_OK;
	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return walk_damage(w, strerror(errno)), GPUDX_OK;
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return offer_skip(w, &m, special_file(st.st_mode), NULL, err);
	fd = openat(dirfd, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
	if (fd < 0 || fstat(fd, &st) != 0) {
		walk_damage(w, strerror(errno));
		if (fd >= 0)
			close(fd);
		return offer_skip(w, &m, "unreadable file", NULL, err);
	}
	/* The name may be another file by now than the one that was looked at. */
	if (S_ISREG(st.st_mode)) {
		rc = walk_file(w, fd, &st, err);
	} else if (S_ISDIR(st.st_mode)) {
		return walk_directory(w, fd, depth + 1, err);
	} else {
		rc = offer_skip(w, &m, special_file(st.st_mode), NULL, err);
	}
	close(fd);
	return rc;
}

/* Takes fd. */
static enum gpudx_status walk_directory(struct walk *w, int fd, unsigned depth,
					struct gpudx_err *err)
{
	DIR *d = depth > DIRECTORY_DEPTH ? NULL : fdopendir(fd);
	enum gpudx_status rc = GPUDX_OK;
	char **names;
	int broken;
	size_t n;

	if (!d) {
		walk_damage(w, depth > DIRECTORY_DEPTH ? "limit: directories nested too deeply"
						       : strerror(errno));
		close(fd);
		return GPUDX_OK;
	}
	if (!read_names(d, &names, &n, &broken)) {
		closedir(d);
		return gpudx_nomem(err);
	}
	if (broken)
		walk_damage(w, strerror(broken));
	if (broken && !n && !depth)
		rc = gpudx_fail(err, GPUDX_E_INPUT, "cannot list the directory: %s",
				strerror(broken));
	for (size_t i = 0; i < n && !rc && !w->budget->hit; i++) {
		size_t was = path_push(w, sv_str(names[i]));

		rc = walk_name(w, dirfd(d), names[i], depth, err);
		path_pop(w, was);
	}
	free_names(names, n);
	closedir(d);
	return rc;
}

/* ---- the bundle ---- */

struct gpudx_sv gpudx_bundle_label(const char *path)
{
	struct gpudx_sv s = sv_str(path);
	size_t i;

	if (sv_is(s, "-"))
		return SV_LIT("stdin");
	while (s.n > 1 && s.p[s.n - 1] == '/')
		s.n--;
	for (i = s.n; i && s.p[i - 1] != '/'; i--)
		continue;
	return i == s.n ? s : sv_from(s, i);
}

static void digest_of_sums(const struct gpudx_buf *sums, char hex[GPUDX_SHA256_HEX])
{
	struct gpudx_sha256 h;

	gpudx_sha256_init(&h);
	gpudx_sha256_add(&h, sums->p ? sums->p : "", sums->n);
	gpudx_sha256_hex(&h, hex);
}

static enum gpudx_status walk_top(struct walk *w, const char *path, int fd, struct gpudx_err *err)
{
	enum gpudx_status rc;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return gpudx_fail(err, GPUDX_E_IO, "%s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode)) {
		w->res->directory = true;
		fd = dup(fd);
		if (fd < 0)
			return gpudx_fail(err, GPUDX_E_IO, "%s: %s", path, strerror(errno));
		rc = walk_directory(w, fd, 0, err);
		if (!rc)
			digest_of_sums(&w->sums, w->res->digest);
		return rc;
	}
	if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode) && strcmp(path, "-") != 0)
		return gpudx_fail(err, GPUDX_E_INPUT, "%s: is a %s", path,
				  special_file(st.st_mode));
	path_push(w, gpudx_bundle_label(path));
	rc = walk_file(w, fd, &st, err);
	if (!rc && S_ISFIFO(st.st_mode) && strcmp(path, "-") != 0 && !w->res->raw)
		return gpudx_fail(err, GPUDX_E_INPUT, "%s: is a named pipe that nobody writes to",
				  path);
	return rc;
}

static enum gpudx_status walk_input(struct walk *w, const char *path, struct gpudx_err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	enum gpudx_status rc;

	if (fd < 0)
		return gpudx_fail(
			err, errno == ENOENT || errno == ENOTDIR ? GPUDX_E_USAGE : GPUDX_E_INPUT,
			"%s: %s", path, strerror(errno));
	rc = walk_top(w, path, fd, err);
	if (!is_stdin)
		close(fd);
	return rc;
}

/* One of several, below a name of its own. */
static enum gpudx_status walk_numbered(struct walk *w, const char *path, size_t nr,
				       struct gpudx_buf *sums, struct gpudx_err *err)
{
	enum gpudx_status rc;

	path_pop(w, 0);
	gpudx_buf_printf(&w->path, "%zu-", nr);
	gpudx_buf_sv(&w->path, gpudx_bundle_label(path));
	w->base = w->path.n;
	w->res->directory = false;
	gpudx_buf_clear(&w->sums);
	rc = walk_input(w, path, err);
	if (rc)
		return rc;
	path_pop(w, w->base);
	gpudx_buf_printf(sums, "%s %s\n", gpudx_buf_cstr(&w->path), w->res->digest);
	if (w->v->input)
		w->v->input(w->v->arg, walk_path(w), w->res->digest);
	return GPUDX_OK;
}

enum gpudx_status gpudx_bundle_walk(const char *const *paths, size_t n, struct gpudx_budget *budget,
				    const struct gpudx_visitor *v, struct gpudx_bundle_result *res,
				    struct gpudx_err *err)
{
	struct walk w = { .v = v, .budget = budget, .res = res };
	struct gpudx_buf sums = { .max = 1 << 20 };
	enum gpudx_status rc = GPUDX_OK;

	*res = (struct gpudx_bundle_result){ .digest = "" };
	w.path.max = PATH_MAX_BYTES;
	w.sums.max = (size_t)1 << 30;
	if (n == 1)
		rc = walk_input(&w, paths[0], err);
	for (size_t i = 0; i < n && n > 1 && !rc; i++)
		rc = walk_numbered(&w, paths[i], i + 1, &sums, err);
	if (n > 1 && !rc)
		digest_of_sums(&sums, res->digest);
	gpudx_buf_free(&sums);
	gpudx_buf_free(&w.path);
	gpudx_buf_free(&w.sums);
	return rc;
}
