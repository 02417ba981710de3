#!/bin/sh
# Disks that are full, folders that may not be written, streams that are closed, a gnuplot that dies:
# an error that says so, outputs whole or absent, what was there before untouched.
set -u

B=$(cd "${B:-build}" && pwd)
here=$PWD
gpudx=$B/gpudx
tmp=$(mktemp -d)
trap 'umount "$tmp/small" 2>/dev/null; chmod -R u+w "$tmp"; rm -rf "$tmp"' EXIT
export GPUDX_GNUPLOT=/nonexistent
in=$here/samples/power-cap

check() {
	name=$1
	shift
	"$@" >"$tmp/log" 2>&1
	status=$?
	case $status in
	0) echo "ok places/$name" ;;
	77) echo "skip places/$name: $(tail -n 1 "$tmp/log")" ;;
	*)
		echo "not ok places/$name"
		sed 's/^/  /' "$tmp/log" | cut -c1-300 | head -n 20
		;;
	esac
}

# fails STATUS COMMAND...: with that status and a reason.
fails() {
	want=$1
	shift
	"$@" 2>"$tmp/err"
	got=$?
	cat "$tmp/err"
	[ $got -eq "$want" ] && grep -q '^gpudx: ' "$tmp/err"
}

mkdir "$tmp/work" && cd "$tmp/work" || exit 1
"$gpudx" analyze "$in" >/dev/null && mv power-cap.gpudx.db case.db && rm -f power-cap.gpudx.*
"$gpudx" ticket --map key case.db >/dev/null && rm -f ./*.tar.gz

full_device() {
	for c in "analyze -o - --format json $in" "report case.db" "report --format html case.db" "sources $in" \
		"compare -o - $in case.db" "xid 79" "rules list" collect "ticket --dry-run --map key case.db"; do
		# shellcheck disable=SC2086 # words
		fails 5 "$gpudx" $c >/dev/full || { echo "$c: did not fail as it should"; return 1; }
	done
	fails 5 "$gpudx" query case.db 'SELECT 1' >/dev/full && fails 5 "$gpudx" report -o /dev/full case.db
}
check a-full-device-is-said full_device

closed_stdout() {
	fails 5 "$gpudx" report case.db >&- && fails 5 "$gpudx" query case.db 'SELECT 1' >&- || return 1
	"$gpudx" analyze --format json -o - "$in" | head -c 100 >/dev/null
	[ ! -e power-cap.gpudx.db ]
}
check a-closed-stdout-is-said closed_stdout

# A file system of 600 KiB: neither database nor page has room.
small_disk() {
	[ "$(id -u)" -eq 0 ] || { echo "needs root"; return 77; }
	mkdir -p "$tmp/small"
	mount -t tmpfs -o size=600k none "$tmp/small" 2>/dev/null || { echo "cannot mount"; return 77; }
	cd "$tmp/small" || return 1
	for c in "analyze $in" "ticket --map key $in" "report --format html -o r.html $tmp/work/case.db" "compare $in $tmp/work/case.db"; do
		cp "$tmp/work/key" key
		head -c $((480 << 10)) /dev/zero >filler
		# shellcheck disable=SC2086 # words
		"$gpudx" $c >/dev/null 2>"$tmp/err"
		got=$?
		cat "$tmp/err"
		case $got in
		0) ;;
		5) grep -q '^gpudx: ' "$tmp/err" || { echo "$c: no reason"; return 1; } ;;
		*) echo "$c: status $got"; return 1 ;;
		esac
		rm -f filler
		for f in ./* ./.*gpudx-part; do
			case $f in
			*.html) tail -n 1 "$f" | grep -q '</html>' || { echo "$f is cut"; return 1; } ;;
			*.db) [ "$(sqlite3 "$f" 'PRAGMA integrity_check')" = ok ] || { echo "$f is broken"; return 1; } ;;
			*.tar.gz) gzip -t "$f" || return 1 ;;
			./.*gpudx-part) [ ! -e "$f" ] || { echo "$f was left"; return 1; } ;;
			esac
		done
		rm -f ./*.gpudx* ./*.html
	done
	head -c 600k /dev/zero >filler
	fails 5 "$gpudx" analyze "$in" >/dev/null && [ "$(find . -type f | wc -l)" -eq 2 ]
}
check a-disk-that-fills-up-is-said small_disk
cd "$tmp/work" || exit 1

# Larger files are refused, as by a quota.
quota() {
	(
		ulimit -f 100 # of 512 bytes
		trap '' XFSZ
		fails 5 "$gpudx" analyze "$in" >/dev/null
	) && [ -z "$(find . -name '*.gpudx*')" ]
}
check a-quota-is-said quota

read_only() {
	mkdir -p ro && cp case.db ro/ && chmod 555 ro
	as=
	if [ "$(id -u)" -eq 0 ]; then
		command -v setpriv >/dev/null 2>&1 || { echo "no setpriv"; return 77; }
		chmod 755 "$tmp" "$tmp/work" && chmod 644 case.db ro/case.db 2>/dev/null
		as="setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all"
		$as "$gpudx" --version >/dev/null 2>&1 || { echo "nobody may not run $gpudx"; return 77; }
		$as test -r "$PWD/ro/case.db" || { echo "nobody may not enter $tmp"; return 77; }
		$as test -r "$in/trace.csv" || { echo "nobody may not read the samples"; return 77; }
	fi
	for c in "analyze $in" "ticket case.db" "report --format html -o r.html case.db" "compare $in case.db"; do
		# shellcheck disable=SC2086 # words
		(cd ro && fails 5 $as "$gpudx" $c >/dev/null) || return 1
	done
	(cd ro && $as "$gpudx" report case.db >/dev/null && $as "$gpudx" sources case.db >/dev/null) || return 1
	[ "$(find ro -type f)" = ro/case.db ]
}
check a-folder-that-may-not-be-written-is-said read_only

# Nothing goes to /tmp: neither a full one nor none matters.
no_tmp() {
	TMPDIR=/nonexistent SQLITE_TMPDIR=/nonexistent "$gpudx" analyze -f "$in" >/dev/null || return 1
	rm -f power-cap.gpudx.*
}
check no-folder-for-temporary-files-is-needed no_tmp

# A gnuplot that ends in the middle, talks nonsense, or says nothing for ever.
plots() {
	for how in 'exit 3' 'kill -9 $$' 'read -r a; echo "<svg><script>alert(1)</script></svg>"; exit 0' 'exec <&-; exec >&-; sleep 1'; do
		printf '#!/bin/sh\n%s\n' "$how" >plot && chmod +x plot
		GPUDX_GNUPLOT=$tmp/work/plot "$gpudx" analyze -f "$in" >/dev/null || return 1
		tail -n 1 power-cap.gpudx.html | grep -q '</html>' || return 1
		grep -q 'gnuplot' power-cap.gpudx.html || { echo "$how: the page does not say why it has no charts"; return 1; }
		! grep -q '<script>alert' power-cap.gpudx.html || return 1
		rm -f power-cap.gpudx.*
	done
}
check a-gnuplot-that-dies-costs-the-charts-only plots
