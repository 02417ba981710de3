#include "parse/klog_carrier.h"

enum { CARRIER_MAX = 256, LABELS_MAX = 2048 };

static bool is_pod_char(char c)
{
	return (c >= 'a' && c <= 'z') || sv_is_digit(c) || c == '-' || c == '.' || c == '/' ||
	       c == '_';
}

/* A name of Kubernetes; a number alone is a thread or a line. */
static bool scan_pod(struct gpudx_sv *s, struct gpudx_sv *out)
{
	bool letter = false;
	size_t i = 0;

	for (; i < s->n && i < CARRIER_MAX && is_pod_char(s->p[i]); i++)
		letter |= !sv_is_digit(s->p[i]) && s->p[i] != '.';
	*out = sv_first(*s, i);
	if (letter)
		*s = sv_from(*s, i);
	return letter;
}

/* "[pod/driver-x7k2p/ctr] ", "[driver-x7k2p ctr] ", "driver-x7k2p ctr [", "driver-1  | ". Pods are
 * no hosts. */
static bool skip_pod(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s, word;

	if (sv_char(&c, '[')) {
		if (!scan_pod(&c, &word))
			return false;
		if (sv_char(&c, ' ') && !scan_pod(&c, &word))
			return false;
		if (!sv_lit(&c, "] "))
			return false;
	} else if (!scan_pod(&c, &word) || !sv_char(&c, ' ')) {
		return false;
	} else if (sv_spaces(&c), !sv_lit(&c, "| ")) {
		if (!scan_pod(&c, &word) || !sv_char(&c, ' ') || !sv_starts(c, "["))
			return false;
	}
	*s = c;
	return true;
}

/* The value of one of the labels that name a machine: {host="node01", job="kernel"}. */
static struct gpudx_sv host_label(struct gpudx_sv labels)
{
	static const char *const names[] = { "host",	 "hostname",  "node",
					     "nodename", "node_name", "instance" };
	struct gpudx_sv name, value;

	while (sv_spaces(&labels) && sv_until(&labels, "=\"", &name) &&
	       sv_until(&labels, "\"", &value)) {
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (sv_is(name, names[i]))
				return sv_first(value, sv_index(value, ':')); /* of its port */
		sv_char(&labels, ',');
	}
	return sv_n(NULL, 0);
}

static bool skip_labels(struct gpudx_sv *s, struct klog_carrier *out)
{
	struct gpudx_sv c = *s, labels, head;
	struct gpudx_stamp t = GPUDX_NO_STAMP;

	if (!c.n || (c.p[0] != '{' && !sv_is_digit(c.p[0])))
		return false;
	if (c.p[0] != '{' && !gpudx_scan_iso(&c, &t))
		return false;
	sv_spaces(&c);
	head = sv_first(c, LABELS_MAX);
	if (!sv_char(&head, '{') || !sv_until(&head, "\"} ", &labels) || !sv_has(labels, "=\""))
		return false;
	/* The quote that ends the last value is part of it. */
	labels.n++;
	*s = sv_from(c, labels.n + 2);
	sv_spaces(s);
	out->host = host_label(labels);
	out->stamp = t;
	return true;
}

/* "node01: ", "/var/log/kern.log:", "kern.log:17:", "17:". A word that ends with ": " is the host
 * whose line it is. */
static bool skip_name(struct gpudx_sv *s, struct klog_carrier *out)
{
	struct gpudx_sv c = *s, word, number;
	size_t at = sv_index(sv_first(c, CARRIER_MAX), ':');
	uint64_t n;

	word = sv_first(c, at);
	if (!at || at + 1 >= c.n || c.p[at] != ':' || sv_has(word, " ") || sv_has(word, "["))
		return false;
	c = sv_from(c, at + 1);
	if (sv_char(&c, ' ')) {
		out->host = word;
	} else {
		number = c;
		if (sv_u64(&number, &n) && sv_char(&number, ':') && number.n &&
		    !sv_is_digit(number.p[0]))
			c = number;
	}
	*s = c;
	return true;
}

bool klog_skip_carrier(struct gpudx_sv *s, struct klog_carrier *out)
{
	*out = (struct klog_carrier){ .stamp = GPUDX_NO_STAMP };
	return sv_lit(s, "> ") || skip_pod(s) || skip_labels(s, out) || skip_name(s, out);
}

bool klog_skip_world(struct gpudx_sv *s)
{
	struct gpudx_sv c = *s;
	uint64_t n;

	if (!sv_lit(&c, "cpu") || !sv_u64(&c, &n) || !sv_char(&c, ':') || !sv_u64(&c, &n) ||
	    !sv_char(&c, ')'))
		return false;
	if (!sv_lit(&c, "WARNING: "))
		sv_lit(&c, "ALERT: ");
	*s = c;
	return true;
}
