/* Versions as numbers: on the scales of the registry, and nothing that is no version. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "derive/stages.h"

static void assert_num(const char *scale, const char *version, int64_t want)
{
	int64_t got = gpudx_version_num(sv_str(scale), sv_str(version));

	if (got != want)
		fail_msg("%s %s: got %lld, want %lld", scale, version, (long long)got,
			 (long long)want);
}

static void counts_as_the_registry_says(void **state)
{
	(void)state;
	assert_num("driver", "550.54.14", 550054014);
	assert_num("driver", "418.152.00", 418152000);
	assert_num("driver", "590.48", 590048000);
	assert_num("cuda", "12.4", 12040);
	assert_num("cuda", "11.8.0", 11080);
	assert_num("cuda", "12.4.1", 12041);
	assert_num("cuda", "12.2.20230823", 12020); /* a date is no patch release */
	assert_num("torch", "2.10.1+cu128", 2010);
	assert_num("torch", "1.8.0a0+af2250e", 1008);
}

static void knows_what_is_no_version(void **state)
{
	(void)state;
	assert_num("driver", "none", -1);
	assert_num("driver", "", -1);
	assert_num("driver", "550", -1);
	assert_num("driver", "550.1000.1", -1);
	assert_num("driver", "99999999999999999999.1", -1);
	assert_num("cuda", "12.400", -1);
	assert_num("", "1.2", -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_as_the_registry_says),
		cmocka_unit_test(knows_what_is_no_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
