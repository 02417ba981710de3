/* modinfo: the kernel modules of the driver as they lie on the disk, one after another, also
 * grep'd:
 *
 *   filename:       /lib/modules/6.5.0-28-generic/updates/dkms/nvidia.ko
 *   firmware:       nvidia/550.54.14/gsp_ga10x.bin
 *   version:        550.54.14
 *   license:        NVIDIA
 *   srcversion:     0123456789ABCDEF0123456
 *   vermagic:       6.5.0-28-generic SMP preempt mod_unload modversions
 *   signer:         DKMS module signing key
 *   parm:           NVreg_EnableMSI:int
 *   modinfo: ERROR: Module nvidia not found.
 *
 * What the modules say is layer "disk" (nvidia) or "disk.uvm", "disk.drm" ... (its companions); the
 * loaded ones may be others. Modules of other makers are read over. Source: kmod, tools/modinfo.c.
 */
#include "parse/parser.h"

#include <stdio.h>

enum key {
	KEY_FILENAME,
	KEY_NAME,
	KEY_VERSION,
	KEY_LICENSE,
	KEY_VERMAGIC,
	KEY_SRCVERSION,
	KEY_SIGNER,
	KEY_FIRMWARE,
	KEYS_KEPT,
	KEY_OTHER
};

struct known_key {
	const char *text;
	enum key key;
};

static const struct known_key keys[] = {
	{ "filename", KEY_FILENAME },  { "name", KEY_NAME },
	{ "version", KEY_VERSION },    { "license", KEY_LICENSE },
	{ "vermagic", KEY_VERMAGIC },  { "srcversion", KEY_SRCVERSION },
	{ "signer", KEY_SIGNER },      { "firmware", KEY_FIRMWARE },
	{ "alias", KEY_OTHER },	       { "author", KEY_OTHER },
	{ "depends", KEY_OTHER },      { "description", KEY_OTHER },
	{ "file", KEY_OTHER },	       { "import_ns", KEY_OTHER },
	{ "intree", KEY_OTHER },       { "livepatch", KEY_OTHER },
	{ "parm", KEY_OTHER },	       { "retpoline", KEY_OTHER },
	{ "rhelversion", KEY_OTHER },  { "scmversion", KEY_OTHER },
	{ "sig_hashalgo", KEY_OTHER }, { "sig_id", KEY_OTHER },
	{ "sig_key", KEY_OTHER },      { "signature", KEY_OTHER },
	{ "softdep", KEY_OTHER },      { "staging", KEY_OTHER },
	{ "supported", KEY_OTHER },    { "weakdep", KEY_OTHER },
};

struct value {
	uint32_t line; /* 0: not seen */
	size_t n;
	char p[256];
};

struct modinfo {
	struct value v[KEYS_KEPT];
	unsigned nth;	/* of the module at hand, as the command names them */
	bool inside;	/* a module is being read */
	bool foreign;	/* ... of which nothing is kept */
	enum key field; /* modinfo -F: lines are bare values of this key; else KEY_OTHER */
};

static struct gpudx_sv text(const struct value *v)
{
	return v->line ? sv_n(v->p, v->n) : sv_n(NULL, 0);
}

/* ---- names of modules ---- */

enum role { ROLE_OTHER, ROLE_NVIDIA, ROLE_MODESET, ROLE_DRM, ROLE_UVM, ROLE_PEERMEM };

static const char *const layers[] = { [ROLE_NVIDIA] = "disk",
				      [ROLE_MODESET] = "disk.modeset",
				      [ROLE_DRM] = "disk.drm",
				      [ROLE_UVM] = "disk.uvm",
				      [ROLE_PEERMEM] = "disk.peermem" };

static bool ends_with_word(struct gpudx_sv s, const char *word)
{
	size_t n = strlen(word);

	return sv_ends(s, word) && s.n > n && (s.p[s.n - n - 1] == '-' || s.p[s.n - n - 1] == '_');
}

/* Distributions put their own words between: nvidia-current-drm, nvidia_418_uvm,
 * nvidia-legacy-390xx. */
static enum role role_of(struct gpudx_sv name)
{
	static const char *const words[] = { "current", "legacy", "tesla", "open", "server" };
	struct gpudx_sv rest = name;

	if (!sv_lit(&rest, "nvidia"))
		return ROLE_OTHER;
	if (ends_with_word(name, "modeset"))
		return ROLE_MODESET;
	if (ends_with_word(name, "drm"))
		return ROLE_DRM;
	if (ends_with_word(name, "uvm"))
		return ROLE_UVM;
	if (ends_with_word(name, "peermem"))
		return ROLE_PEERMEM;
	if (!rest.n)
		return ROLE_NVIDIA;
	if (!sv_char(&rest, '-') && !sv_char(&rest, '_'))
		return ROLE_OTHER;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (sv_starts(rest, words[i]))
			return ROLE_NVIDIA;
	return rest.n && sv_is_digit(rest.p[0]) ? ROLE_NVIDIA : ROLE_OTHER;
}

