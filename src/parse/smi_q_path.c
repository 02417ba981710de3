#include "parse/smi_q_path.h"

#include "base/map.h"

static unsigned indent_of(struct gpudx_sv line)
{
	unsigned n = 0;

	for (size_t i = 0; i < line.n && sv_is_space(line.p[i]); i++)
		n += line.p[i] == '\t' ? 8 : 1;
	return n;
}

bool smi_q_split(struct gpudx_sv line, struct smi_q_line *out)
{
	struct gpudx_sv s = sv_trim(line);
	size_t at = sv_find(s, " : ");

	*out = (struct smi_q_line){ .indent = indent_of(line) };
	if (at < s.n) {
		out->key = sv_rtrim(sv_first(s, at));
		out->value = sv_trim(sv_from(s, at + 3));
	} else if (sv_ends(s, " :")) {
		out->key = sv_rtrim(sv_first(s, s.n - 2));
		out->value = SV_LIT("");
	} else {
		out->key = s;
	}
	return out->key.n > 0;
}

void smi_q_reset(struct smi_q_path *p)
{
	p->depth = 0;
	p->text[0] = '\0';
	p->section[0] = '\0';
	p->mig = false;
}

static void note_section(struct smi_q_path *p, const struct smi_q_line *line)
{
	size_t n = sv_first(line->key, SMI_Q_SECTION - 1).n;

	memcpy(p->section, line->key.p, n);
	p->section[n] = '\0';
	p->section_indent = line->indent;
	p->mig |= sv_is(line->key, "MIG Device");
	memset(p->said_here, 0, sizeof(p->said_here));
}

bool smi_q_enter(struct smi_q_path *p, const struct smi_q_line *line)
{
	size_t from, end;

	while (p->depth && p->level[p->depth - 1].indent >= line->indent)
		p->depth--;
	from = p->depth ? p->level[p->depth - 1].end : 0;
	end = from + (from > 0) + line->key.n;
	if (p->depth == SMI_Q_DEPTH || end >= SMI_Q_TEXT)
		return false;
	if (from)
		p->text[from++] = '/';
	memcpy(p->text + from, line->key.p, line->key.n);
	p->text[end] = '\0';
	p->level[p->depth].indent = line->indent;
	p->level[p->depth++].end = end;
	if (!line->value.p)
		note_section(p, line);
	return true;
}

const struct smi_field *smi_q_field(struct smi_q_path *p)
{
	struct gpudx_sv path = sv_str(p->text);
	uint64_t hash = gpudx_hash(path);
	size_t slot = hash % SMI_Q_CACHE;
	const struct smi_field *f = p->cache[slot].field;

	if (p->cache[slot].hash == hash && (!f || smi_field_has_path(f, path)))
		return f;
	p->cache[slot].hash = hash;
	return p->cache[slot].field = smi_field_q(path);
}

/* ---- excerpts ---- */

bool smi_q_first(unsigned char set[SMI_FIELDS_MAX / 8], const struct smi_field *f)
{
	unsigned i = smi_field_number(f);
	bool first = !(set[i / 8] >> (i % 8) & 1);

	set[i / 8] = (unsigned char)(set[i / 8] | 1u << (i % 8));
	return first;
}

static const struct smi_field *only_one(struct gpudx_sv tail)
{
	unsigned found;
	const struct smi_field *f = smi_field_tail(tail, &found);

	return found == 1 ? f : NULL;
}

/* The path as it is, if the line is indented as deep as nvidia-smi does for it. */
static const struct smi_field *as_indented(const struct smi_q_path *p,
					   const struct smi_q_line *line)
{
	return line->indent == 4 * p->depth ? smi_field_q(sv_str(p->text)) : NULL;
}

/* By the sections that the indentation shows, the nearest ones if the outer ones mislead. */
static const struct smi_field *by_sections(const struct smi_q_path *p,
					   const struct smi_q_line *line)
{
	struct gpudx_sv tail = sv_str(p->text);
	const struct smi_field *f = p->depth > 1 ? as_indented(p, line) : NULL;
	size_t at;

	while (!f && (at = sv_index(tail, '/')) < tail.n) {
		f = only_one(tail);
		tail = sv_from(tail, at + 1);
	}
	return f;
}

/* Without indentation the section is the last line that had no value. */
static const struct smi_field *by_last_section(const struct smi_q_path *p,
					       const struct smi_q_line *line)
{
	char tail[SMI_Q_SECTION + SMI_Q_TEXT];
	size_t n = strlen(p->section), key = sv_first(line->key, SMI_Q_TEXT - 2).n;
	const struct smi_field *f;

	if (!n || line->indent != p->section_indent)
		return NULL;
	memcpy(tail, p->section, n);
	tail[n] = '/';
	memcpy(tail + n + 1, line->key.p, key);
	n += 1 + key;
	f = p->mig ? NULL : smi_field_q(sv_n(tail, n));
	return f ? f : only_one(sv_n(tail, n));
}

const struct smi_field *smi_q_guess(struct smi_q_path *p, const struct smi_q_line *line)
{
	const struct smi_field *f = by_sections(p, line);

	if (!f)
		f = by_last_section(p, line);
	if (f)
		return smi_q_first(p->said_here, f) ? f : NULL;
	if (!smi_q_is_telling(line->key, p->from_q))
		return NULL;
	f = only_one(line->key);
	if (f)
		return f;
	f = smi_field_q(line->key);
	return f && smi_q_first(p->said_once, f) ? f : NULL;
}

const char *smi_q_leaf(const struct smi_q_path *p)
{
	return p->depth > 1 ? p->text + p->level[p->depth - 2].end + 1 : p->text;
}

bool smi_q_is_name(struct gpudx_sv s)
{
	if (!s.n || s.n > 60 || !sv_is_alpha(s.p[0]) ||
	    (s.p[0] != 'v' && s.p[0] == sv_lower(s.p[0]))) /* vGPU */
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!sv_is_alpha(s.p[i]) && !sv_is_digit(s.p[i]) && !memchr(" .()/-", s.p[i], 6))
			return false;
	return true;
}

bool smi_q_is_telling(struct gpudx_sv key, bool from_q)
{
	return from_q || sv_has(key, " ") || sv_is(key, "Timestamp");
}

bool smi_q_knows(const struct smi_q_line *line)
{
	unsigned found;

	if (!smi_q_is_name(line->key))
		return false;
	return line->value.p ? smi_field_tail(line->key, &found) != NULL
			     : smi_section_tail(line->key);
}
