/* conda-meta/history: what conda did to an environment, in local time.
 *
 *   ==> 2024-05-01 10:00:00 <==
 *   # cmd: /opt/conda/bin/conda install pytorch pytorch-cuda=12.1
 *   # conda version: 23.11.0
 *   -conda-forge/linux-64::pytorch-2.0.1-py3.10_cuda11.8_cudnn8.7.0_0
 *   +pytorch/linux-64::pytorch-2.1.0-py3.10_cuda12.1_cudnn8.9.2_0
 *   # update specs: ['pytorch']
 *
 * Source: conda, history.py. */
#include "parse/package_block.h"

struct conda_history {
	struct pkg_log log;
	struct pkg_block block;
	struct gpudx_stamp at;
};

static bool scan_head(struct gpudx_sv s, struct gpudx_stamp *t)
{
	*t = (struct gpudx_stamp){ .kind = GPUDX_STAMP_LOCAL, .mono_us = GPUDX_NO_TIME };
	return sv_lit(&s, "==> ") && gpudx_scan_ymd_hms(&s, &t->t_us) && sv_is(s, " <==");
}

static void settle(struct gpudx_ctx *c, struct conda_history *h)
{
	pkg_block_end(c, &h->block, &h->log, PKG_CONDA, h->at, h->at);
}

static enum gpudx_take history_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct conda_history *h = gpudx_state(c);
	struct gpudx_sv s = sv_trim(line);
	struct pkg_change *change;
	struct gpudx_stamp t;
	bool in, out;
	struct pkg p;

	if (scan_head(s, &t)) {
		settle(c, h);
		h->at = t;
		gpudx_now(c, t.kind, t.t_us);
		pkg_log_reached(c, &h->log, PKG_CONDA, t.t_us);
		return GPUDX_TAKEN;
	}
	if (sv_starts(s, "# cmd: ") || sv_starts(s, "# conda version: ") || sv_has(s, " specs: "))
		return GPUDX_TAKEN;
	in = sv_char(&s, '+');
	out = !in && sv_char(&s, '-');
	if ((!in && !out) || !h->at.kind || !pkg_split_conda(s, &p))
		return GPUDX_NOT_MINE;
	change = pkg_block_at(c, &h->block, PKG_CONDA, p.name);
	if (change) {
		text_keep(in ? change->now : change->old, PKG_BLOCK_TEXT, p.version);
		change->complete = true;
	}
	return GPUDX_TAKEN;
}

static void history_finish(struct gpudx_ctx *c)
{
	struct conda_history *h = gpudx_state(c);

	settle(c, h);
	pkg_log_end(c, &h->log, PKG_CONDA);
}

static bool history_starts(struct gpudx_sv line)
{
	struct gpudx_stamp t;

	return scan_head(line, &t);
}

static int history_bid(const struct gpudx_head *head)
{
	for (size_t i = 0; i < head->n && i < 10; i++)
		if (history_starts(sv_trim(head->lines[i].text)))
			return 80;
	return 0;
}

const struct gpudx_parser gpudx_parser_conda_history = {
	.name = "conda-history",
	.what = "conda-meta/history: when an environment changed",
	.bid = history_bid,
	.starts = history_starts,
	.line = history_line,
	.finish = history_finish,
	.state_size = sizeof(struct conda_history),
};
