#!/bin/sh
# A rule is plain SQL: the stock sqlite3 shell must give the same rows, byte for byte, as the engine:
# for all rules on the databases of samples and whole bundles, for each rule on those of its fixtures.
set -u
. tests/rules/fixtures.inc

rules=$(find rules -name '*.sql' | LC_ALL=C sort)
if [ -z "$rules" ]; then
	echo "no rules to compare"
	exit 77
fi

# compare NAME DB RULES: rules on one database.
compare() {
	for rule in $3; do
		echo ".print == $rule"
		echo ".read $rule"
	done >"$dbs/script"
	sqlite3 -batch -readonly -header -list -separator '|' -nullvalue NULL "$2" \
		<"$dbs/script" >"$dbs/shell.out" 2>&1
	# shellcheck disable=SC2086 # a list of paths
	"$B/gpudx-rule" "$2" $3 >"$dbs/engine.out" 2>&1
	if diff -u "$dbs/shell.out" "$dbs/engine.out" >"$dbs/diff"; then
		echo "ok shell $1"
	else
		echo "not ok shell $1"
		head -n 20 "$dbs/diff"
	fi
}

for dir in $(fixtures); do
	out=$dbs/$(echo "${dir#tests/rules/}" | tr / _)
	[ -f "$out.db" ] || judge_fixture "$dir" >/dev/null
	id=${dir#tests/rules/}
	id=${id%%/*}
	compare "${dir#tests/rules/}" "$out.db" "rules/${id%%.*}/${id#*.}.sql"
done
# judged NAME BUNDLE: on the database of a bundle.
judged() {
	case "rules/$1" in
	*"${T:-}"*) ;;
	*) return ;;
	esac
	if "$B/gpudx-judge" "$2" "$dbs/bundle.db" >"$dbs/log" 2>&1; then
		compare "$1" "$dbs/bundle.db" "$rules"
	else
		echo "not ok shell $1"
		cat "$dbs/log"
	fi
}

for sample in samples/*/; do
	judged "${sample%/}" "$sample"
done
shared=${GPUDX_SHARED:-../shared}
[ -d "$shared" ] || echo "skip shell: no $shared"
for bundle in "$shared"/corpus/bugreport/*.gz "$shared/seed-case/transcript.txt"; do
	[ ! -e "$bundle" ] || judged "$(basename "$bundle")" "$bundle"
done
exit 0
