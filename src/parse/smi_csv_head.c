#include "parse/smi_csv_head.h"

#include "parse/smi_cells.h"
#include "parse/smi_value.h"

/* ---- names ---- */

/* Stamps that scripts put in front of a row. */
static bool is_time_name(struct gpudx_sv name)
{
	static const char *const names[] = {
		"time",		"date",		"datetime",    "date_time",    "ts",
		"epoch",	"epoch_ms",	"unix_time",   "unix_ts",      "unix_timestamp",
		"time_stamp",	"timestamp_us", "timestampus", "timestamp_ms", "timestampms",
		"timestamp_ns", "timestampns",	"time_us",     "time_ms",      "time_ns"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_ieq(sv_str(names[i]), name))
			return true;
	return false;
}

/* The number of the row, as pandas writes it. */
static bool is_row_number(struct gpudx_sv name)
{
	return !name.n || sv_is(name, "Unnamed: 0");
}

/* "power_draw_w" -> "power_draw"; only units that cells have anyway. */
static bool without_unit(struct gpudx_sv *name)
{
	static const char *const units[] = { "w",   "c",       "mhz", "mib",   "mb",
					     "pct", "percent", "us",  "watts", "celsius" };
	size_t at = name->n;

	while (at > 0 && name->p[at - 1] != '_' && name->p[at - 1] != '.')
		at--;
	for (size_t i = 0; at > 1 && i < sizeof(units) / sizeof(units[0]); i++) {
		if (sv_ieq(sv_from(*name, at), sv_str(units[i]))) {
			*name = sv_first(*name, at - 1);
			return true;
		}
	}
	return false;
}

static const struct smi_field *field_named(struct gpudx_sv name)
{
	const struct smi_field *f = smi_field_csv(name);

	if (f || !name.n || sv_has(name, " "))
		return f;
	f = smi_field_spelled(name);
	return f || !without_unit(&name) ? f : smi_field_spelled(name);
}

/* Headings of the sister switches: one row a process or page, read elsewhere. */
static bool is_other_query(struct gpudx_sv name)
{
	return sv_is(name, "pid") || sv_is(name, "process_name") ||
	       sv_starts(name, "retired_pages.address") || sv_is(name, "used_gpu_memory");
}

/* Words that tables of all kinds have say little. */
static bool is_telling(struct gpudx_sv name)
{
	return sv_has(name, ".") || sv_has(name, "_");
}

/* Words that mean a GPU only beside a column that names one. */
static bool is_common(struct gpudx_sv name)
{
	return sv_ieq(name, SV_LIT("watts")) || sv_starts(name, "temperature_") ||
	       sv_ieq(name, SV_LIT("temperature"));
}

struct count {
	unsigned n, known, telling, common;
};

static bool count_names(struct gpudx_sv line, char separator, struct count *k)
{
	struct gpudx_sv cell, name;

	while (sv_cell(&line, separator, &cell)) {
		name = smi_heading_name(cell);
		if (is_other_query(name))
			return false;
		if (is_row_number(name) || is_time_name(name))
			continue;
		k->n++;
		if (field_named(name)) {
			k->known++;
			k->telling += is_telling(name);
			k->common += is_common(name);
		}
		if (k->n == 4 && !k->known)
			return false;
	}
	return k->known > k->common;
}

/* A single name in quotes is no heading: --help-query-gpu lists the fields so, each with prose
 * below that would be its rows. Full queries carry dozens of new fields in every branch; eight
 * known ones are no accident, nor are three that no other table has, beside what a script added. */
bool smi_csv_is_heading(struct gpudx_sv line, unsigned *known)
{
	char separator;
	struct count k = { 0 };
	bool quoted;

	*known = 0;
	if (!line.n || !(sv_is_alpha(line.p[0]) || memchr("\" ,;\t", line.p[0], 5)))
		return false;
	quoted = line.p[0] == '"';
	/* Rows that begin with a UUID or the name of a GPU are asked as well, each time. */
	if (sv_has(sv_first(line, sv_index(line, ',')), "-"))
		return false;
	separator = smi_separator(line);
	if (!count_names(line, separator, &k))
		return false;
	*known = k.known;
	if (k.n == 1 && k.known == 1)
		return !quoted && sv_is_alpha(line.p[0]);
	return k.known >= 2 &&
	       (k.known * 5 >= k.n * 4 || k.known >= 8 || (k.telling >= 3 && k.known * 2 >= k.n));
}

struct smi_column smi_csv_column(struct gpudx_sv name)
{
	const struct smi_field *f = field_named(name);

	if (!f && is_time_name(name))
		f = smi_field_csv(SV_LIT("timestamp"));
	if (!f)
		return (struct smi_column){ .kind = SMI_SKIP };
	return (struct smi_column){ .field = f, .kind = f->kind, .arg = f->arg };
}

struct gpudx_sv smi_csv_asked(struct gpudx_sv command)
{
	struct gpudx_sv before, names;
	size_t n = 0;

