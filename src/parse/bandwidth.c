/* Copy bandwidths measured by tools of the CUDA samples and by nvbandwidth:
 *
 *   Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)      p2pBandwidthLatencyTest
 *      D\D     0      1
 *        0 1296.45  45.12
 *        1  45.01 1290.11
 *
 *    Host to Device Bandwidth, 1 Device(s)                               bandwidthTest
 *      Transfer Size (Bytes)   Bandwidth(GB/s)
 *      32000000                26.1
 *
 *   Running host_to_device_memcpy_ce.                                    nvbandwidth
 *   memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
 *              0         1
 *    0     55.63     55.64
 *   SUM host_to_device_memcpy_ce 111.27
 *
 * Each cell of a matrix is a series of its own, bandwidth.TEST/ROW-COLUMN. */
#include "parse/parser.h"

#include <stdio.h>

enum { COLUMNS = 64, NAME = 56 };

struct bandwidth {
	char test[NAME]; /* "" between tables */
	bool matrix;	 /* the row of columns was read */
	unsigned ncols, columns[COLUMNS];
	double scale; /* to GB/s, or 1 for us */
	bool nvbandwidth;
};

static void set_test(struct bandwidth *b, struct gpudx_sv s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n && n + 1 < sizeof(b->test); i++) {
		char ch = s.p[i];

		if (sv_is_alpha(ch) || sv_is_digit(ch))
			b->test[n++] = sv_lower(ch);
		else if (n && b->test[n - 1] != '_' && ch != '.' && ch != ')')
			b->test[n++] = '_';
	}
	while (n && b->test[n - 1] == '_')
		n--;
	b->test[n] = '\0';
	b->matrix = false;
	b->ncols = 0;
	b->scale = 1;
}

/* "... Matrix (GB/s)", "P2P=Enabled Latency (P2P Writes) Matrix (us)", "Host to Device Bandwidth, 1
 * Device(s)", "Running device_to_device_memcpy_read_ce." */
static bool scan_title(struct gpudx_sv s, struct bandwidth *b)
{
	struct gpudx_sv name;

	s = sv_trim(s);
	if (sv_lit(&s, "Running ") && s.n && s.p[s.n - 1] == '.' && sv_has(s, "_") &&
	    !sv_has(s, " ")) {
		name = sv_first(s, s.n - 1);
		if (b)
			b->nvbandwidth = true;
	} else if (sv_has(s, " Matrix (") && (sv_has(s, "P2P=") || sv_has(s, "andwidth"))) {
		name = sv_first(s, sv_find(s, " Matrix ("));
	} else if (sv_ends(s, " Device(s)") && sv_has(s, " Bandwidth, ")) {
		name = sv_first(s, sv_find(s, " Bandwidth, "));
	} else {
		return false;
	}
	if (b)
		set_test(b, name);
	return true;
}

static void put(struct gpudx_ctx *c, const struct bandwidth *b, const char *cell, double v,
		int64_t seq)
{
	struct gpudx_metric m = { .t_us = GPUDX_NO_TIME, .seq = seq, .value = v * b->scale };
	char key[80];
	int n = snprintf(key, sizeof(key), "bandwidth.%s%s", b->test, cell);

	m.key = sv_n(key, n > 0 ? (size_t)n : 0);
	gpudx_put_metric(c, &m);
}

/* "   D\D     0      1", "           0         1": counting from 0. */
static bool scan_columns(struct bandwidth *b, struct gpudx_sv s)
{
	unsigned n = 0;
	uint64_t v;

	s = sv_ltrim(s);
	if (sv_lit(&s, "D\\D") || sv_lit(&s, "GPU\\GPU") || sv_lit(&s, "GPU") || sv_lit(&s, "CPU"))
		sv_spaces(&s);
	for (; sv_spaces(&s) && s.n; n++) {
		if (!sv_u64(&s, &v) || v > 255 || (s.n && !sv_is_space(s.p[0])) || n >= COLUMNS ||
		    (n && v <= b->columns[n - 1]))
			return false;
		b->columns[n] = (unsigned)v;
	}
	b->ncols = n;
	return n > 0;
}

