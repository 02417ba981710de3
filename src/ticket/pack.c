#include "ticket/pack.h"

#include "base/stamp.h"
#include "base/utf8.h"
#include "report/select.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

enum { NAME_MAX_BYTES = 1024 };

void gpudx_pack_name(struct gpudx_buf *b, struct gpudx_sv name)
{
	struct gpudx_sv part;
	size_t start = b->n;

	name = sv_first(name, NAME_MAX_BYTES);
	while (sv_cell(&name, '/', &part)) {
		if (!part.n || sv_is(part, ".") || sv_is(part, ".."))
			continue;
		gpudx_buf_str(b, b->n > start ? "/" : "");
		while (part.n) {
			uint32_t u = gpudx_utf8_next(&part);

			gpudx_buf_u32(b, gpudx_utf8_unprintable(u) || u == '\\' ? '_' : u);
		}
	}
	if (b->n == start)
		gpudx_buf_str(b, "file");
}

static enum gpudx_status failed(struct tk_pack *p, struct gpudx_err *err)
{
	const char *why = archive_error_string(p->out);

	return gpudx_fail(err, GPUDX_E_IO, "cannot write the archive: %s", why ? why : "unknown");
}

enum gpudx_status gpudx_pack_open(struct tk_pack *p, const char *path, struct gpudx_arena *arena,
				  struct gpudx_err *err)
{
	*p = (struct tk_pack){ .arena = arena, .out = archive_write_new() };
	if (!p->out)
		return gpudx_nomem(err);
	if (archive_write_add_filter_gzip(p->out) ||
	    archive_write_set_format_pax_restricted(p->out) ||
	    archive_write_set_options(p->out, "gzip:!timestamp") ||
	    archive_write_open_filename(p->out, path))
		return failed(p, err);
	return GPUDX_OK;
}

static enum gpudx_status put_header(struct tk_pack *p, const char *name, uint64_t bytes,
				    int64_t mtime_us, struct gpudx_err *err)
{
	struct archive_entry *e = archive_entry_new();
	int rc;

	if (!e)
		return gpudx_nomem(err);
	archive_entry_set_pathname_utf8(e, name);
	archive_entry_set_size(e, (la_int64_t)bytes);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_mtime(e, mtime_us == GPUDX_NO_TIME ? 0 : mtime_us / 1000000, 0);
	rc = archive_write_header(p->out, e);
	archive_entry_free(e);
	return rc < ARCHIVE_WARN ? failed(p, err) : GPUDX_OK;
}

/* Two files of one name would be one for whoever unpacks. */
static bool is_taken(const struct tk_pack *p, struct gpudx_sv name)
{
	for (size_t i = 0; i < p->n; i++)
		if (sv_eq(p->files[i].name, name))
			return true;
	return false;
}

static struct tk_file *new_file(struct tk_pack *p, struct gpudx_sv name, const char *what,
				uint64_t bytes)
{
	struct tk_file *all = gpudx_report_grow(p->arena, p->files, p->n, sizeof(*all));
	struct gpudx_buf b = { .max = 8192 };
	size_t n;

	if (!all)
		return NULL;
	p->files = all;
	gpudx_pack_name(&b, name);
	n = b.n;
	for (unsigned i = 2; is_taken(p, sv_n(gpudx_buf_cstr(&b), b.n)); i++) {
		b.n = n;
		gpudx_buf_printf(&b, ".%u", i);
	}
	all[p->n] = (struct tk_file){ .name = gpudx_arena_sv(p->arena, sv_n(b.p, b.n)),
				      .what = what,
				      .bytes = bytes };
	gpudx_buf_free(&b);
	return all[p->n].name.p ? &all[p->n++] : NULL;
}

enum gpudx_status gpudx_pack_add(struct tk_pack *p, struct gpudx_sv name, const char *what,
				 struct gpudx_sv content, struct gpudx_err *err)
{
	return gpudx_pack_add_from(p, name, what, content, GPUDX_NO_TIME, err);
}

enum gpudx_status gpudx_pack_add_from(struct tk_pack *p, struct gpudx_sv name, const char *what,
				      struct gpudx_sv content, int64_t mtime_us,
				      struct gpudx_err *err)
{
	struct tk_file *f = new_file(p, name, what, content.n);
	struct gpudx_sha256 h;
	enum gpudx_status rc;

	if (!f)
		return gpudx_nomem(err);
	gpudx_sha256_init(&h);
	gpudx_sha256_add(&h, content.p, content.n);
	gpudx_sha256_hex(&h, f->sha256);
	rc = put_header(p, f->name.p, content.n, mtime_us, err);
	if (!rc && content.n && archive_write_data(p->out, content.p, content.n) < 0)
		rc = failed(p, err);
	return rc;
}

static enum gpudx_status copy(struct tk_pack *p, FILE *in, uint64_t bytes, struct gpudx_sha256 *h,
			      struct gpudx_err *err)
{
	char block[1 << 16];
	size_t n;

	while (bytes && (n = fread(block, 1, sizeof(block), in)) > 0) {
		n = n > bytes ? (size_t)bytes : n;
		gpudx_sha256_add(h, block, n);
		if (archive_write_data(p->out, block, n) < 0)
			return failed(p, err);
		bytes -= n;
	}
	return bytes ? gpudx_fail(err, GPUDX_E_IO, "a file changed while it was read") : GPUDX_OK;
}

enum gpudx_status gpudx_pack_file(struct tk_pack *p, struct gpudx_sv name, const char *what,
				  const char *path, struct gpudx_err *err)
{
	FILE *in = fopen(path, "rb");
	struct tk_file *f = NULL;
	struct gpudx_sha256 h;
	enum gpudx_status rc = GPUDX_OK;
	struct stat st = { .st_size = 0 };

	if (!in || fstat(fileno(in), &st) || !S_ISREG(st.st_mode))
		rc = gpudx_fail(err, GPUDX_E_USAGE, "%s: only a file can be included as it is",
				path);
	if (!rc)
		f = new_file(p, name, what, (uint64_t)st.st_size);
	if (!rc)
		rc = f ? put_header(p, f->name.p, f->bytes, GPUDX_NO_TIME, err) : gpudx_nomem(err);
	gpudx_sha256_init(&h);
	if (!rc)
		rc = copy(p, in, f->bytes, &h, err);
	if (!rc)
		gpudx_sha256_hex(&h, f->sha256);
	if (in)
		fclose(in);
	return rc;
}

enum gpudx_status gpudx_pack_close(struct tk_pack *p, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	if (p->out && archive_write_close(p->out))
		rc = failed(p, err);
	archive_write_free(p->out);
	p->out = NULL;
	return rc;
}
