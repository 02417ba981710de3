#include "bundle/container.h"

#include "base/stamp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>

/* ---- magic ---- */

static int with_tar(void *a)
{
	return archive_read_support_format_tar(a);
}

static int with_zip(void *a)
{
	return archive_read_support_format_zip(a);
}

static int with_7zip(void *a)
{
	return archive_read_support_format_7zip(a);
}

static int with_cpio(void *a)
{
	return archive_read_support_format_cpio(a);
}

static int with_ar(void *a)
{
	return archive_read_support_format_ar(a);
}

static int with_xz(void *a)
{
	return archive_read_support_filter_xz(a);
}

static int with_zstd(void *a)
{
	return archive_read_support_filter_zstd(a);
}

static int with_bzip2(void *a)
{
	return archive_read_support_filter_bzip2(a);
}

static int with_lz4(void *a)
{
	return archive_read_support_filter_lz4(a);
}

static const struct gpudx_container plain = { .kind = GPUDX_PLAIN, .name = "text" };
static const struct gpudx_container tar_old = { GPUDX_ARCHIVE, "tar", with_tar, false, NULL };

#define JOURNAL_HINT "journalctl --file FILE -o short-iso-precise > FILE.txt"

/* clang-format off */
static const struct magic {
	size_t at;
	struct gpudx_sv bytes;
	struct gpudx_container is;
} magics[] = {
	{ 0, SV("\x1f\x8b\x08"), { GPUDX_GZIP, "gzip", NULL, false, NULL } },
	{ 0, SV("\xfd" "7zXZ\0"), { GPUDX_FILTER, "xz", with_xz, false, NULL } },
	{ 0, SV("\x28\xb5\x2f\xfd"), { GPUDX_FILTER, "zstd", with_zstd, false, NULL } },
	{ 0, SV("\x04\x22\x4d\x18"), { GPUDX_FILTER, "lz4", with_lz4, false, NULL } },
	{ 257, SV("ustar"), { GPUDX_ARCHIVE, "tar", with_tar, false, NULL } },
	{ 0, SV("PK\x03\x04"), { GPUDX_ARCHIVE, "zip", with_zip, true, NULL } },
	{ 0, SV("PK\x05\x06"), { GPUDX_ARCHIVE, "zip", with_zip, true, NULL } },
	{ 0, SV("7z\xbc\xaf\x27\x1c"), { GPUDX_ARCHIVE, "7z", with_7zip, true, NULL } },
	{ 0, SV("070701"), { GPUDX_ARCHIVE, "cpio", with_cpio, false, NULL } },
	{ 0, SV("070707"), { GPUDX_ARCHIVE, "cpio", with_cpio, false, NULL } },
	{ 0, SV("!<arch>\n"), { GPUDX_ARCHIVE, "ar", with_ar, false, NULL } },
	{ 0, SV("\x89PNG\r\n\x1a\n"), { GPUDX_OPAQUE, "PNG picture", NULL, false, NULL } },
	{ 0, SV("\xff\xd8\xff"), { GPUDX_OPAQUE, "JPEG picture", NULL, false, NULL } },
	{ 0, SV("GIF8"), { GPUDX_OPAQUE, "GIF picture", NULL, false, NULL } },
	{ 0, SV("%PDF-"), { GPUDX_OPAQUE, "PDF document", NULL, false, NULL } },
	{ 0, SV("\x7f" "ELF"), { GPUDX_OPAQUE, "ELF binary", NULL, false, NULL } },
	{ 0, SV("SQLite format 3\0"), { GPUDX_OPAQUE, "SQLite database", NULL, false, NULL } },
	{ 0, SV("LPKSHHRH"), { GPUDX_OPAQUE, "binary systemd journal", NULL, false, JOURNAL_HINT } },
	{ 0, SV("\xd4\xc3\xb2\xa1"), { GPUDX_OPAQUE, "packet capture", NULL, false, NULL } },
	{ 0, SV("\xa1\xb2\xc3\xd4"), { GPUDX_OPAQUE, "packet capture", NULL, false, NULL } },
	{ 0, SV("\x4d\x3c\xb2\xa1"), { GPUDX_OPAQUE, "packet capture", NULL, false, NULL } },
	{ 0, SV("\x0a\x0d\x0d\x0a"), { GPUDX_OPAQUE, "packet capture", NULL, false, NULL } },
	{ 0, SV("KDUMP   "), { GPUDX_OPAQUE, "kernel crash dump", NULL, false, "its vmcore-dmesg.txt says what happened" } },
	{ 0, SV("PERFILE2"), { GPUDX_OPAQUE, "perf recording", NULL, false, NULL } },
	{ 0, SV("NVR\0"), { GPUDX_OPAQUE, "Nsight Compute report", NULL, false, NULL } },
	{ 0, SV("\x96\xd5"), { GPUDX_OPAQUE, "binary sar data", NULL, false, "sar -A -f FILE > FILE.txt" } },
	{ 0, SV("ElfFile\0"), { GPUDX_OPAQUE, "Windows event log", NULL, false, "wevtutil qe FILE /lf:true /f:text > FILE.txt" } },
	{ 0, SV("\x93NUMPY"), { GPUDX_OPAQUE, "NumPy array", NULL, false, NULL } },
	{ 0, SV("\x89HDF\r\n\x1a\n"), { GPUDX_OPAQUE, "HDF5 file", NULL, false, NULL } },
	{ 0, SV("LZIP\1"), { GPUDX_OPAQUE, "lzip stream", NULL, false, "unpack it" } },
	{ 0, SV("\x1f\x9d"), { GPUDX_OPAQUE, "compress stream", NULL, false, "unpack it" } },
	{ 0, SV("Rar!\x1a\x07"), { GPUDX_OPAQUE, "rar archive", NULL, false, "unpack it and pass the directory" } },
};
/* clang-format on */

