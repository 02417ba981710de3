/* The text of a bundle, without its secrets. */
#include "ticket/excerpt.h"

#include "bundle/lines.h"
#include "ticket/again.h"

enum { MEMBER_MAX = 256 << 20 };

struct copying {
	struct gpudx_redact *r;
	struct tk_pack *pack; /* NULL: only looking */
	size_t left;
};

static enum gpudx_status text_of(struct copying *c, struct gpudx_stream *s, struct gpudx_buf *b,
				 bool *text, struct gpudx_err *err)
{
	struct gpudx_lines *lines;
	const struct gpudx_line *line;
	enum gpudx_status rc = gpudx_lines_open(s, &lines, err);

	if (rc)
		return rc;
	while ((line = gpudx_lines_next(lines)) && !gpudx_lines_binary(lines)) {
		gpudx_redact_text(c->r, line->text, b);
		if (!(line->flags & (GPUDX_LINE_CUT | GPUDX_LINE_NO_LF)))
			gpudx_buf_char(b, '\n');
		if (!c->pack)
			gpudx_buf_clear(b);
	}
	*text = !gpudx_lines_binary(lines);
	gpudx_lines_close(lines);
	return GPUDX_OK;
}

static enum gpudx_status on_member(void *arg, const struct gpudx_member *m, struct gpudx_err *err)
{
	struct gpudx_buf text = { .max = MEMBER_MAX }, name = { .max = 1 << 16 };
	struct copying *c = arg;
	enum gpudx_status rc = GPUDX_OK;
	bool readable = false;

	gpudx_again_name(c->r, "bundle/", m->path, &name);
	if (!m->skip)
		rc = text_of(c, m->stream, &text, &readable, err);
	if (!rc && text.failed)
		rc = gpudx_fail(err, GPUDX_E_LIMIT, "a file of the bundle is too large to copy");
	c->left += !readable;
	if (!rc && c->pack && readable)
		rc = gpudx_pack_add(c->pack, sv_n(gpudx_buf_cstr(&name), name.n), "redacted copy",
				    sv_n(gpudx_buf_cstr(&text), text.n), err);
	gpudx_buf_free(&text);
	gpudx_buf_free(&name);
	return rc;
}

enum gpudx_status gpudx_ticket_learn(struct gpudx_redact *r, const struct tk_from *from,
				     struct gpudx_err *err)
{
	struct copying c = { .r = r };
	enum gpudx_status rc = gpudx_again(from, NULL, on_member, &c, err);

	gpudx_redact_settle(r);
	return rc;
}

enum gpudx_status gpudx_ticket_copy(struct gpudx_redact *r, const struct tk_from *from,
				    struct tk_pack *p, size_t *left, struct gpudx_err *err)
{
	struct copying c = { .r = r, .pack = p };
	enum gpudx_status rc = gpudx_again(from, NULL, on_member, &c, err);

	*left = c.left;
	return rc;
}

/* ---- the second look ---- */

struct check {
	const struct gpudx_redact *r;
	struct gpudx_buf b;
};

/* What markup hides: "&amp;" and "\"" are one character. */
static void plain(struct gpudx_buf *b, struct gpudx_sv s)
{
	static const struct {
		const char *written;
		char is;
	} marks[] = { { "&amp;", '&' },	 { "&lt;", '<' }, { "&gt;", '>' },  { "&quot;", '"' },
		      { "&#39;", '\'' }, { "\\\"", '"' }, { "\\\\", '\\' }, { "\"\"", '"' } };
	const size_t n = sizeof(marks) / sizeof(marks[0]);

	while (s.n) {
		size_t i = 0;

		while (i < n && !sv_lit(&s, marks[i].written))
			i++;
		gpudx_buf_char(b, i < n ? marks[i].is : s.p[0]);
		s = sv_from(s, i == n);
	}
}

static enum gpudx_status leaked(struct gpudx_sv path, const struct gpudx_redacted *e,
				struct gpudx_err *err)
{
	return gpudx_fail(err, GPUDX_E_BUG,
			  "a value of class %.*s that should be %.*s stands in %.*s: nothing is "
			  "written",
			  (int)e->class_name.n, e->class_name.p, (int)e->pseudonym.n,
			  e->pseudonym.p, (int)sv_first(path, 200).n, path.p);
}

static enum gpudx_status check_member(void *arg, const struct gpudx_member *m,
				      struct gpudx_err *err)
{
	struct check *c = arg;
	struct gpudx_redacted e;
	char block[1 << 14];
	size_t n, raw;

	if (sv_starts(m->path, "sealed/"))
		return GPUDX_OK;
	if (gpudx_redact_leak(c->r, m->path, &e))
		return leaked(SV_LIT("a file name"), &e, err);
	gpudx_buf_clear(&c->b);
	while (m->stream && (n = gpudx_stream_some(m->stream, block, sizeof(block))) > 0)
		gpudx_buf_add(&c->b, block, n);
	if (gpudx_redact_leak(c->r, sv_n(gpudx_buf_cstr(&c->b), c->b.n), &e))
		return leaked(m->path, &e, err);
	raw = c->b.n;
	if (gpudx_buf_room(&c->b, raw + 1))
		plain(&c->b, sv_n(c->b.p, raw));
	if (c->b.failed ||
	    (c->b.n > raw && gpudx_redact_leak(c->r, sv_n(c->b.p + raw, c->b.n - raw), &e)))
		return c->b.failed ? gpudx_fail(err, GPUDX_E_LIMIT,
						"the archive is too large to search")
				   : leaked(m->path, &e, err);
	return GPUDX_OK;
}

enum gpudx_status gpudx_ticket_check(const struct gpudx_redact *r, const char *path,
				     struct gpudx_err *err)
{
	struct check c = { .r = r, .b = { .max = (size_t)2 * MEMBER_MAX + 64 } };
	struct gpudx_budget limits = gpudx_budget_default, left;
	enum gpudx_status rc;

	/* This archive is ours: text packs well, and that is no bomb. */
	limits.ratio_max = UINT64_MAX;
	rc = gpudx_again(&(struct tk_from){ &path, 1, &limits }, &left, check_member, &c, err);
	gpudx_buf_free(&c.b);
	if (!rc && left.hit)
		rc = gpudx_fail(err, GPUDX_E_LIMIT, "the archive cannot be searched: %s", left.hit);
	return rc;
}
