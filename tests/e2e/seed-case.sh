#!/bin/sh
# The incident that the program was begun for: as fourteen files, and pasted into one transcript.
set -u
. tests/lib.sh
suite=seed-case
case=$shared/seed-case
[ -r "$case/expect.tsv" ] || skip_all "no $case"
command -v python3 >/dev/null || skip_all 'no python3'

# expectation COLUMN: its table as rows of expect.py; lines are cited as in this column.
expectation() {
	awk -F '\t' -v column="$1" '
	function cites(places, name,   n, i, all, out) {
		n = split(places, all, / *, */)
		for (i = 1; i <= n; i++)
			if (all[i] != "")
				out = out " " (name == "" ? "" : name ":") all[i]
		return out
	}
	/^#/ || NF < 3 { next }
	$3 ~ /^must/ { print "must", $1, $2 cites($column, column == 5 ? "transcript.txt" : "") }
	$3 ~ /first root$/ && $3 !~ /complaint/ { print "root", $1 }
	$3 == "never" { print "never", $1 }
	$3 ~ /^may/ { print "may", $1 }
	END { print "quiet-above info"; print "verdict explanation" }' "$case/expect.tsv"
}

mkdir "$tmp/files"
for file in "$case"/*; do
	case ${file##*/} in
	README.md | expect.tsv | transcript.txt) ;;
	*) cp "$file" "$tmp/files" ;;
	esac
done

# judged NAME COLUMN BUNDLE
judged() {
	ends 0 "$gpudx" analyze --format json -o "$tmp/$1.json" --db "$tmp/$1.db" "$3" >/dev/null
	python3 tests/e2e/expect.py "$suite/$1" "$tmp/$1.json" <<EOF2
$(expectation "$2")
EOF2
	"$gpudx" analyze --complaint crash --format json -o - "$3" >"$tmp/$1-crash.json"
	check "$1-crash" wants "$tmp/$1-crash.json" '.verdict.roots[0].id == "xid.mmu-fault"'
}
judged files 4 "$tmp/files"
judged transcript 5 "$case/transcript.txt"

check files-keep-the-schema python3 tests/report/check_json.py docs/report.schema.json "$tmp/files.json"
check transcript-keeps-the-schema python3 tests/report/check_json.py docs/report.schema.json "$tmp/transcript.json"

fourteen() {
	wants "$tmp/files.json" '(.sources | length) >= 14 and all(.sources[]; .parser != null and .rejected == 0)' &&
		[ "$(sqlite3 "$tmp/files.db" 'SELECT members || "/" || unread FROM bundle')" = 14/0 ]
}
check files-are-all-read fourteen

# The same conclusions, whatever the way in.
same() {
	for name in files transcript; do
		jq -S '[.findings[] | {id, severity, state, action, start, end}] | sort_by(.id)' \
			"$tmp/$name.json" >"$tmp/$name.findings"
	done
	diff -u "$tmp/files.findings" "$tmp/transcript.findings"
}
check both-ways-lead-to-the-same same

fits() {
	"$gpudx" report "$tmp/files.db" >"$tmp/text" && prints_in_100 "$tmp/text"
}
prints_in_100() {
	! LC_ALL=C.UTF-8 grep -nE '.{101}' "$1"
}
check text-has-100-columns fits