/* bzip2 has a weak magic: the block size and the first block's mark are looked at, too. */
static bool is_bzip2(struct gpudx_sv h)
{
	return h.n >= 10 && memcmp(h.p, "BZh", 3) == 0 && h.p[3] >= '1' && h.p[3] <= '9' &&
	       (memcmp(h.p + 4, "1AY&SY", 6) == 0 ||
		memcmp(h.p + 4, "\x17\x72\x45\x38\x50\x90", 6) == 0);
}

/* A tar header of before POSIX: no magic, but a checksum over its 512 bytes. */
static bool is_old_tar(struct gpudx_sv h)
{
	unsigned long sum = 0, want;
	char field[9];

	if (h.n < 512 || h.p[0] == '\0')
		return false;
	for (size_t i = 0; i < 512; i++)
		sum += i >= 148 && i < 156 ? ' ' : (unsigned char)h.p[i];
	memcpy(field, h.p + 148, 8);
	field[8] = '\0';
	want = strtoul(field, NULL, 8);
	return want != 0 && want == sum;
}

const struct gpudx_container gpudx_own_output = { GPUDX_OPAQUE, "gpudx output, not evidence", NULL,
						  false, "gpudx report shows a database again" };

/* "LABEL: 11 files read, 0 unread" */
static bool is_text_report(struct gpudx_sv head)
{
	struct gpudx_sv line = sv_first(head, sv_index(head, '\n')), label;
	uint64_t n;

	return sv_until(&line, ": ", &label) && sv_u64(&line, &n) &&
	       (sv_lit(&line, " files read, ") || sv_lit(&line, " file read, ")) &&
	       sv_u64(&line, &n) && sv_lit(&line, " unread");
}

/* Tables by the name of their first column. */
static bool is_own_table(struct gpudx_sv head)
{
	return sv_starts(head, "gpudx_label,") || sv_starts(head, "gpudx_finding,");
}

/* By the marks that reports and databases bear for this. */
static bool is_own_output(struct gpudx_sv head)
{
	static const char database[] = "SQLite format 3", application[] = "gpud";

	if (head.n >= 72 && memcmp(head.p, database, sizeof(database)) == 0)
		return memcmp(head.p + 68, application, 4) == 0;
	return sv_starts(head, "{\n \"schema\": \"gpudx/") ||
	       (sv_starts(head, "<!doctype html>") &&
		sv_has(head, "<meta name=\"generator\" content=\"gpudx ")) ||
	       is_text_report(head) || is_own_table(head);
}

/* An ELF header whose type is that of a core dump, in either byte order. */
static bool is_core(struct gpudx_sv h)
{
	return h.n > 18 &&
	       memcmp(h.p,
		      "\x7f"
		      "ELF",
		      4) == 0 &&
	       h.p[16] + h.p[17] == 4 && (h.p[16] == 0 || h.p[17] == 0);
}

/* Pickles of protocol 2 to 5: the protocol, then in most a frame, a tuple, a dictionary or a name. */
static bool is_pickle(struct gpudx_sv h)
{
	return h.n > 3 && h.p[0] == '\x80' && h.p[1] >= 2 && h.p[1] <= 5 &&
	       memchr("\x95](})cXKNGq\x8c", h.p[2], 12);
}

