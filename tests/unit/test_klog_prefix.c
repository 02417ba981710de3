/* The prefixes of kernel log lines: each form, the cache of the date, years without number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "parse/klog_prefix.h"

static int64_t at(int64_t y, unsigned mo, unsigned d, unsigned h, unsigned mi, unsigned s,
		  uint32_t us)
{
	int64_t t;

	assert_true(gpudx_civil_us(y, mo, d, h, mi, s, us, &t));
	return t;
}

static struct klog_line peeled(struct klog_prefix *p, const char *text)
{
	struct klog_line l;

	assert_int_equal(klog_peel(p, sv_str(text), &l), KLOG_PEELED);
	return l;
}

static struct klog_line one(const char *text)
{
	struct klog_prefix p = { .turn = 0 };

	return peeled(&p, text);
}

static enum klog_peeled how(const char *text)
{
	struct klog_prefix p = { .turn = 0 };
	struct klog_line l;

	return klog_peel(&p, sv_str(text), &l);
}

static void is_text(struct gpudx_sv got, const char *want)
{
	if (!sv_is(got, want))
		fail_msg("\"%.*s\" instead of \"%s\"", (int)got.n, got.p ? got.p : "", want);
}

static void reads_seconds_since_boot(void **state)
{
	struct klog_line l = one("[  882.456994] NVRM: text");

	(void)state;
	assert_int_equal(l.form, KLOG_MONO);
	assert_int_equal(l.stamp.kind, GPUDX_STAMP_BOOT);
	assert_int_equal(l.stamp.t_us, 882456994);
	assert_int_equal(l.stamp.mono_us, 882456994);
	is_text(l.message, "NVRM: text");
	is_text(one("<6>[    2.608284] text").message, "text");
	is_text(one("[  882.456994][ T1234] text").message, "text");
	is_text(one("[  882.456994] [    C12] text").message, "text");
	is_text(one("[  882.456994 <    0.000012>] text").message, "text");
	is_text(one("kern  :warn  : [  882.456994] text").message, "text");
	is_text(one("[  882.456994] [UFW BLOCK] text").message, "[UFW BLOCK] text");
	is_text(one("[1234567.890123]").message, "");
}

static void reads_behind_what_carried_the_line(void **state)
{
	struct klog_prefix p = { .turn = 0 };
	struct klog_line l = one("node07: [  882.456994] NVRM: text");

	(void)state;
	assert_int_equal(l.form, KLOG_MONO);
	is_text(l.host, "node07");
	is_text(l.message, "NVRM: text");
	l = one("/var/log/kern.log:17:May  7 09:58:55 node01 kernel: text");
	assert_int_equal(l.form, KLOG_SHORT);
	is_text(l.host, "node01");
	is_text(l.message, "text");
	is_text(one("17:[Sun Feb 23 16:24:18 2025] text").message, "text");
	is_text(one("> [  882.456994] text").message, "text");
	is_text(one("2024-05-07T09:58:55Z node01 kern.err kernel: text").message, "text");
	l = peeled(&p, "2024-05-07 09:58:55.25 node01 kernel: text");
	assert_int_equal(l.stamp.t_us, at(2024, 5, 7, 9, 58, 55, 250000));
	assert_int_equal(l.stamp.kind, GPUDX_STAMP_LOCAL);
	is_text(peeled(&p, "2024/05/07 09:58:56 node01 systemd[1]: Started.").message, "Started.");
	/* what other programs print */
	assert_int_equal(how("loss: [0.123] epoch"), KLOG_NOT);
	assert_int_equal(how("app: May  7 09:58:55 node01 app[1]: text"), KLOG_NOT);
	assert_int_equal(how("2024-05-07 09:58:55 INFO server: text"), KLOG_NOT);
	assert_int_equal(how("2024-05-07 09:58:55 node01 app[1]: text"), KLOG_NOT);
	assert_int_equal(how("node07: text"), KLOG_NOT);
}

static void learns_the_host_of_a_monotonic_journal_from_the_kernel(void **state)
{
	struct klog_prefix p = { .turn = 0 };
	struct klog_line l;

	(void)state;
	l = peeled(&p, "[    1.000000] usb 1-2: New USB device found");
	assert_int_equal(l.form, KLOG_MONO);
	is_text(l.message, "usb 1-2: New USB device found");
	l = peeled(&p, "[    2.000000] node01 kernel: text");
	assert_int_equal(l.form, KLOG_MONO_HOST);
	is_text(l.host, "node01");
	l = peeled(&p, "[    3.000000] node01 systemd[1]: Started.");
	is_text(l.tag, "systemd");
	is_text(l.message, "Started.");
}

static void reads_order_only_from_deltas(void **state)
{
	(void)state;
	assert_int_equal(one("[  +0.000012] text").form, KLOG_DELTA);
	assert_int_equal(one("[<    0.000012>] text").stamp.kind, GPUDX_STAMP_NONE);
	is_text(one("[Feb23 16:24] text").message, "text");
}

