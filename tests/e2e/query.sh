#!/bin/sh
# gpudx query: reads a case database, and nothing else.
set -u
. tests/lib.sh
suite=query

fresh
"$gpudx" analyze -o r.html --db "$tmp/case.db" "$top/samples/power-cap" >/dev/null 2>&1
db=$tmp/case.db

ask() {
	"$gpudx" query "$@"
}

table() {
	fresh
	ends 0 ask "$db" "SELECT rule, confidence FROM finding WHERE rule = 'power.cap-clock-drop';" &&
		grep -q '^rule  *confidence$' "$tmp/out" && grep -q '^power.cap-clock-drop  *0\.' "$tmp/out" && silent && holds ''
}
check table table

json() {
	ends 0 ask --format json "$db" "SELECT 1 AS a, 0.5 AS b, 'x\"y' AS c, NULL AS d UNION ALL SELECT 2, 3.0, '', NULL" &&
		wants "$tmp/out" '. == [{a: 1, b: 0.5, c: "x\"y", d: null}, {a: 2, b: 3, c: "", d: null}]' &&
		ends 0 ask --format json "$db" 'SELECT 1 WHERE 0' && wants "$tmp/out" '. == []'
}
check json json

# Quotes, line ends, formulas, characters that move the cursor.
csv() {
	ends 0 ask --format csv "$db" "SELECT 'a,b' AS x, 'say \"no\"' AS y, NULL AS z, -5 AS n, '=HYPERLINK(1)' AS f, char(27) || '[2J' AS e" &&
		prints 'x,y,z,n,f,e' && prints '"a,b","say ""no""",,-5,"'"'"'=HYPERLINK(1)",' || return 1
	! grep -q "$(printf '\033')" "$tmp/out"
}
check csv csv

wide() {
	ends 0 ask "$db" "SELECT printf('%.300c', 'w') AS long, 1 AS n" && awk 'length > 100 { exit 1 }' "$tmp/out"
}
check wide-cells-are-cut wide

only_reads() {
	fresh
	before=$(cksum <"$db")
	for sql in 'DELETE FROM finding' "ATTACH 'other.db' AS o" 'PRAGMA writable_schema = 1' 'CREATE TABLE t(x)' \
		'SELECT 1; SELECT 2' 'SELEC' '' "SELECT load_extension('x')" "VACUUM INTO 'copy.db'" 'SELECT nothing FROM finding'; do
		ends 2 ask "$db" "$sql" && [ ! -s "$tmp/out" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] || return 1
	done
	[ "$before" = "$(cksum <"$db")" ] && holds ''
}
check only-reads only_reads

no_case() {
	fresh
	echo text >text
	sqlite3 foreign.db 'CREATE TABLE t(x)'
	for file in text foreign.db missing.db; do
		run ask "$file" 'SELECT 1'
		[ "$status" -ge 2 ] && [ "$(wc -l <"$tmp/err")" -ge 1 ] || return 1
	done
	ends 2 ask "$db" && ends 2 ask --format xml "$db" 'SELECT 1'
}
check no-case-database no_case
