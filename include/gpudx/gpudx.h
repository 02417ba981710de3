/* The library behind the gpudx program: a case is a database that bundles are read into, derived,
 * judged and reported from. One thread uses a case at a time. All paths are of the caller's file
 * system; no text of a bundle ever becomes one. */
#ifndef GPUDX_H
#define GPUDX_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gpudx/progress.h"
#include "gpudx/status.h"

const char *gpudx_version(void);

/* True once memory ran out in this process: what was written since may lack something, also where no
 * call failed. Reading, deriving, judging and reporting fail by themselves then. */
bool gpudx_memory_ran_out(void);

struct gpudx_case;

/* Creates a case database at path, which must not exist; NULL = in memory. */
GPUDX_CHECK enum gpudx_status gpudx_case_create(const char *path, struct gpudx_case **out,
						struct gpudx_err *err);

/* Opens the database of an earlier run read-only; a foreign one is refused. */
GPUDX_CHECK enum gpudx_status gpudx_case_open(const char *path, struct gpudx_case **out,
					      struct gpudx_err *err);
void gpudx_case_close(struct gpudx_case *c);

struct gpudx_read {
	int64_t bundle;	   /* id in the case */
	uint32_t members;  /* files and entries found */
	uint32_t unread;   /* of these, nobody could read */
	const char *limit; /* what ended the reading early, or NULL */
};

/* Reads one bundle: a directory, archive or file, "-" for stdin. Damage inside it is recorded in
 * the case; GPUDX_E_USAGE: there is no such path; GPUDX_E_INPUT: it cannot be read at all. */
GPUDX_CHECK enum gpudx_status gpudx_case_read(struct gpudx_case *c, const char *path,
					      struct gpudx_read *out, struct gpudx_err *err);

/* The same with several inputs as one bundle: what was collected before and after something, in the
 * order of time. Paths of members begin with number and name of theirs: "1-before/dmesg.txt". */
GPUDX_CHECK enum gpudx_status gpudx_case_read_all(struct gpudx_case *c, const char *const *paths,
						  size_t n, struct gpudx_read *out,
						  struct gpudx_err *err);

/* "NAME=N": how much work reading a bundle may do from here on (docs/security.md has the names). What
 * is hit stands in gpudx_read.limit and in the report. GPUDX_E_USAGE: there is no such limit. */
GPUDX_CHECK enum gpudx_status gpudx_case_limit(struct gpudx_case *c, const char *limit,
					       struct gpudx_err *err);

/* From here on what the case reads is counted in *p, which must outlive the case; NULL: no more. */
void gpudx_case_watch(struct gpudx_case *c, struct gpudx_progress *p);

/* Works out hosts, boots, clocks, GPUs, incidents and coverage of a bundle that was read; may run
 * again. tz is the zone of its local times, a name or an offset as "+02:00"; NULL: as the bundle
 * says. GPUDX_E_USAGE: there is no such zone. */
GPUDX_CHECK enum gpudx_status gpudx_case_derive(struct gpudx_case *c, int64_t bundle,
						const char *tz, struct gpudx_err *err);

/* What the site means to have, from a file (docs/site.md): judging knows it from here on. What deviates
 * and is meant is a note; what is meant and does not hold is a warning. GPUDX_E_USAGE, with the line:
 * the file is none. */
GPUDX_CHECK enum gpudx_status gpudx_case_site(struct gpudx_case *c, const char *path,
					      struct gpudx_err *err);

struct gpudx_judge_options {
	/* slow | hang | crash | oom | missing | transfer | start; NULL none */
	const char *complaint;
	/* Microseconds as findings have them; NULL none. at prefers findings near it, since and
	 * until leave out dated findings that do not touch the interval. */
	const int64_t *at_us, *since_us, *until_us;
	const char *const *sets; /* "RULE.PARAMETER=NUMBER" */
	size_t nsets;
	const char *
		rules_dir; /* rules beside those in the program; of equal ids they replace; NULL none */
	int64_t before; /* bundle that this one is compared with; 0 none */
};

/* Worst first. */
enum gpudx_severity { GPUDX_CRITICAL, GPUDX_ERROR, GPUDX_WARNING, GPUDX_INFO };

/* What is to be done. Up to GPUDX_DRAIN each is stronger than the one before; the last three stand
 * beside that ladder. */
enum gpudx_action {
	GPUDX_ACTION_NONE,
	GPUDX_WATCH,
	GPUDX_RESTART_APP,
	GPUDX_RESTART_SERVICE,
	GPUDX_RESET_GPU,
	GPUDX_REBOOT_NODE,
	GPUDX_POWER_CYCLE,
	GPUDX_DRAIN,
	GPUDX_FIX_HOST,
	GPUDX_FIX_CONFIG,
	GPUDX_COLLECT,
	GPUDX_ACTIONS
};

/* By the words of rules and JSON ("warning", "reset_gpu"); false when there is no such word. */
bool gpudx_severity_by_name(const char *name, enum gpudx_severity *out);
bool gpudx_action_by_name(const char *name, enum gpudx_action *out);

