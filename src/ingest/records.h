/* Lines of logs as collectors and their search pages write them: a JSON object or a row of CSV each,
 * with the line itself, its time and its host in fields whose names depend on the maker. They become
 * lines that carry.h reads (GPUDX_BY_RECORD).
 *
 *	{"@timestamp":"2024-05-11T10:00:01.1Z","host":{"name":"node01"},"message":"..."}   Beats
 *	{"log":"...\n","stream":"stdout","time":"2025-01-12T00:38:20.7Z","kubernetes":{"host":...}}
 *	[{"timestamp":"...","textPayload":"...","resource":{"labels":{"node_name":"node01"}}},...]
 *	{"stream":{"node":"node01"},"values":[["1718100000000000000","..."],...]}          Loki
 *	"_time",host,source,"_raw"                                                       Splunk; also with tabs or semicolons */
#ifndef GPUDX_RECORDS_H
#define GPUDX_RECORDS_H

#include "base/buf.h"
#include "base/json.h"

enum { GPUDX_RECORD_WORD = 128, GPUDX_RECORD_COLUMNS = 64 };

struct gpudx_record_word {
	unsigned rank; /* of the field's name: the lowest counts; 0 nothing yet */
	size_t n;
	char p[GPUDX_RECORD_WORD];
};

/* Zeroed, but for the limits of the buffers. */
struct gpudx_records {
	struct gpudx_json json;
	unsigned depth; /* of the record at hand */
	struct gpudx_record_word time, host, stream_host;
	unsigned message_rank;
	struct gpudx_buf message;
	struct gpudx_buf row; /* CSV: of a row that goes on in the next line */
	int col_time, col_host, col_message;
	char separator; /* of its columns */
	bool headed;
};

/* Whether a text that begins so is of such records. */
bool gpudx_records_are_json(struct gpudx_sv head);
bool gpudx_records_are_csv(struct gpudx_sv head);

/* The records that end in this line, one behind the other, divided by carriage returns. */
void gpudx_records_json(struct gpudx_records *r, struct gpudx_sv line, struct gpudx_buf *out);
void gpudx_records_csv(struct gpudx_records *r, struct gpudx_sv line, struct gpudx_buf *out);

void gpudx_records_free(struct gpudx_records *r);

#endif
