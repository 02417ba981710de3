#!/bin/sh
# Which parser takes which real file: tests/golden/pick.tsv, "file<TAB>parser" with files relative
# to the folder of shared files ("-": nobody). Files ending in .gz are read through zcat.
set -u
B=${B:-build}
shared=${GPUDX_SHARED:-../shared}

if [ ! -d "$shared" ]; then
	echo "skip pick: no $shared"
	exit 0
fi
tab=$(printf '\t')
for table in tests/golden/pick*.tsv; do
	while IFS="$tab" read -r file parser; do
		case $file in
		'' | '#'*) continue ;;
		esac
		if [ ! -r "$shared/$file" ]; then
			echo "skip pick/$file: not there"
			continue
		fi
		case $file in
		*.gz) got=$(zcat "$shared/$file" | "$B/gpudx-dump" --sniff "$file") ;;
		*) got=$("$B/gpudx-dump" --sniff "$file" <"$shared/$file") ;;
		esac
		if [ "$got" = "$parser" ]; then
			echo "ok pick/$file"
		else
			echo "not ok pick/$file: $got instead of $parser"
		fi
	done <"$table"
done
