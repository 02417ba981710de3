/* The contract of a format. One file a format, one const struct, one row in registry.c. A parser
 * takes lines and emits records; it never judges, never fails, and knows neither database nor
 * archive. It includes this header, and base/. */
#ifndef GPUDX_PARSER_H
#define GPUDX_PARSER_H

#include "base/arena.h"
#include "base/sv.h"
#include "bundle/lines.h"
#include "parse/record.h"

/* What becomes of a line. */
enum gpudx_take {
	GPUDX_NOT_MINE, /* not of this format: others may look at it */
	GPUDX_TAKEN,
	GPUDX_BAD /* of this format and broken: gpudx_reject was called */
};

/* What a bid looks at: the lines from where a part may begin, up to GPUDX_HEAD bytes or the next
 * boundary. */
struct gpudx_head {
	const struct gpudx_line *lines; /* peeled text */
	size_t n;
	struct gpudx_sv path;	 /* of the member; a hint only */
	struct gpudx_sv command; /* what a prompt or a section title says produced it, or empty */
};

/* What the stamps of a source are; decides how derive places it in time. */
enum gpudx_clock_kind {
	GPUDX_CLOCK_NONE = GPUDX_STAMP_NONE,
	GPUDX_CLOCK_BOOT = GPUDX_STAMP_BOOT,
	GPUDX_CLOCK_NOYEAR = GPUDX_STAMP_NOYEAR,
	GPUDX_CLOCK_LOCAL = GPUDX_STAMP_LOCAL,
	GPUDX_CLOCK_UTC = GPUDX_STAMP_UTC
};

struct gpudx_ctx;

/* Bids: 0 no, 20 by name only, 40 plausible shape, 60 a specific line, 80 an unmistakable header,
 * 100 the user or the command said so. From 40 on the parser gets a trial on the head. */
struct gpudx_parser {
	const char *name; /* as in sources, goldens and docs: lower case, dashes */
	const char *what; /* one line for docs/parsers.md */
	int (*bid)(const struct gpudx_head *head);
	/* Optional: this single line can only be the beginning of this format. The segmenter asks
	 * it of lines that the parser at hand does not take; so it must be sure and fast. */
	bool (*starts)(struct gpudx_sv line);
	void (*begin)(struct gpudx_ctx *c); /* optional; state is zeroed */
	enum gpudx_take (*line)(struct gpudx_ctx *c, struct gpudx_sv line);
	void (*finish)(struct gpudx_ctx *c); /* optional; what it says cites the last line */
	size_t state_size;
	unsigned flags;
};

enum gpudx_parser_flags {
	GPUDX_P_FIND = 1,      /* a log: wants lines flagged by the signature finder */
	GPUDX_P_RESUMES = 2,   /* a later block of the same format is the same series */
	GPUDX_P_CONTAINER = 4, /* stays in charge of lines that the parts inside do not take */
	GPUDX_P_BLANKS = 8,    /* blank lines mean something: they are passed on */
	GPUDX_P_ASIDE = 16, /* single lines between others: who read before goes on behind them */
	GPUDX_P_HOLDS = 64, /* chooses itself which line is held; else a .finish has the last one */
	GPUDX_P_HOSTS = 128, /* its lines name the hosts that they are of, as those of syslog do */
	GPUDX_P_TASKS = 256, /* knows whose a line is that has the number of a task in front */
	GPUDX_P_BYTES = 32   /* a line longer than GPUDX_LINE_MAX is wanted whole: its pieces marked
		    * GPUDX_LINE_REST are passed on; without it only the first one is seen */
};

extern const struct gpudx_parser *const gpudx_parsers[]; /* NULL-terminated; order breaks ties */

const struct gpudx_parser *gpudx_parser_by_name(struct gpudx_sv name);

/* ---- what a parser may do; all of it through its context ---- */

/* The parser's state (state_size bytes) and memory that lives as long as the part. */
void *gpudx_state(struct gpudx_ctx *c);
struct gpudx_arena *gpudx_memory(struct gpudx_ctx *c);

/* The line at hand, and where the part came from. */
const struct gpudx_line *gpudx_this_line(const struct gpudx_ctx *c);
struct gpudx_sv gpudx_command(const struct gpudx_ctx *c);
struct gpudx_sv gpudx_path(const struct gpudx_ctx *c);

/* In begin only: the lines that follow, the first included; NULL later. */
const struct gpudx_head *gpudx_head(const struct gpudx_ctx *c);

/* The handle of a GPU of this source; equal ids give the same handle. Never 0, unless memory is
 * out (then the run ends soon). */
