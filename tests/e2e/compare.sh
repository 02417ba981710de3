#!/bin/sh
# gpudx compare: sides, gate, files, formats; and what it finds in generated pairs (tests/compare).
set -u
. tests/lib.sh
suite=compare
command -v python3 >/dev/null || skip_all 'no python3'

pair() {
	python3 "$top/tests/compare/generate.py" "$1" 7 "$tmp/$1"
}
pair limit-lowered && pair no-change && pair cap-lost
lowered=$tmp/limit-lowered quiet=$tmp/no-change

compare() {
	"$gpudx" compare "$@"
}

json() {
	compare --format json -o - "$@"
}

# keeps_schema NAME ARGUMENT...: what it writes is described in docs/compare.schema.json, every key.
keeps_schema() {
	name=$1
	shift
	json "$@" >"$tmp/schema-$name.json"
	check "$name-keeps-the-schema" python3 "$top/tests/report/check_json.py" "$top/docs/compare.schema.json" "$tmp/schema-$name.json" strict
}

# refused WORDS ARGUMENT...: status 2, says so on stderr, no file.
refused() {
	words=$1
	shift
	fresh
	ends 2 compare "$@" && complains "$words" && holds ''
}
check no-side refused 'two sides'
check one-side refused 'two sides' "$quiet/before"
check three-sides refused 'one too many' "$quiet/before" "$quiet/after" "$quiet/after"
check no-share refused 'max-clock-drop' "$quiet/before" "$quiet/after" --max-clock-drop 300
check no-kind refused 'no such kind' "$quiet/before" "$quiet/after" --no-new nonsense
check no-way refused 'must be like' "$quiet/before" "$quiet/after" --series step_ms
check split-of-two refused 'one' --split "$quiet/before" --after "$quiet/after"

missing() {
	fresh
	ends 2 compare "$quiet/before" "$tmp/nothing-here" && complains nothing-here && holds ''
}
check missing-side missing

without_gpu() {
	fresh
	mkdir b && echo 'Linux host 5.15.0 #1 SMP x86_64 GNU/Linux' >b/uname.txt
	ends 3 compare b "$quiet/after" && complains 'no GPU'
}
check side-without-gpu without_gpu

writes_a_page() {
	fresh
	ends 0 compare "$quiet/before" "$quiet/after" && holds compare.gpudx.html &&
		prints 'same SM clock' && silent &&
		python3 "$top/tests/report/check_html.py" compare.gpudx.html
}
check page writes_a_page

# What it reads into lies beside the report; it must go, whatever happens, and not come for stdout.
leaves_nothing() {
	fresh
	mkdir out && ends 0 compare "$quiet/before" "$quiet/after" -o out/x.html && holds out && [ "$(ls -A out)" = x.html ] &&
		ends 2 compare "$quiet/before" "$quiet/nothing-here" -o out/y.html && [ "$(ls -A out)" = x.html ]
}
check leaves-nothing leaves_nothing

only_stdout() {
	fresh
	ends 0 json "$quiet/before" "$quiet/after" && holds '' &&
		wants "$tmp/out" '.schema == "gpudx/compare/1" and .comparable'
}
check only-stdout only_stdout

draws() {
	have gnuplot || return
	fresh
	unset GPUDX_GNUPLOT
	run compare "$lowered/before" "$lowered/after"
	GPUDX_GNUPLOT=/nonexistent
	export GPUDX_GNUPLOT
	grep -q '<svg class="wide"' compare.gpudx.html &&
		python3 "$top/tests/report/check_html.py" compare.gpudx.html
}
check plots draws

# ---- the gate ----

gate_fails() {
	fresh
	ends 1 compare "$lowered/before" "$lowered/after" --max-clock-drop 3% --series step_ms,lower &&
		prints 'GATE FAILED' && prints 'cause: power' &&
		holds compare.gpudx.html compare.junit.xml &&
		python3 - compare.junit.xml <<'PY'
import sys, xml.etree.ElementTree as xml
suite = xml.parse(sys.argv[1]).getroot()
assert suite.get("failures") == "2" and len(suite.findall("testcase/failure")) == 2
PY
}
check gate-fails gate_fails

