/* What is learnt, and from which lines:
 *
 *   node02:2234:2290 [3] NCCL INFO comm 0x55 rank 11 nranks 16 cudaDev 3 nvmlDev 3 busId 5d000 ...
 *                                    rank 11 is on node02; device 3 of process 2234 is 0000:5d:00.0
 *   [rank11]: node02:2234:2290 [3] NCCL WARN text        the same of the rank
 *   9: node02:2234:2290 [1] NCCL INFO text               srun -l: task 9 is on node02
 *   [node-3:01234] *** Process received signal ***       Open MPI
 *   srun: error: node07: task 5: Out Of Memory
 *   slurmstepd: error: *** JOB 4242 ON node07 CANCELLED AT ...
 *
 * Each communicator counts its ranks from 0. Those of the largest one count; where two places claim
 * one number they are those of groups, and nothing is known of it. Which GPU a rank has is never
 * computed from its number. */
#include "parse/app_host.h"

#include "base/hostname.h"

enum { HOSTS = 1024, DEVICES = 16384 };

/* ---- names ---- */

static uint16_t host_number(struct gpudx_ctx *c, struct app_hosts *h, struct gpudx_sv name)
{
	if (!gpudx_host_names_machine(name))
		return 0;
	for (uint16_t i = h->n; i > 0; i--)
		if (sv_eq(h->name[i - 1], name))
			return i;
	if (!h->name)
		h->name = gpudx_arena_array(gpudx_memory(c), HOSTS, sizeof(*h->name));
	if (!h->name || h->n == HOSTS)
		return 0;
	h->name[h->n] = gpudx_arena_sv(gpudx_memory(c), name);
	return h->name[h->n].p ? ++h->n : 0;
}

/* "node07: task 5: ...", not "node[01-02]: tasks ...", which are several. */
static struct gpudx_sv node_of_srun(struct gpudx_sv s)
{
	struct gpudx_sv node;

	if (!sv_lit(&s, "srun: error: ") || !sv_until(&s, ": task", &node))
		return SV_LIT("");
	return node;
}

static struct gpudx_sv node_of_step(struct gpudx_sv s)
{
	struct gpudx_sv before, node;

	if (!sv_lit(&s, "slurmstepd: error: *** ") || !sv_until(&s, " ON ", &before) ||
	    !sv_until(&s, " CANCELLED AT ", &node))
		return SV_LIT("");
	return node;
}

/* ---- ranks, tasks and devices ---- */

static bool make_tables(struct gpudx_ctx *c, struct app_hosts *h)
{
	if (!h->rank)
		h->rank = gpudx_arena_array(gpudx_memory(c), APP_RANKS, sizeof(*h->rank));
	if (!h->task)
		h->task = gpudx_arena_array(gpudx_memory(c), APP_RANKS, sizeof(*h->task));
	return h->rank && h->task;
}

static void learn_rank(struct app_hosts *h, int64_t number, uint16_t host, uint32_t ref)
{
	struct app_rank *r;

	if (number < 0 || number >= APP_RANKS || !host)
		return;
	r = &h->rank[number];
	r->disputed |= (r->host && r->host != host) || (r->ref && ref && r->ref != ref);
	r->host = host;
	r->ref = ref ? ref : r->ref;
}

/* "5d000": domain, bus, device and function without their dividers, leading zeros left out. */
static bool scan_bus_id(struct gpudx_sv s, struct gpudx_bdf *b)
{
	uint64_t v;

	if (!sv_hex(&s, 4, 12, &v) || v > 0xffffffffffff || (s.n && s.p[0] != ' '))
		return false;
	*b = (struct gpudx_bdf){ .domain = (uint32_t)(v >> 20),
				 .bus = (uint8_t)(v >> 12),
				 .dev = (uint8_t)(v >> 4),
				 .fn = (uint8_t)(v & 15) };
	b->known = v != 0 && b->dev < 32 && b->fn < 8;
	return b->known;
}

static struct app_device *device_of(const struct app_hosts *h, uint16_t host, int64_t pid,
				    uint64_t device)
{
	struct app_device *d = h->devices;

	while (d && (d->host != host || d->pid != pid || d->device != device))
		d = d->next;
	return d;
}

