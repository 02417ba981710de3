/* Excerpts from the bundle itself: documents whole, of logs and series what the plan chooses. */
#include "ticket/excerpt.h"

#include "bundle/lines.h"
#include "ticket/again.h"
#include "ticket/plan.h"

/* Bytes; pseudonyms may be longer than what they stand for. */
enum { MEMBER_MAX = 8 << 20, ALL_MAX = 64 << 20, SLACK = 4 << 20, ARENA_MAX = 256 << 20 };

struct rereading {
	struct gpudx_redact *r;
	struct tk_plan plan;
	struct tk_pack *pack; /* NULL: only looking */
	struct tk_excerpts *sum;
	uint32_t member;
	uint64_t bytes; /* of all members so far */
};

/* One member. */
struct taking {
	struct tk_choice choice;
	struct gpudx_buf text;
	size_t max;
	uint64_t left; /* lines of content left out behind the last that was kept */
	uint32_t no;
	bool full, open, any; /* open: of what was left out nobody knows what it is */
};

static void end_gap(struct rereading *c, struct taking *t)
{
	if (t->left && t->text.n && t->text.p[t->text.n - 1] != '\n')
		gpudx_buf_char(&t->text, '\n');
	if (t->left)
		gpudx_gap_put(&t->text, t->open || t->full ? GPUDX_GAP_OPEN : GPUDX_GAP_EMPTY,
			      t->left);
	c->sum->left += t->left;
	t->left = 0;
	t->open = false;
}

static void take_line(struct rereading *c, struct taking *t, const struct gpudx_line *line)
{
	bool blank = sv_blank(line->text), again = line->no == t->no,
	     keep = gpudx_choice_line(&t->choice, line->no, line->text);

	t->no = line->no;
	t->full |= keep && t->text.n + line->text.n > t->max;
	if (!keep || t->full) {
		t->left += !blank && !again;
		t->open |= t->choice.open;
		return;
	}
	end_gap(c, t);
	c->sum->kept += !again;
	t->any |= !blank;
	gpudx_redact_text(c->r, line->text, &t->text);
	if (!(line->flags & (GPUDX_LINE_CUT | GPUDX_LINE_NO_LF)))
		gpudx_buf_char(&t->text, '\n');
}

static enum gpudx_status take_text(struct rereading *c, struct taking *t, struct gpudx_stream *s,
				   struct gpudx_err *err)
{
	const struct gpudx_line *line;
	struct gpudx_lines *lines;
	enum gpudx_status rc = gpudx_lines_open(s, &lines, err);

	if (rc)
		return rc;
	while ((line = gpudx_lines_next(lines)) && !gpudx_lines_binary(lines))
		take_line(c, t, line);
	end_gap(c, t);
	if (gpudx_lines_binary(lines))
		t->any = false;
	gpudx_lines_close(lines);
	return t->text.failed ? gpudx_nomem(err) : GPUDX_OK;
}

static enum gpudx_status add_file(struct rereading *c, const struct gpudx_member *m,
				  struct gpudx_sv text, struct gpudx_err *err)
{
	struct gpudx_buf name = { .max = 1 << 16 };
	enum gpudx_status rc = GPUDX_OK;

	gpudx_again_name(c->r, "evidence/", m->path, &name);
	if (c->pack)
		rc = gpudx_pack_add_from(c->pack, sv_n(gpudx_buf_cstr(&name), name.n), "excerpt",
					 text, m->mtime_us, err);
	gpudx_buf_free(&name);
	return rc;
}

static enum gpudx_status on_member(void *arg, const struct gpudx_member *m, struct gpudx_err *err)
{
	struct rereading *c = arg;
	struct taking t = { .text = { .max = MEMBER_MAX + SLACK } };
	enum gpudx_status rc;

	t.max = c->bytes + MEMBER_MAX < ALL_MAX ? MEMBER_MAX : (size_t)(ALL_MAX - c->bytes);
	rc = gpudx_plan_member(&c->plan, ++c->member, t.max, &t.choice, err);
	if (!rc && t.choice.nparts && !m->skip)
		rc = take_text(c, &t, m->stream, err);
	if (!rc && t.any) {
		rc = add_file(c, m, sv_n(gpudx_buf_cstr(&t.text), t.text.n), err);
		c->bytes += t.text.n < t.max ? t.text.n : t.max;
		c->sum->files++;
	}
	c->sum->cut += t.full || t.choice.tight;
	gpudx_buf_free(&t.text);
	gpudx_choice_free(&t.choice);
	return rc;
}

static enum gpudx_status reread(sqlite3 *db, int64_t bundle, struct rereading *c,
				const struct tk_from *from, struct gpudx_err *err)
{
	struct gpudx_arena arena = { .limit = ARENA_MAX };
	enum gpudx_status rc =
		gpudx_plan_load(&c->plan, db, bundle, ALL_MAX, MEMBER_MAX, &arena, err);

	*c->sum = (struct tk_excerpts){ .again = true };
	if (!rc)
		rc = gpudx_again(from, NULL, on_member, c, err);
	gpudx_arena_free(&arena);
	return rc;
}

enum gpudx_status gpudx_ticket_look(sqlite3 *db, int64_t bundle, struct gpudx_redact *r,
				    const struct tk_from *from, struct gpudx_err *err)
{
	struct tk_excerpts sum;
	struct rereading c = { .r = r, .sum = &sum };
	enum gpudx_status rc = reread(db, bundle, &c, from, err);

	gpudx_redact_settle(r);
	return rc;
}

enum gpudx_status gpudx_ticket_reread(sqlite3 *db, int64_t bundle, struct gpudx_redact *r,
				      const struct tk_from *from, struct tk_pack *p,
				      struct tk_excerpts *sum, struct gpudx_err *err)
{
	struct rereading c = { .r = r, .pack = p, .sum = sum };

	return reread(db, bundle, &c, from, err);
}
