#!/bin/sh
# Boundaries between the stages: each folder of src includes only what includes.tsv lets it. A
# header in <> that none of the folders names is the C library's and free to all.
set -u
status=0

for dir in src/*/; do
	grep -q "^${dir%/}	" tests/lint/includes.tsv || [ "$dir" = src/tools/ ] || {
		echo "tests/lint/includes.tsv: nothing about $dir"
		status=1
	}
done

awk -F '\t' '
	FNR == NR && /^#/ { next }
	FNR == NR {
		n = split($2, words, " ")
		for (i = 1; i <= n; i++) {
			may[$1, words[i]] = 1
			ours[words[i]] = 1
		}
		next
	}
	match($0, /^[ \t]*#[ \t]*include[ \t]*[<"][^>"]*[>"]/) {
		header = substr($0, RSTART, RLENGTH)
		library = header ~ /</
		sub(/^[^<"]*[<"]/, "", header)
		sub(/[>"]$/, "", header)
		folder = FILENAME
		sub(/\/[^\/]*$/, "", folder)
		under = header
		if (!sub(/\/[^\/]*$/, "/", under))
			under = ""
		if (library && !(header in ours))
			next
		if (!library && (under == "" || "src/" under == folder "/"))
			next
		if (!((folder, header) in may) && !((folder, under) in may)) {
			printf "%s:%d: %s may not include %s\n", FILENAME, FNR, folder, header
			bad = 1
		}
	}
	END { exit bad }
' tests/lint/includes.tsv src/*/*.[ch] || status=1
exit $status
