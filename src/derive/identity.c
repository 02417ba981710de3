/* Same card = same UUID, else same address within one boot, else same nvidia-smi index within one
 * capture. Refs of one host are joined in this order, never against what is known already.
 *
 * Then it is decided which of the joined ones are GPUs of this host. What tools listed in the last
 * boot is the inventory: each of these is one. What only logs name is held against it: buses are
 * renumbered and cards are taken out, so an address of an older boot is a card of today only when
 * UUID or serial say so, or when all addresses of that boot are addresses of today. What fits
 * nothing stays without GPU: its events are events of the host. */
#include "derive/identity.h"

#include "base/map.h"
#include "store/query.h"

#include <stdio.h>
#include <stdlib.h>

/* The refs of one host. */
struct host {
	struct gpudx_identity *d;
	struct gpudx_node *node;
	size_t n;
	struct gpudx_node **root; /* in the order of node; some get joined later */
	size_t nroots;
	int64_t present;   /* the boot of the inventory; 0: no tool listed any */
	struct stay *stay; /* by boot, the last one first */
	size_t nstays;
	struct gpudx_map seats; /* address -> number of its GPU in node + 1 */
};

/* A card had an address in a boot. */
struct stay {
	int64_t boot;
	struct gpudx_sv bdf;
	struct gpudx_node *card;
};

enum { KEY_TEXT = 256, GPUS_MAX = 1024 };

/* ---- joining what is the same ---- */

enum key { KEY_UUID, KEY_SEAT, KEY_INDEX, KEY_CAPTURE };

/* What two nodes must share to be joined; "" when this one has no such thing. */
static struct gpudx_sv node_key(const struct gpudx_node *n, enum key key, char buf[KEY_TEXT])
{
	int len = 0;

	if (key == KEY_UUID && n->uuid.p)
		len = snprintf(buf, KEY_TEXT, "%.*s", (int)sv_first(n->uuid, 80).n, n->uuid.p);
	else if (key == KEY_SEAT && n->bdf.p)
		len = snprintf(buf, KEY_TEXT, "%lld/%.*s", (long long)n->boot, (int)n->bdf.n,
			       n->bdf.p);
	else if (key == KEY_INDEX && n->idx >= 0)
		len = snprintf(buf, KEY_TEXT, "%lld/%d", (long long)n->boot, n->idx);
	else if (key == KEY_CAPTURE && n->idx >= 0)
		len = snprintf(buf, KEY_TEXT, "%lld/%d/%.*s", (long long)n->boot, n->idx,
			       (int)sv_first(n->dir, 160).n, n->dir.p ? n->dir.p : "");
	for (int i = 0; i < len; i++)
		buf[i] = sv_lower(buf[i]);
	return sv_n(buf, len > 0 ? (size_t)len : 0);
}

/* The first node that has the key of node i; i itself when it has none. */
static enum gpudx_status first_of(const struct host *h, struct gpudx_map *map, enum key key,
				  size_t i, size_t *first, struct gpudx_err *err)
{
	char buf[KEY_TEXT];
	struct gpudx_sv k = node_key(&h->node[i], key, buf);
	uint32_t *at;
	bool is_new;

	*first = i;
	if (!k.n)
		return GPUDX_OK;
	at = gpudx_map_at(map, k, &is_new);
	if (!at)
		return gpudx_nomem(err);
	if (is_new)
		*at = (uint32_t)i;
	*first = *at;
	return GPUDX_OK;
}

/* The card sits elsewhere by the end of the boot. */
static bool left_seat(struct gpudx_node *n)
{
	return n->bdf.p && !sv_eq(gpudx_node_seat(gpudx_node_root(n), n->boot), n->bdf);
}

static enum gpudx_status join_by(struct host *h, enum key key, struct gpudx_err *err)
{
	struct gpudx_map map = { .arena = &h->d->arena };
	enum gpudx_status rc = GPUDX_OK;
	size_t first;

	for (size_t i = 0; i < h->n && !rc; i++) {
		if (h->node[i].excluded || (key == KEY_SEAT && left_seat(&h->node[i])))
			continue;
		rc = first_of(h, &map, key, i, &first, err);
		if (!rc && first != i)
			gpudx_node_join(&h->node[first], &h->node[i]);
	}
	return rc;
}

static bool has_more_than_index(struct gpudx_node *n)
{
	const struct gpudx_node *r = gpudx_node_root(n);

	return r->r_uuid.p || r->seats;
}

