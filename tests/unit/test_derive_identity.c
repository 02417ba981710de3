#include "derive_case.h"

static void source(struct gpudx_store *s, int id, const char *path, const char *parser)
{
	run_sqlf(s,
		 "INSERT INTO source(id, bundle_id, path, parser, status, src_clock)"
		 " VALUES(%d, 1, %Q, %Q, 'read', %Q)",
		 id, path, parser, sqlite3_stricmp(parser, "kernel-log") ? "none" : "boot");
}

#define REF                                                                                     \
	"INSERT INTO gpu_ref(id, source_id, src_boot, idx, uuid, serial, bdf, gi, ci, placed, " \
	"line_id) VALUES"
#define DEVICE                                                                                     \
	"INSERT INTO pci_device(id, source_id, ref_id, bdf, class_id, vendor_id, device_id, name," \
	" driver, secondary_bus, subordinate_bus, cap_gts, cap_width, sta_gts, sta_width, dead,"   \
	" denied, line_id) VALUES"
#define EVENT                                                                                     \
	"INSERT INTO event(id, source_id, ref_id, src_boot, kind, code, t_raw_us, t_kind, text, " \
	"line_id) VALUES"
#define GPUS "SELECT key, label, idx, uuid, bdf FROM gpu ORDER BY id"
#define REFS                                                                                    \
	"SELECT r.id, g.label, r.confidence FROM gpu_ref r LEFT JOIN gpu g ON g.id = r.gpu_id " \
	"ORDER BY r.id"

/* Two boots of a log: addresses of the one before and of the last. */
static void two_boots(struct gpudx_store *s, int source_id)
{
	run_sqlf(s,
		 "INSERT INTO clock_anchor(source_id, src_boot, kind, mono_us, local_us,"
		 " line_id) VALUES"
		 "(%d, 0, 'two_stamps', 1000000, 1700000000000000, 1), (%d, 1, 'two_stamps',"
		 " 1000000, 1700009000000000, 2);" SPAN
		 "(%d, 0, 'boot', 0, 9000000), (%d, 1, 'boot', 0, 9000000)",
		 source_id, source_id, source_id, source_id);
}

static void uuid_address_and_index_meet_in_one_gpu(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-table");
	source(s, 2, "nvidia-smi-L.txt", "smi-list");
	source(s, 3, "dmesg", "kernel-log");
	source(s, 4, "dmon.txt", "smi-dmon");
	source(s, 5, "lspci.txt", "lspci");
	run_sql(s, REF "(1, 1, 0, 0, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 11),"
		       "(2, 2, 0, 0, 'GPU-aa', NULL, NULL, NULL, NULL, 0, 12),"
		       "(3, 3, 0, NULL, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 13),"
		       "(4, 4, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 14),"
		       "(5, 5, 0, NULL, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 15)");
	derive(s);
	expect_rows(s, GPUS, "host/0000:3b:00.0 GPU 0 0 GPU-aa 0000:3b:00.0");
	expect_rows(s, REFS,
		    "1 GPU 0 0.95 / 2 GPU 0 0.95 / 3 GPU 0 0.95 / 4 GPU 0 0.85 / 5 GPU 0 0.95");
	expect_rows(s, "SELECT kind, value FROM gpu_name ORDER BY kind",
		    "bdf 0000:3b:00.0 / index 0 / uuid GPU-aa");
}

static void spellings_of_uuid_do_not_matter(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "a", "smi-q");
	source(s, 2, "b", "smi-query-csv");
	run_sql(s, REF "(1, 1, 0, NULL, 'GPU-AA11', NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 2, 0, NULL, 'GPU-aa11', NULL, NULL, NULL, NULL, 0, 2)");
	derive(s);
	expect_rows(s, "SELECT count(*) FROM gpu", "1");
}

static void only_the_index_of_nvidia_smi_counts(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-table");
	source(s, 2, "train.log", "app-log");
	run_sql(s, REF "(1, 1, 0, 0, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 1, 0, 1, NULL, NULL, '0000:86:00.0', NULL, NULL, 0, 2),"
		       "(3, 2, 0, 1, NULL, NULL, NULL, NULL, NULL, 0, 3)");
	derive(s);
	expect_rows(s, REFS, "1 GPU 0 0.95 / 2 GPU 1 0.95 / 3 - -");
	expect_rows(s, "SELECT how FROM gpu_ref WHERE id = 3", "fits no GPU that is known");
}

/* Alone, and beside what says more; a program's device number is none of them. */
static void indexes_of_dcgm_and_collect_env_are_nvmls(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "diag.json", "dcgmi-diag-json");
	source(s, 2, "env.txt", "collect-env");
	source(s, 3, "nvidia-smi.txt", "smi-table");
	source(s, 4, "train.log", "app-log");
	run_sql(s, REF "(1, 1, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 1),"
		       "(2, 1, 0, 2, NULL, NULL, NULL, NULL, NULL, 0, 2),"
		       "(3, 2, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 3),"
		       "(4, 3, 0, 2, NULL, NULL, '0000:86:00.0', NULL, NULL, 0, 4),"
		       "(5, 4, 0, 2, NULL, NULL, NULL, NULL, NULL, 0, 5)");
	derive(s);
	expect_rows(s, GPUS, "host/gpu0 GPU 0 0 - - / host/0000:86:00.0 GPU 2 2 - 0000:86:00.0");
	expect_rows(s, REFS, "1 GPU 0 0.85 / 2 GPU 2 0.85 / 3 GPU 0 0.85 / 4 GPU 2 0.95 / 5 - -");
}

