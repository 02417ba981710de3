#!/bin/sh
# Rules are sound, and each has its three fixtures: fires, quiet (the near miss), lacks.
set -u
B=${B:-build}
failed=0

complain() {
	echo "$1"
	failed=1
}

# wants RULE CASE LINE: tests/rules/RULE/CASE/ has input and an expect with this line.
wants() {
	dir=tests/rules/$1/$2
	if [ ! -f "$dir/expect" ]; then
		complain "$1: no fixture $dir/expect"
	elif ! grep -q "^$3" "$dir/expect"; then
		complain "$dir/expect: no line \"$3\""
	elif [ "$(find "$dir" -type f | wc -l)" -lt 2 ]; then
		complain "$dir: no input file beside expect"
	fi
}

"$B/gpudx-rule" --check || failed=1
for rule in rules/*/*.sql; do
	[ -e "$rule" ] || continue
	id=$(basename "$(dirname "$rule")").$(basename "$rule" .sql)
	wants "$id" fires "must $id "
	wants "$id" quiet "never $id\$"
	wants "$id" lacks "outcome $id not_checkable\$"
done
for dir in tests/rules/*.*/; do
	[ -d "$dir" ] || continue
	id=$(basename "$dir")
	[ -f "rules/${id%%.*}/${id#*.}.sql" ] || complain "$dir: there is no rule $id"
done
exit $failed
