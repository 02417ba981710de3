/* What stands behind the functions of parser.h: one part of a member being read. The run, the
 * golden dump and the fuzzers set it up; parsers do not see inside. */
#ifndef GPUDX_CTX_H
#define GPUDX_CTX_H

#include "base/map.h"
#include "parse/parser.h"

/* How far apart the lines of one message may stand: other messages get between them. */
enum { GPUDX_RECENT = 32, GPUDX_EVENT_KEY = 144, GPUDX_MORE_LINES = 64 };

/* The last numbers given out in a run. */
struct gpudx_ids {
	uint32_t source, ref, event;
};

/* Where the stamps of one kind run in one boot of the part. */
struct gpudx_span {
	struct gpudx_span *next; /* the one that began before */
	enum gpudx_stamp_kind kind;
	int32_t boot;
	int64_t first_us, last_us; /* the least and the greatest */
};

/* A host that gpudx_of_host named. */
struct gpudx_ctx_host {
	struct gpudx_ctx_host *next;
	struct gpudx_sv name;
	uint32_t source, line;
	bool stated;
};

struct gpudx_recent_event {
	char key[GPUDX_EVENT_KEY];
	uint32_t id, line;
	uint32_t which; /* hash of what tells it from others with this key, 0 nothing */
};

/* The GPU that a line named last: the lines behind it say more without naming it again. */
struct gpudx_named_gpu {
	struct gpudx_bdf bdf;
	char uuid[48];
	uint32_t uuid_n, line;
};

struct gpudx_ctx {
	/* set up by the run before begin */
	const struct gpudx_parser *parser;
	struct gpudx_sink *sink;
	struct gpudx_ids *ids;
	struct gpudx_arena *arena;
	uint32_t source;
	struct gpudx_sv path, command;
	const struct gpudx_head *head; /* during begin */
	bool (*match)(struct gpudx_ctx *c, struct gpudx_sv msg, const struct gpudx_stamp *stamp);
	const void *match_arg; /* what match works with */

	/* the line at hand: NULL before the first, then &at; its text is gone in finish */
	const struct gpudx_line *line;
	struct gpudx_line at;

	/* what the parser said of the part and of the line at hand */
	enum gpudx_clock_kind clock;
	bool excerpt;
	bool cited;	  /* keep the text of this line */
	bool context;	  /* ... and of two lines around */
	bool held;	  /* keep it as long as no other line is held: it may be cited yet */
	uint32_t repeats; /* gpudx_repeated; 1 normally */
	const char *by;	  /* gpudx_said_by; NULL normally */
	uint32_t of_gpu;  /* gpudx_of_gpu; 0 normally */
	char of_rank[12]; /* gpudx_of_rank as text; empty normally */
	bool failed;	  /* memory is out: the run must end */

	/* When the line at hand was written, as says who carried it (ingest/carry.h). It is the time
	 * of what has none of its own. */
	struct gpudx_stamp carried;
	struct gpudx_carried_boot {
		int64_t diff_us, mono_us; /* carried time minus that since boot: the least so far */
		struct gpudx_stamp stamp;
		uint32_t line; /* 0 none */
	} tie;
	bool own_time; /* the parser said a time itself */

	void *state;
	struct gpudx_stamp now;
	struct gpudx_span *spans; /* newest first */
	int32_t boot;
	/* gpudx_of_host: a new source for a host. NULL: they are told apart, in one source. owner: what
	 * the run works with. */
	void *owner;
	uint32_t (*new_source)(struct gpudx_ctx *c, struct gpudx_sv host);
	void (*keep_line)(struct gpudx_ctx *c); /* keeps the text of the line at hand */
	struct gpudx_ctx_host *hosts, *host_at; /* the first is that of the source */
	/* Whose lines these are, where a log is of several hosts: 0 of the first that was named or of
	 * nobody, else a hash of the name. */
	uint32_t host, first_host;
	uint32_t rejected, last_rejected; /* how many lines, and which one was the last */
	struct gpudx_map refs, facts;
	struct gpudx_recent_event recent[GPUDX_RECENT];
	unsigned nrecent;
	uint32_t last_event;
	struct gpudx_named_gpu named;
};

/* Is this line for parser p at all? Blank lines and the rest of very long ones often are not. */
bool gpudx_ctx_wants(const struct gpudx_parser *p, const struct gpudx_line *line);

/* Allocates the state and calls begin. False when memory is out. */
bool gpudx_ctx_begin(struct gpudx_ctx *c);

/* Hands one line to the parser. */
enum gpudx_take gpudx_ctx_line(struct gpudx_ctx *c, const struct gpudx_line *line);

/* Calls finish; the line at hand is the last one that was given. */
void gpudx_ctx_finish(struct gpudx_ctx *c);

/* Attributes for the last event of this part, if it is of e's kind and at most GPUDX_MORE_LINES
 * back: its line becomes another line of that event. False otherwise. */
bool gpudx_ctx_more(struct gpudx_ctx *c, const struct gpudx_event *e);

#endif
