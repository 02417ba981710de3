#!/bin/sh
# Two machines in one bundle, with equal indexes and bus addresses, one of them healthy: in every way in which such a
# bundle names them, the finding names the right one only and no GPU is shared.
set -u
. tests/lib.sh
suite=hosts
command -v sqlite3 >/dev/null || skip_all 'no sqlite3'

bad='[ 7009.456994] NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.'

# dmesg HOST: node02 is the faulty one.
dmesg() {
	echo '[    0.000000] Linux version 5.15.0-105-generic (buildd@lcy02) (gcc) #115-Ubuntu SMP'
	i=1
	for unit in 'usb 1-1' nvme 'ACPI' pcieport mlx5_core ext4 audit bridge clocksource; do
		echo "[    $i.000000] $unit: ready"
		i=$((i + 1))
	done
	[ "$1" = node01 ] || echo "$bad"
}

# The card of node01, node02, ...
smi_q() {
	smi_q_of "$(printf '%s' "$1" | tail -c 1)"
}

# apart BUNDLE [FINDING]: the finding is of node02 alone, and there are so many GPUs of each as said.
apart() {
	rm -f c.db
	"$gpudx" analyze --format json --db c.db -o r.json "$1" >/dev/null || return 1
	sqlite3 c.db "SELECT f.rule, substr(h.name, 1, 6), substr(g.key, 1, 6) FROM finding f JOIN host h ON h.id = f.host_id
		LEFT JOIN finding_gpu fg ON fg.finding_id = f.id LEFT JOIN gpu g ON g.id = fg.gpu_id
		WHERE f.severity IN ('critical', 'error')" >found
	echo "${2:-xid.fallen-off-bus}|node02|node02" | diff - found || return 1
	sqlite3 c.db "SELECT substr(h.name, 1, 6), count(DISTINCT g.id) <= 1 FROM host h LEFT JOIN gpu g ON g.host_id = h.id
		GROUP BY h.id ORDER BY 1" >hosts
	printf 'node01|1\nnode02|1\n' | diff - hosts
}

# both FUNCTION: runs it for each host.
both() {
	for host in node01 node02; do
		"$1" $host || return 1
	done
}

in_directory() {
	mkdir -p "b/$1" && dmesg "$1" >"b/$1/dmesg.txt" && smi_q "$1" >"b/$1/smi-q.txt"
}
directories() {
	fresh
	both in_directory && apart b
}
check directories directories

in_archive() {
	in_directory "$1" && mkdir -p c && tar -C "b/$1" -czf "c/$1.tar.gz" . && rm -r "b/$1"
}
archives() {
	fresh
	both in_archive && apart c
}
check archives archives

in_name() {
	mkdir -p b && dmesg "$1" >"b/$1-dmesg.txt" && smi_q "$1" >"b/nvidia-smi-q.$1.txt"
}
names() {
	fresh
	both in_name && apart b
}
check names-of-files names

in_hostname() {
	in_directory "$1" && echo "$1.example.com" >"b/$1/hostname.txt" && mv "b/$1" "b/collected-by-$(printf '%s' "$1" | tr 0-9 a-j)"
}
hostnames() {
	fresh
	both in_hostname && apart b
}
check a-file-that-says-it hostnames

in_sosreport() {
	root=b/sosreport-$1-0012345678-2026-05-12-abcdefg
	mkdir -p "$root/sos_commands/kernel" "$root/sos_commands/nvidia" && dmesg "$1" >"$root/sos_commands/kernel/dmesg" &&
		smi_q "$1" >"$root/sos_commands/nvidia/nvidia-smi_-q"
}
sosreports() {
	fresh
	both in_sosreport && apart b || return 1
	rm -r b/sosreport-node01* && "$gpudx" analyze --format json -o - b >r.json && wants r.json '[.hosts[].host] == ["node02"]'
}
check sosreports sosreports