static bool matrix_row(struct gpudx_ctx *c, const struct bandwidth *b, struct gpudx_sv s)
{
	struct gpudx_sv word;
	uint64_t row;
	double v;
	char cell[24];
	unsigned n = 0;

	if (!sv_spaces(&s) || !sv_u64(&s, &row) || row > 255 || !s.n || !sv_is_space(s.p[0]))
		return false;
	for (; sv_spaces(&s) && sv_token(&s, &word) && n < b->ncols; n++) {
		snprintf(cell, sizeof(cell), "/%u-%u", (unsigned)row, b->columns[n]);
		if (sv_decimal(&word, &v) && !word.n)
			put(c, b, cell, v, 0);
		else if (!sv_is(word, "N/A") && !sv_starts(word, "-"))
			return false;
	}
	return n > 0;
}

/* "   32000000			26.1" of bandwidthTest. */
static bool size_row(struct gpudx_ctx *c, const struct bandwidth *b, struct gpudx_sv s)
{
	uint64_t size;
	double v;

	s = sv_trim(s);
	if (!sv_u64(&s, &size) || size < 1024 || size > INT64_MAX / 2 || !s.n ||
	    !sv_is_space(s.p[0]) || !sv_spaces(&s) || !sv_decimal(&s, &v) || s.n)
		return false;
	put(c, b, "", v, (int64_t)size);
	return true;
}

static bool sum_line(struct gpudx_ctx *c, const struct bandwidth *b, struct gpudx_sv s)
{
	struct gpudx_sv word;
	double v;

	s = sv_trim(s);
	if (!sv_lit(&s, "SUM ") || !sv_token(&s, &word) || !sv_spaces(&s) || !sv_decimal(&s, &v))
		return false;
	put(c, b, "/sum", v, 0);
	return true;
}

static bool is_known(struct gpudx_sv s)
{
	static const char *const starts[] = { "[P2P (Peer-to-Peer)",
					      "[CUDA Bandwidth Test]",
					      "nvbandwidth Version",
					      "Device: ",
					      "Device ",
					      "Device=",
					      "P2P Connectivity Matrix",
					      "P2P=",
					      "***NOTE",
					      "NOTE: ",
					      "Transfer Size (Bytes)",
					      " PINNED Memory",
					      "PINNED Memory",
					      "Result = ",
					      "Quick Mode",
					      "Range Mode",
					      "Built from Git",
					      "CUDA Runtime Version",
					      "CUDA Driver Version",
					      "Driver Version",
					      "memcpy CE ",
					      "memcpy SM ",
					      "memory latency",
					      "Waived",
					      "Host to Device Bandwidth" };

	s = sv_trim(s);
	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (sv_starts(s, starts[i]))
			return true;
	return false;
}

static enum gpudx_take bandwidth_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct bandwidth *b = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);

	if (scan_title(line, b))
		return GPUDX_TAKEN;
	if (sv_lit(&s, "Driver Version: ")) {
		gpudx_fact(c, 0, "driver.version", "nvml", s);
		return GPUDX_TAKEN;
	}
	if (*b->test && b->nvbandwidth && sum_line(c, b, line))
		return GPUDX_TAKEN;
	if (is_known(line))
		return GPUDX_TAKEN;
	if (!*b->test)
		return GPUDX_NOT_MINE;
	/* A line of ascending small numbers heads a matrix; rows have a point in their cells. */
	if (!sv_has(line, ".") && scan_columns(b, line)) {
		b->matrix = true;
		return GPUDX_TAKEN;
	}
	if (b->matrix ? matrix_row(c, b, line) : size_row(c, b, line))
		return GPUDX_TAKEN;
	return GPUDX_NOT_MINE;
}

static bool bandwidth_starts(struct gpudx_sv line)
{
	return sv_starts(line, "[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]") ||
	       sv_starts(line, "[CUDA Bandwidth Test]") || sv_starts(line, "nvbandwidth Version");
}

static int bandwidth_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 200; i++)
		if (bandwidth_starts(head->lines[i].text) || scan_title(head->lines[i].text, NULL))
			return 70;
	return 0;
}

const struct gpudx_parser gpudx_parser_bandwidth = {
	.name = "bandwidth-test",
	.what = "p2pBandwidthLatencyTest, bandwidthTest, nvbandwidth",
	.bid = bandwidth_bid,
	.starts = bandwidth_starts,
	.line = bandwidth_line,
	.state_size = sizeof(struct bandwidth),
};
