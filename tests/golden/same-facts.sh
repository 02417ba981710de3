#!/bin/sh
# -q and -q -x of the same moment say the same: cases of one name in golden/smi-q and golden/smi-xml
# give the same records, but for lines and order.
set -u
B=${B:-build}

records() {
	"$B/gpudx-dump" "$1" <"tests/golden/$1/$2.in" | grep -v '^=' | sed 's/^[0-9]*	//' | LC_ALL=C sort
}

found=0
for xml in tests/golden/smi-xml/*.in; do
	case=$(basename "$xml" .in)
	[ -e "tests/golden/smi-q/$case.in" ] || continue
	found=$((found + 1))
	records smi-q "$case" >"$TMPDIR/q"
	records smi-xml "$case" >"$TMPDIR/xml"
	if diff "$TMPDIR/q" "$TMPDIR/xml" >"$TMPDIR/diff"; then
		echo "ok same-facts/$case"
	else
		echo "not ok same-facts/$case"
		cat "$TMPDIR/diff"
	fi
done
[ "$found" -gt 0 ] || echo "not ok same-facts: no pairs"