in_bugreport() {
	bar=$(printf '_%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44)
	mkdir -p b && {
		printf '%s\n\nStart of NVIDIA bug report log file.  Please include this file, along\n' "$bar"
		printf 'with a detailed description of your problem, when reporting a graphics driver\n\n'
		printf 'nvidia-bug-report.sh Version: 34275561\n\nDate: Tue May 12 09:00:00 UTC 2026\n'
		printf 'uname: Linux %s 5.15.0-105-generic #115-Ubuntu SMP x86_64 GNU/Linux\ncommand line flags:\n\n' "$1"
		printf '%s\n\n/usr/bin/nvidia-smi -q\n\n' "$bar"
		smi_q "$1"
		printf '%s\n\ndmesg:\n\n' "$bar"
		dmesg "$1"
		printf '%s\n\nEnd of NVIDIA bug report log file.\n' "$bar"
	} >"b/report-$(printf '%s' "$1" | tail -c 1).log"
}
bugreports() {
	fresh
	both in_bugreport && apart b
}
check bug-reports bugreports

with_prompt() {
	echo "root@$1:~# dmesg"
	dmesg "$1"
	echo "root@$1:~# nvidia-smi -q"
	smi_q "$1"
}
prompts() {
	fresh
	both with_prompt >t.txt && apart t.txt
}
check prompts-of-one-transcript prompts

with_clush() {
	printf -- '---------------\n%s\n---------------\n' "$1"
	dmesg "$1"
}
with_dshbak() {
	printf -- '----------------\n%s\n----------------\n' "$1"
	smi_q "$1"
	dmesg "$1"
}
with_ansible() {
	echo "$1 | CHANGED | rc=0 >>"
	dmesg "$1"
}
headings() {
	fresh
	for way in with_clush with_dshbak with_ansible; do
		both $way >t.txt && apart t.txt || return 1
	done
}
check headings headings

with_prefix() {
	{
		smi_q "$1"
		dmesg "$1"
	} | sed "s/^/$1: /"
}
prefixes() {
	fresh
	both with_prefix >t.txt && apart t.txt || return 1
	with_prefix node01 >one && with_prefix node02 >two && paste -d '\n' one two | sed '/^$/d' >mixed.txt && apart mixed.txt &&
		sqlite3 c.db 'SELECT l.text, f.line_id & 0xffffffff FROM finding_line f JOIN line l ON l.id = f.line_id' |
		grep -F 'Xid (' | while IFS='|' read -r text line; do
			[ "node02: $text" = "$(sed -n "${line}p" mixed.txt)" ] || exit 1
		done
}
check a-host-in-front-of-each-line prefixes

pods() {
	fresh
	both with_prefix | sed 's/^\(node0.\): /[pod\/\1\/main] /' >t.txt && apart t.txt
}
check pods-of-kubectl-logs pods

# One second, one address, one code, two machines.
in_syslog() {
	fresh
	i=10
	while [ $i -lt 50 ]; do
		echo "May 12 09:$i:00 node0$((i % 2 + 1)) kernel: usb 1-$i: ready"
		i=$((i + 1))
	done >messages
	text='kernel: NVRM: Xid (PCI:0000:3b:00):'
	{
		echo "May 12 09:51:00 node01 $text 31, pid=1, name=a, Ch 00000008, intr 00000000"
		echo "May 12 09:51:00 node02 $text 31, pid=1, name=a, Ch 00000008, intr 00000000"
		echo "May 12 09:51:01 node02 $text 79, GPU has fallen off the bus."
		echo "May 12 09:51:02 node01 kernel: usb 1-1: ready"
	} >>messages
	apart messages && sqlite3 c.db "SELECT h.name, e.code FROM event e JOIN host h ON h.id = e.host_id ORDER BY 1, 2" >is &&
		printf 'node01|31\nnode02|31\nnode02|79\n' | diff - is
}
check one-syslog in_syslog

# Things that are numbered and no machines.
not_hosts() {
	fresh
	for dir in run1 run2 gpu0 gpu1 before after boot-1 boot-2 2026-05-12 2026-05-13 rank0 rank1; do
		mkdir -p "b/$dir" && smi_q node01 >"b/$dir/smi-q.txt" && dmesg node01 >"b/$dir/dmesg.txt"
	done
	for n in 1 2 3; do
		dmesg node01 >b/kern.log.$n
		dmesg node01 >b/dmesg-$n.txt
		smi_q node01 >b/trace$n.txt
	done
	"$gpudx" analyze --format json -o - b >r.json && wants r.json '.hosts | length == 1'
}
check what-is-counted-is-no-host not_hosts

# ---- the log of one job, into which several nodes wrote ----

# job 'KIND|HOST|GPU'...: these are its events; standard input is the log.
job() {
	fresh
	cat >job.log
	"$gpudx" analyze --format json --db c.db -o r.json job.log >/dev/null || return 1
	sqlite3 c.db "SELECT e.kind, h.name, substr(g.key, instr(g.key, '/') + 1) FROM event e JOIN host h ON h.id = e.host_id
		LEFT JOIN gpu g ON g.id = e.gpu_id ORDER BY e.id" >is
	printf '%s\n' "$@" | diff - is
}
comm='NCCL INFO comm 0x55 rank'
job_of_nccl() {
	job 'cuda.error|node02|0009:01:00.0' 'nccl.warning|node01|0000:1b:00.0' 'cuda.error|node02|0009:01:00.0' \
		'slurm.cancelled|node03|' 'slurm.task_failed|node02|' <<-EOF
			node01:1234:1290 [0] $comm 0 nranks 16 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xabc - Init START
			node02:2234:2290 [3] $comm 11 nranks 16 cudaDev 3 nvmlDev 3 busId 901000 commId 0xabc - Init START
			node02:2234:2290 [3] enqueue.cc:10 NCCL WARN Cuda failure 'an illegal memory access was encountered'
			node01:1234:1290 [0] transport/net_ib.cc:96 NCCL WARN NET/IB : Got async event : port error
			[rank11]: RuntimeError: CUDA error: device-side assert triggered
			slurmstepd: error: *** JOB 4242 ON node03 CANCELLED AT 2025-03-12T10:05:00 DUE TO TIME LIMIT ***
			srun: error: node02: tasks 8-15: Exited with exit code 1
		EOF
}
check the-log-of-a-job job_of_nccl

# The line of a rank, of which only its number is said.
job_of_tasks() {
	job 'cuda.error|node02|' 'cuda.error||' <<-EOF &&
		0: node01:1234:1290 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>
		9: node02:2235:2291 [1] NCCL INFO Bootstrap : Using eth0:10.0.0.2<0>
		9: RuntimeError: CUDA error: device-side assert triggered
		12: RuntimeError: CUDA error: an illegal memory access was encountered
	EOF
		job 'cuda.error|node02|' <<-EOF
			[1,0]<stdout>:node01:1234:1290 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>
			[1,1]<stderr>:[node02:01234] *** Process received signal ***
			[1,1]<stderr>:node02:1234:1290 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.2<0>
			[1,1]<stderr>:RuntimeError: CUDA error: device-side assert triggered
		EOF
}
check tasks-of-a-job job_of_tasks

# Ranks of groups are not ranks of the job: two claim one number.
job_of_groups() {
	job 'cuda.error||' <<-EOF
		node01:1:2 [0] $comm 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xabc - Init START
		node02:1:2 [0] $comm 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xabd - Init START
		[rank0]: RuntimeError: CUDA error: device-side assert triggered
	EOF
}
check ranks-of-groups job_of_groups

# One node: all is of it.
job_of_one() {
	job 'cuda.error|node01|' 'slurm.task_failed|node01|' <<-EOF
		node01:1234:1290 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>
		RuntimeError: CUDA error: device-side assert triggered
		srun: error: node01: task 0: Exited with exit code 1
	EOF
}
check a-job-on-one-node job_of_one

# What a scheduler says of nodes makes no host of a third, and is a finding only of the one that is at fault.
held() {
	apart b || return 1
	sqlite3 c.db "SELECT h.name FROM finding f JOIN host h ON h.id = f.host_id WHERE f.rule = 'host.node-out-of-service'" >found
	echo node02 | diff - found
}
scheduler() {
	fresh
	both in_directory || return 1
	printf 'PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\ngpu*         up   infinite      2  drain node[01-02]\ngpu*         up   infinite      1   down node07\n' >b/sinfo.txt
	held || return 1
	printf 'NAME     STATUS     ROLES    AGE   VERSION\nnode01   NotReady   <none>   9d    v1.30.2\nnode02   NotReady   <none>   9d    v1.30.2\nnode07   NotReady   <none>   9d    v1.30.2\n' >b/sinfo.txt
	held
}
check what-a-scheduler-says scheduler

# An index in the reason of a scheduler is that of nvidia-smi, however the scheduler is printed.
reasons() {
	fresh
	mkdir -p b
	printf '{\n "nodes": [\n  {\n   "gres": "gpu:h100:8",\n   "name": "node02",\n   "reason": "Xid 79 on GPU 3",\n   "state": ["IDLE", "DRAIN"]\n  }\n ]\n}\n' >b/a.json
	printf 'NODELIST|STATE|REASON\nnode02|drained|Xid 79 on GPU 3\n' >b/b.txt
	for file in b/*; do
		rm -f c.db
		"$gpudx" analyze --format json --db c.db -o r.json "$file" >/dev/null || return 1
		sqlite3 c.db 'SELECT key FROM gpu' >found
		echo node02/gpu3 | diff - found || return 1
	done
}
check indexes-of-schedulers reasons
