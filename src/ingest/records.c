#include "ingest/records.h"

#include "base/stamp.h"
#include "ingest/carry.h"

#include <stdlib.h>

/* ---- names of fields, the surest first ---- */

/* clang-format off */
static const char *const hosts[] = {
	"_HOSTNAME", "host.name", "host.hostname", "hostname", "Hostname", "HOSTNAME", "host", "Host",
	"Computer", "_source.host.name", "_source.host.hostname", "_source.host", "_source.hostname",
	"jsonPayload._HOSTNAME", "jsonPayload.hostname", "jsonPayload.host", "result.host",
	"fields.host", "labels.host", "labels.hostname", "labels.node", "labels.node_name", "labels.nodename",
	"labels.instance", "kubernetes.node.name", "kubernetes.host", "kubernetes.node_name",
	"_source.kubernetes.host", "_source.kubernetes.node.name", "resource.labels.node_name",
	"resource.host.name", "resource.attributes.host.name", "attributes.host.name",
	"resource.labels.instance_id", "node", "node_name", "nodename", "nodeName", "instance", "machine",
	"agent.hostname", "beat.hostname", "agent.name", "tags.host"
};
static const char *const times[] = {
	"@timestamp", "_source.@timestamp", "timestamp", "_time", "result._time", "time", "ts",
	"TimeGenerated", "TimeGenerated [UTC]", "date", "Timestamp", "eventTime", "receiveTimestamp"
};
static const char *const messages[] = {
	"message", "MESSAGE", "_raw", "result._raw", "textPayload", "jsonPayload.MESSAGE",
	"jsonPayload.message", "jsonPayload.msg", "_source.message", "_source.MESSAGE", "_source.log",
	"log", "line", "msg", "Message", "SyslogMessage", "body", "Body", "body.stringValue", "event"
};
/* Where records stand in a document that holds many. */
static const char *const places[] = {
	"[]", "hits.hits[]", "entries[]", "events[]", "records[]", "logs[]", "value[]", "results[]",
	"data[]"
};
/* Loki: labels once, then pairs of a time and a line. */
static const char *const loki_streams[] = { "stream", "data.result[].stream", "result[].stream" };
static const char *const loki_pairs[] = { "values[][]", "data.result[].values[][]",
					  "result[].values[][]" };
static const char *const loki_hosts[] = { "host", "hostname", "Hostname", "node", "node_name",
					  "nodename", "instance", "machine" };
/* clang-format on */

#define COUNT(v) (sizeof(v) / sizeof((v)[0]))

/* The place in a list of names, from 1; 0 not there. */
static unsigned rank_of(struct gpudx_sv name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_is(name, names[i]))
			return (unsigned)i + 1;
	return 0;
}

/* ---- one record ---- */

static void keep(struct gpudx_record_word *w, unsigned rank, struct gpudx_sv value)
{
	if (!rank || (w->rank && w->rank <= rank) || !value.n || value.n > GPUDX_RECORD_WORD)
		return;
	w->rank = rank;
	w->n = value.n;
	memcpy(w->p, value.p, value.n);
}

static struct gpudx_sv view(const struct gpudx_record_word *w)
{
	return sv_n(w->p, w->n);
}

static void clear(struct gpudx_records *r)
{
	r->time.rank = r->host.rank = r->message_rank = 0;
	r->time.n = r->host.n = 0;
	gpudx_buf_clear(&r->message);
}

/* Since 1970 in seconds, milli-, micro- or nanoseconds: no two of them meet within centuries. */
static int64_t epoch_us(double v)
{
	if (!(v > 1e8) || v > 1e20)
		return GPUDX_NO_TIME;
	if (v < 1e11)
		return (int64_t)(v * 1e6);
	if (v < 1e14)
		return (int64_t)(v * 1e3);
	return (int64_t)(v < 1e17 ? v : v / 1e3);
}

