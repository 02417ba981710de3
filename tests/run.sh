#!/bin/sh
# Runs the named suites (unit golden rules e2e) and closes with "N passed, N failed". Each test is
# one line; the output of a failed one follows it. T=pattern filters by name.
set -u

B=${B:-build}
T=${T:-}
export B T
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export TMPDIR="$tmp"
passed=0 failed=0 skipped=0

wanted() {
	case $1 in
	*"$T"*) return 0 ;;
	*) return 1 ;;
	esac
}

# result NAME STATUS: 0 passed, 77 skipped, else failed; the log is in $tmp/log.
result() {
	case $2 in
	0) passed=$((passed + 1)) ;;
	77)
		skipped=$((skipped + 1))
		echo "SKIP $1: $(tail -n 1 "$tmp/log")"
		;;
	*)
		failed=$((failed + 1))
		echo "FAIL $1"
		sed 's/^/     /' "$tmp/log" | tail -n 60
		;;
	esac
}

# Unit programs report each test by themselves (cmocka, TAP).
suite_unit() {
	for t in "$B"/tests/test_*; do
		[ -x "$t" ] || continue
		wanted "unit/${t##*/}" || continue
		CMOCKA_MESSAGE_OUTPUT=TAP "$t" >"$tmp/tap" 2>"$tmp/err"
		status=$?
		# cmocka 1.1 says "not ok 2 # SKIP NAME" and means neither; TAP has "ok 2 - NAME # SKIP".
		grep -E '^(not )?ok .*# SKIP' "$tmp/tap" >"$tmp/skips"
		sed -E "s/^(not )?ok [0-9]+ (- )?//; s/ *# SKIP */ /; s|^ *|SKIP unit/${t##*/}: |" "$tmp/skips"
		grep -v '# SKIP' "$tmp/tap" >"$tmp/ran"
		ok=$(grep -c '^ok ' "$tmp/ran")
		bad=$(grep -c '^not ok ' "$tmp/ran")
		passed=$((passed + ok))
		failed=$((failed + bad))
		skipped=$((skipped + $(wc -l <"$tmp/skips")))
		if [ "$bad" -gt 0 ] || [ "$status" -ne 0 ]; then
			[ "$bad" -gt 0 ] || failed=$((failed + 1))
			echo "FAIL unit/${t##*/} (exit $status)"
			grep -A 8 '^not ok' "$tmp/ran" | sed 's/^/     /'
			sed 's/^/     /' "$tmp/err" | tail -n 40
		fi
	done
}

# tests/golden/PARSER/CASE.in with .out, and .cmd when a command is part of the case.
suite_golden() {
	for in in tests/golden/*/*.in; do
		[ -e "$in" ] || continue
		parser=$(basename "$(dirname "$in")")
		name="golden/$parser/$(basename "$in" .in)"
		wanted "$name" || continue
		cmd=
		[ -e "${in%.in}.cmd" ] && cmd=$(cat "${in%.in}.cmd")
		"$B/gpudx-dump" "$parser" "$cmd" <"$in" >"$tmp/out" 2>"$tmp/log"
		status=$?
		if [ $status -eq 0 ] && ! diff -u "${in%.in}.out" "$tmp/out" >"$tmp/log" 2>&1; then
			status=1
		fi
		result "$name" $status
	done
}

# Each script is one test, or prints "ok NAME" / "not ok NAME" / "skip NAME" lines for several.
suite_scripts() {
	for t in tests/"$1"/*.sh; do
		[ -e "$t" ] || continue
		name="$1/$(basename "$t" .sh)"
		case $name in
		rules/run | rules/shell) ;; # T means their fixtures
		*) wanted "$name" || continue ;;
		esac
		sh "$t" >"$tmp/log" 2>&1
		status=$?
		if grep -qE '^(ok|not ok|skip) ' "$tmp/log"; then
			passed=$((passed + $(grep -c '^ok ' "$tmp/log")))
			skipped=$((skipped + $(grep -c '^skip ' "$tmp/log")))
			grep '^skip ' "$tmp/log" | sed "s|^skip|SKIP $name:|"
			bad=$(grep -c '^not ok ' "$tmp/log")
			failed=$((failed + bad))
			if [ "$bad" -gt 0 ] || [ $status -ne 0 ]; then
				[ "$bad" -gt 0 ] || failed=$((failed + 1))
				echo "FAIL $name (exit $status)"
				grep -v '^ok ' "$tmp/log" | sed 's/^/     /' | tail -n 60
			fi
		else
			result "$name" $status
		fi
	done
}

for suite in "$@"; do
	case $suite in
	unit) suite_unit ;;
	golden) suite_golden && suite_scripts golden ;;
	rules) suite_scripts rules ;;
	e2e) suite_scripts e2e ;;
	*)
		echo "run.sh: no such suite: $suite" >&2
		exit 2
		;;
	esac
done
if [ "$skipped" -gt 0 ]; then
	echo "$passed passed, $failed failed, $skipped skipped"
else
	echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
