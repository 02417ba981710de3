/* Which machine a source speaks of. Names come as facts host.name: from prompts of a transcript,
 * syslog lines, uname, hostname. Sources without one belong where their neighbours do. */
#include "derive/derive.h"

#include "base/hostname.h"
#include "base/map.h"
#include "base/search.h"
#include "derive/host_rename.h"
#include "derive/path_host.h"
#include "derive/pod_host.h"
#include "store/query.h"

#include <stdlib.h>

/* ELSEWHERE: on some machine that nobody names. */
enum { NONE = -1, ELSEWHERE = -2, HOSTS_MAX = 4096, MEMORY = 256 << 20 };

struct host {
	struct gpudx_sv name, layer; /* name .p NULL: nobody says it */
	const char *how;
	int64_t id;
	bool used, container;
	int alias; /* as a word of paths: the host that it means; NONE itself */
};

/* A host name that a source said, in the order of sources and lines. */
struct said_name {
	int64_t source, parent, line; /* parent 0: a member */
	int host;
	bool prompt, dropped;
	bool log;   /* said by lines of a log or of an exporter, which may be of several hosts */
	bool exact; /* what a scheduler says is of this host, whoever comes next */
};

struct src {
	int64_t id, parent, first_line;
	struct gpudx_sv path;
	int host;
	bool crowd;    /* a log of many hosts that does not say which line is whose, or of one that
			* nobody names */
	int in_path;   /* the host that its path names */
	size_t within; /* so much of the path reaches to that name */
};

struct hosts {
	sqlite3 *db;
	int64_t bundle;
	struct gpudx_arena arena;
	struct host host[HOSTS_MAX];
	int nhosts;
	struct said_name *names;
	size_t nnames, names_cap;
	bool elsewhere;	  /* some command ran there */
	struct src *srcs; /* by id */
	size_t nsrcs;
	struct gpudx_map dirs; /* directory -> host + 1, or MIXED */
	struct gpudx_pods pods;
};

static const uint32_t MIXED = UINT32_MAX;

/* ---- names ---- */

/* False for what stands in the place of a name and names no machine. */
static bool is_real_name(struct gpudx_sv name, struct gpudx_sv layer)
{
	return !sv_is(layer, "container") && gpudx_host_names_machine(name);
}

/* The host of this name; NONE when memory is out or there are absurdly many. */
static int host_named(struct hosts *h, struct gpudx_sv name, struct gpudx_sv layer)
{
	struct host *host;

	for (int i = 0; i < h->nhosts; i++) {
		host = &h->host[i];
		if (!gpudx_host_same(host->name, name))
			continue;
		if (name.n < host->name.n) /* the short form is what people say */
			host->name = sv_first(host->name, name.n);
		return i;
	}
	if (h->nhosts == HOSTS_MAX - 1)
		return NONE;
	host = &h->host[h->nhosts];
	*host = (struct host){ .name = gpudx_arena_sv(&h->arena, name),
			       .layer = gpudx_arena_sv(&h->arena, layer) };
	return host->name.p && host->layer.p ? h->nhosts++ : NONE;
}

/* A login begins in the home directory, a shell inside a container in another: "root@job:/app#",
 * "[root@job /]#". prompt is the first line that shows the name. */
static bool begins_elsewhere(struct gpudx_sv prompt, struct gpudx_sv name)
{
	struct gpudx_sv c = prompt, user;

	if (!sv_until(&c, "@", &user) || !sv_starts(user, "root") || c.n < name.n + 2)
		return false;
	c = sv_from(c, name.n);
	return (c.p[0] == ':' || c.p[0] == ' ') && c.p[1] == '/';
}

/* A name that only prompts show is that of a container when its shell was entered from another
 * host's and began as containers do. */
static void judge_container(struct hosts *h, const struct said_name *n, bool is_new,
			    struct gpudx_sv prompt)
{
	const struct said_name *before = h->nnames ? n - 1 : NULL;
	struct host *host = &h->host[n->host];

	if (!n->prompt)
		host->container = false;
	else if (is_new && before && before->prompt && before->source == n->source &&
		 before->host != n->host && begins_elsewhere(prompt, host->name))
		host->container = true;
}

