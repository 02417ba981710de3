#!/bin/sh
# The generated pages of docs/ are what the sources say now, and the README's pictures and links exist.
set -u
B=${B:-build}
for page in parsers schema; do
	if B=$B sh src/tools/docs.sh $page | diff -u docs/$page.md - >/dev/null; then
		echo "ok docs/$page.md"
	else
		echo "not ok docs/$page.md: run make docs"
	fi
done
for page in README.md docs/*.md; do
	dir=$(dirname "$page")
	grep -o '](\([^)#]*\)' "$page" | sed 's/^](//' | grep -v '^[a-z]*:' | LC_ALL=C sort -u | while read -r link; do
		if [ -e "$dir/$link" ]; then
			echo "ok $page links to $link"
		else
			echo "not ok $page links to $link, which is not there"
		fi
	done
done