/* Sources that know more than the index come first: where two of them contradict each other, it is
 * torn and says nothing. */
static enum gpudx_status join_by_index(struct host *h, enum key key, struct gpudx_err *err)
{
	struct gpudx_map map = { .arena = &h->d->arena };
	enum gpudx_status rc = GPUDX_OK;
	bool *torn = gpudx_arena_array(&h->d->arena, h->n + 1, sizeof(*torn));
	size_t first;

	if (!torn)
		return gpudx_nomem(err);
	for (int known = 1; known >= 0; known--)
		for (size_t i = 0; i < h->n && !rc; i++) {
			if (h->node[i].excluded || has_more_than_index(&h->node[i]) != known)
				continue;
			rc = first_of(h, &map, key, i, &first, err);
			if (rc || first == i || (!known && torn[first]))
				continue;
			torn[first] |= !gpudx_node_join(&h->node[first], &h->node[i]);
		}
	return rc;
}

/* "MIG-..." of an instance that another source lists under its parent. */
static enum gpudx_status mig_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_sv uuid = gpudx_col_text(row, 0);
	int64_t parent = sqlite3_column_int64(row, 1);
	struct gpudx_node *p = NULL;
	struct host *h = arg;

	(void)err;
	for (size_t i = 0; i < h->n && !p; i++)
		if (h->node[i].ref == parent && !h->node[i].excluded)
			p = &h->node[i];
	for (size_t i = 0; p && i < h->n; i++) {
		struct gpudx_node *slice = &h->node[i];

		if (!slice->mig_uuid.p || !sv_ieq(slice->mig_uuid, uuid) || slice->excluded ||
		    !gpudx_node_join(p, slice) || slice->how)
			continue;
		slice->how = "UUID of a MIG slice";
		slice->confidence = 0.95;
	}
	return GPUDX_OK;
}

static enum gpudx_status join_slices(struct host *h, struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT i.uuid, i.ref_id FROM gpu_instance i JOIN gpu_ref r ON r.id = i.ref_id"
		" JOIN source s ON s.id = r.source_id WHERE s.bundle_id = ?1"
		" AND i.uuid IS NOT NULL"
		" AND EXISTS (SELECT 1 FROM gpu_ref m WHERE m.uuid = i.uuid) ORDER BY i.id"
		" LIMIT 1000";

	return gpudx_query_each(h->d->db, sql, h->d->bundle, mig_row, h, err);
}

static enum gpudx_status list_roots(struct host *h, struct gpudx_err *err)
{
	h->root = gpudx_arena_array(&h->d->arena, h->n + 1, sizeof(struct gpudx_node *));
	if (!h->root)
		return gpudx_nomem(err);
	for (size_t i = 0; i < h->n; i++)
		if (!h->node[i].up && !h->node[i].excluded)
			h->root[h->nroots++] = &h->node[i];
	return GPUDX_OK;
}

/* Joins b into a on weaker grounds than those that made them: what b consists of belongs to the GPU
 * with this confidence at best. */
static bool assume_same(struct gpudx_node *a, struct gpudx_node *b, const char *how,
			double confidence)
{
	struct gpudx_node *n = b;

	if (gpudx_node_contradict(a, b))
		return false;
	do {
		if (!n->how || n->confidence > confidence) {
			n->how = how;
			n->confidence = confidence;
		}
		n = n->next;
	} while (n != b);
	return gpudx_node_join(a, b);
}

/* ---- sets of GPUs ---- */

static size_t all_gpus(const struct host *h, struct gpudx_node **out)
{
	size_t n = 0;

	for (size_t i = 0; i < h->nroots && n < GPUS_MAX; i++)
		if (!h->root[i]->up && h->root[i]->is_gpu)
			out[n++] = h->root[i];
	return n;
}

/* GPUs of which no source says an address in the boot of the inventory. */
static size_t unseated_gpus(const struct host *h, struct gpudx_node **out)
{
	size_t n = all_gpus(h, out), kept = 0;

	for (size_t i = 0; i < n; i++)
		if (out[i]->r_tool_boot == h->present && !gpudx_node_seat(out[i], h->present).p)
			out[kept++] = out[i];
	return kept;
}

static size_t unnumbered_gpus(const struct host *h, struct gpudx_node **out)
{
	size_t n = all_gpus(h, out), kept = 0;

	for (size_t i = 0; i < n; i++)
		if (out[i]->r_idx < 0 && gpudx_node_seat(out[i], h->present).p)
			out[kept++] = out[i];
	return kept;
}

