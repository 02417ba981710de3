#!/bin/sh
# The program, its library and all tests compile without a warning under gcc, under gcc with the
# sanitizers (it sees other ranges then) and under clang.
set -u
B=${B:-build}
status=0

builds() {
	${MAKE:-make} --no-print-directory -j"$(nproc)" WERROR=1 "$@" test-programs >"$tmp" 2>&1 || {
		echo "make WERROR=1 $*"
		grep -v '^  [A-Z]' "$tmp"
		status=1
	}
}

tmp=$(mktemp)
trap 'rm -f "$tmp"' EXIT
builds CC=gcc MODE=rel B="$B/lint/gcc"
builds CC=gcc MODE=asan B="$B/lint/asan"
if command -v clang >/dev/null 2>&1; then
	builds CC=clang MODE=rel B="$B/lint/clang"
else
	echo "clang is not installed"
	[ $status -ne 0 ] || status=77
fi
exit $status
