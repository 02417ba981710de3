/* pip list --format=json and conda list --json: an array of objects with name and version.
 *
 *   [{"name": "torch", "version": "2.1.0+cu121"}, {"name": "numpy", "version": "1.26.0"}]
 *
 *   [
 *     {
 *       "base_url": "https://conda.anaconda.org/pytorch",
 *       "build_string": "py3.10_cuda12.1_cudnn8.9.2_0",
 *       "channel": "pytorch",
 *       "name": "pytorch",
 *       "version": "2.1.0"
 *     },
 *
 *   {"version": "1", "installed": [{"metadata": {"name": "torch", "version": "2.3.1"}, ...     pip inspect
 *
 * Source: pip, commands/list.py and commands/inspect.py; conda, cli/main_list.py. */
#include "base/json.h"
#include "parse/json_head.h"
#include "parse/package_block.h"

struct package_json {
	struct gpudx_json json;
	char name[PKG_BLOCK_TEXT], version[PKG_BLOCK_TEXT], build[PKG_BLOCK_TEXT];
	bool conda, pypi, broken;
};

static void take(struct gpudx_ctx *c, struct package_json *s)
{
	static const char *const paths[] = { "[].name",
					     "[].version",
					     "[].build_string",
					     "[].channel",
					     "[].dist_name",
					     "installed[].metadata.name",
					     "installed[].metadata.version" };
	struct pkg p = { .name = sv_str(s->name),
			 .version = sv_str(s->version),
			 .build = sv_str(s->build) };
	const struct gpudx_json *j = &s->json;

	struct gpudx_sv path = gpudx_json_path(j);
	bool whole = sv_is(path, "[]") || sv_is(path, "installed[]");

	if (j->kind == GPUDX_JSON_OBJECT && whole) {
		s->name[0] = s->version[0] = s->build[0] = 0;
		s->conda = s->pypi = false;
	} else if (j->kind == GPUDX_JSON_OBJECT_END && whole) {
		pkg_installed(c, s->conda && !s->pypi ? PKG_CONDA : PKG_PIP, &p);
	} else if (j->kind == GPUDX_JSON_STRING) {
		switch (gpudx_json_find(j, paths, sizeof(paths) / sizeof(paths[0]))) {
		case 0:
		case 5:
			text_keep(s->name, PKG_BLOCK_TEXT, j->text);
			break;
		case 1:
		case 6:
			text_keep(s->version, PKG_BLOCK_TEXT, j->text);
			break;
		case 2:
			text_keep(s->build, PKG_BLOCK_TEXT, j->text);
			break;
		case 3:
			s->pypi = sv_is(j->text, "pypi");
			break;
		case 4:
			s->conda = true;
			break;
		default:
			break;
		}
	}
}

static bool json_opens(struct gpudx_sv line)
{
	line = sv_ltrim(line);
	return sv_starts(line, "[") || sv_starts(line, "{");
}

static enum gpudx_take json_line(struct gpudx_ctx *c, struct gpudx_sv line)
{
	struct package_json *s = gpudx_state(c);

	if (s->broken || (gpudx_json_whole(&s->json) && !json_opens(line)))
		return GPUDX_NOT_MINE;
	gpudx_json_feed(&s->json, line, true);
	while (gpudx_json_next(&s->json))
		take(c, s);
	if (!s->json.error)
		return GPUDX_TAKEN;
	s->broken = true;
	return gpudx_reject(c, s->json.error);
}

/* Arrays of names and versions are common: something of Python must be among them. */
static int json_bid(const struct gpudx_head *head)
{
	static const char *const names[] = { "\"torch\"", "\"pip\"", "\"numpy\"", "\"setuptools\"",
					     "\"build_string\"" };

	if (json_head_opens(head, '{'))
		return json_head_has(head, "\"pip_version\"") &&
				       json_head_has(head, "\"installed\"")
			       ? 80
			       : 0;
	if (!json_head_opens(head, '[') || !json_head_has(head, "\"name\"") ||
	    !json_head_has(head, "\"version\""))
		return 0;
	if (sv_has(head->command, "pip") || sv_has(head->command, "conda"))
		return 80;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (json_head_has(head, names[i]))
			return 60;
	return 0;
}

const struct gpudx_parser gpudx_parser_package_json = {
	.name = "package-json",
	.what = "pip list --format=json, pip inspect, conda list --json",
	.bid = json_bid,
	.line = json_line,
	.state_size = sizeof(struct package_json),
};