/* ---- sources ---- */

static enum gpudx_status src_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct hosts *h = arg;
	struct src *s = &h->srcs[h->nsrcs++];

	*s = (struct src){ .id = sqlite3_column_int64(row, 0),
			   .parent = sqlite3_column_int64(row, 1),
			   .first_line = sqlite3_column_int64(row, 2),
			   .path = gpudx_arena_sv(&h->arena, gpudx_col_text(row, 3)),
			   .host = NONE,
			   .in_path = NONE };
	return s->path.p ? GPUDX_OK : gpudx_nomem(err);
}

static enum gpudx_status load_srcs(struct hosts *h, struct gpudx_err *err)
{
	int64_t n;
	enum gpudx_status rc = gpudx_db_int(h->db, "SELECT count(*) FROM source", 0, &n, err);

	if (rc)
		return rc;
	h->srcs = gpudx_arena_array(&h->arena, (size_t)n + 1, sizeof(*h->srcs));
	if (!h->srcs)
		return gpudx_nomem(err);
	return gpudx_query_each(h->db,
				"SELECT id, parent_id, first_line, path FROM source"
				" WHERE bundle_id = ?1 ORDER BY id",
				h->bundle, src_row, h, err);
}

static struct src *find_src(const struct hosts *h, int64_t id)
{
	return GPUDX_FIND(h->srcs, h->nsrcs, struct src, id, id);
}

/* True when a member names its host itself, as a bug report does: then its parts are of that host,
 * whatever their logs call it. A log names those of its lines. */
static bool names_itself(const struct hosts *h, int64_t member)
{
	const struct src *s = find_src(h, member);
	size_t lo = GPUDX_LOWER_BOUND(h->names, h->nnames, struct said_name, source, member);

	for (; lo < h->nnames && h->names[lo].source == member; lo++)
		if (!h->names[lo].prompt && !h->names[lo].log)
			return true;
	return s && s->parent && s->parent < member && names_itself(h, s->parent);
}

static bool is_container(const struct hosts *h, const struct said_name *n)
{
	return n->host >= 0 && h->host[n->host].container;
}

static void drop_what_names_no_host(struct hosts *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->nnames; i++) {
		const struct said_name *s = &h->names[i];

		h->names[i].dropped =
			is_container(h, s) || (s->parent && names_itself(h, s->parent));
	}
	for (size_t i = 0; i < h->nnames; i++)
		if (!h->names[i].dropped)
			h->names[n++] = h->names[i];
	h->nnames = n;
}

static enum gpudx_status name_row(void *arg, sqlite3_stmt *row, struct gpudx_err *err)
{
	struct gpudx_sv name = gpudx_col_text(row, 2), layer = gpudx_col_text(row, 3);
	struct hosts *h = arg;
	int known = h->nhosts;
	struct said_name *n;

	bool elsewhere = sv_is(name, GPUDX_ELSEWHERE);
	struct gpudx_sv node = gpudx_pod_node(&h->pods, name);

	if (node.p)
		name = node;
	if (!elsewhere && !is_real_name(name, layer))
		return GPUDX_OK;
	if (h->nnames == h->names_cap) {
		size_t cap = h->names_cap ? h->names_cap * 2 : 64;
		struct said_name *bigger = gpudx_arena_array(&h->arena, cap, sizeof(*bigger));

		if (!bigger)
			return gpudx_nomem(err);
		if (h->nnames)
			memcpy(bigger, h->names, h->nnames * sizeof(*bigger));
		h->names = bigger;
		h->names_cap = cap;
	}
	n = &h->names[h->nnames];
	*n = (struct said_name){ .source = sqlite3_column_int64(row, 0),
				 .parent = sqlite3_column_int64(row, 5),
				 .line = sqlite3_column_int64(row, 1),
				 .host = NONE,
				 .prompt = sv_is(layer, "prompt"),
				 .log = sv_is(layer, "syslog") || sv_is(layer, "exporter"),
				 .exact = sv_is(layer, "slurm") || sv_is(layer, "k8s") };
	h->elsewhere |= elsewhere;
	n->host = elsewhere ? ELSEWHERE : host_named(h, name, layer);
	if (n->host == NONE)
		return GPUDX_OK;
	if (!elsewhere)
		judge_container(h, n, h->nhosts > known, gpudx_col_text(row, 4));
	h->nnames++;
	return GPUDX_OK;
}

