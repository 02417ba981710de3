/* One transaction of a package manager while its lines come in: what was taken out and put in is
 * known line by line, whether it was completed only at the end. */
#ifndef GPUDX_PACKAGE_BLOCK_H
#define GPUDX_PACKAGE_BLOCK_H

#include "parse/package.h"
#include "parse/text.h"

enum { PKG_BLOCK_MAX = 192, PKG_BLOCK_TEXT = 64 };

struct pkg_change {
	char name[PKG_BLOCK_TEXT], old[PKG_BLOCK_TEXT], now[PKG_BLOCK_TEXT], arch[12];
	struct gpudx_stamp began, done; /* kind NONE: as the block */
	uint32_t line;
	bool complete;
};

struct pkg_block {
	struct pkg_change of[PKG_BLOCK_MAX]; /* of the GPU stack only */
	unsigned n;
};

/* The change of this package, a new one when there is none yet; the line at hand is cited for a
 * new one. NULL: not of the stack, or there is no room. */
struct pkg_change *pkg_block_at(struct gpudx_ctx *c, struct pkg_block *b, enum pkg_by by,
				struct gpudx_sv name);

/* The end of the block: steps of what is complete; the rest stays for a later one. */
void pkg_block_end(struct gpudx_ctx *c, struct pkg_block *b, struct pkg_log *log, enum pkg_by by,
		   struct gpudx_stamp began, struct gpudx_stamp done);

/* The package manager says that it failed: an event, when packages of the stack were on the way. */
void pkg_block_failed(struct gpudx_ctx *c, const struct pkg_block *b, struct gpudx_stamp stamp,
		      struct gpudx_sv text);

/* "2025-06-24  14:36:24": apt puts two blanks in between. */
bool pkg_scan_apt_time(struct gpudx_sv s, struct gpudx_stamp *t);

#endif
