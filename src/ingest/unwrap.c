#include "ingest/unwrap.h"

#include "base/buf.h"
#include "base/json.h"
#include "ingest/records.h"

#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 1 << 16, LINE_MAX = 1 << 20, WORD = 128 };

struct word {
	size_t n;
	char p[WORD];
};

struct unwrap {
	struct gpudx_stream base;
	struct gpudx_stream *src;
	enum gpudx_wrapping kind;
	struct gpudx_buf in;  /* what was read of src: [at, n) is not yet looked at */
	struct gpudx_buf out; /* what comes next: [given, n) */
	size_t at, given;
	bool end;
	bool lf_due; /* of the line that was given last: what is behind the last one belongs to it */
	int64_t owed; /* bytes given beyond what was taken; later lines make up for it */
	struct word time, host, tag; /* of the record at hand; the host stays */
	struct gpudx_buf message;
	struct gpudx_json json;
	struct gpudx_records records;
	bool in_tag, in_script; /* HTML: where the line before ended */
	struct mail {
		bool in_body; /* of the part at hand, not its headers */
		bool quoted_printable, base64, html;
	} mail;
};

/* ---- lines ---- */

/* "> text", also quoted more than once. */
static bool quoted_text(struct gpudx_sv line, struct gpudx_sv *text)
{
	struct gpudx_sv c = line;

	if (!sv_char(&c, '>'))
		return false;
	while (c.n > 1 && (c.p[0] == '>' || (c.p[0] == ' ' && c.p[1] == '>')))
		c = sv_from(c, 1);
	sv_char(&c, ' ');
	*text = c;
	return true;
}

/* "MIME-Version: 1.0" among lines that are all headers, or go on from the one above. */
static bool has_mail_headers(struct gpudx_sv head)
{
	struct gpudx_sv line, name, c;
	bool mime = false;

	while (sv_line(&head, &line) && !sv_blank(line)) {
		if (sv_is_space(line.p[0]) || sv_starts(line, "From "))
			continue;
		c = line;
		if (!sv_until(&c, ":", &name) || !name.n || sv_has(name, " "))
			return false;
		mime |= sv_ilit(&line, "mime-version:");
	}
	return mime;
}

static bool is_html(struct gpudx_sv head)
{
	while (head.n && (sv_is_space(head.p[0]) || head.p[0] == '\n' || head.p[0] == '\r'))
		head = sv_from(head, 1);
	return sv_ilit(&head, "<!doctype html") || sv_ilit(&head, "<html");
}

/* A mail with at least three quoted lines, which are a third of what it begins with. */
static bool is_mail(struct gpudx_sv head)
{
	struct gpudx_sv line, text;
	size_t lines = 0, quoted = 0;

	while (sv_line(&head, &line)) {
		lines += !sv_blank(line);
		quoted += quoted_text(line, &text);
	}
	return quoted >= 3 && quoted * 3 >= lines;
}

/* "Tue 2024-05-07 09:58:55.123456 UTC [s=...;i=1;b=...;m=3498eca2;t=617e0b0d3c840;x=1]": t is the time of
 * the wall in microseconds. */
static bool verbose_head(struct gpudx_sv line, uint64_t *us)
{
	struct gpudx_sv skipped;

	return line.n && sv_is_alpha(line.p[0]) && sv_until(&line, " [s=", &skipped) &&
	       skipped.n < 64 && sv_until(&line, ";t=", &skipped) && sv_hex(&line, 1, 16, us);
}

/* The head of a record, behind what journalctl may say first. */
static bool is_journal_verbose(struct gpudx_sv head)
{
	struct gpudx_sv line;
	uint64_t us;

	for (int i = 0; i < 3 && sv_line(&head, &line); i++)
		if (verbose_head(line, &us))
			return true;
	return false;
}

