#!/bin/sh
# Whoever opens a parser sees first what it reads: its file begins with a comment that shows a
# line of the input, indented by three blanks or more.
set -u
status=0 seen=0
for file in src/parse/*.c; do
	grep -qE '^const struct gpudx_parser gpudx_parser_' "$file" || continue
	seen=$((seen + 1))
	awk '
		FNR == 1 && !/^\/\*/ { exit }
		/^ \*   +[^ ]/ { shown = 1; exit }
		/\*\// { exit }
		END { exit !shown }
	' "$file" || {
		echo "$file:1: does not begin with a comment that shows a line of its input"
		status=1
	}
done
[ $seen -gt 10 ] || {
	echo "only $seen parsers found in src/parse"
	status=1
}
exit $status
