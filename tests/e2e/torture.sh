#!/bin/sh
# A sample of what make torture tries: allocations and calls of the kernel that fail, and kills.
set -u

B=${B:-build}
case ${B##*/} in
build) ;;
*)
	echo "skip torture: what watches memory or coverage has an allocator or files of its own"
	exit 0
	;;
esac
PYTHONDONTWRITEBYTECODE=1 exec python3 tests/torture/torture.py "$B" "$B/inject.so" --every 80 --kills 8
