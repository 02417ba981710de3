#!/bin/sh
# The command line: options, exit status, output files.
set -u
. tests/lib.sh
suite=cli

cap=$top/samples/power-cap xid=$top/samples/xid-after-update healthy=$top/samples/healthy

# Two things happened here, a slowdown and before it a crash, and nothing says which one matters.
two=$tmp/two
cp -R "$cap" "$two"
echo '[50000.000000] NVRM: Xid (PCI:0000:07:00): 31, pid=4711, name=python3, Ch 00000008, intr 10000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x7f3a_12345000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ' >>"$two/dmesg.txt"

analyze() {
	"$gpudx" analyze "$@"
}

json() {
	analyze --format json -o - "$@"
}

# A gnuplot that does not answer has its 20 seconds while all other tests run.
mkdir "$tmp/hung"
printf '#!/bin/sh\necho $$ >%s/hung/pid\nexec sleep 1000\n' "$tmp" >"$tmp/hung/gnuplot"
chmod +x "$tmp/hung/gnuplot"
(cd "$tmp/hung" && GPUDX_GNUPLOT=$tmp/hung/gnuplot exec "$gpudx" analyze -o r.html "$cap" >out 2>err) &
hung_pid=$!

# ---- help and usage ----

helps() {
	ends 0 "$gpudx" "$@" --help && prints 'usage: gpudx' && silent
}
check help helps
for command in analyze sources report rules; do
	check "help-of-$command" helps $command
	check "help-of-$command-by-letter" ends 0 "$gpudx" $command -h
done

help_names_options() {
	run "$gpudx" analyze --help
	for option in output db format tz complaint at since until rules site set fail-on fail-on-action \
		force timings jobs; do
		prints "--$option" || return 1
	done
}
check help-of-analyze-names-its-options help_names_options

version() {
	ends 0 "$gpudx" --version && prints 'gpudx '
}
check version version

# refused WORDS ARGUMENT...: status 2, says so on stderr, nothing on stdout, no file.
refused() {
	words=$1
	shift
	fresh
	ends 2 "$gpudx" "$@" && complains "$words" && holds '' && [ ! -s "$tmp/out" ]
}
check usage-no-command refused 'usage: gpudx'
check usage-unknown-command refused 'frobnicate: no such command' frobnicate
for command in analyze sources report rules; do
	check "usage-$command-unknown-option" refused 'no such option' $command --frobnicate "$cap"
	check "usage-$command-unknown-letter" refused 'no such option' $command -X "$cap"
	check "usage-$command-without-argument" refused "$command" $command
done
# site WORDS TEXT: a file of what the site means that is none.
site() {
	printf '%b' "$2" >"$tmp/site.tsv"
	refused "$1" analyze --site "$tmp/site.tsv" "$cap"
}
check usage-site-that-is-not-there refused 'nowhere.tsv' analyze --site nowhere.tsv "$cap"
check usage-site-that-is-a-directory refused 'directory' analyze --site / "$cap"
check usage-site-of-another-key site 'site.tsv:2: no fact is called no.such_key' \
	'# ours\nno.such_key\t*\t1\twhy\n'
check usage-site-of-three-columns site 'site.tsv:1: a line has four columns' 'power.limit_w\t*\t300\n'
check usage-site-of-five-columns site 'site.tsv:1: a line has four columns' \
	'power.limit_w\t*\t300\twhy\tmore\n'
check usage-site-of-more-than-a-word site 'site.tsv:1: only numbers' 'ecc.mode\t*\t>= on\twhy\n'
site_too_large() {
	head -c 1100000 /dev/zero | tr '\0' '#' >"$tmp/site.tsv"
	refused 'larger than 1 MiB' analyze --site "$tmp/site.tsv" "$cap"
}
check usage-site-that-is-too-large site_too_large
for option in output db format tz complaint at since until rules site set fail-on fail-on-action; do
	check "usage-$option-needs-a-value" refused 'needs a value' analyze "$cap" --$option
