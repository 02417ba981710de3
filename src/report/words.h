/* The words of the report, the same in all formats: plain, short, and next to no grammar. */
#ifndef GPUDX_REPORT_WORDS_H
#define GPUDX_REPORT_WORDS_H

#include "base/buf.h"
#include "report/model.h"

enum rep_severity gpudx_word_severity(struct gpudx_sv text);
char gpudx_word_severity_letter(enum rep_severity s);	   /* C E W I */
const char *gpudx_word_severity_name(enum rep_severity s); /* "critical", ... */

/* The headline's first word: "FAULT", "CANNOT TELL", ...; never empty. */
const char *gpudx_word_kind(struct gpudx_sv kind);

/* What stands behind it: "not a fault" of an explanation; "" for most. */
const char *gpudx_word_kind_note(struct gpudx_sv kind);

/* "hardware", "platform: power, cooling, slot, board", ...; "" for unknown. */
const char *gpudx_word_points(struct gpudx_sv points);

/* What to do: "Reset the GPU."; "" when the code is not known. */
const char *gpudx_word_action(struct gpudx_sv action);

/* "a crash" of crash, to follow "if the complaint was"; "" for none and unknown ones. */
const char *gpudx_word_symptom(struct gpudx_sv symptom);

/* "high", "medium", "low". */
const char *gpudx_word_confidence(double c);

/* "at the power limit" of power_limit; NULL for kinds that are no state worth showing. */
const char *gpudx_word_episode(struct gpudx_sv kind);

/* ---- time ---- */

enum { REP_TIME_TEXT = 64 };

/* The end of the year 9999: what lies beyond is no time. */
#define REP_TIME_MOST (INT64_C(253402300800) * GPUDX_SECOND)
bool gpudx_word_time_known(int64_t t_us);

/* "10:26:33" alone. */
const char *gpudx_word_clock(int64_t t_us, enum rep_quality q, char buf[REP_TIME_TEXT]);

/* "2026-01-13 10:26:33 to 10:26:35": what both ends share stands once. */
const char *gpudx_word_span(const struct rep_span *s, bool mark_utc, char buf[2 * REP_TIME_TEXT]);

/* For programs: "2026-01-13T10:26:33", with Z where that is true; time since boot has no date:
 * "boot+12.345678"; "" unknown. */
const char *gpudx_word_iso(int64_t t_us, enum rep_quality q, char buf[REP_TIME_TEXT]);

/* "13 Jan 2026". */
const char *gpudx_word_date(int64_t t_us, char buf[REP_TIME_TEXT]);

/* Exact times are marked only where others are not. */
bool gpudx_word_mark_utc(const struct rep_model *m);

/* ---- composed, appended to b ---- */

/* "a.tar.gz: Truncated tar archive (and 2 more)": what stood behind is not in the report. */
void gpudx_word_damage(struct gpudx_buf *b, const struct rep_model *m);

/* What holds for all times of this bundle, as one clause: "UTC", "local, zone not in the bundle".
 */
void gpudx_word_times(struct gpudx_buf *b, const struct rep_model *m);

/* "20,776" */
void gpudx_word_count(struct gpudx_buf *b, int64_t n);

/* "3 files", "1 file" */
void gpudx_word_plural(struct gpudx_buf *b, int64_t n, const char *one, const char *many);

/* What a list of questions is called, and how its answers are marked: "pass", "FAIL", "?". */
const char *gpudx_word_list(struct gpudx_sv list);
const char *gpudx_word_status(struct gpudx_sv status);

/* A path of at most columns columns: the middle of a longer one is left out. */
void gpudx_word_path(struct gpudx_buf *b, struct gpudx_sv path, int columns);

/* "4-6,9": the cited lines of a place, at most ranges ranges. */
void gpudx_word_lines(struct gpudx_buf *b, const struct rep_place *p, unsigned ranges);

/* "1 GPU: A100-SXM4-40GB at 3b:00.0", "8 GPUs: A100 80GB PCIe" */
void gpudx_word_gpus(struct gpudx_buf *b, const struct rep_model *m);

/* "NAME: 14 files read, 0 unread · node17 · 8 GPUs: A100 80GB PCIe · driver 550.54.14": the first
 * line of a report, by which gpudx knows its own output again. */
void gpudx_word_read(struct gpudx_buf *b, const struct rep_model *m);

/* lead and the value of a key of the contract, or all that differ: "driver 550.54.14 / 535.183.01".
 * Nothing when nobody says it. */
void gpudx_word_term(struct gpudx_buf *b, const struct rep_model *m, const char *key,
		     const char *lead);

/* "GPU 0", with the host where there are several: "n31 GPU 0". The summary of a finding likewise.
 */
void gpudx_word_gpu(struct gpudx_buf *b, const struct rep_model *m, const struct rep_gpu *g);
void gpudx_word_summary(struct gpudx_buf *b, const struct rep_model *m,
			const struct rep_finding *f);

/* ", 18,560 samples from 2025-06-12 11:40:00 to 11:49:59" behind lead; nothing without samples. */
void gpudx_word_measured(struct gpudx_buf *b, const struct rep_model *m, const char *lead);

/* A value with its unit: "400 W". */
void gpudx_word_value(struct gpudx_buf *b, const struct rep_value *v);

/* The first sentence of a text. */
struct gpudx_sv gpudx_word_sentence(struct gpudx_sv text);

/* Columns that a terminal needs for a text as gpudx_utf8_show writes it; of its next character,
 * which is passed. */
int gpudx_word_width(struct gpudx_sv text);
int gpudx_word_next_width(struct gpudx_sv *text);

/* As much of text as fits into columns; what is cut ends in "…". */
void gpudx_word_head(struct gpudx_buf *b, struct gpudx_sv text, int columns);

#endif
