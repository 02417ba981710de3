/* Taking secrets out of text. What is a secret, and what must never be touched, is data:
 *
 *   rules/redact/classes.tsv    what becomes of each class of values, and when
 *   rules/redact/detectors.tsv  patterns that find them in a line; class "keep" protects what it
 *                               matches from all patterns behind it: the words of NVRM and AER
 *                               lines, addresses, versions
 *   rules/redact/keys.tsv       facts whose whole value is of a class
 *   rules/redact/common.tsv     words that are no secret: root, localhost, ...
 *
 * A value that was found once is replaced wherever it stands as a word of its own, so that a name
 * seen in one file is gone from all: learn everything first, then settle, then replace. Values that
 * are too short or too common for that are replaced where they were found, and listed.
 *
 * Pseudonyms are HMAC-SHA-256 of class and value: the same key gives the same pseudonym, in every
 * file and every run, and without the key nobody can try names out. */
#ifndef GPUDX_REDACT_H
#define GPUDX_REDACT_H

#include "base/buf.h"
#include "gpudx/status.h"

enum { GPUDX_REDACT_KEY = 32 };

struct gpudx_redact_options {
	bool report; /* for the public: also what a vendor needs to find the contract */
	bool gpu;    /* also what identifies a GPU, without which there is no RMA */
	bool cloud;  /* not what a cloud's own support finds the machine by */
	unsigned char key[GPUDX_REDACT_KEY];
};

struct gpudx_redact;

GPUDX_CHECK enum gpudx_status gpudx_redact_new(const struct gpudx_redact_options *o,
					       struct gpudx_redact **out, struct gpudx_err *err);
void gpudx_redact_free(struct gpudx_redact *r);

/* Appends one line (or several) with all secrets replaced. */
void gpudx_redact_text(struct gpudx_redact *r, struct gpudx_sv text, struct gpudx_buf *out);

/* Appends the pseudonym of a value that is known to be of a class; as it is when the class is kept
 * or unknown. */
void gpudx_redact_as(struct gpudx_redact *r, struct gpudx_sv class_name, struct gpudx_sv value,
		     struct gpudx_buf *out);

/* The value of a fact: as its key says, else as text. */
void gpudx_redact_fact(struct gpudx_redact *r, struct gpudx_sv key, struct gpudx_sv value,
		       struct gpudx_buf *out);

/* A value that must not change, whatever looks like it. */
void gpudx_redact_keep(struct gpudx_redact *r, struct gpudx_sv value);

/* Ends the learning: values that are words of gpudx's own texts are replaced only where they were
 * found, because elsewhere they are not theirs. */
void gpudx_redact_settle(struct gpudx_redact *r);

struct gpudx_redacted {
	struct gpudx_sv class_name, original, pseudonym;
	uint64_t times;	  /* found by a pattern, or by its field */
	const char *weak; /* why it is not replaced everywhere; NULL: it is */
};

size_t gpudx_redact_count(const struct gpudx_redact *r);
struct gpudx_redacted gpudx_redact_at(const struct gpudx_redact *r, size_t i);

/* The key that it was made with: GPUDX_REDACT_KEY bytes. */
const unsigned char *gpudx_redact_key(const struct gpudx_redact *r);

/* Whether what identifies a GPU is replaced, too. */
bool gpudx_redact_gpus(const struct gpudx_redact *r);

/* True once memory ran out: then nothing that was written may be given away. */
bool gpudx_redact_failed(const struct gpudx_redact *r);

/* The first replaced value that stands in text as a word: what the search of a finished archive
 * asks. Weak ones do not count. */
bool gpudx_redact_leak(const struct gpudx_redact *r, struct gpudx_sv text,
		       struct gpudx_redacted *out);

/* For tests: the patterns one by one. False behind the last. */
bool gpudx_redact_detector(const struct gpudx_redact *r, size_t i, struct gpudx_sv *class_name,
			   struct gpudx_sv *example);

#endif
