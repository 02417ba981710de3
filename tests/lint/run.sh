#!/bin/sh
# Runs every check of this folder (or those named) and closes with "N passed, N failed". A check
# is a script that prints what is wrong as FILE:LINE: WHAT and fails, or exits with 77 when a tool
# it needs is not installed. What a failed check said follows its line.
set -u

cd "$(dirname "$0")/../.." || exit 2
B=${B:-build}
export B
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0 skipped=0

[ $# -gt 0 ] || set -- tests/lint/*.sh
for check in "$@"; do
	check=$(basename "$check" .sh)
	[ "$check" != run ] || continue
	sh "tests/lint/$check.sh" >"$log" 2>&1
	case $? in
	0)
		passed=$((passed + 1))
		echo "ok   $check"
		;;
	77)
		skipped=$((skipped + 1))
		echo "SKIP $check: $(tail -n 1 "$log")"
		;;
	*)
		failed=$((failed + 1))
		echo "FAIL $check"
		sed 's/^/     /' "$log"
		;;
	esac
done
if [ "$skipped" -gt 0 ]; then
	echo "$passed passed, $failed failed, $skipped skipped"
else
	echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
