#!/bin/sh
# --redact of reports, in every format: names are gone, the verdict stays, the map is private.
set -u
. tests/lib.sh
suite=redact

sample=$top/samples/xid-after-update
name=mica # the machine of that sample

formats() {
	fresh
	for format in text md json html; do
		ends 0 "$gpudx" analyze --redact --format $format -f "$sample" || return 1
		if grep -rlw $name "$tmp/out" xid-after-update.gpudx.[tmjh]*; then
			return 1
		fi
		grep -qE 'host-[0-9a-f]{8}' "$tmp/out" || return 1
		grep -q 'Xid 119' "$tmp/out" || return 1
	done
	grep -qE 'host-[0-9a-f]{8}' xid-after-update.gpudx.json
}
check formats formats

again() {
	fresh
	ends 0 "$gpudx" analyze --redact --map map --format json "$sample" || return 1
	[ "$(stat -c %a map)" = 600 ] && grep -qw $name map || return 1
	for _ in 1 2; do
		ends 0 "$gpudx" report --redact --map map --format json xid-after-update.gpudx.db || return 1
		cmp "$tmp/out" xid-after-update.gpudx.json || return 1
	done
	ends 0 "$gpudx" report --redact --format json xid-after-update.gpudx.db || return 1
	! cmp -s "$tmp/out" xid-after-update.gpudx.json
}
check same-key-same-report again

same_findings() {
	fresh
	ends 0 "$gpudx" analyze --format json "$sample" && cp xid-after-update.gpudx.json plain.json || return 1
	ends 0 "$gpudx" report --redact --format json xid-after-update.gpudx.db || return 1
	facts='[.findings[] | [.id, .severity, .confidence, .start, .end, ([.evidence[] | [.line]])]]'
	jq "$facts" plain.json >a && jq "$facts" "$tmp/out" >b && diff a b
}
check same-findings same_findings

gpus() {
	fresh
	ends 0 "$gpudx" analyze "$sample" || return 1
	uuid=$(sqlite3 xid-after-update.gpudx.db "SELECT uuid FROM gpu WHERE uuid IS NOT NULL LIMIT 1")
	[ -n "$uuid" ] || return 1
	ends 0 "$gpudx" report --redact --format json xid-after-update.gpudx.db && prints "$uuid" || return 1
	ends 0 "$gpudx" report --redact=gpu --format json xid-after-update.gpudx.db || return 1
	! grep -q "$uuid" "$tmp/out"
}
check gpus-are-kept-unless-asked gpus

# Two bundles in one database: what hides the first is gone when the second is read.
two() {
	fresh
	ends 0 "$gpudx" analyze --redact --db both.db --format json "$sample" "$top/samples/power-cap" || return 1
	[ "$(sqlite3 both.db 'SELECT count(*) FROM verdict')" -eq 2 ]
}
check two-bundles two

refused() {
	fresh
	echo text >map
	ends 2 "$gpudx" analyze --redact --map map "$sample" && complains 'no map of gpudx' && [ "$(cat map)" = text ] || return 1
	ends 2 "$gpudx" analyze --redact=all "$sample" && ends 2 "$gpudx" analyze --map map "$sample"
}
check refused refused

# ---- charts as files: redacted like all else ----

charts() {
	have gnuplot xmllint || return 77
	fresh
	ends 0 "$gpudx" analyze "$top/samples/power-cap" || return 1
	GPUDX_GNUPLOT=$(command -v gnuplot) run "$gpudx" report --redact --charts drawn -o r.txt power-cap.gpudx.db
	[ "$status" -eq 0 ] && silent && ls drawn/*.svg >/dev/null && xmllint --noout drawn/*.svg || return 1
	GPUDX_GNUPLOT=$(command -v gnuplot) run "$gpudx" report --charts drawn -o r.txt power-cap.gpudx.db
	[ "$status" -eq 0 ] && grep -q 'SM clock' drawn/verdict.svg || return 1
	[ "$(head -c 4 drawn/gpu0.png | tail -c 3)" = PNG ] && grep -q 'Software.gpudx' -a drawn/verdict.png || return 1
	echo mine >drawn/verdict.svg
	GPUDX_GNUPLOT=$(command -v gnuplot) run "$gpudx" report --charts drawn -o r.txt power-cap.gpudx.db
	[ "$status" -eq 2 ] && [ "$(cat drawn/verdict.svg)" = mine ] || return 1
	ends 0 "$gpudx" report --charts none -o r.txt power-cap.gpudx.db && complains 'charts are missing'
}
check charts-as-files charts