static bool is_notebook(struct gpudx_sv head)
{
	struct gpudx_sv c = sv_ltrim(head);

	while (c.n && (c.p[0] == '\n' || c.p[0] == '\r' || c.p[0] == ' '))
		c = sv_from(c, 1);
	return sv_starts(c, "{") && sv_has(c, "\"cells\"") && sv_has(c, "\"cell_type\"");
}

enum gpudx_wrapping gpudx_wrapping_of(struct gpudx_sv head)
{
	struct gpudx_sv c = head, line, text;
	size_t lines = 0;

	sv_spaces(&c);
	if (sv_lit(&c, "{\"log\":\""))
		return GPUDX_DOCKER_JSON;
	if (sv_starts(c, "__CURSOR=") || sv_starts(c, "__REALTIME_TIMESTAMP="))
		return GPUDX_JOURNAL_EXPORT;
	if (!sv_lit(&c, "data: "))
		sv_char(&c, '\x1e');
	if (sv_starts(c, "{") && sv_has(c, "\"__REALTIME_TIMESTAMP\""))
		return GPUDX_JOURNAL_JSON;
	if (is_journal_verbose(head))
		return GPUDX_JOURNAL_VERBOSE;
	if (sv_starts(c, "{\n   \"dmesg\""))
		return GPUDX_DMESG_JSON;
	if (is_notebook(head))
		return GPUDX_NOTEBOOK;
	if (gpudx_records_are_json(head))
		return GPUDX_LOG_JSON;
	if (gpudx_records_are_csv(head))
		return GPUDX_LOG_CSV;
	if (has_mail_headers(head))
		return GPUDX_MAIL;
	if (is_html(head))
		return GPUDX_HTML;
	/* The last line of the head may be cut. */
	while (head.n && head.p[head.n - 1] != '\n')
		head.n--;
	for (c = head; sv_line(&c, &line) && quoted_text(line, &text);)
		lines++;
	return (lines && !c.n) || is_mail(head) ? GPUDX_QUOTED : GPUDX_NOT_WRAPPED;
}

bool gpudx_unwrap_makes_records(enum gpudx_wrapping kind)
{
	return kind == GPUDX_DOCKER_JSON || kind == GPUDX_LOG_JSON || kind == GPUDX_LOG_CSV;
}

/* ---- pages ---- */

/* "&lt;", "&#39;", "&#x27;": false, and nothing added, when it is no entity. */
static bool entity(struct gpudx_sv *s, struct gpudx_buf *b)
{
	static const struct {
		const char *name, *text;
	} names[] = {
		{ "lt;", "<" },	   { "gt;", ">" },   { "amp;", "&" },
		{ "quot;", "\"" }, { "apos;", "'" }, { "nbsp;", " " },
	};
	struct gpudx_sv c = sv_from(*s, 1);
	uint64_t code;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_lit(&c, names[i].name)) {
			gpudx_buf_str(b, names[i].text);
			*s = c;
			return true;
		}
	if (!sv_char(&c, '#') ||
	    !(sv_char(&c, 'x') ? sv_hex(&c, 1, 6, &code) : sv_u64(&c, &code)) ||
	    !sv_char(&c, ';') || code < ' ' || code > 0x10ffff)
		return false;
	gpudx_buf_u32(b, (uint32_t)code);
	*s = c;
	return true;
}

/* What begins a tag; s is behind the '<'. */
static void enter_tag(struct unwrap *u, struct gpudx_sv s)
{
	bool closes = sv_char(&s, '/');

	if (sv_ilit(&s, "script") || sv_ilit(&s, "style"))
		u->in_script = !closes;
	u->in_tag = true;
}

static bool begins_tag(struct gpudx_sv s)
{
	return s.n > 1 && (sv_is_alpha(s.p[1]) || s.p[1] == '/' || s.p[1] == '!');
}