static void reads_dates_in_brackets(void **state)
{
	struct klog_prefix p = { .turn = 0 };
	struct klog_line l = peeled(&p, "[Sun Feb 23 16:24:18 2025] text");

	(void)state;
	assert_int_equal(l.form, KLOG_CTIME);
	assert_int_equal(l.stamp.kind, GPUDX_STAMP_LOCAL);
	assert_int_equal(l.stamp.t_us, at(2025, 2, 23, 16, 24, 18, 0));
	assert_int_equal(peeled(&p, "[Sun Feb 23 23:59:59 2025] x").stamp.t_us,
			 at(2025, 2, 23, 23, 59, 59, 0));
	assert_int_equal(peeled(&p, "[Mon Feb 24 00:00:01 2025] x").stamp.t_us,
			 at(2025, 2, 24, 0, 0, 1, 0));
	assert_int_equal(peeled(&p, "[Mon Feb 24 00:00:01 2026] x").stamp.t_us,
			 at(2026, 2, 24, 0, 0, 1, 0));
	assert_int_equal(how("[Feb 25 2025 13:59:45] [INFO] [tid 1803] text"), KLOG_NOT);
	assert_int_equal(how("[2024-05-01T12:00:00.123] error: text"), KLOG_NOT);
	assert_int_equal(how("[    45.001] (II) of an X server"), KLOG_NOT);
}

static void reads_iso_stamps_with_and_without_host(void **state)
{
	struct klog_line l = one("2025-01-21T04:41:44,285060+01:00 text");

	(void)state;
	assert_int_equal(l.form, KLOG_DMESG_ISO);
	assert_int_equal(l.stamp.kind, GPUDX_STAMP_UTC);
	assert_int_equal(l.stamp.t_us, at(2025, 1, 21, 3, 41, 44, 285060));
	is_text(l.message, "text");
	l = one("2024-05-07T09:58:55.123456+02:00 node01 kernel: [  882.456994] text");
	assert_int_equal(l.form, KLOG_ISO);
	assert_int_equal(l.stamp.t_us, at(2024, 5, 7, 7, 58, 55, 123456));
	assert_int_equal(l.stamp.mono_us, 882456994);
	assert_int_equal(l.stamp.offset_min, 120);
	is_text(l.host, "node01");
	is_text(l.message, "text");
	is_text(one("2024-05-07T09:58:55+02:00 h kernel: [  882.456994][    T1] text").message,
		"text");
	assert_int_equal(one("2024-05-07T09:58:55-0530 h kernel: x").stamp.offset_min, -330);
	assert_int_equal(one("2024-05-07T09:58:55 h kernel: x").stamp.kind, GPUDX_STAMP_LOCAL);
}

static void leaves_the_logs_of_others_alone(void **state)
{
	(void)state;
	assert_int_equal(how("2026-02-14T09:30:12+0000 SUBDEBUG Upgrade: openssl-libs-1:3.2.2-6"),
			 KLOG_NOT);
	assert_int_equal(how("May 11 05:27:09 Updated: gssproxy.x86_64 0.7.0-17.el7"), KLOG_NOT);
	assert_int_equal(how("2024-05-07T09:58:55.123Z stderr F text of a container"), KLOG_NOT);
	assert_int_equal(how("2025-06-24 14:36:25 upgrade libnvidia-compute-570:amd64 1 2"),
			 KLOG_NOT);
	assert_int_equal(how("I0227 14:11:47.677986 1 server.cc:549] text"), KLOG_NOT);
	assert_int_equal(how(""), KLOG_NOT);
	assert_int_equal(how("<6>"), KLOG_NOT);
	assert_int_equal(how("["), KLOG_NOT);
}

static void reads_zone_names_only_when_they_are_certain(void **state)
{
	struct klog_line l = one("Tue 2024-05-07 09:58:55 UTC node01 kernel: text");

	(void)state;
	assert_int_equal(l.form, KLOG_FULL);
	assert_int_equal(l.stamp.kind, GPUDX_STAMP_UTC);
	l = one("Tue 2024-05-07 09:58:55.000001 CEST node01 kernel: text");
	assert_int_equal(l.stamp.kind, GPUDX_STAMP_UTC);
	assert_int_equal(l.stamp.t_us, at(2024, 5, 7, 7, 58, 55, 1));
	is_text(l.message, "text");
	l = one("Tue 2024-05-07 09:58:55 CST node01 kernel: text"); /* America or China */
	assert_int_equal(l.stamp.kind, GPUDX_STAMP_LOCAL);
	assert_int_equal(l.stamp.t_us, at(2024, 5, 7, 9, 58, 55, 0));
	assert_int_equal(one("Tue 2024-05-07 09:58:55 -03 n kernel: x").stamp.offset_min, -180);
}

static void reads_kmsg_unix_and_rfc5424(void **state)
{
	struct klog_line l = one("6,3964,206764307,-,caller=T12;text");

	(void)state;
	assert_int_equal(l.form, KLOG_KMSG);
	assert_int_equal(l.stamp.t_us, 206764307);
	is_text(l.message, "text");
	l = one("1715075935.123456 node01 kernel: text");
	assert_int_equal(l.form, KLOG_UNIX);
	assert_int_equal(l.stamp.t_us, INT64_C(1715075935123456));
	l = one("<6>1 2024-05-07T09:58:55.1Z node01 kernel - - [a b=\"c\"] text");
	assert_int_equal(l.form, KLOG_SYSLOG);
	is_text(l.tag, "kernel");
	is_text(l.message, "text");
}

