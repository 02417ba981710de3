#include "rules/words.h"

#include <stdio.h>

static const char *const lists[GPUDX_W_LISTS][GPUDX_WORDS_MAX] = {
	[GPUDX_W_SCOPE] = { "bundle", "compare", "fleet" },
	[GPUDX_W_SEVERITY] = { "critical", "error", "warning", "info" },
	[GPUDX_W_SYMPTOM] = { "slow", "hang", "crash", "oom", "missing", "transfer", "start",
			      "none" },
	[GPUDX_W_KIND] = { "fault", "explanation", "operation" },
	[GPUDX_W_POINTS] = { "driver", "hardware", "platform", "application", "policy", "unknown" },
	[GPUDX_W_SHOWS] = { "effect", "condition" },
	[GPUDX_W_STATE] = { "active", "cured", "history", "unknown" },
	[GPUDX_W_ACTION] = { "none", "watch", "restart_app", "restart_service", "reset_gpu",
			     "reboot_node", "power_cycle", "drain_rma_candidate", "fix_host",
			     "fix_config", "collect" },
	[GPUDX_W_QUALITY] = { "exact", "aligned", "zone_assumed", "boot_relative", "unknown" },
};

int gpudx_word_rank(enum gpudx_words list, struct gpudx_sv s)
{
	for (int i = 0; i < GPUDX_WORDS_MAX && lists[list][i]; i++)
		if (sv_is(s, lists[list][i]))
			return i;
	return -1;
}

const char *gpudx_word(enum gpudx_words list, struct gpudx_sv s)
{
	int i = gpudx_word_rank(list, s);

	return i < 0 ? NULL : lists[list][i];
}

const char *gpudx_word_choices(enum gpudx_words list, char buf[GPUDX_CHOICES_TEXT])
{
	const char *const *w = lists[list];
	size_t n = 0;

	buf[0] = '\0';
	for (int i = 0; i < GPUDX_WORDS_MAX && w[i] && n < GPUDX_CHOICES_TEXT; i++) {
		bool last = i + 1 == GPUDX_WORDS_MAX || !w[i + 1];
		const char *before = i == 0 ? "" : last ? " or " : ", ";

		n += (size_t)snprintf(buf + n, GPUDX_CHOICES_TEXT - n, "%s%s", before, w[i]);
	}
	return buf;
}