static void learn_device(struct gpudx_ctx *c, struct app_hosts *h, uint16_t host, int64_t pid,
			 uint64_t device, uint32_t ref)
{
	struct app_device *d = device_of(h, host, pid, device);

	if (!d && h->ndevices < DEVICES &&
	    (d = gpudx_arena_alloc(gpudx_memory(c), sizeof(*d))) != NULL) {
		*d = (struct app_device){
			.next = h->devices, .host = host, .pid = pid, .device = device
		};
		h->devices = d;
		h->ndevices++;
	}
	if (d)
		d->ref = ref;
}

static bool number_behind(struct gpudx_sv s, const char *word, uint64_t *v)
{
	struct gpudx_sv skipped;

	return sv_until(&s, word, &skipped) && sv_u64(&s, v);
}

/* "comm 0x55 rank 11 nranks 16 cudaDev 3 nvmlDev 3 busId 5d000". The host is the one at hand. */
static void learn_comm(struct gpudx_ctx *c, struct app_hosts *h, uint16_t host,
		       const struct app_line *l)
{
	struct gpudx_sv s = l->message, skipped;
	struct gpudx_gpu_id id = GPUDX_GPU_NONE;
	uint64_t rank, ranks, device;
	uint32_t ref;

	if (!number_behind(s, " rank ", &rank) || !number_behind(s, " nranks ", &ranks) ||
	    !number_behind(s, " cudaDev ", &device) || !sv_until(&s, " busId ", &skipped) ||
	    !scan_bus_id(s, &id.bdf))
		return;
	ref = gpudx_ref(c, &id);
	learn_device(c, h, host, l->pid, device, ref);
	if (ranks > h->ranks_of_all) {
		memset(h->rank, 0, APP_RANKS * sizeof(*h->rank));
		h->ranks_of_all = ranks;
	}
	if (ranks == h->ranks_of_all && rank < APP_RANKS)
		learn_rank(h, (int64_t)rank, host, ref);
}

/* ---- the line ---- */

/* Which host the line names itself; 0 none. */
static uint16_t named(struct gpudx_ctx *c, struct app_hosts *h, const struct app_line *l)
{
	struct gpudx_sv node = l->host;

	if (!node.n)
		node = node_of_srun(l->message);
	if (!node.n)
		node = node_of_step(l->message);
	return node.n ? host_number(c, h, node) : 0;
}

/* What its rank or its task tells of a line that names no host. */
static uint16_t told_by_number(const struct app_hosts *h, const struct app_line *l)
{
	if (l->rank >= 0 && l->rank < APP_RANKS)
		return h->rank[l->rank].disputed ? 0 : h->rank[l->rank].host;
	return l->task >= 0 && l->task < APP_RANKS ? h->task[l->task] : 0;
}

static uint32_t gpu_of(const struct app_hosts *h, const struct app_line *l, uint16_t host)
{
	const struct app_device *d;

	if (l->device >= 0 && l->pid >= 0 &&
	    (d = device_of(h, host, l->pid, (uint64_t)l->device)) != NULL)
		return d->ref;
	if (l->rank >= 0 && l->rank < APP_RANKS && !h->rank[l->rank].disputed)
		return h->rank[l->rank].ref;
	return 0;
}

void app_of_host(struct gpudx_ctx *c, struct app_hosts *h, const struct app_line *l, bool flagged)
{
	uint16_t host = named(c, h, l);
	bool own = host != 0;

	gpudx_of_gpu(c, 0);
	gpudx_of_rank(c, l->rank);
	if (!h->n || !make_tables(c, h))
		return;
	if (!host)
		host = told_by_number(h, l);
	if (host) {
		gpudx_of_host(c, h->name[host - 1], own);
	} else {
		/* Nobody knows whose it is, and what it tells must not be held against the first. */
		gpudx_of_host(c, h->n > 1 && flagged ? SV_LIT(GPUDX_ELSEWHERE) : SV_LIT(""), true);
		return;
	}
	if (own && l->host.n) {
		learn_rank(h, l->rank, host, 0);
		if (l->task >= 0 && l->task < APP_RANKS)
			h->task[l->task] = host;
		learn_comm(c, h, host, l);
	}
	gpudx_of_gpu(c, gpu_of(h, l, host));
}
