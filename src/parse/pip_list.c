/* Which Python packages an environment has: pip list, pip freeze, pip show, old and new.
 *
 *   Package            Version      Editable project location
 *   ------------------ ------------ -------------------------
 *   torch              2.4.1+cu118
 *
 *   torch==2.4.1+cu118
 *   mylib @ git+https://example.org/mylib.git@0123456789abcdef
 *   torch @ file:///tmp/torch-2.1.0%2Bcu121-cp310-cp310-linux_x86_64.whl#sha256=...
 *   -e git+https://example.org/mylib.git@0123456789abcdef#egg=mylib
 *
 *   Name: torch
 *   Version: 2.4.1
 *
 *   torch (0.4.1)
 *
 * A file of requirements looks like a freeze, but says what somebody wants. Source: pip,
 * commands/list.py, operations/freeze.py, commands/show.py. */
#include "parse/package.h"
#include "parse/text.h"

struct pip_list {
	bool table; /* rows of two columns follow */
	size_t name_n;
	char name[100]; /* pip show: of the package at hand */
};

static bool is_name(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!sv_is_alpha(s.p[i]) && !sv_is_digit(s.p[i]) && s.p[i] != '-' &&
		    s.p[i] != '_' && s.p[i] != '.')
			return false;
	return s.n > 0 && s.n < 100;
}

static bool is_version(struct gpudx_sv s)
{
	struct gpudx_sv c = s;
	uint64_t n;

	sv_char(&c, 'v');
	return sv_u64(&c, &n) && (!c.n || c.p[0] == '.' || sv_is_alpha(c.p[0]) || c.p[0] == '!' ||
				  c.p[0] == '+' || c.p[0] == '-');
}

/* "name==version[ ; marker]", without the extras of "name[extra]==version". */
static bool scan_pin(struct gpudx_sv s, struct pkg *p)
{
	struct gpudx_sv rest;

	*p = (struct pkg){ .name = { NULL, 0 } };
	if (!sv_until(&s, "==", &p->name))
		return false;
	p->name = sv_first(p->name, sv_index(p->name, '['));
	sv_char(&s, '=');
	rest = sv_trim(s);
	return is_name(p->name) && sv_token(&rest, &p->version) && is_version(p->version);
}

/* ".../torch-2.1.0%2Bcu121-cp310-cp310-linux_x86_64.whl": the second field of the wheel's name. */
static bool scan_wheel(struct gpudx_sv url, char *buf, size_t size, struct gpudx_sv *version)
{
	struct gpudx_sv file = sv_first(url, sv_index(url, '#')), field;
	size_t n = 0;

	if (!sv_ends(file, ".whl"))
		return false;
	file = text_base_name(file);
	if (!sv_until(&file, "-", &field) || !sv_until(&file, "-", &field))
		return false;
	while (field.n && n < size) {
		if (sv_lit(&field, "%2B") || sv_lit(&field, "%2b")) {
			buf[n++] = '+';
		} else {
			buf[n++] = field.p[0];
			field = sv_from(field, 1);
		}
	}
	*version = sv_n(buf, n);
	return is_version(*version);
}

/* "name @ URL" */
static bool scan_at(struct gpudx_sv s, struct pkg *p, char *buf, size_t size)
{
	*p = (struct pkg){ .name = { NULL, 0 } };
	if (!sv_until(&s, " @ ", &p->name))
		return false;
	p->name = sv_first(p->name, sv_index(p->name, '['));
	if (!is_name(p->name) || !(sv_has(s, "://") || sv_starts(s, "file:")))
		return false;
	scan_wheel(s, buf, size, &p->version);
	return true;
}

/* "torch (0.4.1)", as pip up to 9 lists. */
static bool scan_old(struct gpudx_sv s, struct pkg *p)
{
	struct gpudx_sv rest;

	*p = (struct pkg){ .name = { NULL, 0 } };
	if (!sv_until(&s, " (", &p->name) || !is_name(p->name) || !sv_ends(s, ")"))
		return false;
	rest = sv_first(s, s.n - 1);
	p->version = sv_first(rest, sv_index(rest, ','));
	return is_version(p->version) && !sv_has(p->version, " ");
}

/* "torch  2.4.1+cu118  [location]", between the heading and the end of the table. */
static bool scan_row(struct gpudx_sv s, struct pkg *p)
{
	*p = (struct pkg){ .name = { NULL, 0 } };
	return sv_token(&s, &p->name) && is_name(p->name) && sv_spaces(&s) &&
	       sv_token(&s, &p->version) && is_version(p->version);
}

static bool is_table_head(struct gpudx_sv s)
{
	struct gpudx_sv package, version;

	return sv_token(&s, &package) && sv_is(package, "Package") && sv_spaces(&s) &&
	       sv_token(&s, &version) && sv_is(version, "Version") &&
	       (sv_blank(s) || sv_has(s, "ocation") || sv_has(s, "Build") || sv_has(s, "Latest"));
}

static bool is_rule(struct gpudx_sv s)
{
	s = sv_trim(s);
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] != '-' && s.p[i] != ' ')
			return false;
	return s.n > 2;
}