gate_passes() {
	fresh
	ends 0 compare "$quiet/before" "$quiet/after" --max-clock-drop 3% --no-new xid &&
		prints 'GATE PASSED' && ! grep -q '<skipped' compare.junit.xml
}
check gate-passes gate_passes

# What cannot be told is never passed, and fails unless it is allowed.
inconclusive() {
	fresh
	ends 1 compare "$quiet/before" "$quiet/after" --max-throughput-drop 3% && prints INCONCLUSIVE &&
		grep -q '<skipped' compare.junit.xml && grep -q '<error' compare.junit.xml &&
		ends 0 compare "$quiet/before" "$quiet/after" --max-throughput-drop 3% --allow-inconclusive &&
		prints INCONCLUSIVE && grep -q '<skipped' compare.junit.xml && ! grep -q '<error' compare.junit.xml
}
check gate-inconclusive inconclusive

# gates EXIT OPTIONS JQ-EXPRESSION over [outcome, said, needs] of the conditions: for $before and $after.
gates() {
	code=$1
	shift
	expression=$1
	shift
	fresh
	run json "$before" "$after" "$@"
	[ "$status" = "$code" ] || { echo "exit $status instead of $code: $*"; return 1; }
	wants "$tmp/out" "[.gate.conditions[] | [.outcome, .said, .needs]] | $expression"
}

# What is allowed lies inside the interval: not passed, not failed, and how long it would take is said.
edges() {
	before=$lowered/before after=$lowered/after
	gates 0 'map(.[0]) == ["pass", "pass"]' --series step_ms,lower,10% --max-clock-drop 12% &&
		gates 1 '.[0][0] == "inconclusive" and (.[0][2] | test("more minutes? under load"))' --max-clock-drop 7.8% &&
		gates 0 '.[0][0] == "inconclusive"' --max-clock-drop 7.8% --allow-inconclusive &&
		gates 1 'map(.[0]) == ["fail", "inconclusive"]' --max-clock-drop 3% --series nothing_such,lower --allow-inconclusive &&
		gates 1 '.[0][0] == "fail" and (.[0][1] | test("p9[59]"))' --series step_ms,lower,6%
}
check gate-edges edges

# One slow GPU of three fails it, by its name.
slowest() {
	pair thermal-one
	before=$tmp/thermal-one/before after=$tmp/thermal-one/after
	gates 1 '.[0][0] == "fail" and (.[0][1] | endswith("GPU 1"))' --max-clock-drop 5%
}
check gate-by-the-slowest slowest

error_rates() {
	pair errors-20h && pair errors-2000h
	before=$tmp/errors-2000h/before after=$tmp/errors-2000h/after
	gates 1 '.[0][0] == "fail" and (.[0][1] | startswith("xid"))' --max-error-rate-ratio 1.5 || return 1
	before=$tmp/errors-20h/before after=$tmp/errors-20h/after
	gates 1 '.[0][0] == "inconclusive" and (.[0][2] | test("GPU-h on each side"))' --max-error-rate-ratio 1.5
}
check gate-error-rates error_rates

# Xid 31 was there before; 79 was not. What stands in a whole log counts, an excerpt shows nothing.
new_kinds() {
	fresh
	cp -R "$quiet/before" "$tmp/new-b" && cp -R "$quiet/after" "$tmp/new-a"
	before=$tmp/new-b after=$tmp/new-a
	gates 0 'map(.[0]) == ["pass", "pass"]' --no-new xid --no-new xid.79 || return 1
	awk 'NR == 40 { x = $0; sub(/kernel: .*/, "kernel: NVRM: Xid (PCI:0000:07:00): 79, pid=1234, name=python3, GPU has fallen off the bus.", x); print x } { print }' \
		"$quiet/after/journal.txt" >"$after/journal.txt"
	gates 1 'map(.[0]) == ["fail", "fail", "pass"]' --no-new xid --no-new xid.79 --no-new sxid || return 1
	rm "$after/journal.txt"
	gates 1 'map(.[0]) == ["inconclusive"]' --no-new xid &&
		gates 0 'map(.[0]) == ["inconclusive"]' --no-new xid --allow-inconclusive
}
check gate-new-kinds new_kinds

