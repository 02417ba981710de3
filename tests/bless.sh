#!/bin/sh
# Rewrites the goldens from what the parsers say now. Review the difference like code.
set -eu
B=${B:-build}
T=${T:-}
for in in tests/golden/*/*.in; do
	[ -e "$in" ] || continue
	parser=$(basename "$(dirname "$in")")
	case "golden/$parser/$(basename "$in" .in)" in
	*"$T"*) ;;
	*) continue ;;
	esac
	cmd=
	[ -e "${in%.in}.cmd" ] && cmd=$(cat "${in%.in}.cmd")
	"$B/gpudx-dump" "$parser" "$cmd" <"$in" >"${in%.in}.out"
done
report=e2e/report
case $report in
*"$T"*) BLESS=1 sh tests/e2e/report.sh | grep '^not ok' ;;
esac || :
