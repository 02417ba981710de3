#!/bin/sh
# No source calls a function of banned.tsv.
set -u
git ls-files 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' | xargs awk -f tests/lint/strip.awk |
	awk -F '\t' '
	FNR == NR {
		if ($0 !~ /^#/)
			use[$1] = $2
		if (NF > 2)
			only[$1] = $3
		next
	}
	{
		rest = $0
		sub(/^[^:]*:[^:]*:/, "", rest)
		place = substr($0, 1, length($0) - length(rest) - 1)
		while (match(rest, /[A-Za-z_][A-Za-z_0-9]*[ \t]*\(/)) {
			name = substr(rest, RSTART, RLENGTH)
			before = substr(rest, 1, RSTART - 1)
			rest = substr(rest, RSTART + RLENGTH)
			sub(/[ \t]*\($/, "", name)
			# A member of that name is another function.
			file = place
			sub(/:.*/, "", file)
			if (name in use && index(" " only[name] " ", " " file " ") == 0 && before !~ /(\.|->)$/) {
				print place ": " name ": use " use[name]
				bad = 1
			}
		}
	}
	END { exit bad }
' tests/lint/banned.tsv -