/* Without a zone: as UTC, which is what collectors of logs write. */
static int64_t time_of(struct gpudx_sv s)
{
	struct gpudx_stamp t = GPUDX_NO_STAMP;
	struct gpudx_sv c = s;
	int32_t minutes = 0;
	double v;

	if (gpudx_scan_iso(&c, &t))
		return t.t_us;
	if (gpudx_scan_ymd_hms(&c, &t.t_us)) {
		sv_spaces(&c);
		gpudx_scan_offset(&c, &minutes);
		return t.t_us - minutes * GPUDX_MINUTE;
	}
	return sv_decimal(&c, &v) && !c.n ? epoch_us(v) : GPUDX_NO_TIME;
}

/* "node01:9100": an address as Prometheus and its kin name their targets. */
static struct gpudx_sv without_port(struct gpudx_sv host)
{
	struct gpudx_sv c = sv_from(host, sv_index(host, ':'));
	uint64_t port;

	return sv_char(&c, ':') && sv_u64(&c, &port) && !c.n ? sv_first(host, sv_index(host, ':'))
							     : host;
}

/* Each line of the message is a line of its own. */
static void put_record(int64_t t_us, struct gpudx_sv host, struct gpudx_sv message,
		       struct gpudx_buf *out)
{
	struct gpudx_sv line;

	while (sv_line(&message, &line)) {
		if (out->n)
			gpudx_buf_char(out, '\r');
		gpudx_carry_record(out, t_us, without_port(host));
		gpudx_buf_sv(out, line);
	}
}

static void end_record(struct gpudx_records *r, struct gpudx_buf *out)
{
	if (r->message.n)
		put_record(time_of(view(&r->time)), view(&r->host),
			   sv_n(r->message.p, r->message.n), out);
	clear(r);
}

/* ---- JSON ---- */

/* The path inside the record: "host.name" of "hits.hits[].host.name". */
static struct gpudx_sv path_in_record(const struct gpudx_json *j, unsigned depth)
{
	struct gpudx_sv path = gpudx_json_path(j);
	size_t skip = j->level[depth].path_n;

	path = sv_from(path, skip < path.n ? skip : path.n);
	sv_char(&path, '.');
	return path;
}

/* Loki: a label of the stream, or half a pair. */
static bool is_of_loki(struct gpudx_records *r, struct gpudx_buf *out)
{
	struct gpudx_json *j = &r->json;
	struct gpudx_sv path = gpudx_json_path(j), key;

	if (rank_of(path, loki_pairs, COUNT(loki_pairs))) {
		if (gpudx_json_index(j) == 0) {
			r->time = (struct gpudx_record_word){ .n = 0 };
			keep(&r->time, 1, j->text);
		} else if (gpudx_json_index(j) == 1) {
			put_record(time_of(view(&r->time)), view(&r->stream_host), j->text, out);
		}
		return true;
	}
	key = gpudx_json_key(j);
	if (path.n <= key.n + 1 ||
	    !rank_of(sv_first(path, path.n - key.n - 1), loki_streams, COUNT(loki_streams)))
		return false;
	keep(&r->stream_host, rank_of(key, loki_hosts, COUNT(loki_hosts)), j->text);
	return true;
}

static void take_value(struct gpudx_records *r, struct gpudx_buf *out)
{
	struct gpudx_json *j = &r->json;
	struct gpudx_sv path;
	unsigned rank;

	if (j->kind == GPUDX_JSON_STRING && is_of_loki(r, out))
		return;
	path = path_in_record(j, r->depth);
	keep(&r->time, rank_of(path, times, COUNT(times)), j->text);
	if (j->kind != GPUDX_JSON_STRING)
		return;
	keep(&r->host, rank_of(path, hosts, COUNT(hosts)), j->text);
	rank = rank_of(path, messages, COUNT(messages));
	if (!rank || (r->message_rank && r->message_rank <= rank))
		return;
	r->message_rank = rank;
	gpudx_buf_clear(&r->message);
	gpudx_buf_sv(&r->message, j->text);
}

