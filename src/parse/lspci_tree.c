/* lspci -t, -tv, -nnt, -nntv: the PCI topology as a drawing.
 *
 *   -+-[0000:40]-+-00.0  Advanced Micro Devices, Inc. [AMD] Root Complex [1022:1480]
 *    |           +-01.1-[41-43]----00.0-[42-43]--+-00.0-[43]----00.0  NVIDIA Corporation GA102GL
 *    |           |                               \-08.0-[44]--
 *    \-[0000:00]-+-00.0  Advanced Micro Devices, Inc. [AMD] Root Complex [1022:1480]
 *                \-18.7  Advanced Micro Devices, Inc. [AMD] Data Fabric; Function 7
 *
 * "01.1-[41-43]-" is a bridge with its secondary and subordinate bus; what stands behind it on the
 * line, or under the + and \ in the same column, is on the secondary bus. Classes are not drawn, so
 * nothing here is known to be a GPU. Source: pciutils, ls-tree.c. */
#include "parse/lspci_head.h"
#include "parse/parser.h"

enum { DEPTH_MAX = 64 };

/* A bus whose devices hang under one column of the drawing. */
struct branch {
	size_t column;
	uint32_t domain;
	uint8_t bus;
};

struct tree {
	struct branch open[DEPTH_MAX]; /* columns grow */
	unsigned n;
};

/* One line while it is read. */
struct pencil {
	struct gpudx_sv rest;
	const char *start;
	struct branch bus; /* the bus at hand */
	bool known;	   /* ... is known */
};

static size_t column_of(const struct pencil *p)
{
	return (size_t)(p->rest.p - p->start);
}

/* The branch under a column; those to the right of it have ended. */
static bool find_branch(struct tree *t, size_t column, struct branch *out)
{
	while (t->n && t->open[t->n - 1].column > column)
		t->n--;
	if (!t->n || t->open[t->n - 1].column != column)
		return false;
	*out = t->open[t->n - 1];
	return true;
}

static void open_branch(struct tree *t, size_t column, const struct branch *bus)
{
	while (t->n && t->open[t->n - 1].column >= column)
		t->n--;
	if (t->n == DEPTH_MAX)
		return;
	t->open[t->n] = *bus;
	t->open[t->n++].column = column;
}

/* "[0000:40]-" */
static bool scan_root(struct pencil *p)
{
	struct gpudx_sv s = p->rest;
	uint64_t domain, bus;

	if (!sv_char(&s, '[') || !sv_hex(&s, 4, 8, &domain) || !sv_char(&s, ':') ||
	    !sv_hex(&s, 2, 2, &bus) || !sv_lit(&s, "]-"))
		return false;
	p->bus.domain = (uint32_t)domain;
	p->bus.bus = (uint8_t)bus;
	p->known = true;
	p->rest = s;
	return true;
}

/* "-[41-43]--", "-[43]--" behind a bridge. */
static bool scan_buses(struct gpudx_sv *s, struct gpudx_device *d)
{
	struct gpudx_sv c = *s;
	uint64_t first, last;

	if (!sv_lit(&c, "-[") || !sv_hex(&c, 2, 2, &first))
		return false;
	last = first;
	if (sv_char(&c, '-') && !sv_hex(&c, 2, 2, &last))
		return false;
	if (!sv_lit(&c, "]--"))
		return false;
	d->secondary_bus = (int)first;
	d->subordinate_bus = (int)last;
	*s = c;
	return true;
}

/* "01.1", then buses or a name. False when no device stands here. */
static bool scan_device(struct gpudx_ctx *c, struct pencil *p)
{
	struct gpudx_device d = gpudx_device_at((struct gpudx_bdf){ 0 }, 0);
	struct gpudx_sv s = p->rest, name;
	uint64_t dev, fn;
	bool bridge;

	if (!sv_hex(&s, 2, 2, &dev) || dev > 31 || !sv_char(&s, '.') || !sv_hex(&s, 1, 1, &fn) ||
	    fn > 7)
		return false;
	bridge = scan_buses(&s, &d);
	if (!bridge && s.n && s.p[0] != ' ')
		return false;
	name = sv_trim(s);
	if (!bridge && name.n) {
		gpudx_lspci_ids(&name, &d.vendor_id, &d.device_id);
		d.name = name;
	}
	d.bdf = (struct gpudx_bdf){ p->bus.domain, p->bus.bus, (uint8_t)dev, (uint8_t)fn, true };
	if (p->known)
		gpudx_put_device(c, &d);
	if (bridge)
		p->bus.bus = (uint8_t)d.secondary_bus;
	p->rest = bridge ? s : sv_from(s, s.n);
	return true;
}