/* The only other source of which a log says that it is of another host; 0 none, or several. */
static int64_t only_other_name(const struct hosts *h, int64_t log, size_t *at)
{
	int64_t only = 0;

	for (size_t i = 0; i < h->nnames; i++) {
		if (h->names[i].parent != log || !h->names[i].log || h->names[i].source == only)
			continue;
		if (only)
			return 0;
		only = h->names[i].source;
		*at = i;
	}
	return only;
}

/* A makeshift name is that of other machines, too. */
static void rename_host(struct hosts *h, struct said_name *n, int host)
{
	int old = n->host;

	n->host = host;
	for (size_t i = 0; i < h->nnames && !gpudx_host_is_makeshift(h->host[old].name); i++)
		if (h->names[i].host == old)
			h->names[i].host = host;
}

/* A machine that got its name late has what it said before under that name, too. */
static enum gpudx_status find_renamed(struct hosts *h, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;
	size_t at = 0;

	for (size_t i = 0; i < h->nnames && !rc; i++) {
		struct said_name *n = &h->names[i];
		struct gpudx_two_names two = { .before = n->source };
		bool is = false;

		if (!n->log || !(two.after = only_other_name(h, n->source, &at)) ||
		    n->host == h->names[at].host)
			continue;
		two.old_name = h->host[n->host].name;
		two.new_name = h->host[h->names[at].host].name;
		rc = gpudx_host_renamed(h->db, &two, &is, err);
		if (is)
			rename_host(h, n, h->names[at].host);
	}
	return rc;
}

static enum gpudx_status load_names(struct hosts *h, struct gpudx_err *err)
{
	static const char sql[] =
		"SELECT f.source_id, f.line_id & 0xffffffff, f.value, f.layer, l.text, s.parent_id"
		" FROM fact f"
		" JOIN source s ON s.id = f.source_id LEFT JOIN line l ON l.id = f.line_id"
		" WHERE s.bundle_id = ?1 AND f.key = 'host.name' AND f.value IS NOT NULL"
		" ORDER BY f.source_id, f.line_id, f.id";

	enum gpudx_status rc = gpudx_pods_load(&h->pods, h->db, h->bundle, err);

	if (!rc)
		rc = gpudx_query_each(h->db, sql, h->bundle, name_row, h, err);
	drop_what_names_no_host(h);
	return rc ? rc : find_renamed(h, err);
}

/* ---- what the names of one source mean ---- */

/* Names that one source said, without its prompts: [from, to) of h->names. */
struct run_of_names {
	size_t from, to;
	int last;	  /* host of the last of them, NONE when there is none */
	unsigned changes; /* from one host to another */
	bool returns; /* to a host that was named before: lines of several hosts are mixed, as they
			   * are where schedulers name them */
};

static bool named_before(const struct hosts *h, size_t from, size_t i)
{
	for (size_t k = from; k < i; k++)
		if (!h->names[k].prompt && h->names[k].host == h->names[i].host)
			return true;
	return false;
}

static struct run_of_names next_run(const struct hosts *h, size_t from)
{
	struct run_of_names r = { .from = from, .to = from, .last = NONE };

	for (; r.to < h->nnames && h->names[r.to].source == h->names[from].source; r.to++) {
		const struct said_name *n = &h->names[r.to];

		if (n->prompt || n->host == r.last)
			continue;
		if (r.last != NONE) {
			r.changes++;
			r.returns |= n->exact || named_before(h, from, r.to);
		}
		r.last = n->host;
	}
	return r;
}

/* Three names and no turns. */
static bool is_crowd(const struct run_of_names *r)
{
	return r->changes > 1 && !r->returns;
}

/* The host of a source that names hosts itself. One name after another is a machine that got its
 * name late; names that take turns are a log of several machines, of which the first stands for
 * the source; of a crowd nobody does. */
