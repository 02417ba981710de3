/* nvidia-smi topo -m and topo -p2p: a matrix of GPUs and network cards, its cells between tabs (in
 * pasted copies: blanks), the heading underlined by escape sequences.
 *
 *           GPU0    GPU1    NIC0    CPU Affinity    NUMA Affinity   GPU NUMA ID
 *   GPU0     X      NV18    PXB     0-47,96-143     0               N/A
 *   GPU1    NV18     X      SYS     48-95           1               N/A
 *   NIC0    PXB     SYS      X
 *
 *   NIC Legend:
 *     NIC0: mlx5_0
 *
 * The ways between GPUs are facts of the one whose row it is: topo.link.gpu1 = nv18. Source:
 * formats 2.7. */
#include <stdio.h>

#include "parse/smi_value.h"

enum { COLUMNS_MAX = 96, KEY_TEXT = 64, NAME_TEXT = 24 };

enum what { PEER, CPUS, NUMA, GPU_NUMA, OTHER };

struct column {
	enum what what;
	char key[NAME_TEXT]; /* of a peer: "gpu1" */
};

struct topo {
	struct column columns[COLUMNS_MAX];
	unsigned n;
	bool tabs, p2p, legend;
};

struct cells {
	struct gpudx_sv cell[COLUMNS_MAX + 1];
	unsigned n;
};

/* Pasted from a terminal that swallowed the escape character: "[4mGPU0 ... [0m". */
static struct gpudx_sv unstyled(struct gpudx_sv s)
{
	s = sv_trim(s);
	sv_lit(&s, "[4m");
	if (sv_ends(s, "[0m"))
		s.n -= 3;
	return sv_trim(s);
}

static struct gpudx_sv next_cell(struct gpudx_sv *s, bool tabs)
{
	size_t end;
	struct gpudx_sv cell;

	if (tabs) {
		end = sv_index(*s, '\t');
		cell = sv_first(*s, end);
		*s = sv_from(*s, end + 1);
		return unstyled(cell);
	}
	*s = sv_ltrim(*s);
	end = sv_find(*s, "  ");
	cell = sv_first(*s, end);
	*s = sv_ltrim(sv_from(*s, end));
	return unstyled(cell);
}

/* Empty cells between tabs count: the last columns may have them. */
static bool split(struct gpudx_sv line, bool tabs, struct cells *out)
{
	struct gpudx_sv s = sv_rtrim(line);

	for (out->n = 0; s.n && out->n <= COLUMNS_MAX;)
		out->cell[out->n++] = next_cell(&s, tabs);
	return !s.n;
}

/* "GPU12", "NIC3", "mlx5_0", "mlx5_bond_0": letters, then a number. */
static bool is_device(struct gpudx_sv s)
{
	return s.n >= 4 && s.n < NAME_TEXT && sv_is_digit(s.p[s.n - 1]) && sv_is_alpha(s.p[0]) &&
	       !sv_has(s, " ") &&
	       (sv_starts(s, "GPU") || sv_starts(s, "NIC") || sv_starts(s, "mlx") ||
		sv_has(s, "_"));
}

static bool gpu_index(struct gpudx_sv s, int32_t *idx)
{
	uint64_t v;

	if (!sv_lit(&s, "GPU") || !sv_u64(&s, &v) || s.n || v > 65535)
		return false;
	*idx = (int32_t)v;
	return true;
}

static enum what column_what(struct gpudx_sv name)
{
	if (sv_is(name, "CPU Affinity"))
		return CPUS;
	if (sv_is(name, "NUMA Affinity"))
		return NUMA;
	if (sv_is(name, "GPU NUMA ID"))
		return GPU_NUMA;
	return is_device(name) ? PEER : OTHER;
}

/* The heading: GPUs first, and nothing but devices and affinities; one GPU alone needs the latter.
 */
static bool is_heading(struct gpudx_sv line, bool *tabs, struct cells *out)
{
	unsigned peers = 0, first;
	bool affinity = false;
	int32_t idx;

	if (line.n < 6 || !(sv_is_space(line.p[0]) || line.p[0] == '['))
		return false;
	*tabs = sv_has(sv_ltrim(line), "\t");
	if (!split(*tabs ? line : sv_ltrim(line), *tabs, out))
		return false;
	for (first = 0; first < out->n && !out->cell[first].n;)
		first++;
	if (first == out->n || !gpu_index(out->cell[first], &idx))
		return false;
	for (unsigned i = first; i < out->n; i++) {
		enum what what = column_what(out->cell[i]);

		if (what == OTHER && out->cell[i].n)
			return false;
		peers += what == PEER;
		affinity |= what == CPUS;
		out->cell[i - first] = out->cell[i];
	}
	out->n -= first;
	return peers > 1 || affinity;
}

static void read_heading(struct topo *t, const struct cells *names, bool tabs,
			 struct gpudx_sv command)
{
	t->n = names->n < COLUMNS_MAX ? names->n : COLUMNS_MAX;
	t->tabs = tabs;
	t->legend = false;
	t->p2p = sv_has(command, "-p2p");
	for (unsigned i = 0; i < t->n; i++) {
		struct gpudx_sv name = names->cell[i];

		t->columns[i].what = column_what(name);
		for (size_t k = 0; k < name.n && k + 1 < NAME_TEXT; k++)
			t->columns[i].key[k] = sv_lower(name.p[k]);
		t->columns[i].key[name.n < NAME_TEXT ? name.n : NAME_TEXT - 1] = '\0';
	}
}