static int by_index(const void *pa, const void *pb)
{
	const struct gpudx_node *a = *(struct gpudx_node *const *)pa,
				*b = *(struct gpudx_node *const *)pb;

	if (a->r_idx != b->r_idx)
		return a->r_idx < b->r_idx ? -1 : 1;
	return (a > b) - (a < b);
}

/* Canonical addresses: a longer one has a higher domain. */
static int by_order(const void *pa, const void *pb)
{
	const struct gpudx_node *a = *(struct gpudx_node *const *)pa,
				*b = *(struct gpudx_node *const *)pb;
	struct gpudx_sv x = a->r_order, y = b->r_order;
	int c = x.n != y.n ? (x.n < y.n ? -1 : 1) : x.n ? memcmp(x.p, y.p, x.n) : 0;

	return c ? c : (a > b) - (a < b);
}

static void sort_by_seat(const struct host *h, struct gpudx_node **gpu, size_t n)
{
	for (size_t i = 0; i < n; i++)
		gpu[i]->r_order = gpudx_node_seat(gpu[i], h->present);
	if (n)
		qsort(gpu, n, sizeof(*gpu), by_order);
}

/* A source may name a card by its serial number alone, which is enough unless the board has two. */
static void join_serials(struct host *h)
{
	for (size_t i = 0; i < h->nroots; i++) {
		struct gpudx_node *r = h->root[i], *of = NULL;
		size_t n = 0;

		if (r->up || !r->r_serial.p || r->r_uuid.p || r->seats || r->r_idx >= 0)
			continue;
		for (size_t k = 0; k < h->nroots; k++)
			if (k != i && !h->root[k]->up && h->root[k]->r_serial.p &&
			    sv_ieq(h->root[k]->r_serial, r->r_serial)) {
				of = h->root[k];
				n++;
			}
		if (n == 1)
			assume_same(of, r, "serial number", 0.85);
	}
}

/* ---- the inventory ---- */

/* What a tool listed in the last boot in which one did, and every card that one listed by UUID. Ids
 * of boots rise with time. */
static void take_inventory(struct host *h)
{
	for (size_t i = 0; i < h->nroots; i++)
		if (h->root[i]->r_tool_boot > h->present)
			h->present = h->root[i]->r_tool_boot;
	for (size_t i = 0; i < h->nroots; i++) {
		struct gpudx_node *r = h->root[i];

		r->is_gpu = r->r_tool_boot && (r->r_tool_boot == h->present || r->r_uuid.p);
	}
}

/* nvidia-smi counts in the order of addresses: as many indexes as addresses are the same cards. */
static void join_in_order(const struct host *h, struct gpudx_node **numbered,
			  struct gpudx_node **seated, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (numbered[i]->r_idx < 0 && n > 1)
			return;
	if (n)
		qsort(numbered, n, sizeof(*numbered), by_index);
	sort_by_seat(h, seated, n);
	for (size_t i = 0; i < n; i++)
		assume_same(numbered[i], seated[i],
			    n == 1 ? "the only GPU of both" : "order of addresses", 0.5);
}

/* lspci knows addresses, a listing of nvidia-smi may know indexes only. */
static void join_indexes_to_seats(struct host *h)
{
	struct gpudx_node *numbered[GPUS_MAX], *seated[GPUS_MAX];
	size_t n = unseated_gpus(h, numbered), m = unnumbered_gpus(h, seated);

	if (n == m)
		join_in_order(h, numbered, seated, n);
}

/* ---- places in a poll ---- */

static bool only_placed(const struct gpudx_node *n)
{
	return n->place >= 0 && !n->excluded && !n->how;
}

/* A poll that shows as many GPUs as there are shows them in the order of their indexes. */
static void join_places(struct host *h)
{
	struct gpudx_node *gpu[GPUS_MAX];
	size_t n = all_gpus(h, gpu);
	bool numbered = true;

	for (size_t i = 0; i < n; i++)
		numbered &= gpu[i]->r_idx >= 0;
	if (numbered && n)
		qsort(gpu, n, sizeof(*gpu), by_index);
	else if (n)
		sort_by_seat(h, gpu, n);
	for (size_t i = 0; i < h->n; i++) {
		struct gpudx_node *p = &h->node[i];

		if (!only_placed(p) || (size_t)p->place >= n || (size_t)p->nameless != n ||
		    !gpudx_node_join(gpu[p->place], p))
			continue;
		p->how = n == 1 ? "the only GPU of the host" : "place in the poll";
		p->confidence = n == 1 || !numbered ? 0.5 : 0.7;
	}
}