# ---- sides ----

from_database() {
	fresh
	"$gpudx" analyze "$lowered/before" >/dev/null && "$gpudx" analyze "$lowered/after" >/dev/null &&
		json before.gpudx.db after.gpudx.db >"$tmp/a" &&
		json --baseline before.gpudx.db "$lowered/after" >"$tmp/b" &&
		json "$lowered/before" "$lowered/after" >"$tmp/c" &&
		for f in a b c; do jq 'del(.before.label, .after.label)' "$tmp/$f" >"$tmp/$f.json" || return 1; done &&
		cmp "$tmp/a.json" "$tmp/c.json" && cmp "$tmp/b.json" "$tmp/c.json"
}
check databases from_database

several_bundles() {
	fresh
	mkdir rest && cp "$lowered/before/nvidia-smi-q.txt" rest
	json --before "$lowered/before/trace.csv" --before rest --after "$lowered/after" >"$tmp/a" &&
		wants "$tmp/a" '(.before.gpus | length) == 2 and (.pairs | map(.how) | unique) == ["UUID"]'
}
check several-bundles several_bundles

split() {
	fresh
	mkdir one
	{
		cat "$lowered/before/trace.csv"
		tail -n +2 "$lowered/after/trace.csv"
	} >one/trace.csv
	json --split one >"$tmp/a" &&
		wants "$tmp/a" '.split_by == "driver.version 535.183.01 → 550.127.05" and (.lead | test("power limit 400 → 300 W"))' &&
		ends 3 compare --split "$quiet/before" && complains 'no change'
}
check split-one-trace split

# The trace without the column of the driver: only a log tells when it changed.
both_traces() {
	fresh
	mkdir one
	{
		cat "$lowered/before/trace.csv"
		tail -n +2 "$lowered/after/trace.csv"
	} | cut -d, -f1-3,5- >one/trace.csv
}

loads() { # DATE VERSION: a boot that loads that driver
	printf '%sT09:%s:00.000000+00:00 node17 kernel: %s\n' "$1" 50 'Linux version 5.15.0-91-generic (build@host) #101-Ubuntu SMP' \
		"$1" 51 "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  $2  Tue Mar  5 22:11:18 UTC 2024" "$1" 52 'usb 1-1: new high-speed USB device number 2'
}

split_by() {
	json --split one >"$tmp/a" &&
		wants "$tmp/a" '.split_by == "driver.version 535.183.01 → 550.127.05" and .comparable and (.lead | test("power limit 400 → 300 W"))'
}

split_boots() {
	both_traces
	{
		loads 2026-01-06 535.183.01
		loads 2026-01-27 550.127.05
	} >one/journal.txt
	split_by
}
check split-loads-over-boots split_boots

# What a package manager did; what it says only after the change is not known of the time before.
split_packages() {
	both_traces
	printf '2026-01-20 08:00:0%s\n' '0 upgrade nvidia-driver-550:amd64 535.183.01-0ubuntu1 550.127.05-0ubuntu1' \
		'5 status installed nvidia-driver-550:amd64 550.127.05-0ubuntu1' '6 status installed libnccl2:amd64 2.18.1-1' >one/dpkg.log
	split_by && wants "$tmp/a" '(.same | any(startswith("package."))) | not'
}
check split-package-history split_packages

reproducible() {
	fresh
	json "$lowered/before" "$lowered/after" >a && json "$lowered/before" "$lowered/after" >b && cmp a b &&
		json --seed 2 "$lowered/before" "$lowered/after" >c && ! cmp -s a c
}
check reproducible reproducible

markdown() {
	fresh
	ends 0 compare --format md -o - "$lowered/before" "$lowered/after" && prints '| power.limit\_w |'
}
check markdown markdown

lost_setting() {
	json "$tmp/cap-lost/before" "$tmp/cap-lost/after" >"$tmp/a"
	wants "$tmp/a" '[.changes[] | select(.key == "power.limit_w") | .class] == ["site policy lost"]' &&
		wants "$tmp/a" '[.findings[] | select(.severity == "warning" and .id == "compare.contract-changed")] | length == 1'
}
check lost-setting lost_setting

