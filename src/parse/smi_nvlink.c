/* Forms of a link's line, behind a tab or blanks (formats 2.8):
 *
 *   Link 0: 26.562 GB/s                        -s, state and speed
 *   Link 1: <inactive>
 *   Link 0: Replay Errors: 0                   -e, counters since the driver was loaded
 *   Link 0: Symbol BER: 15e-255                -e, Blackwell: rates
 *   Link 0: Data Tx: 1234 KiB                  -gt d
 *   Link 0, P2P is supported: true             -c
 *   Link 0: Remote Device 00000000:06:00.0: Link 2    -R
 *   Link 0: 00000000:06:00.0                   -p */
#include "parse/smi_nvlink.h"

#include <stdio.h>

#include "parse/smi_value.h"

enum { LINKS_MAX = 64, KEY_TEXT = 96 };

static bool link_line(struct gpudx_sv s, uint64_t *link, bool *capability, struct gpudx_sv *rest)
{
	s = sv_ltrim(s);
	if (!sv_lit(&s, "Link ") || !sv_u64(&s, link) || *link >= LINKS_MAX)
		return false;
	*capability = sv_char(&s, ',');
	if (!*capability && !sv_char(&s, ':'))
		return false;
	*rest = sv_trim(s);
	return true;
}

/* Sentences instead of links. */
static bool is_sentence(struct gpudx_sv s)
{
	s = sv_trim(s);
	return sv_has(s, "links are inActive") ||
	       sv_starts(s, "Nvlink queries are not supported") ||
	       sv_is(s, "Device does not have or support Nvlink") ||
	       sv_starts(s, "NVML: Unable to retrieve Nvlink") ||
	       sv_starts(s, "NVML: Unable to retrieve NVLink");
}

bool smi_nvlink_is(struct gpudx_sv line)
{
	uint64_t link;
	bool capability;
	struct gpudx_sv rest;

	return link_line(line, &link, &capability, &rest) || is_sentence(line);
}

static bool speed(struct gpudx_sv s)
{
	double v;

	return sv_decimal(&s, &v) && sv_spaces(&s) &&
	       (sv_is(s, "GB/s") || sv_is(s, "MB/s") || sv_is(s, "Gbps"));
}

/* "nvlink.crc_errors/link3" */
static struct gpudx_sv key_of(struct gpudx_sv name, uint64_t link, char buf[KEY_TEXT])
{
	int n = snprintf(buf, KEY_TEXT, "nvlink.%.*s/link%u", (int)sv_first(name, 60).n, name.p,
			 (unsigned)link);

	for (int i = 7; i < n && buf[i] != '/'; i++)
		buf[i] = sv_is_alpha(buf[i]) || sv_is_digit(buf[i]) ? sv_lower(buf[i]) : '_';
	return sv_n(buf, n > 0 && n < KEY_TEXT ? (size_t)n : 0);
}

static void add_up(struct gpudx_ctx *c, struct smi_nvlink *n, struct gpudx_sv name, double v)
{
	uint32_t line = gpudx_this_line(c)->no;

	if (sv_is(name, "Replay Errors")) {
		n->replay += v;
		n->line_replay = line;
	} else if (sv_is(name, "Recovery Errors")) {
		n->recovery += v;
		n->line_recovery = line;
	} else if (sv_is(name, "CRC Errors")) {
		n->crc += v;
		n->line_crc = line;
	} else {
		return;
	}
	gpudx_cite(c);
}

/* Counters: of the link where it is not zero, and the sum over all. */
static void take_counter(struct gpudx_ctx *c, struct smi_nvlink *n, uint64_t link,
			 struct gpudx_sv name, struct gpudx_sv value)
{
	char buf[KEY_TEXT];
	struct gpudx_metric m = { .ref = n->ref, .t_us = GPUDX_NO_TIME, .seq = n->rounds };

	if (sv_has(value, "e-") || sv_has(value, "e+")) /* a bit error rate */
		return;
	if (!smi_number(value, &m.value))
		return;
	add_up(c, n, name, m.value);
	m.key = key_of(name, link, buf);
	if (m.value > 0 && m.key.n)
		gpudx_put_metric(c, &m);
}

