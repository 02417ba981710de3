/* The output of one command on many hosts, each line with its host in front, as pdsh, clush and
 * kubectl print it. It is read once for each host, as if the lines of the others were blank, so
 * that formats stay whole and lines keep their numbers and offsets. */
#ifndef GPUDX_CROWD_H
#define GPUDX_CROWD_H

#include "base/buf.h"
#include "bundle/bundle.h"

enum { GPUDX_CROWD_HOSTS = 256, GPUDX_CROWD_BYTES = 32 << 20 };

struct gpudx_crowd {
	struct gpudx_buf text;
	struct gpudx_sv host[GPUDX_CROWD_HOSTS]; /* in the order of their first lines */
	unsigned n;
	const char *cut; /* what was left out, NULL nothing */
};

/* Whether a member that begins so is such an output. */
bool gpudx_is_crowd(struct gpudx_sv head);

/* Reads the member whole. False when memory is out. */
bool gpudx_crowd_read(struct gpudx_crowd *c, struct gpudx_stream *s);
void gpudx_crowd_free(struct gpudx_crowd *c);

/* What host i printed; borrows from c. */
struct gpudx_crowd_stream {
	struct gpudx_stream base;
	const struct gpudx_crowd *crowd;
	struct gpudx_sv host;
	size_t at;   /* in the text */
	size_t hide; /* bytes of the line at hand that are still to be hidden */
	bool other;  /* the line at hand is another host's */
};

void gpudx_crowd_open(struct gpudx_crowd_stream *s, const struct gpudx_crowd *c, unsigned i);

#endif
