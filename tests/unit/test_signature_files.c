/* The signature files and the knowledge that goes with them: every row matches its own example the
 * way a log reaches it, no row hides another, every kind of event is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/embed.h"
#include "parse/parser.h"
#include "sig/sig.h"

static struct gpudx_sigs *sigs;

static int load(void **state)
{
	struct gpudx_err err = { 0 };

	(void)state;
	if (gpudx_sigs_load(&sigs, &err)) {
		print_error("%s\n", err.text[0]);
		return -1;
	}
	return 0;
}

static int unload(void **state)
{
	(void)state;
	gpudx_sigs_free(sigs);
	return 0;
}

static bool is_event(const struct gpudx_sig *sig)
{
	return !strchr("+=@#", sig->kind.p[0]);
}

/* Which signatures match a message. */
struct found {
	const struct gpudx_sig *want;
	bool wanted;			     /* want is among them */
	const struct gpudx_sig *first_event; /* the one that counts */
};

static void on_hit(void *arg, const struct gpudx_hit *hit)
{
	struct found *f = arg;

	f->wanted |= hit->sig == f->want;
	if (!f->first_event && is_event(hit->sig))
		f->first_event = hit->sig;
}

static struct found find(struct gpudx_sv message, const struct gpudx_sig *want)
{
	struct found f = { .want = want };

	gpudx_sigs_match(sigs, message, on_hit, &f);
	return f;
}

static void matches_every_example(void **state)
{
	(void)state;
	assert_true(gpudx_sigs_count(sigs) > 100);
	for (size_t i = 0; i < gpudx_sigs_count(sigs); i++) {
		const struct gpudx_sig *s = gpudx_sigs_at(sigs, i);

		if (gpudx_prefilter_find(gpudx_sigs_filter(sigs), s->example.p, s->example.n, 0) ==
		    s->example.n)
			fail_msg("%s:%u: the finder does not see the example", s->path, s->line);
		if (!gpudx_sigs_example_matches(sigs, i) || !find(s->example, s).wanted)
			fail_msg("%s:%u: does not match its example", s->path, s->line);
	}
}

static void lets_no_event_in_front_take_an_example(void **state)
{
	(void)state;
	for (size_t i = 0; i < gpudx_sigs_count(sigs); i++) {
		const struct gpudx_sig *s = gpudx_sigs_at(sigs, i);
		const struct gpudx_sig *first = find(s->example, s).first_event;

		if (is_event(s) && first != s && !sv_eq(first->kind, s->kind))
			fail_msg("%s:%u: taken by %s:%u", s->path, s->line, first->path,
				 first->line);
	}
}

static void adds_only_to_events_that_stand_in_front(void **state)
{
	(void)state;
	for (size_t i = 0; i < gpudx_sigs_count(sigs); i++) {
		const struct gpudx_sig *s = gpudx_sigs_at(sigs, i);
		bool found = s->kind.p[0] != '+';

		for (size_t k = 0; k < i && !found; k++)
			found = sv_eq(gpudx_sigs_at(sigs, k)->kind, sv_from(s->kind, 1));
		if (!found)
			fail_msg("%s:%u: no event of kind %.*s in front", s->path, s->line,
				 (int)s->kind.n - 1, s->kind.p + 1);
	}
}

