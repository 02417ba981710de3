#include "ingest/segment.h"

#include "base/stamp.h"
#include "ingest/remote.h"
#include "parse/klog_look.h"

/* Programs whose output people collect around a GPU incident; a bare "$ cmd" or a banner counts
 * only when it names one of them, or every shell comment would be a border. */
/* clang-format off */
static const char *const programs[] = {
	"nvidia-smi", "lspci", "dmesg", "modinfo", "cat", "uname", "journalctl", "docker", "podman",
	"python", "python3", "nvcc", "dcgmi", "lsmod", "uptime", "date", "hostname", "hostnamectl",
	"dpkg", "rpm", "pip", "pip3", "conda", "ipmitool", "free", "lscpu", "numactl", "systemctl",
	"nvidia-bug-report.sh", "ps", "top", "env", "grep", "egrep", "zgrep", "head", "tail", "ls",
	"kubectl", "scontrol", "sinfo", "sacct", "ibstat", "ulimit", "ldconfig", "dkms", "nvidia-ctk"
};
/* clang-format on */

static struct gpudx_sv base_name(struct gpudx_sv word)
{
	for (size_t i = word.n; i > 0; i--)
		if (word.p[i - 1] == '/')
			return sv_from(word, i);
	return word;
}

static bool is_program(struct gpudx_sv word)
{
	word = base_name(word);
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (sv_is(word, programs[i]))
			return true;
	return false;
}

/* Drops "sudo", its options, and VAR=value in front of the command. */
static struct gpudx_sv bare_command(struct gpudx_sv c)
{
	struct gpudx_sv rest = sv_trim(c), word;

	for (;;) {
		struct gpudx_sv next = sv_ltrim(rest);

		rest = next;
		if (!sv_token(&next, &word))
			return rest;
		if (!sv_is(word, "sudo") && !sv_is(word, "time") && !sv_starts(word, "LC_ALL=") &&
		    !sv_starts(word, "LANG=") && !sv_is(word, "sudo -n"))
			return rest;
		rest = next;
	}
}

/* Also one that runs elsewhere. */
static bool names_program(struct gpudx_sv command)
{
	struct gpudx_sv c = bare_command(command), word;
	struct gpudx_remote far;

	if (gpudx_remote_look(c, &far))
		c = bare_command(far.command);
	return sv_token(&c, &word) && is_program(word);
}

/* Behind a pipe into one of these, or with grep in front, the output is not all there was. */
static bool is_excerpt(struct gpudx_sv command)
{
	static const char *const filters[] = { "grep", "egrep", "fgrep", "zgrep", "rg",	  "head",
					       "tail", "awk",	"sed",	 "cut",	  "less", "more" };
	struct gpudx_sv c = command, word;

	while (sv_cell(&c, '|', &word)) {
		word = bare_command(word);
		word = sv_first(word, sv_index(word, ' '));
		for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
			if (sv_is(base_name(word), filters[i]))
				return true;
	}
	return false;
}

static struct gpudx_boundary boundary(enum gpudx_boundary_kind kind, struct gpudx_sv command)
{
	struct gpudx_boundary b = { .kind = kind, .command = bare_command(command) };
	struct gpudx_remote far;

	b.excerpt = is_excerpt(b.command);
	if (kind != GPUDX_PROMPT || !gpudx_remote_look(b.command, &far))
		return b;
	b.command = bare_command(far.command);
	b.far = far.host;
	b.elsewhere = far.elsewhere;
	b.fans_out = far.fans_out;
	return b;
}

static bool is_host_char(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c) || c == '-' || c == '.' || c == '_';
}

/* "user@host:~/dir$ cmd", "[root@host dir]# cmd", "(env) user@host:~$ cmd". */
static bool shell_prompt(struct gpudx_sv line, struct gpudx_boundary *out)
{
	struct gpudx_sv c = sv_ltrim(line), user, host;
	size_t n = 0;

	if (sv_char(&c, '('))
		if (!sv_until(&c, ") ", &user))
			return false;
	sv_char(&c, '[');
	if (!sv_until(&c, "@", &user) || !user.n || user.n > 64)
		return false;
	for (size_t i = 0; i < user.n; i++)
		if (!is_host_char(user.p[i]))
			return false;
	while (n < c.n && is_host_char(c.p[n]))
		n++;
	host = sv_first(c, n);
	c = sv_from(c, n);
	if (!n || !c.n || (c.p[0] != ':' && c.p[0] != ' '))
		return false;
	/* The working directory: a word for "host dir]", anything without blank runs for "host:". */
	for (n = 1; n < c.n && n < 200; n++)
		if ((c.p[n] == '$' || c.p[n] == '#') && (n + 1 == c.n || c.p[n + 1] == ' '))
			break;
	if (n >= c.n || n >= 200)
		return false;
	*out = boundary(GPUDX_PROMPT, sv_from(c, n + 1));
	out->host = host;
	return true;
}