# The site has the last word on what is intended and what got lost.
site() {
	printf '# key\twhere\texpected\twhy\npower.limit_w\t*\t300\tthe rack has no more\n' >"$tmp/site.tsv"
	json --site "$tmp/site.tsv" "$lowered/before" "$lowered/after" >"$tmp/a" &&
		wants "$tmp/a" '[.changes[] | select(.key == "power.limit_w") | [.class, .note]] == [["intended", "as the site means it: the rack has no more"]]' &&
		wants "$tmp/a" '[.findings[] | select(.id == "compare.contract-changed" and .severity != "info")] == []' || return 1
	sed -i 's/300/350/' "$tmp/site.tsv"
	json --site "$tmp/site.tsv" "$lowered/before" "$lowered/after" >"$tmp/a" &&
		wants "$tmp/a" '[.changes[] | select(.key == "power.limit_w") | [.class, .note]] == [["site policy lost", "lost: the site means 350 (the rack has no more)"]]' &&
		wants "$tmp/a" '.findings | any(.severity == "warning" and (.summary | test("policy.site-lost")))' || return 1
	fresh
	"$gpudx" analyze "$lowered/before" >/dev/null && "$gpudx" analyze --site "$tmp/site.tsv" "$lowered/after" >/dev/null &&
		json before.gpudx.db after.gpudx.db >"$tmp/a" && wants "$tmp/a" '.changes | any(.class == "site policy lost")' &&
		ends 2 compare --site "$tmp/site.tsv" before.gpudx.db after.gpudx.db && complains 'is a database' &&
		ends 2 compare --site "$tmp/nothing.tsv" "$quiet/before" "$quiet/after" && complains nothing.tsv
}
check site-has-the-last-word site

# ---- counters ----

# card DIR DATE UUID REPLAYS CORRECTED UNCORRECTED PENDING UPTIME-IN-DAYS: one A100 as nvidia-smi -q shows it.
card() {
	mkdir -p "$1"
	printf '%s\n' '==============NVSMI LOG==============' '' "Timestamp                                 : $2" \
		'Driver Version                            : 550.127.05' 'CUDA Version                              : 12.4' '' \
		'Attached GPUs                             : 1' 'GPU 00000000:07:00.0' \
		'    Product Name                          : NVIDIA A100-SXM4-80GB' "    GPU UUID                              : $3" \
		'    PCI' "        Replays Since Reset               : $4" '    ECC Errors' '        Aggregate' \
		"            DRAM Correctable              : $5" "            DRAM Uncorrectable            : $6" \
		'    Remapped Rows' '        Correctable Error                 : 0' '        Uncorrectable Error               : 0' \
		"        Pending                           : $7" '        Remapping Failure Occurred        : No' >"$1/q.txt"
	printf '%s\n' "$(echo "$2" | sed 's/ \(20[0-9]*\)$/ UTC \1/')" " 10:00:00 up $8 days,  2:00,  1 user,  load average: 0.00, 0.00, 0.00" >"$1/date.txt"
}
one=GPU-00000000-0000-0000-0000-000000000001
early='Tue Jan  6 10:00:00 2026' late='Tue Jan 27 10:00:00 2026'

grown() { # JQ-EXPRESSION over the findings of counters
	json b a >"$tmp/a" && wants "$tmp/a" "[.findings[] | select(.id == \"compare.counter-growth\") | [.severity, .summary]] | $1"
}
counters_grow() {
	fresh
	card b "$early" $one 0 3 0 No 10
	card a "$late" $one 120 5 2 Yes 31
	grown 'map(.[0]) == ["error", "error", "warning", "info"] and (.[2][1] | test("PCIe replays: GPU 07:00.0 0 → 120 in 21 days"))' &&
		ends 0 compare b a && prints 'Grown since: uncorrectable memory errors' && prints 'E a row waits to be remapped'
}
check counters-grow counters_grow

# 5000 replays in ten days, then a restart, then 300 in five: fewer than before, and no decrease. After it 30,000: more.
counters_restart() {
	fresh
	card b "$early" $one 5000 3 0 No 10
	card a "$late" $one 300 3 0 No 5
	grown 'length == 1 and .[0][0] == "info" and (.[0][1] | test("at least 300 in .* since a restart"))' || return 1
	card a "$late" $one 30000 3 0 No 5
	grown 'map(.[0]) == ["warning"]'
}
check counters-past-a-restart counters_restart

