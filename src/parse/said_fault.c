#include "parse/said_fault.h"

enum { CODE_MAX = 999, CODES_MAX = 8, BEHIND = 48, UUID = 40 };

/* ---- the GPU ---- */

static bool is_word_char(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c) || c == '_' || c == '-';
}

static bool is_word_start(struct gpudx_sv text, size_t at)
{
	return !at || !is_word_char(text.p[at - 1]);
}

/* "PCI:0000:8a:00", "8a:00.0": the first address of the text. */
static bool find_bdf(struct gpudx_sv text, struct gpudx_bdf *bdf)
{
	for (size_t i = 0; i + 7 <= text.n; i++) {
		struct gpudx_sv s = sv_from(text, i);

		if (is_word_start(text, i) && gpudx_bdf_scan(&s, bdf) &&
		    (!s.n || !is_word_char(s.p[0])))
			return true;
	}
	*bdf = (struct gpudx_bdf){ .known = false };
	return false;
}

static struct gpudx_sv find_uuid(struct gpudx_sv text)
{
	struct gpudx_sv s = sv_from(text, sv_find(text, "GPU-"));
	size_t n = 4;

	while (n < s.n && n < UUID && (sv_hex_value(s.p[n]) >= 0 || s.p[n] == '-'))
		n++;
	return n == UUID ? sv_first(s, n) : sv_n(NULL, 0);
}

/* "GPU 3", "gpu3", "GPU#3", "gpu_id=3": the index; the names that a BMC gives ("GPU_SXM_3") count
 * otherwise. */
static int32_t find_index(struct gpudx_sv text)
{
	for (size_t i = 0; i + 4 <= text.n; i++) {
		struct gpudx_sv s = sv_from(text, i);
		uint64_t n;

		if (!is_word_start(text, i) || !sv_ilit(&s, "gpu"))
			continue;
		sv_ilit(&s, "_id");
		while (sv_char(&s, ' ') || sv_char(&s, '#') || sv_char(&s, '=') || sv_char(&s, ':'))
			;
		/* "gpu013" is a machine */
		if (s.n > 1 && s.p[0] == '0' && sv_is_digit(s.p[1]))
			continue;
		if (sv_u64(&s, &n) && n < 64 && (!s.n || (!is_word_char(s.p[0]) && s.p[0] != ':')))
			return (int32_t)n;
	}
	return -1;
}

static uint32_t find_gpu(struct gpudx_ctx *c, struct gpudx_sv text)
{
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;

	id.uuid = find_uuid(text);
	if (!find_bdf(text, &id.bdf) && !id.uuid.p)
		id.idx = find_index(text);
	return id.bdf.known || id.uuid.p || id.idx >= 0 ? gpudx_ref(c, &id) : 0;
}

/* ---- Xids ---- */

/* What may stand between "Xid" and its number. */
static void skip_to_number(struct gpudx_sv *s)
{
	static const char *const words[] = { "errors", "error",	 "codes", "code",    "events",
					     "event",  "number", "no.",	  "detected" };
	struct gpudx_sv start = *s, address;

	sv_ilit(s, "s");
	for (bool more = true; more && start.n - s->n < BEHIND;) {
		more = sv_char(s, ' ') || sv_char(s, ':') || sv_char(s, '=') || sv_char(s, '#') ||
		       sv_char(s, '_') || sv_char(s, '-');
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]) && !more; i++)
			more = sv_ilit(s, words[i]);
		if (!more && sv_char(s, '(')) {
			more = true;
			if (sv_starts(*s, "PCI:"))
				sv_until(s, ")", &address);
		}
	}
}

/* "79" and "48,63" at the cursor: how many codes; 0 when no number stands there that is one. */
static unsigned scan_codes(struct gpudx_sv *s, int64_t codes[CODES_MAX])
{
	unsigned n = 0;
	uint64_t v;

	while (n < CODES_MAX) {
		struct gpudx_sv c = *s;

		if (n && !(sv_char(&c, ',') || sv_char(&c, '/')))
			break;
		if (!sv_u64(&c, &v) || !v || v > CODE_MAX || (c.n && is_word_char(c.p[0])))
			break;
		codes[n++] = (int64_t)v;
		*s = c;
	}
	return n;
}