/* "[2026-05-12 09:00:00] " in front of a mark, and "/opt/collect.sh:12: " behind that of set -x. */
static void skip_decoration(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s;
	int64_t t;

	if (sv_char(&c, '[') && gpudx_scan_ymd_hms(&c, &t) && sv_lit(&c, "] "))
		*s = c;
}

static void skip_place(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s, place;
	uint64_t line;

	if (sv_until(&c, ": ", &place) && sv_until(&place, ":", &(struct gpudx_sv){ 0 }) &&
	    sv_u64(&place, &line) && !place.n)
		*s = c;
}

/* "$ nvidia-smi", "+ lspci -vv", "# $ dmesg", "# nvidia-smi -q", ">>> cmd". */
static bool echoed_command(struct gpudx_sv line, struct gpudx_boundary *out)
{
	static const char *const marks[] = { "# $ ",	  "$ ",	       "+ ",	   "++ ",  "# ",
					     "### ",	  "## ",       "> ",	   ">>> ", "CMD: ",
					     "Command: ", "Running: ", "command: " };
	struct gpudx_sv c;

	skip_decoration(&line);
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		c = line;
		if (!sv_lit(&c, marks[i]))
			continue;
		skip_place(&c);
		if (names_program(c)) {
			*out = boundary(GPUDX_PROMPT, c);
			return true;
		}
	}
	return false;
}

/* "/usr/bin/nvidia-smi --query" alone on its line, as bug reports head their sections. */
static bool bare_path(struct gpudx_sv line, struct gpudx_boundary *out)
{
	struct gpudx_sv c = line, word;

	if (!sv_starts(line, "/") || !sv_token(&c, &word) ||
	    !(sv_has(word, "/bin/") || sv_has(word, "/sbin/")))
		return false;
	if (sv_has(line, ": ") || sv_ends(word, ":"))
		return false;
	*out = boundary(GPUDX_PROMPT, line);
	return true;
}

/* "(3) dmesg", "3. dmesg", "[3/12] dmesg": what is counted. */
static struct gpudx_sv without_number(struct gpudx_sv line)
{
	struct gpudx_sv c = line;
	uint64_t n;
	char close = sv_char(&c, '(') ? ')' : sv_char(&c, '[') ? ']' : 0;

	if (!sv_u64(&c, &n))
		return line;
	if (sv_char(&c, '/') || sv_char(&c, '-') || sv_char(&c, '.'))
		sv_u64(&c, &n);
	if (close ? !sv_char(&c, close) : !sv_char(&c, ')') && c.p[-1] != '.' && !sv_char(&c, '.'))
		return line;
	return sv_char(&c, ' ') ? sv_ltrim(c) : line;
}

/* "===== nvidia-smi -q =====", "--- dmesg ---", "######## lspci ########". */
static bool banner(struct gpudx_sv line, struct gpudx_boundary *out)
{
	struct gpudx_sv c = sv_trim(line);
	char mark = c.n ? c.p[0] : ' ';
	size_t lead = 0;

	if (mark != '=' && mark != '-' && mark != '#' && mark != '*')
		return false;
	while (lead < c.n && c.p[lead] == mark)
		lead++;
	if (lead < 3 || lead == c.n)
		return false;
	c = sv_from(c, lead);
	while (c.n && c.p[c.n - 1] == mark)
		c.n--;
	c = without_number(sv_trim(c));
	if (!names_program(c))
		return false;
	*out = boundary(GPUDX_PROMPT, c);
	return true;
}

/* Bug reports draw exactly 44 underscores, clush -b and dshbak 15 and 16 dashes; lines of other
 * lengths stand inside sections. */
static bool is_bar(struct gpudx_sv line)
{
	if (line.n < 15)
		return false;
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] != line.p[0])
			return false;
	if (line.p[0] == '_')
		return line.n == 44;
	if (line.p[0] == '-')
		return line.n == 15 || line.n == 16;
	return line.p[0] == '#' && line.n >= 60;
}

/* "==========", "----------": a line drawn above and below titles, but also in tables. */
static bool is_rule(struct gpudx_sv line)
{
	if (line.n < 10 || !strchr("=-#*~+", line.p[0]))
		return false;
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] != line.p[0])
			return false;
	return true;
}

/* A host's name alone: letters and some figure. */
static bool is_host_alone(struct gpudx_sv line)
{
	bool digit = false;

	for (size_t i = 0; i < line.n; i++) {
		if (!is_host_char(line.p[i]))
			return false;
		digit |= sv_is_digit(line.p[i]);
	}
	return digit && line.n < 64 && sv_is_alpha(line.p[0]);
}

