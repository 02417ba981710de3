/* Log entries of a BMC as Redfish gives them: one, a collection, or collections one after another,
 * pretty-printed or in one line.
 *
 *   { "@odata.type": "#LogEntry.v1_4_0.LogEntry", "Id": "12", "EntryType": "SEL",
 *     "Severity": "Critical", "Created": "2024-05-07T09:58:55-05:00", "MessageId": "PSU0003",
 *     "SensorType": "Power Supply / Converter", "Message": "The power input ... is lost." }
 *
 * An entry is the object that has a Message and a time or severity, wherever it stands; what its
 * Oem and Links parts say is left. Source: DMTF DSP0268, LogEntry. */
#include "base/json.h"
#include "parse/bmc_kind.h"
#include "parse/tool.h"

enum { TEXT = 400 };

enum field { ID, SEVERITY, SENSOR, MESSAGE, CODE, CREATED, STATE, FIELDS, NO_FIELD };

struct text {
	size_t n;
	char p[TEXT];
};

struct redfish {
	struct gpudx_json j;
	uint32_t line;	/* of the message */
	unsigned depth; /* of the fields of the entry being read; 0 none */
	struct text v[FIELDS];
};

static const struct name {
	const char *key;
	enum field field;
} names[] = {
	{ "Id", ID },
	{ "Severity", SEVERITY },
	{ "SensorType", SENSOR },
	{ "Message", MESSAGE },
	{ "MessageId", CODE },
	{ "Created", CREATED },
	{ "EventTimestamp", CREATED },
	{ "EntryCode", STATE },
};

static enum field field_of(struct gpudx_sv key)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_is(key, names[i].key))
			return names[i].field;
	return NO_FIELD;
}

static bool has(const struct redfish *s, enum field f)
{
	return s->v[f].n > 0;
}

static void clear(struct redfish *s)
{
	s->depth = 0;
	for (unsigned i = 0; i < FIELDS; i++)
		s->v[i].n = 0;
}

static struct gpudx_sv view(const struct redfish *s, enum field f)
{
	return sv_n(s->v[f].p, s->v[f].n);
}

static struct gpudx_sv state_of(struct gpudx_sv code)
{
	if (sv_is(code, "Assert"))
		return SV_LIT("Asserted");
	if (sv_is(code, "Deassert"))
		return SV_LIT("Deasserted");
	return code;
}

static void put(struct gpudx_ctx *c, const struct redfish *s)
{
	struct bmc_record r = { .id = view(s, ID),
				.sensor = view(s, SENSOR),
				.message = view(s, MESSAGE),
				.severity = view(s, SEVERITY),
				.state = state_of(view(s, STATE)),
				.code = view(s, CODE),
				.line = s->line };

	if (!bmc_scan_stamp(view(s, CREATED), &r.stamp))
		r.stamp = GPUDX_NO_STAMP;
	gpudx_clock(c, (enum gpudx_clock_kind)r.stamp.kind);
	bmc_put(c, &r);
}

/* A field of the entry at hand, or of one further in that begins here: outer objects have an Id as
 * well. */
static bool keep(struct redfish *s, enum field f, struct gpudx_sv value)
{
	bool entry = has(s, MESSAGE) || has(s, CREATED) || has(s, SEVERITY);

	if (s->depth && s->j.depth > s->depth && entry)
		return false;
	if (s->depth != s->j.depth)
		clear(s);
	s->depth = s->j.depth;
	value = sv_first(sv_trim(value), TEXT);
	memcpy(s->v[f].p, value.p, value.n);
	s->v[f].n = value.n;
	return true;
}

static void token(struct gpudx_ctx *c, struct redfish *s)
{
	enum field f;

	if (s->j.kind == GPUDX_JSON_STRING) {
		f = field_of(gpudx_json_key(&s->j));
		if (f != NO_FIELD && s->j.text.n && keep(s, f, s->j.text) && f == MESSAGE) {
			s->line = gpudx_this_line(c)->no;
			gpudx_cite(c);
		}
	} else if (s->j.kind == GPUDX_JSON_OBJECT_END && s->depth > s->j.depth) {
		if (has(s, MESSAGE) && (has(s, CREATED) || has(s, SEVERITY)))
			put(c, s);
		clear(s);
	}
}

static enum gpudx_take redfish_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	const struct gpudx_line *at = gpudx_this_line(c);
	struct redfish *s = gpudx_state(c);

	if (gpudx_json_whole(&s->j) && !(at->flags & GPUDX_LINE_REST)) {
		struct gpudx_sv text = sv_trim(line);

		if (!text.n || (text.p[0] != '{' && text.p[0] != '['))
			return GPUDX_NOT_MINE;
		gpudx_json_reset(&s->j);
		clear(s);
	}
	gpudx_json_feed(&s->j, line, !(at->flags & GPUDX_LINE_CUT));
	while (gpudx_json_next(&s->j))
		token(c, s);
	if (!s->j.error)
		return GPUDX_TAKEN;
	gpudx_json_reset(&s->j);
	clear(s);
	return gpudx_reject(c, "no valid JSON");
}

/* Cut off in the middle of an entry: what it said so far counts. */
static void redfish_finish(struct gpudx_ctx *c)
{
	struct redfish *s = gpudx_state(c);

	if (s->depth && has(s, MESSAGE) && (has(s, CREATED) || has(s, SEVERITY)))
		put(c, s);
}

static int redfish_bid(const struct gpudx_head *head)
{
	bool json = false, entry = false, created = false;

	for (size_t i = 0, seen = 0; i < head->n && seen < 400; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		if (!seen++)
			json = s.p[0] == '{' || s.p[0] == '[';
		if (!json)
			return 0;
		entry |= sv_has(s, "LogEntry") || sv_has(s, "/LogServices/") ||
			 sv_has(s, "\"EntryType\"");
		created |= sv_has(s, "\"Created\"") || sv_has(s, "\"Severity\"") ||
			   sv_has(s, "\"Members");
		if (entry && created)
			return 80;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_redfish_log = {
	.name = "redfish-log",
	.what = "log entries of a BMC by Redfish, single or collections",
	.bid = redfish_bid,
	.line = redfish_line,
	.finish = redfish_finish,
	.state_size = sizeof(struct redfish),
	.flags = GPUDX_P_BYTES,
};
