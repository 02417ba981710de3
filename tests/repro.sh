#!/bin/sh
# Builds the sources twice, in folders of other names and lengths, with another zone, locale, umask
# and number of jobs: the programs must be equal to the byte.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
export CCACHE_DISABLE=1

# build FOLDER JOBS: what git knows of, as it stands.
build() {
	mkdir -p "$1"
	git ls-files -z -- Makefile src include rules | tar --null -T - -cf - | tar -xf - -C "$1"
	(cd "$1" && make -s -j"$2" all >/dev/null)
}
(umask 022 && TZ=UTC LC_ALL=C build "$tmp/a" "$(nproc)")
(umask 077 && TZ=Asia/Tokyo LC_ALL=C.UTF-8 build "$tmp/another-folder-of-a-longer-name" 1)
cmp "$tmp/a/build/gpudx" "$tmp/another-folder-of-a-longer-name/build/gpudx"
echo "the same bytes twice: $(sha256sum <"$tmp/a/build/gpudx" | cut -c1-64)"