static void html_text(struct unwrap *u, struct gpudx_sv s, struct gpudx_buf *b)
{
	while (s.n) {
		if (u->in_tag) {
			u->in_tag = s.p[0] != '>';
			s = sv_from(s, 1);
		} else if (s.p[0] == '<' && begins_tag(s)) {
			enter_tag(u, sv_from(s, 1));
			s = sv_from(s, 1);
		} else if (u->in_script) {
			s = sv_from(s, 1);
		} else if (s.p[0] != '&' || !entity(&s, b)) {
			gpudx_buf_char(b, s.p[0]);
			s = sv_from(s, 1);
		}
	}
}

/* ---- mails ---- */

/* What the headers of a part say of its body. */
static void mail_header(struct mail *m, struct gpudx_sv line)
{
	struct gpudx_sv c = line;

	if (sv_ilit(&c, "content-transfer-encoding:")) {
		c = sv_trim(c);
		m->quoted_printable = sv_ilit(&c, "quoted-printable");
		m->base64 = !m->quoted_printable && sv_ilit(&c, "base64");
	} else if (sv_ilit(&c, "content-type:")) {
		c = sv_trim(c);
		m->html = sv_ilit(&c, "text/html");
	}
}

/* "=3D" is '=', and one at the end of a line goes on in the next. False: it goes on. */
static bool decode_printable(struct gpudx_sv line, struct gpudx_buf *b)
{
	uint64_t code;

	while (line.n) {
		struct gpudx_sv c = sv_from(line, 1);

		if (line.p[0] == '=' && sv_blank(c))
			return false;
		if (line.p[0] == '=' &&
		    sv_hex(&(struct gpudx_sv){ c.p, c.n < 2 ? 0 : 2 }, 2, 2, &code)) {
			gpudx_buf_char(b, (char)(unsigned char)code);
			line = sv_from(line, 3);
		} else {
			gpudx_buf_char(b, line.p[0]);
			line = c;
		}
	}
	return true;
}

/* The body as it was written; nothing of headers and attachments. What was broken over several lines stands
 * in the last of them. */
static void mail_line(struct unwrap *u, struct gpudx_sv line, struct gpudx_buf *b)
{
	struct mail *m = &u->mail;
	struct gpudx_sv text = line = sv_rtrim(line);

	if (m->in_body && sv_starts(line, "--") && line.n > 10 && !sv_has(line, " ")) {
		*m = (struct mail){ .in_body = false };
		gpudx_buf_clear(&u->message);
		u->in_tag = u->in_script = false;
		return;
	}
	if (!m->in_body) {
		m->in_body = !line.n;
		mail_header(m, line);
		return;
	}
	if (m->base64)
		return;
	if (m->quoted_printable) {
		if (!decode_printable(line, &u->message) && u->message.n < LINE_MAX / 2)
			return;
		text = sv_n(gpudx_buf_cstr(&u->message), u->message.n);
	}
	if (m->html)
		html_text(u, text, b);
	else
		gpudx_buf_sv(b, quoted_text(text, &line) ? line : text);
	gpudx_buf_clear(&u->message);
}

/* ---- records ---- */

static void keep(struct word *w, struct gpudx_sv s)
{
	w->n = s.n <= WORD ? s.n : 0;
	memcpy(w->p, s.p, w->n);
}

static struct gpudx_sv view(const struct word *w)
{
	return sv_n(w->p, w->n);
}

/* Line feeds inside a message as rsyslog writes them. */
static void add_message(struct gpudx_buf *b, struct gpudx_sv s)
{
	while (s.n && s.p[s.n - 1] == '\n')
		s.n--;
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '\n')
			gpudx_buf_str(b, "#012");
		else
			gpudx_buf_char(b, s.p[i]);
}

