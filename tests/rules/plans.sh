#!/bin/sh
# No rule walks through the samples of GPUs, of which a bundle may have millions: their minutes,
# seconds and episodes say where to look, and rows are read there. Other series are walked once at most.
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"$B/gpudx-judge" samples/power-cap "$tmp/db" >/dev/null || exit 1

# what a rule should not do, so that this can fail
echo 'SELECT max(temp_c) FROM gpu_sample WHERE util_pct > 50' >"$tmp/walks.sql"
echo 'SELECT temp_c FROM gpu_sample WHERE rowid BETWEEN 5 AND 9' >"$tmp/looks.sql"
python3 tests/rules/plans.py "$tmp/db" "$tmp/walks.sql" "$tmp/looks.sql" >"$tmp/known" || exit 1
if [ "$(cat "$tmp/known")" != "$tmp/walks.sql: walks gpu_sample 1 time" ]; then
	echo "not ok plans: a walk is known from a look"
	cat "$tmp/known"
	exit 1
fi
echo "ok plans: a walk is known from a look"

find rules -name '*.sql' | LC_ALL=C sort |
	xargs python3 tests/rules/plans.py "$tmp/db" >"$tmp/walks" || exit 1
if grep -v ': walks metric_sample 1 time$' "$tmp/walks"; then
	echo "not ok plans: rules read samples only where something is"
	exit 1
fi
echo "ok plans: rules read samples only where something is"