/* A page of metrics knows index and UUID, the table index and address. */
static void indexes_of_exporters_are_nvmls(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "metrics.prom", "prometheus");
	source(s, 2, "nvidia-smi.txt", "smi-table");
	run_sql(s, REF "(1, 1, 0, 0, 'GPU-aa', NULL, NULL, NULL, NULL, 0, 1),"
		       "(2, 1, 0, 1, 'GPU-bb', NULL, NULL, NULL, NULL, 0, 2),"
		       "(3, 2, 0, 0, NULL, NULL, '0000:53:00.0', NULL, NULL, 0, 3),"
		       "(4, 2, 0, 1, NULL, NULL, '0000:64:00.0', NULL, NULL, 0, 4)");
	derive(s);
	expect_rows(s, GPUS,
		    "host/0000:53:00.0 GPU 0 0 GPU-aa 0000:53:00.0 / "
		    "host/0000:64:00.0 GPU 1 1 GPU-bb 0000:64:00.0");
}

static void a_trace_without_index_is_of_the_only_gpu(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-table");
	source(s, 2, "trace.csv", "smi-query-csv");
	source(s, 3, "q-power.txt", "smi-q");
	run_sql(s, REF "(1, 1, 0, 3, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 2, 0, 0, NULL, NULL, NULL, NULL, NULL, 1, 2),"
		       "(3, 3, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0, 3)");
	derive(s);
	expect_rows(s, REFS, "1 GPU 3 0.95 / 2 GPU 3 0.5 / 3 GPU 3 0.5");
	expect_rows(s, "SELECT DISTINCT how FROM gpu_ref WHERE id > 1", "the only GPU of the host");
}

static void a_trace_without_index_is_of_no_gpu_among_several(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-table");
	source(s, 2, "trace.csv", "smi-query-csv");
	source(s, 3, "q-power.txt", "smi-q");
	run_sql(s, REF "(1, 1, 0, 0, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 1, 0, 1, NULL, NULL, '0000:86:00.0', NULL, NULL, 0, 2),"
		       "(3, 2, 0, 0, NULL, NULL, NULL, NULL, NULL, 1, 3),"
		       "(4, 3, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0, 4);"
		       "INSERT INTO fact(source_id, ref_id, src_boot, key, value, line_id) "
		       "VALUES(3, 4, 0, 'power.limit_w', '300', 5)");
	derive(s);
	expect_rows(s, REFS, "1 GPU 0 0.95 / 2 GPU 1 0.95 / 3 - - / 4 - -");
	/* What is said of an unknown GPU is not said of the host. */
	expect_rows(s, "SELECT count(*) FROM contract", "0");
	expect_rows(s, "SELECT count(*) FROM coverage WHERE what = 'fact.power.limit_w'", "0");
}

static void a_poll_of_all_gpus_shows_them_in_order(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-table");
	source(s, 2, "trace.csv", "smi-query-csv");
	run_sql(s, REF "(1, 1, 0, 0, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 1, 0, 1, NULL, NULL, '0000:86:00.0', NULL, NULL, 0, 2),"
		       "(3, 2, 0, 0, NULL, NULL, NULL, NULL, NULL, 1, 3),"
		       "(4, 2, 0, 1, NULL, NULL, NULL, NULL, NULL, 1, 4)");
	derive(s);
	expect_rows(s, REFS, "1 GPU 0 0.95 / 2 GPU 1 0.95 / 3 GPU 0 0.7 / 4 GPU 1 0.7");
}

static void a_trace_alone_is_of_gpus(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "trace.csv", "smi-query-csv");
	run_sql(s, REF "(1, 1, 0, 0, NULL, NULL, NULL, NULL, NULL, 1, 1), (2, 1, 0, 1, NULL, NULL, "
		       "NULL, NULL, NULL, 1, 2)");
	derive(s);
	expect_rows(s, "SELECT key, label, idx, how FROM gpu",
		    "host/gpu0 GPU 0 0 place in the poll / host/gpu1 GPU 1 1 place in the poll");
}

static void an_excerpt_alone_is_of_some_gpu(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "q-power.txt", "smi-q");
	source(s, 2, "lspci.txt", "lspci");
	run_sql(s, REF "(1, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1), (2, 2, 0, NULL, NULL, "
		       "NULL, NULL, NULL, NULL, 0, 2)");
	derive(s);
	expect_rows(s, "SELECT key, label, how FROM gpu",
		    "host/gpu0 GPU gpu0 nothing identifies it");
	expect_rows(s, REFS, "1 GPU gpu0 0.5 / 2 GPU gpu0 0.5");
}

