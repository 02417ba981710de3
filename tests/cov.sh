#!/bin/sh
# Lines that the last run of the tests reached, per folder, from the gcov data under $B.
set -eu

B=${B:-build/cov}
find "$B/obj/src" -name '*.gcda' -print | while read -r data; do
	gcov -n -o "$(dirname "$data")" "$data" 2>/dev/null
done | awk -F"[:% ']+" '
	/^File / { file = $2 }
	/^Lines executed/ && file ~ /^src\// {
		split(file, part, "/")
		folder = part[2]
		all[folder] += $NF
		hit[folder] += $3 * $NF / 100
		file = ""
	}
	END {
		for (f in all) {
			printf "%-8s %5.1f %% of %5d lines\n", f, 100 * hit[f] / all[f], all[f]
			total += all[f]
			reached += hit[f]
		}
		if (total)
			printf "%-8s %5.1f %% of %5d lines\n", "~ all", 100 * reached / total, total
	}' | sort
