#!/bin/sh
# Writes a C file that holds the files named as arguments (src/base/embed.h). Needs od and awk only.
set -eu

echo '#include "base/embed.h"'
n=0
for f in "$@"; do
	echo "static const char f${n}[] = {"
	od -An -v -tu1 "$f" | awk '{ for (i = 1; i <= NF; i++) printf("%d,", ($i > 127) ? $i - 256 : $i); print "" }'
	echo '0};'
	n=$((n + 1))
done
echo 'const struct gpudx_embedded gpudx_embedded[] = {'
n=0
for f in "$@"; do
	echo "	{ \"$f\", f$n, sizeof(f$n) - 1 },"
	n=$((n + 1))
done
echo '};'
echo 'const size_t gpudx_embedded_count = sizeof(gpudx_embedded) / sizeof(gpudx_embedded[0]);'
