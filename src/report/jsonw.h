/* A JSON writer. Whatever it is given, the output is valid JSON in valid UTF-8 and inert where it
 * is shown: control characters and marks that turn the direction of writing are escaped. Between
 * gpudx_json_open and _close of an object each value has a name; in an array names are NULL. */
#ifndef GPUDX_JSONW_H
#define GPUDX_JSONW_H

#include "base/buf.h"

enum { REP_JSON_DEPTH = 16 };

struct rep_json {
	struct gpudx_buf *b;
	unsigned depth;
	bool any[REP_JSON_DEPTH]; /* whether the container has a value already */
	char end[REP_JSON_DEPTH];
};

/* Start with { .b = BUF }. bracket is '{' or '['. */
void gpudx_json_open(struct rep_json *j, const char *name, char bracket);
void gpudx_json_close(struct rep_json *j);

void gpudx_json_text(struct rep_json *j, const char *name, struct gpudx_sv s); /* .p NULL = null */
void gpudx_json_str(struct rep_json *j, const char *name, const char *s);      /* NULL = null */
void gpudx_json_int(struct rep_json *j, const char *name, int64_t v);
void gpudx_json_real(struct rep_json *j, const char *name, double v); /* not finite = null */
void gpudx_json_bool(struct rep_json *j, const char *name, bool v);
void gpudx_json_null(struct rep_json *j, const char *name);

/* As gpudx_json_open with a name from the outside. */
void gpudx_json_open_text(struct rep_json *j, struct gpudx_sv name, char bracket);

#endif