static bool is_p2p_status(struct gpudx_sv s)
{
	static const char *const words[] = { "OK", "CNS", "GNS", "TNS", "NS", "DR", "U" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_is(s, words[i]))
			return true;
	return false;
}

/* "NV18", "SYS", "NODE", "PHB", "PXB", "PIX", "PSB", "SOC". */
static bool is_way(struct gpudx_sv s)
{
	static const char *const words[] = {
		"SYS", "NODE", "PHB", "PXB", "PIX", "PSB", "SOC", "C2C"
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_is(s, words[i]))
			return true;
	return s.n > 2 && s.n < 6 && sv_starts(s, "NV") && sv_is_digit(s.p[2]);
}

static void put_peer(struct gpudx_ctx *c, uint32_t ref, const struct column *col,
		     struct gpudx_sv cell)
{
	char key[KEY_TEXT], word[8];
	bool p2p = is_p2p_status(cell);

	if ((!p2p && !is_way(cell)) || cell.n > sizeof(word))
		return;
	for (size_t i = 0; i < cell.n; i++)
		word[i] = sv_lower(cell.p[i]);
	snprintf(key, sizeof(key), "topo.%s.%s", p2p ? "p2p" : "link", col->key);
	gpudx_fact(c, ref, key, "nvml", sv_n(word, cell.n));
}

static void put_cell(struct gpudx_ctx *c, uint32_t ref, const struct column *col,
		     struct gpudx_sv cell)
{
	static const char *const keys[] = {
		[CPUS] = "topo.cpus", [NUMA] = "topo.numa", [GPU_NUMA] = "topo.gpu_numa"
	};
	const char *event;

	if (col->what == PEER)
		put_peer(c, ref, col, cell);
	else if (col->what != OTHER && smi_value_of(cell, &event) == SMI_VALUE)
		gpudx_fact(c, ref, keys[col->what], "nvml", cell);
}

/* Between blanks empty cells are not seen: then only the cells in front are sure. */
static unsigned sure_cells(const struct topo *t, const struct cells *row)
{
	unsigned peers = 0;

	if (t->tabs || row->n == t->n + 1)
		return row->n;
	while (peers < t->n && t->columns[peers].what == PEER)
		peers++;
	return row->n < peers + 2 ? row->n : peers + 2; /* and the CPUs behind them */
}

static enum gpudx_take take_row(struct gpudx_ctx *c, struct topo *t, const struct cells *row)
{
	unsigned n = sure_cells(t, row);
	int32_t idx;
	uint32_t ref;

	if (row->n < 2)
		return gpudx_reject(c, "a row of the matrix is cut off");
	if (!gpu_index(row->cell[0], &idx))
		return GPUDX_TAKEN; /* a network card: GPUs say the same of it */
	ref = gpudx_ref_idx(c, idx);
	for (unsigned i = 1; i < n && i <= t->n; i++)
		put_cell(c, ref, &t->columns[i - 1], row->cell[i]);
	return GPUDX_TAKEN;
}

/* "  NIC0: mlx5_0", "  NV#  = Connection traversing ...", "  X    = Self". */
static bool take_legend(struct gpudx_ctx *c, struct topo *t, struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line), name;
	char key[KEY_TEXT] = "topo.nic.";

	if (sv_is(s, "Legend:") || sv_is(s, "NIC Legend:"))
		return t->legend = true;
	if (!t->legend)
		return false;
	if (sv_starts(s, "NIC") && sv_until(&s, ": ", &name) && is_device(name)) {
		for (size_t i = 0, at = strlen(key); i < name.n; i++, at++)
			key[at] = sv_lower(name.p[i]);
		gpudx_fact(c, 0, key, "nvml", sv_trim(s));
		return true;
	}
	return sv_find(s, " = ") <= 8 || sv_starts(s, "X ");
}

static enum gpudx_take topo_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct topo *t = gpudx_state(c);
	struct cells cells;
	bool tabs;

	if (is_heading(line, &tabs, &cells)) {
		read_heading(t, &cells, tabs, gpudx_command(c));
		gpudx_cite(c);
		return GPUDX_TAKEN;
	}
	if (!t->n)
		return GPUDX_NOT_MINE;
	if (take_legend(c, t, line))
		return GPUDX_TAKEN;
	if (!split(line, t->tabs, &cells) || !cells.n || !is_device(cells.cell[0]) ||
	    sv_is_space(line.p[0]))
		return GPUDX_NOT_MINE;
	return take_row(c, t, &cells);
}

static bool topo_starts(struct gpudx_sv line)
{
	struct cells cells;
	bool tabs;

	return sv_has(line, "GPU") && is_heading(line, &tabs, &cells);
}

static int topo_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 40; i++)
		if (topo_starts(head->lines[i].text))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_smi_topo = {
	.name = "smi-topo",
	.what = "nvidia-smi topo -m and -p2p: ways between GPUs and network cards",
	.bid = topo_bid,
	.starts = topo_starts,
	.line = topo_line,
	.state_size = sizeof(struct topo),
	.flags = GPUDX_P_RESUMES,
};
