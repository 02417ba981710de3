/* Walks a bundle and keeps what the walk said, as text:
 *   path: content         a member, its bytes
 *   path! what (hint)     one that is only listed
 *   path? damage
 * and archives to walk, made by libarchive. */
#ifndef GPUDX_TEST_WALK_H
#define GPUDX_TEST_WALK_H

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>

#include "base/buf.h"
#include "bundle/bundle.h"
#include "own_dir.h"

struct walked {
	struct gpudx_buf text;
	struct gpudx_bundle_result res;
	struct gpudx_budget budget;
	enum gpudx_status rc;
	struct gpudx_err err;
	uint64_t content; /* bytes of all members */
	unsigned stored;
};

static inline enum gpudx_status walked_member(void *arg, const struct gpudx_member *m,
					      struct gpudx_err *err)
{
	struct walked *w = arg;
	char piece[4096];
	size_t n;

	(void)err;
	gpudx_buf_sv(&w->text, m->path);
	if (m->skip) {
		gpudx_buf_printf(&w->text, "! %s%s%s%s\n", m->skip, m->hint ? " (" : "",
				 m->hint ? m->hint : "", m->hint ? ")" : "");
		return GPUDX_OK;
	}
	gpudx_buf_str(&w->text, ": ");
	while ((n = gpudx_stream_some(m->stream, piece, sizeof(piece))) > 0) {
		w->content += n;
		if (w->text.n < 8192)
			gpudx_buf_add(&w->text, piece, n < 200 ? n : 200);
	}
	gpudx_buf_char(&w->text, '\n');
	return GPUDX_OK;
}

static inline void walked_damage(void *arg, struct gpudx_sv path, const char *what)
{
	struct walked *w = arg;

	gpudx_buf_printf(&w->text, "%.*s? %s\n", (int)path.n, path.p, what);
}

static inline void walked_stored(void *arg, struct gpudx_sv path, const char *sha256,
				 uint64_t bytes)
{
	struct walked *w = arg;

	(void)path, (void)bytes;
	assert_int_equal(strlen(sha256), 64);
	w->stored++;
}

/* One of several inputs: "= NAME DIGEST". */
static inline void walked_input(void *arg, struct gpudx_sv name, const char *sha256)
{
	struct walked *w = arg;

	gpudx_buf_printf(&w->text, "= %.*s %s\n", (int)name.n, name.p, sha256);
}

/* Set w->budget before, if it is not to be the default one. */
static inline void walk_paths(struct walked *w, const char *const *paths, size_t n)
{
	const struct gpudx_visitor v = { w, walked_member, walked_damage, walked_stored,
					 walked_input };

	if (!w->budget.decoded_max)
		w->budget = gpudx_budget_default;
	w->text.max = 1 << 20;
	w->rc = gpudx_bundle_walk(paths, n, &w->budget, &v, &w->res, &w->err);
}

static inline void walk_path(struct walked *w, const char *path)
{
	walk_paths(w, &path, 1);
}

static inline void walked_free(struct walked *w)
{
	gpudx_buf_free(&w->text);
}

static inline void expect_walk(const char *path, const char *want)
{
	struct walked w = { .rc = GPUDX_OK };

	walk_path(&w, path);
	if (w.rc)
		fail_msg("%s", w.err.text[0]);
	assert_string_equal(gpudx_buf_cstr(&w.text), want);
	walked_free(&w);
}

/* ---- archives in memory ---- */

struct packing {
	struct archive *a;
	struct gpudx_buf out;
	size_t used;
};

/* A format as libarchive calls it ("ustar", "zip", "7zip", "newc", "ar", "raw") and a filter or
 * NULL. */
static inline void pack_begin(struct packing *p, const char *format, const char *filter)
{
	*p = (struct packing){ .a = archive_write_new(), .out = { .max = 64 << 20 } };
	assert_non_null(p->a);
	assert_int_equal(archive_write_set_format_by_name(p->a, format), ARCHIVE_OK);
	if (filter)
		assert_int_equal(archive_write_add_filter_by_name(p->a, filter), ARCHIVE_OK);
	archive_write_set_bytes_in_last_block(p->a, 1);
	assert_non_null(gpudx_buf_room(&p->out, 40 << 20));
	assert_int_equal(archive_write_open_memory(p->a, p->out.p, 40 << 20, &p->used), ARCHIVE_OK);
}

static inline void pack_entry(struct packing *p, const char *name, unsigned type, const char *link,
			      const void *data, size_t n)
{
	struct archive_entry *e = archive_entry_new();

	archive_entry_set_pathname(e, name);
	archive_entry_set_filetype(e, type ? type : AE_IFREG);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_size(e, (la_int64_t)n);
	archive_entry_set_mtime(e, 1768300000, 0);
	if (link && type == AE_IFLNK)
		archive_entry_set_symlink(e, link);
	else if (link)
		archive_entry_set_hardlink(e, link);
	assert_true(archive_write_header(p->a, e) >= ARCHIVE_WARN);
	if (n)
		assert_int_equal(archive_write_data(p->a, data, n), n);
	archive_entry_free(e);
}

static inline void pack_text(struct packing *p, const char *name, const char *text)
{
	pack_entry(p, name, 0, NULL, text, strlen(text));
}

/* The bytes stay in p->out until pack_free. */
static inline struct gpudx_sv pack_end(struct packing *p)
{
	assert_int_equal(archive_write_close(p->a), ARCHIVE_OK);
	archive_write_free(p->a);
	p->a = NULL;
	p->out.n = p->used;
	return sv_n(p->out.p, p->out.n);
}

static inline void pack_file(struct packing *p, const char *path)
{
	struct gpudx_sv s = pack_end(p);

	write_file(path, s.p, s.n);
}

static inline void pack_free(struct packing *p)
{
	gpudx_buf_free(&p->out);
}

#endif
