#!/bin/sh
# The program is built so that code which was led astray gets nowhere: what its ELF says.
set -u
B=${B:-build}
program=$B/gpudx
case ${B##*/} in
build | gcc | clang) ;;
*)
	echo "skip hardening: the release only"
	exit 0
	;;
esac
command -v readelf >/dev/null 2>&1 || { echo "skip hardening: no readelf"; exit 0; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
readelf -hldsnW "$program" >"$tmp/elf"

# has NAME PATTERN, has_not NAME PATTERN
has() {
	if grep -qE "$2" "$tmp/elf"; then echo "ok hardening/$1"; else echo "not ok hardening/$1"; fi
}
has_not() {
	if grep -qE "$2" "$tmp/elf"; then
		echo "not ok hardening/$1"
		grep -E "$2" "$tmp/elf" | head -n 3 | sed 's/^/  /'
	else
		echo "ok hardening/$1"
	fi
}
has it-loads-anywhere 'Flags:.* PIE|Type: +DYN'
has tables-are-sealed-at-start GNU_RELRO
has all-symbols-are-bound-at-start 'BIND_NOW|Flags:.*NOW'
has_not the-stack-is-not-code 'GNU_STACK .*E'
has_not nothing-is-written-and-run 'LOAD .* (RWE|WE) '
has_not libraries-are-the-systems '\((RPATH|RUNPATH|TEXTREL)\)'
has stacks-have-canaries '__stack_chk_fail'
has calls-of-libc-are-checked '__(memcpy|snprintf|vsnprintf|fread|read)_chk'
# Of Debian's own start-up code not all is marked, so that the loader does not insist; ours is.
if readelf -hW "$program" | grep -q 'X86-64' && [ -e "$B/obj/src/cli/main.o" ]; then
	readelf -nW "$B/obj/src/cli/main.o" >"$tmp/elf"
	has jumps-land-where-they-may 'IBT, SHSTK'
fi
if strings -a "$program" | grep -qF "$PWD/"; then
	echo "not ok hardening/it-does-not-say-where-it-was-built"
else
	echo "ok hardening/it-does-not-say-where-it-was-built"
fi