done
check usage-a-flag-takes-no-value refused 'takes no value' analyze --force=yes "$cap"
for option in format complaint fail-on fail-on-action; do
	check "usage-$option-of-another-word" refused "--$option bad: must be one of" \
		analyze --$option bad "$cap"
	check "usage-$option-of-no-word" refused 'must be one of' analyze --$option= "$cap"
done
for option in at since until; do
	check "usage-$option-that-is-no-time" refused 'not a time' analyze --$option yesterday "$cap"
	check "usage-$option-that-is-no-date" refused 'not a time' \
		analyze --$option 2026-13-45T10:00:00 "$cap"
done
check usage-tz-nonsense refused 'Mars/Olympus' analyze --tz Mars/Olympus "$cap"
check usage-tz-too-far refused '+99:00' analyze --tz +99:00 "$cap"
check usage-set-unknown-rule refused 'no.such-rule' analyze --set no.such-rule.x=1 "$cap"
check usage-set-unknown-parameter refused 'no_such' \
	analyze --set power.cap-clock-drop.no_such=1 "$cap"
check usage-set-no-number refused '"ten" is no number' \
	analyze --set power.cap-clock-drop.drop_pct=ten "$cap"
check usage-set-no-value refused 'power.cap-clock-drop' analyze --set power.cap-clock-drop "$cap"
check usage-rules-no-directory refused '/nonexistent' analyze --rules /nonexistent "$cap"
check usage-no-jobs refused '--jobs 0' analyze --jobs 0 "$cap" "$xid"
check usage-jobs-that-are-no-number refused '--jobs 2x' analyze --jobs 2x "$cap" "$xid"
check usage-jobs-with-one-database refused '--jobs' analyze --jobs 2 --db one.db "$cap" "$xid"
check usage-one-output-for-two-bundles refused '--output' analyze -o x.html "$cap" "$xid"
check usage-missing-path refused '/nonexistent/bundle' analyze /nonexistent/bundle
check usage-sources-missing-path refused '/nonexistent/bundle' sources /nonexistent/bundle
check usage-report-missing-path refused '/nonexistent.db' report /nonexistent.db
check usage-report-other-format refused '--format' report --format pdf x.db
check usage-rules-show-unknown refused 'no.such-rule' rules show no.such-rule

options_anywhere() {
	fresh
	ends 0 analyze "$cap" --format=json -o- && wants "$tmp/out" '.schema == "gpudx/1"'
}
check options-stand-anywhere options_anywhere

dash_dash() {
	fresh
	cp -R "$cap" ./--odd
	ends 0 analyze --format json -o - -- --odd
}
check two-dashes-end-options dash_dash

# ---- what is written where ----

default_files() {
	fresh
	ends 0 analyze "$cap" && prints 'power-cap.gpudx.html  power-cap.gpudx.db' && silent &&
		prints 'EXPLANATION' && holds power-cap.gpudx.db power-cap.gpudx.html
}
check writes-report-and-database default_files

named_after() {
	fresh
	tar -C "$top/samples" -czf x.tar.gz power-cap
	ends 0 analyze x.tar.gz && holds x.gpudx.db x.gpudx.html x.tar.gz
}
check files-are-named-after-the-archive named_after

by_format() {
	fresh
	ends 0 analyze --format json "$cap" && ends 0 analyze --format text "$cap" && ends 0 analyze --format md "$cap" &&
		holds power-cap.gpudx.db power-cap.gpudx.json power-cap.gpudx.md power-cap.gpudx.txt &&
		wants power-cap.gpudx.json '.verdict.kind == "explanation"' &&
		grep -q EXPLANATION power-cap.gpudx.txt
}
check each-format-has-its-ending by_format

output_file() {
	fresh
	mkdir d
	ends 0 analyze -o d/r.html "$cap" && holds d power-cap.gpudx.db && cd d && holds r.html
}
check output-names-the-report output_file

output_stdout() {
	fresh
	for format in html json text; do
		ends 0 analyze --format $format -o - "$cap" && silent && holds '' || return 1
	done
	prints 'EXPLANATION'
}
check output-dash-writes-no-file output_stdout

