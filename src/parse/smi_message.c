/* What nvidia-smi says when it cannot do its work: alone in a file, between other output, inside a
 * bug report. One line, one event; the second line of a message is more of the same event:
 *
 *   Failed to initialize NVML: Driver/library version mismatch
 *   NVML library version: 580.126
 *   Unable to determine the device handle for GPU 0000:CB:00.0: GPU is lost.  Reboot the system ...
 *   WARNING: infoROM is corrupted at gpu 0000:5E:00.0
 *
 * and what it says of a setting that it made:
 *
 *   Power limit for GPU 00000000:3B:00.0 was set to 250.00 W from 400.00 W.
 *
 * Source: formats 2.1; the error words are those of nvmlErrorString. */
#include "parse/smi_message.h"

/* How much of a line its text decides, and what the rest is. */
enum form {
	WHOLE,	 /* the line is the text */
	OPENS,	 /* the line begins with the text, advice follows */
	ADVISED, /* as OPENS, and points at the help */
	REASON,	 /* the rest says why */
	LIBRARY, /* the rest is a version */
	FIELD,	 /* the rest is the name of a field, a quote and more words */
	GPU,	 /* the rest is an address */
	HANDLE,	 /* the rest is a GPU in one of five spellings, and why */
	CLOCKS,	 /* the rest is (the clocks), a quote, " for GPU " and an address */
	LIMIT,	 /* the rest is an address and " was set to W from W" */
	ON_GPU	 /* somewhere in the rest a GPU is named by its address */
};

struct message {
	struct gpudx_sv text;
	const char *kind;
	enum form form;
};

/* The first that fits counts. */
static const struct message messages[] = {
	{ SV("No devices were found"), "smi.no_devices", WHOLE },
	{ SV("No devices found."), "smi.no_devices", WHOLE },
	{ SV("Unable to determine the device handle for "), "smi.handle_error", HANDLE },
	{ SV("Failed to initialize NVML: Driver/library version mismatch"), "smi.nvml_mismatch",
	  WHOLE },
	{ SV("NVML library version: "), "smi.nvml_mismatch", LIBRARY },
	{ SV("Failed to initialize NVML: Unknown Error"), "smi.nvml_unknown", WHOLE },
	{ SV("Failed to initialize NVML: Insufficient Permissions"), "smi.nvml_permission", WHOLE },
	{ SV("Failed to initialize NVML: Driver Not Loaded"), "smi.no_driver", WHOLE },
	{ SV("Failed to initialize NVML: "), "smi.nvml_failed", REASON },
	{ SV("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver"),
	  "smi.no_driver", OPENS },
	{ SV("NVIDIA-SMI has failed because "), "smi.nvml_failed", REASON },
	{ SV("NVIDIA-SMI couldn't find libnvidia-ml.so library in your system"), "smi.no_library",
	  OPENS },
	{ SV("NVIDIA-SMI couldn't find nvml.dll library in your system"), "smi.no_library", OPENS },
	{ SV("Please also try adding directory that contains libnvidia-ml.so"), "smi.no_library",
	  OPENS },
	{ SV("Please also try adding directory that contains nvml.dll"), "smi.no_library", OPENS },
	{ SV("WARNING: infoROM is corrupted at gpu "), "smi.inforom_corrupt", GPU },
	{ SV("ERROR: Option -m is missing its value"), "smi.topo_unsupported", OPENS },
	{ SV("ERROR: Option topo is not recognized"), "smi.topo_unsupported", OPENS },
	{ SV("ERROR: Option "), "smi.bad_option", ADVISED },
	{ SV("Invalid combination of input arguments."), "smi.bad_option", ADVISED },
	{ SV("GPU is lost"), "smi.gpu_lost", WHOLE },
	{ SV("GPU is lost.  Reboot the system to recover this GPU"), "smi.gpu_lost", WHOLE },
	{ SV("GPU is lost. Reboot the system to recover this GPU"), "smi.gpu_lost", WHOLE },
	{ SV("Field \""), "smi.bad_field", FIELD },
	{ SV("GPU clocks set to \"("), "smi.clocks_set", CLOCKS },
	{ SV("Applications clocks set to \"("), "smi.clocks_set", CLOCKS },
	{ SV("Memory clocks set to \"("), "smi.clocks_set", CLOCKS },
	{ SV("Power limit for GPU "), "smi.power_limit_set", LIMIT },
	{ SV("Enabled persistence mode for "), "smi.setting", ON_GPU },
	{ SV("Disabled persistence mode for "), "smi.setting", ON_GPU },
	{ SV("Enabled MIG Mode for "), "smi.setting", ON_GPU },
	{ SV("Disabled MIG Mode for "), "smi.setting", ON_GPU },
	{ SV("Enabled Ecc support for "), "smi.setting", ON_GPU },
	{ SV("Disabled Ecc support for "), "smi.setting", ON_GPU },
	{ SV("Enabled ECC support for "), "smi.setting", ON_GPU },
	{ SV("Disabled ECC support for "), "smi.setting", ON_GPU },
	{ SV("Set compute mode to "), "smi.setting", ON_GPU },
	{ SV("Enabled Accounting Mode for "), "smi.setting", ON_GPU },
	{ SV("Disabled Accounting Mode for "), "smi.setting", ON_GPU },
	{ SV("Provided power limit "), "smi.setting_refused", ON_GPU },
	{ SV("Changing power management limit is not supported for "), "smi.setting_refused",
	  ON_GPU },
	{ SV("Setting applications clocks is not supported for "), "smi.setting_refused", ON_GPU },
	{ SV("Setting locked GPU clocks is not supported for "), "smi.setting_refused", ON_GPU },
};

