#!/bin/sh
# What people write around evidence: messages quoted in prose, tables and lists are read, and counted once with the log that
# they are from; sentences about messages, and programs that look for them, are none.
set -u
. tests/lib.sh
suite=pasted
command -v sqlite3 >/dev/null || skip_all 'no sqlite3'

lost='NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, name=train, GPU has fallen off the bus.'
dbe='NVRM: Xid (PCI:0000:5d:00): 48, pid=77, name=python, DBE (double bit error) ECC Error'

# says LINE...: "KIND CODE GPU TIME TEXT" of the events of p.md, those counted once.
says() {
	rm -f c.db
	"$gpudx" analyze --format json --db c.db -o r.json p.md >/dev/null || return 1
	sqlite3 -separator ' ' c.db "SELECT e.kind, coalesce(e.code, '-'), coalesce(substr(g.key, instr(g.key, '/') + 6, 5), '-'),
		coalesce(time(e.t_us / 1000000, 'unixepoch'), '-') || ' ' || e.text
		FROM event e LEFT JOIN gpu g ON g.id = e.gpu_id WHERE e.copy_of IS NULL ORDER BY 3, 4, e.id" >is
	printf '%s' "${1:+$1
}" >want
	[ $# -lt 2 ] || printf '%s\n' "$2" >>want
	diff want is
}