# What is not said is not zero, and another board's counts are not this one's.
counters_unknown() {
	fresh
	card b "$early" $one N/A N/A 0 No 10
	card a "$late" $one 120 500 0 No 31
	grown 'length == 0' && wants "$tmp/a" '[.counters[].key] | any(. == "pcie.replays") | not' || return 1
	card b "$early" $one 0 0 0 No 10
	card a "$late" GPU-00000000-0000-0000-0000-000000000002 120 500 7 Yes 31
	grown 'length == 0' && wants "$tmp/a" '(.counters | length) == 0 and (.no_counters | test("stay with the board"))'
}
check counters-unknown counters_unknown

# A counter below zero is none, whoever wrote it; a later value that it had is no growth.
counters_absurd() {
	fresh
	for v in -5 3 7; do
		gpu='{gpu="0",UUID="GPU-00000000-0000-0000-0000-000000000001",device="nvidia0",modelName="NVIDIA A100-SXM4-80GB",Hostname="n"}'
		printf '%s\n' '# HELP DCGM_FI_DEV_GPU_TEMP GPU temperature (in C).' '# TYPE DCGM_FI_DEV_GPU_TEMP gauge' "DCGM_FI_DEV_GPU_TEMP$gpu 40" \
			"DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL$gpu $v" >"at$v.prom"
	done
	json at-5.prom at3.prom >"$tmp/a" && wants "$tmp/a" '(.counters | length) == 0' &&
		json at3.prom at7.prom >"$tmp/a" && wants "$tmp/a" '[.counters[] | [.key, .growth, .severity]] == [["nvlink.crc_flit_errors", 4, "info"]]'
}
check counters-absurd counters_absurd

other_schema() {
	fresh
	"$gpudx" analyze "$quiet/before" >/dev/null && sqlite3 before.gpudx.db 'PRAGMA user_version = 2'
	ends 3 compare before.gpudx.db "$quiet/after" && complains 'made by another gpudx (schema 2'
}
check database-of-another-schema other_schema

counted_schema() {
	fresh
	card b "$early" $one 0 3 0 No 10
	card a "$late" $one 120 5 2 Yes 31
}
counted_schema
keeps_schema counters b a
keeps_schema gate "$lowered/before" "$lowered/after" --max-clock-drop 3% --no-new xid --max-error-rate-ratio 2 --max-throughput-drop 3% --series step_ms,lower
keeps_schema lost "$tmp/cap-lost/before" "$tmp/cap-lost/after"

# ---- MIG ----

# sliced DIR PROFILE...: one GPU with these slices, as nvidia-smi -L shows it; MIG off without any.
sliced() {
	dir=$1
	shift
	mkdir -p "$dir"
	echo 'GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-00000000-0000-0000-0000-000000000001)' >"$dir/L.txt"
	n=0
	for p; do
		printf '  MIG %s     Device  %d: (UUID: MIG-%08d-0000-0000-0000-%012d)\n' "$p" $n "$(echo "$p" | tr -dc 0-9)" $n >>"$dir/L.txt"
		n=$((n + 1))
	done
	printf '%s\n' 'mig.mode.current, index, uuid, mig.mode.pending' "$([ $# -gt 0 ] && echo Enabled || echo Disabled), 0, GPU-00000000-0000-0000-0000-000000000001, $([ $# -gt 0 ] && echo Enabled || echo Disabled)" >"$dir/mode.csv"
}