	if (!sv_has(command, "noheader") || !sv_until(&command, "--query-gpu", &before) ||
	    !command.n || (command.p[0] != '=' && command.p[0] != ' '))
		return (struct gpudx_sv){ 0 };
	names = sv_from(command, 1);
	if (names.n && (names.p[0] == '"' || names.p[0] == '\''))
		names = sv_from(names, 1);
	while (n < names.n && !memchr(" \"'|;>", names.p[n], 6))
		n++;
	return n ? sv_first(names, n) : (struct gpudx_sv){ 0 };
}

/* ---- shapes ---- */

enum { SHAPE_LINES = 40 };

/* "2026/07/03 22:11:15.977": slashes and thousandths are nvidia-smi's own way. */
static bool is_tool_time(struct gpudx_sv cell)
{
	int64_t t;

	return cell.n == 23 && cell.p[4] == '/' && cell.p[19] == '.' &&
	       gpudx_scan_ymd_hms(&cell, &t) && !cell.n;
}

static bool is_uuid(struct gpudx_sv cell)
{
	return cell.n == 40 && sv_starts(cell, "GPU-") && cell.p[12] == '-' && cell.p[17] == '-' &&
	       cell.p[27] == '-';
}

static bool is_address(struct gpudx_sv cell)
{
	struct gpudx_bdf bdf;

	return cell.n == 16 && gpudx_bdf_parse(cell, &bdf);
}

static bool is_pstate(struct gpudx_sv cell)
{
	double v;

	return smi_pstate(cell, &v);
}

static bool is_gpu_name(struct gpudx_sv cell)
{
	return sv_starts(cell, "NVIDIA ") || sv_starts(cell, "Tesla ") ||
	       sv_starts(cell, "GeForce ") || sv_starts(cell, "Quadro ");
}

static const struct shape {
	bool (*fits)(struct gpudx_sv cell);
	const char *field;
	bool sure; /* no other table has such a column */
} shapes[] = {
	{ is_tool_time, "timestamp", true }, { is_uuid, "uuid", true },
	{ is_address, "pci.bus_id", true },  { is_pstate, "pstate", false },
	{ is_gpu_name, "name", false },
};

static unsigned cells_of(struct gpudx_sv line, struct gpudx_sv cells[SMI_CSV_COLUMNS])
{
	struct gpudx_sv cell;
	unsigned n = 0;

	while (n < SMI_CSV_COLUMNS && sv_cell(&line, ',', &cell))
		cells[n++] = smi_bare(cell);
	return n;
}

/* True when all lines of so many cells have this shape in the column. */
static bool all_fit(const struct gpudx_head *head, unsigned n, unsigned column,
		    const struct shape *shape)
{
	struct gpudx_sv cells[SMI_CSV_COLUMNS];
	const char *event;
	unsigned fit = 0;

	for (size_t i = 0; i < head->n && i < SHAPE_LINES; i++) {
		if (cells_of(head->lines[i].text, cells) != n ||
		    smi_value_of(cells[column], &event) != SMI_VALUE)
			continue;
		if (!shape->fits(cells[column]))
			return false;
		fit++;
	}
	return fit > 0;
}

/* A small number in front of the name or UUID that nearly every line has anew: 0, 1, 2, 0, 1, 2. */
static bool is_index(const struct gpudx_head *head, unsigned n, unsigned column)
{
	struct gpudx_sv cells[SMI_CSV_COLUMNS];
	uint64_t v, before = 0, most = 0;
	unsigned lines = 0;

	for (size_t i = 0; i < head->n && i < SHAPE_LINES; i++) {
		struct gpudx_sv cell;

		if (cells_of(head->lines[i].text, cells) != n)
			continue;
		cell = cells[column];
		if (!sv_u64(&cell, &v) || cell.n || v > 63 ||
		    (lines ? v != before + 1 && v != 0 : v != 0))
			return false;
		before = v;
		most = v > most ? v : most;
		lines++;
	}
	return lines > 1 && most > 0;
}

static unsigned usual_cells(const struct gpudx_head *head)
{
	struct gpudx_sv cells[SMI_CSV_COLUMNS];
	size_t lines = 0, same = 0;
	unsigned n = 0;

	for (size_t i = 0; i < head->n && i < SHAPE_LINES; i++) {
		unsigned m = cells_of(head->lines[i].text, cells);

		if (!m)
			continue;
		lines++;
		n = n ? n : m;
		same += m == n;
	}
	return n > 1 && same * 5 >= lines * 4 ? n : 0;
}

unsigned smi_csv_shapes(const struct gpudx_head *head, struct smi_column columns[SMI_CSV_COLUMNS])
{
	unsigned n = usual_cells(head);
	bool sure = false, named = false;

	for (unsigned i = 0; i < n; i++) {
		columns[i] = (struct smi_column){ .kind = SMI_SKIP };
		for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
			if (!all_fit(head, n, i, &shapes[k]))
				continue;
			columns[i] = smi_csv_column(sv_str(shapes[k].field));
			sure |= shapes[k].sure;
			named |= k > 0;
			break;
		}
	}
	for (unsigned i = 0; named && i < 2 && i < n; i++) {
		if (columns[i].kind == SMI_SKIP && is_index(head, n, i)) {
			columns[i] = smi_csv_column(SV_LIT("index"));
			break;
		}
	}
	return sure ? n : 0;
}
