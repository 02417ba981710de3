#!/bin/sh
# Bundles that mean harm, of every kind there is: each ends within its time and memory, with a report
# that is whole, and what is not damaged is found. HOSTILE=all adds those of millions.
set -u

B=$(cd "${B:-build}" && pwd)
here=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/in" "$tmp/work"
python3 "$here/tests/torture/bundles.py" "$tmp/in" ${HOSTILE:+"$HOSTILE"} >"$tmp/list" || {
	echo "not ok bundles/made"
	exit 1
}
cd "$tmp/work" || exit 1

# one NAME SECONDS MIB FINDS
one() {
	rm -f r.json r.db
	python3 "$here/tests/e2e/within.py" 0,3,4 "$2" "$3" "$B/gpudx" analyze -f --format json -o r.json --db r.db "$tmp/in/$1" 2>&1 || return 1
	[ "$4" -eq 0 ] && return 0
	jq -e '.verdict.kind == "fault" and any(.findings[]; .id == "xid.fallen-off-bus")' r.json || return 1
	for format in text md csv html; do
		"$B/gpudx" report --format $format r.db >"r.$format" 2>/dev/null || return 1
		! LC_ALL=C grep -naP '[\x00-\x08\x0b-\x1f\x7f]' "r.$format" || return 1
	done
	! grep -nE '<script>alert|<img|href="javascript' r.html || return 1
	! grep -nE '^=|,=|,"=' r.csv || return 1
	[ "$(sqlite3 r.db 'PRAGMA integrity_check')" = ok ]
}

before=$(find /tmp -maxdepth 1 -name '*pwned*' 2>/dev/null)
while read -r name seconds mib finds; do
	if one "$name" "$seconds" "$mib" "$finds" >"$tmp/log" 2>&1 </dev/null; then
		echo "ok bundles/$name: $(head -n 1 "$tmp/log")"
	else
		echo "not ok bundles/$name"
		sed 's/^/  /' "$tmp/log" | cut -c1-300 | head -n 20
	fi
	[ -z "${HOSTILE:-}" ] || rm -f "$tmp/in/$name"
done <"$tmp/list"
if [ "$(find /tmp -maxdepth 1 -name '*pwned*' 2>/dev/null)" = "$before" ] && [ -z "$(find "$tmp" -name '*pwned*')" ]; then
	echo "ok bundles/nothing-else-was-written"
else
	echo "not ok bundles/nothing-else-was-written"
fi
