#include "parse/smi_csv_poll.h"

#include "parse/smi_cells.h"
#include "parse/smi_csv_time.h"

/* The time of a line, by whatever cells look like one; false when there is none. */
static bool line_time(struct gpudx_sv line, int64_t *t)
{
	struct smi_row_time row = SMI_ROW_TIME;
	char separator = smi_separator(line);
	struct gpudx_sv cell;

	while (row.kind == GPUDX_STAMP_NONE && sv_cell(&line, separator, &cell)) {
		cell = smi_bare(cell);
		if (cell.n >= 8)
			smi_row_time(&row, cell);
	}
	*t = row.t_us;
	return row.kind != GPUDX_STAMP_NONE;
}

enum { POLL_ROWS = 256 };

/* What rows come in groups of. */
struct groups {
	int64_t inside, between; /* the longest step inside one, the shortest between two */
	size_t before, full;	 /* sizes: of the group before, 0 none; of the first */
};

/* A group of n rows is over. Groups only get smaller, when a GPU no longer answers. */
static bool add_group(struct groups *g, size_t n)
{
	if (n > g->full || (g->before && n > g->before))
		return false;
	g->before = n;
	return true;
}

/* True when rows come in groups of k: short steps inside, long ones between; the first two are
 * full, and the last may be cut. Sets what is long. */
static bool in_groups(const int64_t *t, size_t n, size_t k, int64_t *gap)
{
	struct groups g = { .between = INT64_MAX, .full = k };
	size_t rows = 1, groups = 0;

	if (n <= k)
		return false;
	*gap = t[1] - t[0] + (t[k] - t[k - 1] - (t[1] - t[0])) / 2;
	for (size_t i = 1; i < n; i++) {
		int64_t d = t[i] - t[i - 1];

		if (d < 0)
			return false;
		if (d <= *gap) {
			g.inside = d > g.inside ? d : g.inside;
			rows++;
			continue;
		}
		g.between = d < g.between ? d : g.between;
		if (!add_group(&g, rows) || (++groups <= 2 && rows != k))
			return false;
		rows = 1;
	}
	return rows <= k && groups && g.inside <= 100000 && g.between > 5 * g.inside &&
	       g.between >= 20000;
}

unsigned smi_csv_poll(const struct gpudx_head *head, int64_t *gap)
{
	int64_t t[POLL_ROWS];
	size_t n = 0;

	for (size_t i = 0; head && i < head->n && n < POLL_ROWS; i++)
		n += line_time(head->lines[i].text, &t[n]);
	for (size_t k = 2; k <= SMI_POLL_MAX && k < n; k++)
		if (in_groups(t, n, k, gap))
			return (unsigned)k;
	*gap = 0;
	return 1;
}
