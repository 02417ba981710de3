/* Who has the device files of the GPUs open: lsof /dev/nvidia*, fuser with and without -v.
 *
 *   COMMAND  PID USER   FD   TYPE  DEVICE SIZE/OFF NODE NAME
 *   python3 1234 root    3u   CHR   195,0      0t0  485 /dev/nvidia0
 *
 *                        USER        PID ACCESS COMMAND
 *   /dev/nvidia0:        root       1234 F...m python3
 *                        root       1240 F.... Xorg
 *   /dev/nvidia0:         1234m  1240
 *
 * N of /dev/nvidiaN is the minor number, which is not always the index, so users are facts of the
 * host by device file. Source: lsof manual; psmisc, src/fuser.c. */
#include "parse/tool.h"

#include <stdio.h>

enum { FILES = 40, NAME = 32, TEXT = 480 };

struct file {
	char name[NAME];
	char users[TEXT];
	size_t n;
	unsigned count;
	uint32_t line;
};

struct users {
	struct file files[FILES];
	unsigned nfiles, at; /* at: the file that fuser named last, plus one */
	bool heading;
};

static bool is_device(struct gpudx_sv s)
{
	return sv_starts(s, "/dev/nvidia") && s.n < NAME;
}

/* The place of a device file; NULL when there are too many. */
static struct file *file_at(struct users *u, struct gpudx_sv name, uint32_t line)
{
	struct file *f;

	for (unsigned i = 0; i < u->nfiles; i++)
		if (sv_is(name, u->files[i].name))
			return &u->files[i];
	if (u->nfiles == FILES)
		return NULL;
	f = &u->files[u->nfiles++];
	memcpy(f->name, name.p, name.n);
	f->line = line;
	return f;
}

/* Each process once, as "python3(1234)". */
static void add(struct file *f, struct gpudx_sv command, uint64_t pid)
{
	char user[64];
	int n;

	command = sv_first(command, 24);
	n = snprintf(user, sizeof(user), "%.*s(%llu)", (int)command.n, command.p,
		     (unsigned long long)pid);
	if (n <= 0 || sv_has(sv_n(f->users, f->n), user))
		return;
	f->count++;
	if (f->n + (size_t)n + 1 > sizeof(f->users))
		return;
	if (f->n)
		f->users[f->n++] = ' ';
	memcpy(f->users + f->n, user, (size_t)n);
	f->n += (size_t)n;
}

/* ---- lsof ---- */

static struct gpudx_sv last_word(struct gpudx_sv s)
{
	for (size_t i = s.n; i > 0; i--)
		if (sv_is_space(s.p[i - 1]))
			return sv_from(s, i);
	return s;
}

/* Command, pid, perhaps a thread, user, descriptor, CHR, ..., name of the file. */
static bool scan_lsof(struct gpudx_sv s, struct gpudx_sv *command, uint64_t *pid,
		      struct gpudx_sv *file)
{
	*file = last_word(s);
	return sv_has(s, " CHR ") && is_device(*file) && sv_token(&s, command) && sv_spaces(&s) &&
	       sv_u64(&s, pid) && s.n && sv_is_space(s.p[0]);
}

static bool is_lsof_heading(struct gpudx_sv s)
{
	return sv_starts(s, "COMMAND ") && sv_has(s, " PID ") && sv_has(s, " FD ") &&
	       sv_ends(s, " NAME");
}

/* ---- fuser ---- */

static bool is_fuser_heading(struct gpudx_sv s)
{
	return sv_starts(s, "USER ") && sv_has(s, " PID ACCESS COMMAND");
}

/* "root 1234 F...m python3" */
static bool fuser_row(struct users *u, struct gpudx_sv s)
{
	struct gpudx_sv user, access, command;
	uint64_t pid;

	if (!u->at || !sv_spaces(&s) || !sv_token(&s, &user) || !sv_spaces(&s) ||
	    !sv_u64(&s, &pid) || !sv_char(&s, ' ') || !sv_spaces(&s) || !sv_token(&s, &access) ||
	    access.n != 5 || !sv_spaces(&s) || !sv_token(&s, &command))
		return false;
	add(&u->files[u->at - 1], command, pid);
	return true;
}

/* "1234m  1240" */
static void fuser_pids(struct users *u, struct gpudx_sv s)
{
	struct gpudx_sv word;
	uint64_t pid;

	while (sv_spaces(&s) && sv_token(&s, &word))
		if (sv_u64(&word, &pid) && word.n < 4)
			add(&u->files[u->at - 1], SV_LIT(""), pid);
}

static bool fuser_line(struct users *u, struct gpudx_sv text, uint32_t no)
{
	struct gpudx_sv s = text, name;
	struct file *f;

	if (!sv_until(&s, ":", &name) || !is_device(name))
		return fuser_row(u, text);
	f = file_at(u, name, no);
	if (!f)
		return true;
	u->at = (unsigned)(f - u->files) + 1;
	if (!fuser_row(u, s))
		fuser_pids(u, s);
	return true;
}

/* ---- the parser ---- */

static enum gpudx_take users_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct users *u = gpudx_state(c);
	struct gpudx_sv text = sv_trim(line), command, file;
	uint32_t no = gpudx_this_line(c)->no;
	struct file *f;
	uint64_t pid;

	if (is_lsof_heading(text) || is_fuser_heading(text) || sv_starts(text, "lsof: WARNING:") ||
	    sv_starts(text, "Output information may be incomplete."))
		return GPUDX_TAKEN;
	if (scan_lsof(text, &command, &pid, &file)) {
		f = file_at(u, file, no);
		if (f)
			add(f, command, pid);
	} else if (!fuser_line(u, text, no)) {
		return GPUDX_NOT_MINE;
	}
	gpudx_cite(c);
	return GPUDX_TAKEN;
}

static void users_finish(struct gpudx_ctx *c)
{
	struct users *u = gpudx_state(c);
	char key[NAME + 16];

	for (unsigned i = 0; i < u->nfiles; i++) {
		struct gpudx_fact f = { .layer = SV_LIT(""), .has_num = true };

		snprintf(key, sizeof(key), "device.users.%s", u->files[i].name + strlen("/dev/"));
		f.key = sv_str(key);
		f.value = sv_n(u->files[i].users, u->files[i].n);
		f.num = u->files[i].count;
		f.line = u->files[i].line;
		if (f.value.n)
			gpudx_put_fact(c, &f);
	}
}

static int users_bid(const struct gpudx_head *head)
{
	struct gpudx_sv command, file;
	uint64_t pid;

	for (size_t i = 0, seen = 0; i < head->n && seen < 30; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		seen++;
		if (scan_lsof(s, &command, &pid, &file) || is_fuser_heading(s))
			return 80;
		if (sv_until(&s, ":", &file) && is_device(file) && !s.n)
			return 40;
		if (is_device(file) && s.n && sv_is_digit(sv_ltrim(s).p[0]))
			return 60;
	}
	return 0;
}

const struct gpudx_parser gpudx_parser_dev_users = {
	.name = "device-users",
	.what = "lsof and fuser of /dev/nvidia*: who has the GPUs open",
	.bid = users_bid,
	.line = users_line,
	.finish = users_finish,
	.state_size = sizeof(struct users),
};
