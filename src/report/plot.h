/* gnuplot as a child process that draws scripts to SVG. It is found by looking through PATH
 * ourselves and started without a shell, with an environment of our own, as a process group of its
 * own. Scripts and drawings go through one two-way pipe that is served in both directions at once,
 * so that neither side can block the other. Whatever goes wrong, charts are missing and nothing
 * else. The public half is in gpudx.h. */
#ifndef GPUDX_PLOT_H
#define GPUDX_PLOT_H

#include "base/buf.h"
#include "gpudx/gpudx.h"

enum { GPUDX_PLOT_LIMIT_MS = 20000 };

/* Runs a script and appends all that it prints to out, whose ceiling is the limit of that. False
 * when that failed; then this and all later ones do, and gpudx_plot_why says why. The script must
 * hold no text of a bundle. */
bool gpudx_plot_run(struct gpudx_plot *p, struct gpudx_sv script, struct gpudx_buf *out);

/* Why there are no charts; NULL while all is well. */
const char *gpudx_plot_why(const struct gpudx_plot *p);

/* The time that all runs together may take; for tests. */
void gpudx_plot_limit(struct gpudx_plot *p, int ms);

#endif
