/* How gpudx functions say that something went wrong. No allocation, so running out of memory can
 * be reported like anything else. */
#ifndef GPUDX_STATUS_H
#define GPUDX_STATUS_H

#if defined(__GNUC__)
#define GPUDX_CHECK __attribute__((warn_unused_result))
#define GPUDX_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define GPUDX_CHECK
#define GPUDX_PRINTF(f, a)
#endif

enum gpudx_status {
	GPUDX_OK = 0,
	GPUDX_END,     /* nothing more to read; not an error */
	GPUDX_E_INPUT, /* the input is not what it should be */
	GPUDX_E_LIMIT, /* the input asks for more work or memory than allowed */
	GPUDX_E_RULE,  /* a rule, signature or knowledge file is broken */
	GPUDX_E_USAGE, /* the caller asked for something that cannot be */
	GPUDX_E_IO,    /* the operating system refused */
	GPUDX_E_NOMEM, /* no memory */
	GPUDX_E_BUG    /* a promise of our own code does not hold */
};

enum { GPUDX_ERR_DEPTH = 4, GPUDX_ERR_TEXT = 240 };

/* One failure: what happened, then up to three "while ..." contexts added on the way up.
 * Lives on the caller's stack; start it with { 0 }. */
struct gpudx_err {
	enum gpudx_status st;
	int depth;
	char text[GPUDX_ERR_DEPTH][GPUDX_ERR_TEXT];
};

/* Sets the message and returns st, so that "return gpudx_fail(err, ...)" reads well. */
enum gpudx_status gpudx_fail(struct gpudx_err *err, enum gpudx_status st, const char *fmt, ...)
	GPUDX_PRINTF(3, 4);

/* The same for "out of memory". Inline, so that analyzers see that it is a failure. */
static inline enum gpudx_status gpudx_nomem(struct gpudx_err *err)
{
	gpudx_fail(err, GPUDX_E_NOMEM, "out of memory");
	return GPUDX_E_NOMEM;
}

/* Adds "while ..." and returns the status that err holds. Silently full after three. */
enum gpudx_status gpudx_while(struct gpudx_err *err, const char *fmt, ...) GPUDX_PRINTF(2, 3);

#endif
