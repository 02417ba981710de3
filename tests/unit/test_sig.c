#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <time.h>

#include "base/buf.h"
#include "member_case.h"

static struct gpudx_sigs *sigs;

static int load(void **state)
{
	struct gpudx_err err = { 0 };

	(void)state;
	return gpudx_sigs_load(&sigs, &err) ? -1 : 0;
}

static int unload(void **state)
{
	(void)state;
	gpudx_sigs_free(sigs);
	return 0;
}

static void count(void *arg, const struct gpudx_hit *hit)
{
	unsigned *n = arg;

	(void)hit;
	(*n)++;
}

/* What makes a backtracking matcher slow: long runs of what its repeated groups take, without the
 * end that they wait for, behind every literal there is. */
static void gives_up_on_catastrophes(void **state)
{
	static const char *const runs[] = { "a",  " ", "0",   "x, ",  "a=", "((", "0x0",
					    ": ", "/", "ab:", "\xff", "[",  "'" };
	struct gpudx_buf msg = { .max = 1 << 20 };
	struct timespec t0, t1;
	unsigned hits = 0;

	(void)state;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
	for (size_t i = 0; i < gpudx_sigs_count(sigs); i++) {
		const struct gpudx_sig *sig = gpudx_sigs_at(sigs, i);

		for (size_t k = 0; k < sizeof(runs) / sizeof(runs[0]); k++) {
			gpudx_buf_clear(&msg);
			gpudx_buf_sv(&msg, sv_first(sig->example, sig->example.n / 2));
			gpudx_buf_sv(&msg, sig->literal);
			while (msg.n < 20000)
				gpudx_buf_str(&msg, runs[k]);
			gpudx_sigs_match(sigs, sv_n(msg.p, msg.n), count, &hits);
		}
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
	assert_true(t1.tv_sec - t0.tv_sec < 60);
	gpudx_buf_free(&msg);
}

static void matches_nothing_without_a_literal(void **state)
{
	unsigned hits = 0;

	(void)state;
	gpudx_sigs_match(sigs, SV_LIT(""), count, &hits);
	gpudx_sigs_match(sigs, sv_n("\0\0\0\0\0\0\0\0", 8), count, &hits);
	gpudx_sigs_match(sigs, SV_LIT("usb 1-1: new high-speed USB device number 2"), count, &hits);
	assert_int_equal(hits, 0);
}

/* An event whose details stand in the lines that follow is one event with all their lines. */
static void joins_the_lines_of_one_message(void **state)
{
	struct gpudx_store *s = read_text(
		"[    9.100001] nvidia 0000:81:00.0: AER: PCIe Bus Error: severity=Uncorrected "
		"(Non-Fatal), type=Transaction Layer, (Requester ID)\n"
		"[    9.100002] nvidia 0000:81:00.0: AER:   device [10de:20b0] error "
		"status/mask=00100000/00000000\n"
		"[    9.100003] nvidia 0000:81:00.0: AER:   TLP Header: 40000001 0000000f 90028090 "
		"00000000\n");

	(void)state;
	expect_rows(s, "SELECT count(*) FROM event", "1");
	expect_rows(s, "SELECT group_concat((line_id & 4294967295) || role, ' ') FROM event_line",
		    "1first 2more 3more");
	expect_rows(s, "SELECT count(*) > 1 FROM event_attr", "1");
	gpudx_store_close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_up_on_catastrophes),
		cmocka_unit_test(matches_nothing_without_a_literal),
		cmocka_unit_test(joins_the_lines_of_one_message),
	};

	return cmocka_run_group_tests_name("sig", tests, load, unload);
}
