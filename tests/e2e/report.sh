#!/bin/sh
# Renders the cases of tests/report in all formats: the texts, the JSON and what gnuplot is sent are
# compared with tests/report/golden; pages and JSON are checked for what must hold of any report.
# BLESS=1 rewrites the goldens.
set -u

. tests/lib.sh
suite=report

here=tests/report
cp tests/fake-gnuplot "$tmp/gnuplot"

render() {
	case=$1
	shift
	"$build/gpudx-render" $here/common.sql "$here/$case.sql" "$@"
}

golden() {
	[ -z "${BLESS:-}" ] || cp "$2" "$here/golden/$1"
	diff -u "$here/golden/$1" "$2"
}

# At most 100 columns and, for a screen, 24 lines; no control characters.
fits() {
	python3 - "$@" <<'EOF'
import sys, unicodedata
path, lines = sys.argv[1], int(sys.argv[2])
text = open(path, encoding="utf-8").read()
width = lambda s: sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in s)
wrong = [f"{width(l)} columns: {l}" for l in text.splitlines() if width(l) > 100]
wrong += [f"control character {ord(c):#x}" for c in text if (ord(c) < 32 and c != "\n") or 0x7f <= ord(c) < 0xa0 or c in "\u202e\u2066\u200f\ufeff"]
if len(text.split("\n")) - 1 > lines:
    wrong.append(f"{len(text.splitlines())} lines")
print("\n".join(wrong))
sys.exit(bool(wrong))
EOF
}

only_sgr() {
	render "$1" text colour height=24 | sed "s/$(printf '\033')\[[0-9;]*m//g" >"$tmp/plain"
	render "$1" text height=24 | cmp - "$tmp/plain"
}