layout() {
	fresh
	sliced b 1g.5gb 1g.5gb 3g.20gb
	sliced a 3g.20gb 1g.5gb
	json b a >"$tmp/a" && wants "$tmp/a" '[.changes[] | select(.key == "mig.layout") | [.before, .after, .class]] == [["2 x 1g.5gb, 1 x 3g.20gb", "1 x 1g.5gb, 1 x 3g.20gb", "site policy"]]' &&
		wants "$tmp/a" '[.slices[] | .how] == ["UUID", "profile and order", null]' &&
		ends 0 compare b a && prints 'slices  2 MIG slices paired' && prints 'before: GPU 0 1g.5gb' || return 1
	sliced b 3g.20gb 1g.5gb
	json b a >"$tmp/a" && wants "$tmp/a" '(.changes | length) == 0 and ([.slices[] | .how] == ["UUID", "UUID"])' || return 1
	sliced c
	json b c >"$tmp/a" && wants "$tmp/a" '[.changes[] | select(.key == "mig.layout") | [.after, .class]] == [["none", "site policy lost"]]' &&
		rm c/mode.csv && json b c >"$tmp/a" && wants "$tmp/a" '[.changes[] | select(.key == "mig.layout")] == []'
}
check mig-layout layout
# DCGM per slice, as Prometheus stores it: the second slice is half as busy after.
busy() { # FILE SHARE-OF-SLICE-7 SHARE-OF-SLICE-8
	python3 - "$1" "$2" "$3" <<'PY'
import json, random, sys
rng, out = random.Random(sys.argv[1][-1]), []
for gi, share in (("7", float(sys.argv[2])), ("8", float(sys.argv[3]))):
    labels = {"__name__": "DCGM_FI_PROF_GR_ENGINE_ACTIVE", "gpu": "0", "UUID": "GPU-00000000-0000-0000-0000-000000000001",
              "GPU_I_ID": gi, "GPU_I_PROFILE": "1g.5gb", "modelName": "NVIDIA A100-SXM4-40GB", "Hostname": "node17", "instance": "node17:9400"}
    out.append({"metric": labels, "values": [[1767700000 + 10 * i, f"{share + rng.gauss(0, 0.01):.4f}"] for i in range(120)]})
json.dump({"status": "success", "data": {"resultType": "matrix", "result": out}}, open(sys.argv[1], "w"))
PY
}
slices_speed() {
	fresh
	mkdir b a
	busy b/range.json 0.9 0.8
	busy a/range.json 0.9 0.4
	json b a >"$tmp/a" && wants "$tmp/a" '[.shifts[] | select(.role == "slice") | [.of, .verdict]] == [["GPU 0 1g.5gb (instance 7)", "same"], ["GPU 0 1g.5gb (instance 8)", "less"]]' &&
		wants "$tmp/a" '.findings | any(.who == "GPU 0 1g.5gb (instance 8)")'
}
check slices-speed slices_speed
sliced "$tmp/mig-b" 1g.5gb 1g.5gb
sliced "$tmp/mig-a" 1g.5gb 3g.20gb
keeps_schema mig "$tmp/mig-b" "$tmp/mig-a"

# ---- columns that mean something else ----

# meaning NAME SED-OF-THE-HEAD-AFTER JQ-EXPRESSION: the trace after has other columns, on a board of that name.
meaning() {
	fresh
	cp -R "$quiet/before" b && cp -R "$quiet/after" a
	sed -i "s/A100-SXM4-80GB/$1/" b/nvidia-smi-q.txt a/nvidia-smi-q.txt
	sed -i "$2" a/trace.csv
	json b a >"$tmp/a" && wants "$tmp/a" "$3"
}
of_power='([.shifts[] | select(.role == "power")] | length)'
check average-for-draw meaning A100-SXM4-80GB '1s/power.draw/power.draw.average/' \
	"$of_power == 0 and (.refused | any(test(\"power.draw .*before, power.draw.average .*after: not compared\")))"
check average-is-draw meaning 'H100 80GB HBM3' '1s/power.draw/power.draw.average/' "$of_power > 0 and (.refused | length) == 0"
check reserved-memory meaning A100-SXM4-80GB '1!s/535.183.01/470.57.02/' \
	'(.refused | length) == 1 and ([.shifts[] | select(.role == "memory")] | length) == 0 and (.lead | startswith("Equally busy"))'

