/* One text as the only member of a bundle, read into a case in memory (derive_case.h). */
#ifndef MEMBER_CASE_H
#define MEMBER_CASE_H

#include "derive_case.h"
#include "ingest/match.h"
#include "ingest/member.h"
#include "mem.h"
#include "sig/sig.h"

static inline struct gpudx_store *read_member(const char *path, struct gpudx_sv text)
{
	struct gpudx_store *store = open_case();
	struct gpudx_sigs *sigs;
	struct gpudx_err err = { 0 };
	struct mem_stream m;
	struct gpudx_member member = { .path = sv_str(path),
				       .stream = mem_open(&m, text, 0),
				       .mtime_us = GPUDX_NO_TIME };
	struct gpudx_run run = { .store = store,
				 .sniffer = { .arena = { .limit = 4 << 20 },
					      .match = gpudx_signature_match },
				 .arena = { .limit = 16 << 20 },
				 .bundle = 1,
				 .find = gpudx_prefilter_find };

	assert_int_equal(gpudx_sigs_load(&sigs, &err), GPUDX_OK);
	run.sniffer.match_arg = sigs;
	run.find_arg = gpudx_sigs_filter(sigs);
	gpudx_recorder_init(&run.recorder, store);
	assert_int_equal(gpudx_store_begin(store, &err), GPUDX_OK);
	assert_int_equal(gpudx_member_read(&run, &member, &err), GPUDX_OK);
	if (gpudx_store_end(store, &err))
		fail_msg("%s", err.text[0]);
	gpudx_arena_free(&run.arena);
	gpudx_arena_free(&run.sniffer.arena);
	gpudx_sigs_free(sigs);
	mem_close(&m);
	return store;
}

static inline struct gpudx_store *read_text(const char *text)
{
	return read_member("x.log", sv_str(text));
}

#endif
