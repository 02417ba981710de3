/* What stands in front of the message in a line of a kernel log, whoever wrote the log (facts:
 * kernel log formats 9, formats 4.1). No allocation, and no date work while the day stays the same:
 * this runs on every line of logs of gigabytes. */
#ifndef GPUDX_KLOG_PREFIX_H
#define GPUDX_KLOG_PREFIX_H

#include "base/stamp.h"
#include "base/sv.h"

enum klog_form {
	KLOG_MONO, /* "[  882.456994] msg", "<6>[ ...", "[...][ T1234] msg", "[... <  0.1>] msg" */
	KLOG_MONO_HOST, /* "[  882.456994] node01 kernel: msg" (journal), also without the host */
	KLOG_DELTA, /* "[  +0.000012] msg", "[<    0.000012>] msg", "[Feb23 16:24] msg": order only
		     */
	KLOG_CTIME, /* "[Sun Feb 23 16:24:18 2025] msg", "[Sun Feb 23 16:24:18 2025 <    0.1>] msg" */
	KLOG_DMESG_ISO, /* "2025-01-21T04:41:44,285060+00:00 msg": a comma, no host */
	KLOG_KMSG,	/* "6,3964,206764307,-;msg" */
	KLOG_SHORT,	/* "May  7 09:58:55[.123456] node01 kernel: [[  882.456994] ]msg" */
	KLOG_ISO,	/* "2024-05-07T09:58:55[.123456]+02:00 node01 kernel: [[...] ]msg", also
			 * with a blank or slashes in the date */
	KLOG_FULL,	/* "Tue 2024-05-07 09:58:55 UTC node01 kernel: msg" */
	KLOG_UNIX,	/* "1715075935.123456 node01 kernel: msg" */
	KLOG_SYSLOG,	/* "<6>1 2024-05-07T09:58:55.1Z node01 kernel - - - msg" (RFC 5424) */
	KLOG_BARE	/* "kernel: msg", "NVRM: msg": no stamp at all */
};

struct klog_line {
	enum klog_form form;
	struct gpudx_stamp stamp; /* wall clock when printed, else since boot; .mono_us with both */
	struct gpudx_sv host, tag; /* the program without [pid]; .p NULL when not printed */
	struct gpudx_sv message;
};

/* What the prefixes of one log tell about the next line. Start with all zero. */
struct klog_prefix {
	char date[40], year[12]; /* text around the time of day whose midnight is known */
	size_t date_n, year_n;
	enum klog_form form; /* ... in this form */
	int64_t midnight_us; /* of stamp kind .kind */
	enum gpudx_stamp_kind kind;
	unsigned turn, month, day; /* of stamps without year: new years passed, last date */
	char host[64];		   /* named last; short-monotonic lines begin with it */
	size_t host_n;
	unsigned probed; /* lines searched for it */
	bool spaced;	 /* lines with a blank between date and time are of this log */
	bool rounded;	 /* so are those whose time since boot has not six decimals */
};

enum klog_peeled {
	KLOG_NOT, /* no prefix of a kernel log */
	KLOG_PEELED,
	KLOG_IMPOSSIBLE /* shaped like a stamp, but no such date or time; *out has the rest */
};

/* Also behind what carried the line here: "node01: ", "kern.log:17:", "> ". */
enum klog_peeled klog_peel(struct klog_prefix *p, struct gpudx_sv line, struct klog_line *out);

/* Only where the stamp, or what dmesg and syslog write in front of it, begins the line. */
enum klog_peeled klog_peel_here(struct klog_prefix *p, struct gpudx_sv line, struct klog_line *out);

/* Beginnings of messages that no other log has: "NVRM: ", "nvidia 0000:3b:00.0", ... */
bool klog_is_gpu_message(struct gpudx_sv message);

/* The name of a form for facts and docs. */
const char *klog_form_name(enum klog_form form);

/* True for the forms that carry a program name in every line. */
bool klog_has_tags(enum klog_form form);

#endif
