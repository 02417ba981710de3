#!/bin/sh
# A document in one line of several MiB is read to its end, also through a whole run.
set -u
B=${B:-build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

awk 'BEGIN {
	printf "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
	for (g = 0; g < 4; g++) {
		printf "%s{\"metric\":{\"__name__\":\"DCGM_FI_DEV_GPU_TEMP\",\"gpu\":\"%d\"},\"values\":[", g ? "," : "", g
		for (i = 0; i < 50000; i++)
			printf "%s[%d,\"%d\"]", i ? "," : "", 1715000000 + i, 40 + g
		printf "]}"
	}
	print "]}}"
}' >"$tmp/range.json"

got=$("$B/gpudx-dump" prometheus-json <"$tmp/range.json" | grep -c '	sample ')
[ "$got" = 200000 ] && echo "ok long-lines/dump" || echo "not ok long-lines/dump: $got samples of 200000"

"$B/gpudx" ingest "$tmp/range.json" "$tmp/x.db" >"$tmp/log" 2>&1
got=$(sqlite3 "$tmp/x.db" "SELECT count(*), (SELECT parser || ' ' || status || ' ' || rejected || ' ' || lines FROM source) FROM gpu_sample")
[ "$got" = "200000|prometheus-json read 0 1" ] && echo "ok long-lines/ingest" || echo "not ok long-lines/ingest: $got"