static void turns_the_year_when_the_month_falls_far(void **state)
{
	struct klog_prefix p = { .turn = 0 };
	int64_t last, first;

	(void)state;
	last = peeled(&p, "Dec 31 23:59:59 n kernel: x").stamp.t_us;
	first = peeled(&p, "Jan  1 00:00:01 n kernel: x").stamp.t_us;
	assert_int_equal(last, gpudx_noyear(0, 12, 31, 86399 * GPUDX_SECOND));
	assert_int_equal(first, gpudx_noyear(1, 1, 1, GPUDX_SECOND));
	/* A line that comes late does not turn it again, and back again. */
	assert_int_equal(gpudx_noyear_turn(peeled(&p, "Dec 31 23:59:59 n kernel: x").stamp.t_us),
			 0);
	assert_int_equal(gpudx_noyear_turn(peeled(&p, "Jan  1 00:00:02 n kernel: x").stamp.t_us),
			 1);
	assert_int_equal(gpudx_noyear_turn(peeled(&p, "Mar  1 00:00:02 n kernel: x").stamp.t_us),
			 1);
	assert_int_equal(gpudx_noyear_turn(peeled(&p, "Feb 28 00:00:02 n kernel: x").stamp.t_us),
			 1);
}

static void reads_months_in_other_languages(void **state)
{
	(void)state;
	assert_int_equal(one("août 25 19:38:04 n kernel: x").stamp.t_us,
			 gpudx_noyear(0, 8, 25, (19 * 3600 + 38 * 60 + 4) * GPUDX_SECOND));
	assert_int_equal(one("15 avril 07:56:59 n kernel: x").form, KLOG_SHORT);
	assert_int_equal(one("kwi 15 07:56:59 n kernel: x").form, KLOG_SHORT);
}

static void tells_impossible_times_from_other_text(void **state)
{
	struct klog_prefix p = { .turn = 0 };
	struct klog_line l;

	(void)state;
	assert_int_equal(how("Feb 30 10:00:00 n kernel: x"), KLOG_IMPOSSIBLE);
	assert_int_equal(how("Feb 28 25:00:00 n kernel: x"), KLOG_IMPOSSIBLE);
	assert_int_equal(how("[Tue Feb 30 10:00:00 2026] x"), KLOG_IMPOSSIBLE);
	assert_int_equal(how("2024-13-01T00:00:00Z n kernel: x"), KLOG_IMPOSSIBLE);
	assert_int_equal(how("a line at 10:00:00 of somebody"), KLOG_NOT);
	peeled(&p, "Feb 28 10:00:00 n kernel: x");
	assert_int_equal(klog_peel(&p, sv_str("Feb 28 25:00:00 n kernel: x"), &l), KLOG_IMPOSSIBLE);
	assert_int_equal(peeled(&p, "Feb 28 10:00:01 n kernel: x").form, KLOG_SHORT);
	/* No machine is up for a hundred years; its numbers would overflow what is computed of
	 * them. */
	assert_int_equal(how("[9223372036853.000000] x"), KLOG_NOT);
}

static void reads_hosts_programs_and_what_lacks_them(void **state)
{
	struct klog_line l =
		one("May  7 09:58:55 node01 /usr/libexec/gdm-x-session[34144]: (II) text");

	(void)state;
	is_text(l.tag, "/usr/libexec/gdm-x-session");
	is_text(l.message, "(II) text");
	l = one("May  7 09:58:55 kernel: text");
	assert_null(l.host.p);
	is_text(l.tag, "kernel");
	l = one("May  7 09:58:55 node01 -- MARK --");
	assert_null(l.tag.p);
	is_text(l.message, "-- MARK --");
	is_text(one("May  7 09:58:55 n kernel: [drm] text").message, "[drm] text");
	is_text(one("May  7 09:58:55 n sudo[1]:  user1 : TTY=tty1").message, " user1 : TTY=tty1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_seconds_since_boot),
		cmocka_unit_test(reads_behind_what_carried_the_line),
		cmocka_unit_test(learns_the_host_of_a_monotonic_journal_from_the_kernel),
		cmocka_unit_test(reads_order_only_from_deltas),
		cmocka_unit_test(reads_dates_in_brackets),
		cmocka_unit_test(reads_iso_stamps_with_and_without_host),
		cmocka_unit_test(leaves_the_logs_of_others_alone),
		cmocka_unit_test(reads_zone_names_only_when_they_are_certain),
		cmocka_unit_test(reads_kmsg_unix_and_rfc5424),
		cmocka_unit_test(turns_the_year_when_the_month_falls_far),
		cmocka_unit_test(reads_months_in_other_languages),
		cmocka_unit_test(tells_impossible_times_from_other_text),
		cmocka_unit_test(reads_hosts_programs_and_what_lacks_them),
	};

	return cmocka_run_group_tests_name("klog_prefix", tests, NULL, NULL);
}
