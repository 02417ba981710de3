#!/bin/sh
# The lists of questions: what they ask exists, and what they answer is what the files say.
set -u
. tests/lib.sh
suite=answers

# answers BUNDLE [OPTION...]: leaves the report and the database.
answers() {
	fresh
	"$gpudx" analyze --format json --db c.db -o r.json "$@" >/dev/null 2>"$tmp/err" || cat "$tmp/err"
}

# says LIST WORDS ANSWER STATUS [PATH:LINE]: of the question that begins so.
says() {
	jq -r --arg list "$1" --arg words "$2" '.preflight[] | select(.list == $list and (.question | startswith($words)))
		| "\(.answer) \(.status)", (.evidence[] | "\(.source):\(.line)")' r.json >"$tmp/said"
	if [ "$(head -n 1 "$tmp/said")" != "$3 $4" ] || ! { [ $# -lt 5 ] || grep -qxF "$5" "$tmp/said"; }; then
		echo "not $*:"
		cat "$tmp/said"
		return 1
	fi
}

collects() {
	wants r.json "[.preflight[] | select(.list == \"$1\" and (.question | startswith(\"$2\"))) | .collect | contains(\"$3\")] == [true]"
}

# A rule, key, kind of event or series that nobody has would leave its question unanswered for ever.
terms_exist() {
	answers "$top/samples/healthy"
	sqlite3 c.db >"$tmp/lost" <<'SQL'
SELECT t.list, t.n, t.how, t.what FROM kb_checklist_term t WHERE CASE
 WHEN t.how IN ('rule', 'also') THEN NOT EXISTS (SELECT 1 FROM rule r WHERE r.id GLOB t.what)
 WHEN t.how IN ('change', 'changed') THEN NOT EXISTS (SELECT 1 FROM kb_fact_keys k WHERE k.key GLOB t.what)
 WHEN t.how = 'event' THEN NOT EXISTS (SELECT 1 FROM kb_event_kinds k WHERE k.kind GLOB t.what)
 WHEN t.how IN ('has', 'cite') THEN
  NOT EXISTS (SELECT 1 FROM kb_fact_keys k WHERE 'fact.' || k.key GLOB t.what OR t.what GLOB 'fact.' || k.key
   OR 'change.' || k.key GLOB t.what OR 'metric.' || k.key GLOB t.what OR t.what GLOB 'metric.' || k.key)
  AND NOT EXISTS (SELECT 1 FROM kb_event_kinds k WHERE 'log.' || k.kind GLOB t.what)
  AND NOT EXISTS (SELECT 1 FROM pragma_table_info('gpu_sample') p WHERE 'sample.' || p.name GLOB t.what)
  AND NOT EXISTS (SELECT 1 FROM kb_episode_kinds k WHERE 'episode.' || k.kind GLOB t.what)
  AND NOT EXISTS (SELECT 1 FROM sqlite_master m WHERE 'table.' || m.name GLOB t.what)
 ELSE 1 END;
SELECT 'no question', t.list, t.n FROM kb_checklist_term t LEFT JOIN kb_checklist q USING (list, n) WHERE q.list IS NULL;
SELECT 'no need', q.list, q.n FROM kb_checklist q LEFT JOIN kb_checklist_term t ON t.list = q.list AND t.n = q.n AND t.need IS NOT NULL WHERE t.list IS NULL;
SELECT 'no command', list, n, missing FROM checklist_said WHERE missing IS NOT NULL AND need IS NOT NULL
 AND how IN ('has', 'change', 'event') AND NOT EXISTS (SELECT 1 FROM kb_collect c WHERE missing GLOB c.what);
SQL
	[ ! -s "$tmp/lost" ] || { cat "$tmp/lost"; return 1; }
}

healthy() {
	answers "$top/samples/healthy"
	says preflight 'Are there Xids' no pass dmesg.txt:1 &&
		says preflight 'Is the driver version known' no warn && collects preflight 'Is the driver version known' journalctl &&
		says preflight 'Did the ECC mode' unknown not_checkable nvidia-smi.txt:9 &&
		says preflight 'Do several programs' unknown not_checkable && collects preflight 'Do several' pmon &&
		says triage 'Do clocks limit' no pass &&
		says evidence 'whole kernel log' yes pass dmesg.txt:1 &&
		says evidence 'complete nvidia-bug-report' no warn && collects evidence 'complete' nvidia-bug-report.sh &&
		wants r.json '[.preflight[] | select(.list == "serving")] == []'
}

limited() {
	answers "$top/samples/power-cap"
	says triage 'Do clocks limit' yes warn trace.csv:112
}

after_update() {
	answers "$top/samples/xid-after-update"
	says preflight 'Is the driver version known' yes pass kern.log:18 &&
		says preflight 'Are there Xids' yes fail kern.log:52 &&
		says triage 'Did driver, CUDA' yes warn kern.log:18 &&
		says evidence 'trace: SM clock' no warn
}

# A search for Xids that found none is no whole log.
excerpt() {
	fresh
	mkdir b
	printf '$ dmesg | grep -i xid\n$ nvidia-smi -L\nGPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-0c7fd3a2-61be-4f1d-88d3-9f0a3b5c7e21)\n' >b/session.txt
	"$gpudx" analyze --format json -o r.json b >/dev/null
	says preflight 'Are there Xids' unknown not_checkable && collects preflight 'Are there Xids' journalctl &&
		says evidence 'whole kernel log' no warn
}

# A setting that is said twice, a day apart, and is the same has not changed; of two that differ both lines are shown.
over_time() {
	fresh
	mkdir b
	for day in 1 2; do
		printf '\n==============NVSMI LOG==============\n\nTimestamp                                 : Thu May  %d 10:00:00 2025\nDriver Version                            : 550.54.14\n\nAttached GPUs                             : 1\nGPU 00000000:3B:00.0\n    Product Name                          : NVIDIA A100-SXM4-40GB\n    GPU UUID                              : GPU-0c7fd3a2-61be-4f1d-88d3-9f0a3b5c7e21\n    MIG Mode\n        Current                           : %s\n        Pending                           : %s\n    ECC Mode\n        Current                           : Enabled\n        Pending                           : Enabled\n' \
			"$day" "$1" "$1" >b/q$day.txt
		shift
	done
	"$gpudx" analyze --format json -o r.json b >/dev/null
	says preflight 'Did the ECC mode' no pass
}

same() {
	over_time Disabled Disabled && says preflight 'Did the state of MIG' no pass
}

changed() {
	over_time Disabled Enabled && says preflight 'Did the state of MIG' yes warn q1.txt:12 &&
		says preflight 'Did the state of MIG' yes warn q2.txt:12
}

serving() {
	fresh
	mkdir b
	cp "$top/samples/healthy/nvidia-smi-L.txt" "$top/samples/healthy/trace.csv" b
	printf 'Package           Version\n----------------- -------\ntorch             2.5.1\nvllm              0.6.4\n' >b/pip.txt
	"$gpudx" analyze --format json -o r.json b >/dev/null
	says serving 'Are throttle reasons' yes pass trace.csv:1 &&
		says serving 'Is a version to go back to' no warn &&
		says serving 'Are 30 minutes' unknown not_checkable
}

# The other judgement replaces the answers of the first; the screen of ten seconds has no room for them.
again() {
	answers "$top/samples/healthy"
	sqlite3 c.db 'SELECT list, n, count(*) FROM answer GROUP BY 1, 2 HAVING count(*) > 1' >"$tmp/twice"
	"$gpudx" report --format text c.db >whole && "$gpudx" analyze "$top/samples/healthy" --force >screen &&
		grep -q '^BEFORE AND AFTER' whole && ! grep -q 'Xids in the kernel log' screen && [ ! -s "$tmp/twice" ]
}

check terms-exist terms_exist
check of-a-healthy-machine healthy
check of-one-at-its-power-limit limited
check of-one-after-an-update after_update
check an-excerpt-excludes-nothing excerpt
check same-over-time same
check changed-over-time changed
check of-a-serving-machine serving
check stand-once-and-not-on-the-screen again
