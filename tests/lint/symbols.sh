#!/bin/sh
# What libgpudx.a shows the linker begins with gpudx_ and is used by another file, of the program or
# of the tests; what only its own file uses is static, what nobody uses is not there. And nothing in
# the library can change: no .data, .bss or thread-local variable. (Tables of pointers are in
# .data.rel.ro, which the loader seals.)
set -u
B=${B:-build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# excused WHAT NAME: symbols.tsv has a pattern for it.
excused() {
	while IFS='	' read -r what pattern _; do
		[ "$what" = "$1" ] || continue
		# shellcheck disable=SC2254 # it is a pattern
		case $2 in
		$pattern) return 0 ;;
		esac
	done <tests/lint/symbols.tsv
	return 1
}

# sysv columns: name|value|class|type|size|line|section
nm -A --defined-only -f sysv "$B/libgpudx.a" >"$tmp/defined" || exit 1
find "$B/obj" -name '*.o' -exec nm -u {} + | sed -n 's/^ *U //p' | sort -u >"$tmp/used"
sed -n 's/^[^:]*:\([^:]*\):\([^ |]*\) *|[^|]*| *\([A-Za-z]\) *|[^|]*|[^|]*|[^|]*|\(.*\)$/\1 \2 \3 \4/p' "$tmp/defined" |
	sort -u | {
	status=0 seen=0
	while read -r object name class section; do
		seen=$((seen + 1))
		case $class-$name in
		[A-Z]-gpudx_* | [a-z]-*) ;;
		*) excused name "$name" || {
			echo "$object: external name without gpudx_: $name"
			status=1
		} ;;
		esac
		case $class in
		[A-Z])
			grep -qx "$name" "$tmp/used" || excused unused "$name" || {
				echo "$object: external, but no other file uses it: $name"
				status=1
			}
			;;
		esac
		case $section in
		.data.rel.ro*) ;;
		.data* | .bss* | .tdata* | .tbss* | '*COM*')
			excused data "$name" || {
				echo "$object: variable that can be written: $name ($section)"
				status=1
			}
			;;
		esac
	done
	[ "$seen" -gt 100 ] || {
		echo "only $seen symbols read from $B/libgpudx.a"
		status=1
	}
	exit $status
}
