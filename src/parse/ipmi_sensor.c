/* Sensors of a BMC: ipmitool sdr, sdr elist, sensor, and ipmi-sensors:
 *
 *   Inlet Temp       | 23 degrees C      | ok                                           sdr
 *   Inlet Temp       | 04h | ok  |  7.1 | 23 degrees C                                 sdr elist
 *   PSU1 Status      | C8h | ok  | 10.1 | Presence detected, Power Supply AC lost
 *   Inlet Temp       | 23.000     | degrees C  | ok    | na | na | na | 40.000 | 45.000 | na sensor
 *   4   | Inlet Temp | Temperature | Nominal | 23.00 | C | 'OK'                     ipmi-sensors
 *
 * Readings become series, their state a fact. One that is beyond its threshold, and a supply that says it
 * failed, are what the BMC's log would have recorded: an event without a time. Source: ipmitool,
 * lib/ipmi_sdr.c and ipmi_sensor.c. */
#include "parse/bmc_kind.h"
#include "parse/tool.h"

#include <stdio.h>

enum { CELLS = 12, NAME = 48 };

struct row {
	struct gpudx_sv cells[CELLS];
	size_t n;
};

struct reading {
	struct gpudx_sv name, state,
		what;		       /* .what: value with unit, or what a discrete sensor says */
	struct gpudx_sv unit;	       /* when it stands apart */
	struct gpudx_sv says;	       /* events of FreeIPMI */
	const struct gpudx_sv *limits; /* lower nr, cr, nc, upper nc, cr, nr; NULL not printed */
};

enum { LIMITS = 6 };

static void split(struct gpudx_sv s, struct row *r)
{
	struct gpudx_sv cell;

	r->n = 0;
	while (r->n < CELLS && sv_cell(&s, '|', &cell))
		r->cells[r->n++] = sv_trim(cell);
}

/* ipmitool's: ok, ns (no reading), nc, cr, nr (non-critical ... non-recoverable), lnc, unc, ... */
static bool is_state(struct gpudx_sv s)
{
	static const char *const states[] = { "ok",  "ns",  "nc",  "cr",  "nr", "lnc", "lcr",
					      "lnr", "unc", "ucr", "unr", "us", "na" };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (sv_is(s, states[i]))
			return true;
	return false;
}

static bool is_discrete(struct gpudx_sv s)
{
	return sv_lit(&s, "0x") && s.n >= 1;
}

static bool is_value(struct gpudx_sv s)
{
	double v;

	return sv_is(s, "na") || (sv_decimal(&s, &v) && !s.n);
}

static bool is_freeipmi_state(struct gpudx_sv s)
{
	return sv_is(s, "Nominal") || sv_is(s, "Warning") || sv_is(s, "Critical") ||
	       sv_is(s, "N/A");
}

/* "04h", "7.1" */
static bool is_elist(const struct row *r)
{
	struct gpudx_sv n = r->cells[1];
	uint64_t v;

	return r->n == 5 && sv_hex(&n, 2, 2, &v) && sv_is(n, "h") && is_state(r->cells[2]);
}

/* r: the cells of the line, to which the reading points. */
static bool scan(struct gpudx_sv line, struct row *r, struct reading *out)
{
	const struct gpudx_sv *cell = r->cells;
	struct gpudx_sv id;
	uint64_t n;

	split(line, r);
	if (r->n < 3)
		return false;
	id = cell[0];
	*out = (struct reading){ .name = cell[0] };
	if (is_elist(r)) {
		out->state = cell[2];
		out->what = cell[4];
	} else if (r->n == 3 && is_state(cell[2])) {
		out->state = cell[2];
		out->what = cell[1];
	} else if (r->n == 10 && (is_value(cell[1]) || is_discrete(cell[1]))) {
		out->state = cell[3];
		out->what = cell[1];
		out->unit = cell[2];
		out->limits = &cell[4];
	} else if (r->n >= 6 && sv_u64(&id, &n) && !id.n && r->n <= 7) {
		bool state = r->n == 7 || is_freeipmi_state(cell[3]);

		if (!state && !is_value(cell[3]) && !sv_is(cell[3], "N/A"))
			return false;
		out->name = cell[1];
		out->state = state ? cell[3] : cell[5];
		out->what = state ? cell[4] : cell[3];
		out->unit = state ? cell[5] : cell[4];
	} else {
		return false;
	}
	if (r->n == 7)
		out->says = cell[6];
	return out->name.n && out->name.n <= NAME;
}