static int host_of_run(const struct hosts *h, const struct run_of_names *r)
{
	if (r->returns)
		for (size_t i = r->from; i < r->to; i++)
			if (!h->names[i].prompt)
				return h->names[i].host;
	return is_crowd(r) ? NONE : r->last;
}

static int first_prompt(const struct hosts *h, const struct run_of_names *r)
{
	for (size_t i = r->from; i < r->to; i++)
		if (h->names[i].prompt && h->names[i].host >= 0)
			return h->names[i].host;
	return NONE;
}

/* Marks the hosts that really appear; returns how many. */
static int mark_used(struct hosts *h)
{
	int n = 0;

	for (size_t i = 0; i < h->nnames;) {
		struct run_of_names r = next_run(h, i);

		if (host_of_run(h, &r) >= 0)
			h->host[host_of_run(h, &r)].used = true;
		for (size_t k = r.from; k < r.to; k++)
			if ((h->names[k].prompt || r.returns) && h->names[k].host >= 0)
				h->host[h->names[k].host].used = true;
		i = r.to;
	}
	for (int i = 0; i < h->nhosts; i++)
		n += h->host[i].used;
	return n;
}

/* ---- several hosts ---- */

/* Lines of a log of several hosts: each belongs to the host that was named last. */
static enum gpudx_status write_host_at(struct hosts *h, const struct run_of_names *r,
				       struct gpudx_err *err)
{
	sqlite3_stmt *st = NULL;
	enum gpudx_status rc =
		gpudx_db_prepare(h->db, "INSERT INTO temp.host_at VALUES(?, ?, ?)", &st, err);

	for (size_t i = r->from; i < r->to && !rc; i++) {
		if (h->names[i].host < 0)
			continue;
		sqlite3_bind_int64(st, 1, h->names[i].source);
		sqlite3_bind_int64(st, 2, h->names[i].line);
		sqlite3_bind_int64(st, 3, h->host[h->names[i].host].id);
		rc = gpudx_db_run(st, err);
	}
	sqlite3_finalize(st);
	return rc;
}

static enum gpudx_status write_mixed(struct hosts *h, struct gpudx_err *err)
{
	enum gpudx_status rc = GPUDX_OK;

	for (size_t i = 0; i < h->nnames && !rc;) {
		struct run_of_names r = next_run(h, i);

		if (r.returns)
			rc = write_host_at(h, &r, err);
		i = r.to;
	}
	return rc;
}

static void take_own_names(struct hosts *h)
{
	for (size_t i = 0; i < h->nnames;) {
		struct run_of_names r = next_run(h, i);
		struct src *s = find_src(h, h->names[i].source);

		if (s && r.last != NONE) {
			s->host = host_of_run(h, &r);
			s->crowd = is_crowd(&r) || s->host == ELSEWHERE;
			s->host = s->crowd ? NONE : s->host;
		}
		i = r.to;
	}
}

/* Where the command of the prompt above a line of a member ran; NONE when there is none. */
static int prompt_above(const struct hosts *h, int64_t source, int64_t line)
{
	int host = NONE;

	for (size_t i = 0; i < h->nnames && h->names[i].source <= source; i++)
		if (h->names[i].source == source && h->names[i].prompt && h->names[i].line <= line)
			host = h->names[i].host;
	return host;
}

/* Parts follow the prompt above them, else their member; a member follows its first part that knows
 * its host, else its first prompt. */
