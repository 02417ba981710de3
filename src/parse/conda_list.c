/* Which packages a conda environment has: conda list, --explicit, --export, conda env export, and
 * the same from mamba and micromamba.
 *
 *   # packages in environment at /opt/conda:
 *   #
 *   # Name                    Version                   Build  Channel
 *   pytorch                   2.1.0           py3.10_cuda12.1_cudnn8.9.2_0    pytorch
 *   torch                     2.1.0+cu121              pypi_0    pypi
 *
 *   @EXPLICIT
 *   https://conda.anaconda.org/pytorch/linux-64/pytorch-2.1.0-py3.10_cuda12.1_cudnn8.9.2_0.tar.bz2#md5
 *
 *   # platform: linux-64
 *   pytorch=2.1.0=py3.10_cuda12.1_cudnn8.9.2_0
 *
 *   dependencies:
 *     - pytorch=2.1.0=py3.10_cuda12.1_cudnn8.9.2_0
 *     - pip:
 *       - torch==2.1.0+cu121
 *
 * An environment file written by hand says what somebody wants: only pins with a version count.
 * Source: conda, cli/main_list.py, env/env.py. */
#include "parse/package.h"

enum form { FORM_NONE, FORM_TABLE, FORM_EXPLICIT, FORM_EXPORT, FORM_YAML };

struct conda_list {
	enum form form;
	bool pip;  /* below "- pip:" */
	bool deps; /* below "dependencies:" */
};

static void put(struct gpudx_ctx *c, enum pkg_by by, const struct pkg *p)
{
	if (p->name.n && p->version.n && sv_is_digit(p->version.p[0]))
		pkg_installed(c, by, p);
}

/* ---- rows ---- */

/* "name version build [channel]" */
static bool scan_row(struct gpudx_sv s, struct pkg *p, struct gpudx_sv *channel)
{
	*p = (struct pkg){ .name = { NULL, 0 } };
	*channel = sv_n(NULL, 0);
	if (!sv_token(&s, &p->name) || !sv_spaces(&s) || !sv_token(&s, &p->version) ||
	    !sv_spaces(&s))
		return false;
	if (sv_token(&s, &p->build) && sv_spaces(&s))
		sv_token(&s, channel);
	return sv_blank(s) && !sv_has(p->name, ":") && !sv_has(p->name, "=");
}

static bool is_version(struct gpudx_sv s)
{
	return s.n && sv_is_digit(s.p[0]);
}

static bool table_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct gpudx_sv channel;
	struct pkg p;

	if (!scan_row(s, &p, &channel))
		return false;
	/* Versions are free text: "cuda", "master", "2023d". */
	if (!is_version(p.version) && !channel.n && !p.build.n)
		return false;
	put(c,
	    sv_is(channel, "pypi") || sv_is(p.build, "pypi_0") || sv_is(p.build, "<pip>")
		    ? PKG_PIP
		    : PKG_CONDA,
	    &p);
	return true;
}

static bool explicit_line(struct gpudx_ctx *c, struct gpudx_sv s)
{
	struct pkg p;

	s = sv_first(s, sv_index(s, '#'));
	if (!sv_has(s, "://") || (!sv_ends(s, ".conda") && !sv_ends(s, ".tar.bz2")))
		return false;
	if (pkg_split_conda(s, &p))
		put(c, PKG_CONDA, &p);
	return true;
}

/* "name=version=build", in YAML also "channel::name=version"; "name==version" below pip. */
static bool spec_line(struct gpudx_ctx *c, struct gpudx_sv s, bool pip)
{
	struct pkg p = { .name = { NULL, 0 } };
	struct gpudx_sv rest = s, channel;

	if (sv_until(&rest, "::", &channel))
		s = rest;
	if (!sv_until(&s, "=", &p.name) || sv_has(p.name, " ") || !p.name.n ||
	    strchr("<>!~", p.name.p[p.name.n - 1]))
		return false;
	if (sv_char(&s, '='))
		pip = pip || sv_index(s, '=') == s.n;
	p.version = sv_first(s, sv_index(s, '='));
	p.build = sv_from(s, p.version.n + 1);
	if (sv_is(p.build, "pypi_0"))
		pip = true;
	put(c, pip ? PKG_PIP : PKG_CONDA, &p);
	return true;
}

/* ---- YAML ---- */

static bool is_yaml_key(struct gpudx_sv s)
{
	return sv_starts(s, "name:") || sv_starts(s, "channels:") ||
	       sv_starts(s, "dependencies:") || sv_starts(s, "prefix:") ||
	       sv_starts(s, "variables:");
}

