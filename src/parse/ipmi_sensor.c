/* Sensors of a BMC: ipmitool sdr, sdr elist, sensor, and ipmi-sensors:
 *
 *   Inlet Temp       | 23 degrees C      | ok                                           sdr
 *   Inlet Temp       | 04h | ok  |  7.1 | 23 degrees C                                 sdr elist
 *   PSU1 Status      | C8h | ok  | 10.1 | Presence detected, Power Supply AC lost
 *   Inlet Temp       | 23.000     | degrees C  | ok    | na | na | na | 40.000 | 45.000 | na sensor
 *   4   | Inlet Temp | Temperature | Nominal | 23.00 | C | 'OK'                     ipmi-sensors
 *
 * Readings become series, their state a fact. Source: ipmitool, lib/ipmi_sdr.c and ipmi_sensor.c.
 */
#include "parse/tool.h"

#include <stdio.h>

enum { CELLS = 12, NAME = 48 };

struct row {
	struct gpudx_sv cells[CELLS];
	size_t n;
};

struct reading {
	struct gpudx_sv name, state,
		what;	      /* .what: value with unit, or what a discrete sensor says */
	struct gpudx_sv unit; /* when it stands apart */
	struct gpudx_sv says; /* events of FreeIPMI */
};

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

static bool scan(struct gpudx_sv line, struct reading *out)
{
	struct row r;
	struct gpudx_sv id;
	uint64_t n;

	split(line, &r);
	if (r.n < 3)
		return false;
	id = r.cells[0];
	if (is_elist(&r)) {
		*out = (struct reading){
			r.cells[0], r.cells[2], r.cells[4], { NULL, 0 }, { NULL, 0 }
		};
	} else if (r.n == 3 && is_state(r.cells[2])) {
		*out = (struct reading){
			r.cells[0], r.cells[2], r.cells[1], { NULL, 0 }, { NULL, 0 }
		};
	} else if (r.n == 10 && (is_value(r.cells[1]) || is_discrete(r.cells[1]))) {
		*out = (struct reading){
			r.cells[0], r.cells[3], r.cells[1], r.cells[2], { NULL, 0 }
		};
	} else if (r.n >= 6 && sv_u64(&id, &n) && !id.n && r.n <= 7) {
		bool state = r.n == 7 || is_freeipmi_state(r.cells[3]);

		if (!state && !is_value(r.cells[3]) && !sv_is(r.cells[3], "N/A"))
			return false;
		*out = (struct reading){ r.cells[1],
					 state ? r.cells[3] : r.cells[5],
					 state ? r.cells[4] : r.cells[3],
					 state ? r.cells[5] : r.cells[4],
					 { NULL, 0 } };
	} else {
		return false;
	}
	if (r.n == 7)
		out->says = r.cells[6];
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

static void put_value(struct gpudx_ctx *c, const struct reading *r, const char *key)
{
	struct gpudx_metric m = { .key = sv_str(key), .t_us = GPUDX_NO_TIME, .seq = 0 };
	struct gpudx_sv s = r->what, unit;
	double v;

	if (is_discrete(s) || !sv_decimal(&s, &v))
		return;
	unit = sv_trim(r->unit.p ? r->unit : s);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!sv_ieq(unit, sv_str(units[i].printed)))
			continue;
		m.unit = sv_str(units[i].ours);
		m.value = v * units[i].factor + units[i].offset;
		gpudx_put_metric(c, &m);
		return;
	}
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

static enum gpudx_take sensor_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_sv text = sv_trim(line);
	char key[NAME + 24];
	struct reading r;

	if (sv_starts(text, "ID ") && sv_has(text, "| Name") && sv_has(text, "| Reading"))
		return GPUDX_TAKEN;
	if (!scan(text, &r))
		return GPUDX_NOT_MINE;
	snprintf(key, sizeof(key), "bmc.sensor.%.*s", (int)r.name.n, r.name.p);
	put_value(c, &r, key);
	put_state(c, &r);
	return GPUDX_TAKEN;
}

static int sensor_bid(const struct gpudx_head *head)
{
	bool named = tool_says("sdr", head->command, head->path) ||
		     tool_says("sensor", head->command, head->path) ||
		     tool_is("ipmi-sensors", head->command, head->path);
	struct reading r;
	unsigned n = 0;

	for (size_t i = 0, seen = 0; i < head->n && seen < 12; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		seen++;
		n += scan(s, &r);
	}
	return n >= 3 || (n && named) ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_ipmi_sensor = {
	.name = "ipmi-sensor",
	.what = "sensors of the BMC by ipmitool sdr or sensor: temperatures, fans, power",
	.bid = sensor_bid,
	.line = sensor_line,
};
