#!/bin/sh
# Each sample against its .expect, row by row; its report keeps the schema, is the same twice and is
# the same from the database.
set -u
. tests/lib.sh
suite=samples
command -v python3 >/dev/null || skip_all 'no python3'

same_twice() {
	fresh
	"$gpudx" analyze --format json --db c.db -o - "$1" >/dev/null
	for format in json html text; do
		"$gpudx" analyze --format $format -o - "$1" >direct &&
			"$gpudx" analyze --format $format -o - "$1" | cmp - direct &&
			"$gpudx" report --format $format c.db | cmp - direct || return 1
	done
}

# What the schema cannot say.
holds_together() {
	wants "$1" '([.findings[].effects[], (.findings[].caused_by // empty), .incidents[].root,
			.incidents[].members[], .verdict.roots[].finding] - [.findings[].n] == [])' &&
		wants "$1" '[.findings[].gpus[], .incidents[].gpus[], (.checks[].gpu // empty)] - [.gpus[].key] == []' &&
		wants "$1" '([.findings[].hosts[], .gpus[].host] - [.hosts[].host]) == []' &&
		wants "$1" '[.findings[], .incidents[] | select(.start != null and .end != null) | .start <= .end] | all' &&
		wants "$1" '[.findings[] | .evidence | length > 0] | all' &&
		wants "$1" '.verdict.finding == (.verdict.roots[0].id // null)' &&
		wants "$1" '[.sources[].path] as $paths | [.findings[].evidence[].source] - $paths == []'
}

found=0
for expect in samples/*.expect; do
	[ -e "$expect" ] || continue
	found=1
	name=$(basename "$expect" .expect)
	bundle=$top/samples/$name
	"$gpudx" analyze --format json -o - "$bundle" >"$tmp/report" 2>"$tmp/err"
	check "$name-ends-well" test $? -eq 0 -a ! -s "$tmp/err"
	python3 tests/e2e/expect.py "$suite/$name" "$tmp/report" <"$expect"
	check "$name-keeps-the-schema" python3 tests/report/check_json.py docs/report.schema.json "$tmp/report" strict
	check "$name-holds-together" holds_together "$tmp/report"
	check "$name-is-the-same-twice-and-from-the-database" same_twice "$bundle"
done
check there-are-samples test $found -eq 1