/* "no Xid", "without Xid". */
static bool is_denied(struct gpudx_sv front)
{
	static const char *const words[] = { "no", "without", "not", "ignore", "ignoring" };

	front = sv_rtrim(front);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]);

		if (front.n >= n && sv_ieq(sv_from(front, front.n - n), sv_str(words[i])) &&
		    is_word_start(front, front.n - n))
			return true;
	}
	return false;
}

/* The codes that stand behind the next "Xid" from *at on; 0 at the end of the text. */
static unsigned next_codes(struct gpudx_sv text, size_t *at, int64_t codes[CODES_MAX])
{
	for (; *at + 3 < text.n; ++*at) {
		struct gpudx_sv s = sv_from(text, *at);
		unsigned n;

		if (!sv_ilit(&s, "xid") || !is_word_start(text, *at) ||
		    is_denied(sv_first(text, *at)))
			continue;
		skip_to_number(&s);
		n = scan_codes(&s, codes);
		if (n) {
			*at = text.n - s.n;
			return n;
		}
	}
	return 0;
}

static bool has_lower(struct gpudx_sv text, const char *words)
{
	for (size_t i = 0; i < text.n; i++) {
		struct gpudx_sv s = sv_from(text, i);

		if (sv_ilit(&s, words))
			return true;
	}
	return false;
}

static bool says_loss(struct gpudx_sv text)
{
	/* also where a table cuts it off */
	static const char *const words[] = { "fallen off the b", "fell off the b", "fell off bus",
					     "off the PCI" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (has_lower(text, words[i]))
			return has_lower(text, "gpu");
	return false;
}

/* "gres/gpu count reported lower than configured (7 < 8)", also cut off where a table cuts it. */
static bool says_missing(struct gpudx_sv text)
{
	return sv_has(text, "gres/gpu") && sv_has(text, "count") &&
	       (sv_has(text, "low") || sv_ends(text, "repor"));
}

static void put_missing(struct gpudx_ctx *c, struct gpudx_event *e)
{
	struct gpudx_sv s = e->text, before, found, wanted, number;
	uint64_t n;

	e->kind = SV_LIT("scheduler.gpu_missing");
	if (sv_until(&s, "(", &before) && sv_until(&s, " < ", &found) &&
	    sv_until(&s, ")", &wanted) && (number = found, sv_u64(&number, &n)) && !number.n &&
	    (number = wanted, sv_u64(&number, &n)) && !number.n) {
		e->attrs[e->nattrs++] = (struct gpudx_attr){ SV_LIT("found"), found };
		e->attrs[e->nattrs++] = (struct gpudx_attr){ SV_LIT("wanted"), wanted };
	}
	gpudx_put_event(c, e);
}

bool says_fault(struct gpudx_sv text)
{
	int64_t codes[CODES_MAX];
	size_t at = 0;

	return next_codes(text, &at, codes) || says_loss(text) || says_missing(text);
}

bool said_fault(struct gpudx_ctx *c, struct gpudx_sv text, const char *layer,
		const struct gpudx_stamp *stamp, uint32_t line)
{
	struct gpudx_event e = gpudx_event_of(SV_LIT("nvrm.fallen_off_bus"), *stamp, text);
	struct gpudx_sv nvrm = sv_from(text, sv_find(text, "NVRM: "));
	int64_t codes[CODES_MAX];
	size_t at = 0;
	bool any;

	gpudx_said_by(c, layer);
	e.line = line;
	any = nvrm.n && !line && gpudx_match(c, nvrm, stamp);
	if (!any)
		e.ref = find_gpu(c, text);
	for (unsigned n; !any && (n = next_codes(text, &at, codes)) != 0;) {
		e.kind = SV_LIT("xid");
		for (unsigned k = 0; k < n; k++) {
			e.code = codes[k];
			gpudx_put_event(c, &e);
		}
	}
	any = any || e.code >= 0;
	if (!any && says_loss(text)) {
		gpudx_put_event(c, &e);
		any = true;
	}
	if (!any && says_missing(text)) {
		e.ref = 0;
		put_missing(c, &e);
		any = true;
	}
	gpudx_said_by(c, NULL);
	return any;
}
