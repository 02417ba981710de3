#!/bin/sh
# cppcheck over the program and its library; it sees across files what the compilers do not.
set -u
B=${B:-build}
command -v cppcheck >/dev/null 2>&1 || {
	echo "cppcheck is not installed"
	exit 77
}
mkdir -p "$B/lint/cppcheck"
cppcheck --quiet --error-exitcode=1 -j "$(nproc)" --std=c11 --enable=warning,portability,performance \
	--inline-suppr --cppcheck-build-dir="$B/lint/cppcheck" --template='{file}:{line}: {id}: {message}' \
	--suppressions-list=tests/lint/cppcheck.txt -D_GNU_SOURCE -DGPUDX_VERSION='""' -Iinclude -Isrc src
