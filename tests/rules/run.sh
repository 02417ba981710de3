#!/bin/sh
# Every fixture through the whole pipeline, compared with its "expect" (docs/rules.md):
#   must RULE SEVERITY [PATH:LINE...]      fires as often as there are such lines, citing these
#   never RULE                             does not fire; * stands for anything
#   outcome RULE clean|not_checkable|fired
#   verdict KIND [RULE]
#   args --complaint crash                 for gpudx-judge
set -u
. tests/rules/fixtures.inc

# Reads what came out, then what was expected; prints each difference.
compare() {
	awk '
	function glob(pattern) {
		gsub(/[.]/, "[.]", pattern)
		gsub(/[*]/, ".*", pattern)
		return "^" pattern "$"
	}
	function cites(line, n, place,   i, places) {
		split(line, places, " ")
		for (i in places)
			if (places[i] == place)
				return 1
		return 0
	}
	function meets(line,   f, i) {
		split(line, f, " ")
		if (f[2] != $2 || f[3] != $3)
			return 0
		for (i = 4; i <= NF; i++)
			if (!cites(line, NF, $i))
				return 0
		return 1
	}
	FNR == NR { result[++results] = $0; kind[results] = $1; rule[results] = $2; word[results] = $3 }
	FNR == NR && $1 == "error" { print $0 }
	FNR == NR { next }
	/^#/ || NF == 0 || $1 == "args" { next }
	$1 == "must" {
		found = 0
		for (i = 1; i <= results; i++)
			if (kind[i] == "finding" && !taken[i] && meets(result[i])) {
				taken[i] = found = 1
				break
			}
		if (!found)
			print "missing: " $0
		musts[$2] = 1
		next
	}
	$1 == "never" {
		for (i = 1; i <= results; i++)
			if (kind[i] == "finding" && rule[i] ~ glob($2))
				print $0 ": " result[i]
		next
	}
	$1 == "outcome" {
		found = 0
		for (i = 1; i <= results; i++)
			if (kind[i] == "outcome" && rule[i] == $2 && word[i] == $3)
				found = 1
		if (!found)
			print "missing: " $0
		next
	}
	$1 == "verdict" {
		for (i = 1; i <= results; i++)
			if (kind[i] == "verdict" && (rule[i] != $2 || (NF > 2 && word[i] != $3)))
				print $0 ": " result[i]
		next
	}
	{ print "expect: what is this? " $0 }
	END {
		for (i = 1; i <= results; i++)
			if (kind[i] == "finding" && rule[i] in musts && !taken[i])
				print "more than expected: " result[i]
	}' "$1" "$2"
}

failed=0
if [ -z "$(fixtures)" ]; then
	echo "no fixtures${T:+ called *$T*}"
	exit 77
fi
for dir in $(fixtures); do
	name=${dir#tests/rules/}
	if ! out=$(judge_fixture "$dir"); then
		echo "not ok $name"
		cat "$out.txt"
		failed=1
		continue
	fi
	difference=$(compare "$out.txt" "$dir/expect")
	if [ -z "$difference" ]; then
		echo "ok $name"
	else
		echo "not ok $name"
		echo "$difference"
		sed 's/^/  came out: /' "$out.txt"
		failed=1
	fi
done
exit $failed
