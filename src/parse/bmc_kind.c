#include "parse/bmc_kind.h"

#include "parse/bmc_place.h"
#include "parse/said_fault.h"
#include "parse/text.h"

/* All words of one row stand in sensor or message. The first row that fits decides: what it is
 * about comes before how bad it is. Words: ipmitool, lib/ipmi_sel.c and ipmi_event.c; DMTF Base,
 * Power and Environmental registries; Dell event and error messages (PSU, RDU, FAN, TMP, PCI, MEM,
 * CPU, SYS, UEFI); HPE iLO event list; Lenovo XCC FQXSP messages. */
static const struct kind_row {
	const char *words; /* blank-separated, lower case; '_' stands for a blank */
	const char *kind;
} rows[] = {
	/* the log itself, and clocks */
	{ "log cleared", "bmc.log_cleared" },
	{ "log_area_reset/cleared", "bmc.log_cleared" },
	{ "iml_cleared", "bmc.log_cleared" },
	{ "logs have_been cleared", "bmc.log_cleared" },
	{ "log has_been_cleared", "bmc.log_cleared" },
	{ "timestamp clock sync", "bmc.clock_set" },
	{ "drive fault", "bmc.drive" },
	{ "drive fail", "bmc.drive" },
	{ "drive predictive", "bmc.drive" },
	/* power supplies */
	{ "redundancy lost", "bmc.redundancy_lost" },
	{ "redundancy degraded", "bmc.redundancy_lost" },
	{ "redundancy is lost", "bmc.redundancy_lost" },
	{ "redundan non-redundant", "bmc.redundancy_lost" },
	{ "non-redundant:insufficient", "bmc.redundancy_lost" },
	{ "not_redundant", "bmc.redundancy_lost" },
	{ "redundan insufficient", "bmc.redundancy_lost" },
	{ "input_lost", "bmc.power_lost" },
	{ "ac_lost", "bmc.power_lost" },
	{ "ac_power_has_been_lost", "bmc.power_lost" },
	{ "power_input lost", "bmc.power_lost" },
	{ "input_power lost", "bmc.power_lost" },
	{ "power_supply restored", "bmc.power_lost" },
	{ "input_out-of-range", "bmc.power_lost" },
	{ "input out_of_range", "bmc.power_lost" },
	{ "power_supply failure", "bmc.power_lost" },
	{ "power_supply failed", "bmc.power_lost" },
	{ "power_supply fault", "bmc.power_lost" },
	{ "psu failure", "bmc.power_lost" },
	{ "psu failed", "bmc.power_lost" },
	{ "psu lost", "bmc.power_lost" },
	{ "power_supply lost", "bmc.power_lost" },
	{ "power_supply predictive", "bmc.power_lost" },
	{ "power_unit failure", "bmc.power_lost" },
	{ "power_control_failure", "bmc.power_lost" },
	{ "soft_power_control", "bmc.power_lost" },
	{ "power_fault", "bmc.power_lost" },
	{ "voltage failed", "bmc.voltage" },
	{ "voltage critical", "bmc.voltage" },
	{ "voltage non-critical", "bmc.voltage" },
	{ "voltage non-recoverable", "bmc.voltage" },
	{ "voltage lower", "bmc.voltage" },
	{ "voltage upper", "bmc.voltage" },
	{ "voltage outside", "bmc.voltage" },
	{ "voltage out_of_range", "bmc.voltage" },
	/* heat: the processor's own stop before temperatures */
	{ "thermal_trip", "bmc.thermal" },
	{ "thermtrip", "bmc.thermal" },
	{ "overtemp", "bmc.thermal" },
	{ "over_temperature", "bmc.thermal" },
	{ "prochot", "bmc.thermal" },
	{ "overheat", "bmc.thermal" },
	{ "temp critical", "bmc.thermal" },
	{ "temp non-critical", "bmc.thermal" },
	{ "temp non-recoverable", "bmc.thermal" },
	{ "temp exceed", "bmc.thermal" },
	{ "temp above", "bmc.thermal" },
	{ "temp greater", "bmc.thermal" },
	{ "temp threshold", "bmc.thermal" },
	{ "thermal critical", "bmc.thermal" },
	{ "thermal shutdown", "bmc.thermal" },
	{ "fan critical", "bmc.fan" },
	{ "fan non-critical", "bmc.fan" },
	{ "fan non-recoverable", "bmc.fan" },
	{ "fan fail", "bmc.fan" },
	{ "fan fault", "bmc.fan" },
	{ "fan removed", "bmc.fan" },
	{ "fan absent", "bmc.fan" },
	{ "fan rpm", "bmc.fan" },
	{ "cooling fail", "bmc.fan" },
	{ "liquid leak", "bmc.leak" },
	{ "leak detect", "bmc.leak" },
	/* PCIe */
	{ "bus_fatal", "bmc.pcie_fatal" },
	{ "fatal pci", "bmc.pcie_fatal" },
	{ "pci uncorrectable", "bmc.pcie_fatal" },
	{ "bus_uncorrectable", "bmc.pcie_fatal" },
	{ "pci serr", "bmc.pcie_fatal" },
	{ "pci perr", "bmc.pcie_fatal" },
	{ "serr", "bmc.pcie_fatal" },
	{ "pci unrecoverable", "bmc.pcie_fatal" },
	{ "fatal_error component bus device function", "bmc.pcie_fatal" },
	{ "uncorrectable component bus device function", "bmc.pcie_fatal" },
	{ "correctable component bus device function", "bmc.pcie" },
	{ "pci link", "bmc.pcie" },
	{ "pci degraded", "bmc.pcie" },
	{ "pci correctable", "bmc.pcie" },
	{ "bus_correctable", "bmc.pcie" },
	{ "fatal_nmi", "bmc.pcie_fatal" },
	{ "slot fault", "bmc.pcie" },
	/* memory and processors of the host */
	{ "memory uncorrectable", "bmc.memory" },
	{ "memory correctable", "bmc.memory" },
	{ "dimm uncorrectable", "bmc.memory" },
	{ "dimm correctable", "bmc.memory" },
	{ "multi-bit memory", "bmc.memory" },
	{ "memory ecc", "bmc.memory" },
	{ "ierr", "bmc.processor" },
	{ "machine_check", "bmc.processor" },
	{ "machine_chk", "bmc.processor" },
	{ "cpu internal_error", "bmc.processor" },
	{ "processor fail", "bmc.processor" },
	{ "mcerr", "bmc.processor" },
	{ "caterr", "bmc.processor" },
	/* who stopped the machine */
	{ "watchdog", "bmc.watchdog" },
	{ "os_stop", "bmc.os_stop" },
	{ "os_critical_stop", "bmc.os_stop" },
	{ "run-time_critical_stop", "bmc.os_stop" },
	{ "os_graceful_stop", "bmc.power_cycled" },
	{ "os_graceful_shutdown", "bmc.power_cycled" },
	{ "power_cycle", "bmc.power_cycled" },
	{ "hard_reset", "bmc.power_cycled" },
	{ "warm_reset", "bmc.power_cycled" },
	{ "power_button", "bmc.power_cycled" },
	{ "reset_button", "bmc.power_cycled" },
	{ "power_off/down", "bmc.power_cycled" },
	{ "power_off/power_down", "bmc.power_cycled" },
	{ "turning_off", "bmc.power_cycled" },
	{ "turning_on", "bmc.power_cycled" },
	{ "powered_on", "bmc.power_cycled" },
	{ "powered_off", "bmc.power_cycled" },
	{ "server reset", "bmc.power_cycled" },
	{ "server power_removed", "bmc.power_cycled" },
	{ "server power_restored", "bmc.power_cycled" },
	{ "host_power off", "bmc.power_cycled" },
	{ "system_restart", "bmc.power_cycled" },
	{ "system_boot initiated", "bmc.power_cycled" },
	{ "initiated_by_power_up", "bmc.power_cycled" },
	{ "initiated_by_hard_reset", "bmc.power_cycled" },
	{ "initiated_by_warm_reset", "bmc.power_cycled" },
	{ "restart cause", "bmc.power_cycled" },
	{ "gpu", "bmc.gpu" },
	{ "accelerator", "bmc.gpu" },
	{ "nvswitch", "bmc.gpu" },
	{ "nvlink", "bmc.gpu" },
};