/* Nothing but polls without index: the largest of them is the inventory. */
static void take_places(struct host *h)
{
	const struct gpudx_node *largest = NULL;

	for (size_t i = 0; i < h->n; i++)
		if (only_placed(&h->node[i]) &&
		    (!largest || h->node[i].nameless > largest->nameless))
			largest = &h->node[i];
	for (size_t i = 0; largest && i < h->n; i++) {
		struct gpudx_node *n = &h->node[i];

		if (n->place < 0 || n->excluded || n->source != largest->source)
			continue;
		n->is_gpu = true;
		n->r_idx = n->place;
		n->r_tool_boot = h->present = n->boot;
		n->how = "place in the poll";
		n->confidence = 0.5;
	}
}

/* ---- what logs name ---- */

/* In the boot of the inventory an address is a card, unless it may be one of those whose address
 * nobody printed. The kernel names all that it finds on the bus; what it alone names may be passed
 * through. */
static void take_present_seats(struct host *h)
{
	struct gpudx_node *unseated[GPUS_MAX], *named[GPUS_MAX];
	size_t n = unseated_gpus(h, unseated), m = 0;
	bool probed = true;

	for (size_t i = 0; i < h->nroots && m < GPUS_MAX; i++)
		if (!h->root[i]->up && !h->root[i]->is_gpu &&
		    gpudx_node_seat(h->root[i], h->present).p) {
			named[m++] = h->root[i];
			probed &= h->root[i]->probed;
		}
	if (n == m && (n == 1 || probed))
		join_in_order(h, unseated, named, n);
	for (size_t i = 0; i < m && !n; i++)
		named[i]->is_gpu = !named[i]->found;
}

/* The same for logs of other boots, when they name one address in all. */
static void take_only_seat(struct host *h)
{
	struct gpudx_node *unseated[GPUS_MAX], *named = NULL;

	if (unseated_gpus(h, unseated) != 1)
		return;
	for (size_t i = 0; i < h->nroots; i++) {
		struct gpudx_node *r = h->root[i];

		if (r->up || r->is_gpu || !r->seats)
			continue;
		if (named && !gpudx_node_has_seat(named, r->seats->bdf))
			return;
		named = r;
	}
	for (size_t i = 0; i < h->nroots && named; i++)
		if (!h->root[i]->up && !h->root[i]->is_gpu && h->root[i]->seats)
			assume_same(unseated[0], h->root[i], "the only GPU of both", 0.5);
}

/* ---- other boots ---- */

static int by_boot(const void *pa, const void *pb)
{
	const struct stay *a = pa, *b = pb;

	if (a->boot != b->boot)
		return a->boot > b->boot ? -1 : 1;
	return (a->card > b->card) - (a->card < b->card);
}

/* That the kernel found a device says little of a card. */
static const struct gpudx_seat *stays_of(const struct gpudx_node *root)
{
	return root->found ? NULL : root->seats;
}

static enum gpudx_status list_stays(struct host *h, struct gpudx_err *err)
{
	size_t n = 0;

	for (size_t i = 0; i < h->nroots; i++)
		for (const struct gpudx_seat *s = stays_of(h->root[i]); s; s = s->next)
			n++;
	h->stay = gpudx_arena_array(&h->d->arena, n + 1, sizeof(*h->stay));
	if (!h->stay)
		return gpudx_nomem(err);
	for (size_t i = 0; i < h->nroots; i++)
		for (const struct gpudx_seat *s = stays_of(h->root[i]); s; s = s->next)
			h->stay[h->nstays++] = (struct stay){ s->boot, s->bdf, h->root[i] };
	if (n)
		qsort(h->stay, n, sizeof(*h->stay), by_boot);
	return GPUDX_OK;
}

/* The end of the stays of one boot. */
static size_t boot_end(const struct host *h, size_t from)
{
	size_t to = from;

	while (to < h->nstays && h->stay[to].boot == h->stay[from].boot)
		to++;
	return to;
}

/* From now on the address is the seat of this GPU. */
static bool seat_gpu(struct host *h, struct gpudx_sv bdf, struct gpudx_node *gpu)
{
	bool is_new;
	uint32_t *at = gpudx_map_at(&h->seats, bdf, &is_new);

	if (at && is_new)
		*at = (uint32_t)(gpu - h->node) + 1;
	return at != NULL;
}

