/* Every field that nvidia-smi can be asked for has a place: the whole list of the shared facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/embed.h"
#include "parse/smi_csv_head.h"
#include "parse/smi_fields.h"

enum { NAME, ALIASES, HEADER, UNIT, TYPE, MEANING, SWITCH, SINCE, EXAMPLES, COLUMNS };

static FILE *open_list(const char *name)
{
	const char *shared = getenv("GPUDX_SHARED");
	char path[512];

	snprintf(path, sizeof(path), "%s/facts/%s", shared ? shared : "../shared", name);
	return fopen(path, "r");
}

static void cut(char *line, struct gpudx_sv cells[COLUMNS])
{
	struct gpudx_sv s = sv_rtrim(sv_str(line));

	for (int i = 0; i < COLUMNS; i++)
		if (!sv_cell(&s, '\t', &cells[i]))
			cells[i] = SV_LIT("");
}

static bool is_registered(const char *key)
{
	struct gpudx_sv text = gpudx_embed("rules/kb/fact_keys.tsv"), line, cell;

	while (sv_line(&text, &line)) {
		if (!sv_cell(&line, '\t', &cell))
			continue;
		if (sv_is(cell, key))
			return true;
		if (sv_ends(cell, ".*") && sv_starts(sv_str(key), "power_smoothing.") &&
		    sv_starts(cell, "power_smoothing."))
			return true;
	}
	return false;
}

/* What the type of the list asks of the kind in the table. */
static bool fits(struct gpudx_sv type, const struct smi_field *f)
{
	switch (f->kind) {
	case SMI_REASON:
		return sv_is(type, "active");
	case SMI_MASK:
		return sv_is(type, "hex");
	case SMI_TIME:
		return sv_is(type, "timestamp");
	case SMI_COL:
	case SMI_METRIC:
		return sv_is(type, "int") || sv_is(type, "float");
	case SMI_NUM:
		return sv_is(type, "int") || sv_is(type, "float") || sv_is(type, "hex") ||
		       sv_is(type, "string");
	default:
		return true;
	}
}

static void check(struct gpudx_sv cells[COLUMNS])
{
	struct gpudx_sv aliases = cells[ALIASES], alias;
	const struct smi_field *f = smi_field_csv(cells[NAME]);

	if (!f)
		print_error("no field %.*s\n", (int)cells[NAME].n, cells[NAME].p);
	assert_non_null(f);
	if (!fits(cells[TYPE], f))
		print_error("%.*s is of another kind\n", (int)cells[NAME].n, cells[NAME].p);
	assert_true(fits(cells[TYPE], f));
	if (*f->key && !is_registered(f->key))
		print_error("%s is no key\n", f->key);
	assert_true(!*f->key || is_registered(f->key));
	while (sv_cell(&aliases, ' ', &alias))
		if (alias.n && !sv_is(alias, ";"))
			assert_ptr_equal(smi_field_csv(alias), f);
}

static void knows_every_field_of_a_query(void **state)
{
	FILE *list = open_list("smi_query_fields.tsv");
	struct gpudx_sv cells[COLUMNS];
	char line[4096];
	unsigned n = 0;

	(void)state;
	if (!list)
		skip();
	while (fgets(line, sizeof(line), list)) {
		cut(line, cells);
		if (!sv_is(cells[SWITCH], "--query-gpu"))
			continue;
		check(cells);
		n++;
	}
	fclose(list);
	assert_true(n > 200);
}

static void reads_other_spellings(void **state)
{
	static const struct {
		const char *name, *field;
	} names[] = {
		{ "power_draw", "power.draw" },
		{ "power.draw_w", "power.draw" },
		{ "utilization_gpu_pct", "utilization.gpu" },
		{ "clocks_sm", "clocks.current.sm" },
		{ "Memory_Used_MiB", "memory.used" },
		{ "temperature_gpu_c", "temperature.gpu" },
		{ "datetime", "timestamp" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct smi_column col = smi_csv_column(sv_str(names[i].name));

		assert_non_null(col.field);
		assert_string_equal(col.field->csv, names[i].field);
	}
	assert_null(smi_csv_column(SV_LIT("power_draw_kw")).field);
	assert_null(smi_csv_column(SV_LIT("memory.used_gb")).field);
	assert_null(smi_csv_column(SV_LIT("loss")).field);
}

static void tells_headings_from_other_tables(void **state)
{
	unsigned known;

	(void)state;
	assert_true(smi_csv_is_heading(SV_LIT("timestamp, index, power.draw [W]"), &known));
	assert_true(smi_csv_is_heading(SV_LIT(",ts,host,job,power_draw,clocks_sm,utilization_gpu"),
				       &known));
	assert_true(smi_csv_is_heading(SV_LIT("timestamp;power.draw [W];pstate"), &known));
	assert_false(smi_csv_is_heading(SV_LIT("name,age,city"), &known));
	assert_false(smi_csv_is_heading(SV_LIT("timestamp,loss,step,lr"), &known));
	assert_false(smi_csv_is_heading(SV_LIT("2026/01/13 10:26:31.977, 0, 1"), &known));
	assert_false(smi_csv_is_heading(
		SV_LIT("gpu_uuid, pid, process_name, used_gpu_memory [MiB]"), &known));
}

static void finds_what_a_command_asked(void **state)
{
	(void)state;
	assert_true(sv_is(
		smi_csv_asked(SV_LIT(
			"nvidia-smi --query-gpu=index,power.draw --format=csv,noheader -l 1")),
		"index,power.draw"));
	assert_true(sv_is(smi_csv_asked(SV_LIT(
				  "nvidia-smi --format=csv,noheader --query-gpu \"name\" | head")),
			  "name"));
	assert_null(smi_csv_asked(SV_LIT("nvidia-smi --query-gpu=index --format=csv")).p);
	assert_null(smi_csv_asked(SV_LIT("nvidia-smi --query-gpu= --format=csv,noheader")).p);
	assert_null(smi_csv_asked(SV_LIT("")).p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_every_field_of_a_query),
		cmocka_unit_test(reads_other_spellings),
		cmocka_unit_test(tells_headings_from_other_tables),
		cmocka_unit_test(finds_what_a_command_asked),
	};

	return cmocka_run_group_tests_name("smi_query", tests, NULL, NULL);
}