/* "/lib/modules/X/extra/nvidia-uvm.ko.zst" -> "nvidia-uvm" */
static struct gpudx_sv base_name(struct gpudx_sv path)
{
	for (size_t i = path.n; i > 0; i--) {
		if (path.p[i - 1] == '/') {
			path = sv_from(path, i);
			break;
		}
	}
	return sv_first(path, sv_index(path, '.'));
}

/* The nth module that the command names; .p NULL when it does not. */
static struct gpudx_sv named_module(struct gpudx_sv command, unsigned nth)
{
	struct gpudx_sv rest = sv_first(command, sv_index(command, '|')), word;
	bool behind = false, value = false;
	unsigned n = 0;

	while (sv_spaces(&rest) && sv_token(&rest, &word)) {
		if (!behind)
			behind = sv_is(base_name(word), "modinfo");
		else if (value)
			value = false;
		else if (word.p[0] == '-')
			value = sv_is(word, "-F") || sv_is(word, "--field") || sv_is(word, "-k");
		else if (n++ == nth)
			return base_name(word);
	}
	return sv_n(NULL, 0);
}

/* A grep'd line without any name can only be meant to be the driver's. */
static enum role module_role(struct gpudx_ctx *c, const struct modinfo *m)
{
	struct gpudx_sv name = named_module(gpudx_command(c), m->nth);

	if (m->v[KEY_NAME].line)
		return role_of(text(&m->v[KEY_NAME]));
	if (m->v[KEY_FILENAME].line)
		return role_of(base_name(text(&m->v[KEY_FILENAME])));
	return name.n && name.p[0] != '$' ? role_of(name) : ROLE_NVIDIA;
}

/* ---- facts ---- */

static void put(struct gpudx_ctx *c, const char *key, const char *layer, struct gpudx_sv v,
		uint32_t line)
{
	struct gpudx_fact f = {
		.key = sv_str(key), .layer = sv_str(layer), .value = v, .line = line
	};

	if (v.n)
		gpudx_put_fact(c, &f);
}

/* Only nvidia itself tells: the memory module is under both licenses in either driver. */
static void put_flavor(struct gpudx_ctx *c, const struct value *license)
{
	if (sv_is(text(license), "NVIDIA"))
		put(c, "driver.flavor", "disk", SV_LIT("proprietary"), license->line);
	else if (sv_is(text(license), "Dual MIT/GPL"))
		put(c, "driver.flavor", "disk", SV_LIT("open"), license->line);
}

static void put_kept(struct gpudx_ctx *c, const char *key, const char *layer, const struct value *v)
{
	put(c, key, layer, text(v), v->line);
}

/* What must agree between nvidia and its companions; the rest is said of nvidia alone, since there
 * the companions differ by nature. */
static void put_module(struct gpudx_ctx *c, const struct value *v, enum role role)
{
	struct gpudx_sv magic = text(&v[KEY_VERMAGIC]);
	const char *layer = layers[role];

	put_kept(c, "driver.version", layer, &v[KEY_VERSION]);
	put_kept(c, "module.vermagic", layer, &v[KEY_VERMAGIC]);
	put(c, "module.kernel", layer, sv_first(magic, sv_index(magic, ' ')), v[KEY_VERMAGIC].line);
	if (role != ROLE_NVIDIA)
		return;
	put_flavor(c, &v[KEY_LICENSE]);
	put_kept(c, "module.srcversion", layer, &v[KEY_SRCVERSION]);
	put_kept(c, "module.signer", layer, &v[KEY_SIGNER]);
	put_kept(c, "module.filename", layer, &v[KEY_FILENAME]);
	put_kept(c, "module.firmware", layer, &v[KEY_FIRMWARE]);
}

static void module_end(struct gpudx_ctx *c, struct modinfo *m)
{
	enum role role = module_role(c, m);

	if (m->inside && !m->foreign && role != ROLE_OTHER)
		put_module(c, m->v, role);
	for (int i = 0; i < KEYS_KEPT; i++)
		m->v[i].line = 0;
	m->nth += m->inside;
	m->inside = m->foreign = false;
}

/* "Module nvidia not found.", "could not find module nvidia" */
static void module_missing(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv word;

	if (!sv_has(s, "not found") && !sv_has(s, "could not find module") &&
	    !sv_has(s, "could not get modinfo"))
		return;
	while (sv_spaces(&s) && sv_token(&s, &word)) {
		if (word.p[0] == '\'')
			word = sv_from(word, 1);
		while (word.n && (word.p[word.n - 1] == '.' || word.p[word.n - 1] == '\'' ||
				  word.p[word.n - 1] == ':'))
			word.n--;
		if (role_of(word) == ROLE_NVIDIA)
			gpudx_fact(c, 0, "module.present", "disk", SV_LIT("no"));
	}
}

/* ---- lines ---- */