/* "1738419931.123456 node01 kernel: message". */
static void put_journal(struct unwrap *u, struct gpudx_sv message, struct gpudx_buf *b)
{
	struct gpudx_sv t = view(&u->time);

	if (t.n < 7)
		return;
	gpudx_buf_sv(b, sv_first(t, t.n - 6));
	gpudx_buf_char(b, '.');
	gpudx_buf_sv(b, sv_from(t, t.n - 6));
	gpudx_buf_char(b, ' ');
	if (u->host.n) {
		gpudx_buf_sv(b, view(&u->host));
		gpudx_buf_char(b, ' ');
	}
	gpudx_buf_sv(b, u->tag.n ? view(&u->tag) : SV_LIT("journal"));
	gpudx_buf_str(b, ": ");
	add_message(b, message);
}

static void new_record(struct unwrap *u)
{
	u->time.n = u->tag.n = 0;
	gpudx_buf_clear(&u->message);
}

static void journal_field(struct unwrap *u, struct gpudx_sv key, struct gpudx_sv value)
{
	if (sv_is(key, "__REALTIME_TIMESTAMP"))
		keep(&u->time, value);
	else if (sv_is(key, "_HOSTNAME"))
		keep(&u->host, value);
	else if (sv_is(key, "SYSLOG_IDENTIFIER") || (sv_is(key, "_COMM") && !u->tag.n))
		keep(&u->tag, value);
	else if (sv_is(key, "_TRANSPORT") && sv_is(value, "kernel"))
		keep(&u->tag, value);
}

/* A record ends where its object does, in the line in which it began or in a later one. */
static void journal_json_token(struct unwrap *u, struct gpudx_buf *b)
{
	struct gpudx_json *j = &u->json;
	bool message = gpudx_json_at(j, "MESSAGE") || gpudx_json_at(j, "MESSAGE[]");

	if (j->kind == GPUDX_JSON_OBJECT_END && !j->depth) {
		if (u->message.n)
			put_journal(u, sv_n(u->message.p, u->message.n), b);
		new_record(u);
	} else if (j->kind == GPUDX_JSON_STRING && message) {
		gpudx_buf_sv(&u->message, j->text);
	} else if (j->kind == GPUDX_JSON_STRING) {
		journal_field(u, gpudx_json_key(j), j->text);
	} else if (j->kind == GPUDX_JSON_NUMBER && message && j->num > 0 && j->num < 256) {
		gpudx_buf_char(&u->message, (char)(unsigned char)j->num);
	}
}

static void journal_json(struct unwrap *u, struct gpudx_sv line, struct gpudx_buf *b)
{
	struct gpudx_json *j = &u->json;

	/* of json-sse and json-seq */
	if (!sv_lit(&line, "data: "))
		sv_char(&line, '\x1e');
	/* A broken record costs no other one. */
	if (j->error || sv_starts(line, "{\"") || sv_is(sv_rtrim(line), "{")) {
		gpudx_json_reset(j);
		new_record(u);
	}
	gpudx_json_feed(j, line, true);
	while (gpudx_json_next(j))
		journal_json_token(u, b);
}

/* A head, and then "    KEY=value" in any order: a record is whole when the next one begins. */
static void journal_verbose(struct unwrap *u, struct gpudx_sv line, struct gpudx_buf *b)
{
	struct gpudx_sv value = sv_ltrim(line), key;
	char digits[24];
	uint64_t us;

	if (verbose_head(line, &us)) {
		if (u->message.n)
			put_journal(u, sv_n(u->message.p, u->message.n), b);
		new_record(u);
		keep(&u->time, sv_n(digits, (size_t)snprintf(digits, sizeof(digits), "%llu",
							     (unsigned long long)us)));
	} else if (!sv_until(&value, "=", &key)) {
		return;
	} else if (sv_is(key, "MESSAGE")) {
		gpudx_buf_clear(&u->message);
		gpudx_buf_sv(&u->message, value);
	} else if (!sv_is(key, "__REALTIME_TIMESTAMP")) {
		journal_field(u, key, value);
	}
}

