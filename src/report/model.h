/* Everything that renderers say of one bundle, read once from the case database. Nothing is judged
 * here: what is not in a table is not said. Strings live in the arena; .p NULL is unknown. */
#ifndef GPUDX_REPORT_MODEL_H
#define GPUDX_REPORT_MODEL_H

#include <sqlite3.h>

#include "base/arena.h"
#include "base/stamp.h"
#include "gpudx/status.h"

enum rep_severity { REP_INFO, REP_WARNING, REP_ERROR, REP_CRITICAL };

/* How well a time is known; from the worst to the best. */
enum rep_quality { REP_T_UNKNOWN, REP_T_BOOT, REP_T_ASSUMED, REP_T_ALIGNED, REP_T_EXACT };

/* A moment, or a stretch when both are set; GPUDX_NO_TIME unknown. */
struct rep_span {
	int64_t t0_us, t1_us;
	enum rep_quality quality;
};

struct rep_host {
	int64_t id;
	struct gpudx_sv name, machine_id, how, kernel;
	const char *label; /* the name, or "host" */
};

struct rep_gpu {
	int64_t id;
	const struct rep_host *host;
	struct gpudx_sv key, label, uuid, serial, bdf, name;
	int64_t index; /* -1 unknown */
};

/* One GPU of one source with samples, from the rollups; a GPU may have several. */
struct rep_ref {
	int64_t id, source_id;
	const struct rep_gpu *gpu;
	int64_t samples, first_id, last_id; /* rowids of gpu_sample */
	bool stamped; /* else times are steps since the start of the source, in us as if 1 Hz */
	struct rep_span span;
	int64_t offset_us; /* its own clock + this = the time of span */
	double period_s;   /* between samples where they are densest */
	double clock_mhz, power_w, temp_max_c,
		util_pct; /* means but for the temperature; NAN unknown */
};

struct rep_episode {
	const struct rep_gpu *gpu;
	int64_t source_id, ref_id;
	struct gpudx_sv kind, limit_how;
	struct rep_span span;
	int64_t order0, order1; /* steps at its ends where there are no stamps; -1 unknown */
	int64_t samples, source_samples;
	double limit_w, clock_ref_mhz, clock_med_mhz; /* NAN unknown */
};

/* A line of a source that is shown. */
struct rep_line {
	uint32_t number;
	int64_t offset;	      /* -1 unknown */
	struct gpudx_sv text; /* .p NULL: not kept */
	bool cited;	      /* else it stands there as context */
	bool verbatim;	      /* else rendered from columns, or cut */
};

/* What is shown of one source. */
struct rep_place {
	int64_t source_id;
	struct gpudx_sv path;
	struct rep_line *lines; /* in ascending order */
	size_t n;
	size_t cited; /* lines of these that are evidence */
};

struct rep_evidence {
	struct rep_place *places; /* in the order in which they were first cited */
	size_t n;
};

/* A message of a log that is evidence. */
struct rep_event {
	struct rep_span at;
	struct gpudx_sv kind, text, path;
	int64_t code; /* -1 none */
	uint32_t line;
};

struct rep_finding {
	int64_t id;
	int64_t rank; /* among the roots, from 1; 0 = not a root */
	enum rep_severity severity;
	double confidence;
	struct gpudx_sv rule, title, kind, symptom, points, shows, state, action, quality;
	struct gpudx_sv summary, meaning, remedy;
	struct gpudx_sv settle, settle_command; /* what would settle it, and the command for that */
	struct rep_span span;
	int64_t more_lines; /* evidence that was not kept */
	const struct rep_host *host;
	const struct rep_gpu **gpus;
	size_t ngpus;
	struct rep_evidence shown, against;
	struct rep_event *events; /* by time */
	size_t nevents;
	const struct rep_finding *cause;    /* the first that explains it; NULL nobody does */
	struct gpudx_sv why;		    /* what ties it to the cause */
	const struct rep_finding **effects; /* directly explained by it */
	size_t neffects;
	const struct rep_finding **folded; /* of a root: all that follows from it */
	size_t nfolded;
	const struct rep_finding *root; /* under which it is folded; NULL none */
};

enum rep_outcome { REP_CLEAN, REP_LACKING, REP_FAILED, REP_FIRED, REP_OUTCOMES };

struct rep_rule {
	struct gpudx_sv id, title, symptom, severity;
	enum rep_outcome outcome; /* the highest of its checks */
	struct gpudx_sv message;  /* of a failure */
	bool relevant; /* speaks about the same symptom as the verdict or the complaint */
};

struct rep_check {
	const struct rep_rule *rule;
	const struct rep_host *host; /* NULL: the rule as a whole */
	const struct rep_gpu *gpu;   /* NULL: the host */
	struct gpudx_sv outcome, missing;
	/* the command that would provide the first of them; .p NULL unknown */
	struct gpudx_sv collect;
};

/* A command that would let rules speak which could not. */
struct rep_collect {
	struct gpudx_sv command; /* .p NULL: nobody knows one for .what */
	struct gpudx_sv what, note;
	const struct rep_rule **rules;
	size_t nrules;
	bool relevant;
};

struct rep_value {
	const struct rep_gpu *gpu; /* NULL: the host */
	struct gpudx_sv layer, text, path;
	struct gpudx_sv state; /* single | agreed | changed | conflict */
	bool is_num;
	double num;
	struct gpudx_sv unit;
	uint32_t line;
};

