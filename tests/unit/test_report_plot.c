#include "report/png.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

/* What a program does that answers every request for a marker. */
#define ANSWER                                                                                \
	"while IFS= read -r l; do case $l in \"print \"*) l=${l#print ?}; echo \"${l%?}\";; " \
	"esac; done\n"

static char dir[] = "/tmp/gpudx-plot-XXXXXX";

static int make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	char path[PATH_MAX];

	(void)state;
	snprintf(path, sizeof(path), "%s/gnuplot", dir);
	unlink(path);
	return rmdir(dir);
}

/* Starts a shell script in the place of gnuplot. */
static struct gpudx_plot *start(const char *body)
{
	char path[PATH_MAX];
	struct gpudx_plot *p;
	FILE *f;

	snprintf(path, sizeof(path), "%s/gnuplot", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "#!/bin/sh\n%s", body);
	fclose(f);
	assert_int_equal(chmod(path, 0700), 0);
	setenv("GPUDX_GNUPLOT", path, 1);
	p = gpudx_plot_start();
	assert_non_null(p);
	return p;
}

static int64_t ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void says_that_there_is_none(void **state)
{
	struct gpudx_buf out = { .max = 4096 };
	struct gpudx_plot *p;

	(void)state;
	setenv("GPUDX_GNUPLOT", "/nonexistent/gnuplot", 1);
	p = gpudx_plot_start();
	assert_string_equal(gpudx_plot_why(p), "gnuplot was not found");
	assert_false(gpudx_plot_run(p, SV_LIT("plot 1"), &out));
	gpudx_plot_stop(p);
	gpudx_plot_stop(NULL);
}

/* Says what it is sent, line by line and led by a "|", and draws nothing. */
static void a_picture_has_nothing_but_harmless_labels(void **state)
{
	struct gpudx_buf script = { .max = 1 << 20 }, out = { .max = 1 << 20 };
	struct rep_sheet s = { .script = { .max = 1 << 20 } };
	struct gpudx_plot *p;
	char label[16], seen[PATH_MAX], text[4096];
	size_t n;
	FILE *f;

	(void)state;
	snprintf(seen, sizeof(seen), "%s/seen", dir);
	p = start("exec 3>${0%gnuplot}seen\nwhile IFS= read -r l; do printf '|%s\\n' \"$l\" >&3; "
		  "case $l in "
		  "\"print \"*) l=${l#print ?}; echo \"${l%?}\";; esac; done\n");
	gpudx_sheet_begin(&s, 300, 100);
	gpudx_sheet_text_at(&s, 1, 2, REP_LEFT, REP_INK_SOFT,
			    gpudx_sheet_label(&s, SV_LIT("a`id`'\n\"@\\0$(b)\x1b"), label));
	gpudx_sheet_end(&s);
	assert_false(gpudx_png_draw(p, &s, &script, &out));
	gpudx_plot_stop(p);
	f = fopen(seen, "r");
	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	unlink(seen);
	assert_non_null(strstr(text, "|set term pngcairo size 600,200 "));
	assert_null(strstr(text, "term svg"));
	assert_non_null(strstr(text, "'a?id??????0?(b)?'"));
	gpudx_buf_free(&script);
	gpudx_buf_free(&out);
	gpudx_buf_free(&s.script);
}

static void looks_only_in_absolute_directories_of_the_path(void **state)
{
	char path[PATH_MAX], before[PATH_MAX], *old = getenv("PATH");
	struct gpudx_plot *p;

	(void)state;
	gpudx_plot_stop(start(ANSWER));
	unsetenv("GPUDX_GNUPLOT");
	assert_non_null(getcwd(before, sizeof(before)));
	assert_int_equal(chdir(dir), 0);
	old = old ? strdup(old) : NULL;
	setenv("PATH", ":.:relative:/nonexistent", 1);
	p = gpudx_plot_start();
	assert_non_null(gpudx_plot_why(p));
	gpudx_plot_stop(p);
	snprintf(path, sizeof(path), ".:%s", dir);
	setenv("PATH", path, 1);
	p = gpudx_plot_start();
	assert_null(gpudx_plot_why(p));
	gpudx_plot_stop(p);
	setenv("PATH", old ? old : "/usr/bin:/bin", 1);
	free(old);
	assert_int_equal(chdir(before), 0);
}

static void answers_several_runs_one_after_the_other(void **state)
{
	struct gpudx_plot *p = start("n=0\nwhile IFS= read -r l; do case $l in \"print \"*) "
				     "l=${l#print ?}; echo \"${l%?}\";; "
				     "plot*) n=$((n + 1)); echo \"<svg>$n</svg>\";; esac; done\n");
	struct gpudx_buf out = { .max = 1 << 20 };

	(void)state;
	assert_true(gpudx_plot_run(p, SV_LIT("plot 1"), &out));
	assert_string_equal(gpudx_buf_cstr(&out), "<svg>1</svg>\n");
	assert_true(gpudx_plot_run(p, SV_LIT("plot 1\nplot 2"), &out));
	assert_string_equal(gpudx_buf_cstr(&out), "<svg>1</svg>\n<svg>2</svg>\n<svg>3</svg>\n");
	assert_true(gpudx_plot_run(p, SV_LIT(""), &out));
	assert_null(gpudx_plot_why(p));
	gpudx_plot_stop(p);
	gpudx_buf_free(&out);
}

