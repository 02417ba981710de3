#include "bundle/lines.h"

#include "base/buf.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 18, KEEP = 3 /* the current line and two before it stay reachable */ };

enum encoding { ENC_UTF8, ENC_UTF16LE, ENC_UTF16BE };

struct gpudx_lines {
	struct gpudx_stream *s;
	enum encoding enc;
	bool started, end, cut; /* cut: split stands inside a line longer than the cap */
	bool judged, binary;	/* binary was told from the first block */
	char *buf;		/* text of the lines in v, then what is not yet split */
	size_t n, cap, split;	/* bytes in buf; [0, split) is in v */
	struct gpudx_line *v;	/* lines of the block, some behind the current one */
	size_t count, vcap, at; /* v[at] is next */
	size_t scanned;		/* v[.. scanned) have been given their GPUDX_LINE_HIT */
	uint32_t no;		/* of the physical line that begins at split */
	int64_t offset;		/* of buf[split] in the member */
	gpudx_find_fn *find;
	const void *find_arg;
	unsigned char odd[4]; /* UTF-16 bytes left over from the block before */
	size_t nodd;
};

/* ---- encodings ---- */

/* Without a mark: every other byte is mostly NUL. */
static bool looks_utf16(const unsigned char *p, size_t n, enum encoding enc)
{
	size_t nul = 0, pairs = (n < 4096 ? n : 4096) / 2, high = enc == ENC_UTF16LE;

	for (size_t i = 0; i < pairs; i++)
		nul += p[2 * i + high] == 0 && p[2 * i + !high] != 0;
	return pairs >= 8 && nul * 10 > pairs * 3;
}

