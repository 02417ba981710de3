/* The way up from each PCI function: the bridge whose secondary bus it sits on, in the same source.
 * Buses are numbered anew at every boot, so sources are never mixed. */
#include "base/bdf.h"
#include "derive/derive.h"
#include "store/query.h"

#include <stdlib.h>

struct device {
	int64_t id, source;
	struct gpudx_bdf bdf;
	int secondary, subordinate; /* -1: no bridge */
};

struct devices {
	struct device *d; /* by source, domain, secondary bus */
	size_t n;
};

static enum gpudx_status device_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct devices *all = arg;
	struct device *d = &all->d[all->n];

	(void)err;
	*d = (struct device){ .id = sqlite3_column_int64(row, 0),
			      .source = sqlite3_column_int64(row, 1) };
	d->secondary = (int)gpudx_col_int(row, 3, -1);
	d->subordinate = (int)gpudx_col_int(row, 4, d->secondary);
	all->n += gpudx_bdf_parse(gpudx_col_text(row, 2), &d->bdf);
	return GPUDX_OK;
}

static int by_bus(const void *pa, const void *pb)
{
	const struct device *a = pa, *b = pb;

	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->bdf.domain != b->bdf.domain)
		return a->bdf.domain < b->bdf.domain ? -1 : 1;
	if (a->secondary != b->secondary)
		return a->secondary < b->secondary ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/* The bridge above a device: the one with the highest secondary bus that is not above the device's
 * own and whose range holds it. Bus 0 hangs on the root complex. */
static const struct device *bridge_above(const struct devices *all, const struct device *d)
{
	size_t lo = 0, hi = all->n;
	const struct device key = {
		.id = INT64_MAX, .source = d->source, .bdf = d->bdf, .secondary = d->bdf.bus
	};

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (by_bus(&all->d[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (size_t steps = 0; lo > 0 && steps < 512; lo--, steps++) {
		const struct device *b = &all->d[lo - 1];

		if (b->source != d->source || b->bdf.domain != d->bdf.domain || b->secondary <= 0)
			break;
		if (b->subordinate >= d->bdf.bus && b->id != d->id && b->bdf.bus < b->secondary)
			return b;
	}
	return NULL;
}

static enum gpudx_status write_parents(sqlite3 *db, const struct devices *all,
				       struct gpudx_err *err)
{
	sqlite3_stmt *st = NULL;
	enum gpudx_status rc =
		gpudx_db_prepare(db, "UPDATE pci_device SET parent_id = ? WHERE id = ?", &st, err);

	for (size_t i = 0; i < all->n && !rc; i++) {
		const struct device *above = bridge_above(all, &all->d[i]);

		if (!above)
			continue;
		sqlite3_bind_int64(st, 1, above->id);
		sqlite3_bind_int64(st, 2, all->d[i].id);
		rc = gpudx_db_run(st, err);
	}
	sqlite3_finalize(st);
	return rc;
}

enum gpudx_status gpudx_derive_pci(struct gpudx_store *store, int64_t bundle, struct gpudx_err *err)
{
	static const char hosts[] =
		"UPDATE pci_device SET host_id = (SELECT host_id FROM source s"
		" WHERE s.id = pci_device.source_id)"
		" WHERE source_id IN (SELECT id FROM source WHERE bundle_id = ?1)";
	static const char devices[] = "SELECT d.id, d.source_id, d.bdf, d.secondary_bus, "
				      "d.subordinate_bus FROM pci_device d"
				      " JOIN source s ON s.id = d.source_id WHERE s.bundle_id = ?1"
				      " AND d.bdf IS NOT NULL ORDER BY d.id";
	sqlite3 *db = gpudx_store_db(store);
	struct devices all = { 0 };
	enum gpudx_status rc;
	int64_t n = 0;

	rc = gpudx_query_run(db, hosts, bundle, err);
	if (!rc)
		rc = gpudx_db_int(db, "SELECT count(*) FROM pci_device", 0, &n, err);
	if (rc)
		return rc;
	all.d = calloc((size_t)n + 1, sizeof(*all.d));
	if (!all.d)
		return gpudx_nomem(err);
	rc = gpudx_query_each(db, devices, bundle, device_row, &all, err);
	if (!rc && all.n) {
		qsort(all.d, all.n, sizeof(*all.d), by_bus);
		rc = write_parents(db, &all, err);
	}
	free(all.d);
	return rc;
}
