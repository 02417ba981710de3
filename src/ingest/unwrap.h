/* Logs inside another form, line by line: the lines that a container runtime, a journal export, a
 * collector or a mail made of them become what they were. A line of the member stays a line, and keeps its
 * number and offset: what is taken away becomes backspaces in front, which readers of lines peel. */
#ifndef GPUDX_UNWRAP_H
#define GPUDX_UNWRAP_H

#include "bundle/stream.h"

enum gpudx_wrapping {
	GPUDX_NOT_WRAPPED,
	GPUDX_DOCKER_JSON,  /* {"log":"text\n","stream":"stdout","time":"2025-01-12T00:38:20.7Z"} */
	GPUDX_LOG_JSON,	    /* records of a collector of logs (records.h), found by a search */
	GPUDX_LOG_CSV,	    /* the same as a table */
	GPUDX_JOURNAL_JSON, /* journalctl -o json, json-pretty, -sse, -seq: becomes -o short-unix */
	GPUDX_JOURNAL_EXPORT,  /* journalctl -o export, likewise */
	GPUDX_JOURNAL_VERBOSE, /* journalctl -o verbose, likewise */
	GPUDX_DMESG_JSON,      /* dmesg -J: becomes dmesg */
	GPUDX_QUOTED,	       /* > text, other lines between them */
	GPUDX_NOTEBOOK, /* .ipynb of Jupyter: what cells printed, not what is written in them */
	GPUDX_MAIL,	/* a mail or .mhtml with its headers: quoted-printable, HTML */
	GPUDX_HTML	/* a saved page: tags taken away, entities decoded */
};

enum gpudx_wrapping gpudx_wrapping_of(struct gpudx_sv head);

/* True when lines become what GPUDX_BY_RECORD of carry.h reads. */
bool gpudx_unwrap_makes_records(enum gpudx_wrapping kind);

/* src is borrowed. */
GPUDX_CHECK enum gpudx_status gpudx_unwrap_open(struct gpudx_stream *src, enum gpudx_wrapping kind,
						struct gpudx_stream **out, struct gpudx_err *err);

#endif
