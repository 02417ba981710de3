#include "report/svg.h"

#include "report/escape.h"

#include <math.h>

enum { NESTING = 24 };

/* Script colour and page colour. They need only differ; these are those of the light page. */
static const struct {
	uint32_t rgb;
	const char *script, *page;
} inks[REP_INKS] = {
	[REP_INK_TEXT] = { 0x1b1f24, "#1b1f24", "var(--ink)" },
	[REP_INK_SOFT] = { 0x57606a, "#57606a", "var(--soft)" },
	[REP_INK_GRID] = { 0xd8dee4, "#d8dee4", "var(--rule)" },
	[REP_INK_CLOCK] = { 0x0072b2, "#0072b2", "var(--clock)" },
	[REP_INK_POWER] = { 0xc44e00, "#c44e00", "var(--power)" },
	[REP_INK_TEMP] = { 0xa3316f, "#a3316f", "var(--temp)" },
	[REP_INK_UTIL] = { 0x00755a, "#00755a", "var(--util)" },
	[REP_INK_LIMIT] = { 0x24292f, "#24292f", "var(--limit)" },
	[REP_INK_LIMITED] = { 0xf2d16b, "#f2d16b", "var(--limited)" },
	[REP_INK_HEAT] = { 0xef9a7a, "#ef9a7a", "var(--heat)" },
	[REP_INK_HELD] = { 0xb9b4d8, "#b9b4d8", "var(--held)" },
	[REP_INK_MARK] = { 0x6639ba, "#6639ba", "var(--mark)" },
};

const char *gpudx_ink(enum rep_ink ink)
{
	return inks[ink].script;
}

const char *gpudx_ink_page(enum rep_ink ink)
{
	return inks[ink].page;
}

/* What a group hands down to what it contains. */
struct context {
	struct gpudx_sv transform, fill, stroke, width, dash, opacity, anchor, size, colour;
};

struct rewriter {
	struct gpudx_sv in;
	struct gpudx_buf *out;
	const struct gpudx_sv *labels;
	size_t nlabels;
	struct context stack[NESTING];
	unsigned depth;
	unsigned skipping; /* inside this many elements that are left out */
	bool in_text, in_svg, failed;
};

/* ---- reading tags ---- */

struct tag {
	struct gpudx_sv name;
	bool closing, empty; /* </x>, <x/> */
	struct context at;   /* attributes that it shares with groups */
	struct gpudx_sv d, points, x, y, width, height;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(struct gpudx_sv *s)
{
	while (s->n && is_blank(s->p[0]))
		*s = sv_from(*s, 1);
}

static bool is_name(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c) || c == '-' || c == ':' || c == '_';
}

static struct gpudx_sv take_name(struct gpudx_sv *s)
{
	size_t i = 0;
	struct gpudx_sv name;

	while (i < s->n && is_name(s->p[i]))
		i++;
	name = sv_first(*s, i);
	*s = sv_from(*s, i);
	return name;
}

/* Nothing that could end an attribute or mean anything but numbers, colours and path commands. */
static bool is_harmless(struct gpudx_sv v)
{
	for (size_t i = 0; i < v.n; i++)
		if (!sv_is_alpha(v.p[i]) && !sv_is_digit(v.p[i]) && !is_blank(v.p[i]) &&
		    !memchr(".,()+-#%", v.p[i], 8))
			return false;
	return true;
}

