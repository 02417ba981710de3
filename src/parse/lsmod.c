/* lsmod and /proc/modules: what the kernel has loaded.
 *
 *   Module                  Size  Used by
 *   nvidia              56823808  1234 nvidia_uvm,nvidia_modeset
 *   nvidia 56823808 1234 nvidia_uvm,nvidia_modeset, Live 0x0000000000000000 (POE)
 *
 * Only modules around GPUs are kept. Where the list is whole, that nvidia or nouveau is not there
 * is a fact, too. Source: kmod, tools/lsmod.c; kernel/module/procfs.c. */
#include "parse/tool.h"

#include <stdio.h>

enum { WATCHED = 4, WHOLE = 15 /* lines that no search for GPU drivers leaves over */ };

static const char *const absent[WATCHED] = { "nvidia", "nvidia_uvm", "nvidia_modeset", "nouveau" };

struct lsmod {
	bool heading, seen[WATCHED];
	unsigned others; /* modules that have nothing to do with GPUs */
};

struct module {
	struct gpudx_sv name, users, state, taints;
	uint64_t size, count;
	bool proc; /* as in /proc/modules */
};

static bool is_name(struct gpudx_sv s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!sv_is_alpha(s.p[i]) && !sv_is_digit(s.p[i]) && s.p[i] != '_' && s.p[i] != '-')
			return false;
	return s.n > 0 && s.n < 56;
}

static bool scan_module(struct gpudx_sv s, struct module *m)
{
	*m = (struct module){ .size = 0 };
	if (!sv_token(&s, &m->name) || !is_name(m->name) || !sv_spaces(&s) ||
	    !sv_u64(&s, &m->size) || !sv_spaces(&s))
		return false;
	if (!sv_u64(&s, &m->count) && !sv_lit(&s, "-"))
		return false;
	if (!sv_spaces(&s) || !sv_token(&s, &m->users))
		return m->size >= 4096 || !m->size;
	if (sv_spaces(&s) && sv_token(&s, &m->state) && !sv_starts(m->state, "[")) {
		m->proc = sv_is(m->state, "Live") || sv_is(m->state, "Loading") ||
			  sv_is(m->state, "Unloading");
		if (!m->proc)
			return false;
		sv_spaces(&s);
		sv_token(&s, &m->state);
		s = sv_trim(s);
		if (sv_char(&s, '('))
			m->taints = sv_first(s, sv_index(s, ')'));
		return true;
	}
	return m->size >= 4096 &&
	       (is_name(sv_first(m->users, sv_index(m->users, ','))) || sv_starts(m->users, "["));
}

static bool is_ours(struct gpudx_sv name)
{
	static const char *const names[] = { "nouveau",	      "nova_core",   "bbswitch",
					     "gdrdrv",	      "nv_peer_mem", "vfio_pci",
					     "vfio_pci_core", "amdgpu",	     "i915",
					     "mlx5_core",     "mlx5_ib",     "i2c_nvidia_gpu",
					     "video",	      "knem",	     "xpmem",
					     "ucsi_ccg" };

	if (sv_starts(name, "nvidia"))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_is(name, names[i]))
			return true;
	return false;
}

static void put(struct gpudx_ctx *c, const struct module *m)
{
	struct gpudx_fact f = { .layer = SV_LIT("loaded"), .value = SV_LIT("yes") };
	char key[80];
	int n = snprintf(key, sizeof(key), "module.loaded.%.*s", (int)m->name.n, m->name.p);

	f.key = sv_n(key, n > 0 ? (size_t)n : 0);
	gpudx_put_fact(c, &f);
	snprintf(key, sizeof(key), "module.users.%.*s", (int)m->name.n, m->name.p);
	gpudx_fact_num(c, 0, key, "loaded", (double)m->count);
	if (m->taints.n) {
		snprintf(key, sizeof(key), "module.taints.%.*s", (int)m->name.n, m->name.p);
		gpudx_fact(c, 0, key, "loaded", m->taints);
	}
}

static bool is_heading(struct gpudx_sv s)
{
	struct gpudx_sv word;

	return sv_token(&s, &word) && sv_is(word, "Module") && sv_spaces(&s) &&
	       sv_lit(&s, "Size") && sv_spaces(&s) && sv_starts(s, "Used by");
}

static enum gpudx_take lsmod_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct lsmod *s = gpudx_state(c);
	struct gpudx_sv text = sv_trim(line);
	struct module m;

	if (is_heading(text)) {
		s->heading = true;
		return GPUDX_TAKEN;
	}
	if (!scan_module(text, &m))
		return GPUDX_NOT_MINE;
	s->others += !is_ours(m.name);
	for (unsigned i = 0; i < WATCHED; i++)
		s->seen[i] |= sv_is(m.name, absent[i]);
	if (is_ours(m.name))
		put(c, &m);
	return GPUDX_TAKEN;
}

static void lsmod_finish(struct gpudx_ctx *c)
{
	struct lsmod *s = gpudx_state(c);
	char key[80];

	if (s->others < WHOLE || sv_has(gpudx_command(c), "|"))
		return;
	for (unsigned i = 0; i < WATCHED; i++) {
		if (s->seen[i])
			continue;
		snprintf(key, sizeof(key), "module.loaded.%s", absent[i]);
		gpudx_fact(c, 0, key, "loaded", SV_LIT("no"));
	}
}

static int lsmod_bid(const struct gpudx_head *head)
{
	bool named = tool_is("lsmod", head->command, head->path) ||
		     tool_shows("/proc/modules", head->command, head->path);
	unsigned modules = 0, proc = 0, ours = 0;
	struct module m;

	for (size_t i = 0, seen = 0; i < head->n && seen < 20; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		seen++;
		if (is_heading(s))
			return 80;
		if (!scan_module(s, &m))
			continue;
		modules++;
		proc += m.proc;
		ours += is_ours(m.name);
	}
	if (proc >= 2 || (named && modules))
		return 80;
	return ours >= 2 && ours == modules ? 60 : 0;
}

const struct gpudx_parser gpudx_parser_lsmod = {
	.name = "lsmod",
	.what = "lsmod and /proc/modules: loaded modules around GPUs",
	.bid = lsmod_bid,
	.starts = is_heading,
	.line = lsmod_line,
	.finish = lsmod_finish,
	.state_size = sizeof(struct lsmod),
};