# text NAME FORMAT [LINE...]: FORMAT with the two messages is read so.
text() {
	name=$1 format=$2
	shift 2
	[ $# -gt 0 ] || set -- ''
	fresh
	# shellcheck disable=SC2059 # it is a format
	printf "$format" "$lost" "$dbe" >p.md
	check "$name" says "$@"
}
both="xid 48 5d:00 - $dbe"
one="xid 79 3b:00 - $lost"
text code-spans 'It dies with `%s` and then `%s` each night.\n' "$one" "$both"
text quotes 'The log says "%s" and "%s"; nothing else.\n' "$one" "$both"
text sentences 'Since then I get %s\nand on the other one\n%s\n' "$one" "$both"
text table '| node | message |\n|---|---|\n| a | %s |\n| b | `%s` |\n' "$one" "$both"
text line-breaks 'Logs:<br>%s<br/>%s<br>\n' "$one" "$both"
text list 'Seen:\n\n- a: %s\n  * `%s`\n' "$one" "$both"
text numbered '1. %s\n2. **%s**\n' "$one" "$both"
text block-quote 'They wrote:\n\n> Today %s\n> and %s\n\nOf course.\nReseat it.\nThen look.\n' "$one" "$both"
text json '{"id": 7, "body": "It says:\\\\n%s\\\\n%s\\\\nHelp!"}\n' "$one" "$both"
text with-stamps 'First `[  123.456789] %s`, then `[  124.000001] %s`.\n' "xid 79 3b:00 00:02:03 $lost" "xid 48 5d:00 00:02:04 $dbe"
text glued '[  123.456789] %s[  124.000001] %s\n' "xid 79 3b:00 00:02:03 $lost" "xid 48 5d:00 00:02:04 $dbe"
text glued-without-stamp '[  123.456789] %s %s\n' "xid 79 3b:00 00:02:03 $lost" "xid 48 5d:00 00:02:03 $dbe"
text counted-once 'With `%s`:\n\n```\n[  123.456789] NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, name=train, GPU has fallen off the bus.\n```\nAs [  123.456789] NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, name=train, GPU has fallen off the bus.\n%.0s' "xid 79 3b:00 00:02:03 $lost"

# shellcheck disable=SC2016 # back quotes are Markdown's
text general 'Is Xid 79 always the hardware? Lines look like `NVRM: Xid (PCI:<address>): <number>`, or like
text of NVRM: Xid (PCI:0000:XX:00): 79. If you see "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus." drain the node.
The kernel prints NVRM: Xid (PCI:0000:3b:00): 48, DBE when memory fails; grep for NVRM: Xid (PCI:0000:3b:00): 79 then.\n' ''

switch='nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Non-fatal, Link 46 MC TS crumbstore MCTO (First)'
adapter='NVRM: GPU 0000:3b:00.0: RmInitAdapter failed! (0x22:0x56:762)'
other() {
	fresh
	printf 'We see `%s` and `%s`.\n' "$switch" "$adapter" >p.md
	says "sxid 28006 - - $switch" "nvrm.init_failed - 3b:00 - $adapter"
}
check other-messages other

# ---- programs ----

nothing() {
	test "$(sqlite3 c.db 'SELECT count(*) FROM event')" = 0 &&
		test "$(sqlite3 c.db 'SELECT parser FROM source')" = source-code
}
program() {
	fresh
	cat >"$1"
	rm -f c.db
	"$gpudx" analyze --format json --db c.db -o r.json "$1" >/dev/null
	nothing
}
python() {
	program watch.py <<'END'
import re
import subprocess

SAMPLE = "[  123.456789] NVRM: Xid (PCI:0000:3b:00): 79, pid=1, name=a, GPU has fallen off the bus."


def check():
    out = subprocess.run(["dmesg"], capture_output=True).stdout
    if "CUDA out of memory" in out:
        raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
    print("RuntimeError: CUDA error: an illegal memory access was encountered")
END
}
check python-source python

shell() {
	program watch <<'END'
#!/bin/bash
if dmesg | grep -q "NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus."; then
  echo "No devices were found"
fi
END
}
check shell-script shell

in_thread() {
	fresh
	{
		printf 'My program:\n\n```python\nimport torch\nimport os\n\ndef main():\n    x = torch.zeros(1)\n'
		printf '    raise RuntimeError("CUDA error: an illegal memory access was encountered")\n\nmain()\n```\n\n'
		printf 'and dmesg says\n\n```\n[  123.456789] %s\n```\n' "$dbe"
	} >p.md
	says "xid 48 5d:00 00:02:03 $dbe"
}
check program-in-a-thread in_thread

# ---- two hosts in one text ----

of_hosts() {
	fresh
	for n in 2 3; do
		printf 'On `May  7 09:58:5%s node0%s kernel: [  882.456994] %s` it\n' $n $n "$dbe"
	done >p.md
	rm -f c.db
	"$gpudx" ingest p.md c.db >/dev/null || return 1
	"$gpudx" sources c.db >is
	cat is
	grep -q 'kernel-quote, 2 lines' is && ! grep -q ' 0 lines' is
}
check sources-of-two-hosts of_hosts

# ---- mails and saved pages with their headers ----

mail() {
	fresh
	cat >p.md
	says "xid 79 3b:00 00:02:03 $lost"
}
printable() {
	mail <<'END'
From: alice@example.com
Subject: GPU lost
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="=_0123456789ab"

--=_0123456789ab
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

> [  123.456789] NVRM: Xid (PCI:0000:3b:00): 79, pid=3D4242, name=3Dtrain, G=
PU has fallen off the bus.
--=_0123456789ab
Content-Type: image/png
Content-Transfer-Encoding: base64

iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9
--=_0123456789ab--
END
}
check mail-quoted-printable printable

mhtml() {
	mail <<'END'
From: <Saved by Blink>
MIME-Version: 1.0
Content-Type: multipart/related;
	type="text/html";
	boundary="----MultipartBoundary--abc----"

------MultipartBoundary--abc----
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable

<!DOCTYPE html><html><body><p class=3D"x">It says</p><pre>[  123.456789] NVRM: Xid (PCI:0000:3b:00): 79, pi=
d=3D4242, name=3Dtrain, GPU has fallen off the bus.</pre></body></html>

------MultipartBoundary--abc------
END
}
check page-with-headers mhtml

# A notebook: what its cells printed counts, what is written in them does not.
notebook() {
	fresh
	cat >n.ipynb <<-'EOF'
		{
		 "cells": [
		  {"cell_type": "markdown", "metadata": {}, "source": ["`NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.` means reboot.\n"]},
		  {"cell_type": "code", "outputs": [
		    {"name": "stdout", "output_type": "stream", "text": [
		     "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77)\n"
		    ]}], "source": ["!nvidia-smi -L"]},
		  {"cell_type": "code", "outputs": [
		    {"ename": "OutOfMemoryError", "evalue": "CUDA out of memory.", "output_type": "error", "traceback": [
		     "\u001b[0;31mOutOfMemoryError\u001b[0m: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 39.39 GiB of which 1.06 GiB is free."
		    ]}], "source": ["raise RuntimeError('CUDA error: an illegal memory access was encountered')"]}
		 ],
		 "metadata": {}, "nbformat": 4, "nbformat_minor": 5
		}
	EOF
	for filter in . tojson; do
		jq -r $filter n.ipynb >m.ipynb
		rm -f c.db
		"$gpudx" analyze --format json --db c.db -o r.json m.ipynb >/dev/null || return 1
		sqlite3 c.db 'SELECT kind, count(*) FROM event GROUP BY kind; SELECT key FROM gpu' >found
		printf 'vram.oom|1\nhost/GPU-5d5ba0d6-d33d-2b2c-524d-9e3d8d2b8a77\n' | diff - found || return 1
	done
}
check notebook notebook