static void indexes_meet_addresses_when_there_are_as_many(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "lspci.txt", "lspci");
	source(s, 2, "trace.csv", "smi-query-csv");
	run_sql(s, REF "(1, 1, 0, NULL, NULL, NULL, '10000:01:00.0', NULL, NULL, 0, 1),"
		       "(2, 1, 0, NULL, NULL, NULL, '0000:86:00.0', NULL, NULL, 0, 2),"
		       "(3, 2, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 3), (4, 2, 0, 1, NULL, NULL, "
		       "NULL, NULL, NULL, 0, 4)");
	derive(s);
	expect_rows(s, "SELECT label, bdf FROM gpu", "GPU 0 0000:86:00.0 / GPU 1 10000:01:00.0");
	expect_rows(s, REFS, "1 GPU 1 0.5 / 2 GPU 0 0.5 / 3 GPU 0 0.85 / 4 GPU 1 0.85");
	run_sql(s, "DELETE FROM gpu_ref WHERE id = 4");
	derive(s);
	expect_rows(s, "SELECT label, bdf FROM gpu",
		    "GPU 0 - / GPU 86:00.0 0000:86:00.0 / GPU 10000:01:00.0 10000:01:00.0");
}

/* nvidia-smi -L names no addresses, the kernel names those that it found on the bus. */
static void a_list_meets_the_addresses_that_the_kernel_found(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi-L.txt", "smi-list");
	source(s, 2, "dmesg", "kernel-log");
	run_sql(s, REF "(1, 1, 0, 0, 'GPU-aa', NULL, NULL, NULL, NULL, 0, 11),"
		       "(2, 1, 0, 1, 'GPU-bb', NULL, NULL, NULL, NULL, 0, 12),"
		       "(3, 2, 0, NULL, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 13),"
		       "(4, 2, 0, NULL, NULL, NULL, '0000:05:00.0', NULL, NULL, 0, 14);" EVENT
		       "(1, 2, 3, 0, 'kernel.gpu_found', NULL, 1, 'boot', 'a', 21),"
		       "(2, 2, 4, 0, 'kernel.gpu_found', NULL, 2, 'boot', 'b', 22),"
		       "(3, 2, 4, 0, 'xid', 79, 3, 'boot', 'c', 23)");
	derive(s);
	expect_rows(s, GPUS,
		    "host/0000:05:00.0 GPU 0 0 GPU-aa 0000:05:00.0 / "
		    "host/0000:3b:00.0 GPU 1 1 GPU-bb 0000:3b:00.0");
	expect_rows(s, REFS, "1 GPU 0 0.95 / 2 GPU 1 0.95 / 3 GPU 1 0.5 / 4 GPU 0 0.5");
}

/* It may be passed through to a guest. */
static void an_address_that_only_the_kernel_found_makes_no_gpu(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-table");
	source(s, 2, "dmesg", "kernel-log");
	run_sql(s, REF "(1, 1, 0, 0, NULL, NULL, '0000:05:00.0', NULL, NULL, 0, 11),"
		       "(2, 2, 0, NULL, NULL, NULL, '0000:05:00.0', NULL, NULL, 0, 12),"
		       "(3, 2, 0, NULL, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 13);" EVENT
		       "(1, 2, 2, 0, 'kernel.gpu_found', NULL, 1, 'boot', 'a', 21),"
		       "(2, 2, 3, 0, 'kernel.gpu_found', NULL, 2, 'boot', 'b', 22)");
	derive(s);
	expect_rows(s, GPUS, "host/0000:05:00.0 GPU 0 0 - 0000:05:00.0");
}

static void a_log_address_is_the_only_gpu_whose_address_nobody_printed(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi-L.txt", "smi-list");
	source(s, 2, "dmesg", "kernel-log");
	run_sql(s, REF "(1, 1, 0, 0, 'GPU-aa', NULL, NULL, NULL, NULL, 0, 1), (2, 2, 0, NULL, "
		       "NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 2)");
	derive(s);
	expect_rows(s, GPUS, "host/0000:3b:00.0 GPU 0 0 GPU-aa 0000:3b:00.0");
	run_sql(s, REF "(3, 1, 0, 1, 'GPU-bb', NULL, NULL, NULL, NULL, 0, 3)");
	derive(s);
	expect_rows(s, GPUS, "host/GPU-aa GPU 0 0 GPU-aa - / host/GPU-bb GPU 1 1 GPU-bb -");
	expect_rows(s, REFS, "1 GPU 0 0.95 / 2 - - / 3 GPU 1 0.95");
}

static void a_gpu_that_fell_out_of_the_listing_is_still_one(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-table");
	source(s, 2, "dmesg", "kernel-log");
	run_sql(s, REF "(1, 1, 0, 0, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 2, 0, NULL, NULL, NULL, '0000:86:00.0', NULL, NULL, 0, 2)");
	derive(s);
	expect_rows(s, "SELECT label FROM gpu", "GPU 0 / GPU 86:00.0");
}

