/* What parsers may say. A record is typed, carries its place (source, line) and borrows its
 * strings: the sink copies what it keeps. Missing values are absent, never 0. */
#ifndef GPUDX_RECORD_H
#define GPUDX_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bdf.h"
#include "base/stamp.h"
#include "base/sv.h"

/* "GPU 0 of this file": whatever the source says of its identity. Unset parts are .p NULL,
 * .known false, -1. derive finds out which GPU that is. */
struct gpudx_gpu_id {
	int32_t idx;	/* nvidia-smi index, or the place in a poll when no index is printed */
	int32_t gi, ci; /* MIG instance ids */
	bool placed;	/* idx is only the place in a poll: which GPU that is, is not said */
	struct gpudx_bdf bdf;
	struct gpudx_sv uuid, serial;
};

#define GPUDX_GPU_NONE ((struct gpudx_gpu_id){ .idx = -1, .gi = -1, .ci = -1 })

/* Columns of gpu_sample. The order is that of the table. */
enum gpudx_col {
	GPUDX_COL_PSTATE,
	GPUDX_COL_SM_CLOCK,    /* MHz */
	GPUDX_COL_MEM_CLOCK,   /* MHz */
	GPUDX_COL_POWER,       /* W, as power.draw says it (averaged or not: see the product) */
	GPUDX_COL_POWER_LIMIT, /* W, in force */
	GPUDX_COL_TEMP,	       /* C, the die */
	GPUDX_COL_UTIL,	       /* % of time busy; busy is not fast */
	GPUDX_COL_MEM_UTIL,    /* % of time the memory controller was busy */
	GPUDX_COL_MEM_USED,    /* MiB */
	GPUDX_COL_REASONS,     /* clocks event reason mask (formats 3) */
	GPUDX_COLS
};

/* One time step of one GPU. */
struct gpudx_sample {
	uint32_t ref, line;
	int64_t t_us;  /* the clock of the source; GPUDX_NO_TIME without stamps */
	int64_t seq;   /* steps since the start of the source, the time of those without stamps */
	uint32_t have; /* bit per column */
	double v[GPUDX_COLS];
};

static inline void gpudx_sample_set(struct gpudx_sample *s, enum gpudx_col c, double v)
{
	s->v[c] = v;
	s->have |= 1u << c;
}

struct gpudx_attr {
	struct gpudx_sv name, value;
};

enum { GPUDX_ATTRS_MAX = 24 };

/* One message that a log printed, or one thing a tool said instead of its output. */
struct gpudx_event {
	uint32_t ref;	      /* 0 = not of one GPU */
	struct gpudx_sv kind; /* rules/kb/event_kinds.tsv */
	int64_t code;	      /* Xid, SXid; -1 none */
	struct gpudx_stamp stamp;
	int64_t pid;		 /* -1 unknown */
	struct gpudx_sv process; /* .p NULL unknown */
	struct gpudx_sv text;	 /* the message without its prefix */
	uint32_t repeats;	 /* "message repeated N times"; 1 normally */
	uint32_t line; /* that states it, when that was an earlier one; 0 = the line at hand */
	unsigned nattrs;
	struct gpudx_attr attrs[GPUDX_ATTRS_MAX];
};

/* An event of which no more is known than what and when. */
static inline struct gpudx_event gpudx_event_of(struct gpudx_sv kind, struct gpudx_stamp stamp,
						struct gpudx_sv text)
{
	return (struct gpudx_event){
		.kind = kind, .code = -1, .stamp = stamp, .pid = -1, .repeats = 1, .text = text
	};
}

/* One client of one GPU at one moment (pmon, process lists). */
struct gpudx_process {
	uint32_t ref;
	int64_t t_us, seq; /* seq: the round of pmon */
	int64_t pid;
	struct gpudx_sv type, name;	/* "C", "G", "C+G", "M+C" */
	double sm_pct, mem_pct, fb_mib; /* NAN unknown */
	int32_t gi, ci;
};

#define GPUDX_NO_ID UINT32_MAX