static bool take_state(struct gpudx_ctx *c, struct smi_nvlink *n, struct gpudx_sv rest)
{
	const char *event;

	if (speed(rest))
		n->up++;
	else if (sv_is(rest, "<inactive>") || sv_is(rest, "Inactive"))
		n->down++;
	else if (sv_is(rest, "<disabled>") || sv_is(rest, "Disabled"))
		n->disabled++;
	else if (smi_value_of(rest, &event) == SMI_FAULT)
		smi_fault(c, n->ref, event, rest);
	else
		return false;
	n->line = gpudx_this_line(c)->no;
	gpudx_cite(c);
	return true;
}

static bool take_remote(struct gpudx_ctx *c, struct smi_nvlink *n, uint64_t link,
			struct gpudx_sv rest)
{
	char buf[KEY_TEXT], bdf_text[GPUDX_BDF_TEXT];
	struct gpudx_bdf bdf;

	sv_lit(&rest, "Remote Device ");
	if (!gpudx_bdf_scan(&rest, &bdf))
		return false;
	key_of(SV_LIT("remote"), link, buf);
	gpudx_fact(c, n->ref, buf, "nvml", sv_str(gpudx_bdf_text(bdf, bdf_text)));
	return true;
}

enum gpudx_take smi_nvlink_take(struct gpudx_ctx *c, struct smi_nvlink *n, struct gpudx_sv line)
{
	uint64_t link;
	bool capability;
	struct gpudx_sv rest, name;

	if (is_sentence(line)) {
		n->none_up = n->ref && sv_has(line, "all links are inActive");
		n->line = n->none_up ? gpudx_this_line(c)->no : n->line;
		return GPUDX_TAKEN;
	}
	if (!link_line(line, &link, &capability, &rest))
		return GPUDX_NOT_MINE;
	if (!n->ref) { /* a filtered output: whose links these are was thrown away */
		n->ref = gpudx_ref(c, &GPUDX_GPU_NONE);
		gpudx_excerpt(c);
	}
	if (capability || take_state(c, n, rest) || take_remote(c, n, link, rest))
		return GPUDX_TAKEN;
	if (sv_until(&rest, ": ", &name))
		take_counter(c, n, link, name, sv_trim(rest));
	return GPUDX_TAKEN;
}

static void put_count(struct gpudx_ctx *c, uint32_t ref, uint32_t line, const char *key, unsigned v)
{
	char number[16];
	int n = snprintf(number, sizeof(number), "%u", v);
	struct gpudx_fact f = { .ref = ref,
				.key = sv_str(key),
				.layer = SV("nvml"),
				.value = sv_n(number, (size_t)n),
				.has_num = true,
				.num = v,
				.stamp = gpudx_time(c),
				.line = line };

	gpudx_put_fact(c, &f);
}

static void put_sum(struct gpudx_ctx *c, const struct smi_nvlink *n, uint32_t line, const char *key,
		    double v)
{
	struct gpudx_metric m = { .ref = n->ref,
				  .line = line,
				  .key = sv_str(key),
				  .t_us = GPUDX_NO_TIME,
				  .seq = n->rounds,
				  .value = v };

	if (line)
		gpudx_put_metric(c, &m);
}

void smi_nvlink_end(struct gpudx_ctx *c, struct smi_nvlink *n, uint32_t ref)
{
	if (n->line)
		put_count(c, n->ref, n->line, "nvlink.links_up", n->up);
	if (n->line && !n->none_up) /* how many there are is not said then */
		put_count(c, n->ref, n->line, "nvlink.links_down", n->down);
	if (n->disabled)
		put_count(c, n->ref, n->line, "nvlink.links_disabled", n->disabled);
	put_sum(c, n, n->line_replay, "nvlink.replay_errors", n->replay);
	put_sum(c, n, n->line_recovery, "nvlink.recovery_errors", n->recovery);
	put_sum(c, n, n->line_crc, "nvlink.crc_flit_errors", n->crc);
	*n = (struct smi_nvlink){ .ref = ref, .rounds = n->rounds + 1 };
}