/* Three cards today; before the reboot the buses were numbered otherwise. */
static void renumbered_buses_make_no_new_gpus(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-table");
	source(s, 2, "kern.log", "kernel-log");
	two_boots(s, 2);
	run_sql(s, REF "(1, 1, 0, 0, 'GPU-aa', NULL, '0000:0a:00.0', NULL, NULL, 0, 1),"
		       "(2, 1, 0, 1, 'GPU-bb', NULL, '0000:0b:00.0', NULL, NULL, 0, 2),"
		       "(3, 1, 0, 2, 'GPU-cc', NULL, '0000:0f:00.0', NULL, NULL, 0, 3),"
		       "(4, 2, 0, NULL, NULL, NULL, '0000:0c:00.0', NULL, NULL, 0, 4),"
		       "(5, 2, 0, NULL, NULL, NULL, '0000:0b:00.0', NULL, NULL, 0, 5),"
		       "(6, 2, 0, NULL, 'GPU-cc', NULL, '0000:09:00.0', NULL, NULL, 0, 6),"
		       "(7, 2, 1, NULL, NULL, NULL, '0000:0f:00.0', NULL, NULL, 0, 7);" EVENT
		       "(1, 2, 4, 0, 'xid', 79, 5000000, 'boot', 'Xid (PCI:0000:0c:00): 79', 11),"
		       "(2, 2, 6, 0, 'xid', 79, 5000100, 'boot', 'Xid (PCI:0000:09:00): 79', 12),"
		       "(3, 2, 7, 1, 'xid', 79, 5000000, 'boot', 'Xid (PCI:0000:0f:00): 79', 13)");
	derive(s);
	expect_rows(s, "SELECT label, bdf FROM gpu",
		    "GPU 0 0000:0a:00.0 / GPU 1 0000:0b:00.0 / GPU 2 0000:0f:00.0");
	/* 0b of the old boot is no known seat: that boot does not fit. */
	expect_rows(s,
		    "SELECT r.id, g.label FROM gpu_ref r LEFT JOIN gpu g ON g.id = r.gpu_id"
		    " WHERE r.id > 3 ORDER BY 1",
		    "4 - / 5 - / 6 GPU 2 / 7 GPU 2");
	expect_rows(s,
		    "SELECT e.id, e.gpu_id IS NULL, b.seq FROM event e JOIN boot b"
		    " ON b.id = e.boot_id ORDER BY 1",
		    "1 1 -1 / 2 0 -1 / 3 0 0");
	expect_rows(s,
		    "SELECT b.seq, n.value FROM gpu_name n JOIN boot b ON b.id = n.boot_id"
		    " JOIN gpu g ON g.id = n.gpu_id WHERE g.idx = 2 AND n.kind = 'bdf' ORDER BY 1",
		    "-1 0000:09:00.0 / 0 0000:0f:00.0");
}

static void an_older_boot_whose_addresses_fit_has_the_same_cards(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-table");
	source(s, 2, "kern.log", "kernel-log");
	two_boots(s, 2);
	run_sql(s, REF "(1, 1, 0, 0, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 1, 0, 1, NULL, NULL, '0000:86:00.0', NULL, NULL, 0, 2),"
		       "(3, 2, 0, NULL, NULL, NULL, '0000:86:00.0', NULL, NULL, 0, 3)");
	derive(s);
	expect_rows(s, REFS, "1 GPU 0 0.95 / 2 GPU 1 0.95 / 3 GPU 1 0.7");
}

/* Two cards change places over a reboot, a third one is only named, and two are mere addresses. */
static void seats_are_kept_with_card_boot_and_time(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi-q.txt", "smi-q");
	source(s, 2, "kern.log", "kernel-log");
	source(s, 3, "nvidia-smi-L.txt", "smi-list");
	two_boots(s, 2);
	run_sql(s, REF "(1, 1, 0, 0, 'GPU-aa', '1001', '0000:3b:00.0', NULL, NULL, 0, 11),"
		       "(2, 1, 0, 1, 'GPU-bb', '1002', '0000:86:00.0', NULL, NULL, 0, 12),"
		       "(3, 2, 0, NULL, 'GPU-bb', NULL, '0000:3b:00.0', NULL, NULL, 0, 13),"
		       "(4, 2, 0, NULL, 'GPU-aa', NULL, '0000:86:00.0', NULL, NULL, 0, 14),"
		       "(5, 2, 0, NULL, NULL, NULL, '0000:af:00.0', NULL, NULL, 0, 15),"
		       "(6, 3, 0, NULL, 'GPU-cc', NULL, NULL, NULL, NULL, 0, 16),"
		       "(7, 2, 0, NULL, NULL, NULL, '0000:b1:00.0', NULL, NULL, 0, 17)");
	derive(s);
	expect_rows(s,
		    "SELECT boot_seq, bdf, serial, uuid, to_us - from_us, line_id FROM seat"
		    " ORDER BY boot_seq, bdf",
		    "-1 0000:3b:00.0 1002 GPU-bb 9000000000 13 / "
		    "-1 0000:86:00.0 1001 GPU-aa 9000000000 14 / "
		    "-1 0000:af:00.0 - - 9000000000 15 / "
		    "-1 0000:b1:00.0 - - 9000000000 17 / "
		    "0 - - GPU-cc - 16 / "
		    "0 0000:3b:00.0 1001 GPU-aa - 11 / "
		    "0 0000:86:00.0 1002 GPU-bb - 12");
}