static void keep(struct gpudx_ctx *c, struct modinfo *m, enum key key, struct gpudx_sv v)
{
	struct value *to = &m->v[key];
	size_t at = key == KEY_FIRMWARE && to->line ? to->n : 0;

	/* The firmware files are one value: their names, blank-separated. */
	if (at && at < sizeof(to->p))
		to->p[at++] = ' ';
	v = sv_first(v, sizeof(to->p) - at);
	if (v.n)
		memcpy(to->p + at, v.p, v.n);
	to->n = at + v.n;
	to->line = gpudx_this_line(c)->no;
	gpudx_cite(c);
}

/* Without file names, a key that comes again is the next module's. */
static bool is_repeated(const struct modinfo *m, enum key key)
{
	return key < KEYS_KEPT && key != KEY_FIRMWARE && m->v[key].line;
}

static void key_line(struct gpudx_ctx *c, struct modinfo *m, enum key key, struct gpudx_sv v)
{
	if (key == KEY_FILENAME || (is_repeated(m, key) && !m->v[KEY_FILENAME].line))
		module_end(c, m);
	m->inside = true;
	if (key == KEY_FILENAME)
		m->foreign = role_of(base_name(v)) == ROLE_OTHER;
	if (key < KEYS_KEPT && !m->foreign && !is_repeated(m, key))
		keep(c, m, key, v);
}

/* "version:        550.54.14": false when it is no key of modinfo. */
static bool scan_key(struct gpudx_sv line, enum key *key, struct gpudx_sv *v)
{
	size_t colon = sv_index(line, ':');
	struct gpudx_sv name = sv_first(line, colon);

	if (colon == line.n || colon > 20)
		return false;
	*v = sv_trim(sv_from(line, colon + 1));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (sv_is(name, keys[i].text)) {
			*key = keys[i].key;
			return true;
		}
	}
	return false;
}

/* The lines of a signature: indented hex bytes. */
static bool is_signature(struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line);
	uint64_t byte;

	if (!line.n || !sv_is_space(line.p[0]))
		return false;
	return sv_hex(&s, 2, 2, &byte) && (!s.n || s.p[0] == ':');
}

static enum gpudx_take modinfo_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct modinfo *m = gpudx_state(c);
	struct gpudx_sv v;
	enum key key;

	if (sv_starts(line, "modinfo: ")) {
		module_missing(c, line);
		return GPUDX_TAKEN;
	}
	if (scan_key(line, &key, &v)) {
		key_line(c, m, key, v);
		return GPUDX_TAKEN;
	}
	if (m->field != KEY_OTHER && !sv_has(sv_trim(line), " ")) {
		key_line(c, m, m->field, sv_trim(line));
		return GPUDX_TAKEN;
	}
	return m->inside && is_signature(line) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

/* The key that -F asks for; KEY_OTHER when the command does not. */
static enum key asked_field(struct gpudx_sv command)
{
	struct gpudx_sv word;
	bool next = false;

	if (!sv_has(command, "modinfo"))
		return KEY_OTHER;
	while (sv_spaces(&command) && sv_token(&command, &word)) {
		if (sv_starts(word, "-F") && word.n > 2)
			word = sv_from(word, 2);
		else if (!next) {
			next = sv_is(word, "-F") || sv_is(word, "--field");
			continue;
		}
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (sv_is(word, keys[i].text))
				return keys[i].key;
		return KEY_OTHER;
	}
	return KEY_OTHER;
}

static void modinfo_begin(struct gpudx_ctx *c)
{
	struct modinfo *m = gpudx_state(c);

	m->field = asked_field(gpudx_command(c));
}

static void modinfo_finish(struct gpudx_ctx *c)
{
	module_end(c, gpudx_state(c));
}

/* Lines that no YAML or package description has. */
static bool modinfo_starts(struct gpudx_sv line)
{
	struct gpudx_sv v;
	enum key key;

	if (!scan_key(line, &key, &v) || !sv_starts(sv_from(line, sv_index(line, ':')), ":   "))
		return false;
	return (key == KEY_FILENAME && sv_has(v, ".ko")) ||
	       (key == KEY_VERMAGIC && sv_has(v, "mod_unload"));
}

static int modinfo_bid(const struct gpudx_head *head)
{
	bool named = sv_has(head->command, "modinfo");

	for (size_t i = 0, seen = 0; i < head->n && seen < 40; i++) {
		struct gpudx_sv line = head->lines[i].text, v;
		enum key key;

		if (sv_blank(line))
			continue;
		seen++;
		if (modinfo_starts(line))
			return 80;
		if (sv_starts(line, "modinfo: ERROR: ") || sv_starts(line, "modinfo: could not "))
			return 60;
		if (named && (scan_key(line, &key, &v) || asked_field(head->command) != KEY_OTHER))
			return 60;
		if (sv_starts(line, "parm:           NVreg_") ||
		    sv_starts(line, "srcversion:     "))
			return 60;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_modinfo = {
	.name = "modinfo",
	.what = "modinfo of the driver's modules, also grep'd or of all modules",
	.bid = modinfo_bid,
	.starts = modinfo_starts,
	.begin = modinfo_begin,
	.line = modinfo_line,
	.finish = modinfo_finish,
	.state_size = sizeof(struct modinfo),
};