static void take_prompts_and_parts(struct hosts *h)
{
	for (size_t i = 0; i < h->nsrcs; i++) {
		struct src *s = &h->srcs[i], *parent = s->parent ? find_src(h, s->parent) : NULL;

		if (!parent || s->crowd)
			continue;
		if (s->host == NONE)
			s->host = prompt_above(h, s->parent, s->first_line);
		if (s->host == ELSEWHERE) {
			s->host = NONE;
			s->crowd = true;
		} else if (s->host == NONE) {
			s->host = parent->host;
		}
	}
	for (size_t i = 0; i < h->nsrcs; i++) {
		struct src *s = &h->srcs[i], *parent = s->parent ? find_src(h, s->parent) : NULL;

		if (parent && s->host != NONE && parent->host == NONE)
			parent->host = s->host;
	}
	for (size_t i = 0; i < h->nnames;) {
		struct run_of_names r = next_run(h, i);
		struct src *s = find_src(h, h->names[i].source);

		if (s && s->host == NONE && !s->crowd)
			s->host = first_prompt(h, &r);
		i = r.to;
	}
	for (size_t i = 0; i < h->nsrcs; i++) {
		struct src *s = &h->srcs[i], *parent = s->parent ? find_src(h, s->parent) : NULL;

		if (parent && s->host == NONE && !s->crowd)
			s->host = parent->host;
	}
}

static struct gpudx_sv directory(struct gpudx_sv path)
{
	while (path.n && path.p[path.n - 1] != '/')
		path.n--;
	if (path.n)
		path.n--;
	return path;
}

static bool note_directories(struct hosts *h)
{
	for (size_t i = 0; i < h->nsrcs; i++) {
		struct gpudx_sv dir = h->srcs[i].path;

		if (h->srcs[i].host == NONE)
			continue;
		do {
			uint32_t *at, want = (uint32_t)h->srcs[i].host + 1;
			bool is_new;

			dir = directory(dir);
			at = gpudx_map_at(&h->dirs, dir, &is_new);
			if (!at)
				return false;
			*at = is_new || *at == want ? want : MIXED;
		} while (dir.n);
	}
	return true;
}

/* The only host whose short name stands as a word in the path. */
static int host_in_path(const struct hosts *h, struct gpudx_sv path)
{
	int found = NONE;

	for (int i = 0; i < h->nhosts; i++) {
		if (!h->host[i].used || !gpudx_path_has(path, gpudx_host_label(h->host[i].name)))
			continue;
		if (found != NONE)
			return NONE;
		found = i;
	}
	return found;
}

/* The host of the nearest directory in which somebody names one; not above the name that stands in
 * the path. */
static int host_around(const struct hosts *h, const struct src *s)
{
	struct gpudx_sv dir = s->path;
	const uint32_t *at;

	do {
		dir = directory(dir);
		if (s->in_path != NONE && dir.n < s->within)
			return NONE;
		at = gpudx_map_get(&h->dirs, dir);
		if (at)
			return *at == MIXED ? NONE : (int)*at - 1;
	} while (dir.n);
	return NONE;
}

/* What a path calls a machine may be another name of it: where all in that directory that name
 * theirs name the same one. */
static void find_aliases(struct hosts *h)
{
	for (int i = 0; i < h->nhosts; i++)
		h->host[i].alias = NONE;
	for (size_t i = 0; i < h->nsrcs; i++) {
		const struct src *s = &h->srcs[i];
		int *alias = s->in_path == NONE ? NULL : &h->host[s->in_path].alias;

		if (alias && s->host != NONE)
			*alias = *alias == NONE || *alias == s->host ? s->host : ELSEWHERE;
	}
}

static int unaliased(const struct hosts *h, int host)
{
	return host >= 0 && h->host[host].alias >= 0 ? h->host[host].alias : host;
}

static enum gpudx_status place_the_rest(struct hosts *h, struct gpudx_err *err)
{
	int nobody = h->nhosts;

	if (!note_directories(h))
		return gpudx_nomem(err);
	find_aliases(h);
	for (size_t i = 0; i < h->nsrcs; i++) {
		struct src *s = &h->srcs[i];

		if (s->host == NONE && !s->crowd)
			s->host = unaliased(h, host_in_path(h, s->path));
		if (s->host == NONE && !s->crowd)
			s->host = host_around(h, s);
		if (s->host == NONE && !s->crowd)
			s->host = unaliased(h, s->in_path);
		if (s->host == NONE) {
			s->host = nobody;
			h->host[nobody].how = "of sources that name no host";
			h->nhosts = nobody + 1;
		}
	}
	return GPUDX_OK;
}

/* ---- rows ---- */