static void another_uuid_on_a_seat_of_today_is_a_card_that_was_taken_out(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-q");
	source(s, 2, "kern.log", "kernel-log");
	two_boots(s, 2);
	run_sql(s, REF "(1, 1, 0, 0, 'GPU-new', NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 2, 0, NULL, 'GPU-old', NULL, '0000:3b:00.0', NULL, NULL, 0, 2)");
	derive(s);
	expect_rows(s, GPUS,
		    "host/0000:3b:00.0 GPU 0 0 GPU-new 0000:3b:00.0 / host/GPU-old GPU 3b:00.0 - "
		    "GPU-old -");
	expect_rows(s,
		    "SELECT n.gpu_id, b.seq FROM gpu_name n JOIN boot b ON b.id = n.boot_id"
		    " WHERE value = '0000:3b:00.0' ORDER BY 2",
		    "2 -1 / 1 0");
}

static void a_serial_number_finds_the_card_in_another_boot_unless_its_board_has_two(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-q");
	source(s, 2, "kern.log", "kernel-log");
	two_boots(s, 2);
	run_sql(s, REF "(1, 1, 0, 0, NULL, '0320', '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 2, 0, NULL, NULL, '0320', '0000:41:00.0', NULL, NULL, 0, 2)");
	derive(s);
	expect_rows(s, REFS, "1 GPU 0 0.95 / 2 GPU 0 0.85");
	run_sql(s, REF "(3, 1, 0, 1, NULL, '0320', '0000:3c:00.0', NULL, NULL, 0, 3)");
	derive(s);
	expect_rows(s, REFS, "1 GPU 0 0.95 / 2 - - / 3 GPU 1 0.95");
}

static void a_board_with_two_gpus_has_two_gpus(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log");
	run_sql(s, REF "(1, 1, 0, NULL, 'GPU-aa', '0322', '0000:05:00.0', NULL, NULL, 0, 1),"
		       "(2, 1, 0, NULL, NULL, '0999', '0000:05:00.0', NULL, NULL, 0, 2),"
		       "(3, 1, 0, NULL, 'GPU-bb', '0322', '0000:06:00.0', NULL, NULL, 0, 3);" EVENT
		       "(1, 1, 1, 0, 'xid', 79, 44643002804, 'boot', 'a', 11), (2, 1, 3, 0, 'xid', "
		       "79, 44643102866, 'boot', 'b', 12)");
	derive(s);
	expect_rows(s, "SELECT label, serial FROM gpu", "GPU 05:00.0 0322 / GPU 06:00.0 0322");
	expect_rows(s, "SELECT events, gpus, gpu_id FROM incident", "2 2 -");
}

static void slices_belong_to_their_parent(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi-L.txt", "smi-list");
	source(s, 2, "nvidia-smi.txt", "smi-table");
	source(s, 3, "dmesg", "kernel-log");
	source(s, 4, "app.csv", "smi-query-csv");
	run_sql(s,
		REF "(1, 1, 0, 0, 'GPU-aa', NULL, NULL, NULL, NULL, 0, 1),"
		    "(2, 2, 0, 0, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 2),"
		    "(3, 3, 0, NULL, NULL, NULL, '0000:3b:00.0', 2, 0, 0, 3),"
		    "(4, 3, 0, NULL, NULL, NULL, '0000:3b:00.0', 5, NULL, 0, 4),"
		    "(5, 4, 0, NULL, 'MIG-GPU-aa/1/0', NULL, NULL, NULL, NULL, 0, 5),"
		    "(6, 4, 0, NULL, 'MIG-77', NULL, NULL, NULL, NULL, 0, 6);"
		    "INSERT INTO gpu_instance(id, ref_id, gi, ci, profile, uuid, line_id) VALUES"
		    "(1, 1, 1, 0, '1g.5gb', 'MIG-GPU-aa/1/0', 1), (2, 1, 2, 0, '1g.5gb', NULL, 1),"
		    "(3, 2, 1, 0, NULL, NULL, 2), (4, 2, 2, 0, NULL, 'MIG-77', 2);"
		    "INSERT INTO process_sample(ref_id, seq, pid, gi, ci, line_id) VALUES"
		    "(2, 0, 4242, 2, 0, 9)");
	derive(s);
	expect_rows(s, "SELECT count(*) FROM gpu", "1");
	expect_rows(
		s,
		"SELECT id, gi, ci, profile, uuid FROM gpu_instance WHERE gpu_id = 1 ORDER BY gi",
		"1 1 0 1g.5gb MIG-GPU-aa/1/0 / 2 2 0 1g.5gb MIG-77 / 5 5 - - -");
	expect_rows(s, "SELECT id, gpu_id, instance_id FROM gpu_ref ORDER BY id",
		    "1 1 - / 2 1 - / 3 1 2 / 4 1 5 / 5 1 1 / 6 1 2");
	expect_rows(s, "SELECT gpu_id, instance_id FROM process_sample", "1 2");
}