const struct gpudx_container *gpudx_container_of(struct gpudx_sv head)
{
	static const struct gpudx_container core = { .kind = GPUDX_OPAQUE, .name = "core dump" };
	static const struct gpudx_container pickle = { .kind = GPUDX_OPAQUE,
						       .name = "Python pickle" };
	static const struct gpudx_container bzip2 = { GPUDX_FILTER, "bzip2", with_bzip2, false,
						      NULL };

	if (is_own_output(head))
		return &gpudx_own_output;
	if (is_core(head))
		return &core;
	if (is_pickle(head))
		return &pickle;
	for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
		const struct magic *m = &magics[i];

		if (head.n >= m->at + m->bytes.n &&
		    memcmp(head.p + m->at, m->bytes.p, m->bytes.n) == 0)
			return &m->is;
	}
	if (is_bzip2(head))
		return &bzip2;
	return is_old_tar(head) ? &tar_old : &plain;
}

/* ---- what libarchive reads from ---- */

/* libarchive asks for another try also where it will never get further. */
enum { BLOCK = 1 << 16, MEMORY_ARCHIVE_MAX = 16 << 20, RETRIES = 8 };

struct gpudx_archive {
	struct archive *a;
	struct gpudx_stream *src;
	int fd;
	struct gpudx_stream entry;
	unsigned char *memory; /* a nested archive that must seek */
	uint64_t in;
	/* of the entry: what libarchive gave and was not yet passed on, and where in the file it lies */
	const unsigned char *piece;
	size_t piece_n;
	int64_t piece_at, at;
	unsigned count;
	char name[32];
	char damage[GPUDX_DAMAGE];
	unsigned char block[BLOCK];
};

static la_ssize_t on_read(struct archive *la, void *arg, const void **buf)
{
	struct gpudx_archive *a = arg;
	ssize_t got;

	(void)la;
	*buf = a->block;
	if (a->fd < 0) {
		got = (ssize_t)gpudx_stream_some(a->src, a->block, BLOCK);
	} else {
		do {
			got = read(a->fd, a->block, BLOCK);
		} while (got < 0 && errno == EINTR);
		if (got > 0)
			gpudx_budget_read(a->src->budget, (uint64_t)got);
	}
	if (got > 0)
		a->in += (uint64_t)got;
	return got;
}

static la_int64_t on_seek(struct archive *la, void *arg, la_int64_t offset, int whence)
{
	struct gpudx_archive *a = arg;
	off_t at = lseek(a->fd, offset, whence);

	(void)la;
	return at < 0 ? ARCHIVE_FATAL : at;
}

static void archive_damaged(struct gpudx_archive *a)
{
	const char *why = archive_error_string(a->a);

	if (!a->damage[0])
		snprintf(a->damage, sizeof(a->damage), "%s", why ? why : "damaged");
}

static void entry_damaged(struct gpudx_archive *a, const char *what)
{
	const char *why = what ? what : archive_error_string(a->a);

	gpudx_stream_damage(&a->entry, "%s", why ? why : "damaged");
}

/* The next piece; false at the end. archive_read_data is not used: it throws away what it has read
 * when an error follows, and never ends at pieces that are out of order. */
static bool entry_piece(struct gpudx_archive *a)
{
	const void *p = NULL;
	la_int64_t at = 0;
	int rc = ARCHIVE_RETRY;

	a->piece_n = 0;
	for (int i = 0; rc == ARCHIVE_RETRY && i < RETRIES; i++)
		rc = archive_read_data_block(a->a, &p, &a->piece_n, &at);
	if (rc == ARCHIVE_EOF)
		return false;
	if (rc < ARCHIVE_WARN)
		entry_damaged(a, NULL);
	else if (at < a->at)
		entry_damaged(a, "pieces of a sparse file are out of order");
	if (a->entry.damage[0])
		return a->piece_n = 0, false;
	a->piece = p;
	a->piece_at = at;
	return true;
}

static size_t entry_pull(struct gpudx_stream *s, void *buf, size_t n)
{
	struct gpudx_archive *a =
		(struct gpudx_archive *)((char *)s - offsetof(struct gpudx_archive, entry));

	while (!a->piece_n && a->at >= a->piece_at)
		if (s->damage[0] || !entry_piece(a))
			return 0;
	if (a->at < a->piece_at) { /* a hole */
		if ((uint64_t)(a->piece_at - a->at) < n)
			n = (size_t)(a->piece_at - a->at);
		memset(buf, 0, n);
	} else {
		if (n > a->piece_n)
			n = a->piece_n;
		memcpy(buf, a->piece, n);
		a->piece += n;
		a->piece_n -= n;
		a->piece_at += (int64_t)n;
	}
	a->at += (int64_t)n;
	return gpudx_stream_spend(s, n, a->in) ? n : 0;
}

