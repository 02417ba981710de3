/* rules/kb/fact_keys.tsv against itself and against what the goldens show. */
#include "base/embed.h"
#include "base/sv.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

enum { KEY, KIND, TYPE, UNIT, SCOPE, CONTRACT, GRP, NUM_AS, MEANING, SOURCE, COLUMNS };

/* The next row that is neither comment nor heading. */
static bool next_row(struct gpudx_sv *text, struct gpudx_sv cells[COLUMNS])
{
	struct gpudx_sv line;

	while (sv_line(text, &line)) {
		if (!line.n || line.p[0] == '#' || sv_starts(line, "key\t"))
			continue;
		for (int i = 0; i < COLUMNS; i++)
			if (!sv_cell(&line, '\t', &cells[i]))
				cells[i] = SV_LIT("");
		return true;
	}
	return false;
}

static struct gpudx_sv registry(void)
{
	struct gpudx_sv text = gpudx_embed("rules/kb/fact_keys.tsv");

	assert_non_null(text.p);
	return text;
}

static bool is_one_of(struct gpudx_sv s, const char *list)
{
	struct gpudx_sv rest = sv_str(list), word;

	while (sv_cell(&rest, ' ', &word))
		if (sv_eq(word, s))
			return true;
	return false;
}

static bool covers(struct gpudx_sv pattern, struct gpudx_sv key)
{
	if (!sv_ends(pattern, "*"))
		return sv_eq(pattern, key);
	pattern.n--;
	return key.n > pattern.n && sv_eq(sv_first(key, pattern.n), pattern);
}

static bool is_registered(struct gpudx_sv key)
{
	struct gpudx_sv text = registry(), cells[COLUMNS];

	while (next_row(&text, cells))
		if (covers(cells[KEY], key))
			return true;
	return false;
}

static void has_only_words_that_consumers_know(void **state)
{
	struct gpudx_sv text = registry(), cells[COLUMNS];
	unsigned n = 0;

	(void)state;
	while (next_row(&text, cells)) {
		n++;
		assert_true(is_one_of(cells[KIND], "fact series"));
		assert_true(is_one_of(cells[TYPE], "text word num"));
		assert_true(is_one_of(cells[SCOPE], "gpu host source"));
		assert_true(is_one_of(cells[CONTRACT], "yes no"));
		assert_true(!cells[NUM_AS].n || is_one_of(cells[NUM_AS], "driver cuda torch"));
		assert_true(cells[GRP].n && cells[MEANING].n && cells[SOURCE].n);
		assert_false(sv_ends(cells[KEY], "*") && sv_is(cells[CONTRACT], "yes"));
		assert_false(sv_is(cells[KIND], "series") && !sv_is(cells[TYPE], "num"));
	}
	assert_true(n > 300);
}

static void names_each_key_once(void **state)
{
	struct gpudx_sv text = registry(), a[COLUMNS], b[COLUMNS];

	(void)state;
	while (next_row(&text, a)) {
		struct gpudx_sv rest = text;

		while (next_row(&rest, b))
			assert_false(sv_eq(a[KEY], b[KEY]));
	}
}

/* "fact #1 KEY/LAYER=...", "metric #1 KEY=...": the key of a golden's line. */
static bool golden_key(struct gpudx_sv line, struct gpudx_sv *key)
{
	struct gpudx_sv skipped;
	bool fact;

	if (!sv_until(&line, "\t", &skipped))
		return false;
	fact = sv_lit(&line, "fact ");
	if (!fact && !sv_lit(&line, "metric "))
		return false;
	if (sv_char(&line, '#'))
		sv_until(&line, " ", &skipped);
	*key = sv_first(line, fact ? sv_index(line, '/') : sv_index(line, '='));
	return true;
}

static unsigned check_golden(const char *path)
{
	char line[4096];
	unsigned n = 0;
	FILE *f = fopen(path, "r");

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		struct gpudx_sv key;

		if (!golden_key(sv_str(line), &key))
			continue;
		n++;
		if (!is_registered(key))
			fail_msg("%s: %.*s is not in rules/kb/fact_keys.tsv", path, (int)key.n,
				 key.p);
	}
	fclose(f);
	return n;
}

static unsigned check_folder(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	unsigned n = 0;

	for (; d && (e = readdir(d)) != NULL;) {
		char path[1024];

		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		if (e->d_name[0] != '.' && sv_ends(sv_str(e->d_name), ".out"))
			n += check_golden(path);
	}
	if (d)
		closedir(d);
	return n;
}

static void knows_every_key_that_a_golden_shows(void **state)
{
	DIR *d = opendir("tests/golden");
	struct dirent *e;
	unsigned n = 0;

	(void)state;
	if (!d)
		skip();
	while ((e = readdir(d)) != NULL) {
		char path[512];

		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "tests/golden/%s", e->d_name);
		n += check_folder(path);
	}
	closedir(d);
	assert_true(n > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_only_words_that_consumers_know),
		cmocka_unit_test(names_each_key_once),
		cmocka_unit_test(knows_every_key_that_a_golden_shows),
	};

	return cmocka_run_group_tests_name("fact_keys", tests, NULL, NULL);
}
