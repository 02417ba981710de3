#include "parse/k8s_event.h"

#include "parse/node_out.h"
#include "parse/said_fault.h"

struct gpudx_sv k8s_event_held(struct gpudx_sv reason)
{
	return sv_is(reason, "NodeNotReady")	     ? SV_LIT("NotReady")
	       : sv_is(reason, "NodeNotSchedulable") ? SV_LIT("cordoned")
						     : SV_LIT("");
}

/* ---- fields ---- */

static struct yaml_text *plain_field(struct k8s_event *e, struct gpudx_sv path)
{
	static const char *const names[] = { "involvedObject.kind",
					     "regarding.kind",
					     "involvedObject.name",
					     "regarding.name",
					     "source.host",
					     "deprecatedSource.host",
					     "type" };
	struct yaml_text *const at[] = { &e->kind, &e->kind, &e->name, &e->name,
					 &e->host, &e->host, &e->type };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (sv_is(path, names[i]))
			return at[i];
	return NULL;
}

/* The last time of a series counts; the object's own is the only one that some have. */
static bool is_time(struct gpudx_sv path)
{
	return sv_is(path, "lastTimestamp") || sv_is(path, "deprecatedLastTimestamp") ||
	       sv_is(path, "eventTime") || sv_is(path, "series.lastObservedTime");
}

static void keep_line(struct gpudx_ctx *c, struct k8s_event *e, bool telling)
{
	if (!telling || e->line)
		return;
	e->line = gpudx_this_line(c)->no;
	gpudx_cite(c);
}

void k8s_event_value(struct gpudx_ctx *c, struct k8s_event *e, struct gpudx_sv path,
		     struct gpudx_sv value)
{
	struct yaml_text *field = plain_field(e, path);

	if (field) {
		yaml_set(field, value);
	} else if (is_time(path)) {
		if (value.n && sv_is_digit(value.p[0]))
			yaml_set(&e->time, value);
	} else if (sv_is(path, "metadata.creationTimestamp") && !e->time.n) {
		yaml_set(&e->time, value);
	} else if (sv_is(path, "message") || sv_is(path, "note")) {
		yaml_set(&e->message, value);
		keep_line(c, e, says_fault(value));
	} else if (sv_is(path, "reason")) {
		yaml_set(&e->reason, value);
		keep_line(c, e, k8s_event_held(value).n);
	}
}

/* ---- the whole ---- */

/* Told of the node itself, or by a program on the node that is named. */
static void name_host(struct gpudx_ctx *c, const struct k8s_event *e)
{
	bool node = sv_is(yaml_sv(&e->kind), "Node");
	struct gpudx_sv name = yaml_sv(node ? &e->name : &e->host);

	if (name.n)
		gpudx_fact(c, 0, "host.name", "k8s", name);
}

void k8s_event_end(struct gpudx_ctx *c, const struct k8s_event *e)
{
	struct gpudx_sv time = yaml_sv(&e->time), message = yaml_sv(&e->message);
	struct gpudx_sv held = k8s_event_held(yaml_sv(&e->reason));
	struct gpudx_stamp t;

	if (!e->line)
		return;
	if (!gpudx_scan_iso(&time, &t))
		t = GPUDX_NO_STAMP;
	if (held.n && sv_is(yaml_sv(&e->kind), "Node"))
		node_put_out(c, yaml_sv(&e->name), "kubernetes", held, SV_LIT(""), &t, e->line);
	if (sv_is(yaml_sv(&e->type), "Normal") || !says_fault(message))
		return;
	name_host(c, e);
	said_fault(c, message, "kubernetes", &t, e->line);
}