/* "node01 | CHANGED | rc=0 >>" (ansible), "==> /var/log/kern.log <==" (head, tail). */
static bool tool_heading(struct gpudx_sv line, struct gpudx_boundary *out)
{
	struct gpudx_sv c = line, host, word;
	uint64_t rc;

	if (sv_lit(&c, "==> ") && sv_ends(c, " <==")) {
		*out = boundary(GPUDX_TITLE, sv_first(c, c.n - 4));
		out->excerpt = true;
		return true;
	}
	c = line;
	if (!sv_until(&c, " | ", &host) || !sv_until(&c, " | rc=", &word) || !sv_u64(&c, &rc) ||
	    !sv_is(c, " >>") || !host.n || sv_has(host, " ") || sv_has(word, " "))
		return false;
	*out = boundary(GPUDX_PROMPT, SV_LIT(""));
	out->host = host;
	return true;
}

/* What may stand behind a bar: "node01", "dmesg:", "journalctl -b -0 _COMM=X", "Scanning kernel log files for
 * NVIDIA kernel messages:". */
static bool title_behind_bar(struct gpudx_sv line, struct gpudx_boundary *out)
{
	if (is_host_alone(line)) {
		*out = boundary(GPUDX_PROMPT, SV_LIT(""));
		out->host = line;
		return true;
	}
	if (!(sv_ends(line, ":") && line.n < 80 && line.p[0] != ' ') && !names_program(line))
		return false;
	if (sv_ends(line, ":"))
		line.n--;
	*out = boundary(GPUDX_TITLE, line);
	return true;
}

/* "  /var/log/kern.log:" and "  journalctl -b -1:" over what a bug report found in them: each is a
 * log of its own, one of them another boot, and all went through a grep. */
static bool search_title(struct gpudx_sv line, struct gpudx_boundary *out)
{
	if (!klog_is_title(line))
		return false;
	line = sv_ltrim(line);
	*out = boundary(GPUDX_TITLE, sv_first(line, line.n - 1));
	out->excerpt = true;
	return true;
}

/* "nvidia-smi -q:" alone on its line, "dmesg | tail:". Words that are keys of files, too, do not
 * count. */
static bool command_title(struct gpudx_sv line, struct gpudx_boundary *out)
{
	static const char *const keys[] = { "docker", "podman",	  "python", "python3", "date",
					    "env",    "hostname", "conda",  "pip",     "pip3",
					    "head",   "tail",	  "free",   "top",     "time",
					    "cat",    "ls",	  "grep" };
	struct gpudx_sv c = line, word;

	if (!sv_ends(line, ":") || line.n > 80 || sv_has(line, ": "))
		return false;
	c = bare_command(sv_first(c, c.n - 1));
	*out = boundary(GPUDX_TITLE, c);
	if (!sv_token(&c, &word) || !is_program(word))
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (sv_is(word, keys[i]))
			return false;
	return true;
}

static bool title_behind_rule(struct gpudx_sv line, struct gpudx_boundary *out)
{
	struct gpudx_sv c = line = without_number(line), word;

	if (!names_program(line) && !(line.p[0] == '/' && sv_token(&c, &word) && !c.n))
		return false;
	*out = boundary(GPUDX_TITLE, line);
	return true;
}

/* What a line is that no mark of a border stands on. */
static bool titled(struct gpudx_sv line, enum gpudx_boundary_kind before,
		   struct gpudx_boundary *out)
{
	if (before == GPUDX_BAR && title_behind_bar(line, out))
		return true;
	if (before == GPUDX_RULE && title_behind_rule(line, out))
		return true;
	if (command_title(line, out))
		return true;
	*out = (struct gpudx_boundary){ .kind = is_rule(line) ? GPUDX_RULE : GPUDX_NO_BOUNDARY };
	return out->kind == GPUDX_RULE;
}

bool gpudx_segment_repeats(struct gpudx_sv command, struct gpudx_sv line,
			   struct gpudx_boundary *out)
{
	struct gpudx_sv rest;

	*out = boundary(GPUDX_TITLE, sv_rtrim(line));
	rest = out->command;
	if (!command.n || rest.n < command.n || !sv_eq(sv_first(rest, command.n), command))
		return false;
	rest = sv_from(rest, command.n);
	return !rest.n || rest.p[0] == ' ';
}

struct gpudx_boundary gpudx_segment_look(struct gpudx_sv line, enum gpudx_boundary_kind before)
{
	struct gpudx_boundary b = { .kind = GPUDX_NO_BOUNDARY };
	struct gpudx_sv c = line = sv_rtrim(line);

	if (!line.n || line.n > 1000)
		return b;
	if (is_bar(line))
		b.kind = GPUDX_BAR;
	else if (sv_starts(line, "```") || sv_starts(line, "~~~"))
		b.kind = is_rule(line) ? GPUDX_RULE : GPUDX_FENCE;
	else if (sv_lit(&c, "*** ") && c.n && (c.p[0] == '/' || names_program(c)))
		b = boundary(GPUDX_TITLE, c);
	else if (!search_title(line, &b) && !shell_prompt(line, &b) && !echoed_command(line, &b) &&
		 !bare_path(line, &b) && !banner(line, &b) && !tool_heading(line, &b))
		titled(line, before, &b);
	return b;
}
