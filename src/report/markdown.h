/* Text of a bundle inside Markdown, for issues, chats and mails: inert whatever it holds. It starts
 * no list, heading, table cell, emphasis, HTML, link, mention of a person or reference to an issue.
 * Control characters and marks that turn the direction of writing stand as U+FFFD, line ends as
 * blanks. */
#ifndef GPUDX_MARKDOWN_H
#define GPUDX_MARKDOWN_H

#include "base/buf.h"

/* Appends s as running text, also inside a table cell. Letters, digits and most of punctuation stay
 * as they are, so that a mail reads well without being rendered; an invisible mark (U+200B) stands
 * in links and mentions, because a backslash does not keep those from coming to life. */
void gpudx_md_text(struct gpudx_buf *b, struct gpudx_sv s);
void gpudx_md_str(struct gpudx_buf *b, const char *s);

/* Appends s as a code span, which nothing in it can end. cell: inside a table, where a bar would
 * end the cell even so. Nothing for empty text. */
void gpudx_md_code(struct gpudx_buf *b, struct gpudx_sv s, bool cell);

/* Appends text (of several lines, made printable by the caller) as a block of code with a fence that
 * nothing in it can close. language: "sh", or "" for none. */
void gpudx_md_block(struct gpudx_buf *b, const char *language, struct gpudx_sv text);

#endif