/* Sets the encoding and returns how many bytes of byte order mark to drop. */
static size_t detect_encoding(struct gpudx_lines *l, const unsigned char *p, size_t n)
{
	if (n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		return 3;
	if (n >= 2 && p[0] == 0xff && p[1] == 0xfe)
		return l->enc = ENC_UTF16LE, 2;
	if (n >= 2 && p[0] == 0xfe && p[1] == 0xff)
		return l->enc = ENC_UTF16BE, 2;
	if (looks_utf16(p, n, ENC_UTF16LE))
		l->enc = ENC_UTF16LE;
	else if (looks_utf16(p, n, ENC_UTF16BE))
		l->enc = ENC_UTF16BE;
	return 0;
}

/* Text has no control characters but these. Of random bytes, as in anything compressed, 24 of 256
 * are others: a twentieth makes a block binary. A crash leaves runs of NULs in a log, of any length,
 * but between them stand lines; between those of records stand words. */
static bool looks_binary(const unsigned char *p, size_t n)
{
	size_t bad = 0, text = 0, runs = 0, i = 0;

	while (i < n && p[i] == 0)
		i++;
	n = n - i > 4096 ? i + 4096 : n;
	for (; i < n; i++) {
		runs += p[i] == 0 && p[i - 1] != 0;
		text += p[i] != 0;
		bad += p[i] < 0x20 && p[i] != 0 && !strchr("\t\n\r\f\b\x1b\a", p[i]);
	}
	return n && (!text || bad * 20 > text || (runs > 1 && text / runs < 32));
}

static uint32_t utf16_unit(const struct gpudx_lines *l, const unsigned char *p)
{
	return l->enc == ENC_UTF16LE ? (uint32_t)p[0] | (uint32_t)p[1] << 8
				     : (uint32_t)p[1] | (uint32_t)p[0] << 8;
}

/* Decodes what it can of p[0..n) into b and returns how many bytes it took. */
static size_t utf16_decode(const struct gpudx_lines *l, const unsigned char *p, size_t n, bool last,
			   struct gpudx_buf *b)
{
	size_t i = 0;

	while (n - i >= 2) {
		uint32_t u = utf16_unit(l, p + i), low;

		if (u >= 0xd800 && u < 0xdc00) {
			if (n - i < 4 && !last)
				break;
			low = n - i >= 4 ? utf16_unit(l, p + i + 2) : 0;
			if (low >= 0xdc00 && low < 0xe000) {
				u = 0x10000 + ((u - 0xd800) << 10) + (low - 0xdc00);
				i += 2;
			} else {
				u = 0xfffd;
			}
		} else if (u >= 0xdc00 && u < 0xe000) {
			u = 0xfffd;
		}
		i += 2;
		gpudx_buf_u32(b, u);
	}
	return last ? n : i;
}

/* How many bytes of the member a decoded text came from. */
static int64_t raw_length(const struct gpudx_lines *l, struct gpudx_sv text)
{
	int64_t units = 0;

	if (l->enc == ENC_UTF8)
		return (int64_t)text.n;
	while (text.n) {
		uint32_t u = gpudx_utf8_next(&text);

		units += u >= 0x10000 ? 2 : 1;
	}
	return 2 * units;
}

/* ---- filling ---- */

static size_t fill_utf16(struct gpudx_lines *l, size_t room)
{
	size_t raw_n = room / 3 & ~(size_t)1, got, took;
	struct gpudx_buf out = { .max = room + 1 };
	unsigned char *raw = malloc(raw_n);

	if (!raw) {
		l->end = true;
		return 0;
	}
	memcpy(raw, l->odd, l->nodd);
	got = gpudx_stream_read(l->s, raw + l->nodd, raw_n - l->nodd);
	l->end = got < raw_n - l->nodd;
	got += l->nodd;
	took = utf16_decode(l, raw, got, l->end, &out);
	l->nodd = got - took;
	memcpy(l->odd, raw + took, l->nodd);
	free(raw);
	if (out.n)
		memcpy(l->buf + l->n, out.p, out.n);
	got = out.n;
	gpudx_buf_free(&out);
	return got;
}

static size_t fill_bytes(struct gpudx_lines *l, size_t room)
{
	size_t got = gpudx_stream_read(l->s, l->buf + l->n, room);

	l->end = got < room;
	if (!l->judged)
		l->binary = looks_binary((const unsigned char *)l->buf, got);
	l->judged = true;
	return got;
}

static void start(struct gpudx_lines *l)
{
	struct gpudx_sv head = gpudx_stream_peek(l->s, GPUDX_PEEK);
	size_t bom = detect_encoding(l, (const unsigned char *)head.p, head.n);
	char skip[4];

	l->offset = (int64_t)gpudx_stream_read(l->s, skip, bom);
	l->started = true;
}

/* Makes room for at least a block: forgets the lines before the last KEEP, moves the rest down. */
static bool make_room(struct gpudx_lines *l)
{
	size_t drop = l->at > KEEP ? l->at - KEEP : 0, delta;
	char *p;

	delta = drop < l->count ? (size_t)(l->v[drop].text.p - l->buf) : l->split;
	memmove(l->buf, l->buf + delta, l->n - delta);
	l->n -= delta;
	l->split -= delta;
	if (drop)
		memmove(l->v, l->v + drop, (l->count - drop) * sizeof(*l->v));
	l->count -= drop;
	l->at -= drop;
	l->scanned = l->scanned > drop ? l->scanned - drop : 0;
	for (size_t i = 0; i < l->count; i++)
		l->v[i].text.p -= delta;
	if (l->cap - l->n >= BLOCK / 2)
		return true;
	p = realloc(l->buf, l->cap + BLOCK);
	if (!p)
		return false;
	for (size_t i = 0; i < l->count; i++)
		l->v[i].text.p = p + (l->v[i].text.p - l->buf);
	l->buf = p;
	l->cap += BLOCK;
	return true;
}

/* ---- splitting ---- */

static struct gpudx_line *add_line(struct gpudx_lines *l)
{
	struct gpudx_line *v;

	if (l->count == l->vcap) {
		v = realloc(l->v, (l->vcap ? l->vcap * 2 : 1024) * sizeof(*v));
		if (!v)
			return NULL;
		l->v = v;
		l->vcap = l->vcap ? l->vcap * 2 : 1024;
	}
	v = &l->v[l->count++];
	*v = (struct gpudx_line){ .no = l->no };
	return v;
}

/* The length of an escape sequence at p: CSI "ESC [ ... letter", OSC "ESC ] ... BEL", others two.
 */
static size_t escape_length(const char *p, size_t n)
{
	size_t i = 2;

	if (n < 2)
		return n;
	if (p[1] == '[') {
		while (i < n && (unsigned char)p[i] >= 0x20 && (unsigned char)p[i] < 0x40)
			i++;
		return i < n ? i + 1 : n;
	}
	if (p[1] == ']') {
		while (i < n && p[i] != '\a' && p[i] != '\x1b')
			i++;
		return i < n ? i + 1 : n;
	}
	return 2;
}

/* Where the character before p[n] begins. */
static size_t char_before(const char *p, size_t n)
{
	while (n > 1 && ((unsigned char)p[n - 1] & 0xc0) == 0x80)
		n--;
	return n - (n > 0);
}

/* Removes escape sequences and what backspaces erase, in place. */
static size_t peel(char *p, size_t n)
{
	size_t out = 0;

	for (size_t i = 0; i < n;) {
		if (p[i] == '\x1b') {
			i += escape_length(p + i, n - i);
		} else if (p[i] == '\b') {
			out = char_before(p, out);
			i++;
		} else {
			p[out++] = p[i++];
		}
	}
	return out;
}

/* The pieces of one physical line: split at lone CRs and at runs of NULs. */
static bool split_pieces(struct gpudx_lines *l, char *p, size_t n, uint32_t flags)
{
	int64_t offset = l->offset;
	size_t i = 0, from;
	uint32_t piece = 0;

	while (i < n || !piece) {
		uint32_t nuls = 0;
		struct gpudx_line *v;

		for (from = i; i < n && p[i] == '\0'; i++)
			nuls = GPUDX_LINE_NULS;
		offset += raw_length(l, sv_n(p + from, i - from));
		for (from = i; i < n && p[i] != '\0' && p[i] != '\r'; i++)
			continue;
		v = add_line(l);
		if (!v)
			return false;
		v->offset = offset;
		v->flags = flags | piece | nuls;
		v->text = sv_n(p + from, i - from);
		offset += raw_length(l, v->text);
		v->text.n = peel(p + from, v->text.n);
		if (i < n && p[i] == '\r')
			offset += raw_length(l, sv_n(p + i++, 1));
		piece = GPUDX_LINE_PIECE;
	}
	return true;
}

static bool split_line(struct gpudx_lines *l, char *p, size_t n, uint32_t flags, bool special)
{
	struct gpudx_line *v;

	while (n && p[n - 1] == '\r')
		n--;
	if (special)
		return split_pieces(l, p, n, flags);
	v = add_line(l);
	if (!v)
		return false;
	v->text = sv_n(p, n);
	v->offset = l->offset;
	v->flags = flags;
	return true;
}

static bool has_special(const char *p, size_t n)
{
	return memchr(p, '\x1b', n) || memchr(p, '\0', n) || memchr(p, '\r', n) ||
	       memchr(p, '\b', n);
}

/* Where a line of have bytes that is too long is cut: not inside a character. */
static size_t cut_length(const char *p, size_t have)
{
	size_t n = GPUDX_LINE_MAX;

	while (n < have && n > GPUDX_LINE_MAX - 4 && ((unsigned char)p[n] & 0xc0) == 0x80)
		n--;
	return n;
}

/* How much of p[0..have) is the next line or piece of one, and with which flags; false when the
 * block holds too little to say. lf: where the physical line ends, NULL when not in the block. */
static bool next_line(const struct gpudx_lines *l, const char *p, const char *lf, size_t have,
		      size_t *n, uint32_t *flags)
{
	*n = lf ? (size_t)(lf - p) : have;
	*flags = l->cut ? GPUDX_LINE_REST : 0;
	if (*n > GPUDX_LINE_MAX) {
		*n = cut_length(p, have);
		*flags |= GPUDX_LINE_CUT;
	} else if (!lf && l->end) {
		*flags |= GPUDX_LINE_NO_LF;
	} else if (!lf && l->cut) {
		*flags |= GPUDX_LINE_CUT;
	} else if (!lf) {
		return false;
	}
	return true;
}

/* Splits what is in the buffer; the last line stays unless it ends or is too long. */
static bool split_block(struct gpudx_lines *l)
{
	bool special = l->n > l->split && has_special(l->buf + l->split, l->n - l->split);

	while (l->split < l->n) {
		char *p = l->buf + l->split, *lf = memchr(p, '\n', l->n - l->split);
		uint32_t flags;
		size_t n;
		int64_t raw;

		if (!next_line(l, p, lf, l->n - l->split, &n, &flags))
			break;
		raw = raw_length(l, sv_n(p, n)); /* peeling changes what stands there */
		if (!split_line(l, p, n, flags, special && !l->cut))
			return false;
		l->offset += raw;
		l->split += n;
		l->cut = flags & GPUDX_LINE_CUT;
		if (lf && !l->cut) {
			l->offset += l->enc == ENC_UTF8 ? 1 : 2;
			l->split++;
			l->no++;
		}
	}
	return true;
}

/* Brings at least one more line, unless the end is reached. */
static bool more(struct gpudx_lines *l)
{
	size_t had = l->count - l->at;

	if (!l->started)
		start(l);
	while (!l->end && l->count - l->at == had) {
		if (!make_room(l))
			return false;
		l->n += l->enc == ENC_UTF8 ? fill_bytes(l, l->cap - l->n)
					   : fill_utf16(l, l->cap - l->n);
		if (!split_block(l))
			return false;
	}
	return l->count - l->at > had;
}

/* ---- hits ---- */

/* Lines of a block stand one behind the other, so one search over their bytes serves them all. */
static void scan_hits(struct gpudx_lines *l)
{
	const char *p = l->buf;
	size_t at = (size_t)(l->v[l->at].text.p - p), hit;

	hit = l->find(l->find_arg, p, l->split, at);
	for (size_t i = l->at; i < l->count; i++) {
		size_t from = (size_t)(l->v[i].text.p - p), to = from + l->v[i].text.n;

		if (hit < from)
			hit = l->find(l->find_arg, p, l->split, from);
		if (hit < to) {
			l->v[i].flags |= GPUDX_LINE_HIT;
			hit = l->find(l->find_arg, p, l->split, to);
		}
	}
	l->scanned = l->count;
}

void gpudx_lines_find(struct gpudx_lines *l, gpudx_find_fn *find, const void *arg)
{
	if (l->find != find || l->find_arg != arg)
		l->scanned = l->at;
	l->find = find;
	l->find_arg = arg;
}

/* ---- reading ---- */

const struct gpudx_line *gpudx_lines_next(struct gpudx_lines *l)
{
	if (l->at >= l->count && !more(l))
		return NULL;
	if (l->find && l->scanned <= l->at)
		scan_hits(l);
	return &l->v[l->at++];
}

const struct gpudx_line *gpudx_lines_peek(struct gpudx_lines *l, size_t k)
{
	while (l->at + k >= l->count) {
		if (l->count > l->at &&
		    l->split - (size_t)(l->v[l->at].text.p - l->buf) >= GPUDX_HEAD)
			return NULL;
		if (!more(l))
			return NULL;
	}
	if ((size_t)(l->v[l->at + k].text.p - l->v[l->at].text.p) >= GPUDX_HEAD)
		return NULL;
	return &l->v[l->at + k];
}

const struct gpudx_line *gpudx_lines_prev(const struct gpudx_lines *l, size_t k)
{
	return l->at > k ? &l->v[l->at - 1 - k] : NULL;
}

void gpudx_lines_back(struct gpudx_lines *l)
{
	if (l->at)
		l->at--;
}

enum gpudx_status gpudx_lines_open(struct gpudx_stream *s, struct gpudx_lines **out,
				   struct gpudx_err *err)
{
	struct gpudx_lines *l = calloc(1, sizeof(*l));

	if (!l)
		return gpudx_nomem(err);
	l->s = s;
	l->no = 1;
	l->cap = BLOCK;
	l->buf = malloc(l->cap);
	if (!l->buf) {
		free(l);
		return gpudx_nomem(err);
	}
	*out = l;
	return GPUDX_OK;
}

void gpudx_lines_close(struct gpudx_lines *l)
{
	if (!l)
		return;
	free(l->buf);
	free(l->v);
	free(l);
}

const char *gpudx_lines_encoding(const struct gpudx_lines *l)
{
	static const char *const names[] = { NULL, "UTF-16LE", "UTF-16BE" };

	return names[l->enc];
}

bool gpudx_lines_binary(const struct gpudx_lines *l)
{
	return l->binary;
}

int64_t gpudx_lines_bytes(const struct gpudx_lines *l)
{
	return l->offset;
}

uint32_t gpudx_lines_count(const struct gpudx_lines *l)
{
	return l->at ? l->v[l->at - 1].no : 0;
}
