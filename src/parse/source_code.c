/* Source code: programs and scripts that look for errors of GPUs, and so hold their texts.
 *
 *   #!/usr/bin/env python3
 *   import subprocess
 *   if "CUDA out of memory" in out:
 *       raise RuntimeError("CUDA out of memory")
 *
 * It is listed as what it is, and nothing of it is judged. */
#include "parse/parser.h"
#include "parse/text.h"

enum { LOOKED_AT = 200, LINES_MIN = 5 };

/* What only statements of a program begin with, and what else its lines begin or end with. */
static const char *const strong[] = { "import ",    "from ",	 "def ",     "class ",
				      "async def ", "#include ", "#define ", "package ",
				      "func ",	    "fn ",	 "use ",     "pub ",
				      "static ",    "struct ",	 "public ",  "namespace " };
static const char *const weak[] = {
	"if ",	  "if(",    "for ",    "for (",	  "while ", "try:",  "except",	 "else",  "elif ",
	"return", "with ",  "raise ",  "assert ", "print(", "pass",  "continue", "break", "yield ",
	"@",	  "# ",	    "#!",      "\"\"\"",  "//",	    "/*",    "*",	 "}",	  ")",
	"]",	  "const ", "let ",    "var ",	  "int ",   "void ", "self.",	 "case ", "fi",
	"done",	  "echo ",  "export ", "local ",  "do",	    "{"
};

static bool is_name_char(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c) || c == '_' || c == '.';
}

/* "name = value", "name.method(", "name[i] += 1" */
static bool is_assignment_or_call(struct gpudx_sv s)
{
	size_t n = 0;

	while (n < s.n && is_name_char(s.p[n]))
		n++;
	if (!n || sv_is_digit(s.p[0]))
		return false;
	s = sv_from(s, n);
	return sv_starts(s, " = ") || sv_starts(s, "(") || sv_starts(s, " += ") ||
	       sv_starts(s, " := ");
}

/* "import os", "from a import b", "def f(x):", "class A:", "#include <x>": with what belongs to it, so
 * that no sentence is one. */
static bool is_strong(struct gpudx_sv s)
{
	if (!text_starts_any(s, strong, sizeof(strong) / sizeof(strong[0])))
		return false;
	if (sv_starts(s, "import "))
		return !sv_has(sv_from(s, 7), " ") || sv_has(s, " as ") || sv_has(s, ", ");
	if (sv_starts(s, "from "))
		return sv_has(s, " import ");
	return sv_starts(s, "#") || strchr(":{;)", s.p[s.n - 1]) != NULL;
}

static bool is_interpreter(struct gpudx_sv first)
{
	static const char *const names[] = {
		"python", "sh", "bash", "perl", "ruby", "node", "zsh"
	};
	struct gpudx_sv word;

	if (!sv_lit(&first, "#!"))
		return false;
	sv_spaces(&first);
	while (sv_token(&first, &word)) {
		if (text_starts_any(text_base_name(word), names, sizeof(names) / sizeof(names[0])))
			return true;
		sv_spaces(&first);
	}
	return false;
}

/* "#define CUDNN_MAJOR 8": a header that says which version it is of is read as such. */
static bool is_version(struct gpudx_sv s)
{
	struct gpudx_sv name;

	if (!sv_lit(&s, "#define ") || !sv_token(&s, &name))
		return false;
	s = sv_trim(s);
	return (sv_ends(name, "_MAJOR") || sv_ends(name, "_MINOR") ||
		sv_ends(name, "_PATCHLEVEL") || sv_ends(name, "_PATCH")) &&
	       s.n && sv_is_digit(s.p[0]);
}

static int code_bid(const struct gpudx_head *head)
{
	size_t lines = 0, sure = 0, likely = 0, versions = 0;

	for (size_t i = 0; i < head->n && lines < LOOKED_AT; i++) {
		struct gpudx_sv s = sv_trim(head->lines[i].text);

		if (!s.n)
			continue;
		if (!lines++ && is_interpreter(s))
			return 95;
		versions += is_version(s);
		sure += is_strong(s);
		likely += text_starts_any(s, weak, sizeof(weak) / sizeof(weak[0])) ||
			  is_assignment_or_call(s) ||
			  (s.p[0] == '"' && (sv_ends(s, "\"") || sv_ends(s, "\","))) ||
			  (head->lines[i].text.p[0] == ' ' && strchr(":,({;", s.p[s.n - 1]));
	}
	if (lines < LINES_MIN || !sure || versions > 1 || (sure + likely) * 10 < lines * 7)
		return 0;
	return 95;
}

static bool is_host_char(char c)
{
	return is_name_char(c) || c == '-';
}

/* "alice@node01:~$ ", "[root@node01 ~]# " */
static bool is_prompt(struct gpudx_sv s)
{
	struct gpudx_sv user;
	size_t n = 0;

	sv_char(&s, '[');
	if (!sv_until(&s, "@", &user) || !user.n || user.n > 32)
		return false;
	for (size_t i = 0; i < user.n; i++)
		if (!is_host_char(user.p[i]))
			return false;
	while (n < s.n && is_host_char(s.p[n]))
		n++;
	s = sv_first(sv_from(s, n), 200);
	return n && s.n && (s.p[0] == ':' || s.p[0] == ' ') && (sv_has(s, "$ ") || sv_has(s, "# "));
}

/* Until the fence closes or the next command is typed. */
static enum gpudx_take code_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	(void)c;
	if (sv_starts(line, "```") || sv_starts(line, "~~~") || sv_starts(line, "$ ") ||
	    is_prompt(line))
		return GPUDX_NOT_MINE;
	return GPUDX_TAKEN;
}

const struct gpudx_parser gpudx_parser_source_code = {
	.name = "source-code",
	.what = "programs and scripts, which are listed and not judged",
	.bid = code_bid,
	.line = code_line,
};