static enum gpudx_status insert_host(struct hosts *h, struct host *host, struct gpudx_err *err)
{
	sqlite3_stmt *st = NULL;
	enum gpudx_status rc;

	rc = gpudx_db_prepare(h->db, "INSERT INTO host(bundle_id, name, how) VALUES(?, ?, ?)", &st,
			      err);
	if (rc)
		return rc;
	sqlite3_bind_int64(st, 1, h->bundle);
	gpudx_bind_text(st, 2, host->name);
	gpudx_bind_text(st, 3, host->how ? sv_str(host->how) : host->layer);
	rc = gpudx_db_run(st, err);
	sqlite3_finalize(st);
	host->id = sqlite3_last_insert_rowid(h->db);
	return rc;
}

static enum gpudx_status one_host(struct hosts *h, struct gpudx_err *err)
{
	static const char all[] = "UPDATE source SET host_id = (SELECT max(id) FROM host"
				  " WHERE bundle_id = ?1) WHERE bundle_id = ?1";
	struct host nobody = { .how = "no source names it" }, *host = &nobody;
	enum gpudx_status rc;

	for (int i = 0; i < h->nhosts; i++)
		if (h->host[i].used)
			host = &h->host[i];
	rc = insert_host(h, host, err);
	return rc ? rc : gpudx_query_run(h->db, all, h->bundle, err);
}

static enum gpudx_status write_srcs(struct hosts *h, struct gpudx_err *err)
{
	sqlite3_stmt *st = NULL;
	enum gpudx_status rc = GPUDX_OK;

	for (int i = 0; i < h->nhosts; i++)
		h->host[i].used = false;
	for (size_t i = 0; i < h->nsrcs; i++)
		h->host[h->srcs[i].host].used = true;
	for (size_t i = 0; i < h->nnames;) {
		struct run_of_names r = next_run(h, i);

		for (size_t k = r.from; k < r.to && r.returns; k++)
			if (h->names[k].host >= 0)
				h->host[h->names[k].host].used = true;
		i = r.to;
	}
	for (int i = 0; i < h->nhosts && !rc; i++)
		if (h->host[i].used)
			rc = insert_host(h, &h->host[i], err);
	if (!rc)
		rc = gpudx_db_prepare(h->db, "UPDATE source SET host_id = ? WHERE id = ?", &st,
				      err);
	for (size_t i = 0; i < h->nsrcs && !rc; i++) {
		sqlite3_bind_int64(st, 1, h->host[h->srcs[i].host].id);
		sqlite3_bind_int64(st, 2, h->srcs[i].id);
		rc = gpudx_db_run(st, err);
	}
	sqlite3_finalize(st);
	return rc;
}

/* Another host whose name is of the same make: "hgx04" of "hgx06". */
static bool has_sister(const struct hosts *h, struct gpudx_sv name)
{
	struct gpudx_sv stem = gpudx_host_stem(name), other;

	for (int i = 0; i < h->nhosts && stem.p; i++) {
		other = gpudx_host_stem(h->host[i].name);
		if (h->host[i].used && other.p && sv_ieq(other, stem) &&
		    !gpudx_host_same(h->host[i].name, name))
			return true;
	}
	return false;
}

/* Parts are where their member is. */
static void take_paths_of_members(struct hosts *h)
{
	for (size_t i = 0; i < h->nsrcs; i++) {
		struct src *s = &h->srcs[i], *parent = s->parent ? find_src(h, s->parent) : NULL;

		if (!parent)
			continue;
		s->in_path = parent->in_path;
		s->within = parent->within;
	}
}

/* The host that a path names: the node of a pod, or what looks like a name. */
static void name_by_path(struct hosts *h, struct src *s, const struct gpudx_path_host *v)
{
	struct gpudx_sv node = gpudx_pod_in_path(&h->pods, s->path, &s->within);

	if (node.p) {
		s->in_path = host_named(h, node, SV_LIT("k8s"));
	} else if (v->name.p && is_real_name(v->name, SV_LIT("path")) &&
		   (!v->lone || has_sister(h, v->name))) {
		s->in_path = host_named(h, v->name, SV_LIT("path"));
		s->within = (size_t)(v->name.p + v->name.n - s->path.p);
	}
}