output_stdout_db() {
	fresh
	ends 0 analyze --format json --db c.db -o - "$cap" && wants "$tmp/out" .schema && holds c.db
}
check output-dash-with-db-writes-the-database output_stdout_db

# device NAME MINOR: a node of our own; those of the machine are not for trying.
device() {
	if ! mknod "$1" c 1 "$2" 2>/dev/null || ! { : >"$1"; } 2>/dev/null; then
		echo "devices cannot be made here"
		return 77
	fi
}

output_device() {
	fresh
	mkfifo pipe
	cat pipe >got &
	reader=$!
	ends 0 analyze --format json -o pipe "$cap" && wait "$reader" && [ -p pipe ] && wants got .schema || return 1
	device null 3 || return 77
	ends 0 analyze -o null "$cap" && [ -c null ] && ends 2 analyze --db null "$cap" && [ -c null ]
}
check output-to-a-device-or-pipe-leaves-it-one output_device

output_no_directory() {
	fresh
	ends 5 analyze -o none/r.html "$cap" && complains 'none/r.html: No such file' && holds '' &&
		ends 5 analyze --db none/c.db "$cap" && complains 'none/c.db: No such file' && holds ''
}
check output-into-no-directory output_no_directory

output_is_directory() {
	fresh
	mkdir d
	ends 2 analyze -o d "$cap" && complains 'd: is a directory' && holds d &&
		ends 2 analyze --force --db d "$cap" && holds d
}
check output-onto-a-directory output_is_directory

one_db() {
	fresh
	ends 0 analyze --db all.db "$cap" "$xid" "$healthy" &&
		holds all.db healthy.gpudx.html power-cap.gpudx.html xid-after-update.gpudx.html &&
		[ "$(sqlite3 all.db 'SELECT group_concat(label) FROM bundle')" = \
			power-cap,xid-after-update,healthy ]
}
check several-bundles-in-one-database one_db

several() {
	fresh
	ends 0 analyze "$cap" "$xid" && prints EXPLANATION && prints FAULT &&
		holds power-cap.gpudx.db power-cap.gpudx.html xid-after-update.gpudx.db \
			xid-after-update.gpudx.html
}
check several-bundles-several-reports several

# What was readable keeps its report and database when another bundle was not.
several_one_bad() {
	fresh
	mkdir dud
	: >dud/empty
	ends 3 analyze "$cap" dud && complains 'dud: nothing readable' &&
		holds dud power-cap.gpudx.db power-cap.gpudx.html || return 1
	fresh
	ends 2 analyze --db all.db "$cap" /nonexistent && complains /nonexistent &&
		holds all.db power-cap.gpudx.html &&
		[ "$(sqlite3 all.db 'SELECT count(*) FROM finding')" -gt 0 ]
}
check a-bad-bundle-does-not-cost-the-good-one several_one_bad

same_names() {
	fresh
	mkdir a b
	cp -R "$cap" a/node
	cp -R "$xid" b/node
	ends 2 analyze a/node b/node && complains 'node.gpudx' && holds a b
}
check two-bundles-of-one-name-do-not-replace-each-other same_names

# ---- stdin and pipes ----

stdin() {
	fresh
	tar -C "$top/samples" -cf - power-cap | analyze - >"$tmp/out" 2>"$tmp/err"
	prints 'stdin: 11 files read' && silent && holds stdin.gpudx.db stdin.gpudx.html
}
check stdin-is-called-stdin stdin

process_substitution() {
	have bash || return 77
	fresh
	# shellcheck disable=SC2016 # the inner shell expands them
	ends 0 bash -c '"$0" analyze --format json -o - <(sleep 0.2; tar -C "$1" -cf - power-cap)' \
		"$gpudx" "$top/samples" && wants "$tmp/out" '.verdict.kind == "explanation"'
}
check a-pipe-of-the-shell process_substitution

