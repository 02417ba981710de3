/* What a text is that no parser reads: said in the list of sources, so that nobody takes it for
 * lost. */
#ifndef GPUDX_UNREAD_H
#define GPUDX_UNREAD_H

#include "parse/parser.h"

/* Static text without a dot; NULL when nothing is known of it. */
const char *gpudx_unread_look(const struct gpudx_head *head);

#endif
