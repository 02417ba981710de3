#include "gpudx/status.h"

#include <stdarg.h>
#include <stdio.h>

enum gpudx_status gpudx_fail(struct gpudx_err *err, enum gpudx_status st, const char *fmt, ...)
{
	va_list ap;

	err->st = st;
	err->depth = 1;
	va_start(ap, fmt);
	vsnprintf(err->text[0], sizeof(err->text[0]), fmt, ap);
	va_end(ap);
	return st;
}

enum gpudx_status gpudx_while(struct gpudx_err *err, const char *fmt, ...)
{
	va_list ap;

	if (err->depth >= GPUDX_ERR_DEPTH)
		return err->st;
	va_start(ap, fmt);
	vsnprintf(err->text[err->depth], sizeof(err->text[0]), fmt, ap);
	va_end(ap);
	err->depth++;
	return err->st;
}
