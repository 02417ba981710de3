/* kubectl get pods -o wide: on which node each pod runs.
 *
 *   NAMESPACE   NAME                            READY   STATUS    RESTARTS       AGE   IP        NODE      NOMINATED NODE ...
 *   gpu         nvidia-driver-daemonset-x7k2p   1/1     Running   3 (2d5h ago)   9d    10.1.2.3  gpu-b12   <none> ...
 *
 * Columns are as wide as their widest cell, so a cell begins below its heading. Source: kubectl,
 * k8s.io/cli-runtime/pkg/printers. */
#include "parse/node_said.h"

struct k8s_pods {
	size_t name, node; /* where these columns begin */
};

/* Where a heading begins; s.n when there is none. */
static size_t column(struct gpudx_sv s, const char *heading)
{
	size_t n = strlen(heading);

	for (size_t i = 0; i + n <= s.n; i++)
		if (sv_starts(sv_from(s, i), heading) && (!i || s.p[i - 1] == ' ') &&
		    (i + n == s.n || s.p[i + n] == ' ') && (i < 10 || s.p[i - 2] == ' '))
			return i;
	return s.n;
}

static bool is_heading(struct gpudx_sv line, struct k8s_pods *k)
{
	k->name = column(line, "NAME");
	k->node = column(line, "NODE");
	return k->name < k->node && k->node < line.n && column(line, "READY") < line.n &&
	       column(line, "RESTARTS") < line.n;
}

static bool k8s_pods_starts(struct gpudx_sv line)
{
	struct k8s_pods k;

	return (sv_starts(line, "NAME ") || sv_starts(line, "NAMESPACE ")) && is_heading(line, &k);
}

/* The word that begins in this column; false where no cell does. */
static bool cell(struct gpudx_sv line, size_t at, struct gpudx_sv *word)
{
	struct gpudx_sv c = sv_from(line, at);

	return at < line.n && (!at || line.p[at - 1] == ' ') && sv_token(&c, word);
}

static enum gpudx_take k8s_pods_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct k8s_pods *k = gpudx_state(c);
	struct gpudx_sv pod, node;

	if (k8s_pods_starts(line)) {
		is_heading(line, k);
		return GPUDX_TAKEN;
	}
	if (!k->node || !cell(line, k->name, &pod) || !cell(line, k->node, &node))
		return GPUDX_NOT_MINE;
	node_has_pod(c, node, pod);
	return GPUDX_TAKEN;
}

static int k8s_pods_bid(const struct gpudx_head *head)
{
	return head->n && k8s_pods_starts(head->lines[0].text) ? 80 : 0;
}

const struct gpudx_parser gpudx_parser_k8s_pods = {
	.name = "k8s-pods",
	.what = "kubectl get pods -o wide: on which node each pod runs",
	.bid = k8s_pods_bid,
	.starts = k8s_pods_starts,
	.line = k8s_pods_line,
	.state_size = sizeof(struct k8s_pods),
};
