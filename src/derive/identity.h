/* Which GPU each gpu_ref means: refnode.c loads, identity.c decides, gpu_rows.c writes. */
#ifndef GPUDX_IDENTITY_H
#define GPUDX_IDENTITY_H

#include "derive/clock.h"

/* Addresses that a GPU had, one a boot, the first boot first. */
struct gpudx_seat {
	struct gpudx_seat *next;
	int64_t boot;
	int64_t t_us; /* when it was seen, as its source says; GPUDX_NO_TIME unknown */
	struct gpudx_sv bdf;
};

/* A gpu_ref, or an NVIDIA GPU of lspci that has none. Those of one GPU form a tree; what is known
 * of them together stands in its root. */
struct gpudx_node {
	int64_t ref;	/* 0: of lspci alone, which is then device */
	int64_t device; /* id in pci_device; 0 unless ref is */
	int64_t source, host, boot, line_id, t_us;
	int32_t idx;	  /* of nvidia-smi; -1 none or not to be trusted */
	int32_t place;	  /* in a poll; -1 none */
	int32_t nameless; /* refs of its source that have nothing but a place or an ordinal */
	int32_t gi, ci;	  /* -1 none */
	struct gpudx_sv uuid, serial, bdf, mig_uuid, dir;
	bool tool;     /* of a tool that lists what is there; false: of a log */
	bool probed;   /* a log has it among what the kernel found on the bus */
	bool found;    /* ... and no more of it */
	bool excluded; /* no GPU: a switch, an audio function, a passed-through device */

	struct gpudx_node *up;	 /* NULL: a root */
	struct gpudx_node *next; /* the nodes of a tree are a ring */
	const char *how;	 /* why it belongs to its GPU; NULL: nothing identifies it */
	double confidence;

	/* of a root */
	struct gpudx_seat *seats;
	struct gpudx_sv r_uuid, r_serial;
	int32_t r_idx;
	int64_t r_tool_boot;	 /* last boot (its id) in which a tool listed it; 0 none */
	struct gpudx_sv r_order; /* to sort by */
	bool is_gpu;		 /* gets a row */
	bool gone;		 /* ... and is not of the boot of the inventory */
	int64_t gpu;		 /* id of the row */
};

struct gpudx_identity {
	sqlite3 *db;
	int64_t bundle;
	const struct gpudx_clocks *c;
	struct gpudx_arena arena;
	struct gpudx_node *node; /* by host and ref */
	size_t n;
};

/* Loads all refs and devices of the bundle. */
GPUDX_CHECK enum gpudx_status gpudx_identity_load(struct gpudx_identity *d, struct gpudx_err *err);

struct gpudx_node *gpudx_node_root(struct gpudx_node *n);

/* The address of a root in a boot; .p NULL unknown. */
struct gpudx_sv gpudx_node_seat(const struct gpudx_node *root, int64_t boot);

bool gpudx_node_has_seat(const struct gpudx_node *root, struct gpudx_sv bdf);

/* True when the two cannot be one card: they differ in UUID, or, where one has none, in address within
 * a boot. */
bool gpudx_node_contradict(struct gpudx_node *a, struct gpudx_node *b);

/* Joins two trees; false when they contradict each other. */
bool gpudx_node_join(struct gpudx_node *a, struct gpudx_node *b);

/* Writes gpu, gpu_name, gpu_ref, gpu_instance and gpu_id of everything that refers to a ref. */
GPUDX_CHECK enum gpudx_status gpudx_identity_write(struct gpudx_identity *d, struct gpudx_err *err);

#endif
