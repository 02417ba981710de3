#!/bin/sh
# Unit tests of the reading side and whole runs on the samples under valgrind: any error or leak is a
# failure. The sanitizers see more of the stack, valgrind sees what libraries do with our memory.
set -u

B=${B:-build}
command -v valgrind >/dev/null 2>&1 || { echo "valgrind.sh: no valgrind" >&2; exit 2; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bad=0

# run NAME COMMAND...
run() {
	name=$1
	shift
	valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --log-file="$tmp/log" "$@" >/dev/null 2>&1
	if [ $? -eq 99 ] || grep -q 'ERROR SUMMARY: [1-9]\|Process terminating' "$tmp/log"; then
		echo "not ok $name"
		head -n 40 "$tmp/log"
		bad=1
	else
		echo "ok $name"
	fi
}

for t in arena buf map sv utf8 gzip lines prefilter member store; do
	[ ! -x "$B/tests/test_$t" ] || run "unit/$t" "$B/tests/test_$t"
done
for s in samples/*.expect; do
	s=${s%.expect}
	for format in text json html; do
		run "analyze $s $format" "$B/gpudx" analyze --format $format -o - "$s"
	done
done
"$B/gpudx" ingest samples/xid-after-update "$tmp/case.db" >/dev/null
run "sources of a database" "$B/gpudx" sources "$tmp/case.db"
run "report of a database" "$B/gpudx" report "$tmp/case.db"
head -c 200000 "$B/gpudx" >"$tmp/binary"
run "sources of binary data" "$B/gpudx" sources "$tmp/binary"
exit $bad