/* What was found out about a line. */
struct found {
	const struct message *message;
	struct gpudx_gpu_id id;
	struct gpudx_attr attr; /* .name.p NULL none */
};

static bool version(struct gpudx_sv s)
{
	double v;

	return sv_decimal(&s, &v);
}

/* "GPU0000:CB:00.0: why", "GPU 0000:CB:00.0: why", "GPU0: 0000:01:00.0: why", "GPU0: why"; old:
 * gpu. */
static bool handle(struct gpudx_sv rest, struct found *f)
{
	uint64_t idx;

	if (!sv_ilit(&rest, "GPU"))
		return false;
	sv_char(&rest, ' ');
	if (!gpudx_bdf_scan(&rest, &f->id.bdf)) {
		if (!sv_u64(&rest, &idx) || idx > 65535)
			return false;
		f->id.idx = (int32_t)idx;
		if (sv_lit(&rest, ": "))
			gpudx_bdf_scan(&rest, &f->id.bdf);
	}
	sv_char(&rest, ':');
	rest = sv_trim(rest);
	/* Advice may follow the reason. */
	rest = sv_first(rest, sv_index(rest, '.'));
	if (rest.n)
		f->attr = (struct gpudx_attr){ SV("reason"), rest };
	return true;
}

/* "gpuClkMin 1200, gpuClkMax 1200)" for GPU 00000000:3B:00.0" */
static bool clocks(struct gpudx_sv rest, struct found *f)
{
	struct gpudx_sv value = sv_first(rest, sv_index(rest, ')'));

	rest = sv_from(rest, value.n);
	if (!value.n || !sv_lit(&rest, ")\" for GPU ") || !gpudx_bdf_scan(&rest, &f->id.bdf))
		return false;
	f->attr = (struct gpudx_attr){ SV("value"), value };
	return true;
}

/* "00000000:3B:00.0 was set to 250.00 W from 400.00 W." */
static bool limit(struct gpudx_sv rest, struct found *f)
{
	double w;

	if (!gpudx_bdf_scan(&rest, &f->id.bdf) || !sv_lit(&rest, " was set to "))
		return false;
	f->attr = (struct gpudx_attr){ SV("value"), sv_first(rest, sv_index(rest, ' ')) };
	return sv_decimal(&rest, &w) && sv_lit(&rest, " W");
}

