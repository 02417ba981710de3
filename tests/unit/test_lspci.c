#include "parse/lspci_config.h"
#include "parse/lspci_head.h"
#include "head.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

extern const struct gpudx_parser gpudx_parser_lspci, gpudx_parser_lspci_tree;

static struct gpudx_lspci_head head_of(const char *line)
{
	struct gpudx_lspci_head h;

	assert_true(gpudx_lspci_head(sv_str(line), &h));
	return h;
}

static void reads_a_device_line_in_every_spelling(void **state)
{
	struct gpudx_lspci_head h;

	(void)state;
	h = head_of("3b:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)");
	assert_int_equal(h.class_id, 0x0302);
	assert_int_equal(h.vendor_id, GPUDX_NO_ID);
	assert_true(sv_is(h.name, "NVIDIA Corporation GH100 [H100 SXM5 80GB]"));
	h = head_of("10000:3b:00.1 Audio device [0403]: NVIDIA Corporation Device [10de:22bc] (rev "
		    "a1) (prog-if 01)");
	assert_int_equal(h.bdf.domain, 0x10000);
	assert_int_equal(h.bdf.fn, 1);
	assert_int_equal(h.vendor_id, 0x10de);
	assert_int_equal(h.device_id, 0x22bc);
	assert_true(sv_is(h.name, "NVIDIA Corporation Device"));
	h = head_of("3b:00.0 0302: 10de:2330 (rev ff)");
	assert_int_equal(h.device_id, 0x2330);
	assert_true(h.dead && h.sure && !h.name.n);
	h = head_of("3b:00.0 \"3D controller\" \"NVIDIA Corporation\" \"A \\\"B\\\" C\" -rff \"\" "
		    "\"\"");
	assert_true(sv_is(h.name, "NVIDIA Corporation A \\\"B\\\" C"));
	assert_true(h.dead);
	h = head_of("00:02.0 Class 0302: 10de:05fe");
	assert_int_equal(h.class_id, 0x0302);
}

static void takes_only_nvidia_display_functions_for_gpus(void **state)
{
	(void)state;
	assert_true(gpudx_lspci_is_gpu(0x0300, GPUDX_NO_ID,
				       SV_LIT("nVidia Corporation GK210GL [Tesla K80]")));
	assert_true(gpudx_lspci_is_gpu(0x0302, 0x10de, SV_LIT("")));
	assert_false(gpudx_lspci_is_gpu(0x0302, 0x1002, SV_LIT("not by NVIDIA")));
	assert_false(gpudx_lspci_is_gpu(0x0403, 0x10de, SV_LIT("NVIDIA Corporation")));
	assert_false(gpudx_lspci_is_gpu(0x0680, 0x10de, SV_LIT("NVIDIA Corporation Device 22a3")));
	assert_false(gpudx_lspci_is_gpu(GPUDX_NO_ID, 0x10de, SV_LIT("NVIDIA Corporation")));
}

static void does_not_take_log_lines_for_devices(void **state)
{
	static const char *const lines[] = { "05:01.3 Timer: expired", "05:01.3 worker: started",
					     "12:34:56.7 PCI bridge: up",
					     "Tue 05:01.3 PCI bridge: up",
					     "05:01.9 PCI bridge: up" };

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_false(gpudx_parser_lspci.starts(sv_str(lines[i])));
	assert_true(gpudx_parser_lspci.starts(
		SV_LIT("0003:00:00.0 Bridge: NVIDIA Corporation Device 1af1 (rev a1)")));
	assert_true(gpudx_parser_lspci.starts(
		SV_LIT("\t\tLnkSta:\tSpeed 8GT/s, Width x16, TrErr- Train-")));
	assert_false(gpudx_parser_lspci.starts(SV_LIT("LnkSta: see the manual")));
}

static void bids_high_on_a_list_and_less_on_an_excerpt(void **state)
{
	struct test_head h;

	(void)state;
	assert_int_equal(gpudx_parser_lspci.bid(test_head(&h, "00:00.0 Host bridge: X Y\n", "")),
			 80);
	assert_int_equal(gpudx_parser_lspci.bid(test_head(
				 &h, "\n\n  LnkCap: Port #0, Speed 8GT/s, Width x16\n", "")),
			 60);
	assert_int_equal(
		gpudx_parser_lspci.bid(test_head(&h, "some text\nwithout any device\n", "lspci")),
		0);
	assert_int_equal(gpudx_parser_lspci_tree.bid(test_head(&h, "-[0000:00]-+-00.0  X\n", "")),
			 80);
	assert_int_equal(
		gpudx_parser_lspci_tree.bid(test_head(&h, "   |   \\-01.0-[02]----00.0\n", "")),
		60);
	assert_int_equal(gpudx_parser_lspci_tree.bid(test_head(&h, "+-----+-----+\n", "")), 0);
}

/* ---- configuration space ---- */

static void put_row(struct gpudx_pci_config *c, unsigned at, const uint8_t bytes[16])
{
	memcpy(c->bytes + at, bytes, 16);
	c->have |= 1u << (at / 16);
	c->line[at / 16] = 100 + at / 16;
}