static void json_token(struct gpudx_records *r, struct gpudx_buf *out)
{
	struct gpudx_json *j = &r->json;
	struct gpudx_sv path = gpudx_json_path(j);

	switch (j->kind) {
	case GPUDX_JSON_OBJECT:
		if (!path.n || rank_of(path, places, COUNT(places))) {
			clear(r);
			r->depth = j->depth;
		}
		if (rank_of(path, loki_streams, COUNT(loki_streams)))
			r->stream_host = (struct gpudx_record_word){ .n = 0 };
		break;
	case GPUDX_JSON_OBJECT_END:
		if (!path.n || rank_of(path, places, COUNT(places)))
			end_record(r, out);
		break;
	case GPUDX_JSON_STRING:
	case GPUDX_JSON_NUMBER:
		take_value(r, out);
		break;
	default:
		break;
	}
}

/* A line that is broken costs itself only: the next one begins anew where it begins a record. */
void gpudx_records_json(struct gpudx_records *r, struct gpudx_sv line, struct gpudx_buf *out)
{
	struct gpudx_json *j = &r->json;
	struct gpudx_sv s = sv_trim(line);

	if ((j->error || j->begun) && sv_starts(s, "{\"")) {
		gpudx_json_reset(j);
		clear(r);
	}
	gpudx_json_feed(j, line, true);
	while (gpudx_json_next(j))
		json_token(r, out);
}

static bool has_one_of(struct gpudx_sv head, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_has(head, names[i]))
			return true;
	return false;
}

bool gpudx_records_are_json(struct gpudx_sv head)
{
	static const char *const texts[] = {
		"\"message\":",	    "\"MESSAGE\":", "\"textPayload\":",
		"\"log\":",	    "\"_raw\":",    "\"line\":",
		"\"jsonPayload\":", "\"msg\":",	    "\"SyslogMessage\":"
	};
	static const char *const stamps[] = { "\"@timestamp\":",   "\"timestamp\":", "\"time\":",
					      "\"_time\":",	   "\"ts\":",	     "\"date\":",
					      "\"TimeGenerated\":" };
	static const char *const others[] = { "\"apiVersion\"", "\"@odata", "\"metric\"",
					      "\"dcgm" };
	struct gpudx_sv c = head;

	while (c.n && (sv_is_space(c.p[0]) || c.p[0] == '\n' || c.p[0] == '\r'))
		c = sv_from(c, 1);
	if ((!sv_starts(c, "{") && !sv_starts(c, "[")) || has_one_of(c, others, COUNT(others)))
		return false;
	if (sv_has(c, "\"stream\":") && sv_has(c, "\"values\":"))
		return true;
	return has_one_of(c, texts, COUNT(texts)) && has_one_of(c, stamps, COUNT(stamps));
}

/* ---- CSV ---- */

/* The next cell, unquoted into b; false at the end of the row. */
static bool next_cell(struct gpudx_sv *row, char separator, struct gpudx_buf *b)
{
	bool quoted;

	gpudx_buf_clear(b);
	if (!row->p)
		return false;
	quoted = sv_char(row, '"');
	while (row->n) {
		if (quoted ? row->p[0] == '"' : row->p[0] == separator) {
			if (!quoted || row->n < 2 || row->p[1] != '"')
				break;
			*row = sv_from(*row, 1);
		}
		gpudx_buf_char(b, row->p[0]);
		*row = sv_from(*row, 1);
	}
	if (quoted)
		sv_char(row, '"');
	if (!sv_char(row, separator))
		*row = sv_n(NULL, 0);
	return true;
}

/* No cell that began with a quote is still open; elsewhere a quote is only a sign. */
static bool is_whole(struct gpudx_sv row, char separator)
{
	bool quoted = false,
	     may_open = true; /* where a cell begins, and behind a quote that closed */

	for (size_t i = 0; i < row.n; i++) {
		if (row.p[i] == '"' && (quoted || may_open)) {
			quoted = !quoted;
			may_open = true;
		} else {
			may_open = row.p[i] == separator;
		}
	}
	return !quoted;
}

