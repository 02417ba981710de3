#!/bin/sh
# All shell of the tree passes shellcheck: files that end in .sh, and those that begin with #!/bin/sh.
# Two notes are off: what stands in single quotes is meant so (jq, awk and sqlite3 programs, Markdown;
# SC2016), and ls is asked only for names of our own making (SC2012).
set -u
command -v shellcheck >/dev/null 2>&1 || {
	echo "shellcheck is not installed"
	exit 77
}
{
	git ls-files '*.sh'
	git grep -lE '^#!(/usr)?/bin/(env )?(ba)?sh' -- . | grep -v '\.sh$'
} | sort -u | xargs shellcheck -x -e SC2016,SC2012