/* The list has the profiles, the table the ids; both go by the number of the MIG device. */
static void lists_and_tables_name_the_same_slices(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi-L.txt", "smi-list");
	source(s, 2, "nvidia-smi.txt", "smi-table");
	run_sql(s, REF "(1, 1, 0, 0, 'GPU-aa', NULL, NULL, NULL, NULL, 0, 1),"
		       "(2, 2, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 2),"
		       "(3, 1, 0, 1, 'GPU-bb', NULL, NULL, NULL, NULL, 0, 4),"
		       "(4, 2, 0, 1, NULL, NULL, NULL, NULL, NULL, 0, 5);"
		       "INSERT INTO gpu_instance(id, ref_id, gi, ci, profile, uuid, line_id) VALUES"
		       "(1, 1, NULL, NULL, '3g.20gb', 'MIG-77', 2), (2, 1, NULL, NULL, '2g.10gb', "
		       "'MIG-88', 3),"
		       "(3, 2, 1, 0, NULL, NULL, 20), (4, 2, 5, 0, NULL, NULL, 22),"
		       "(5, 3, NULL, NULL, '7g.40gb', 'MIG-99', 5),"
		       "(6, 4, 1, 0, NULL, NULL, 24), (7, 4, 2, 0, NULL, NULL, 26)");
	derive(s);
	/* GPU 1 was cut anew between the two. */
	expect_rows(s,
		    "SELECT gpu_id, gi, profile, uuid FROM gpu_instance WHERE gpu_id IS NOT NULL"
		    " ORDER BY id",
		    "1 1 3g.20gb MIG-77 / 1 5 2g.10gb MIG-88 / 2 1 - - / 2 2 - -");
}

static void switches_audio_and_guests_devices_are_no_gpus(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "lspci.txt", "lspci");
	source(s, 2, "dmesg", "kernel-log");
	run_sql(s, REF "(1, 1, 0, NULL, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 1, 0, NULL, NULL, NULL, '0000:86:00.0', NULL, NULL, 0, 2),"
		       "(3, 2, 0, NULL, NULL, NULL, '0000:05:00.0', NULL, NULL, 0, 3),"
		       "(4, 2, 0, NULL, NULL, NULL, '0000:3b:00.1', NULL, NULL, 0, 4),"
		       "(5, 2, 0, NULL, NULL, NULL, '0000:07:00.0', NULL, NULL, 0, 5);" DEVICE
		       "(1, 1, 1, '0000:3b:00.0', 770, 4318, 8880, 'NVIDIA GH100 [H100 PCIe]', "
		       "'nvidia', NULL, NULL, 32, 16, 32, 16, 0, 0, 1),"
		       "(2, 1, 2, '0000:86:00.0', 770, 4318, 8880, 'x', 'vfio-pci', NULL, NULL, "
		       "32, 16, 32, 16, 0, 0, 2),"
		       "(3, 1, NULL, '0000:05:00.0', 1664, 4318, 6897, 'switch', NULL, NULL, NULL, "
		       "0, 0, 0, 0, 0, 0, 3),"
		       "(4, 1, NULL, '0000:3b:00.1', 1027, 4318, 1, 'audio', NULL, NULL, NULL, 0, "
		       "0, 0, 0, 0, 0, 4),"
		       "(5, 1, NULL, '0000:90:00.0', 768, 4098, 1, 'other vendor', NULL, NULL, "
		       "NULL, 0, 0, 0, 0, 0, 0, 5),"
		       "(6, 1, NULL, '0000:c1:00.0', 196992, 4318, 8880, 'y', 'nouveau', NULL, "
		       "NULL, 0, 0, 0, 0, 0, 0, 6);" EVENT
		       "(1, 2, 5, 0, 'sxid', 20034, 1000000, 'boot', 'a', 1)");
	derive(s);
	expect_rows(s, "SELECT bdf, name FROM gpu ORDER BY id",
		    "0000:3b:00.0 H100 PCIe / 0000:c1:00.0 y");
	expect_rows(s, "SELECT id, how FROM gpu_ref WHERE gpu_id IS NULL ORDER BY id",
		    "2 no GPU / 3 no GPU / 4 no GPU / 5 no GPU");
	expect_rows(s, "SELECT id, gpu_id FROM pci_device WHERE gpu_id IS NOT NULL ORDER BY id",
		    "1 1 / 6 2");
}

static void the_longest_whole_name_is_the_name(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "nvidia-smi.txt", "smi-table");
	source(s, 2, "nvidia-smi-L.txt", "smi-list");
	run_sql(s, "INSERT INTO kb_gpu_model(model, name_pattern, pci_device_id) "
		   "VALUES('A100-SXM4-80GB', '%A100-SXM4-80GB', 8370), "
		   "('A100', '%A100%', 1);" REF
		   "(1, 1, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 1), (2, 2, 0, 0, NULL, NULL,"
		   " NULL, NULL, NULL, 0, 2);"
		   "INSERT INTO fact(source_id, ref_id, src_boot, key, value, line_id) VALUES"
		   "(1, 1, 0, 'gpu.name', 'NVIDIA A100-SXM4-80GB with a very...', 1), (2, 2, 0,"
		   " 'gpu.name', 'NVIDIA A100-SXM4-80GB', 2),"
		   "(2, 2, 0, 'gpu.minor', '3', 2)");
	derive(s);
	expect_rows(s, "SELECT name, model, minor FROM gpu",
		    "NVIDIA A100-SXM4-80GB A100-SXM4-80GB 3");
	run_sql(s, "DELETE FROM fact WHERE source_id = 2");
	derive(s);
	expect_rows(s, "SELECT name FROM gpu", "NVIDIA A100-SXM4-80GB with a very");
}