static const struct unit {
	const char *printed, *ours;
	double factor, offset;
} units[] = {
	{ "degrees C", "C", 1, 0 }, { "degrees F", "C", 5.0 / 9, -160.0 / 9 },
	{ "C", "C", 1, 0 },	    { "RPM", "RPM", 1, 0 },
	{ "Volts", "V", 1, 0 },	    { "V", "V", 1, 0 },
	{ "Amps", "A", 1, 0 },	    { "A", "A", 1, 0 },
	{ "Watts", "W", 1, 0 },	    { "W", "W", 1, 0 },
	{ "percent", "%", 1, 0 },   { "unspecified", "", 1, 0 },
	{ "%", "%", 1, 0 },	    { "CFM", "CFM", 1, 0 },
};

/* The number of a reading, as it is printed; NULL: it has none, or none of a unit that is known. */
static const struct unit *value_of(const struct reading *r, double *v)
{
	struct gpudx_sv s = r->what, unit;

	if (is_discrete(s) || !sv_decimal(&s, v))
		return NULL;
	unit = sv_trim(r->unit.p ? r->unit : s);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (sv_ieq(unit, sv_str(units[i].printed)))
			return &units[i];
	return NULL;
}

static void put_value(struct gpudx_ctx *c, const struct reading *r, const char *key)
{
	struct gpudx_metric m = { .key = sv_str(key), .t_us = GPUDX_NO_TIME, .seq = 0 };
	const struct unit *u;
	double v;

	u = value_of(r, &v);
	if (!u)
		return;
	m.unit = sv_str(u->ours);
	m.value = v * u->factor + u->offset;
	gpudx_put_metric(c, &m);
}

