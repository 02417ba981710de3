#include "ingest/remote.h"

/* ssh to a machine from which ssh leads on. */
enum { HOPS = 3 };

static bool is_one_of(struct gpudx_sv word, const char *const *words)
{
	for (; *words; words++)
		if (sv_is(word, *words))
			return true;
	return false;
}

static bool next_word(struct gpudx_sv *s, struct gpudx_sv *word)
{
	*s = sv_ltrim(*s);
	return s->n && sv_token(s, word);
}

/* Options of a program: those of one letter that take a value ("p" of "-p 22" and "-p22"), and long
 * ones whose value is the next word. */
struct options {
	const char *letters;
	const char *const *words;
	char host; /* the letter whose value is the host; 0 none */
	const char *long_host;
};

/* "--nodelist=node01", "--nodelist node01". */
static void long_option(struct gpudx_sv *c, struct gpudx_sv word, const struct options *o,
			struct gpudx_sv *host)
{
	struct gpudx_sv name = sv_first(word, sv_index(word, '='));
	struct gpudx_sv value = sv_from(word, name.n + 1);
	bool is_host = o->long_host && sv_is(name, o->long_host);

	if (name.n == word.n && (is_host || is_one_of(name, o->words)) && !next_word(c, &value))
		return;
	if (is_host)
		*host = value;
}

/* "-p22", "-p 22", "-it", "-bw node01": of several letters the last may take a value. */
static void short_option(struct gpudx_sv *c, struct gpudx_sv word, const struct options *o,
			 struct gpudx_sv *host)
{
	bool attached = word.n > 2 && strchr(o->letters, word.p[1]);
	char letter = attached ? word.p[1] : word.p[word.n - 1];
	struct gpudx_sv value = sv_from(word, 2);

	if (!strchr(o->letters, letter) || (!attached && !next_word(c, &value)))
		return;
	sv_char(&value, '=');
	if (letter == o->host)
		*host = value;
}

/* Skips all options in front of the first other word. */
static void skip_options(struct gpudx_sv *c, const struct options *o, struct gpudx_sv *host)
{
	struct gpudx_sv next = *c, word;

	while (next_word(&next, &word) && word.n > 1 && word.p[0] == '-') {
		if (sv_is(word, "--")) {
			*c = next;
			return;
		}
		if (word.p[1] == '-')
			long_option(&next, word, o, host);
		else
			short_option(&next, word, o, host);
		*c = next;
	}
}

/* One machine; .p NULL: several, or none. */
static struct gpudx_sv single_host(struct gpudx_sv host)
{
	struct gpudx_sv user, c = host;

	if (sv_lit(&c, "ssh://"))
		host = c;
	if (sv_until(&c, "@", &user))
		host = c;
	host = sv_first(host, sv_index(host, ':'));
	for (size_t i = 0; i < host.n; i++)
		if (!sv_is_alpha(host.p[i]) && !sv_is_digit(host.p[i]) && host.p[i] != '-' &&
		    host.p[i] != '.' && host.p[i] != '_')
			return sv_n(NULL, 0);
	return host.n ? host : sv_n(NULL, 0);
}

static const char *const no_words[] = { NULL };

/* "ssh -p 22 user@node01 cmd" */
static bool look_ssh(struct gpudx_sv c, struct gpudx_remote *out)
{
	static const struct options o = { "pilofFJbcDEeILmOQRSWwB", no_words, 0, NULL };
	struct gpudx_sv host = { NULL, 0 };

	skip_options(&c, &o, &host);
	if (!next_word(&c, &host))
		return false;
	out->host = single_host(host);
	skip_options(&c, &o, &host);
	out->command = c;
	return out->host.p != NULL;
}

/* "srun -w node01 --jobid=7 cmd"; without -w it runs on some node. */
static bool look_srun(struct gpudx_sv c, struct gpudx_remote *out)
{
	static const char *const words[] = { "--jobid", "--partition", "--gres",   "--time",
					     "--nodes", "--ntasks",    "--gpus",   "--account",
					     "--qos",	"--job-name",  "--output", NULL };
	static const struct options o = { "pnNctAJGwxqoei", words, 'w', "--nodelist" };
	struct gpudx_sv host = { NULL, 0 };

	skip_options(&c, &o, &host);
	out->host = single_host(host);
	out->elsewhere = !out->host.p;
	out->command = c;
	return true;
}