static struct gpudx_node *gpu_on_seat(const struct host *h, struct gpudx_sv bdf)
{
	const uint32_t *at = gpudx_map_get(&h->seats, bdf);

	return at && *at ? gpudx_node_root(&h->node[*at - 1]) : NULL;
}

static enum gpudx_status seat_present(struct host *h, struct gpudx_err *err)
{
	for (size_t i = 0; i < h->nroots; i++) {
		struct gpudx_sv bdf = gpudx_node_seat(h->root[i], h->present);

		if (!h->root[i]->up && h->root[i]->is_gpu && bdf.p && !seat_gpu(h, bdf, h->root[i]))
			return gpudx_nomem(err);
	}
	return GPUDX_OK;
}

/* All addresses of a boot are addresses of the inventory, and no card moved between the two. */
static bool boot_fits(const struct host *h, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct gpudx_sv now = gpudx_node_seat(gpudx_node_root(h->stay[i].card), h->present);

		if (!gpu_on_seat(h, h->stay[i].bdf) || (now.p && !sv_eq(now, h->stay[i].bdf)))
			return false;
	}
	return true;
}

/* The only GPU with this serial number; a board may carry two. */
static struct gpudx_node *gpu_of_serial(const struct host *h, struct gpudx_sv serial)
{
	struct gpudx_node *found = NULL;

	for (size_t i = 0; i < h->nroots && serial.p; i++) {
		struct gpudx_node *r = h->root[i];

		if (r->up || !r->is_gpu || !r->r_serial.p || !sv_ieq(r->r_serial, serial))
			continue;
		if (found)
			return NULL;
		found = r;
	}
	return found;
}

/* A card of another boot: by serial, or by its seat when that boot fits. One with another UUID on
 * that seat was taken out since and is a card of its own. */
static void take_former(struct host *h, struct stay *s, bool fits)
{
	struct gpudx_node *now = gpu_of_serial(h, s->card->r_serial);

	if (now && assume_same(now, s->card, "serial number", 0.85))
		return;
	if (!fits)
		return;
	now = gpu_on_seat(h, s->bdf);
	if (now &&
	    assume_same(now, s->card, "address in another boot, all of whose addresses fit", 0.7))
		return;
	s->card->is_gpu = s->card->r_uuid.p != NULL;
}

static void take_former_boots(struct host *h)
{
	size_t to;

	for (size_t from = 0; from < h->nstays; from = to) {
		bool fits;

		to = boot_end(h, from);
		if (h->stay[from].boot == h->present)
			continue;
		fits = boot_fits(h, from, to);
		for (size_t i = from; i < to; i++)
			if (!h->stay[i].card->up && !h->stay[i].card->is_gpu)
				take_former(h, &h->stay[i], fits);
	}
}

/* What tools listed before a reboot by index only: the same index today, if all of them fit. */
static void take_former_indexes(struct host *h)
{
	struct gpudx_node *gpu[GPUS_MAX], *now[GPUS_MAX], *then[GPUS_MAX];
	size_t n = all_gpus(h, gpu), m = 0;

	for (size_t i = 0; i < h->nroots && m < GPUS_MAX; i++) {
		struct gpudx_node *r = h->root[i];

		if (r->up || r->is_gpu || r->r_idx < 0 || r->r_uuid.p || r->seats)
			continue;
		then[m] = r;
		now[m] = NULL;
		for (size_t k = 0; k < n; k++)
			if (gpu[k]->r_idx == r->r_idx)
				now[m] = gpu[k];
		if (!now[m++])
			return;
	}
	for (size_t i = 0; i < m; i++)
		assume_same(now[i], then[i], "nvidia-smi index in another boot", 0.5);
}

/* True when a UUID shows that a card had two addresses. */
static bool cards_moved(const struct host *h)
{
	for (size_t i = 0; i < h->nroots; i++) {
		const struct gpudx_node *r = h->root[i];

		for (const struct gpudx_seat *s = r->seats; s && !r->up; s = s->next)
			if (!sv_eq(s->bdf, r->seats->bdf))
				return true;
	}
	return false;
}

/* Nothing but what somebody says of "GPU 3". */
static void take_hearsay(struct host *h)
{
	struct gpudx_node *gpu[GPUS_MAX];

	if (all_gpus(h, gpu))
		return;
	for (size_t i = 0; i < h->nroots; i++)
		if (!h->root[i]->up && h->root[i]->r_idx >= 0)
			h->root[i]->is_gpu = true;
}

/* Only logs speak. Every address is a card, in other boots the same one, as long as nothing moved:
 * then only the last boot is sure to show cards of its own. */