from_stdin_same() {
	fresh
	"$gpudx" sources - <"$cap/trace.csv" >"$tmp/out" && prints 'smi-query-csv' && prints '1 files'
}
check sources-of-stdin from_stdin_same

# ---- files of others, and of ourselves ----

foreign() {
	fresh
	echo "my notes on gpudx" >power-cap.gpudx.html
	ends 2 analyze "$cap" && complains 'power-cap.gpudx.html: exists and was not made by gpudx' &&
		holds power-cap.gpudx.html && grep -q notes power-cap.gpudx.html || return 1
	ends 0 analyze --force "$cap" && holds power-cap.gpudx.db power-cap.gpudx.html &&
		! grep -q notes power-cap.gpudx.html
}
check a-foreign-report-is-not-replaced foreign

foreign_text() {
	fresh
	echo "my notes on gpudx" >power-cap.gpudx.txt
	ends 2 analyze --format text "$cap" && grep -q notes power-cap.gpudx.txt
}
check a-foreign-text-that-names-gpudx-is-not-replaced foreign_text

foreign_db() {
	fresh
	sqlite3 power-cap.gpudx.db 'CREATE TABLE mine(x)'
	ends 2 analyze "$cap" && complains 'power-cap.gpudx.db: exists' &&
		[ "$(sqlite3 power-cap.gpudx.db .tables)" = mine ] && holds power-cap.gpudx.db
}
check a-foreign-database-is-not-replaced foreign_db

foreign_link() {
	fresh
	echo important >target
	ln -s target power-cap.gpudx.html
	ends 2 analyze "$cap" && ends 0 analyze --force "$cap" && grep -q important target
}
check a-link-is-not-followed foreign_link

own() {
	fresh
	for format in html json text; do
		ends 0 analyze --format $format -o r "$cap" &&
			ends 0 analyze --format $format -o r "$xid" && silent || return 1
	done
	ends 0 analyze -o r "$cap" && ends 0 analyze "$cap" && ends 0 analyze "$cap"
}
check own-files-are-replaced own

left_over() {
	fresh
	echo half >.power-cap.gpudx.html.gpudx-part
	echo half >.power-cap.gpudx.db.gpudx-part
	ends 0 analyze "$cap" && holds power-cap.gpudx.db power-cap.gpudx.html
}
check left-overs-of-a-killed-run-are-cleared left_over

# interrupted SIGNAL: while it waits for its input.
interrupted() {
	fresh
	mkfifo in
	# A shell's background job ignores SIGINT from the start; python does not pass that on.
	python3 - "$gpudx" "$1" <<'PY' && holds in
import os, signal, subprocess, sys, time

name = getattr(signal, "SIG" + sys.argv[2])
p = subprocess.Popen([sys.argv[1], "analyze", "-"], stdin=subprocess.PIPE,
                     preexec_fn=lambda: signal.signal(name, signal.SIG_DFL))
p.stdin.write(b"timestamp, index\n")
p.stdin.flush()
for _ in range(500):
    if len([n for n in os.listdir(".") if n.endswith(".gpudx-part")]) == 2:
        break
    time.sleep(0.01)
else:
    sys.exit("no unfinished files")
p.send_signal(name)
if p.wait(10) != 128 + name:
    sys.exit(f"exit {p.returncode}")
PY
}
for signal in INT TERM HUP; do
	check "sig$(echo $signal | tr '[:upper:]' '[:lower:]')-leaves-nothing" interrupted $signal
done

# ---- several at once ----

# What is written and printed is what one after the other gives; a bundle that is not there is said
# in its place and costs no other.
at_once() {
	fresh
	mkdir turn once
	(cd turn && analyze "$cap" /nonexistent "$xid" "$healthy" "$two" >../turn.out 2>../turn.err)
	turn=$?
	(cd once && analyze --jobs 3 "$cap" /nonexistent "$xid" "$healthy" "$two" >../once.out 2>../once.err)
	once=$?
	[ "$turn" -eq 2 ] && [ "$once" -eq "$turn" ] && [ "$(find once -name '*.html' | wc -l)" -eq 4 ] &&
		diff -r -x '*.db' turn once && diff turn.out once.out && diff turn.err once.err
}
check bundles-at-once-give-what-they-give-in-turn at_once