/* Which side of a threshold is told by the reading. */
static const char *state_word(struct gpudx_sv s)
{
	static const struct {
		const char *printed, *word;
	} words[] = { { "ok", "ok" },	   { "nc", "nc" },	{ "lnc", "nc" },
		      { "unc", "nc" },	   { "cr", "cr" },	{ "lcr", "cr" },
		      { "ucr", "cr" },	   { "nr", "nr" },	{ "lnr", "nr" },
		      { "unr", "nr" },	   { "Nominal", "ok" }, { "Warning", "nc" },
		      { "Critical", "cr" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_is(s, words[i].printed))
			return words[i].word;
	return NULL;
}

static bool is_reading(struct gpudx_sv s)
{
	double v;

	return sv_decimal(&s, &v) || is_discrete(s) || tool_is_nothing(s) ||
	       sv_is(s, "No Reading") || sv_is(s, "no reading") || sv_is(s, "disabled") ||
	       sv_is(s, "Disabled") || sv_is(s, "'OK'");
}

/* Where the reading stands, and what a discrete sensor says. */
static void put_state(struct gpudx_ctx *c, const struct reading *r)
{
	const char *word = state_word(r->state);
	struct gpudx_sv says = r->says.n ? r->says : r->what;
	char key[NAME + 24];

	if (!word)
		return;
	snprintf(key, sizeof(key), "bmc.state.%.*s", (int)r->name.n, r->name.p);
	gpudx_fact(c, 0, key, "", sv_str(word));
	snprintf(key, sizeof(key), "bmc.says.%.*s", (int)r->name.n, r->name.p);
	if (!is_reading(says))
		gpudx_fact(c, 0, key, "", says);
}

/* ---- what is bad ---- */

enum side { SIDE_UNKNOWN, SIDE_LOWER, SIDE_UPPER };

/* Which threshold was passed: as the state says it, else by the limits, the innermost first. *limit is
 * the threshold where it is known. */
static enum side side_of(const struct reading *r, double v, struct gpudx_sv *limit)
{
	static const unsigned inward[] = { 0, 1, 2, 5, 4, 3 };
	enum side side = sv_starts(r->state, "l")   ? SIDE_LOWER
			 : sv_starts(r->state, "u") ? SIDE_UPPER
						    : SIDE_UNKNOWN;

	for (unsigned i = 0; r->limits && i < LIMITS; i++) {
		struct gpudx_sv cell = r->limits[inward[i]], s = cell;
		bool lower = inward[i] < LIMITS / 2;
		double at;

		if (!sv_decimal(&s, &at) || (lower ? v > at : v < at))
			continue;
		*limit = cell;
		return lower ? SIDE_LOWER : SIDE_UPPER;
	}
	return side;
}

/* A fan does not run too fast, and what is at the freezing point is not too hot. */
static enum side guess_side(const struct unit *u, double v)
{
	if (strcmp(u->ours, "RPM") == 0)
		return SIDE_LOWER;
	return strcmp(u->ours, "C") == 0 && v * u->factor + u->offset <= 10 ? SIDE_LOWER
									    : SIDE_UNKNOWN;
}

static void put_beyond(struct gpudx_ctx *c, const struct reading *r, const char *word)
{
	static const char *const sides[] = { "", "Lower ", "Upper " };
	const char *noun, *grade = strcmp(word, "nc") == 0   ? "Non-critical"
				   : strcmp(word, "cr") == 0 ? "Critical"
							     : "Non-recoverable";
	struct bmc_record rec = { .sensor = r->name, .stamp = GPUDX_NO_STAMP };
	char message[64], reading[40];
	const struct unit *u;
	enum side side;
	double v;

	u = value_of(r, &v);
	if (!u)
		return;
	noun = strcmp(u->ours, "C") == 0     ? "Temperature"
	       : strcmp(u->ours, "RPM") == 0 ? "Fan"
	       : strcmp(u->ours, "V") == 0   ? "Voltage"
					     : NULL;
	if (!noun)
		return;
	side = side_of(r, v, &rec.threshold);
	if (side == SIDE_UNKNOWN)
		side = guess_side(u, v);
	snprintf(message, sizeof(message), "%s %s%s", noun, sides[side], grade);
	snprintf(reading, sizeof(reading), "%.6g %s", v, u->printed);
	rec.message = sv_str(message);
	rec.reading = sv_str(reading);
	bmc_put(c, &rec);
}

/* Discrete sensors name what they can say, too: only what is said of power is beyond doubt. */
static void put_said(struct gpudx_ctx *c, const struct reading *r)
{
	struct bmc_record rec = { .sensor = r->name,
				  .message = r->says.n ? r->says : r->what,
				  .stamp = GPUDX_NO_STAMP };
	const char *kind;

	if (is_reading(rec.message))
		return;
	kind = bmc_kind(&rec);
	if (kind &&
	    (strcmp(kind, "bmc.power_lost") == 0 || strcmp(kind, "bmc.redundancy_lost") == 0))
		bmc_put(c, &rec);
}

static void put_bad(struct gpudx_ctx *c, const struct reading *r)
{
	const char *word = state_word(r->state);

	if (word && strcmp(word, "ok") != 0)
		put_beyond(c, r, word);
	put_said(c, r);
}

static enum gpudx_take sensor_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv text = sv_trim(line);
	char key[NAME + 24];
	struct reading r;
	struct row row = { .n = 0 };

	if (sv_starts(text, "ID ") && sv_has(text, "| Name") && sv_has(text, "| Reading"))
		return GPUDX_TAKEN;
	if (!scan(text, &row, &r))
		return GPUDX_NOT_MINE;
	snprintf(key, sizeof(key), "bmc.sensor.%.*s", (int)r.name.n, r.name.p);
	put_value(c, &r, key);
	put_state(c, &r);
	put_bad(c, &r);
	return GPUDX_TAKEN;
}

static int sensor_bid(const struct gpudx_head *head)
{
	bool named = tool_says("sdr", head->command, head->path) ||
		     tool_says("sensor", head->command, head->path) ||
		     tool_is("ipmi-sensors", head->command, head->path);
	struct reading r;
	struct row row = { .n = 0 };
	unsigned n = 0;

	for (size_t i = 0, seen = 0; i < head->n && seen < 12; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		seen++;
		n += scan(s, &row, &r);
	}
	return n >= 3 || (n && named) ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_ipmi_sensor = {
	.name = "ipmi-sensor",
	.what = "sensors of the BMC by ipmitool sdr or sensor: temperatures, fans, power",
	.bid = sensor_bid,
	.line = sensor_line,
};