static struct gpudx_archive *archive_alloc(struct gpudx_stream *src, int fd)
{
	struct gpudx_archive *a = calloc(1, sizeof(*a));

	if (!a)
		return NULL;
	a->a = archive_read_new();
	a->src = src;
	a->fd = fd;
	a->entry = (struct gpudx_stream){ .pull = entry_pull, .budget = src->budget };
	if (!a->a) {
		free(a);
		return NULL;
	}
	return a;
}

void gpudx_archive_close(struct gpudx_archive *a)
{
	if (!a)
		return;
	free(a->entry.peeked);
	archive_read_free(a->a);
	free(a->memory);
	free(a);
}

/* 7z needs to seek; inside another container that is only possible in memory. */
static enum gpudx_status open_in_memory(struct gpudx_archive *a, const char *name,
					struct gpudx_err *err)
{
	size_t n;

	a->memory = malloc(MEMORY_ARCHIVE_MAX + 1);
	if (!a->memory)
		return gpudx_nomem(err);
	n = gpudx_stream_read(a->src, a->memory, MEMORY_ARCHIVE_MAX + 1);
	if (n > MEMORY_ARCHIVE_MAX)
		return gpudx_fail(
			err, GPUDX_E_LIMIT,
			"%s inside another container is larger than 16 MiB: unpack it first", name);
	a->in = n;
	if (archive_read_open_memory(a->a, a->memory, n) != ARCHIVE_OK)
		return gpudx_fail(err, GPUDX_E_INPUT, "%s: %s", name, archive_error_string(a->a));
	return GPUDX_OK;
}

static enum gpudx_status open_callbacks(struct gpudx_archive *a, const char *name,
					struct gpudx_err *err)
{
	archive_read_set_callback_data(a->a, a);
	archive_read_set_read_callback(a->a, on_read);
	if (a->fd >= 0) {
		if (lseek(a->fd, 0, SEEK_SET) < 0)
			return gpudx_fail(err, GPUDX_E_IO, "seek: %s", strerror(errno));
		archive_read_set_seek_callback(a->a, on_seek);
	}
	if (archive_read_open1(a->a) != ARCHIVE_OK)
		return gpudx_fail(err, GPUDX_E_INPUT, "%s: %s", name, archive_error_string(a->a));
	return GPUDX_OK;
}

enum gpudx_status gpudx_archive_open(const struct gpudx_container *c, struct gpudx_stream *src,
				     int fd, struct gpudx_archive **out, struct gpudx_err *err)
{
	struct gpudx_archive *a = archive_alloc(src, fd);
	enum gpudx_status rc;

	if (!a)
		return gpudx_nomem(err);
	c->support(a->a);
	rc = c->support == with_7zip && fd < 0 ? open_in_memory(a, c->name, err)
					       : open_callbacks(a, c->name, err);
	if (rc) {
		gpudx_archive_close(a);
		return rc;
	}
	*out = a;
	return GPUDX_OK;
}

static struct gpudx_sv entry_name(struct gpudx_archive *a, struct archive_entry *e)
{
	const char *s = archive_entry_pathname_utf8(e);

	if (!s)
		s = archive_entry_pathname(e);
	if (!s || !*s) {
		snprintf(a->name, sizeof(a->name), "entry-%u", a->count);
		s = a->name;
	}
	return sv_str(s);
}

static const char *entry_skip(struct archive_entry *e)
{
	if (archive_entry_is_data_encrypted(e))
		return "encrypted";
	if (archive_entry_hardlink(e))
		return "hard link";
	switch (archive_entry_filetype(e)) {
	case AE_IFREG:
		return NULL;
	case AE_IFDIR:
		return "directory";
	case AE_IFLNK:
		return "symbolic link";
	case AE_IFIFO:
		return "named pipe";
	default:
		return "device or special file";
	}
}

enum gpudx_status gpudx_archive_next(struct gpudx_archive *a, struct gpudx_entry *e,
				     struct gpudx_stream **data)
{
	struct archive_entry *la;
	int rc = ARCHIVE_RETRY;