# One of two waits for its input when the command, and it alone, is told to end.
at_once_interrupted() {
	fresh
	mkfifo in
	python3 - "$gpudx" "$cap" <<'PY' && holds in power-cap.gpudx.db power-cap.gpudx.html
import os, signal, subprocess, sys, time

def parts():
    return [n for n in os.listdir(".") if n.endswith(".gpudx-part")]

p = subprocess.Popen([sys.argv[1], "analyze", "--jobs", "2", sys.argv[2], "-"], stdin=subprocess.PIPE,
                     stdout=subprocess.DEVNULL)
p.stdin.write(b"timestamp, index\n")
p.stdin.flush()
for _ in range(1000):
    if os.path.exists("power-cap.gpudx.html") and len(parts()) == 2:
        break
    time.sleep(0.01)
else:
    sys.exit("never waited")
p.send_signal(signal.SIGTERM)
if p.wait(10) != 128 + signal.SIGTERM:
    sys.exit(f"exit {p.returncode}")
for _ in range(500):
    if not parts():
        break
    time.sleep(0.01)
PY
}
check ended-at-once-leaves-nothing-half-made at_once_interrupted

# ---- the ends of a disk or a pipe ----

full_stdout() {
	fresh
	"$@" >/dev/full 2>"$tmp/err"
	status=$?
	[ "$status" -eq 5 ] && complains 'No space left'
}
for format in html json text; do
	check "full-disk-at-stdout-$format" full_stdout "$gpudx" analyze --format $format -o - "$cap"
done
check full-disk-at-the-verdict full_stdout "$gpudx" analyze "$cap"
check full-disk-at-sources full_stdout "$gpudx" sources "$cap"
check full-disk-at-rules full_stdout "$gpudx" rules list
check full-disk-at-help full_stdout "$gpudx" --help

full_output() {
	fresh
	device full 7 || return 77
	ends 5 analyze -o full "$cap" && complains 'No space left' && holds full && [ -c full ]
}
check full-disk-at-output full_output

full_database() {
	fresh
	# Blocks of 512 bytes: too few for the database, which is more than a megabyte.
	(ulimit -f 400 && trap '' XFSZ && analyze "$cap") >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status -eq 5 ] && complains 'gpudx: ' && holds ''
}
check full-disk-at-the-database full_database

closed_stdout() {
	fresh
	"$gpudx" analyze --format json -o - "$cap" >&- 2>"$tmp/err"
	[ $? -eq 5 ] && complains 'standard output' || return 1
	{
		"$gpudx" analyze --format json -o - "$cap" 2>"$tmp/err"
		echo $? >"$tmp/status"
	} | true
	# A reader that is gone may still have taken all of it.
	[ "$(cat "$tmp/status")" -eq 5 ] || [ "$(cat "$tmp/status")" -eq 0 ]
}
check closed-stdout closed_stdout

# The report must not be opened under the number of the closed stream.
closed_streams() {
	fresh
	"$gpudx" analyze "$cap" >&- 2>"$tmp/err"
	[ $? -eq 5 ] && complains 'standard output' || return 1
	"$gpudx" analyze "$cap" <&- >"$tmp/out" 2>&- && prints EXPLANATION &&
		tail -c 16 power-cap.gpudx.html | grep -q '</html>' && ! grep -q 'files read' power-cap.gpudx.html
}
check closed-streams-do-not-catch-files closed_streams

gone_reader() {
	fresh
	"$gpudx" analyze --format json -o - "$cap" 2>"$tmp/err" | head -c 1 >/dev/null
	python3 - "$gpudx" "$cap" <<'PY'
import os, subprocess, sys

r, w = os.pipe()
os.close(r)
p = subprocess.run([sys.argv[1], "analyze", "--format", "json", "-o", "-", sys.argv[2]],
                   stdout=w, stderr=subprocess.PIPE)
sys.exit(None if p.returncode == 5 and b"Broken pipe" in p.stderr else f"{p}")
PY
}
check a-reader-that-is-gone gone_reader