static void captures_of_two_times_do_not_share_an_index(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "before/L.txt", "smi-list");
	source(s, 2, "after/L.txt", "smi-list");
	source(s, 3, "after/dmon.txt", "smi-dmon");
	source(s, 4, "other/dmon.txt", "smi-dmon");
	run_sql(s, REF "(1, 1, 0, 0, 'GPU-aa', NULL, NULL, NULL, NULL, 0, 1), (2, 2, 0, 0, "
		       "'GPU-bb', NULL, NULL, NULL, NULL, 0, 2),"
		       "(3, 3, 0, 0, NULL, NULL, NULL, NULL, NULL, 0, 3), (4, 4, 0, 0, NULL, NULL, "
		       "NULL, NULL, NULL, 0, 4)");
	derive(s);
	expect_rows(s, "SELECT a.uuid FROM gpu_ref r JOIN gpu a ON a.id = r.gpu_id WHERE r.id = 3",
		    "GPU-bb");
	expect_rows(s, "SELECT g.uuid FROM gpu_ref r JOIN gpu g ON g.id = r.gpu_id WHERE r.id = 4",
		    "-");
}

static void hosts_never_mix(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "a/smi.txt", "smi-table");
	source(s, 2, "b/smi.txt", "smi-table");
	run_sql(s, "INSERT INTO fact(source_id, src_boot, key, layer, value, line_id) VALUES"
		   "(1, 0, 'host.name', 'uname', 'gpu1', 1), (2, 0, 'host.name', 'uname', 'gpu2',"
		   " 2);" REF "(1, 1, 0, 0, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 1), (2, 2, "
		   "0, 0, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 2)");
	derive(s);
	expect_rows(s, "SELECT key FROM gpu", "gpu1/0000:3b:00.0 / gpu2/0000:3b:00.0");
}

static void logs_alone_make_a_gpu_of_each_address(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "kern.log", "kernel-log");
	two_boots(s, 1);
	run_sql(s, REF "(1, 1, 0, NULL, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"
		       "(2, 1, 0, NULL, NULL, NULL, '0000:86:00.0', NULL, NULL, 0, 2),"
		       "(3, 1, 1, NULL, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 3)");
	derive(s);
	expect_rows(s, "SELECT label FROM gpu", "GPU 3b:00.0 / GPU 86:00.0");
	expect_rows(s, REFS, "1 GPU 3b:00.0 0.7 / 2 GPU 86:00.0 0.95 / 3 GPU 3b:00.0 0.95");
	run_sql(s, "UPDATE gpu_ref SET uuid = 'GPU-aa' WHERE id IN (1, 4);" REF
		   "(4, 1, 1, NULL, 'GPU-aa', NULL, '0000:41:00.0', NULL, NULL, 0, 4)");
	derive(s);
	/* GPU-aa moved: that 86 and 3b are cards of their own is not known of the boot before. */
	expect_rows(s, "SELECT label, uuid FROM gpu ORDER BY id",
		    "GPU 3b:00.0 - / GPU 41:00.0 GPU-aa");
}

static void the_way_up_is_found_in_one_source(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "lspci-v.txt", "lspci");
	source(s, 2, "lspci-vvv.txt", "lspci");
	run_sql(s, REF "(1, 1, 0, NULL, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 1), (2, 2, 0, "
		       "NULL, NULL, NULL, '0000:3b:00.0', NULL, NULL, 0, 2);" DEVICE
		       "(1, 1, 1, '0000:3b:00.0', 770, 4318, 8880, 'x', NULL, NULL, NULL, 32, 16, "
		       "8, 16, 0, 0, 1),"
		       "(2, 2, NULL, '0000:38:01.0', 1540, 4660, 1, 'root port', NULL, 57, 59, 32, "
		       "16, 32, 16, 0, 0, 2),"
		       "(3, 2, NULL, '0000:39:00.0', 1540, 4660, 1, 'upstream', NULL, 58, 59, 32, "
		       "16, 32, 16, 0, 0, 3),"
		       "(4, 2, NULL, '0000:3a:02.0', 1540, 4660, 1, 'downstream', NULL, 59, 59, "
		       "16, 16, 8, 16, 0, 0, 4),"
		       "(5, 2, 2, '0000:3b:00.0', 770, 4318, 8880, 'x', NULL, NULL, NULL, 32, 16, "
		       "8, 16, 0, 0, 5),"
		       "(6, 2, NULL, '0000:00:00.0', 1536, 4660, 1, 'host bridge', NULL, NULL, "
		       "NULL, 0, 0, 0, 0, 0, 0, 6)");
	derive(s);
	expect_rows(s, "SELECT id, parent_id FROM pci_device ORDER BY id",
		    "1 - / 2 - / 3 2 / 4 3 / 5 4 / 6 -");
	expect_rows(s, "SELECT device_id, port_bdf, port_cap_gts FROM link", "5 0000:3a:02.0 16.0");
}