enum { TEXT = 600 };

/* One of several kinds of things that only matter when they are bad. */
static bool only_if_bad(const char *kind)
{
	static const char *const kinds[] = { "bmc.gpu", "bmc.memory", "bmc.pcie" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kind, kinds[i]) == 0)
			return true;
	return false;
}

static bool has_all(struct gpudx_sv text, struct gpudx_sv words)
{
	struct gpudx_sv word;
	char w[48];

	while (sv_spaces(&words) && sv_token(&words, &word)) {
		size_t n = word.n < sizeof(w) - 1 ? word.n : sizeof(w) - 1;

		for (size_t i = 0; i < n; i++)
			w[i] = word.p[i] == '_' ? ' ' : word.p[i];
		w[n] = 0;
		if (!sv_has(text, w))
			return false;
	}
	return true;
}

static bool has_word(struct gpudx_sv text, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_has(text, words[i]))
			return true;
	return false;
}

/* By the severity of the log, else by the words of thresholds and failures. */
static bool is_bad(struct gpudx_sv severity, struct gpudx_sv text)
{
	static const char *const good[] = { "ok",      "info", "normal",  "debug",
					    "cleared", "good", "repaired" };
	static const char *const bad[] = { "non-recoverable", "critical",   "fail",  "fault",
					   "uncorrectable",   "predictive", "fatal", "degraded",
					   "error",	      "lost" };
	char buf[24];
	size_t n = severity.n < sizeof(buf) ? severity.n : sizeof(buf);

	for (size_t i = 0; i < n; i++)
		buf[i] = sv_lower(severity.p[i]);
	severity = sv_trim(sv_n(buf, n));
	if (severity.n)
		return !has_word(severity, good, sizeof(good) / sizeof(good[0]));
	return has_word(text, bad, sizeof(bad) / sizeof(bad[0]));
}