static bool on_gpu(struct gpudx_sv rest, struct found *f)
{
	struct gpudx_sv before;

	while (sv_until(&rest, "GPU", &before)) {
		sv_char(&rest, ':');
		sv_char(&rest, ' ');
		if (gpudx_bdf_scan(&rest, &f->id.bdf))
			return true;
	}
	return false;
}

static bool rest_fits(struct gpudx_sv rest, struct found *f)
{
	switch (f->message->form) {
	case WHOLE:
		return sv_blank(rest) || sv_is(sv_trim(rest), ".");
	case OPENS:
		return true;
	case ADVISED:
		return sv_has(rest, "nvidia-smi -h");
	case REASON:
		f->attr = (struct gpudx_attr){ SV("reason"), sv_trim(rest) };
		return f->attr.value.n > 0;
	case LIBRARY:
		f->attr = (struct gpudx_attr){ SV("library_version"), sv_trim(rest) };
		return version(f->attr.value);
	case FIELD:
		f->attr = (struct gpudx_attr){ SV("field"), sv_first(rest, sv_index(rest, '"')) };
		return sv_has(rest, "\" is not a valid field to query");
	case GPU:
		return gpudx_bdf_parse(rest, &f->id.bdf);
	case HANDLE:
		return handle(rest, f);
	case CLOCKS:
		return clocks(rest, f);
	case LIMIT:
		return limit(rest, f);
	case ON_GPU:
		return on_gpu(rest, f);
	}
	return false;
}

/* "bash: nvidia-smi: command not found", "sh: 1: nvidia-smi: not found", "zsh: command not found:
 * nvidia-smi": the shell's own words, so they are no row of the table. */
static bool no_tool(struct gpudx_sv line)
{
	static const char *const ends[] = { "nvidia-smi: command not found",
					    "nvidia-smi: not found",
					    "command not found: nvidia-smi" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		struct gpudx_sv shell = line;

		if (!sv_ends(line, ends[i]))
			continue;
		shell.n -= strlen(ends[i]);
		return shell.n == 0 ||
		       (shell.n < 80 && sv_ends(shell, ": ") && !sv_has(shell, "  "));
	}
	return false;
}

static bool look(struct gpudx_sv line, struct found *f)
{
	static const struct message tool = { SV(""), "smi.no_tool", WHOLE };

	*f = (struct found){ .id = GPUDX_GPU_NONE };
	line = sv_trim(line);
	if (line.n < 11 || line.n > 400)
		return false;
	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		struct gpudx_sv text = messages[i].text;

		f->message = &messages[i];
		if (sv_eq(sv_first(line, text.n), text) && rest_fits(sv_from(line, text.n), f))
			return true;
	}
	f->message = &tool;
	return no_tool(line);
}

bool smi_message_is(struct gpudx_sv line)
{
	struct found f;

	return look(line, &f);
}

bool smi_message_take(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct gpudx_event e;
	struct found f;

	if (!look(line, &f))
		return false;
	e = gpudx_event_of(sv_str(f.message->kind), gpudx_time(c), sv_trim(line));
	if (f.id.bdf.known || f.id.idx >= 0)
		e.ref = gpudx_ref(c, &f.id);
	if (f.attr.name.p)
		e.attrs[e.nattrs++] = f.attr;
	gpudx_put_event(c, &e);
	return true;
}

/* ---- as a format of its own ---- */

static enum gpudx_take message_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	return smi_message_take(c, line) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static int message_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 40; i++)
		if (smi_message_is(head->lines[i].text))
			return 60;
	return 0;
}

const struct gpudx_parser gpudx_parser_smi_message = {
	.name = "smi-message",
	.what = "sentences that nvidia-smi prints instead of its output",
	.bid = message_bid,
	.starts = smi_message_is,
	.line = message_line,
	.flags = GPUDX_P_RESUMES | GPUDX_P_ASIDE,
};
