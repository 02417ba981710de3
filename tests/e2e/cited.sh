#!/bin/sh
# What a row of the database cites must be there to be read: every golden input and every sample is
# ingested, and no fact, event, reject, GPU or device may name a line whose text was not kept.
set -u
. tests/lib.sh
suite=cited

missing='SELECT t.what || " of line " || (t.line_id & 0xffffffff) FROM (
	SELECT "fact " || key AS what, line_id FROM fact UNION ALL
	SELECT "event " || kind, line_id FROM event UNION ALL
	SELECT "a line of an event", line_id FROM event_line UNION ALL
	SELECT "GPU", line_id FROM gpu_ref UNION ALL
	SELECT "device", line_id FROM pci_device UNION ALL
	SELECT "reject", line_id FROM reject) AS t
	WHERE NOT EXISTS(SELECT 1 FROM line WHERE line.id = t.line_id) LIMIT 5'

inputs() {
	for input in "$1"/*; do
		case $input in *.out | *.cmd | *.md | *.tsv) ;; *) echo "$input" ;; esac
	done
}

all_kept() {
	bad=0
	for input in $(inputs "$1"); do
		rm -f "$tmp/db"
		"$gpudx" ingest "$input" "$tmp/db" && sqlite3 "$tmp/db" "$missing" >"$tmp/lost" || bad=1
		[ ! -s "$tmp/lost" ] || { sed "s|^|$input: |" "$tmp/lost" && bad=1; }
	done
	return $bad
}

for dir in tests/golden/* samples/*; do # a test a folder
	[ ! -d "$dir" ] || check "$dir" all_kept "$dir"
done
