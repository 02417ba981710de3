#include "gpudx/gpudx.h"

#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct gpudx_err err = { 0 };
	struct gpudx_case *c;
	struct gpudx_read in;

	if (argc < 4 || strcmp(argv[1], "ingest") != 0)
		return 2;
	unlink(argv[3]);
	if (gpudx_case_create(argv[3], &c, &err) || gpudx_case_read(c, argv[2], &in, &err)) {
		for (int i = 0; i < err.depth; i++)
			fprintf(stderr, "%s%s\n", i ? "  " : "gpudx: ", err.text[i]);
		return 1;
	}
	printf("%u members, %u unread\n", in.members, in.unread);
	gpudx_case_close(c);
	return 0;
}
