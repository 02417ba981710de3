/* What needs all sources together: hosts, boots, clocks, identity, copies, incidents, coverage.
 * Ingest left ids local to a source and raw clocks; after derive the tables say which GPU and when.
 * Tables in, tables out; it may run again on the same database. */
#ifndef GPUDX_DERIVE_H
#define GPUDX_DERIVE_H

#include "store/store.h"

struct gpudx_derive_options {
	const char *tz; /* zone name or offset of all local stamps; NULL: what the bundle says */
};

/* All stages, in one transaction. GPUDX_E_USAGE: there is no such zone. */
GPUDX_CHECK enum gpudx_status gpudx_derive(struct gpudx_store *store, int64_t bundle,
					   const struct gpudx_derive_options *options,
					   struct gpudx_err *err);

/* ---- the stages, in their order; each relies on those before it (more in derive/stages.h) ---- */

struct gpudx_clocks;

/* Rows of host; source.host_id. A log of several hosts leaves temp.host_at behind. */
GPUDX_CHECK enum gpudx_status gpudx_derive_hosts(struct gpudx_store *store, int64_t bundle,
						 struct gpudx_err *err);

/* bundle.collected_*, in raw stamps so far; source.year0. */
GPUDX_CHECK enum gpudx_status gpudx_derive_years(struct gpudx_store *store, int64_t bundle,
						 struct gpudx_err *err);

/* Rows of boot and their clock rows; source_span.boot_id and times. */
GPUDX_CHECK enum gpudx_status gpudx_derive_boots(struct gpudx_store *store, int64_t bundle,
						 struct gpudx_clocks *clocks,
						 struct gpudx_err *err);

/* pci_device.host_id and parent_id. */
GPUDX_CHECK enum gpudx_status gpudx_derive_pci(struct gpudx_store *store, int64_t bundle,
					       struct gpudx_err *err);

/* Rows of gpu and gpu_name; gpu_id and instance_id of everything that has a gpu_ref. */
GPUDX_CHECK enum gpudx_status gpudx_derive_identity(struct gpudx_store *store, int64_t bundle,
						    struct gpudx_clocks *clocks,
						    struct gpudx_err *err);

/* Time of gpu_ref; host, boot, time and unit of fact. */
GPUDX_CHECK enum gpudx_status gpudx_derive_facts(struct gpudx_store *store, int64_t bundle,
						 struct gpudx_clocks *clocks,
						 struct gpudx_err *err);

/* Host, boot and time of event; copies. */
GPUDX_CHECK enum gpudx_status gpudx_derive_events(struct gpudx_store *store, int64_t bundle,
						  struct gpudx_clocks *clocks,
						  struct gpudx_err *err);

/* Rows of incident; event.incident_id. */
GPUDX_CHECK enum gpudx_status gpudx_derive_incidents(struct gpudx_store *store, int64_t bundle,
						     struct gpudx_err *err);

/* Rows of coverage: samples, facts and logs before rates, which take exposure from them; tables in
 * the end. */
GPUDX_CHECK enum gpudx_status gpudx_derive_coverage(struct gpudx_store *store, int64_t bundle,
						    struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status
gpudx_derive_coverage_of_tables(struct gpudx_store *store, int64_t bundle, struct gpudx_err *err);

#endif