json_shape() {
	jq -e '.schema == "gpudx/1" and (.findings | type == "array") and
		([.findings[].effects[], (.findings[].caused_by // empty), .incidents[].root, .incidents[].members[]]
			- [.findings[].n] == []) and
		([.findings[], .incidents[] | .start, .end] | all(. == null or type == "string"))' "$1" >/dev/null
}

csv_shape() {
	python3 - "$1" "$2" <<'PY'
import csv, json, sys
rows = list(csv.reader(open(sys.argv[1], encoding="utf-8", newline="")))
found = json.load(open(sys.argv[2], encoding="utf-8"))["findings"]
assert len(rows) == len(found) + 1 and all(len(r) == 17 for r in rows), [len(r) for r in rows]
assert [r[2] for r in rows[1:]] == [f["severity"] for f in found]
assert [r[9] for r in rows[1:]] == [f["start"] or "" for f in found]
assert not any(c[:1] in "=+@" and c for r in rows for c in r)
PY
}

same_twice() {
	render "$1" html charts | cmp - "$tmp/$1.html" && render "$1" json | cmp - "$tmp/$1.json"
}

export GPUDX_GNUPLOT="$tmp/gnuplot"
for case in power-cap thermal-8 xid-chain healthy cannot-tell hostile; do
	render "$case" text height=24 files >"$tmp/$case.screen.txt"
	render "$case" text >"$tmp/$case.txt"
	render "$case" json >"$tmp/$case.json"
	render "$case" md >"$tmp/$case.md"
	render "$case" csv >"$tmp/$case.csv"
	check "$case-csv" csv_shape "$tmp/$case.csv" "$tmp/$case.json"
	: >"$tmp/gnuplot.script"
	render "$case" html charts >"$tmp/$case.html"
	cp "$tmp/gnuplot.script" "$tmp/$case.gp"
	check "$case-fits-a-screen" fits "$tmp/$case.screen.txt" 24
	check "$case-is-plain-text" fits "$tmp/$case.txt" 100000
	check "$case-colours-only" only_sgr "$case"
	check "$case-json-holds-together" json_shape "$tmp/$case.json"
	check "$case-json-keeps-its-schema" python3 "$here/check_json.py" docs/report.schema.json "$tmp/$case.json" strict
	check "$case-page" python3 "$here/check_html.py" "$tmp/$case.html"
	check "$case-is-the-same-twice" same_twice "$case"
	check "$case-screen" golden "$case.screen.txt" "$tmp/$case.screen.txt"
done
for case in power-cap thermal-8 xid-chain healthy cannot-tell; do
	check "$case-markdown" golden "$case.md" "$tmp/$case.md"
	check "$case-text" golden "$case.txt" "$tmp/$case.txt"
	check "$case-json" golden "$case.json" "$tmp/$case.json"
done
for case in power-cap xid-chain cannot-tell hostile; do
	check "$case-script" golden "$case.gp" "$tmp/$case.gp"
done
grep -vE '^-?[0-9]' "$tmp/thermal-8.gp" >"$tmp/thermal-8.commands.gp"
check thermal-8-script golden thermal-8.commands.gp "$tmp/thermal-8.commands.gp"
sed -n '/^<body>/,/<script>/p' "$tmp/power-cap.html" >"$tmp/body.html"
check power-cap-page-body golden power-cap.html "$tmp/body.html"

# Outside of code, markup, links, mentions and cell borders of the bundle are defused.
markdown_is_inert() {
	python3 - "$1" <<'PY'
import re, sys
text = open(sys.argv[1], encoding="utf-8").read()
text = re.sub(r"^(`{3,})\w*\n.*?^\1$", "", text, flags=re.S | re.M)
text = re.sub(r"(?<![`\\])(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
bad = re.findall(r"(?<!\\)(?:\\\\)*(?:[<>~&]|\[)|[@#!]\w|://|(?m:^(?:[ ]+[-+*>]|#{3,}))|[\x00-\x09\x0b-\x1f\x7f\u202e]", text)
print(bad[:10])
sys.exit(bool(bad))
PY
}
check hostile-markdown-is-inert markdown_is_inert "$tmp/hostile.md"

# Of a hostile bundle gnuplot sees numbers and words of ours only.
no_text_of_the_bundle() {
	! LC_ALL=C grep -nE '`|\$\(|script|alert|NnNn|onerror|[^[:print:]]' "$tmp/hostile.gp"
}
check hostile-sends-gnuplot-no-text no_text_of_the_bundle

# ---- without gnuplot, and with one that fails, the report says so and is otherwise the same ----

says_missing() {
	GPUDX_GNUPLOT=$1 "$build/gpudx-render" "$here/common.sql" "$here/power-cap.sql" html charts >"$tmp/without.html" || return 1
	grep -F "Charts are missing: $2" "$tmp/without.html" && python3 "$here/check_html.py" "$tmp/without.html" &&
		grep -F 'The SM clock falls when power reaches the limit' "$tmp/without.html"
}
printf '#!/bin/sh\nwhile read -r l; do case $l in "print "*) l=${l#print ?}; echo "${l%%?}";; esac; done\n' >"$tmp/mute"
chmod +x "$tmp/mute"
check says-that-gnuplot-was-not-found says_missing /nonexistent 'gnuplot was not found'
check says-that-gnuplot-ended says_missing /bin/false 'gnuplot ended early with status 1'
check says-that-a-drawing-is-of-an-unknown-form says_missing "$tmp/mute" 'gnuplot&#39;s drawing is of an unknown form'

# ---- the real one ----

unset GPUDX_GNUPLOT
draws() {
	(cd "$tmp" && mkdir -p empty && cd empty && "$build/gpudx-render" "$top/$here/common.sql" "$top/$here/$1.sql" html charts >"../real.html") 2>/dev/null ||
		render "$1" html charts >"$tmp/real.html" || return 1
	if grep -F 'Charts are missing' "$tmp/real.html"; then
		return 1
	fi
	python3 "$here/check_html.py" "$tmp/real.html" || return 1
	python3 - "$tmp/real.html" "$tmp" <<'EOF' || return 1
import re, sys
svgs = re.findall(r"<svg.*?</svg>", open(sys.argv[1], encoding="utf-8").read(), re.S)
assert svgs, "no charts"
for i, s in enumerate(svgs):
    with open(f"{sys.argv[2]}/chart{i}.svg", "w", encoding="utf-8") as f:
        f.write(s.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))
assert any(len(s) > 2000 and "var(--clock)" in s or "var(--mark)" in s for s in svgs), "nothing is drawn"
EOF
	! command -v xmllint >/dev/null 2>&1 || xmllint --noout "$tmp"/chart*.svg
}
if command -v gnuplot >/dev/null 2>&1; then
	for case in power-cap thermal-8 xid-chain hostile; do
		check "$case-is-drawn" draws "$case"
	done
	check nothing-ran test ! -e pwned
else
	echo "skip report/is-drawn: no gnuplot"
fi

# ---- the post-mortem ----

postmortem() {
	fresh
	"$gpudx" analyze --db x.db -o x.html "$top/samples/$1" >/dev/null 2>&1 || return 1
	ends 0 "$gpudx" report --template postmortem x.db || return 1
	for heading in Summary Impact Timeline 'Root cause' 'Ruled out' 'Cannot tell' Detection Actions; do
		prints "## $heading" || return 1
	done
	shift
	for words; do
		prints "$words" || return 1
	done
}
check postmortem-of-a-fault postmortem fell-off-the-bus '| 01-13T09:20:00 | GPU 2 |' 'kern.log:23' \
	'what happened | GPU 2 fell off the bus' '| 1 of 4 |' 'to be sure | sudo ipmitool sel' 'human: please fill'
check postmortem-of-a-process postmortem program-fault 'pid '
check postmortem-of-nothing postmortem healthy 'what happened | '
check postmortem-of-another-name ends 2 "$gpudx" report --template obituary "$top/README.md"
check postmortem-in-another-format ends 2 "$gpudx" report --template postmortem --format html "$top/README.md"

# Three clocks of one moment, as far as they are known: UTC, the machine's, and the stamp as it was printed.
clocks() {
	fresh
	mkdir b
	printf '2026-02-06T11:00:05+0100 mica kernel: NVRM: Xid (PCI:0000:81:00): 79, pid=1, name=x, GPU has fallen off the bus.\n' >b/journal.txt
	{
		printf 'Feb  6 11:00:06 mica kernel: NVRM: Xid (PCI:0000:81:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)\n'
		printf '[  700.123456] NVRM: Xid (PCI:0000:81:00): 62, pid=1, name=x, y\n'
	} >b/kern.log
	printf 'Fri Feb  6 11:10:00 CET 2026\n' >b/date.txt
	ends 0 "$gpudx" analyze b || return 1
	sed -n '/class="history"/,/<\/table>/p' b.gpudx.html | sed 's/<[^>]*>/|/g' >rows
	for row in '|2026-02-06T10:00:05Z||2026-02-06T11:00:05||2026-02-06T11:00:05+0100||GPU 81:00.0|.*Xid 79.*journal.txt:1' \
		'|2026-02-06T10:00:06Z||2026-02-06T11:00:06||Feb  6 11:00:06||.*Xid 154' '|boot+700.123456||-||\[  700.123456\]||.*Xid 62'; do
		grep -q "$row" rows && continue
		cat rows
		return 1
	done
}
check history-has-three-clocks clocks

# Of storms the history keeps what findings cite, and says of how many.
storm() {
	fresh
	mkdir b
	awk 'BEGIN {
		for (i = 0; i < 3000; i++)
			printf "[%8d.000000] NVRM: Xid (PCI:0000:3b:00): 31, pid=%d, name=python3, Ch 1. MMU Fault: ENGINE GRAPHICS faulted @ 0x7f_%08x. Fault is of type FAULT_PDE ACCESS_TYPE_READ\n", 100 + i, 5000 + i, i
		printf "[   70000.000000] NVRM: Xid (PCI:0000:86:00): 79, pid=1, name=<unknown>, GPU has fallen off the bus.\n"
	}' >b/dmesg.txt
	ends 0 "$gpudx" analyze b || return 1
	grep -q '300 of 3001, those that findings cite first' b.gpudx.html && [ "$(grep -c '<tr.* data-lane=' b.gpudx.html)" -eq 300 ] &&
		grep -q '<tr class="cited".*fallen off the bus' b.gpudx.html
}
check history-of-a-storm storm