	for (int i = 0; rc == ARCHIVE_RETRY && i < RETRIES; i++)
		rc = archive_read_next_header(a->a, &la);
	if (rc == ARCHIVE_EOF)
		return GPUDX_END;
	if (rc < ARCHIVE_WARN) {
		archive_damaged(a);
		return GPUDX_END;
	}
	a->count++;
	*e = (struct gpudx_entry){ .name = entry_name(a, la),
				   .mtime_us = GPUDX_NO_TIME,
				   .size = -1 };
	e->skip = entry_skip(la);
	if (archive_entry_mtime_is_set(la) && archive_entry_mtime(la) > 0 &&
	    archive_entry_mtime(la) < INT64_C(253402300800))
		e->mtime_us = (int64_t)archive_entry_mtime(la) * GPUDX_SECOND;
	if (archive_entry_size_is_set(la))
		e->size = archive_entry_size(la);
	free(a->entry.peeked);
	a->entry = (struct gpudx_stream){ .pull = entry_pull, .budget = a->src->budget };
	a->piece_n = 0;
	a->piece_at = a->at = 0;
	*data = &a->entry;
	return GPUDX_OK;
}

const char *gpudx_archive_damage(const struct gpudx_archive *a)
{
	return a->damage;
}

/* ---- filters: a raw "archive" with one entry ---- */

struct filter_stream {
	struct gpudx_stream base;
	struct gpudx_archive *a;
};

static size_t filter_pull(struct gpudx_stream *base, void *buf, size_t n)
{
	struct filter_stream *f = (struct filter_stream *)base;
	size_t got = gpudx_stream_some(&f->a->entry, buf, n);

	if (!got && f->a->entry.damage[0])
		gpudx_stream_damage(base, "%s", f->a->entry.damage);
	return got;
}

static void filter_close(struct gpudx_stream *base)
{
	struct filter_stream *f = (struct filter_stream *)base;

	gpudx_archive_close(f->a);
	free(f);
}

/* The dictionary that the first block of an .xz file demands; 0 = not told. Filter id 0x21 is
 * LZMA2, whose one property byte b means (2 | b & 1) << (b / 2 + 11) bytes (xz format 5.3.1). */
static uint64_t xz_window(struct gpudx_sv h)
{
	const unsigned char *p = (const unsigned char *)h.p;
	size_t at = 14;

	if (h.n < 32 || !(p[13] <= 0xc3))
		return 0;
	for (int sizes = (p[13] & 0x40 ? 1 : 0) + (p[13] & 0x80 ? 1 : 0); sizes; sizes--) {
		while (at < 28 && (p[at] & 0x80))
			at++;
		at++;
	}
	for (int filters = (p[13] & 3) + 1; filters && at + 2 < h.n; filters--) {
		if (p[at] == 0x21 && p[at + 1] == 1 && p[at + 2] <= 40)
			return p[at + 2] == 40
				       ? UINT32_MAX
				       : (uint64_t)(2 | (p[at + 2] & 1)) << (p[at + 2] / 2 + 11);
		at += 2 + (size_t)p[at + 1];
	}
	return 0;
}

static enum gpudx_status filter_begin(struct gpudx_archive *a, const char *name,
				      struct gpudx_err *err)
{
	struct archive_entry *e;
	enum gpudx_status rc;

	archive_read_support_format_raw(a->a);
	rc = open_callbacks(a, name, err);
	if (rc)
		return rc;
	if (archive_read_next_header(a->a, &e) < ARCHIVE_WARN)
		return gpudx_fail(err, GPUDX_E_INPUT, "%s: %s", name, archive_error_string(a->a));
	return GPUDX_OK;
}

enum gpudx_status gpudx_filter_open(const struct gpudx_container *c, struct gpudx_stream *src,
				    struct gpudx_stream **out, struct gpudx_err *err)
{
	uint64_t window = c->support == with_xz ? xz_window(gpudx_stream_peek(src, 64)) : 0;
	struct filter_stream *f;
	enum gpudx_status rc;

	if (window > src->budget->window_max)
		return gpudx_fail(
			err, GPUDX_E_LIMIT,
			"xz: the decoder would need %llu MiB of memory, %llu MiB are allowed",
			(unsigned long long)(window >> 20),
			(unsigned long long)(src->budget->window_max >> 20));
	f = calloc(1, sizeof(*f));
	if (f)
		f->a = archive_alloc(src, -1);
	if (!f || !f->a) {
		free(f);
		return gpudx_nomem(err);
	}
	f->base = (struct gpudx_stream){ .pull = filter_pull,
					 .close = filter_close,
					 .budget = src->budget };
	c->support(f->a->a);
	rc = filter_begin(f->a, c->name, err);
	if (rc) {
		filter_close(&f->base);
		return rc;
	}
	*out = &f->base;
	return GPUDX_OK;
}
