#!/bin/sh
# Bundles that mean harm: each must end soon, in bounded memory, with what was read and what was not;
# no text of theirs may reach gnuplot, a terminal or a page as anything but text; no file but the
# outputs is written.
set -u

B=$(cd "${B:-build}" && pwd)
here=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp tests/fake-gnuplot "$tmp/gnuplot"
export GPUDX_GNUPLOT="$tmp/gnuplot"
gpudx=$B/gpudx
mkdir "$tmp/in" "$tmp/work"
in=$tmp/in
esc=$(printf '\033')
cd "$tmp/work" || exit 1

# check NAME COMMAND...: one test; its output is shown when it fails.
check() {
	name=$1
	shift
	if "$@" >"$tmp/log" 2>&1; then
		echo "ok hostile/$name"
	else
		echo "not ok hostile/$name"
		sed 's/^/  /' "$tmp/log" | cut -c1-300 | head -n 30
	fi
}

# within SECONDS MIB COMMAND...: the command may take so much; its exit status otherwise.
# The sanitizers need several times as much, so under them only the end is awaited.
within() {
	python3 "$here/tests/e2e/within.py" 0,1,3 "$@"
}

sources() {
	within "$1" "$2" "$gpudx" sources "$3" >"$tmp/out" 2>&1
	status=$?
	cat "$tmp/out"
	return $status
}

# ---- bombs ----

python3 - "$in" <<'END' || { echo "not ok hostile/inputs"; exit 1; }
import gzip, io, os, sys, tarfile, zipfile, zlib
d = sys.argv[1]
def bomb(path, mib):
    c = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = b"0" * (1 << 20)
    with open(path, "wb") as f:
        for _ in range(mib):
            f.write(c.compress(block))
        f.write(c.flush())
with zipfile.ZipFile(d + "/bomb.zip", "w", zipfile.ZIP_DEFLATED) as z:
    with z.open("zeros.log", "w") as f:
        for _ in range(700):
            f.write(b"0" * (1 << 20))
    z.writestr("good.txt", "Linux host 6.1.0-18-amd64 #1 SMP Debian 6.1.76-1 (2024-02-01) x86_64 GNU/Linux\n")
bomb(d + "/bomb.gz", 700)
nested = open(d + "/bomb.gz", "rb").read()
for _ in range(2):
    nested = gzip.compress(nested)
open(d + "/nested.gz", "wb").write(nested)
deep = b"deep\n"
for _ in range(40):
    deep = gzip.compress(deep)
open(d + "/deep.gz", "wb").write(deep)
with tarfile.open(d + "/many.tar", "w") as t:
    for i in range(20000):
        t.addfile(tarfile.TarInfo(f"m{i}"))
END

says() {
	file=$1 seconds=$2 mib=$3 what=$4
	sources "$seconds" "$mib" "$in/$file" && grep -F "$what" "$tmp/out"
}
check a-zip-bomb-ends says bomb.zip 10 150 'compressed far beyond what logs reach'
check a-gzip-bomb-ends says bomb.gz 10 150 'compressed far beyond what logs reach'
check a-nested-bomb-ends says nested.gz 10 150 'compressed far beyond what logs reach'
check containers-in-containers-end says deep.gz 5 100 'nested too deeply'
check many-members-are-cheap sources 10 200 "$in/many.tar"

