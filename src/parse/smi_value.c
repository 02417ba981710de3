#include "parse/smi_value.h"

/* ---- where it ran ---- */

/* Words of a command or path that stand for a container. */
static bool is_container_word(struct gpudx_sv word)
{
	static const char *const words[] = { "docker",	"podman",      "nerdctl",
					     "kubectl", "singularity", "apptainer",
					     "enroot",	"crictl",      "container" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_ieq(word, sv_str(words[i])))
			return true;
	return false;
}

static bool names_container(struct gpudx_sv text)
{
	for (size_t i = 0; i < text.n;) {
		size_t n = 0;

		while (i + n < text.n && sv_is_alpha(text.p[i + n]))
			n++;
		if (n && is_container_word(sv_n(text.p + i, n)))
			return true;
		i += n + 1;
	}
	return false;
}

const char *smi_layer(const struct gpudx_ctx *c)
{
	return names_container(gpudx_command(c)) || names_container(gpudx_path(c)) ? "container"
										   : "nvml";
}

/* ---- values ---- */

struct token {
	struct gpudx_sv text;
	const char *event; /* NULL: only missing */
};

/* Without brackets; formats 0.3. */
static const struct token tokens[] = {
	{ SV("N/A"), NULL },
	{ SV("Not Supported"), NULL },
	{ SV("Not Found"), NULL },
	{ SV("Function Not Found"), NULL },
	{ SV("Insufficient Permissions"), NULL },
	{ SV("Requested functionality has been deprecated"), NULL },
	{ SV("Not available in WDDM driver model"), NULL },
	{ SV("-"), NULL },
	{ SV("Unknown Error"), "smi.unknown_error" },
	{ SV("ERR!"), "smi.unknown_error" },
	{ SV("GPU requires reset"), "smi.requires_reset" },
	{ SV("GPU is lost"), "smi.gpu_lost" },
};

enum smi_value smi_value_of(struct gpudx_sv cell, const char **event)
{
	cell = sv_trim(cell);
	if (cell.n >= 2 && cell.p[0] == '[' && cell.p[cell.n - 1] == ']')
		cell = sv_n(cell.p + 1, cell.n - 2);
	if (!cell.n)
		return SMI_MISSING;
	/* All tokens begin with one of these; numbers, by far most of the cells, do not. */
	if (!strchr("NFIRU-EG", cell.p[0]))
		return SMI_VALUE;
	for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
		if (!sv_eq(tokens[i].text, cell))
			continue;
		if (!tokens[i].event)
			return SMI_MISSING;
		*event = tokens[i].event;
		return SMI_FAULT;
	}
	return SMI_VALUE;
}

bool smi_number(struct gpudx_sv cell, double *out)
{
	struct gpudx_sv c = sv_ltrim(cell);
	double v;

	if (!sv_decimal(&c, &v))
		return false;
	c = sv_trim(c);
	if (c.n > 8 || (c.n && c.p[0] == '.'))
		return false;
	for (size_t i = 0; i < c.n; i++)
		if (sv_is_digit(c.p[i]))
			return false;
	*out = v;
	return true;
}

bool smi_no_number(struct gpudx_sv cell)
{
	static const char *const words[] = { "nan",  "none",	  "null",    "na",   "n/a",
					     "<na>", "undefined", "unknown", "#n/a", "inf",
					     "-inf", "error",	  "?",	     "err!", "--" };
	struct gpudx_sv unit = sv_ltrim(cell), word;

	if (!sv_token(&unit, &word) || sv_trim(unit).n > 8)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_ieq(word, sv_str(words[i])))
			return true;
	return false;
}

bool smi_whole(struct gpudx_sv cell, int64_t max, int64_t *out)
{
	uint64_t v;

	if (!sv_u64(&cell, &v) || cell.n || v > (uint64_t)max)
		return false;
	*out = (int64_t)v;
	return true;
}

bool smi_impossible(struct gpudx_sv cell)
{
	struct gpudx_sv c = sv_trim(cell);

	/* 2^64 in whatever unit, less a little; 2^32 - 1 */
	return sv_starts(c, "1844674407370") || sv_is(c, "4294967295");
}

bool smi_pstate(struct gpudx_sv cell, double *out)
{
	struct gpudx_sv c = sv_trim(cell);
	uint64_t v;

	if (!sv_char(&c, 'P') || !sv_u64(&c, &v) || c.n || v > 15)
		return false;
	*out = (double)v;
	return true;
}

bool smi_mask(struct gpudx_sv cell, double *out)
{
	struct gpudx_sv c = sv_trim(cell);
	uint64_t v;

	if (!sv_lit(&c, "0x") || !sv_hex(&c, 1, 16, &v) || c.n)
		return false;
	*out = (double)(v & 0xffffffffu);
	return true;
}