static bool is_note(struct gpudx_sv s)
{
	return (sv_starts(s, "#") && !text_may_be_border(s)) || sv_starts(s, "# Editable ") ||
	       sv_starts(s, "-e ") || sv_starts(s, "WARNING: ") || sv_starts(s, "DEPRECATION: ") ||
	       sv_starts(s, "[notice] ") || sv_starts(s, "You are using pip version") ||
	       sv_starts(s, "You should consider upgrading") || sv_starts(s, "Using Python ") ||
	       sv_starts(s, "--index-url ") || sv_starts(s, "--extra-index-url ") ||
	       sv_starts(s, "-f ") || sv_starts(s, "-i ") || sv_starts(s, "--find-links ");
}

/* ---- pip show ---- */

static bool is_show_key(struct gpudx_sv s)
{
	static const char *const keys[] = { "Summary:",
					    "Home-page:",
					    "Author:",
					    "Author-email:",
					    "License:",
					    "Location:",
					    "Requires:",
					    "Required-by:",
					    "Installer:",
					    "Metadata-Version:",
					    "Classifiers:",
					    "Entry-points:",
					    "Project-URLs:",
					    "Files:",
					    "License-Expression:",
					    "Editable project location:" };

	return text_starts_any(s, keys, sizeof(keys) / sizeof(keys[0])) || sv_is(s, "---");
}

static bool show_line(struct gpudx_ctx *c, struct pip_list *l, struct gpudx_sv s)
{
	struct pkg p = { .name = sv_n(l->name, l->name_n) };

	if (sv_lit(&s, "Name: ")) {
		s = sv_trim(s);
		if (!is_name(s))
			return false;
		memcpy(l->name, s.p, s.n);
		l->name_n = s.n;
		return true;
	}
	if (!l->name_n)
		return false;
	if (sv_lit(&s, "Version: ")) {
		p.version = sv_trim(s);
		pkg_installed(c, PKG_PIP, &p);
		return true;
	}
	return is_show_key(s);
}

/* ---- without its heading ---- */

/* "pip list | grep torch" leaves bare rows. Unasked only the stack's own packages are believed. */
static bool is_bare_row(struct gpudx_sv s, bool asked)
{
	struct pkg p;
	struct gpudx_sv rest = s, word;

	if (!scan_row(s, &p) || !(asked || pkg_is_ours(PKG_PIP, p.name)))
		return false;
	sv_token(&rest, &word);
	sv_spaces(&rest);
	sv_token(&rest, &word);
	return asked || sv_blank(rest);
}

static bool lists_rows(struct gpudx_sv command)
{
	return (sv_has(command, "pip") && sv_has(command, " list")) || sv_has(command, "pip_list");
}

static bool is_bare(const struct gpudx_head *head)
{
	bool asked = lists_rows(head->command);
	size_t rows = 0, others = 0;

	for (size_t i = 0; i < head->n && i < 100; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (is_bare_row(s, asked))
			rows++;
		else if (s.n)
			others++;
	}
	return asked ? rows > others : rows > 1 && !others;
}

/* ---- the parser ---- */

static void pip_begin(struct gpudx_ctx *c)
{
	struct pip_list *l = gpudx_state(c);

	l->table = is_bare(gpudx_head(c));
	if (l->table)
		gpudx_excerpt(c);
}

static enum gpudx_take pip_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct pip_list *l = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);
	char buf[64];
	struct pkg p;

	if (!s.n) {
		l->table = false;
		return GPUDX_TAKEN;
	}
	if (is_table_head(s)) {
		l->table = true;
		return GPUDX_TAKEN;
	}
	if (l->table && is_rule(s))
		return GPUDX_TAKEN;
	if (scan_pin(s, &p) || scan_at(s, &p, buf, sizeof(buf)) || (l->table && scan_row(s, &p)) ||
	    scan_old(s, &p)) {
		pkg_installed(c, PKG_PIP, &p);
		return GPUDX_TAKEN;
	}
	return show_line(c, l, s) || is_note(s) ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static bool pip_starts(struct gpudx_sv line)
{
	return is_table_head(line);
}

/* Two packages shown, or one with the lines that follow a version. */
static bool is_show(const struct gpudx_head *head, size_t i)
{
	return sv_starts(head->lines[i].text, "Name: ") && i + 2 < head->n &&
	       sv_starts(head->lines[i + 1].text, "Version: ") &&
	       sv_starts(head->lines[i + 2].text, "Summary:");
}

static int pip_bid(const struct gpudx_head *head)
{
	bool asked = sv_has(head->command, "pip ") || sv_has(head->command, "pip3 ");
	size_t pins = 0, old = 0, others = 0;
	char buf[64];
	struct pkg p;

	if (!asked && sv_has(head->path, "requirements"))
		return 0;
	for (size_t i = 0; i < head->n && i < 100; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (is_show(head, i) ||
		    (is_table_head(s) &&
		     (asked || (i + 1 < head->n && is_rule(head->lines[i + 1].text)))))
			return 80;
		if (scan_pin(s, &p) || scan_at(s, &p, buf, sizeof(buf)))
			pins++;
		else if (scan_old(s, &p))
			old++;
		else if (s.n && !is_note(s))
			others++;
	}
	if (asked && pins + old > others)
		return 80;
	if (is_bare(head))
		return lists_rows(head->command) ? 80 : 60;
	return pins > 2 && pins > others ? 60 : old > 4 && !others ? 40 : 0;
}

const struct gpudx_parser gpudx_parser_pip_list = {
	.name = "pip-list",
	.what = "Python packages: pip list, pip freeze, pip show",
	.bid = pip_bid,
	.starts = pip_starts,
	.begin = pip_begin,
	.line = pip_line,
	.state_size = sizeof(struct pip_list),
	.flags = GPUDX_P_BLANKS,
};
