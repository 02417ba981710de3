/* JSON out of hostile files, read in pieces cut anywhere: the lines of a document, or chunks of a
 * document in one line. No recursion, no allocation; documents may follow one another.
 *
 *	gpudx_json_feed(&j, piece, true);
 *	while (gpudx_json_next(&j))
 *		if (j.kind == GPUDX_JSON_STRING && gpudx_json_at(&j, "data.result[].metric.gpu"))
 *			use(j.text);
 *
 * Lenient where tools are sloppy and nothing can be misread: trailing commas, raw control
 * characters in strings, NaN and Infinity. */
#ifndef GPUDX_JSON_H
#define GPUDX_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sv.h"

enum {
	GPUDX_JSON_DEPTH = 64,	  /* containers in one another; more is an error */
	GPUDX_JSON_PATH = 1024,	  /* bytes of a path; what is longer is cut */
	GPUDX_JSON_TEXT = 1 << 14 /* bytes of a string; what is longer is cut */
};

enum gpudx_json_kind {
	GPUDX_JSON_NONE,
	GPUDX_JSON_OBJECT,
	GPUDX_JSON_OBJECT_END,
	GPUDX_JSON_ARRAY,
	GPUDX_JSON_ARRAY_END,
	GPUDX_JSON_KEY,
	GPUDX_JSON_STRING,
	GPUDX_JSON_NUMBER,
	GPUDX_JSON_LITERAL /* true, false, null */
};

struct gpudx_json_level {
	uint16_t path_n;	/* length of the container's own path */
	uint16_t key_at, key_n; /* the last key in it */
	bool array;
	uint32_t index; /* values begun in it so far */
};

struct gpudx_json {
	/* The token that gpudx_json_next found; texts are valid until the next call. */
	enum gpudx_json_kind kind;
	struct gpudx_sv text; /* key and string decoded, number and literal as written */
	double num;	      /* NUMBER; NAN and infinities are possible */
	bool cut;	      /* text was longer than GPUDX_JSON_TEXT */
	unsigned depth;	      /* containers around the token; 0 behind the end of a document */

	const char *error; /* NULL, or why nothing more comes; static text without a dot */
	uint64_t offset;   /* bytes read so far; with an error, those before the bad one */

	/* inside */
	struct gpudx_sv in;
	bool lf;	     /* a line feed follows behind in */
	uint8_t state;	     /* enum state of json.c */
	uint8_t digits;	     /* of \uXXXX read */
	bool is_key, begun;  /* the string is a key; part of it is in buf */
	unsigned open;	     /* containers that are open */
	uint32_t unit, high; /* UTF-16: being read; high surrogate waiting for its low one */
	size_t text_n;	     /* bytes in buf */
	uint16_t path_n, key_at, key_n;
	struct gpudx_json_level level[GPUDX_JSON_DEPTH];
	char path[GPUDX_JSON_PATH];
	char buf[GPUDX_JSON_TEXT];
};

/* Start with a zeroed struct. Forgets an unfinished document and the error; as new. */
void gpudx_json_reset(struct gpudx_json *j);

/* The next piece; what next has not read of the one before is lost. line_end: a line feed, which
 * the piece does not show, stands behind it. The bytes are borrowed until the last next. */
void gpudx_json_feed(struct gpudx_json *j, struct gpudx_sv piece, bool line_end);

/* The next token of the piece; false when another piece is needed, or on an error. */
bool gpudx_json_next(struct gpudx_json *j);

/* True between documents: nothing is open or half read. */
bool gpudx_json_whole(const struct gpudx_json *j);

/* Where the token stands: keys divided by dots, "[]" for an element: "data.result[].values[][]".
 * A container has the same path at both ends; a key the path of its value. */
struct gpudx_sv gpudx_json_path(const struct gpudx_json *j);

/* The last key of the path; empty when there is none. */
struct gpudx_sv gpudx_json_key(const struct gpudx_json *j);

/* Which element of the innermost array or member of the innermost object it is, from 0. */
uint32_t gpudx_json_index(const struct gpudx_json *j);

/* True when the path is this one. In a pattern '*' stands for any one key ("gpus.*.name"), "**." in
 * front for any number of levels ("**.businfo"). Dots inside keys do not confuse it. */
bool gpudx_json_at(const struct gpudx_json *j, const char *pattern);

/* The first pattern that fits, its index; n when none does. */
size_t gpudx_json_find(const struct gpudx_json *j, const char *const *patterns, size_t n);

#endif
