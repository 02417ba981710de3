/* Any bytes as a text member: sniffing, parts, recorder, series, rows. The database must hold
 * together afterwards. */
#include "fuzz.h"

#include "base/stamp.h"
#include "ingest/match.h"
#include "ingest/member.h"

static void must_be_none(struct gpudx_store *store, const char *sql)
{
	struct gpudx_err err = { 0 };
	int64_t n = 0;

	must_ok(gpudx_db_int(gpudx_store_db(store), sql, 0, &n, &err), &err);
	must(n == 0, sql);
}

/* What later stages rely on. */
static void check_rows(struct gpudx_store *store)
{
	static const char *const none[] = {
		"SELECT count(*) FROM event_line l WHERE NOT EXISTS(SELECT 1 FROM event e WHERE "
		"e.id = l.event_id)",
		"SELECT count(*) FROM event_attr a WHERE NOT EXISTS(SELECT 1 FROM event e WHERE "
		"e.id = a.event_id)",
		"SELECT count(*) FROM gpu_sample s WHERE NOT EXISTS(SELECT 1 FROM gpu_ref r WHERE "
		"r.id = s.ref_id)",
		"SELECT count(*) FROM gpu_ref r WHERE NOT EXISTS(SELECT 1 FROM source s WHERE s.id "
		"= r.source_id)",
		"SELECT count(*) FROM event e WHERE NOT EXISTS(SELECT 1 FROM line l WHERE l.id = "
		"e.line_id)",
		"SELECT count(*) FROM fact f WHERE NOT EXISTS(SELECT 1 FROM line l WHERE l.id = "
		"f.line_id)",
		"SELECT count(*) FROM reject r WHERE NOT EXISTS(SELECT 1 FROM line l WHERE l.id = "
		"r.line_id)",
		"SELECT count(*) FROM source WHERE taken > lines OR rejected > lines",
		"SELECT count(*) FROM line l WHERE NOT EXISTS(SELECT 1 FROM source s WHERE s.id = "
		"l.id >> 32)",
		("SELECT count(*) FROM gpu_ref WHERE samples <> "
		 "(SELECT count(*) FROM gpu_sample s WHERE s.ref_id = gpu_ref.id)"),
	};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		must_be_none(store, none[i]);
}

static void empty(struct gpudx_store *store)
{
	struct gpudx_err err = { 0 };

	must_ok(gpudx_db_exec(
			gpudx_store_db(store),
			"DELETE FROM source; DELETE FROM line; DELETE FROM reject; DELETE FROM "
			"gpu_ref;"
			"DELETE FROM fact; DELETE FROM event; DELETE FROM event_attr;"
			"DELETE FROM event_line; DELETE FROM process_sample; DELETE FROM "
			"pci_device;"
			"DELETE FROM clock_anchor; DELETE FROM source_span; DELETE FROM "
			"gpu_instance;"
			"DELETE FROM metric; DELETE FROM metric_sample; DELETE FROM gpu_minute;"
			"DELETE FROM gpu_second; DELETE FROM gpu_hist; DELETE FROM gpu_sample",
			&err),
		&err);
}

static struct gpudx_store *the_store(void)
{
	static struct gpudx_store *store;
	struct gpudx_err err = { 0 };

	if (!store) {
		must_ok(gpudx_store_create(NULL, &store, &err), &err);
		must_ok(gpudx_db_exec(gpudx_store_db(store),
				      "INSERT INTO bundle(id, label, digest, members, unread) "
				      "VALUES(1, 'x', '', 0, 0)",
				      &err),
			&err);
	}
	return store;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
	struct gpudx_store *store = the_store();
	struct mem_stream m;
	struct gpudx_member member = { .path = SV("x.log"),
				       .stream = mem_open(&m, sv_n((const char *)p, n), 0),
				       .mtime_us = GPUDX_NO_TIME };
	struct gpudx_run run = { .store = store,
				 .sniffer = { .arena = { .limit = 4 << 20 },
					      .match = gpudx_signature_match,
					      .match_arg = fuzz_sigs() },
				 .arena = { .limit = 16 << 20 },
				 .bundle = 1,
				 .find = gpudx_prefilter_find,
				 .find_arg = gpudx_sigs_filter(fuzz_sigs()) };
	struct gpudx_err err = { 0 };

	gpudx_recorder_init(&run.recorder, store);
	must_ok(gpudx_store_begin(store, &err), &err);
	must_ok(gpudx_member_read(&run, &member, &err), &err);
	must_ok(gpudx_store_end(store, &err), &err);
	check_rows(store);
	empty(store);
	gpudx_arena_free(&run.arena);
	gpudx_arena_free(&run.sniffer.arena);
	mem_close(&m);
	return 0;
}