static void set_attribute(struct tag *t, struct gpudx_sv name, struct gpudx_sv value)
{
	const struct {
		const char *name;
		struct gpudx_sv *to;
	} known[] = {
		{ "transform", &t->at.transform },
		{ "fill", &t->at.fill },
		{ "stroke", &t->at.stroke },
		{ "stroke-width", &t->at.width },
		{ "stroke-dasharray", &t->at.dash },
		{ "fill-opacity", &t->at.opacity },
		{ "text-anchor", &t->at.anchor },
		{ "font-size", &t->at.size },
		{ "color", &t->at.colour },
		{ "d", &t->d },
		{ "points", &t->points },
		{ "x", &t->x },
		{ "y", &t->y },
		{ "width", &t->width },
		{ "height", &t->height },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (sv_is(name, known[i].name) && is_harmless(value))
			*known[i].to = value;
}

/* Reads one attribute; false at the end of the tag and at what is none. */
static bool take_attribute(struct gpudx_sv *s, struct tag *t)
{
	struct gpudx_sv name, value;
	char quote;
	size_t end;

	skip_blanks(s);
	name = take_name(s);
	if (!name.n)
		return false;
	skip_blanks(s);
	if (!sv_char(s, '='))
		return true;
	skip_blanks(s);
	if (!s->n || (s->p[0] != '"' && s->p[0] != '\''))
		return false;
	quote = s->p[0];
	*s = sv_from(*s, 1);
	end = sv_index(*s, quote);
	value = sv_first(*s, end);
	*s = sv_from(*s, end + 1);
	set_attribute(t, name, value);
	return true;
}

/* Reads what stands behind '<'. Declarations and comments come back without a name. */
static bool take_tag(struct gpudx_sv *s, struct tag *t)
{
	*t = (struct tag){ 0 };
	t->closing = sv_char(s, '/');
	if (!t->closing && s->n && (s->p[0] == '?' || s->p[0] == '!')) {
		*s = sv_from(*s, sv_index(*s, '>'));
		return sv_char(s, '>');
	}
	t->name = take_name(s);
	while (take_attribute(s, t))
		;
	t->empty = sv_char(s, '/');
	return t->name.n && sv_char(s, '>');
}

/* ---- writing ---- */

static void inherit(struct context *c, const struct context *from)
{
	struct gpudx_sv *const to[] = { &c->transform, &c->fill,   &c->stroke, &c->width, &c->dash,
					&c->opacity,   &c->anchor, &c->size,   &c->colour };
	const struct gpudx_sv *const by[] = { &from->transform, &from->fill, &from->stroke,
					      &from->width,	&from->dash, &from->opacity,
					      &from->anchor,	&from->size, &from->colour };

	for (size_t i = 0; i < sizeof(to) / sizeof(to[0]); i++)
		if (!to[i]->p)
			*to[i] = *by[i];
}

static bool scan_rgb(struct gpudx_sv v, uint32_t *rgb)
{
	uint64_t part[3], hex;

	if (sv_char(&v, '#')) {
		*rgb = 0;
		if (!sv_hex(&v, 6, 6, &hex) || v.n)
			return false;
		*rgb = (uint32_t)hex;
		return true;
	}
	if (!sv_lit(&v, "rgb("))
		return false;
	for (int i = 0; i < 3; i++) {
		sv_spaces(&v);
		if (!sv_u64(&v, &part[i]) || part[i] > 255 || !sv_char(&v, i < 2 ? ',' : ')'))
			return false;
	}
	*rgb = (uint32_t)(part[0] << 16 | part[1] << 8 | part[2]);
	return true;
}

/* The page's colour for the script's. */
static const char *page_colour(struct gpudx_sv v)
{
	uint32_t rgb;

	if (sv_is(v, "none"))
		return "none";
	if (scan_rgb(v, &rgb))
		for (size_t i = 0; i < REP_INKS; i++)
			if (inks[i].rgb == rgb)
				return inks[i].page;
	return "currentColor";
}

/* A tenth of a pixel is exact enough: "12.3", ".5", "-4". */
static void put_tenths(struct gpudx_buf *b, long v)
{
	long whole = v / 10, rest = v % 10 < 0 ? -(v % 10) : v % 10;

	if (v < 0 && !whole)
		gpudx_buf_char(b, '-');
	if (whole || !rest)
		gpudx_buf_printf(b, "%ld", whole);
	if (rest)
		gpudx_buf_printf(b, ".%ld", rest);
}

static bool scan_tenths(struct gpudx_sv *s, long *out)
{
	double v;

	if (!sv_decimal(s, &v) || v < -1e6 || v > 1e6)
		return false;
	*out = lround(v * 10);
	return true;
}

/* Lists of numbers: blanks as one, at most one decimal. */
static void put_numbers(struct gpudx_buf *b, const char *name, struct gpudx_sv v)
{
	long tenths;

	if (!v.n)
		return;
	gpudx_buf_printf(b, " %s=\"", name);
	for (skip_blanks(&v); v.n;) {
		if (scan_tenths(&v, &tenths)) {
			put_tenths(b, tenths);
		} else if (is_blank(v.p[0])) {
			skip_blanks(&v);
			gpudx_buf_str(b, v.n ? " " : "");
		} else {
			gpudx_buf_char(b, v.p[0]);
			v = sv_from(v, 1);
		}
	}
	gpudx_buf_char(b, '"');
}

/* One corner of a path; steps from the one before are shorter than coordinates. */
struct pen {
	long x, y;
	bool down, step; /* step: the last command was one */
};

static void put_corner(struct gpudx_buf *b, struct pen *pen, bool move, long x, long y)
{
	if (pen->down && !move && x == pen->x && y == pen->y)
		return;
	if (move || !pen->down) {
		gpudx_buf_char(b, 'M');
		put_tenths(b, x);
		gpudx_buf_char(b, ',');
		put_tenths(b, y);
	} else {
		gpudx_buf_char(b, pen->step ? ' ' : 'l');
		put_tenths(b, x - pen->x);
		gpudx_buf_char(b, ',');
		put_tenths(b, y - pen->y);
	}
	pen->step = pen->down && !move;
	pen->x = x;
	pen->y = y;
	pen->down = true;
}

/* A path of moves and lines ("M1,2 L3,4"), or the corners of a polygon. False when it is more than
 * that; then nothing sensible was written. */
static bool put_corners(struct gpudx_buf *b, struct gpudx_sv v, bool polygon)
{
	struct pen pen = { 0 };
	long x, y;

	gpudx_buf_str(b, " d=\"");
	for (skip_blanks(&v); v.n; skip_blanks(&v)) {
		bool move = sv_char(&v, 'M');

		if (!move)
			sv_char(&v, 'L');
		skip_blanks(&v);
		if (!scan_tenths(&v, &x) || !sv_char(&v, ',') || !scan_tenths(&v, &y))
			return false;
		put_corner(b, &pen, move, x, y);
	}
	gpudx_buf_str(b, polygon ? "z\"" : "\"");
	return true;
}

static void put_word(struct gpudx_buf *b, const char *name, struct gpudx_sv v)
{
	if (v.n)
		gpudx_buf_printf(b, " %s=\"%.*s\"", name, (int)v.n, v.p);
}

static void put_colours(struct gpudx_buf *b, const struct context *c)
{
	if (c->fill.p && !sv_is(c->fill, "none"))
		gpudx_buf_printf(b, " fill=\"%s\"", page_colour(c->fill));
	if (c->stroke.p && !sv_is(c->stroke, "none"))
		gpudx_buf_printf(b, " stroke=\"%s\"", page_colour(c->stroke));
	put_numbers(b, "fill-opacity", c->opacity);
}

static void put_shape(struct rewriter *r, const struct tag *t, const struct context *c)
{
	struct gpudx_buf *b = r->out;
	bool path = sv_is(t->name, "path") && t->d.n,
	     polygon = sv_is(t->name, "polygon") && t->points.n;

	if (path || polygon) {
		gpudx_buf_str(b, "<path");
		if (!put_corners(b, path ? t->d : t->points, polygon))
			r->failed = true;
	} else if (sv_is(t->name, "rect")) {
		gpudx_buf_str(b, "<rect");
		put_numbers(b, "x", t->x);
		put_numbers(b, "y", t->y);
		put_numbers(b, "width", t->width);
		put_numbers(b, "height", t->height);
	} else {
		return;
	}
	if (path) {
		put_numbers(b, "stroke-width", c->width);
		put_numbers(b, "stroke-dasharray", c->dash);
	}
	put_numbers(b, "transform", c->transform);
	put_colours(b, c);
	gpudx_buf_str(b, "/>\n");
}

/* Points refer to symbols; ours are all discs of radius 1, scaled. */
static void put_point(struct rewriter *r, const struct context *c)
{
	gpudx_buf_str(r->out, "<circle r=\"1\"");
	put_numbers(r->out, "transform", c->transform);
	gpudx_buf_printf(r->out, " fill=\"%s\"/>\n", page_colour(c->colour));
}

static void open_text(struct rewriter *r, const struct context *c)
{
	gpudx_buf_str(r->out, "<text");
	put_numbers(r->out, "transform", c->transform);
	put_word(r->out, "text-anchor", c->anchor);
	put_numbers(r->out, "font-size", c->size);
	gpudx_buf_printf(r->out, " fill=\"%s\">", page_colour(c->fill));
	r->in_text = true;
}

/* "@3@" is label 3. The rest is ours: digits and plain words. */
static void put_text(struct rewriter *r, struct gpudx_sv s)
{
	struct gpudx_sv at, number;
	uint64_t i;

	for (s = sv_trim(s); s.n; s = sv_from(s, 1)) {
		at = s;
		number = sv_n(NULL, 0);
		if (sv_char(&at, '@') && sv_until(&at, "@", &number) && sv_u64(&number, &i) &&
		    !number.n && i < r->nlabels) {
			gpudx_html_text(r->out, r->labels[i]);
			s = sv_n(at.p - 1, at.n + 1);
			continue;
		}
		if ((unsigned char)s.p[0] >= ' ' && !memchr("<>&\"'", s.p[0], 5))
			gpudx_buf_char(r->out, s.p[0]);
	}
}

/* ---- the walk ---- */

static bool left_out(struct gpudx_sv name)
{
	return sv_is(name, "title") || sv_is(name, "desc") || sv_is(name, "defs");
}

static void open_group(struct rewriter *r, const struct tag *t)
{
	struct context c = t->at;

	if (t->empty)
		return;
	if (r->depth + 1 >= NESTING) {
		r->failed = true;
		return;
	}
	inherit(&c, &r->stack[r->depth]);
	r->stack[++r->depth] = c;
}

static void close_element(struct rewriter *r, struct gpudx_sv name)
{
	if (sv_is(name, "g")) {
		if (r->depth)
			r->depth--;
		else
			r->failed = true;
	} else if (sv_is(name, "text") && r->in_text) {
		gpudx_buf_str(r->out, "</text>\n");
		r->in_text = false;
	}
}

static void open_element(struct rewriter *r, const struct tag *t)
{
	struct context c = t->at;

	inherit(&c, &r->stack[r->depth]);
	if (sv_is(t->name, "svg"))
		r->in_svg = true;
	else if (sv_is(t->name, "g"))
		open_group(r, t);
	else if (sv_is(t->name, "text") && !t->empty)
		open_text(r, &c);
	else if (sv_is(t->name, "use"))
		put_point(r, &c);
	else
		put_shape(r, t, &c);
}

static void element(struct rewriter *r, const struct tag *t)
{
	if (!t->name.n)
		return;
	if (left_out(t->name)) {
		if (t->closing)
			r->skipping -= r->skipping > 0;
		else if (!t->empty)
			r->skipping++;
	} else if (!r->skipping) {
		if (t->closing)
			close_element(r, t->name);
		else
			open_element(r, t);
	}
}

bool gpudx_svg_rewrite(struct gpudx_sv svg, const struct gpudx_sv *labels, size_t nlabels,
		       struct gpudx_buf *out)
{
	struct rewriter r = { .in = svg, .out = out, .labels = labels, .nlabels = nlabels };
	struct gpudx_sv text;
	struct tag t;

	while (!r.failed && sv_until(&r.in, "<", &text)) {
		if (r.in_text && !r.skipping)
			put_text(&r, text);
		if (!take_tag(&r.in, &t))
			return false;
		element(&r, &t);
	}
	return r.in_svg && !r.failed && !r.in_text && !r.depth && !r.skipping && !out->failed;
}