/* One PCI function as lspci shows it. Numbers are 0 where not shown. */
struct gpudx_device {
	struct gpudx_bdf bdf; /* not known in an excerpt: then ref says what is known */
	uint32_t ref;
	uint32_t class_id, vendor_id, device_id; /* GPUDX_NO_ID not shown */
	struct gpudx_sv name, driver, slot;
	double cap_gts, sta_gts, target_gts; /* LnkCap, LnkSta, LnkCtl2 speeds in GT/s */
	unsigned cap_width, sta_width;
	int secondary_bus, subordinate_bus; /* -1: not a bridge */
	int numa_node, iommu_group;	    /* -1 not shown */
	struct gpudx_sv port_type;	    /* "Endpoint", "Root Port", ... */
	/* Names of the set bits, blank-separated; empty: shown, and none is set. */
	struct gpudx_sv ue_status, ce_status; /* AER: uncorrectable, correctable */
	struct gpudx_sv acs_ctl;	      /* ACS controls that are on */
	bool dead;			      /* rev ff or header 7f: all-ones reads */
	bool denied;			      /* capabilities hidden from a user who is not root */
	uint32_t line;			      /* of the header; 0 = the line at hand */
	uint32_t line_cap, line_sta;	      /* of LnkCap and LnkSta; 0 none */
};

/* A device of which nothing is shown yet. */
static inline struct gpudx_device gpudx_device_at(struct gpudx_bdf bdf, uint32_t line)
{
	return (struct gpudx_device){ .bdf = bdf,
				      .class_id = GPUDX_NO_ID,
				      .vendor_id = GPUDX_NO_ID,
				      .device_id = GPUDX_NO_ID,
				      .secondary_bus = -1,
				      .subordinate_bus = -1,
				      .numa_node = -1,
				      .iommu_group = -1,
				      .line = line };
}

/* A fact: key from rules/kb/fact_keys.tsv, canonical value. */
struct gpudx_fact {
	uint32_t ref; /* 0 = of the host */
	struct gpudx_sv key, layer, value;
	bool has_num;
	double num;
	struct gpudx_stamp stamp; /* kind NONE: the time of the collection */
	uint32_t line; /* that states it, when that was an earlier one; 0 = the line at hand */
};

/* What ties clocks together (kernel log formats 4.2). Times that the line does not give are
 * GPUDX_NO_TIME. */
struct gpudx_anchor {
	/* two_stamps | rtc | date | uptime | uptime_s | btime | ls_offset | boot | sel_time (the
	 * BMC's clock at collection) | utc (wall-clock stamps of this source are UTC, though they
	 * do not say so) */
	struct gpudx_sv kind;
	int64_t mono_us, local_us, utc_us;
	bool has_offset;
	int32_t offset_min;
};

/* A MIG slice. */
struct gpudx_instance {
	uint32_t ref; /* the parent GPU */
	int32_t gi, ci;
	struct gpudx_sv profile, uuid;
};

/* The value of a series other than the sample columns, when it changed. */
struct gpudx_metric {
	uint32_t ref, line; /* line 0 = the line at hand */
	struct gpudx_sv key, unit;
	int64_t t_us, seq;
	double value;
};

enum gpudx_rec_kind {
	GPUDX_REC_REF,
	GPUDX_REC_SAMPLE,
	GPUDX_REC_FACT,
	GPUDX_REC_EVENT,
	GPUDX_REC_MORE, /* the line belongs to event id; .event adds attributes */
	GPUDX_REC_PROCESS,
	GPUDX_REC_DEVICE,
	GPUDX_REC_ANCHOR,
	GPUDX_REC_INSTANCE,
	GPUDX_REC_METRIC,
	GPUDX_REC_REASONS, /* ref id records the reason bits .reasons */
	GPUDX_REC_REJECT
};

struct gpudx_rec {
	enum gpudx_rec_kind kind;
	uint32_t source, line;
	uint32_t id;  /* REF, REASONS: the handle; EVENT, MORE: number of the event in this run */
	int32_t boot; /* boot count inside the source */
	union {
		const struct gpudx_gpu_id *ref;
		const struct gpudx_sample *sample;
		const struct gpudx_fact *fact;
		const struct gpudx_event *event;
		const struct gpudx_process *process;
		const struct gpudx_device *device;
		const struct gpudx_anchor *anchor;
		const struct gpudx_instance *instance;
		const struct gpudx_metric *metric;
		uint32_t reasons;
		const char *reject; /* why, static text */
	};
};

/* Where records go: the store, a dump for goldens, a counter for trials. */
struct gpudx_sink {
	void (*put)(struct gpudx_sink *sink, const struct gpudx_rec *rec);
};

#endif