/* Two captures of two swapped cards. */
#define SWAPPED                                                                    \
	REF "(1, 1, 0, 0, 'GPU-aa', NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"      \
	    "(2, 1, 0, 1, 'GPU-bb', NULL, '0000:5e:00.0', NULL, NULL, 0, 2),"      \
	    "(3, 2, 0, 0, 'GPU-bb', NULL, '0000:3b:00.0', NULL, NULL, 0, 1),"      \
	    "(4, 2, 0, 1, 'GPU-aa', NULL, '0000:5e:00.0', NULL, NULL, 0, 2);" SPAN \
	    "(1, 0, 'utc', 1700009500000000, 1700009500000000),"                   \
	    "(2, 0, 'utc', 1700009600000000, 1700009600000000)"

/* The card is where it was seen last, whatever order the files have. */
static void cards_that_moved_between_two_captures_are_the_same_cards(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "new.txt", "smi-q");
	source(s, 2, "old.txt", "smi-q");
	run_sql(s, SWAPPED);
	run_sql(s, "UPDATE source_span SET first_us = 1700000000000000 WHERE source_id = 2");
	derive(s);
	expect_rows(s, "SELECT uuid, bdf FROM gpu ORDER BY uuid",
		    "GPU-aa 0000:3b:00.0 / GPU-bb 0000:5e:00.0");
	expect_rows(s, REFS, "1 GPU 0 0.95 / 2 GPU 1 0.95 / 3 GPU 1 0.95 / 4 GPU 0 0.95");
}

/* The older capture is of the boot before, and so is what stands beside it. */
static void captures_that_contradict_each_other_are_of_two_boots(void **state)
{
	struct gpudx_store *s = *state;

	source(s, 1, "a/q.txt", "smi-q");
	source(s, 2, "b/q.txt", "smi-q");
	source(s, 3, "dmesg", "kernel-log");
	source(s, 4, "a/L.txt", "smi-list");
	run_sql(s, SWAPPED);
	run_sql(s, REF "(5, 4, 0, 0, 'GPU-aa', NULL, NULL, NULL, NULL, 0, 9)");
	two_boots(s, 3);
	derive(s);
	expect_rows(s,
		    "SELECT g.uuid, b.seq, n.value FROM gpu_name n JOIN gpu g ON g.id = n.gpu_id"
		    " JOIN boot b ON b.id = n.boot_id WHERE n.kind = 'bdf' ORDER BY 1, 2",
		    "GPU-aa -1 0000:3b:00.0 / GPU-aa 0 0000:5e:00.0 / GPU-bb -1 0000:5e:00.0 / "
		    "GPU-bb 0 0000:3b:00.0");
	expect_rows(s, "SELECT count(*) FROM swap", "2");
	expect_rows(s,
		    "SELECT b.seq FROM gpu_name n JOIN boot b ON b.id = n.boot_id"
		    " JOIN gpu g ON g.id = n.gpu_id"
		    " WHERE n.kind = 'index' AND n.value = 0 AND g.uuid = 'GPU-aa'",
		    "-1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		case_test(uuid_address_and_index_meet_in_one_gpu),
		case_test(spellings_of_uuid_do_not_matter),
		case_test(only_the_index_of_nvidia_smi_counts),
		case_test(a_trace_without_index_is_of_the_only_gpu),
		case_test(a_trace_without_index_is_of_no_gpu_among_several),
		case_test(a_poll_of_all_gpus_shows_them_in_order),
		case_test(a_trace_alone_is_of_gpus),
		case_test(an_excerpt_alone_is_of_some_gpu),
		case_test(indexes_meet_addresses_when_there_are_as_many),
		case_test(a_list_meets_the_addresses_that_the_kernel_found),
		case_test(an_address_that_only_the_kernel_found_makes_no_gpu),
		case_test(a_log_address_is_the_only_gpu_whose_address_nobody_printed),
		case_test(a_gpu_that_fell_out_of_the_listing_is_still_one),
		case_test(renumbered_buses_make_no_new_gpus),
		case_test(an_older_boot_whose_addresses_fit_has_the_same_cards),
		case_test(another_uuid_on_a_seat_of_today_is_a_card_that_was_taken_out),
		case_test(a_serial_number_finds_the_card_in_another_boot_unless_its_board_has_two),
		case_test(a_board_with_two_gpus_has_two_gpus),
		case_test(slices_belong_to_their_parent),
		case_test(lists_and_tables_name_the_same_slices),
		case_test(switches_audio_and_guests_devices_are_no_gpus),
		case_test(the_longest_whole_name_is_the_name),
		case_test(captures_of_two_times_do_not_share_an_index),
		case_test(cards_that_moved_between_two_captures_are_the_same_cards),
		case_test(captures_that_contradict_each_other_are_of_two_boots),
		case_test(hosts_never_mix),
		case_test(logs_alone_make_a_gpu_of_each_address),
		case_test(the_way_up_is_found_in_one_source),
		case_test(seats_are_kept_with_card_boot_and_time),
		case_test(indexes_of_dcgm_and_collect_env_are_nvmls),
		case_test(indexes_of_exporters_are_nvmls),
	};

	return cmocka_run_group_tests_name("derive_identity", tests, NULL, NULL);
}