static enum gpudx_status take_logs_alone(struct host *h, struct gpudx_err *err)
{
	bool moved = cards_moved(h);

	for (size_t i = 0; i < h->nstays; i++) {
		struct gpudx_node *card = h->stay[i].card, *later = gpu_on_seat(h, h->stay[i].bdf);

		if (!card->up && !card->is_gpu &&
		    (moved || !later || !assume_same(later, card, "address in another boot", 0.7)))
			card->is_gpu =
				!moved || card->r_uuid.p || h->stay[i].boot == h->stay[0].boot;
		card = gpudx_node_root(card);
		if (card->is_gpu && !seat_gpu(h, h->stay[i].bdf, card))
			return gpudx_nomem(err);
	}
	/* UUIDs without address; serials alone are of boards. */
	for (size_t i = 0; i < h->nroots; i++)
		if (!h->root[i]->up && !h->root[i]->seats && h->root[i]->r_uuid.p)
			h->root[i]->is_gpu = true;
	take_hearsay(h);
	return GPUDX_OK;
}

/* ---- what names nothing ---- */

static bool names_nothing(const struct gpudx_node *n)
{
	return !n->how && !n->up && !n->excluded && n->nameless <= 1;
}

static void take_nameless(struct host *h)
{
	struct gpudx_node *gpu[GPUS_MAX];
	size_t n = all_gpus(h, gpu);

	/* An excerpt alone still is of some GPU. */
	for (size_t i = 0; i < h->n && !n; i++)
		if (names_nothing(&h->node[i]) && h->node[i].tool) {
			gpu[n++] = &h->node[i];
			gpu[0]->is_gpu = true;
			gpu[0]->how = "nothing identifies it";
			gpu[0]->confidence = 0.5;
		}
	for (size_t i = 0; i < h->n && n == 1; i++) {
		struct gpudx_node *p = &h->node[i];

		if (!names_nothing(p) || !gpudx_node_join(gpu[0], p))
			continue;
		p->how = "the only GPU of the host";
		p->confidence = 0.5;
	}
}

/* Decides for the nodes of one host: [node, node + n). */
static enum gpudx_status decide(struct gpudx_identity *d, struct gpudx_node *node, size_t n,
				struct gpudx_err *err)
{
	struct host h = { .d = d, .node = node, .n = n };
	enum gpudx_status rc = join_by(&h, KEY_UUID, err);

	if (!rc)
		rc = join_by(&h, KEY_SEAT, err);
	if (!rc)
		rc = join_by_index(&h, KEY_INDEX, err);
	if (!rc)
		rc = join_by_index(&h, KEY_CAPTURE, err);
	if (!rc)
		rc = join_slices(&h, err);
	if (!rc)
		rc = list_roots(&h, err);
	if (!rc)
		rc = list_stays(&h, err);
	if (rc)
		return rc;
	h.seats.arena = &d->arena;
	join_serials(&h);
	take_inventory(&h);
	if (!h.present)
		take_places(&h);
	if (h.present) {
		join_indexes_to_seats(&h);
		take_present_seats(&h);
		take_only_seat(&h);
		rc = seat_present(&h, err);
		if (rc)
			return rc;
		take_former_boots(&h);
		take_former_indexes(&h);
	} else {
		rc = take_logs_alone(&h, err);
		if (rc)
			return rc;
	}
	join_places(&h);
	take_nameless(&h);
	for (size_t i = 0; i < h.nroots && h.present; i++)
		h.root[i]->gone = h.root[i]->r_tool_boot != h.present &&
				  !gpudx_node_seat(h.root[i], h.present).p;
	return GPUDX_OK;
}

enum gpudx_status gpudx_derive_identity(struct gpudx_store *store, int64_t bundle,
					struct gpudx_clocks *clocks, struct gpudx_err *err)
{
	struct gpudx_identity d = { .db = gpudx_store_db(store),
				    .bundle = bundle,
				    .c = clocks,
				    .arena = { .limit = 256 << 20 } };
	enum gpudx_status rc = gpudx_identity_load(&d, err);
	size_t from = 0, to;

	for (; from < d.n && !rc; from = to) {
		for (to = from; to < d.n && d.node[to].host == d.node[from].host; to++)
			;
		rc = decide(&d, &d.node[from], to - from, err);
	}
	if (!rc)
		rc = gpudx_identity_write(&d, err);
	gpudx_arena_free(&d.arena);
	return rc;
}