/* "KEY=value"; a blank line ends a record, whose message comes in the middle of it. */
static void journal_export(struct unwrap *u, struct gpudx_sv line, struct gpudx_buf *b)
{
	struct gpudx_sv value = line, key;

	if (!line.n)
		u->time.n = u->tag.n = 0;
	if (!sv_until(&value, "=", &key))
		return;
	if (sv_is(key, "MESSAGE"))
		put_journal(u, value, b);
	else
		journal_field(u, key, value);
}

/* One key a line: "time": 155044.078590 and then "msg": "text". */
static void dmesg_json(struct unwrap *u, struct gpudx_sv line, struct gpudx_buf *b)
{
	struct gpudx_json *j = &u->json;
	struct gpudx_sv c = sv_trim(line), time;

	if (sv_lit(&c, "\"time\":")) {
		c = sv_trim(c);
		time = sv_first(c, sv_index(c, ','));
		keep(&u->time, time);
		return;
	}
	if (!sv_lit(&c, "\"msg\":"))
		return;
	gpudx_json_reset(j);
	gpudx_json_feed(j, c, true);
	while (gpudx_json_next(j))
		if (j->kind == GPUDX_JSON_STRING) {
			if (u->time.n) {
				gpudx_buf_char(b, '[');
				gpudx_buf_sv(b, view(&u->time));
				gpudx_buf_str(b, "] ");
			}
			add_message(b, j->text);
		}
	u->time.n = 0;
}

/* ---- notebooks ---- */

/* Streams, results as text, tracebacks: of format 3, too, which has worksheets around. */
static bool is_printed(struct gpudx_sv path)
{
	sv_lit(&path, "worksheets[].");
	if (!sv_lit(&path, "cells[].outputs[]."))
		return false;
	return sv_starts(path, "text") || sv_starts(path, "data.text/plain") ||
	       sv_starts(path, "traceback");
}

/* Lines of one string become lines of their own, divided by carriage returns. */
static void notebook_text(struct gpudx_sv s, struct gpudx_buf *b)
{
	while (s.n && s.p[s.n - 1] == '\n')
		s.n--;
	if (b->n)
		gpudx_buf_char(b, '\r');
	for (size_t i = 0; i < s.n; i++)
		gpudx_buf_char(b, s.p[i] == '\n' ? '\r' : s.p[i]);
}

static void notebook_line(struct unwrap *u, struct gpudx_sv line, struct gpudx_buf *b)
{
	struct gpudx_json *j = &u->json;

	gpudx_json_feed(j, line, true);
	while (gpudx_json_next(j))
		if (j->kind == GPUDX_JSON_STRING && is_printed(gpudx_json_path(j)))
			notebook_text(j->text, b);
}

/* ---- the stream ---- */

static void end_line(struct unwrap *u)
{
	if (u->lf_due)
		gpudx_buf_char(&u->out, '\n');
	u->lf_due = false;
}

/* What a line becomes, with as many bytes as it had. */
static void take_line(struct unwrap *u, struct gpudx_sv line, bool lf)
{
	struct gpudx_sv text;
	struct gpudx_buf made = { .max = LINE_MAX + WORD * 4 };
	int64_t pad;

	end_line(u);
	switch (u->kind) {
	case GPUDX_DOCKER_JSON:
	case GPUDX_LOG_JSON:
		gpudx_records_json(&u->records, line, &made);
		break;
	case GPUDX_LOG_CSV:
		gpudx_records_csv(&u->records, line, &made);
		break;
	case GPUDX_JOURNAL_JSON:
		journal_json(u, line, &made);
		break;
	case GPUDX_JOURNAL_EXPORT:
		journal_export(u, line, &made);
		break;
	case GPUDX_JOURNAL_VERBOSE:
		journal_verbose(u, line, &made);
		break;
	case GPUDX_DMESG_JSON:
		dmesg_json(u, line, &made);
		break;
	case GPUDX_NOTEBOOK:
		notebook_line(u, line, &made);
		break;
	case GPUDX_MAIL:
		mail_line(u, line, &made);
		break;
	case GPUDX_HTML:
		html_text(u, line, &made);
		break;
	default:
		gpudx_buf_sv(&made, quoted_text(line, &text) ? text : line);
	}
	pad = (int64_t)line.n - (int64_t)made.n - u->owed;
	u->owed = pad < 0 ? -pad : 0;
	for (; pad > 0; pad--)
		gpudx_buf_char(&u->out, '\b');
	gpudx_buf_sv(&u->out, sv_n(gpudx_buf_cstr(&made), made.n));
	u->lf_due = lf;
	if (u->kind != GPUDX_JOURNAL_VERBOSE)
		end_line(u);
	gpudx_buf_free(&made);
}