/* What hangs here: "+-", "\-" begin or continue a branch, "--" is a bus with one device. */
static bool scan_step(struct gpudx_ctx *c, struct tree *t, struct pencil *p, bool first)
{
	size_t column = column_of(p);

	if (sv_lit(&p->rest, "+-") || sv_lit(&p->rest, "\\-")) {
		if (!first)
			open_branch(t, column, &p->bus);
		else if (!(p->known = find_branch(t, column, &p->bus)))
			gpudx_excerpt(c);
	} else if (!sv_lit(&p->rest, "--")) {
		return false;
	}
	return scan_root(p) || scan_device(c, p);
}

/* "-[0000:00]-", "-+-[0000:40]-": the root of the drawing; all roots hang under column 1. */
static bool scan_origin(struct tree *t, struct pencil *p)
{
	struct gpudx_sv s = p->rest;

	if (!sv_char(&s, '-'))
		return false;
	t->n = 0;
	if (sv_lit(&s, "+-"))
		open_branch(t, 1, &(struct branch){ 0 });
	p->rest = s;
	return scan_root(p);
}

/* "0000:00:01.0-[01]----00.0": a part of the tree, below one bridge. */
static bool scan_part(struct gpudx_ctx *c, struct tree *t, struct pencil *p)
{
	struct gpudx_sv s = p->rest;
	uint64_t domain, bus;

	if (!sv_hex(&s, 4, 8, &domain) || !sv_char(&s, ':') || !sv_hex(&s, 2, 2, &bus) ||
	    !sv_char(&s, ':'))
		return false;
	t->n = 0;
	p->bus = (struct branch){ .domain = (uint32_t)domain, .bus = (uint8_t)bus };
	p->known = true;
	p->rest = s;
	return scan_device(c, p) && p->rest.n;
}

/* The part of a line that is only drawing: columns of other branches. */
static void skip_stems(struct pencil *p)
{
	while (p->rest.n && (p->rest.p[0] == ' ' || p->rest.p[0] == '|'))
		p->rest = sv_from(p->rest, 1);
}

/* -tvv: the regions of a device, under its name. */
static bool is_region(struct gpudx_sv s)
{
	return sv_starts(s, "Region ") || sv_has(s, "Memory at ") || sv_has(s, "I/O ports at ");
}

/* "+-01.0" */
static bool is_branch(struct gpudx_sv s)
{
	uint64_t dev;

	return (sv_lit(&s, "+-") || sv_lit(&s, "\\-")) && sv_hex(&s, 2, 2, &dev) &&
	       sv_char(&s, '.');
}

static enum gpudx_take tree_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct tree *t = gpudx_state(c);
	struct pencil p = { .rest = line, .start = line.p };

	if (!scan_origin(t, &p) && !scan_part(c, t, &p)) {
		skip_stems(&p);
		if (is_region(p.rest))
			return GPUDX_TAKEN;
		if (!is_branch(p.rest) && !(sv_starts(p.rest, "+-[") || sv_starts(p.rest, "\\-[")))
			return GPUDX_NOT_MINE;
		if (!scan_step(c, t, &p, true))
			return gpudx_reject(c, "a branch that leads nowhere");
	}
	while (p.rest.n && scan_step(c, t, &p, false))
		;
	return p.rest.n ? gpudx_reject(c, "a branch that leads nowhere") : GPUDX_TAKEN;
}

/* "-[0000:" or "-+-[0000:" */
static bool tree_starts(struct gpudx_sv line)
{
	struct pencil p = { .rest = line, .start = line.p };
	struct tree t = { .n = 0 };

	return scan_origin(&t, &p);
}

static int tree_bid(const struct gpudx_head *head)
{
	struct pencil p;
	size_t seen = 0;

	for (size_t i = 0; i < head->n && seen < 20; i++) {
		if (sv_blank(head->lines[i].text))
			continue;
		if (tree_starts(head->lines[i].text))
			return 80;
		p = (struct pencil){ .rest = head->lines[i].text };
		skip_stems(&p);
		if (is_branch(p.rest))
			return 60;
		seen++;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_lspci_tree = {
	.name = "lspci-tree",
	.what = "lspci -t and its variants: the PCI topology",
	.bid = tree_bid,
	.starts = tree_starts,
	.line = tree_line,
	.state_size = sizeof(struct tree),
};