# A limit is set by name, said in the report when hit, and a wrong name is usage.
limited() {
	"$gpudx" analyze --limit members=10 --limit decoded=1G --format json -o - "$in/many.tar" >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 3 ] || return 1
	cp "$here/samples/healthy/dmesg.txt" "$tmp/m0" && tar cf "$in/few.tar" -C "$tmp" m0 m0 m0
	"$gpudx" analyze --limit members=2 --format json -o - "$in/few.tar" >"$tmp/out" || return 1
	jq -e '(.bundles[0].limit | contains("members")) and any(.findings[]; .id == "bundle.truncated" and (.remedy | contains("--limit")))' \
		"$tmp/out" || return 1
	"$gpudx" analyze --limit memory=1M --format json -o - "$in/few.tar" >/dev/null || return 1
	"$gpudx" sources --limit depth=1 "$in/nested.gz" | grep -F 'nested too deeply' || return 1
	for wrong in "analyze -o -" sources "compare -o - $in/few.tar"; do
		# shellcheck disable=SC2086 # words
		"$gpudx" $wrong --limit height=3 "$in/few.tar"
		[ $? -eq 2 ] || return 1
	done
}
check limits-are-set-by-name-and-said limited

# ---- lines and directories ----

truncate -s 2G "$in/sparse.log"
printf 'begin\n' | dd of="$in/sparse.log" conv=notrunc status=none
check a-file-of-2-gib-of-nul-ends sources 15 150 "$in/sparse.log"

long_line() {
	python3 -c 'import sys
for _ in range(2048): sys.stdout.write("x" * (1 << 20))
sys.stdout.write("\n[    1.000001] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n")' |
		within 20 150 "$gpudx" sources -
}
check a-line-of-2-gib-ends long_line

mkdir -p "$in/dir/sub"
mkfifo "$in/dir/pipe"
ln -s .. "$in/dir/sub/up"
ln -s loop "$in/dir/loop"
ln -s /etc/passwd "$in/dir/passwd"
printf '[    1.000001] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.\n' >"$in/dir/kern.log"
directory() {
	sources 5 100 "$in/dir" && grep -F 'pipe: not read: named pipe' "$tmp/out" &&
		grep -F 'passwd: not read: symbolic link' "$tmp/out" && grep -F 'kern.log: kernel-log' "$tmp/out"
}
check a-directory-of-traps-is-walked directory
check a-silent-pipe-is-not-waited-for sh -c "! timeout 20 $gpudx sources $in/dir/pipe; [ \$? -ne 124 ]"

# ---- more of everything than a machine has ----

many_gpus() {
	python3 -c 'for i in range(2000):
    print(f"[{i:5d}.000001] NVRM: Xid (PCI:{i % 256:04x}:{i // 256:02x}:00): 48, pid=1, DBE")' >"$in/gpus.log"
	within 10 200 "$gpudx" analyze --format json -o "$tmp/gpus.json" --db "$tmp/gpus.db" -f "$in/gpus.log" || return 1
	jq -e '(.checks | length) == 50000 and (.bundles[0].limit | contains("checks are listed")) and .verdict.kind == "fault"' \
		"$tmp/gpus.json"
}
check a-report-of-2000-gpus-is-written many_gpus

# An error that came back for a month: the rule that explains it runs into its limit, and is heard.
flood() {
	python3 -c 'for i in range(8000):
    print(f"[{400 * i:8d}.000001] NVRM: Xid (PCI:0000:3b:00): 31, pid={i}, name=job, Ch 00000010")' >"$in/flood.log"
	"$gpudx" analyze --format json -o - "$in/flood.log" >"$tmp/out" 2>"$tmp/err"
	status=$?
	cat "$tmp/err"
	[ $status -eq 0 ] || [ $status -eq 4 ] || return 1
	jq -e '.verdict.kind == "fault" and any(.findings[]; .id == "xid.mmu-fault")' "$tmp/out"
}
check a-flood-of-errors-is-still-told flood

