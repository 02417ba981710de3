/* The display driver of Windows, whose version NVIDIA's own ends.
 *
 *   Name          : NVIDIA GeForce RTX 4090          Get-CimInstance Win32_VideoController | Format-List
 *   DriverVersion : 31.0.15.5222                     552.22
 *
 *          Card name: NVIDIA GeForce RTX 4090        dxdiag /t
 *     Driver Version: 31.0.15.5222
 *
 * The last five digits are NVIDIA's version. Adapters of other makers stand in the same lists. */
#include "parse/tool.h"

#include <stdio.h>

struct display {
	bool nvidia;	  /* the adapter at hand is NVIDIA's */
	char version[16]; /* that came before its name; "" none */
};

/* "31.0.15.5222" as "552.22"; false for another form. */
static bool scan_version(struct gpudx_sv s, char out[16])
{
	uint64_t part[4], joined;

	for (int i = 0; i < 4; i++)
		if ((i && !sv_char(&s, '.')) || !sv_u64(&s, &part[i]) || part[i] > 99999)
			return false;
	if (sv_trim(s).n && !sv_is_space(s.p[0]))
		return false;
	joined = part[2] % 10 * 10000 + part[3];
	if (part[3] > 9999 || joined < 10000)
		return false;
	snprintf(out, 16, "%u.%02u", (unsigned)(joined / 100), (unsigned)(joined % 100));
	return true;
}

static bool is_name(struct gpudx_sv label)
{
	return sv_is(label, "Name") || sv_is(label, "Card name") || sv_is(label, "Caption") ||
	       sv_is(label, "Description") || sv_is(label, "VideoProcessor") ||
	       sv_is(label, "AdapterCompatibility");
}

static bool is_version(struct gpudx_sv label)
{
	return sv_is(label, "DriverVersion") || sv_is(label, "Driver Version");
}

static void put(struct gpudx_ctx *c, struct display *d)
{
	if (d->nvidia && d->version[0]) {
		gpudx_fact(c, 0, "driver.version", "loaded", sv_str(d->version));
		d->version[0] = 0;
	}
}

static enum gpudx_take display_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct display *d = gpudx_state(c);
	struct gpudx_sv label, value;

	if (sv_blank(line)) {
		*d = (struct display){ .nvidia = false };
		return GPUDX_TAKEN;
	}
	if (!tool_split(line, &label, &value))
		return GPUDX_NOT_MINE;
	if (is_name(label)) {
		d->nvidia = d->nvidia ? !sv_is(label, "Card name") || sv_has(value, "NVIDIA")
				      : sv_has(value, "NVIDIA");
	} else if (is_version(label)) {
		if (!scan_version(value, d->version))
			return GPUDX_TAKEN;
		gpudx_cite(c);
	}
	put(c, d);
	return GPUDX_TAKEN;
}

static int display_bid(const struct gpudx_head *head)
{
	bool version = false, name = false;
	char text[16];

	for (size_t i = 0; i < head->n && i < 2000; i++) {
		struct gpudx_sv label, value;

		if (!tool_split(head->lines[i].text, &label, &value))
			continue;
		version |= is_version(label) && scan_version(value, text);
		name |= is_name(label) || sv_is(label, "DriverDate") ||
			sv_is(label, "Driver Date/Size");
	}
	return version && name ? 80 : 0;
}

static bool display_starts(struct gpudx_sv line)
{
	struct gpudx_sv label, value;
	char text[16];

	return line.n && (line.p[0] == 'D' || line.p[0] == ' ') &&
	       tool_split(line, &label, &value) && is_version(label) && scan_version(value, text);
}

const struct gpudx_parser gpudx_parser_windows_display = {
	.name = "windows-display",
	.what = "the display adapters of Windows: Win32_VideoController, dxdiag",
	.bid = display_bid,
	.starts = display_starts,
	.line = display_line,
	.state_size = sizeof(struct display),
	.flags = GPUDX_P_BLANKS,
};
