#!/bin/sh
# Reports in a real browser: tests/e2e/browser.py says what is looked at.
set -u
. tests/lib.sh
suite=html
command -v python3 >/dev/null || skip_all 'no python3'
browser=
for name in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v $name)
done
[ -n "$browser" ] || skip_all 'no chromium'
unset GPUDX_GNUPLOT # with charts, where gnuplot is installed

in_browser() {
	python3 tests/report/check_html.py "$tmp/page.html" &&
		timeout 180 python3 tests/e2e/browser.py "$browser" "$tmp/page.html" "$tmp/profile"
}
looks_right() {
	"$gpudx" analyze -o "$tmp/page.html" --db "$tmp/page.db" "$1" >/dev/null && in_browser
}
compared() {
	"$gpudx" compare -f -o "$tmp/page.html" "$1" "$2" >/dev/null || [ $? -eq 1 ] || return 1
	in_browser
}
for sample in samples/*.expect; do
	sample=${sample%.expect}
	check "$(basename "$sample")" looks_right "$sample"
done
for bundle in "$shared/corpus/bugreport/br04-p3200m-driver-mess.log.gz" "$shared/seed-case/transcript.txt"; do
	[ ! -e "$bundle" ] || check "$(basename "$bundle")" looks_right "$bundle"
done

for pair in 'healthy power-cap' 'power-cap xid-after-update' 'fault-moved-with-the-card memory-row-failed'; do
	check "$(echo "$pair" | tr ' ' -)-compared" compared "samples/${pair% *}" "samples/${pair#* }"
done

# A name of a file that is markup, words that do not break, text in a script of its own, marks that turn the
# direction of writing.
hostile() {
	fresh
	mkdir b
	cp "$top/samples/xid-after-update/kern.log" "b/<img src=x onerror=alert(1)>.log"
	word=$(printf '%0300d' 0)
	echo "Feb  6 10:00:00 mica kernel: [900000.000000] NVRM: Xid (PCI:0000:81:00): 31, pid=4711, name=$word, Ch 00000008, intr 10000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted @ 0x7f3a_12345000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ </script><script>alert(1)</script>" >>"b/<img src=x onerror=alert(1)>.log"
	word=$(printf '%010000d' 0)
	printf 'Feb  6 10:00:01 mica kernel: [900001.000000] NVRM: Xid (PCI:0000:81:00): 31, pid=4712, name=\342\200\256%s\342\200\217, Ch 1\n' "$word" >>"b/<img src=x onerror=alert(1)>.log"
	printf '<style>body{display:none}</style>\342\200\256gnp.exe' >"$(printf 'b/\342\200\256gpj.txt')"
	cd "$top" && looks_right "$tmp/work/b" && compared "$tmp/work/b" "$tmp/work/b"
}
check hostile-names hostile
