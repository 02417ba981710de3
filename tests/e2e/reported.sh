#!/bin/sh
# An Xid that a layer above the driver reports: found where only that layer says it, counted once where
# the kernel says it too, and none where somebody only writes about Xids.
set -u
. tests/lib.sh
suite=reported

xid='Jun 11 10:00:01 node01 kernel: NVRM: Xid (PCI:0000:8a:00): 79, pid=812, name=train, GPU has fallen off the bus.'

kern() {
	printf '%s\n' 'Jun 11 09:58:00 node01 kernel: nvidia 0000:8a:00.0: enabling device (0000 -> 0002)' "$@"
}

slurm() {
	printf '%s\n' 'NodeName=node01 Arch=x86_64 CoresPerSocket=32' '   Gres=gpu:a100:8' '   State=IDLE+DRAIN ThreadsPerCore=1' \
		"   Reason=$1 [root@${2:-2026-06-11T10:05:00}]"
}

# xids CODES FILE...: the codes of the events that are no copies
xids() {
	want=$1
	shift
	"$gpudx" analyze -f -o r.json --format json --db case.db "$@" >"$tmp/out" 2>&1 || return 1
	got=$("$gpudx" query --format csv case.db "SELECT group_concat(code) FROM (SELECT code FROM event
		WHERE copy_of IS NULL AND kind IN ('xid', 'nvrm.fallen_off_bus') ORDER BY code, id)" | tail -n 1 | tr -d '"')
	echo "want $want, got $got"
	[ "$got" = "$want" ]
}

once() {
	fresh
	mkdir b && kern "$xid" >b/kern.log && slurm 'Xid 79 on GPU 3' >b/scontrol_show_node.txt
	printf '%s\n' '# TYPE DCGM_FI_DEV_XID_ERRORS gauge' \
		'DCGM_FI_DEV_XID_ERRORS{gpu="3",UUID="GPU-11111111-2222-3333-4444-555555555555",Hostname="node01"} 79' >b/dcgm.prom
	xids 79 b
}
check counted-once-with-the-kernel once

loss_in_words() {
	fresh
	mkdir b && kern "$xid" >b/kern.log && slurm 'GPU fell off the bus' >b/scontrol_show_node.txt
	xids 79 b
}
check loss-in-words-is-xid-79 loss_in_words

two_codes() {
	fresh
	mkdir b && kern "$xid" >b/kern.log && slurm 'Xid 48 on GPU 3' >b/scontrol_show_node.txt
	xids 48,79 b
}
check another-code-is-another two_codes

next_week() {
	fresh
	mkdir b && kern "$xid" >b/kern.log && slurm 'Xid 79 on GPU 3' 2026-06-18T10:05:00 >b/scontrol_show_node.txt
	xids 79,79 b
}
check a-week-later-is-another next_week

alone() {
	fresh
	slurm 'NHC: GPU 3 fell off the bus (Xid 79)' >scontrol_show_node.txt
	xids 79 scontrol_show_node.txt && wants r.json 'any(.findings[]; .id == "xid.fallen-off-bus" and (.summary | startswith("GPU 3 ")))'
}
check found-alone alone

written_about() {
	fresh
	slurm 'no xid 79 seen, test of Xid reports' >scontrol_show_node.txt
	xids '' scontrol_show_node.txt && wants r.json 'all(.findings[]; .id | startswith("xid.") | not)'
}
check not-where-it-is-only-written-about written_about
