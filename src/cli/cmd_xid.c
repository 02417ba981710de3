/* gpudx xid: what a code means, without any bundle. */
#include "cli.h"

#include <string.h>
#include <strings.h>

static const struct {
	const char *name;
	enum gpudx_code kind;
} kinds[] = { { "xid", GPUDX_XID }, { "sxid", GPUDX_SXID }, { "rminit", GPUDX_RMINIT } };

static int usage(void)
{
	fprintf(stderr, "usage: gpudx xid CODE | sxid CODE | rminit 0xSTAGE[:0xSTATUS[:LINE]]\n");
	return CLI_USAGE;
}

static int run(int argc, char **argv)
{
	const struct opt opts[] = { { .kind = OPT_END } };
	int n = opt_parse(&cmd_xid, opts, argc, argv);
	struct gpudx_err err = { 0 };
	enum gpudx_code kind = GPUDX_XID;
	bool known = n == 2;

	if (n <= 0)
		return n < 0 ? CLI_USAGE : CLI_OK;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]) && n == 3; i++) {
		if (strcasecmp(argv[1], kinds[i].name) == 0) {
			kind = kinds[i].kind;
			known = true;
		}
	}
	if (!known)
		return usage();
	return gpudx_code_explain(kind, argv[n - 1], stdout, &err) ? cli_fail(&err) : CLI_OK;
}

const struct cmd cmd_xid = {
	.name = "xid",
	.args = "CODE",
	.summary = "what an Xid means and what to do about it",
	.text = "gpudx xid 79                      an Xid, as in NVRM: Xid (PCI:0000:3b:00): 79\n"
		"gpudx xid sxid 12028              an SXid of an NVSwitch\n"
		"gpudx xid rminit 0x62:0x65:1792   RmInitAdapter failed! (0x62:0x65:1792)",
	.run = run,
};