static void makes_no_event_of_what_only_looks_like_one(void **state)
{
	static const char *const innocent[] = {
		"nvidia: module verification failed: signature and/or required key missing - "
		"tainting kernel",
		"nvidia: loading out-of-tree module taints kernel.",
		"nvidia: module license 'NVIDIA' taints kernel.",
		"NVRM: nvAssertFailedNoLog: Assertion failed: expectedFunc == "
		"pHistoryEntry->function @ kernel_gsp.c:1826",
		"NVRM: nvCheckOkFailedNoLog: Check failed: Reset required [NV_ERR_RESET_REQUIRED] "
		"(0x00000062) returned from x @ y.c:1",
		"NVRM: _kgspLogXid119: ********************************* GSP Timeout "
		"**********************************",
		"NVRM: Persistence mode is deprecated and will be removed in a future release. "
		"Please use nvidia-persistenced instead.",
		"nvidia-modeset: WARNING: GPU:0: Corrected error detected",
		"nvidia-nvswitch2: open (major=510)",
		"nvidia-nvlink: Nvlink Core is being initialized, major device number 236",
		"nvidia-uvm: Loaded the UVM driver, major device number 510.",
		"pcieport 0000:00:03.1: AER: Correctable error message received from 0000:01:00.0",
		"python3 invoked oom-killer: gfp_mask=0x140dca(GFP_HIGHUSER_MOVABLE), order=0, "
		"oom_score_adj=0",
		"mce: CPU0: Package temperature/speed normal",
		"a test printed Xid (43, pid: 5678)",
		"63.008 Gb/s available PCIe bandwidth (8.0 GT/s PCIe x8 link)",
		"---[ end Kernel panic - not syncing: Fatal exception ]---",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(innocent) / sizeof(innocent[0]); i++) {
		struct found f = find(sv_str(innocent[i]), NULL);

		if (f.first_event)
			fail_msg("\"%s\" became %.*s", innocent[i], (int)f.first_event->kind.n,
				 f.first_event->kind.p);
	}
}

static void keeps_xid_and_sxid_apart(void **state)
{
	static const char *const xids[] = {
		"NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.",
		"Xid (PCI:0000:9b:00.0): 79, GPU has fallen off the bus."
	};
	static const char *const sxids[] = {
		"nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 12028, Non-fatal, Link 32 text",
		"SXid (PCI:0000:86:00.0): 12028, text"
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_true(sv_is(find(sv_str(xids[i]), NULL).first_event->kind, "xid"));
		assert_true(sv_is(find(sv_str(sxids[i]), NULL).first_event->kind, "sxid"));
	}
}

/* ---- knowledge ---- */

/* The n-th cell of a row. */
static struct gpudx_sv cell(struct gpudx_sv row, unsigned n)
{
	struct gpudx_sv c = sv_n(NULL, 0);

	for (unsigned i = 0; i <= n; i++) {
		size_t at = sv_index(row, '\t');

		c = sv_first(row, at);
		row = sv_from(row, at + 1);
	}
	return c;
}

/* The next row of a table that is no comment; the first is the heading. */
static bool next_row(struct gpudx_sv *text, struct gpudx_sv *row)
{
	while (sv_line(text, row))
		if (row->n && row->p[0] != '#')
			return true;
	return false;
}

static bool in_table(const char *path, struct gpudx_sv key)
{
	struct gpudx_sv text = gpudx_embed(path), row;

	while (next_row(&text, &row))
		if (sv_eq(cell(row, 0), key))
			return true;
	return false;
}

static void knows_every_kind_of_event(void **state)
{
	(void)state;
	for (size_t i = 0; i < gpudx_sigs_count(sigs); i++) {
		const struct gpudx_sig *s = gpudx_sigs_at(sigs, i);

		if (is_event(s) && !in_table("rules/kb/event_kinds.tsv", s->kind))
			fail_msg("%s:%u: %.*s is not in event_kinds.tsv", s->path, s->line,
				 (int)s->kind.n, s->kind.p);
	}
}

static bool is_one_of(struct gpudx_sv s, const char *const *words)
{
	for (; *words; words++)
		if (sv_is(s, *words))
			return true;
	return false;
}

/* A class of sources, or the name of a parser. */
static bool shows_kinds(struct gpudx_sv log, const char *const *classes)
{
	return is_one_of(log, classes) || gpudx_parser_by_name(log);
}

