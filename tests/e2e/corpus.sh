#!/bin/sh
# Real files, each held against what an expert says of it (tests/corpus/*.tsv): who reads it, what is then
# in the database, what the rules conclude; no alarm on healthy ones, no line of a known format lost.
set -u
. tests/lib.sh
suite=corpus
corpus=$shared/corpus
[ -d "$corpus" ] || skip_all "no $corpus"
command -v python3 >/dev/null || skip_all 'no python3'

# A line is a file, or behind a tab a row of the file above it.
cat tests/corpus/*.tsv | sed '/^#/d; /^$/d' >"$tmp/rows"
grep -v '^	' "$tmp/rows" >"$tmp/files"

every_file_has_rows() {
	(cd "$corpus" && find . -type f ! -name README.md ! -name EXPECT.tsv) | sed 's|^\./||' | LC_ALL=C sort >"$tmp/there"
	LC_ALL=C sort "$tmp/files" | diff "$tmp/there" -
}
check every-file-has-rows every_file_has_rows

# Two at a time. A file whose rows allow none loses no line.
cat >"$tmp/one.sh" <<'EOS'
file=$1
own=$tmp/own/$$
awk -v file="$file" '
	/^\t/ { if (mine) print; if (mine && /^\trejects /) said = 1; next }
	{ mine = $0 == file }
	END { if (!said) print "\trejects 0" }' "$tmp/rows" >"$own.rows"
"$gpudx" analyze --format json -o "$own.json" --db "$own.db" "$corpus/$file" >/dev/null 2>"$own.err"
status=$?
test="corpus/$file"
case $status in
0)
	python3 tests/e2e/expect.py "$test" "$own.json" "$own.db" <"$own.rows"
	# Loading the schema takes longer than all the rest: those that conclude something are enough.
	if grep -q "	verdict " "$own.rows"; then
		python3 tests/report/check_json.py docs/report.schema.json "$own.json" >"$own.log" 2>&1
		case $? in
		0) echo "ok $test keeps the schema" ;;
		77) echo "skip $test: no jsonschema" ;;
		*) echo "not ok $test keeps the schema: $(head -n 1 "$own.log")" ;;
		esac
	fi
	;;
3) # nobody reads it, and there is no database: but it is said why
	why=$(sed -n 's/^\tunread //p' "$own.rows")
	if [ -n "$why" ] && grep -qF "$why" "$own.err"; then
		echo "ok $test unread $why"
	else
		echo "not ok $test: $(head -n 1 "$own.err")"
	fi
	;;
*) echo "not ok $test: exit $status: $(head -n 1 "$own.err")" ;;
esac
rm -f "$own".*
EOS
export corpus gpudx tmp
mkdir "$tmp/own" "$tmp/said"
xargs -P 2 -d '\n' -I '{}' sh -c 'sh "$tmp/one.sh" "$1" >"$tmp/said/$$"' sh '{}' <"$tmp/files"
cat "$tmp/said"/*