# Storms: many events of several programs on eight cards, over several boots. No rule may run into its limit.
storm() { # storm CODE TEXT: TEXT may use i, the number of the event
	python3 - "$1" "$2" >"$in/storm.log" <<'END'
import sys
for i in range(20000):
    t = 7200 * (i // 5000) + i
    stamp = f"2026-03-03T{t // 3600:02d}:{t // 60 % 60:02d}:{t % 60:02d}.000001+00:00 node kernel: "
    if i % 5000 == 0:
        print(stamp + "Linux version 6.8.0-45-generic (a@b) #1")
    print(f"{stamp}NVRM: Xid (PCI:0000:{i % 8 + 16:02x}:00): {sys.argv[1]}, " + sys.argv[2].format(i=i, name=f"job{i % 300}"))
END
	"$gpudx" analyze --format json -o - "$in/storm.log" >"$tmp/out" 2>"$tmp/err" || { cat "$tmp/err"; return 1; }
}
check a-storm-of-mmu-faults-breaks-no-rule storm 31 'pid={i}, name={name}, Ch 00000010, intr 00000000. MMU Fault: ENGINE GRAPHICS faulted @ 0x7f_{i}'
check a-storm-of-display-errors-breaks-no-rule storm 56 'CMDre 00000001 00000080 00000000 00000005 00000007'
check a-storm-that-survives-reboots-breaks-no-rule storm 95 'pid={i}, name={name}'

# ---- patterns ----

python3 - "$here/rules/signatures" "$in/slow.log" <<'END'
import glob, sys
out = open(sys.argv[2], "w", encoding="utf-8")
t = 0
for path in sorted(glob.glob(sys.argv[1] + "/*.tsv")):
    for row in open(path, encoding="utf-8"):
        cells = row.rstrip("\n").split("\t")
        if row.startswith("#") or len(cells) < 4:
            continue
        for filler in ("a", " ", "0", "x, ", "a=", "((", "0x0", ": "):
            t += 1
            out.write(f"[{t:5d}.000001] {cells[3][:len(cells[3]) // 2]}{cells[1]}{filler * (60000 // len(filler))}\n")
END
check long-lines-for-every-pattern-end sources 60 250 "$in/slow.log"

# ---- text that wants to be more ----

mkdir "$in/inject"
evil='`touch pwned` $(touch pwned) <script>alert(1)</script>" onload="x {{x}} %n'
{
	printf 'timestamp, index, name, uuid, pstate, clocks.current.sm [MHz], power.draw [W], power.limit [W], utilization.gpu [%%]\n'
	i=0
	while [ $i -lt 120 ]; do
		clock=1800
		[ $i -lt 60 ] || clock=900
		printf '2026/01/13 10:%02d:%02d.000, 0, NVIDIA %s, GPU-%s, P0, %d MHz, 349.00 W, 350.00 W, 99 %%\n' \
			$((i / 60)) $((i % 60)) "$evil" "$evil" $clock
		i=$((i + 1))
	done
} >"$in/inject/trace.csv"
printf '[    1.000001] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, name=%s%s[31m%s]0;t\007, GPU has fallen off the bus. %s\n' \
	"$evil" "$esc" "$esc" "$evil" >"$in/inject/$(printf 'k\033[31m<b>\n.log')"
printf 'Linux %s 6.1.0 #1 SMP x86_64 GNU/Linux\n' '<b>`id`</b>' >"$in/inject/uname.txt"

"$gpudx" analyze -f "$in/inject" >"$tmp/screen" 2>&1
for format in text json html; do
	"$gpudx" analyze --format $format -o - "$in/inject" >"$tmp/report.$format" 2>"$tmp/errors"
done
no_controls() {
	for f in "$@"; do
		[ -s "$f" ] || return 1
		! LC_ALL=C grep -naP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$f" || return 1
	done
}
check terminals-get-no-control-characters no_controls "$tmp/screen" "$tmp/report.text" "$tmp/report.json" "$tmp/report.html"
check the-report-is-there grep -c 'fallen off' "$tmp/report.text"
no_markup() {
	! grep -nF -e '<script>alert' -e '<b>`' -e '" onload="x' "$tmp/report.html" &&
		python3 "$here/tests/report/check_html.py" "$tmp/report.html"
}
check a-page-holds-it-as-text no_markup
check json-holds-it-as-text jq -e . "$tmp/report.json"
to_gnuplot() {
	[ -s "$tmp/gnuplot.script" ] && ! grep -nE 'pwned|alert|onload|`|\$\(' "$tmp/gnuplot.script"
}
check gnuplot-gets-none-of-it to_gnuplot
check nothing-of-it-ran test ! -e pwned

# ---- what is opened ----

outputs_only() {
	[ "$(LC_ALL=C ls -A | tr '\n' ' ')" = 'inject.gpudx.db inject.gpudx.html ' ] || { ls -la; return 1; }
}
check only-the-outputs-are-left outputs_only

traced() {
	strace -f -qq -e trace=openat,open,creat,socket,connect,execve,unlink,rename,mkdir -o "$tmp/trace" \
		"$gpudx" analyze -f "$in/inject" >/dev/null 2>&1
	grep -q openat "$tmp/trace" || return 77
	! grep -E '(socket|connect)\(' "$tmp/trace" || return 1
	# files opened for writing: only those beside the outputs, and null devices
	! grep -E 'O_WRONLY|O_RDWR|O_CREAT|creat\(' "$tmp/trace" | grep -vE '"(/dev/(null|tty)|[^"]*(inject\.gpudx\.[^"/]*|gnuplot\.script))"' | grep -v ' = -1 ' || return 1
	# programs: gpudx itself, and the gnuplot that was named (a shell script here)
	! grep -E 'execve\(.* = 0' "$tmp/trace" | grep -vE '"[^"]*/(gpudx|gnuplot|sh|dash|env)"' || return 1
}

# given_up COMMAND...: seccomp holds, and Landlock where the kernel has it, before anything is read. Outputs may
# be there already: with --jobs one process makes its own before another has given up anything.
given_up() {
	strace -f -qq -e trace=seccomp,prctl,landlock_restrict_self,openat -o "$tmp/trace" "$gpudx" "$@" >/dev/null 2>&1
	sed -n '/SECCOMP_MODE_FILTER.* = 0/q; p' "$tmp/trace" >"$tmp/before"
	grep -q 'SECCOMP_MODE_FILTER.* = 0' "$tmp/trace" || { echo "$1: no filter"; return 1; }
	! grep -E 'openat\(.*inject' "$tmp/before" | grep -vE 'O_PATH|\.gpudx-part"'
}
confined() {
	grep -q 'CONFIG_SECCOMP_FILTER=n' /boot/config-"$(uname -r)" 2>/dev/null && return 0
	given_up analyze -f "$in/inject" && given_up analyze -f --jobs 2 "$in/inject" "$in/many.tar" &&
		given_up sources "$in/inject" && given_up report -f --format html -o r.html inject.gpudx.db &&
		given_up query inject.gpudx.db 'SELECT 1' && given_up ticket --dry-run inject.gpudx.db &&
		given_up compare -f -o - "$in/inject" inject.gpudx.db || return 1
	rm -f r.html ./*.map many.gpudx.*
	strace -f -qq -e trace=prctl -o "$tmp/trace" "$gpudx" sources --no-sandbox "$in/inject" >/dev/null
	! grep SECCOMP "$tmp/trace"
}
if command -v strace >/dev/null 2>&1 && strace -qq -o /dev/null true 2>/dev/null && [ "${B##*/}" != asan ]; then
	check only-outputs-are-written-and-no-socket-is-opened traced
	check what-is-not-needed-is-given-up-first confined
else
	echo "skip hostile/only-outputs-are-written-and-no-socket-is-opened: no strace"
fi

# ---- a database from elsewhere ----

cp inject.gpudx.db "$tmp/foreign.db"
refuses_altered() {
	sqlite3 "$tmp/foreign.db" 'CREATE TRIGGER evil AFTER INSERT ON meta BEGIN SELECT 1; END'
	! "$gpudx" report "$tmp/foreign.db" -o - || return 1
	[ "$(find "$tmp" -maxdepth 1 -name 'foreign.db*' | wc -l)" -eq 1 ]
}
check an-altered-database-is-refused refuses_altered
