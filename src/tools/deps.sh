#!/bin/sh
# Makes sure that what building (and testing) needs is installed. On Debian and its children it
# installs what is missing, through sudo when not root; elsewhere it names the packages and stops.
# Usage: deps.sh build [test] [lint]
set -eu

build='gcc libc6-dev pkg-config libarchive-dev libpcre2-dev libsqlite3-dev zlib1g-dev nettle-dev gnuplot-nox'
test='libcmocka-dev sqlite3 jq zip p7zip-full xz-utils zstd lz4 bzip2 python3 git'
lint='clang clang-format clang-tidy cppcheck shellcheck'
wanted=
for set in "$@"; do
	case $set in
	build) wanted="$wanted $build" ;;
	test) wanted="$wanted $test" ;;
	lint) wanted="$wanted $lint" ;;
	*) echo "deps.sh: no such set: $set" >&2; exit 2 ;;
	esac
done

# Another gnuplot, compiler or make of the machine's own is as good as the package.
have() {
	case $1 in
	gcc) command -v cc >/dev/null 2>&1 ;;
	gnuplot-nox) command -v gnuplot >/dev/null 2>&1 ;;
	pkg-config) command -v pkg-config >/dev/null 2>&1 ;;
	sqlite3 | jq | zip | zstd | lz4 | bzip2 | python3 | git) command -v "$1" >/dev/null 2>&1 ;;
	clang | clang-format | clang-tidy | cppcheck | shellcheck)
		command -v "$1" >/dev/null 2>&1 ;;
	p7zip-full) command -v 7z >/dev/null 2>&1 || command -v 7za >/dev/null 2>&1 ;;
	xz-utils) command -v xz >/dev/null 2>&1 ;;
	libarchive-dev) pkg-config --exists libarchive 2>/dev/null ;;
	libpcre2-dev) pkg-config --exists libpcre2-8 2>/dev/null ;;
	libsqlite3-dev) pkg-config --exists sqlite3 2>/dev/null ;;
	zlib1g-dev) pkg-config --exists zlib 2>/dev/null ;;
	nettle-dev) pkg-config --exists nettle 2>/dev/null ;;
	libcmocka-dev) pkg-config --exists cmocka 2>/dev/null ;;
	libc6-dev) [ -e /usr/include/stdio.h ] ;;
	*) return 1 ;;
	esac
}

missing=
for p in $wanted; do
	have "$p" || missing="$missing $p"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
	echo "gpudx needs these Debian packages or their equals here:$missing" >&2
	exit 1
fi
as=
if [ "$(id -u)" -ne 0 ]; then
	if ! command -v sudo >/dev/null 2>&1; then
		echo "gpudx needs these packages; install them as root:$missing" >&2
		exit 1
	fi
	as=sudo
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # lists of words
$as apt-get update -qq
# shellcheck disable=SC2086
$as apt-get install -y -qq --no-install-recommends $missing >/dev/null
