#include "ingest/crowd.h"

enum { HEAD_LINES = 4, HOST_MAX = 63 };

/* Numbered things of one machine that stand in front of a colon, too. */
static bool is_no_host(struct gpudx_sv token)
{
	static const char *const words[] = { "gpu", "cuda",   "eth",  "nvme", "mlx",
					     "cpu", "nvidia", "rank", "link", "card",
					     "sd",  "dm-",    "loop", "ib",   "line" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct gpudx_sv rest = token;
		uint64_t n;

		if (sv_ilit(&rest, words[i]) && sv_u64(&rest, &n) && !rest.n)
			return true;
	}
	return false;
}

static bool is_name_char(char c)
{
	return sv_is_alpha(c) || sv_is_digit(c) || c == '-' || c == '.' || c == '_';
}

/* "node01: text" and "[pod/job-0/main] text": the name; *n is the length of all that stands in
 * front of the text. */
static bool line_host(struct gpudx_sv line, struct gpudx_sv *host, size_t *n)
{
	struct gpudx_sv c = line, pod;
	bool digit = false;
	size_t i = 0;

	if (sv_lit(&c, "[pod/") && sv_until(&c, "/", &pod) && sv_until(&c, "] ", host)) {
		*host = pod;
		*n = line.n - c.n;
		return pod.n > 0 && pod.n <= HOST_MAX && !sv_has(pod, " ");
	}
	for (; i < line.n && is_name_char(line.p[i]); i++)
		digit |= sv_is_digit(line.p[i]);
	if (!digit || i > HOST_MAX || i == line.n || line.p[i] != ':' ||
	    (i + 1 < line.n && line.p[i + 1] != ' '))
		return false;
	*host = sv_first(line, i);
	*n = i + 1 < line.n ? i + 2 : i + 1;
	return !is_no_host(*host);
}

bool gpudx_is_crowd(struct gpudx_sv head)
{
	struct gpudx_sv host, line;
	size_t lines = 0, n;

	/* The last line of the head may be cut. */
	while (head.n && head.p[head.n - 1] != '\n')
		head.n--;
	while (sv_line(&head, &line)) {
		if (!line_host(line, &host, &n))
			return false;
		lines++;
	}
	return lines >= HEAD_LINES;
}

static bool add_host(struct gpudx_crowd *c, struct gpudx_sv host)
{
	for (unsigned i = c->n; i > 0; i--)
		if (sv_eq(c->host[i - 1], host))
			return true;
	if (c->n == GPUDX_CROWD_HOSTS)
		return false;
	c->host[c->n++] = host;
	return true;
}

bool gpudx_crowd_read(struct gpudx_crowd *c, struct gpudx_stream *s)
{
	struct gpudx_sv rest, line, host;
	size_t n;
	char *p;

	*c = (struct gpudx_crowd){ .text = { .max = GPUDX_CROWD_BYTES + 1 } };
	do {
		size_t room = GPUDX_CROWD_BYTES - c->text.n;

		room = room < 1 << 16 ? room : 1 << 16;
		p = room ? gpudx_buf_room(&c->text, room) : NULL;
		n = p ? gpudx_stream_read(s, p, room) : 0;
		c->text.n += n;
	} while (n);
	if (c->text.failed)
		return false;
	if (c->text.n == GPUDX_CROWD_BYTES)
		c->cut = "limit: only the beginning of what many hosts printed into one file";
	rest = sv_n(gpudx_buf_cstr(&c->text), c->text.n);
	while (sv_line(&rest, &line))
		if (line_host(line, &host, &n) && !add_host(c, host))
			c->cut = "limit: more hosts in one file than can be kept apart";
	return true;
}

void gpudx_crowd_free(struct gpudx_crowd *c)
{
	gpudx_buf_free(&c->text);
}

/* Line by line; what is not this host's text becomes backspaces, which erase nothing at the
 * beginning of a line and take up the same room. */
static size_t crowd_pull(struct gpudx_stream *stream, void *buf, size_t n)
{
	struct gpudx_crowd_stream *s = (struct gpudx_crowd_stream *)stream;
	struct gpudx_sv all = sv_n(s->crowd->text.p, s->crowd->text.n), host;
	char *out = buf;
	size_t i = 0;

	for (; i < n && s->at < all.n; i++, s->at++) {
		if (!s->at || all.p[s->at - 1] == '\n') {
			struct gpudx_sv rest = sv_from(all, s->at), line;

			line = sv_first(rest, sv_index(rest, '\n'));
			s->other = !line_host(line, &host, &s->hide) || !sv_eq(host, s->host);
		}
		out[i] = all.p[s->at];
		if (out[i] != '\n' && (s->other || s->hide))
			out[i] = '\b';
		s->hide -= s->hide > 0;
	}
	s->base.out += i;
	return i;
}

void gpudx_crowd_open(struct gpudx_crowd_stream *s, const struct gpudx_crowd *c, unsigned i)
{
	*s = (struct gpudx_crowd_stream){ .base = { .pull = crowd_pull },
					  .crowd = c,
					  .host = c->host[i] };
}