/* Hosts that only paths name. Returns how many different ones there are. */
static enum gpudx_status name_by_paths(struct hosts *h, int *count, struct gpudx_err *err)
{
	struct gpudx_path_host *v = gpudx_arena_array(&h->arena, h->nsrcs + 1, sizeof(*v));
	bool seen[HOSTS_MAX] = { false };

	if (!v)
		return gpudx_nomem(err);
	for (size_t i = 0; i < h->nsrcs; i++)
		v[i].path = h->srcs[i].parent ? sv_n("", 0) : h->srcs[i].path;
	if (!gpudx_path_hosts(&h->arena, v, h->nsrcs))
		return gpudx_nomem(err);
	for (size_t i = 0; i < h->nsrcs; i++) {
		struct src *s = &h->srcs[i];

		if (!s->parent)
			name_by_path(h, s, &v[i]);
		if (s->in_path == NONE)
			continue;
		*count += !seen[s->in_path];
		seen[s->in_path] = true;
		h->host[s->in_path].used |= v[i].lone;
	}
	take_paths_of_members(h);
	return GPUDX_OK;
}

/* Whoever is named in the text or in a path. One that only the path names is it when nobody else
 * is, or when there are several. */
static int mark_paths(struct hosts *h, int said, int in_paths)
{
	int n = 0;

	for (size_t i = 0; i < h->nsrcs && (!said || in_paths > 1); i++)
		if (h->srcs[i].in_path != NONE)
			h->host[h->srcs[i].in_path].used = true;
	for (int i = 0; i < h->nhosts; i++)
		n += h->host[i].used;
	return n;
}

static enum gpudx_status several_hosts(struct hosts *h, struct gpudx_err *err)
{
	enum gpudx_status rc;

	take_own_names(h);
	take_prompts_and_parts(h);
	rc = place_the_rest(h, err);
	if (!rc)
		rc = write_srcs(h, err);
	return rc ? rc : write_mixed(h, err);
}

static enum gpudx_status find_hosts(struct hosts *h, struct gpudx_err *err)
{
	int said = mark_used(h), in_paths = 0;
	enum gpudx_status rc = name_by_paths(h, &in_paths, err);

	if (rc)
		return rc;
	said = mark_paths(h, said, in_paths);
	return said > 1 || (said && h->elsewhere) ? several_hosts(h, err) : one_host(h, err);
}

enum gpudx_status gpudx_derive_hosts(struct gpudx_store *store, int64_t bundle,
				     struct gpudx_err *err)
{
	static const char *const tables[] = {
		"CREATE TEMP TABLE IF NOT EXISTS host_at(source_id INT, line INT, host_id INT)",
		"CREATE INDEX IF NOT EXISTS temp.host_at_line ON host_at(source_id, line)",
		"DELETE FROM temp.host_at",
	};
	static const char machine[] =
		"UPDATE host SET machine_id = (SELECT f.value FROM fact f"
		"  JOIN source s ON s.id = f.source_id WHERE s.host_id = host.id"
		"  AND f.key = 'host.machine_id' ORDER BY f.id LIMIT 1) WHERE id IN"
		" (SELECT s.host_id FROM fact f JOIN source s ON s.id = f.source_id"
		"  WHERE s.bundle_id = ?1 AND f.key = 'host.machine_id')";
	struct hosts *h = calloc(1, sizeof(*h));
	enum gpudx_status rc;

	if (!h)
		return gpudx_nomem(err);
	h->db = gpudx_store_db(store);
	h->bundle = bundle;
	h->arena.limit = MEMORY;
	h->dirs.arena = h->pods.arena = &h->arena;
	rc = gpudx_query_all(h->db, tables, sizeof(tables) / sizeof(tables[0]), bundle, err);
	if (!rc)
		rc = load_srcs(h, err);
	if (!rc)
		rc = load_names(h, err);
	if (!rc)
		rc = find_hosts(h, err);
	if (!rc)
		rc = gpudx_query_run(h->db, machine, bundle, err);
	gpudx_arena_free(&h->arena);
	free(h);
	return rc;
}