/* One question of a list, answered. */
struct rep_answer {
	struct gpudx_sv list;		  /* preflight | triage | evidence | serving */
	int64_t place;			  /* in the order of all */
	struct gpudx_sv question, answer; /* yes | no | unknown */
	struct gpudx_sv status;		  /* pass | warn | fail | not_checkable */
	struct gpudx_sv missing, collect; /* terms that would answer it, and the command for that */
	struct rep_evidence shown;
};

/* One key of the contract on one host. */
struct rep_term {
	const struct rep_host *host;
	struct gpudx_sv key, meaning;
	struct rep_value *values; /* by GPU, then layer */
	size_t nvalues;
};

struct rep_counts {
	int64_t members, unread, damaged, samples, findings, checks;
	unsigned rules[REP_OUTCOMES];
};

struct rep_model {
	sqlite3 *db;
	struct gpudx_arena *arena;
	int64_t bundle;
	struct gpudx_sv label, digest, limit_hit, collected_how, collected_quality;
	struct rep_span collected;
	struct gpudx_sv damaged, damage; /* the first source that is cut off or broken, and how */
	struct gpudx_sv version, rules_digest, complaint;
	struct rep_counts counts;
	bool texts_cut; /* REP_TEXTS was reached: lines stand without text */
	bool zone_assumed, time_exact, time_boot; /* which kinds of time occur */
	struct gpudx_sv zone;			  /* of the machine, when a source says it */

	struct gpudx_sv kind, reason, action; /* the verdict; .kind.p NULL: nothing was judged */
	const struct rep_finding *first;      /* the first root that the verdict names */

	struct rep_host *hosts;
	size_t nhosts;
	struct rep_gpu *gpus;
	size_t ngpus;
	struct rep_ref *refs;
	size_t nrefs;
	struct rep_episode *episodes;
	size_t nepisodes;
	struct rep_finding *findings; /* roots by rank, then the others by severity */
	size_t nfindings;	      /* at most REP_FINDINGS of counts.findings */
	size_t nroots;
	struct rep_rule *rules;
	size_t nrules;
	struct rep_check *checks;
	size_t nchecks;		      /* at most REP_CHECKS of counts.checks */
	struct rep_collect *collects; /* the relevant first */
	size_t ncollects;
	struct rep_answer *answers; /* list by list */
	size_t nanswers;
	struct rep_term *terms; /* by key, then host */
	size_t nterms;
};

/* What a report may hold; the rest is counted and said. */
enum {
	REP_FINDINGS = 1000,
	REP_CHECKS = 50000,
	REP_TEXT = 4096,     /* bytes of a cited line */
	REP_CONTEXT = 400,   /* bytes of a line around it */
	REP_TEXTS = 8 << 20, /* bytes of all lines together */
	REP_EVENTS = 12,     /* messages listed with a finding */
	REP_EPISODES = 20000,
	REP_ARENA = 96 << 20
};

/* Reads the model of one bundle. The arena should be limited to REP_ARENA. GPUDX_E_USAGE: there is
 * no such bundle. */
GPUDX_CHECK enum gpudx_status gpudx_model_load(sqlite3 *db, int64_t bundle,
					       struct gpudx_arena *arena, struct rep_model *m,
					       struct gpudx_err *err);

const struct rep_gpu *gpudx_model_gpu(const struct rep_model *m, int64_t id);
const struct rep_host *gpudx_model_host(const struct rep_model *m, int64_t id);

/* The ref of a GPU that a finding cites, else its longest; NULL: nothing was measured. */
const struct rep_ref *gpudx_model_ref(const struct rep_model *m, const struct rep_finding *f,
				      const struct rep_gpu *g);

/* Whether a root answers another question than the verdict does: a measured effect with another
 * symptom. */
bool gpudx_model_other_question(const struct rep_model *m, const struct rep_finding *f);

/* One source as it is listed. Text is valid during the call only. */
struct rep_source {
	struct gpudx_sv path, title, parser, status, reason, damage;
	int64_t lines, rejected; /* lines -1 unknown */
	bool part;		 /* of a member that is listed, too */
};

/* Calls each for at most limit sources in their order, or, unread_first, those first that nobody
 * could read in full. */
GPUDX_CHECK enum gpudx_status gpudx_model_sources(const struct rep_model *m, bool unread_first,
						  int64_t limit,
						  void (*each)(const struct rep_source *, void *),
						  void *arg, struct gpudx_err *err);

/* ---- the parts of loading, one file each ---- */

/* gpudx_model_load sets up .db, .bundle and .arena first; each fills its own fields. */
GPUDX_CHECK enum gpudx_status gpudx_model_machines(struct rep_model *m, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_model_samples(struct rep_model *m, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_model_findings(struct rep_model *m, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_model_answers(struct rep_model *m, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_model_evidence(struct rep_model *m, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_model_checks(struct rep_model *m, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_model_contract(struct rep_model *m, struct gpudx_err *err);

enum rep_quality gpudx_model_quality(struct gpudx_sv text);
struct rep_finding *gpudx_model_finding(const struct rep_model *m, int64_t id);

/* Path of a source, "" when there is none of that id. */
struct gpudx_sv gpudx_model_path(const struct rep_model *m, int64_t source_id,
				 struct gpudx_err *err);

static inline int64_t rep_line_source(int64_t line_id)
{
	return line_id >> 32;
}

static inline uint32_t rep_line_number(int64_t line_id)
{
	return (uint32_t)line_id;
}

#endif
