/* Reads one member: lines to parsers, parts where formats change, texts of lines worth keeping. */
#ifndef GPUDX_MEMBER_H
#define GPUDX_MEMBER_H

#include "bundle/bundle.h"
#include "ingest/recorder.h"
#include "ingest/sniff.h"

/* What all members of a run share. */
struct gpudx_run {
	struct gpudx_store *store;
	struct gpudx_recorder recorder;
	struct gpudx_sniffer sniffer;
	struct gpudx_ids ids;
	struct gpudx_arena arena; /* of the member at hand; .limit set */
	int64_t bundle;
	gpudx_find_fn *find; /* signature finder, with its argument */
	const void *find_arg;
	uint32_t members, unread;
};

/* Reads m into the store and writes its source rows. sha256 may be NULL. */
GPUDX_CHECK enum gpudx_status gpudx_member_read(struct gpudx_run *run, const struct gpudx_member *m,
						struct gpudx_err *err);

#endif