/* Whichever divides the heading most often. */
static char separator_of(struct gpudx_sv heading)
{
	static const char signs[] = ",\t;";
	size_t n[sizeof(signs)] = { 0 }, best = 0;

	for (size_t i = 0; i < heading.n; i++)
		for (size_t k = 0; signs[k]; k++)
			n[k] += heading.p[i] == signs[k];
	for (size_t k = 1; signs[k]; k++)
		if (n[k] > n[best])
			best = k;
	return signs[best];
}

/* Where the columns are; the surest of each. False when it is no heading of such a table. */
static bool read_heading(struct gpudx_records *r, struct gpudx_sv row)
{
	unsigned best[3] = { 0, 0, 0 };
	int *col[3] = { &r->col_time, &r->col_host, &r->col_message };

	r->col_time = r->col_host = r->col_message = -1;
	sv_lit(&row, "\xef\xbb\xbf");
	r->separator = separator_of(row);
	for (int i = 0; i < GPUDX_RECORD_COLUMNS && next_cell(&row, r->separator, &r->message);
	     i++) {
		struct gpudx_sv name = sv_n(gpudx_buf_cstr(&r->message), r->message.n);
		unsigned rank[3] = { rank_of(name, times, COUNT(times)),
				     rank_of(name, hosts, COUNT(hosts)),
				     rank_of(name, messages, COUNT(messages)) };

		for (int k = 0; k < 3; k++)
			if (rank[k] && (!best[k] || rank[k] < best[k])) {
				best[k] = rank[k];
				*col[k] = i;
			}
	}
	gpudx_buf_clear(&r->message);
	return r->col_message >= 0 && (r->col_time >= 0 || r->col_host >= 0);
}

static void csv_row(struct gpudx_records *r, struct gpudx_sv row, struct gpudx_buf *out)
{
	struct gpudx_buf cell = { .max = r->message.max };

	clear(r);
	for (int i = 0; i < GPUDX_RECORD_COLUMNS && next_cell(&row, r->separator, &cell); i++) {
		struct gpudx_sv s = sv_n(gpudx_buf_cstr(&cell), cell.n);

		if (i == r->col_time)
			keep(&r->time, 1, s);
		else if (i == r->col_host)
			keep(&r->host, 1, s);
		else if (i == r->col_message)
			gpudx_buf_sv(&r->message, s);
	}
	gpudx_buf_free(&cell);
	end_record(r, out);
}

void gpudx_records_csv(struct gpudx_records *r, struct gpudx_sv line, struct gpudx_buf *out)
{
	struct gpudx_sv row;

	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	if (r->row.n)
		gpudx_buf_char(&r->row, '\n');
	gpudx_buf_sv(&r->row, line);
	row = sv_n(gpudx_buf_cstr(&r->row), r->row.n);
	if (r->headed && !is_whole(row, r->separator) && !r->row.failed)
		return;
	if (!r->headed)
		r->headed = read_heading(r, row);
	else
		csv_row(r, row, out);
	gpudx_buf_clear(&r->row);
}

bool gpudx_records_are_csv(struct gpudx_sv head)
{
	struct gpudx_records *r;
	bool is;

	head = sv_first(head, sv_index(head, '\n'));
	if (sv_index(head, separator_of(head)) == head.n)
		return false;
	if (head.n && head.p[head.n - 1] == '\r')
		head.n--;
	r = calloc(1, sizeof(*r));
	if (!r)
		return false;
	r->message.max = 4096;
	is = read_heading(r, head);
	gpudx_records_free(r);
	free(r);
	return is;
}

void gpudx_records_free(struct gpudx_records *r)
{
	gpudx_buf_free(&r->message);
	gpudx_buf_free(&r->row);
}