uint32_t gpudx_ref(struct gpudx_ctx *c, const struct gpudx_gpu_id *id);
uint32_t gpudx_ref_idx(struct gpudx_ctx *c, int32_t idx);
uint32_t gpudx_ref_bdf(struct gpudx_ctx *c, struct gpudx_bdf bdf);

/* What the stamps of this part are (the best seen counts), and whether it is only an excerpt of
 * what the tool printed: then what is absent was not necessarily absent. */
void gpudx_clock(struct gpudx_ctx *c, enum gpudx_clock_kind kind);
void gpudx_excerpt(struct gpudx_ctx *c);

/* The time of what follows: samples and facts without a stamp of their own get it. */
void gpudx_now(struct gpudx_ctx *c, enum gpudx_stamp_kind kind, int64_t t_us);

struct gpudx_stamp gpudx_time(const struct gpudx_ctx *c); /* what gpudx_now said last */

/* A boot of the machine begins here: addresses and monotonic stamps are new. */
void gpudx_new_boot(struct gpudx_ctx *c);

/* What follows is of this host, as a text says that speaks of several: each gets a source of its own,
 * the first the one at hand. sure: the name is its own, not only where it was reached; then it is
 * stated also where it stays the only one. Empty: of the first. */
void gpudx_of_host(struct gpudx_ctx *c, struct gpudx_sv name, bool sure);

/* The line at hand will be cited by a record that comes later (its .line): its text is kept. */
void gpudx_cite(struct gpudx_ctx *c);

/* The line at hand may be cited by a record that comes later, if no other line is held by then: the
 * last one that had a stamp, say. For lines of which few will be cited. */
void gpudx_hold(struct gpudx_ctx *c);

/* The line at hand stands for so many equal messages: events of it count that often. */
void gpudx_repeated(struct gpudx_ctx *c, uint32_t times);

/* The events that follow are not the driver's words but those of a layer that watches it: they get the
 * attribute "by" with this static text. NULL ends it. */
void gpudx_said_by(struct gpudx_ctx *c, const char *layer);

/* The events of the line at hand are of this GPU, where their words name none; 0: of none that is known.
 * Ends with the line. */
void gpudx_of_gpu(struct gpudx_ctx *c, uint32_t ref);

/* They are of this rank of a job: two ranks that say the same are two. -1: not said. */
void gpudx_of_rank(struct gpudx_ctx *c, int64_t rank);

/* States a fact. Said again with the same value for the same GPU and layer in the same boot it is
 * not repeated, so a parser may say it as often as the tool prints it. Layers: loaded nvml disk
 * modeset uvm package container tool cmdline build ... ("" = the only one). ref 0 = of the host. */
void gpudx_fact(struct gpudx_ctx *c, uint32_t ref, const char *key, const char *layer,
		struct gpudx_sv value);
void gpudx_fact_num(struct gpudx_ctx *c, uint32_t ref, const char *key, const char *layer,
		    double num);

/* .line 0 = the line at hand; .t_us GPUDX_NO_TIME = as gpudx_now said. */
void gpudx_put_sample(struct gpudx_ctx *c, struct gpudx_sample *s);
void gpudx_put_fact(struct gpudx_ctx *c, const struct gpudx_fact *f);

/* Lines of the same kind, code, GPU, pid and attribute "device", "test", "error" or "link" in one
 * second are one event: the later ones only add their line and what attributes are new. Two that
 * say different things of "requested_mib", "job", "node" or "rank" are two. */
void gpudx_put_event(struct gpudx_ctx *c, const struct gpudx_event *e);
void gpudx_put_process(struct gpudx_ctx *c, const struct gpudx_process *p);
void gpudx_put_device(struct gpudx_ctx *c, const struct gpudx_device *d);
void gpudx_put_anchor(struct gpudx_ctx *c, const struct gpudx_anchor *a);
void gpudx_put_instance(struct gpudx_ctx *c, const struct gpudx_instance *i);
void gpudx_put_metric(struct gpudx_ctx *c, const struct gpudx_metric *m);

/* Counts and locates a broken line; why is static text without a dot. Returns GPUDX_BAD. */
enum gpudx_take gpudx_reject(struct gpudx_ctx *c, const char *why);

/* Runs the message of a log line through the signatures; what matches becomes events with this
 * stamp. True when something did. Cheap when the line carries no GPUDX_LINE_HIT. */
bool gpudx_match(struct gpudx_ctx *c, struct gpudx_sv message, const struct gpudx_stamp *stamp);

/* Which reason bits this source records for a GPU, though they may never be set (formats 3). */
void gpudx_reasons_known(struct gpudx_ctx *c, uint32_t ref, uint32_t bits);

#endif