static struct gpudx_device blank_device(void)
{
	return (struct gpudx_device){ .class_id = UINT32_MAX,
				      .vendor_id = UINT32_MAX,
				      .device_id = UINT32_MAX,
				      .secondary_bus = -1,
				      .subordinate_bus = -1 };
}

/* A header whose capabilities begin at first. */
static struct gpudx_pci_config config_with(uint8_t first)
{
	struct gpudx_pci_config c = { .have = 0 };
	uint8_t row[4][16] = { { 0xde, 0x10, 0x30, 0x23, 7, 4, 0x10, 0, 0xa1, 0, 2, 3 },
			       { 0 },
			       { 0 },
			       { 0, 0, 0, 0, first } };

	for (unsigned i = 0; i < 4; i++)
		put_row(&c, i * 16, row[i]);
	return c;
}

static void decodes_the_link_out_of_the_dump(void **state)
{
	struct gpudx_pci_config c = config_with(0x60);
	struct gpudx_device d = blank_device();
	/* version 2, endpoint; LnkCap 32 GT/s x16; LnkSta 16 GT/s x8; LnkCtl2 32 GT/s */
	const uint8_t exp[4][16] = { { 0x10, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x05, 0x01, 0, 0 },
				     { 0, 0, 0x84, 0 },
				     { 0 },
				     { 5, 0 } };

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		put_row(&c, 0x60 + i * 16, exp[i]);
	gpudx_pci_config_fill(&c, &d);
	assert_int_equal(d.vendor_id, 0x10de);
	assert_int_equal(d.device_id, 0x2330);
	assert_int_equal(d.class_id, 0x0302);
	assert_string_equal(d.port_type.p, "Endpoint");
	assert_int_equal(d.cap_width, 16);
	assert_int_equal(d.sta_width, 8);
	assert_true(d.cap_gts > 31.9 && d.cap_gts < 32.1);
	assert_true(d.sta_gts > 15.9 && d.sta_gts < 16.1);
	assert_true(d.target_gts > 31.9);
	assert_int_equal(d.line_cap, 106);
	assert_int_equal(d.line_sta, 107);
}

static void survives_lists_that_loop_or_leave_the_dump(void **state)
{
	const uint8_t itself[16] = { 5, 0x60 }, other[16] = { 5, 0x44 };
	const uint8_t places[] = { 0x00, 0x3c, 0x60, 0x64, 0xfc, 0xff };

	(void)state;
	for (size_t i = 0; i < sizeof(places); i++) {
		struct gpudx_pci_config c = config_with(places[i]);
		struct gpudx_device d = blank_device();

		put_row(&c, 0x60, itself);
		put_row(&c, 0x40, other);
		gpudx_pci_config_fill(&c, &d);
		assert_int_equal(d.cap_width, 0);
		assert_null(d.port_type.p);
	}
}

static void does_not_overrule_the_text(void **state)
{
	struct gpudx_pci_config c = config_with(0x60);
	struct gpudx_device d = blank_device();
	const uint8_t exp[2][16] = { { 0x10, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x05, 0x01, 0, 0 },
				     { 0, 0, 0x84, 0 } };

	(void)state;
	put_row(&c, 0x60, exp[0]);
	put_row(&c, 0x70, exp[1]);
	d.sta_width = 4;
	d.line_sta = 9; /* "Speed unknown, Width x4": only the speed is missing */
	gpudx_pci_config_fill(&c, &d);
	assert_int_equal(d.sta_width, 4);
	assert_int_equal(d.line_sta, 9);
	assert_true(d.sta_gts > 15.9);
}

static void reads_all_ones_as_no_answer(void **state)
{
	struct gpudx_pci_config c = { .have = 0 };
	struct gpudx_device d = blank_device();
	uint8_t ones[16];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	put_row(&c, 0, ones);
	gpudx_pci_config_fill(&c, &d);
	assert_true(d.dead);
	assert_int_equal(d.vendor_id, UINT32_MAX);
}

static void takes_whole_rows_only(void **state)
{
	static const char *const bad[] = { "00: de 10",
					   "05: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
					   "00: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
					   "00: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 0g",
					   "0000: 00",
					   "" };
	struct gpudx_pci_config c = { .have = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(gpudx_pci_config_row(&c, sv_str(bad[i]), 1));
	assert_int_equal(c.have, 0);
	assert_true(gpudx_pci_config_row(
		&c, SV_LIT("f0: 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f"), 7));
	assert_int_equal(c.bytes[0xff], 0x0f);
	assert_true(gpudx_pci_config_row(
		&c, SV_LIT("ff0: 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f"), 8));
	assert_int_equal(c.have, 0x8000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_device_line_in_every_spelling),
		cmocka_unit_test(takes_only_nvidia_display_functions_for_gpus),
		cmocka_unit_test(does_not_take_log_lines_for_devices),
		cmocka_unit_test(bids_high_on_a_list_and_less_on_an_excerpt),
		cmocka_unit_test(decodes_the_link_out_of_the_dump),
		cmocka_unit_test(survives_lists_that_loop_or_leave_the_dump),
		cmocka_unit_test(does_not_overrule_the_text),
		cmocka_unit_test(reads_all_ones_as_no_answer),
		cmocka_unit_test(takes_whole_rows_only),
	};

	return cmocka_run_group_tests_name("lspci", tests, NULL, NULL);
}