/* "pdsh -w node[01-04] cmd", "clush -a cmd": the host stands in front of each line. */
static bool look_pdsh(struct gpudx_sv c, struct gpudx_remote *out)
{
	static const char *const words[] = { "--group", "--fanout", "--user", NULL };
	static const struct options o = { "wgxlftuRo", words, 'w', "--nodes" };
	struct gpudx_sv host = { NULL, 0 };

	skip_options(&c, &o, &host);
	out->host = single_host(host);
	out->elsewhere = !out->host.p;
	out->fans_out = true;
	out->command = c;
	return true;
}

/* "kubectl -n x exec -it pod -- cmd", "kubectl logs pod", "oc debug node/node01 -- chroot /host
 * cmd". */
static bool look_kubectl(struct gpudx_sv c, struct gpudx_remote *out)
{
	static const char *const words[] = { "--namespace",  "--container", "--context",
					     "--kubeconfig", "--selector",  "--tail",
					     "--since",	     "--image",	    NULL };
	static const struct options o = { "nclf", words, 0, NULL };
	static const struct options logs = { "ncl", words, 0, NULL };
	struct gpudx_sv verb, target = { NULL, 0 }, none, before, node;

	skip_options(&c, &o, &none);
	if (!next_word(&c, &verb))
		return false;
	if (!sv_is(verb, "exec") && !sv_is(verb, "logs") && !sv_is(verb, "debug"))
		return false;
	skip_options(&c, &logs, &none);
	next_word(&c, &target);
	node = target;
	out->elsewhere = true;
	if (sv_lit(&node, "node/")) {
		out->host = single_host(node);
		out->elsewhere = !out->host.p;
	}
	if (sv_is(verb, "logs"))
		out->command = SV_LIT("");
	else if (sv_until(&c, "-- ", &before))
		out->command = c;
	else
		out->command = SV_LIT("");
	return true;
}

/* "docker exec -it box cmd": the same machine. */
static bool look_docker(struct gpudx_sv c, struct gpudx_remote *out)
{
	static const char *const words[] = { "--env", "--user", "--workdir", NULL };
	static const struct options o = { "euw", words, 0, NULL };
	struct gpudx_sv verb, box, none;

	if (!next_word(&c, &verb) || !sv_is(verb, "exec"))
		return false;
	skip_options(&c, &o, &none);
	if (!next_word(&c, &box))
		return false;
	out->command = c;
	return true;
}

/* "chroot /host cmd", "timeout 30 cmd". */
static bool look_one_word(struct gpudx_sv c, struct gpudx_remote *out)
{
	struct gpudx_sv word;

	if (!next_word(&c, &word))
		return false;
	out->command = c;
	return true;
}

static bool look_once(struct gpudx_sv command, struct gpudx_remote *out)
{
	static const struct {
		const char *name;
		bool (*look)(struct gpudx_sv c, struct gpudx_remote *out);
	} programs[] = { { "ssh", look_ssh },	      { "srun", look_srun },
			 { "pdsh", look_pdsh },	      { "clush", look_pdsh },
			 { "kubectl", look_kubectl }, { "oc", look_kubectl },
			 { "docker", look_docker },   { "podman", look_docker },
			 { "chroot", look_one_word }, { "timeout", look_one_word } };
	struct gpudx_sv c = command, word;

	if (!next_word(&c, &word))
		return false;
	while (sv_is(word, "sudo") || (word.n > 1 && word.p[0] == '-'))
		if (!next_word(&c, &word))
			return false;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (sv_is(word, programs[i].name))
			return programs[i].look(c, out);
	return false;
}

/* 'cmd | cmd' and "cmd" as a shell takes them away. */
static struct gpudx_sv unquoted(struct gpudx_sv c)
{
	c = sv_trim(c);
	if (c.n > 1 && (c.p[0] == '\'' || c.p[0] == '"') && c.p[c.n - 1] == c.p[0])
		return sv_first(sv_from(c, 1), c.n - 2);
	return c;
}

bool gpudx_remote_look(struct gpudx_sv command, struct gpudx_remote *out)
{
	bool any = false;

	*out = (struct gpudx_remote){ .command = command, .host = { NULL, 0 } };
	for (int i = 0; i < HOPS; i++) {
		struct gpudx_remote hop = { .command = out->command, .host = { NULL, 0 } };

		if (!look_once(out->command, &hop))
			break;
		any = true;
		out->command = unquoted(hop.command);
		out->fans_out |= hop.fans_out;
		if (!hop.host.p && !hop.elsewhere)
			continue;
		out->host = hop.host;
		out->elsewhere = hop.elsewhere;
	}
	return any;
}
