/* Charts as pictures, for whoever cannot take SVG: gnuplot draws the same sheet once more. The text of
 * labels has to go into the script here, so only letters, digits and a few signs of it do. */
#ifndef GPUDX_PNG_H
#define GPUDX_PNG_H

#include "report/plot.h"
#include "report/sheet.h"

/* Whether this gnuplot can draw them at all. */
bool gpudx_png_possible(struct gpudx_plot *plot);

/* Draws an ended sheet: out becomes a PNG file of twice its size, with a mark that it is ours. script is
 * room to work in. False when gnuplot failed or drew something else. */
bool gpudx_png_draw(struct gpudx_plot *plot, const struct rep_sheet *s, struct gpudx_buf *script,
		    struct gpudx_buf *out);

#endif