static struct gpudx_sv lower_text(const struct bmc_record *r, char buf[TEXT])
{
	const struct gpudx_sv parts[] = { r->sensor, r->message };
	size_t n = 0;

	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 0; i < parts[k].n && n < TEXT - 1; i++)
			buf[n++] = sv_lower(parts[k].p[i]);
		buf[n++] = ' ';
		if (n >= TEXT - 1)
			break;
	}
	return sv_n(buf, n);
}

/* "Transition to OK", "has returned to normal", "Fully Redundant", "Deasserted". */
static bool is_recovery(const struct bmc_record *r, struct gpudx_sv text)
{
	static const char *const words[] = { "returned to normal",  "transition to ok",
					     "has been repaired",   "fully redundant",
					     "redundancy regained", "is restored",
					     "redundancy restored", "operating normally",
					     "has been restored",   "is within range",
					     "back to normal",	    "returned to a normal" };

	return sv_ieq(r->state, SV_LIT("deasserted")) ||
	       sv_ieq(r->state, SV_LIT("deassertion event")) ||
	       has_word(text, words, sizeof(words) / sizeof(words[0]));
}

static bool tells_severity(const struct bmc_record *r)
{
	return sv_trim(r->severity).n != 0;
}

/* "bmc.other" for what is bad by its severity only. */
const char *bmc_kind(const struct bmc_record *r)
{
	char buf[TEXT];
	struct gpudx_sv text = lower_text(r, buf);
	bool bad = is_bad(r->severity, text);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!has_all(text, sv_str(rows[i].words)))
			continue;
		if (only_if_bad(rows[i].kind) && !bad)
			return NULL;
		return rows[i].kind;
	}
	return bad && tells_severity(r) ? "bmc.other" : NULL;
}

static void add(struct gpudx_event *e, const char *name, struct gpudx_sv value)
{
	value = sv_trim(value);
	if (value.n && e->nattrs < GPUDX_ATTRS_MAX)
		e->attrs[e->nattrs++] = (struct gpudx_attr){ sv_str(name), value };
}

static bool is_lower_threshold(struct gpudx_sv text)
{
	return sv_has(text, "lower");
}

/* Where a log has the class of the part in the place of its name. */
static bool is_class(struct gpudx_sv sensor)
{
	static const char *const words[] = {
		"system",
		"power",
		"environment",
		"fan",
		"cooling",
		"maintenance",
		"pci bus",
		"temperature",
		"power supply / converter",
		"power supply",
		"power unit",
		"chassis",
		"critical interrupt",
		"memory",
		"processor",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_ieq(sensor, sv_str(words[i])))
			return true;
	return !sensor.n;
}

/* "power supply 1", "fan 3": the part that a sentence names by number; empty when it names none. */
static struct gpudx_sv numbered_part(struct gpudx_sv text)
{
	static const char *const nouns[] = { "power supply ", "psu ", "fan ", "gpu ", "slot " };

	for (size_t i = 0; i < sizeof(nouns) / sizeof(nouns[0]); i++) {
		struct gpudx_sv rest = text, before;
		uint64_t number;

		while (sv_until(&rest, nouns[i], &before)) {
			const char *from = before.p + before.n;

			if (sv_u64(&rest, &number))
				return sv_n(from, (size_t)(rest.p - from));
		}
	}
	return sv_n(NULL, 0);
}

