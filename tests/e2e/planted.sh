#!/bin/sh
# A bundle full of secrets (tests/redact/planted.tsv): none is left in what others get to see, and what says
# something of the fault (tests/redact/kept.txt) is as it was.
set -u
. tests/lib.sh
suite=planted

have jq python3 || skip_all "no jq or python3"
table=$top/tests/redact/planted.tsv

plant() {
	fresh
	cp -r "$top/samples/xid-after-update" b && cp "$top/tests/redact/kept.txt" b/kept.txt || return 1
	python3 "$top/tests/e2e/planted.py" plant "$table" b
}

none_left() {
	python3 "$top/tests/e2e/planted.py" look "$table" "$@"
}

unpack() {
	rm -rf x && mkdir x && tar xzf b.gpudx-ticket.tar.gz -C x
}

found='[.findings[] | [.id, .severity, .state, .start, .end]] | sort'

enough() {
	[ "$(grep -vc '^#' "$table")" -gt 100 ] && [ "$(cut -f1 "$table" | grep -v '^#' | sort -u | wc -l)" -gt 20 ]
}
check enough-of-all-classes enough

copy() {
	plant
	ends 0 "$gpudx" analyze -o a.json --format json b && ends 0 "$gpudx" ticket --include bundle b && cp "$tmp/out" said && unpack || return 1
	none_left x said || return 1
	diff b/kept.txt x/bundle/kept.txt || return 1
	ends 0 "$gpudx" analyze -o b.json --format json x/bundle || return 1
	jq "$found" a.json >a && jq "$found" b.json >b.found && diff a b.found
}
check copy-is-clean-and-says-the-same copy

excerpt() {
	plant
	ends 0 "$gpudx" analyze -o a.json --format json b && ends 0 "$gpudx" ticket b && unpack || return 1
	none_left x || return 1
	ends 0 "$gpudx" analyze -o b.json --format json b.gpudx-ticket.tar.gz || return 1
	jq -c '[.verdict.roots[].id] | sort' a.json >a && jq -c '[.verdict.roots[].id] | sort' b.json | diff a - || return 1
	new=$(jq -n -c --slurpfile a a.json --slurpfile b b.json '[$b[0].findings[].id] - [$a[0].findings[].id]')
	[ "$new" = '[]' ] || { echo "new: $new"; return 1; }
}
check excerpt-is-clean-and-says-the-same excerpt

# What a cloud's own support asks for is kept for it alone.
cloud() {
	plant
	ends 0 "$gpudx" ticket --include bundle --for aws b && unpack || return 1
	for kept in i-0a77b77c77d77e77f plant-vm-0042 PLANTDSM0177; do
		grep -rq "$kept" x || return 1
	done
	grep -v 'i-0a77b77c77d77e77f\|plant-vm-0042\|PLANTDSM0177' "$table" >others.tsv
	python3 "$top/tests/e2e/planted.py" look others.tsv x || return 1
	ends 2 "$gpudx" ticket -f --for nimbus b && complains 'azure, aws or gcp'
}
check for-a-cloud-its-names-are-kept cloud

reports() {
	plant
	ends 0 "$gpudx" analyze b || return 1
	for format in html md json text csv; do
		ends 0 "$gpudx" report --redact --format $format -o r.$format b.gpudx.db || return 1
	done
	ends 0 "$gpudx" ticket --dry-run --include bundle b && cp "$tmp/out" audit || return 1
	none_left r.* audit
}
check reports-and-audit-are-clean reports