# ---- exit status ----

fail_on() {
	fresh
	want=$1
	shift
	ends "$want" analyze --format json -o - "$@" && wants "$tmp/out" .schema
}
check fail-on-reached fail_on 1 --fail-on critical "$xid"
check fail-on-reached-by-worse fail_on 1 --fail-on warning "$xid"
check fail-on-not-reached fail_on 0 --fail-on warning "$cap"
check fail-on-info fail_on 1 --fail-on info "$cap"
check fail-on-action-not-due fail_on 0 --fail-on-action reset_gpu "$cap"
check fail-on-action-stronger-is-due fail_on 1 --fail-on-action watch "$xid"

fail_on_writes() {
	fresh
	ends 1 analyze --fail-on info "$cap" && holds power-cap.gpudx.db power-cap.gpudx.html
}
check fail-on-still-writes fail_on_writes

mkdir "$tmp/broken" "$tmp/broken/power"
cp "$top/rules/power/cap-clock-drop.sql" "$tmp/broken/power/"
sed 's/^SELECT/SELEKT/;s/^WITH/WIHT/' "$top/rules/power/limit-below-default.sql" >"$tmp/broken/power/limit-below-default.sql"

broken_rule() {
	fresh
	ends 4 analyze --rules "$tmp/broken" "$cap" && holds power-cap.gpudx.db power-cap.gpudx.html &&
		complains 'limit-below-default' && prints 'power.cap-clock-drop' &&
		grep -q 'limit-below-default' power-cap.gpudx.html
}
check a-broken-rule-is-4-and-the-report-is-written broken_rule

priority() {
	fresh
	mkdir dud
	: >dud/empty
	ends 4 analyze --rules "$tmp/broken" --fail-on info "$cap" && # 4 before 1
		ends 3 analyze --fail-on info "$cap" dud &&           # 3 before 1
		ends 4 analyze --rules "$tmp/broken" "$cap" dud &&    # 4 before 3
		ends 4 analyze --rules "$tmp/broken" dud "$cap" &&
		ends 1 analyze --fail-on critical "$healthy" "$xid" "$cap" || return 1
	"$gpudx" analyze --format json -o - --rules "$tmp/broken" "$cap" >/dev/full 2>"$tmp/err"
	[ $? -eq 5 ] # 5 before 4
}
check the-worst-status-wins priority

own_rules() {
	fresh
	mkdir -p r/power
	sed 's/^-- title: .*/-- title: ours/' "$top/rules/power/cap-clock-drop.sql" >r/power/cap-clock-drop.sql
	sed 's/^-- id: .*/-- id: power.own/' "$top/rules/power/cap-clock-drop.sql" >r/power/own.sql
	ends 0 analyze --format json -o - --rules r "$cap" &&
		wants "$tmp/out" '[.checks[].id] | unique | contains(["power.cap-clock-drop", "power.own", "xid.other"])' &&
		"$gpudx" rules list --rules r >"$tmp/out" && [ "$(grep -c '^power.cap-clock-drop .*ours' "$tmp/out")" -eq 1 ]
}
check rules-of-a-directory-judge-beside-those-that-ship own_rules

empty_rules() {
	fresh
	mkdir r
	run analyze --format json -o - --rules r "$cap"
	[ "$status" -ne 0 ] && [ "$status" -lt 5 ] && complains 'r'
}
check rules-of-an-empty-directory empty_rules

# ---- what changes the judgement ----

sets() {
	fresh
	ends 0 json --set power.cap-clock-drop.drop_pct=5 "$cap" && wants "$tmp/out" \
		'any(.findings[]; .id == "power.cap-clock-drop")' &&
		ends 0 json --set power.cap-clock-drop.drop_pct=60 "$cap" && wants "$tmp/out" \
		'all(.findings[]; .id != "power.cap-clock-drop")'
}
check set-moves-a-threshold sets

