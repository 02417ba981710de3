#include "ingest/unread.h"

enum { LOOK_LINES = 60, TABLE_ROWS = 3 };

/* The first line that is not blank, from line *i on; .p NULL none. */
static struct gpudx_sv next_text(const struct gpudx_head *head, size_t *i)
{
	while (*i < head->n) {
		struct gpudx_sv s = sv_trim(head->lines[(*i)++].text);

		if (s.n)
			return s;
	}
	return (struct gpudx_sv){ NULL, 0 };
}

/* Tools of other makers, by what they call themselves. */
static const char *other_maker(const struct gpudx_head *head)
{
	static const struct {
		const char *words, *reason;
	} tools[] = {
		{ "ROCm System Management Interface", "of AMD GPUs (rocm-smi), not NVIDIA" },
		{ "ROCM-SMI", "of AMD GPUs (rocm-smi), not NVIDIA" },
		{ "AMD-SMI", "of AMD GPUs (amd-smi), not NVIDIA" },
		{ "ROCk module", "of AMD GPUs (rocminfo), not NVIDIA" },
		{ "Intel XPU System Management", "of Intel GPUs (xpu-smi), not NVIDIA" },
		{ "xpu-smi", "of Intel GPUs (xpu-smi), not NVIDIA" },
		{ "HL-SMI Version", "of Gaudi accelerators (hl-smi), not NVIDIA" },
		{ "npu-smi", "of Ascend accelerators (npu-smi), not NVIDIA" },
	};

	for (size_t i = 0; i < head->n && i < LOOK_LINES; i++)
		for (size_t k = 0; k < sizeof(tools) / sizeof(tools[0]); k++)
			if (sv_has(head->lines[i].text, tools[k].words))
				return tools[k].reason;
	return NULL;
}

static const char *by_first_words(const struct gpudx_head *head)
{
	static const struct {
		const char *words, *reason;
	} kinds[] = {
		{ "<!doctype html", "a web page" },  { "<html", "a web page" },
		{ "<?xml", "XML of no known kind" }, { "#!", "a script" },
		{ "diff --git ", "a patch" },	     { "-----BEGIN ", "a key or certificate" },
		{ "{\\rtf", "a document" },	     { "{\"", "JSON of no known kind" },
		{ "[{", "JSON of no known kind" },
	};
	size_t i = 0;
	struct gpudx_sv first = next_text(head, &i), s;

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		s = first;
		if (sv_ilit(&s, kinds[k].words))
			return kinds[k].reason;
	}
	s = first;
	return sv_is(s, "{") && sv_starts(next_text(head, &i), "\"") ? "JSON of no known kind"
								     : NULL;
}

/* How many cells, and how many of them are nothing but a number. */
static unsigned cells_of(struct gpudx_sv s, char separator, unsigned *numbers)
{
	struct gpudx_sv cell;
	unsigned n = 0;
	double v;

	*numbers = 0;
	while (sv_cell(&s, separator, &cell)) {
		cell = sv_trim(cell);
		n++;
		*numbers += cell.n && sv_decimal(&cell, &v) && !cell.n;
	}
	return n;
}

/* A heading of words over rows of as many cells, all of them numbers: no moment, no GPU. */
static bool is_table_of_numbers(const struct gpudx_head *head)
{
	static const char separators[] = { ',', ';', '\t' };

	for (size_t k = 0; k < sizeof(separators); k++) {
		size_t i = 0, rows = 0;
		unsigned numbers, n = cells_of(next_text(head, &i), separators[k], &numbers);
		struct gpudx_sv s;

		if (n < 2 || numbers)
			continue;
		while ((s = next_text(head, &i)).p && rows < LOOK_LINES) {
			if (cells_of(s, separators[k], &numbers) != n || numbers != n)
				break;
			rows++;
		}
		if (rows >= TABLE_ROWS && (!s.p || rows == LOOK_LINES))
			return true;
	}
	return false;
}

const char *gpudx_unread_look(const struct gpudx_head *head)
{
	const char *reason = other_maker(head);

	if (!reason)
		reason = by_first_words(head);
	if (!reason && is_table_of_numbers(head))
		reason = "a table of numbers without times or GPUs: no trace";
	return reason;
}
