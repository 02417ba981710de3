#!/bin/sh
# The SQL in docs/rules.md holds: each block passes "gpudx rules check". A block without a header is
# an idiom and gets a plain one.
set -u
. tests/rules/fixtures.inc

dir=$dbs/docs
rm -rf "$dir"
mkdir -p "$dir/site"
awk -v dir="$dir/site" '
	function header(   keys, n, i) {
		print "-- id: site.idiom-" block > file
		n = split("title:t scope:bundle severity:info symptom:none kind:fault points:unknown " \
			  "shows:effect needs:none summary:s meaning:m action:none remedy:r " \
			  "falsepositives:f refs:r", keys, " ")
		for (i = 1; i <= n; i++) {
			sub(/:/, ": ", keys[i])
			print "-- " keys[i] > file
		}
		print "" > file
	}
	/^```sql$/ { block++; first = 1; next }
	/^```$/ { file = ""; next }
	first && $2 == "id:" { file = dir "/" substr($3, 6) ".sql"; first = 0 }
	first { file = dir "/idiom-" block ".sql"; header(); first = 0 }
	file != "" { print > file }
' docs/rules.md
n=$(find "$dir" -name '*.sql' | wc -l)
if [ "$n" -ne 6 ]; then
	echo "$n queries found instead of 6"
	exit 1
fi
"$B/gpudx-rule" --check "$dir"