first_root() {
	want=$1
	shift
	fresh
	ends 0 json "$@" && wants "$tmp/out" ".verdict.roots[0].id == \"$want\" and .verdict.finding == \"$want\""
}
# The slowdown was measured; the crash was said to matter.
check complaint-slow-leads-to-the-slowdown first_root power.cap-clock-drop --complaint slow "$two"
check complaint-crash-leads-to-the-crash first_root xid.mmu-fault --complaint crash "$two"
check at-leads-to-what-was-near first_root power.cap-clock-drop --at 2026-03-17T14:04:00 "$two"

ids() {
	fresh
	expression=$1
	shift
	ends 0 json "$@" && wants "$tmp/out" "[.findings[].id] | $expression"
}
check since-leaves-out-what-ended-before ids 'index("power.cap-clock-drop") == null' --since 2026-03-17T15:00:00 "$cap"
check since-keeps-what-came-after ids 'index("power.cap-clock-drop") != null' --since 2026-03-17T14:00:00 "$cap"
check until-leaves-out-what-began-after ids 'index("power.cap-clock-drop") == null' --until 2026-03-17T14:03:00 "$cap"
check until-keeps-what-began-before ids 'index("power.cap-clock-drop") != null' --until '2026-03-17 14:05:00' "$cap"
check since-of-another-zone ids 'index("power.cap-clock-drop") != null' --since 2026-03-17T16:00:00+02:00 "$cap"

# A local time of the trace in UTC, by zone.
starts() {
	fresh
	want=$1
	shift
	ends 0 json "$@" && wants "$tmp/out" \
		".findings[] | select(.id == \"power.cap-clock-drop\") | .start | startswith(\"$want\")"
}
cp "$cap/trace.csv" "$tmp/trace.csv"
check tz-none starts 2026-03-17T14:0 "$tmp/trace.csv"
check tz-offset starts 2026-03-17T12:0 --tz +02:00 "$tmp/trace.csv"
check tz-negative-offset starts 2026-03-17T22:0 --tz=-08:00 "$tmp/trace.csv"
check tz-name starts 2026-03-17T13:0 --tz Europe/Berlin "$tmp/trace.csv"
check tz-name-in-summer-time starts 2026-03-17T18:0 --tz America/New_York "$tmp/trace.csv"
check tz-utc starts 2026-03-17T14:0 --tz UTC "$tmp/trace.csv"

other_clock() {
	fresh
	TZ=Asia/Tokyo json "$cap" >a.json && TZ=America/Lima json "$cap" | cmp - a.json
}
check the-zone-of-this-machine-does-not-matter other_clock

# ---- terminal, timings, charts ----

on_terminal() {
	have script || return 77
	fresh
	script -qec "$gpudx analyze $cap" /dev/null </dev/null >"$tmp/out" 2>&1
	grep -q "$(printf '\033')\[" "$tmp/out" || {
		echo "no colour on a terminal"
		return 1
	}
	NO_COLOR=1 script -qec "$gpudx analyze $cap" /dev/null </dev/null >"$tmp/out" 2>&1
	! grep -q "$(printf '\033')\[" "$tmp/out"
}
check no-color on_terminal

no_colour_in_pipe() {
	fresh
	ends 0 analyze "$cap" && ! grep -q "$(printf '\033')" "$tmp/out"
}
check no-colour-into-a-pipe no_colour_in_pipe

timings() {
	fresh
	ends 0 json "$cap" && cp "$tmp/out" plain.json && ends 0 json --timings "$cap" &&
		cmp "$tmp/out" plain.json && complains 'read' && complains 'judge' && complains ' s'
}
check timings-only-on-stderr timings

no_gnuplot() {
	fresh
	GPUDX_GNUPLOT=/nonexistent ends 0 analyze "$cap" &&
		grep -q 'Charts are missing: gnuplot was not found' power-cap.gpudx.html && silent
}
check without-gnuplot-the-report-says-why no_gnuplot