struct gpudx_judged {
	size_t rules;  /* that judged */
	size_t broken; /* rules that could not be loaded or run; the others judged all the same */
	size_t findings;
	const char *verdict;	   /* fault | explanation | operation | healthy | cannot_tell */
	enum gpudx_severity worst; /* of all findings; means nothing when there are none */
	uint32_t actions; /* bit per enum gpudx_action of findings that are neither cured nor
				      history */
};

/* "2026-01-13T10:26:33", a blank for the T, with a fraction or a zone or without: microseconds as
 * findings have them. */
GPUDX_CHECK enum gpudx_status gpudx_parse_time(const char *text, int64_t *out,
					       struct gpudx_err *err);

/* Runs the rules on a derived bundle and writes findings, roots and verdict. GPUDX_E_USAGE: an
 * option names what does not exist. options NULL = none. */
GPUDX_CHECK enum gpudx_status gpudx_case_judge(struct gpudx_case *c, int64_t bundle,
					       const struct gpudx_judge_options *options,
					       struct gpudx_judged *out, struct gpudx_err *err);

/* Rules as text: those in the program and, unless NULL, of dir. GPUDX_E_USAGE: no such directory or rule. */
GPUDX_CHECK enum gpudx_status gpudx_rules_list(const char *dir, FILE *out, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_rules_show(const char *dir, const char *id, FILE *out,
					       struct gpudx_err *err);

/* Writes "PATH:LINE: what is wrong" for the rules in these files and directories (n 0: those in the
 * program) and counts. What they say of other rules is checked against those in the program, too. */
GPUDX_CHECK enum gpudx_status gpudx_rules_check(const char *const *paths, size_t n, FILE *out,
						size_t *problems, struct gpudx_err *err);

enum gpudx_query_format { GPUDX_QUERY_TABLE, GPUDX_QUERY_CSV, GPUDX_QUERY_JSON };

/* Writes the rows of one statement that only reads. GPUDX_E_USAGE: it is none, or is wrong. Values
 * of CSV and tables are printable; a text that a spreadsheet would run is led by an apostrophe. */
GPUDX_CHECK enum gpudx_status gpudx_case_query(struct gpudx_case *c, const char *sql,
					       enum gpudx_query_format format, FILE *out,
					       struct gpudx_err *err);

/* Writes the shell script that collects on a machine what gpudx reads, with a trace of so many
 * seconds; 0 = none. */
void gpudx_collect_script(unsigned trace_s, FILE *out);

enum gpudx_code { GPUDX_XID, GPUDX_SXID, GPUDX_RMINIT };

/* Writes what is known of a code: "79", "12028", or of RmInitAdapter "0x62:0x65:1792", of which the
 * end may be missing. GPUDX_E_USAGE: text is no such code, or nothing is known of it. */
GPUDX_CHECK enum gpudx_status gpudx_code_explain(enum gpudx_code kind, const char *text, FILE *out,
						 struct gpudx_err *err);

/* Calls each for every rule that was broken when the case was last judged; message says where. */
GPUDX_CHECK enum gpudx_status gpudx_case_broken_rules(struct gpudx_case *c,
						      void (*each)(void *arg, const char *rule,
								   const char *message),
						      void *arg, struct gpudx_err *err);

/* Calls each with the id of every bundle that was judged, in the order they were read. */
GPUDX_CHECK enum gpudx_status gpudx_case_bundles(struct gpudx_case *c,
						 void (*each)(void *arg, int64_t bundle), void *arg,
						 struct gpudx_err *err);

/* True when the file at path is a case database by its first bytes. */
bool gpudx_is_case(const char *path);

struct gpudx_reject {
	uint64_t line;
	const char *reason, *text;
};

enum { GPUDX_REJECTS_SHOWN = 5 };

/* A member, or a part of one. Strings are printable UTF-8 and valid during the call; NULL = none. */
struct gpudx_source {
	int64_t id, parent; /* parent 0: a member */
	const char *path, *title, *parser, *status, *reason, *damage, *encoding;
	uint64_t first_line, lines, taken, rejected;
	uint32_t parts; /* how many parts stand inside */
	bool excerpt;
	size_t nrejects; /* shown here, of .rejected */
	struct gpudx_reject rejects[GPUDX_REJECTS_SHOWN];
};

/* Calls each for all sources of a bundle (0: of all), members in order, their parts behind them. */
GPUDX_CHECK enum gpudx_status gpudx_case_sources(struct gpudx_case *c, int64_t bundle,
						 void (*each)(void *arg,
							      const struct gpudx_source *s),
						 void *arg, struct gpudx_err *err);

/* ---- redaction ---- */

enum { GPUDX_KEY = 32 };

struct gpudx_redact_how {
	bool ticket; /* keep what a vendor finds the contract by: serial numbers of the chassis */
	bool gpu;    /* replace what identifies a GPU, too: for the public, no RMA */
	bool cloud; /* keep what a cloud's own support finds the machine by: instance, physical host */
	unsigned char key[GPUDX_KEY]; /* equal keys give equal pseudonyms */
};

/* From here on all that is said of the case is without secrets: names, addresses, accounts, tokens
 * (rules/redact/ has the list and the patterns). Nothing can be read, derived or judged until
 * gpudx_case_unredact. The database does not change. */
GPUDX_CHECK enum gpudx_status
gpudx_case_redact(struct gpudx_case *c, const struct gpudx_redact_how *how, struct gpudx_err *err);
GPUDX_CHECK enum gpudx_status gpudx_case_unredact(struct gpudx_case *c, struct gpudx_err *err);

/* Writes the key and what stands for what: a secret itself. Its first line is found again by
 * gpudx_map_key. The case must be redacted. */
void gpudx_case_map(const struct gpudx_case *c, FILE *out);

/* The key of a map that was written before, or a new one where there is no such file.
 * GPUDX_E_USAGE: the file is no map. path NULL: a new one. */
GPUDX_CHECK enum gpudx_status gpudx_map_key(const char *path, unsigned char key[GPUDX_KEY],
					    struct gpudx_err *err);

/* Writes what was replaced, how often and why, and what was left, in Markdown, without any original
 * value. The case must be redacted. */
GPUDX_CHECK enum gpudx_status gpudx_case_audit(const struct gpudx_case *c, FILE *out,
					       struct gpudx_err *err);

/* ---- reports ---- */

/* A gnuplot that waits for charts to draw. Start it before anything is read, so that nothing of
 * a bundle is in the process it comes from; GPUDX_GNUPLOT in the environment names another program.
 * Where there is none, or it fails later, reports say so and do without. NULL only when memory is
 * out. */
struct gpudx_plot;
struct gpudx_plot *gpudx_plot_start(void);
void gpudx_plot_stop(struct gpudx_plot *p);

enum gpudx_format { GPUDX_TEXT, GPUDX_HTML, GPUDX_JSON, GPUDX_MD, GPUDX_CSV };

/* All optional: { 0 } is a report of full length without charts. */
struct gpudx_report_options {
	/* text */
	int width;   /* columns; 0 = 100 */
	int height;  /* lines it should fit into by leaving out detail; 0 = no limit */
	bool colour; /* the caller has looked at isatty and NO_COLOR */
	/* where the other files are, for the last line; NULL = there is none */
	const char *html_path;
	const char *db_path;
	/* html */
	struct gpudx_plot *plot; /* NULL = without charts */
};

/* Writes the report of one bundle of the case to out. Its bytes depend only on the case and the
 * options. GPUDX_E_USAGE: there is no such bundle; GPUDX_E_IO: out did not take it. */
GPUDX_CHECK enum gpudx_status gpudx_case_report(struct gpudx_case *c, int64_t bundle,
						enum gpudx_format format,
						const struct gpudx_report_options *options,
						FILE *out, struct gpudx_err *err);

/* Calls each with every chart of a bundle as a file of SVG, light and dark alike, and as one of PNG: a
 * name of ours ("gpu0.svg") and its content. *missing says why there are none, or none of PNG, or NULL. */
GPUDX_CHECK enum gpudx_status
gpudx_case_charts(struct gpudx_case *c, int64_t bundle, struct gpudx_plot *plot,
		  void (*each)(void *arg, const char *name, const char *content, size_t n),
		  void *arg, const char **missing, struct gpudx_err *err);

/* Writes a post-mortem in Markdown: summary, impact, timeline, cause, what is ruled out, what cannot be
 * told, detection, actions. What only people know is left to be filled in. */
GPUDX_CHECK enum gpudx_status gpudx_case_postmortem(struct gpudx_case *c, int64_t bundle, FILE *out,
						    struct gpudx_err *err);

/* ---- tickets ---- */

enum gpudx_include { GPUDX_EXCERPTS, GPUDX_REDACTED_COPY, GPUDX_ORIGINAL };

struct gpudx_ticket_options {
	enum gpudx_include include; /* beside the excerpts, which are always there */
	const char *const *paths;   /* what the bundle was read from, to be read again */
	size_t npaths;		    /* 0: only the database is there */
	struct gpudx_plot *plot;    /* NULL = without charts */
};

/* Looks through what a ticket would hold, so that gpudx_case_audit says what would be replaced in it.
 * The case must be redacted. */
GPUDX_CHECK enum gpudx_status gpudx_case_ticket_look(struct gpudx_case *c, int64_t bundle,
						     const struct gpudx_ticket_options *o,
						     struct gpudx_err *err);

/* Writes one .tar.gz for a vendor to path, an empty file: the failure, what identifies the suspect,
 * criteria for an RMA, excerpts, report, manifest. With the bundle the excerpts are such that an analysis
 * of the ticket comes to the same; from a database alone they may be less, and the ticket says so. The case must be redacted. Afterwards the archive
 * is searched for every value that was to be replaced; sealed/ in it, the original, is not.
 * GPUDX_E_BUG: one was found, and the file must be thrown away; GPUDX_E_USAGE: what is to be
 * included cannot be. */
GPUDX_CHECK enum gpudx_status gpudx_case_ticket(struct gpudx_case *c, int64_t bundle,
						const struct gpudx_ticket_options *o,
						const char *path, struct gpudx_err *err);

#endif