/* Two supplies that fail at once are two messages: the part belongs into the text. */
static struct gpudx_sv full_text(const struct bmc_record *r, char buf[TEXT])
{
	const struct gpudx_sv parts[] = { r->sensor, SV_LIT(": "), r->message };
	size_t n = 0;

	if (is_class(sv_trim(r->sensor)) || !r->message.n || sv_eq(r->sensor, r->message))
		return r->message.n ? r->message : r->sensor;
	for (size_t k = 0; k < 3; k++)
		for (size_t i = 0; i < parts[k].n && n < TEXT; i++)
			buf[n++] = parts[k].p[i];
	return sv_n(buf, n);
}

void bmc_put(struct gpudx_ctx *c, const struct bmc_record *r)
{
	const char *kind = bmc_kind(r);
	char buf[TEXT], full[TEXT], place[GPUDX_BDF_TEXT];
	struct gpudx_sv text = lower_text(r, buf);
	struct gpudx_event e;
	struct gpudx_bdf bdf;
	bool named = !is_class(sv_trim(r->sensor));

	gpudx_now(c, r->stamp.kind, r->stamp.t_us);
	if (!is_recovery(r, text))
		said_fault(c, r->message, "bmc", &r->stamp, r->line);
	if (!kind)
		return;
	e = gpudx_event_of(sv_str(kind), r->stamp, full_text(r, full));
	e.line = r->line;
	add(&e, "device", named ? r->sensor : numbered_part(text));
	add(&e, "class", named ? sv_n(NULL, 0) : r->sensor);
	if (bmc_address(text, &bdf))
		add(&e, "address", sv_str(gpudx_bdf_text(bdf, place)));
	add(&e, "record", r->id);
	add(&e, "severity", r->severity);
	add(&e, "message_id", r->code);
	add(&e, "state", r->state);
	add(&e, "reading", r->reading);
	add(&e, "threshold", r->threshold);
	if (is_recovery(r, text))
		add(&e, "recovered", SV_LIT("yes"));
	if (is_lower_threshold(text))
		add(&e, "side", SV_LIT("lower"));
	gpudx_put_event(c, &e);
}

/* ---- stamps ---- */

bool bmc_scan_date(struct gpudx_sv *s, int64_t *day_us)
{
	struct gpudx_sv c = *s;
	uint32_t year;
	uint64_t month, day;

	if (!sv_u64(&c, &month) || !(sv_char(&c, '/') || sv_char(&c, '-')) || !sv_u64(&c, &day) ||
	    !(sv_char(&c, '/') || sv_char(&c, '-')))
		return false;
	if (!sv_digits(&c, 4, &year)) {
		if (!sv_digits(&c, 2, &year))
			return false;
		year += 2000;
	}
	if (month > 12 || day > 31 ||
	    !gpudx_civil_us(year, (unsigned)month, (unsigned)day, 0, 0, 0, 0, day_us))
		return false;
	*s = c;
	return true;
}

/* "09:58" */
static bool scan_minutes(struct gpudx_sv *s, int64_t *day_us)
{
	struct gpudx_sv c = *s;
	uint64_t h, m;

	if (!sv_u64(&c, &h) || !sv_char(&c, ':') || !sv_u64(&c, &m) || h > 23 || m > 59)
		return false;
	*day_us = (int64_t)(h * 60 + m) * 60 * GPUDX_SECOND;
	*s = c;
	return true;
}

bool bmc_scan_stamp(struct gpudx_sv s, struct gpudx_stamp *out)
{
	struct gpudx_stamp t = { .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME };
	struct gpudx_sv iso = s = sv_trim(s);
	int64_t day, time;

	if (gpudx_scan_iso(&iso, out))
		return true;
	if (gpudx_scan_ymd_hms(&iso, &t.t_us)) {
		*out = t;
		return true;
	}
	if (!bmc_scan_date(&s, &day))
		return gpudx_scan_ctime(&iso, out);
	sv_char(&s, ',');
	sv_spaces(&s);
	if (sv_char(&s, '|'))
		sv_spaces(&s);
	if (!gpudx_scan_clock(&s, &time) && !scan_minutes(&s, &time))
		return false;
	t.t_us = day + text_meridiem(s, time);
	*out = t;
	return true;
}