static struct gpudx_sv lower_word(struct gpudx_sv s, char *buf, size_t size)
{
	s = sv_first(sv_trim(s), size);
	for (size_t i = 0; i < s.n; i++)
		buf[i] = sv_lower(s.p[i]);
	return sv_n(buf, s.n);
}

static void put_host_fact(struct gpudx_ctx *c, const char *key, const char *layer,
			  struct gpudx_sv cell)
{
	/* R595 and later: "610.57.04 [Deprecated; will be removed ...]" */
	struct gpudx_sv word = sv_first(cell, sv_index(cell, ' ')), rest = word;
	uint64_t count;

	if (sv_u64(&rest, &count) && !rest.n)
		gpudx_fact_num(c, 0, key, layer, (double)count);
	else
		gpudx_fact(c, 0, key, layer, word);
}

/* Registers of a card that left the bus read as all ones: x63 is no width. */
static void put_num_fact(struct gpudx_ctx *c, uint32_t ref, const struct smi_field *f,
			 const char *layer, struct gpudx_sv cell)
{
	double v;

	if (!smi_number(cell, &v))
		return;
	if (f->kind == SMI_NUM && f->arg && v > f->arg)
		smi_implausible(c, ref, sv_str(f->key), cell);
	else
		gpudx_fact_num(c, ref, f->key, layer, v);
}

void smi_fact(struct gpudx_ctx *c, uint32_t ref, const struct smi_field *f, const char *layer,
	      struct gpudx_sv cell)
{
	char buf[80];

	cell = sv_trim(cell);
	switch (f->kind) {
	case SMI_TEXT:
		gpudx_fact(c, ref, f->key, layer, cell);
		break;
	case SMI_HOST:
		put_host_fact(c, f->key, layer, cell);
		break;
	case SMI_WORD:
		/* Older builds print the flags of --query-remapped-rows as numbers. */
		if (sv_is(cell, "0") || sv_is(cell, "1"))
			cell = sv_is(cell, "0") ? SV_LIT("no") : SV_LIT("yes");
		gpudx_fact(c, ref, f->key, layer, lower_word(cell, buf, sizeof(buf)));
		break;
	case SMI_NUM:
	case SMI_COL:
		put_num_fact(c, ref, f, layer, cell);
		break;
	default:
		break;
	}
}

static struct gpudx_event smi_event(const struct gpudx_ctx *c, uint32_t ref, const char *kind,
				    struct gpudx_sv text)
{
	struct gpudx_event e = gpudx_event_of(sv_str(kind), gpudx_time(c), text);

	e.ref = ref;
	return e;
}

void smi_fault(struct gpudx_ctx *c, uint32_t ref, const char *kind, struct gpudx_sv text)
{
	struct gpudx_event e = smi_event(c, ref, kind, text);

	gpudx_put_event(c, &e);
}

static unsigned grade_of(const char *kind)
{
	struct gpudx_sv k = sv_str(kind);

	return sv_is(k, "smi.gpu_lost") ? 3 : sv_is(k, "smi.requires_reset") ? 2 : 1;
}

unsigned smi_faults_grade(const struct smi_faults *f)
{
	return f->n ? grade_of(f->kind) : 0;
}

void smi_note(struct smi_faults *f, const char *kind, const char *name, struct gpudx_sv cell)
{
	if (f->n == GPUDX_ATTRS_MAX)
		return;
	if (!f->n || grade_of(kind) > grade_of(f->kind))
		f->kind = kind;
	f->cells[f->n++] = (struct gpudx_attr){ sv_str(name), cell };
}

enum smi_value smi_look(struct smi_faults *f, const char *name, struct gpudx_sv cell)
{
	const char *kind;
	enum smi_value value = smi_value_of(cell, &kind);

	if (value == SMI_FAULT)
		smi_note(f, kind, name, cell);
	return value;
}

void smi_faults_put(struct gpudx_ctx *c, uint32_t ref, struct smi_faults *f)
{
	struct gpudx_event e;

	if (!f->n)
		return;
	e = smi_event(c, ref, f->kind, f->cells[0].value);
	e.nattrs = f->n;
	memcpy(e.attrs, f->cells, f->n * sizeof(f->cells[0]));
	f->n = 0;
	gpudx_put_event(c, &e);
}

void smi_implausible(struct gpudx_ctx *c, uint32_t ref, struct gpudx_sv key, struct gpudx_sv value)
{
	struct gpudx_event e = smi_event(c, ref, "smi.implausible", value);

	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("key"), key };
	e.attrs[e.nattrs++] = (struct gpudx_attr){ SV_LIT("value"), value };
	gpudx_put_event(c, &e);
}
