#!/bin/sh
# How many events the kernel log parser finds in real files: tests/golden/events-kernlog.tsv,
# "file<TAB>kind<TAB>code<TAB>count" with files relative to the folder of shared files and "-" for any
# code. Kind * = all events together.
set -u
B=${B:-build}
shared=${GPUDX_SHARED:-../shared}

if [ ! -d "$shared" ]; then
	echo "skip events-kernlog: no $shared"
	exit 0
fi
tab=$(printf '\t')
while IFS="$tab" read -r file kind code count; do
	case $file in
	'' | '#'*) continue ;;
	esac
	if [ ! -r "$shared/$file" ]; then
		echo "skip events/$file: not there"
		continue
	fi
	case $file in
	*.gz) text="zcat $shared/$file" ;;
	*) text="cat $shared/$file" ;;
	esac
	got=$($text | "$B/gpudx-dump" kernel-log | awk -F '[\t ]' -v kind="$kind" -v code="code=$code" '
		$3 == "event" && (kind == "*" || $4 == kind) && (code == "code=-" || $5 == code || $6 == code) { n++ }
		END { print n + 0 }')
	if [ "$got" -eq "$count" ]; then
		echo "ok events/$file $kind $code"
	else
		echo "not ok events/$file: $got events $kind $code instead of $count"
	fi
done <tests/golden/events-kernlog.tsv
