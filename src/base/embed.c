#include "base/embed.h"

struct gpudx_sv gpudx_embed(const char *path)
{
	for (size_t i = 0; i < gpudx_embedded_count; i++)
		if (strcmp(gpudx_embedded[i].path, path) == 0)
			return sv_n(gpudx_embedded[i].text, gpudx_embedded[i].n);
	return sv_n(NULL, 0);
}