static bool yaml_line(struct gpudx_ctx *c, struct conda_list *l, struct gpudx_sv line)
{
	struct gpudx_sv s = sv_trim(line);

	if (is_yaml_key(line)) {
		l->deps = sv_starts(line, "dependencies:");
		l->pip = false;
		return true;
	}
	if (!sv_lit(&s, "- "))
		return sv_starts(line, "  ") && sv_has(s, ":");
	s = sv_trim(s);
	if (sv_is(s, "pip:"))
		l->pip = true;
	else if (l->deps)
		spec_line(c, s, l->pip);
	return true;
}

/* ---- without its heading ---- */

/* "conda list | grep torch" leaves bare rows. Unasked only the stack's own packages, with builds as
 * conda names them, are believed. */
static bool is_bare(const struct gpudx_head *head)
{
	bool asked = sv_has(head->command, "conda list") || sv_has(head->command, "mamba list");
	size_t rows = 0, others = 0;
	struct gpudx_sv channel;
	struct pkg p;

	for (size_t i = 0; i < head->n && i < 100; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (scan_row(s, &p, &channel) && is_version(p.version) &&
		    (asked || (pkg_is_ours(PKG_CONDA, p.name) &&
			       (sv_has(p.build, "_") || sv_has(channel, "conda") ||
				sv_is(channel, "nvidia")))))
			rows++;
		else if (s.n)
			others++;
	}
	return asked ? rows > others : rows > 1 && !others;
}

/* ---- the parser ---- */

static void conda_begin(struct gpudx_ctx *c)
{
	struct conda_list *l = gpudx_state(c);

	if (is_bare(gpudx_head(c))) {
		l->form = FORM_TABLE;
		gpudx_excerpt(c);
	}
}

static enum form form_of(struct gpudx_sv s)
{
	if (sv_starts(s, "# packages in environment at") ||
	    sv_starts(s, "List of packages in environment:"))
		return FORM_TABLE;
	if (sv_starts(s, "# Name ") && sv_has(s, "Version") && sv_has(s, "Build"))
		return FORM_TABLE;
	if (sv_is(s, "@EXPLICIT"))
		return FORM_EXPLICIT;
	if (sv_starts(s, "# This file may be used to create an environment using:"))
		return FORM_EXPORT;
	return FORM_NONE;
}

/* "  Name   Version  Build  Channel" and the line under it. */
static bool is_mamba_head(struct gpudx_sv s)
{
	struct gpudx_sv t = sv_trim(s), word;

	if (sv_starts(t, "\xe2\x94\x80") || sv_starts(t, "-----"))
		return true;
	return sv_token(&t, &word) && sv_is(word, "Name") && sv_spaces(&t) &&
	       sv_starts(t, "Version");
}

/* Other lines with a '#' may be prompts of root. */
static bool is_comment(struct gpudx_sv s)
{
	return sv_is(s, "#") || sv_starts(s, "# Name ") || sv_starts(s, "# $ conda ") ||
	       sv_starts(s, "# platform: ") || sv_starts(s, "# created-by: ");
}

static enum gpudx_take conda_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct conda_list *l = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);
	enum form form = form_of(s);
	bool taken = false;

	if (form && !(l->form == FORM_EXPLICIT && form == FORM_EXPORT))
		l->form = form;
	if (form || is_comment(s))
		return GPUDX_TAKEN;
	if (!l->form && is_yaml_key(line))
		l->form = FORM_YAML;
	if (l->form == FORM_TABLE)
		taken = is_mamba_head(s) || table_line(c, s);
	else if (l->form == FORM_EXPLICIT)
		taken = explicit_line(c, s);
	else if (l->form == FORM_EXPORT)
		taken = spec_line(c, s, false);
	else if (l->form == FORM_YAML)
		taken = yaml_line(c, l, line);
	return taken ? GPUDX_TAKEN : GPUDX_NOT_MINE;
}

static bool conda_starts(struct gpudx_sv line)
{
	return form_of(line) != FORM_NONE;
}

static int conda_bid(const struct gpudx_head *head)
{
	bool channels = false;

	for (size_t i = 0; i < head->n && i < 40; i++) {
		struct gpudx_sv s = head->lines[i].text;

		if (form_of(sv_trim(s)))
			return 80;
		channels |= sv_is(sv_trim(s), "channels:");
		if (channels && sv_is(s, "dependencies:"))
			return 60;
	}
	return is_bare(head) ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_conda_list = {
	.name = "conda-list",
	.what = "conda environments: conda list, --explicit, --export, conda env export",
	.bid = conda_bid,
	.starts = conda_starts,
	.begin = conda_begin,
	.line = conda_line,
	.state_size = sizeof(struct conda_list),
};
