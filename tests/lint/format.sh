#!/bin/sh
# All C is as clang-format 14 leaves it (other versions disagree with it).
set -u
for clang_format in clang-format-14 clang-format; do
	case $($clang_format --version 2>/dev/null) in
	*"version 14."*)
		git ls-files '*.c' '*.h' | xargs "$clang_format" --dry-run -Werror
		exit
		;;
	esac
done
echo "clang-format 14 is not installed"
exit 77