gnuplot_draws() {
	fresh
	GPUDX_GNUPLOT=$tmp/gnuplot ends 0 analyze -o r.html "$cap" && grep -q '<svg' r.html &&
		! grep -q 'Charts are missing' r.html
}
cp "$top/tests/fake-gnuplot" "$tmp/gnuplot"
check with-gnuplot-there-are-charts gnuplot_draws

# ---- the other commands ----

sources() {
	fresh
	ends 0 "$gpudx" sources "$cap" && prints 'trace.csv: smi-query-csv, 241 lines' &&
		prints '11 files, 0 not read' && silent && holds '' || return 1
	cp "$tmp/out" direct
	analyze "$cap" >/dev/null && ends 0 "$gpudx" sources power-cap.gpudx.db && cmp direct "$tmp/out"
}
check sources-of-a-bundle-and-its-database sources

sources_several() {
	fresh
	ends 2 "$gpudx" sources "$cap" /nonexistent && prints 'trace.csv' && complains /nonexistent
}
check sources-of-several sources_several

reports() {
	fresh
	analyze --format json --db c.db -o direct.json "$two" >/dev/null || return 1
	for format in json html text; do
		analyze --format $format -o - "$two" >"direct.$format"
		ends 0 "$gpudx" report --format $format c.db && cmp "direct.$format" "$tmp/out" &&
			ends 0 "$gpudx" report --format $format -o "again.$format" c.db &&
			cmp "direct.$format" "again.$format" || return 1
	done
	ends 0 "$gpudx" report c.db && cmp direct.text "$tmp/out"
}
check report-is-the-same-from-the-database reports

report_foreign() {
	fresh
	sqlite3 mine.db 'CREATE TABLE mine(x)'
	run "$gpudx" report mine.db
	[ "$status" -eq 3 ] || [ "$status" -eq 2 ] || return 1
	complains mine.db && holds mine.db || return 1
	cp "$cap/trace.csv" x.csv
	run "$gpudx" report x.csv
	[ "$status" -eq 3 ] || [ "$status" -eq 2 ] && complains x.csv
}
check report-of-what-is-no-case report_foreign

report_keeps() {
	fresh
	analyze --db c.db -o r.html "$cap" >/dev/null
	echo notes >mine.txt
	ends 2 "$gpudx" report -o mine.txt c.db && grep -q notes mine.txt &&
		ends 0 "$gpudx" report --force -o mine.txt c.db && ! grep -q '^notes' mine.txt
}
check report-keeps-foreign-files report_keeps

rules_list() {
	ends 0 "$gpudx" rules list && prints power.cap-clock-drop && silent &&
		ends 0 "$gpudx" rules show power.cap-clock-drop && prints SELECT &&
		ends 0 "$gpudx" rules check "$top/rules/power" && silent
}
check rules-list-show-check rules_list

rules_broken() {
	ends 4 "$gpudx" rules check "$tmp/broken" && prints 'limit-below-default.sql:' &&
		prints 'problem'
}
check rules-check-says-where rules_broken

# A kind that no message has would never be found, and a byte order mark hides no header.
rules_spelt() {
	mkdir -p "$tmp/spelt/host" && sed "s/'kernel\.mce'/'kernel.mcee'/" "$top/rules/host/mce.sql" >"$tmp/spelt/host/mce.sql" &&
		ends 4 "$gpudx" rules check "$tmp/spelt/host/mce.sql" && prints "'kernel.mcee': no such kind" || return 1
	{ printf '\357\273\277' && cat "$top/rules/host/mce.sql"; } >"$tmp/spelt/host/mce.sql"
	ends 0 "$gpudx" rules check "$tmp/spelt/host/mce.sql" && silent
}
check rules-check-knows-kinds rules_spelt

hung_gnuplot() {
	cd "$tmp/hung" || return 1
	wait "$hung_pid" && cat err && grep -q 'Charts are missing: gnuplot took too long' r.html &&
		! kill -0 "$(cat pid)"
}
check hung-gnuplot-is-ended-and-said hung_gnuplot
