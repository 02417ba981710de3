#!/bin/sh
# A file has fewer than 800 lines, a function (between its braces) fewer than 60, and half of the
# functions fewer than 20. Data of the knowledge base and generated goldens do not count.
set -u
FILE_MAX=799 FUNCTION_MAX=59 MEDIAN_MAX=19
export FILE_MAX FUNCTION_MAX MEDIAN_MAX
status=0

for file in $(git ls-files 'src/*' 'include/*' 'tests/*.[ch]' 'tests/*.sh' 'tests/*.py' 'rules/*.sql' Makefile); do
	lines=$(wc -l <"$file")
	[ "$lines" -le $FILE_MAX ] || {
		echo "$file: $lines lines, more than $FILE_MAX"
		status=1
	}
done

# The braces of a function stand alone at the left edge; those of tables and types do not.
git ls-files 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' | xargs awk '
	/^\{$/ { from = FNR; next }
	/^\}$/ && from {
		size = FNR - from - 1
		from = 0
		print size
		if (size > ENVIRON["FUNCTION_MAX"])
			printf "%s:%d: a function of %d lines, more than %d\n",
				FILENAME, FNR - size - 1, size, ENVIRON["FUNCTION_MAX"] > "/dev/stderr"
	}
' | sort -n | awk '
	{ size[NR] = $1 }
	END {
		median = size[int((NR + 1) / 2)]
		if (NR < 100 || median > ENVIRON["MEDIAN_MAX"])
			printf "%d functions, median %d lines, more than %d\n", NR, median, ENVIRON["MEDIAN_MAX"]
		exit NR < 100 || median > ENVIRON["MEDIAN_MAX"] || size[NR] > ENVIRON["FUNCTION_MAX"]
	}
' || status=1
exit $status