# What was asked for is no lower than what is in force.
limits_of_two_kinds() {
	fresh
	cp -R "$quiet/before" b && cp -R "$quiet/after" a && rm b/nvidia-smi-q.txt a/nvidia-smi-q.txt
	sed -i '1s/power.limit/enforced.power.limit/' b/trace.csv
	sed -i 's/, 400.00 W/, 450.00 W/' a/trace.csv
	json b a >"$tmp/a" && wants "$tmp/a" '(.refused | length) == 1 and (.changes | all(.key != "power.limit_w"))' || return 1
	sed -i 's/, 450.00 W/, 300.00 W/' a/trace.csv
	json b a >"$tmp/a" && wants "$tmp/a" '(.refused | length) == 0 and (.changes | any(.key == "power.limit_w" and .after == "300"))'
}
check limits-of-two-kinds limits_of_two_kinds

# Channels of NCCL that go another way, or by other means.
nccl_path() {
	fresh
	sliced b
	cp -R b a
	nccl='node01:1234:1290 [0] NCCL INFO'
	printf '%s\n' "$nccl Using network IB" "$nccl Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read" "$nccl Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM/read" \
		"$nccl Channel 00/0 : 1[1] -> 8[0] [send] via NET/IB/0/GDRDMA" >b/job.log
	printf '%s\n' "$nccl Using network Socket" "$nccl Channel 00 : 0[0] -> 1[1] via SHM/direct/direct" "$nccl Channel 00/0 : 1[1] -> 8[0] [send] via NET/Socket/0" >a/job.log
	json b a >"$tmp/a" && wants "$tmp/a" '[.changes[] | select(.key | startswith("nccl.")) | [.key, .before, .after]] | sort ==
		[["nccl.gdr", "yes", "no"], ["nccl.network", "IB", "Socket"], ["nccl.via.net", "IB", "Socket"], ["nccl.via.p2p", "CUMEM", "(none)"], ["nccl.via.shm", "(none)", "direct"]]' &&
		wants "$tmp/a" '[.findings[] | select(.id == "compare.nccl-path-changed") | .severity] | length == 5 and all(. == "warning")'
}
check nccl-path nccl_path

# What a whole list does not have is gone; what nobody listed is not known.
packages() {
	fresh
	cp -R "$quiet/before" b && cp -R "$quiet/before" a && cp -R "$quiet/before" none && rm none/pip-list.txt
	echo 'triton     2.1.0' >>b/pip-list.txt
	json b a >"$tmp/a" &&
		wants "$tmp/a" '.changes | map([.key, .before, .after]) == [["package.triton", "2.1.0", "(none)"]]' &&
		json b none >"$tmp/a" && wants "$tmp/a" '(.changes | length) == 0 and (.only_before | any(. == "package.triton"))'
}
check package-sets packages

# What a bundle says reaches page and terminal inert.
hostile() {
	fresh
	mkdir b
	sed 's|Product Name  .*|Product Name : <script>alert(1)</script>\x1b[31m|' "$lowered/before/nvidia-smi-q.txt" >b/q.txt
	cp "$lowered/before/trace.csv" b
	ends 0 compare b "$lowered/after" || return 1
	! grep -q '<script>alert' compare.gpudx.html && ! grep -q "$(printf '\033')" "$tmp/out" compare.gpudx.html
}
check hostile-names hostile

# ---- real pairs ----

real() {
	[ -d "$shared/corpus" ] || {
		echo 'no shared corpus'
		return 77
	}
	json "$shared/corpus/$1" "$shared/corpus/$2" >"$tmp/a" && wants "$tmp/a" "$3"
}
check other-work real smi-csv/a100pcie250-burst-random.csv.gz smi-csv/a100pcie250-burst-maxpower.csv.gz \
	'(.lead | test("^Equally busy, 9.* lower SM clock")) and (.reasons | any(test("Power stayed")))'
check idle-and-load real smi-csv/ut-h100-590.idle.query-gpu.csv smi-csv/ut-h100-590.load.query-gpu.csv \
	'(.comparable | not) and (.changes | length) == 0 and .pairs[0].how == "UUID"'
check other-machines real bugreport/br02-3x4070-x1riser-xid79.log.gz bugreport/br06-2xa6000-busy-powercap-85C.log.gz \
	'(.pairs | length) == 0 and (.changes | any(.key == "driver.version"))'

python3 tests/compare/accuracy.py "$gpudx" fast | grep -v '^#'
