/* dmon and pmon. */
#include "smi_said.h"

#include "parse/smi_mon.h"

static void tells_headings_from_rows(void **state)
{
	static const struct {
		const char *line;
		enum smi_mon_line kind;
		unsigned cells;
	} cases[] = {
		{ "# gpu    pwr  gtemp", SMI_MON_NAMES, 3 },
		{ "#Date       Time        gpu    pwr", SMI_MON_NAMES, 4 },
		{ "# gpu, pwr, gtemp", SMI_MON_NAMES, 3 },
		{ "# Idx      W      C", SMI_MON_UNITS, 3 },
		{ "#YYYYMMDD   HH:MM:SS    Idx      W", SMI_MON_UNITS, 4 },
		{ "    0    631     63", SMI_MON_ROW, 3 },
		{ "# a comment on gpu", SMI_MON_ROW, 4 },
		{ "#", SMI_MON_ROW, 0 },
	};
	struct smi_mon_cells cells;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(smi_mon_cut(sv_str(cases[i].line), &cells), cases[i].kind);
		assert_int_equal(cells.n, cases[i].cells);
	}
}

static void says_when_a_line_has_too_many_cells(void **state)
{
	struct smi_mon_cells cells;
	char line[4 * SMI_MON_COLUMNS];

	(void)state;
	memset(line, ' ', sizeof(line));
	for (size_t i = 0; i < sizeof(line); i += 2)
		line[i] = '7';
	assert_int_equal(smi_mon_cut(sv_n(line, sizeof(line)), &cells), SMI_MON_ROW);
	assert_int_equal(cells.n, SMI_MON_COLUMNS);
	assert_true(cells.more);
}

static void reads_date_and_time(void **state)
{
	int64_t t;

	(void)state;
	assert_true(smi_mon_time(SV_LIT("20240229"), SV_LIT("23:59:59"), &t));
	assert_true(t == INT64_C(1709251199) * GPUDX_SECOND);
	assert_false(smi_mon_time(SV_LIT("20230229"), SV_LIT("10:00:00"), &t));
	assert_false(smi_mon_time(SV_LIT("2024030"), SV_LIT("10:00:00"), &t));
	assert_false(smi_mon_time(SV_LIT("20240301"), SV_LIT("25:00:00"), &t));
}

static void places_unknown_columns_by_unit_and_says_so(void **state)
{
	struct said *s = said_of("smi-dmon", "", "",
				 "# gpu  pwr  u  c  v  m  t\n# Idx    W  %  MHz  MHz  %  C\n"
				 "    0  238 92  1410 6250 72  59\n");

	(void)state;
	said_has(s, "fact #0 smi.columns_guessed/=# gpu  pwr  u  c  v  m  t\n");
	said_has(s, "sample #1 seq=0 sm=1410 mem=6250 power=238 temp=59 util=92 memutil=72\n");
	said_free(s);
}

static void guesses_nothing_where_all_names_are_known(void **state)
{
	struct said *s = said_of("smi-dmon", "", "",
				 "# gpu  pwr  mclk  pclk  gract\n# Idx    W   MHz   MHz  GPM:%\n   "
				 " 0  238  2619  1980   55\n");

	(void)state;
	said_lacks(s, "columns_guessed");
	said_has(s, "metric #1 dmon.gract=55");
	said_has(s, "sample #1 seq=0 sm=1980 mem=2619 power=238\n");
	said_free(s);
}

static void swaps_guessed_clocks_that_no_board_reaches(void **state)
{
	struct said *s =
		said_of("smi-dmon", "", "",
			"# gpu  a  b\n# Idx  MHz  MHz\n    0  405  300\n    0  7501  2055\n");

	(void)state;
	said_has(s, "sample #1 seq=0 sm=300 mem=405\n");
	said_has(s, "sample #1 seq=1 sm=2055 mem=7501\n");
	said_free(s);
}

static void takes_new_columns_where_the_heading_changes(void **state)
{
	struct said *s = said_of("smi-dmon", "", "",
				 "# gpu  pwr  enc\n# Idx    W    %\n    0  238  7\n"
				 "# gpu  enc  pwr\n# Idx    %    W\n    0  7  239\n");

	(void)state;
	said_has(s, "sample #1 seq=1 power=239\n");
	assert_int_equal(said_count(s, "metric #1 util.encoder_pct=7"), 2);
	said_free(s);
}

static void begins_a_round_where_a_process_comes_again(void **state)
{
	struct said *s =
		said_of("smi-pmon", "", "",
			"# gpu  pid  type  sm  command\n# Idx  #  C/G  %  name\n"
			" 0  11  C  1  a\n 0  12  C  2  b\n 1  11  C  3  a\n"
			" 0  12  C  4  b\n 1  -  -  -  -\n 1  -  -  -  -\n 1  13  G  -  x y\n");

	(void)state;
	said_has(s, "process #2 round=0 pid=11");
	said_has(s, "process #1 round=1 pid=12 type=C name=b sm=4");
	said_has(s, "process #2 round=3 pid=13 type=G name=x y\n");
	said_free(s);
}

static void keeps_the_two_monitors_apart(void **state)
{
	struct said *s = said_of("smi-dmon", "", "", "# gpu  pid  type  sm  command\n");

	(void)state;
	assert_int_equal(s->takes[GPUDX_NOT_MINE], 1);
	said_free(s);
	s = said_of("smi-pmon", "", "", "# gpu  pwr  gtemp\n");
	assert_int_equal(s->takes[GPUDX_NOT_MINE], 1);
	said_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_headings_from_rows),
		cmocka_unit_test(says_when_a_line_has_too_many_cells),
		cmocka_unit_test(reads_date_and_time),
		cmocka_unit_test(places_unknown_columns_by_unit_and_says_so),
		cmocka_unit_test(guesses_nothing_where_all_names_are_known),
		cmocka_unit_test(swaps_guessed_clocks_that_no_board_reaches),
		cmocka_unit_test(takes_new_columns_where_the_heading_changes),
		cmocka_unit_test(begins_a_round_where_a_process_comes_again),
		cmocka_unit_test(keeps_the_two_monitors_apart),
	};

	return cmocka_run_group_tests_name("smi_mon", tests, NULL, NULL);
}