/* What was read becomes lines, until there is enough to give. One that is too long is passed as it
 * is. */
static void split(struct unwrap *u)
{
	while (u->at < u->in.n && u->out.n < BLOCK) {
		struct gpudx_sv rest = sv_n(u->in.p + u->at, u->in.n - u->at);
		size_t n = sv_index(rest, '\n');
		bool lf = n < rest.n;

		if (!lf && !u->end && n < LINE_MAX)
			break;
		if (n >= LINE_MAX) {
			end_line(u);
			gpudx_buf_sv(&u->out, sv_first(rest, n + lf));
		} else {
			take_line(u, sv_first(rest, n), lf);
		}
		u->at += n + lf;
	}
}

/* The last record has none behind it: it stands in the last line. */
static void finish(struct unwrap *u)
{
	if (u->kind == GPUDX_JOURNAL_VERBOSE && u->message.n) {
		put_journal(u, sv_n(u->message.p, u->message.n), &u->out);
		new_record(u);
	}
	end_line(u);
}

static void read_on(struct unwrap *u)
{
	size_t left = u->in.n - u->at, got;
	char *p;

	if (left)
		memmove(u->in.p, u->in.p + u->at, left);
	u->in.n = left;
	u->at = 0;
	p = gpudx_buf_room(&u->in, BLOCK);
	got = p ? gpudx_stream_read(u->src, p, BLOCK) : 0;
	u->in.n += got;
	u->end = got < BLOCK;
}

static size_t unwrap_pull(struct gpudx_stream *s, void *buf, size_t n)
{
	struct unwrap *u = (struct unwrap *)s;

	if (u->given == u->out.n) {
		gpudx_buf_clear(&u->out);
		u->given = 0;
	}
	while (!u->out.n) {
		split(u);
		if (!u->out.n && u->end)
			finish(u);
		if (u->out.n || u->end)
			break;
		read_on(u);
	}
	if (n > u->out.n - u->given)
		n = u->out.n - u->given;
	if (n)
		memcpy(buf, u->out.p + u->given, n);
	u->given += n;
	u->base.out += n;
	return n;
}

static void unwrap_close(struct gpudx_stream *s)
{
	struct unwrap *u = (struct unwrap *)s;

	gpudx_buf_free(&u->in);
	gpudx_buf_free(&u->out);
	gpudx_buf_free(&u->message);
	gpudx_records_free(&u->records);
	free(u);
}

enum gpudx_status gpudx_unwrap_open(struct gpudx_stream *src, enum gpudx_wrapping kind,
				    struct gpudx_stream **out, struct gpudx_err *err)
{
	struct unwrap *u = calloc(1, sizeof(*u));

	if (!u)
		return gpudx_nomem(err);
	u->base.pull = unwrap_pull;
	u->base.close = unwrap_close;
	u->src = src;
	u->kind = kind;
	u->in.max = LINE_MAX + 2 * BLOCK;
	u->out.max = 2 * LINE_MAX + 4 * BLOCK;
	u->message.max = u->records.message.max = u->records.row.max = LINE_MAX;
	*out = &u->base;
	return GPUDX_OK;
}
