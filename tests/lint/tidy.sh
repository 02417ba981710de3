#!/bin/sh
# clang-tidy with the checks of .clang-tidy over the program and its library. It takes minutes, so
# a file that was clean is looked at again only when what the compiler sees of it has changed.
# Usage: tidy.sh [FILE...]
set -u
B=${B:-build}
# shellcheck disable=SC2089 # the quotes are meant for the compiler
flags="-std=c17 -D_GNU_SOURCE -DGPUDX_VERSION=\"\" -Iinclude -Isrc"
for tidy in clang-tidy-14 clang-tidy ''; do
	[ -n "$tidy" ] || {
		echo "clang-tidy is not installed"
		exit 77
	}
	command -v "$tidy" >/dev/null 2>&1 && break
done

if [ $# -eq 0 ]; then
	git ls-files 'src/*.c' | xargs -P "$(nproc)" -n 4 sh "$0"
	exit
fi

mkdir -p "$B/lint/tidy"
status=0
# shellcheck disable=SC2086 # a list of words
flags="$flags $(pkg-config --cflags libarchive libpcre2-8 sqlite3 zlib nettle)"
for file in "$@"; do
	clean=$B/lint/tidy/$(echo "$file" | tr / -).sum
	# shellcheck disable=SC2086,SC2090
	sum=$({
		cc -E $flags "$file"
		cat "$file" .clang-tidy
		$tidy --version
	} | sha256sum)
	[ "$(cat "$clean" 2>/dev/null)" != "$sum" ] || continue
	# shellcheck disable=SC2086,SC2090
	if said=$($tidy --quiet "$file" -- $flags 2>/dev/null); then
		echo "$sum" >"$clean"
	else
		echo "$said"
		status=1
	fi
done
exit $status