static void says_how_it_ended(void **state)
{
	struct gpudx_buf out = { .max = 1 << 20 };
	struct gpudx_plot *p = start("echo partly; exit 3\n");

	(void)state;
	assert_false(gpudx_plot_run(p, SV_LIT("plot 1"), &out));
	assert_string_equal(gpudx_plot_why(p), "gnuplot ended early with status 3");
	gpudx_plot_stop(p);
	p = start("read -r l; kill -9 $$\n");
	assert_false(gpudx_plot_run(p, SV_LIT("plot 1"), &out));
	assert_string_equal(gpudx_plot_why(p), "gnuplot was ended by signal 9");
	assert_false(gpudx_plot_run(p, SV_LIT("plot 1"), &out));
	gpudx_plot_stop(p);
	gpudx_buf_free(&out);
}

static void outlives_a_program_that_is_gone(void **state)
{
	struct gpudx_buf out = { .max = 1 << 20 };
	size_t n = 8 << 20;
	char *script = calloc(1, n);
	struct gpudx_plot *p = start("exit 0\n");

	(void)state;
	assert_non_null(script);
	memset(script, '#', n);
	nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
	/* SIGPIPE would end this test. */
	assert_false(gpudx_plot_run(p, sv_n(script, n), &out));
	assert_string_equal(gpudx_plot_why(p), "gnuplot ended early with status 0");
	gpudx_plot_stop(p);
	free(script);
	gpudx_buf_free(&out);
}

/* Gone, or waiting for a parent that does not care. */
static bool has_ended(const char *pid)
{
	char path[64], line[256] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.*s/stat", (int)strspn(pid, "0123456789"), pid);
	f = fopen(path, "r");
	if (!f)
		return true;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	return strstr(line, ") Z") != NULL;
}

static void ends_a_program_that_takes_too_long_with_its_children(void **state)
{
	struct gpudx_buf out = { .max = 1 << 20 };
	struct gpudx_plot *p = start("sleep 60 & echo $!; sleep 60\n");
	int64_t began = ms();
	bool ended = false;

	(void)state;
	gpudx_plot_limit(p, 300);
	assert_false(gpudx_plot_run(p, SV_LIT("plot 1"), &out));
	assert_string_equal(gpudx_plot_why(p), "gnuplot took too long");
	gpudx_plot_stop(p);
	assert_true(ms() - began < 5000);
	assert_true(out.n > 1);
	for (int i = 0; i < 100 && !(ended = has_ended(gpudx_buf_cstr(&out))); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	assert_true(ended);
	gpudx_buf_free(&out);
}

static void stops_a_program_that_does_not_want_to(void **state)
{
	struct gpudx_plot *p = start("trap '' HUP TERM PIPE\nwhile :; do sleep 1; done\n");
	int64_t began = ms();

	(void)state;
	gpudx_plot_stop(p);
	assert_true(ms() - began < 5000);
}

static void lets_neither_side_block_the_other(void **state)
{
	/* It prints three megabytes before it reads a word, and is sent as much. */
	struct gpudx_plot *p = start("head -c 3000000 /dev/zero | tr '\\0' x; echo\n"
				     "tr -d '#' | { " ANSWER "}\n");
	struct gpudx_buf out = { .max = 4 << 20 };
	size_t n = 3 << 20;
	char *script = calloc(1, n);

	(void)state;
	assert_non_null(script);
	memset(script, '#', n);
	for (size_t i = 100; i < n; i += 100)
		script[i] = '\n';
	gpudx_plot_limit(p, 15000);
	gpudx_plot_run(p, sv_n(script, n), &out);
	assert_true(out.n >= 3000000);
	gpudx_plot_stop(p);
	free(script);
	gpudx_buf_free(&out);
}

static void refuses_more_than_a_chart_can_be(void **state)
{
	struct gpudx_plot *p =
		start("while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done\n");
	struct gpudx_buf out = { .max = 1 << 20 };

	(void)state;
	assert_false(gpudx_plot_run(p, SV_LIT("plot 1"), &out));
	assert_string_equal(gpudx_plot_why(p), "gnuplot printed more than a chart can have");
	gpudx_plot_stop(p);
	gpudx_buf_free(&out);
}

static void hands_down_neither_environment_nor_files(void **state)
{
	struct gpudx_buf out = { .max = 1 << 20 };
	struct gpudx_plot *p;
	FILE *open_file = fopen("/dev/null", "r");

	(void)state;
	setenv("SECRET_TOKEN", "hunter2", 1);
	p = start("env; ls /proc/self/fd | tr '\\n' ' '; echo \"locale $LC_ALL home "
		  "$HOME\"\n" ANSWER);
	assert_true(gpudx_plot_run(p, SV_LIT(""), &out));
	assert_null(strstr(gpudx_buf_cstr(&out), "SECRET_TOKEN"));
	assert_null(strstr(gpudx_buf_cstr(&out), "GPUDX_GNUPLOT"));
	assert_non_null(strstr(gpudx_buf_cstr(&out), "locale C home /nonexistent"));
	/* 3 is the directory that ls reads. */
	assert_non_null(strstr(gpudx_buf_cstr(&out), "\n0 1 2 3 "));
	gpudx_plot_stop(p);
	unsetenv("SECRET_TOKEN");
	fclose(open_file);
	gpudx_buf_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_that_there_is_none),
		cmocka_unit_test(a_picture_has_nothing_but_harmless_labels),
		cmocka_unit_test(looks_only_in_absolute_directories_of_the_path),
		cmocka_unit_test(answers_several_runs_one_after_the_other),
		cmocka_unit_test(says_how_it_ended),
		cmocka_unit_test(outlives_a_program_that_is_gone),
		cmocka_unit_test(ends_a_program_that_takes_too_long_with_its_children),
		cmocka_unit_test(stops_a_program_that_does_not_want_to),
		cmocka_unit_test(lets_neither_side_block_the_other),
		cmocka_unit_test(refuses_more_than_a_chart_can_be),
		cmocka_unit_test(hands_down_neither_environment_nor_files),
	};

	return cmocka_run_group_tests_name("report_plot", tests, make_dir, remove_dir);
}