static void says_of_every_kind_what_shows_it(void **state)
{
	static const char *const logs[] = {
		"kernel", "journal", "smi", "app", "diag", "bmc", NULL
	};
	static const char *const scopes[] = { "gpu", "host", NULL }, *const answers[] = { "yes",
											  "no",
											  NULL };
	struct gpudx_sv text = gpudx_embed("rules/kb/event_kinds.tsv"), row;

	(void)state;
	assert_true(next_row(&text, &row));
	while (next_row(&text, &row))
		if (!shows_kinds(cell(row, 1), logs) || !is_one_of(cell(row, 2), scopes) ||
		    !is_one_of(cell(row, 3), answers) || !cell(row, 5).n || !cell(row, 6).n)
			fail_msg("event_kinds.tsv: %.*s", (int)row.n, row.p);
}

static void chains_only_what_it_knows(void **state)
{
	static const char *const scopes[] = { "gpu", "host", "path", NULL };
	struct gpudx_sv text = gpudx_embed("rules/kb/chains.tsv"), row;

	(void)state;
	assert_true(next_row(&text, &row));
	while (next_row(&text, &row)) {
		bool known = in_table("rules/kb/event_kinds.tsv", cell(row, 0)) &&
			     in_table("rules/kb/event_kinds.tsv", cell(row, 2)) &&
			     (!cell(row, 1).n || sv_is(cell(row, 0), "sxid") ||
			      in_table("rules/kb/xid.tsv", cell(row, 1))) &&
			     (!cell(row, 3).n || sv_is(cell(row, 2), "sxid") ||
			      in_table("rules/kb/xid.tsv", cell(row, 3)));
		bool leads = sv_is(cell(row, 0), "xid") &&
			     (sv_is(cell(row, 1), "43") || sv_is(cell(row, 1), "154"));

		if (!known || leads || !is_one_of(cell(row, 5), scopes) || !cell(row, 6).n ||
		    !cell(row, 7).n)
			fail_msg("chains.tsv: %.*s", (int)row.n, row.p);
	}
}

/* "xid.other" is rules/xid/other.sql. */
static bool ships(struct gpudx_sv rule)
{
	size_t dot = sv_index(rule, '.');
	char path[128];

	if (dot == rule.n)
		return false;
	snprintf(path, sizeof(path), "rules/%.*s/%.*s.sql", (int)dot, rule.p,
		 (int)(rule.n - dot - 1), rule.p + dot + 1);
	return gpudx_embed(path).n > 0;
}

static void catalogs_xids_in_our_words(void **state)
{
	static const char *const severities[] = { "critical", "error", "warning", "info", NULL };
	static const char *const actions[] = {
		"none",	     "watch",	    "restart_app", "restart_service",
		"reset_gpu", "reboot_node", "power_cycle", "drain_rma_candidate",
		"fix_host",  "fix_config",  "collect",	   NULL
	};
	struct gpudx_sv text = gpudx_embed("rules/kb/xid.tsv"), row;
	uint64_t code = 0, before = 0;
	unsigned n = 0;

	(void)state;
	assert_true(next_row(&text, &row));
	for (; next_row(&text, &row); n++, before = code) {
		struct gpudx_sv first = cell(row, 0);

		if (!sv_u64(&first, &code) || (n && code <= before))
			fail_msg("xid.tsv: each code once, in order: %.*s", (int)row.n, row.p);
		if (!is_one_of(cell(row, 4), severities) || !is_one_of(cell(row, 5), actions) ||
		    !ships(cell(row, 6)) || !cell(row, 12).n)
			fail_msg("xid.tsv: %.*s", (int)row.n, row.p);
	}
	assert_true(n > 170);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches_every_example),
		cmocka_unit_test(lets_no_event_in_front_take_an_example),
		cmocka_unit_test(adds_only_to_events_that_stand_in_front),
		cmocka_unit_test(makes_no_event_of_what_only_looks_like_one),
		cmocka_unit_test(keeps_xid_and_sxid_apart),
		cmocka_unit_test(knows_every_kind_of_event),
		cmocka_unit_test(says_of_every_kind_what_shows_it),
		cmocka_unit_test(chains_only_what_it_knows),
		cmocka_unit_test(catalogs_xids_in_our_words),
	};

	return cmocka_run_group_tests_name("signature_files", tests, load, unload);
}
