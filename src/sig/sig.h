/* Signatures: what log messages mean, as data (rules/signatures/NAME.tsv). Columns, tab-separated:
 *
 *   kind     what a match becomes:
 *              xid             an event of this kind; of a message's events the first match counts
 *              +xid            attributes for the event of this message, when it is of this kind and
 *                              its row stands in front; else for the event of the lines before
 *              =KEY/LAYER      a fact with the value of the group v, or else with attrs as value
 *              @KIND           a clock anchor of this kind
 *              #gpu            only names a GPU: groups bdf, uuid, serial; a serial alone is that of
 *                              the GPU which the lines before named
 *   literal  text of at least six bytes that stands in every match; searched first. A rare
 *            beginning is a fast one: its windows of four bytes are looked up all over the log
 *   pattern  PCRE2, matched against the message without the log's prefix; named groups bdf uuid
 *            serial idx gi ci code pid name v repeats have a meaning, others become attributes;
 *            NAME_hex becomes attribute NAME, written 0x... in lower case without '_'; NAME_cuda
 *            with 11040 becomes attribute NAME with 11.4; NAME_size with "1.5 GiB" becomes NAME_mib
 *            with 1536; device is
 *            the PCI address of what is no GPU, written as those of GPUs are
 *   example  a message that must match (checked when loading in the tests)
 *   attrs    constant attributes: name=value name=value; gpu=before says that the message belongs
 *            to the GPU which the lines before named
 *
 * Lines that begin with "# " are comments. */
#ifndef GPUDX_SIG_H
#define GPUDX_SIG_H

#include "base/arena.h"
#include "base/sv.h"
#include "gpudx/status.h"
#include "sig/prefilter.h"

enum { GPUDX_CAPTURES_MAX = 24 };

struct gpudx_capture {
	struct gpudx_sv name, value;
};

struct gpudx_sig {
	struct gpudx_sv kind, literal, pattern, example, attrs;
	const char *path;
	unsigned line;
};

struct gpudx_hit {
	const struct gpudx_sig *sig;
	unsigned n;
	struct gpudx_capture
		captures[GPUDX_CAPTURES_MAX]; /* groups that took part; borrow from msg */
};

struct gpudx_sigs;

/* Compiles all embedded signature files. */
GPUDX_CHECK enum gpudx_status gpudx_sigs_load(struct gpudx_sigs **out, struct gpudx_err *err);
void gpudx_sigs_free(struct gpudx_sigs *s);

/* The finder of the literals, for gpudx_lines_find. */
const struct gpudx_prefilter *gpudx_sigs_filter(const struct gpudx_sigs *s);

/* Calls on_hit for each signature that matches msg, in the order of the files. */
void gpudx_sigs_match(const struct gpudx_sigs *s, struct gpudx_sv msg,
		      void (*on_hit)(void *arg, const struct gpudx_hit *hit), void *arg);

/* For tests: the signatures one by one, and whether the i-th matches its own example. */
size_t gpudx_sigs_count(const struct gpudx_sigs *s);
const struct gpudx_sig *gpudx_sigs_at(const struct gpudx_sigs *s, size_t i);
bool gpudx_sigs_example_matches(const struct gpudx_sigs *s, size_t i);

#endif
