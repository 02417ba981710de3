#!/bin/sh
# Collects what gpudx reads from a machine with NVIDIA GPUs into one archive. Needs a POSIX shell and
# nothing else; what is missing on the machine is left out and said. Root sees more (kernel log, PCI
# links, BMC). Nothing is changed, nothing is sent. A command that hangs, as nvidia-smi may when a GPU
# is gone, is left behind when its time is up.
#
# usage: sh gpudx-collect.sh [-t SECONDS] [-o DIRECTORY]
#   -t  length of the trace of clocks, power and load, at one row a second (0: none)
#   -o  where the archive goes (default: here)
TRACE=10

LC_ALL=C
export LC_ALL
umask 077
into=.
usage() {
	sed -n 's/^# usage: /usage: /p; s/^#   -/  -/p' "$0" >&2
	exit 2
}
while getopts t:o: option; do
	case $option in
	t) TRACE=$OPTARG ;;
	o) into=$OPTARG ;;
	*) usage ;;
	esac
done
case $TRACE in
'' | *[!0-9]* | ??????*) usage ;;
esac

host=$(uname -n | tr -cd 'A-Za-z0-9.-')
name=gpudx-${host:-host}-$(date -u +%Y%m%dT%H%M%SZ)
dir=$into/$name
mkdir -p "$into" && mkdir "$dir" "$dir/stderr" || exit 1
log=$dir/collect.log
say() {
	printf '%s\n' "$*" >>"$log"
}

# ---- running commands ----

# Fractions of a second are no part of POSIX, but most machines know them.
if sleep 0.1 2>/dev/null; then tick=0.1 ticks=10; else tick=1 ticks=1; fi

# ended FILE SECONDS: waits until FILE is there; fails when the time is up.
ended() {
	left=$(($2 * ticks))
	while [ ! -s "$1" ]; do
		[ "$left" -gt 0 ] || return 1
		left=$((left - 1))
		sleep "$tick"
	done
}

# stop PID: ends a group or a process. It is not waited for: a process that hangs in the driver does
# not even die of KILL.
stop() {
	kill -TERM "$1" 2>/dev/null
	sleep "$tick"
	kill -KILL "$1" 2>/dev/null
}

run=0
# limited SECONDS FILE COMMAND...: what it prints goes to FILE.
limited() {
	seconds=$1 file=$2
	shift 2
	run=$((run + 1)) # one that ends too late must not speak for the next
	code=$dir/.code.$run
	mkdir -p "$(dirname "$dir/$file")"
	(
		"$@" >"$dir/$file" 2>"$dir/.err" </dev/null &
		echo $! >"$dir/.pid"
		wait $!
		echo $? >"$code.part" && mv "$code.part" "$code"
	) 2>/dev/null &
	if ended "$code" "$seconds"; then
		say "$file: exit $(cat "$code"): $*"
	else
		stop "$(cat "$dir/.pid")"
		say "$file: stopped after $seconds s: $*"
	fi
	if [ -s "$dir/.err" ]; then
		cat "$dir/.err" >>"$dir/stderr/$(echo "$file" | tr / _)"
	fi
	[ -s "$dir/$file" ] || rm -f "$dir/$file"
}

# get FILE COMMAND...: twenty seconds are long for any of them.
limit=${GPUDX_LIMIT:-20}
get() {
	if command -v "$2" >/dev/null 2>&1; then
		limited "$limit" "$@"
	else
		say "$1: no $2 on this machine"
	fi
}

# copy FILE...: files of the system, at their own paths. Sizes of /proc and /sys mean nothing.
copy() {
	for from in "$@"; do
		if [ -r "$from" ] && [ -f "$from" ]; then
			limited 5 "root$from" cat "$from"
		else
			say "root$from: $from cannot be read"
		fi
	done
}

# newest FILE: of a log that grows, the end.
newest() {
	for from in "$@"; do
		[ ! -r "$from" ] || [ ! -f "$from" ] || limited 10 "root$from" tail -c 20000000 "$from"
	done
}

# ask COMMAND...: short answers stand in one file, each below its command as in a terminal: a name or
# a date alone does not say what it is.
ask() {
	command -v "$1" >/dev/null 2>&1 || return 0
	limited 10 .answer "$@"
	[ ! -s "$dir/.answer" ] || {
		printf '$ %s\n' "$*"
		cat "$dir/.answer"
	} >>"$dir/host.txt"
}

# ---- which machine it is, and what time ----

clocks() {
	ask date +%Y-%m-%dT%H:%M:%S%z
	ask date -u
	ask cat /proc/uptime
}

say "gpudx collect, $(date -u +%Y-%m-%dT%H:%M:%SZ), uid $(id -u 2>/dev/null)"
[ "$(id -u 2>/dev/null)" = 0 ] || say "not root: kernel log, PCI links and BMC may be missing"
ask hostname
ask uname -a
clocks
ask uptime -s
ask timedatectl

# ---- the kernel log first: it is what rotates away ----

get dmesg.txt dmesg
get journal-kernel.txt journalctl -k -b -o short-iso --no-pager
get journal-kernel-boot-before.txt journalctl -k -b -1 -o short-iso --no-pager
get journal-services.txt journalctl -b -o short-iso --no-pager -u nvidia-persistenced -u nvidia-fabricmanager -u nvidia-dcgm -u dcgm
get journal-boots.txt journalctl --list-boots --no-pager
get last.txt last -x
command -v journalctl >/dev/null 2>&1 || newest /var/log/kern.log /var/log/messages /var/log/syslog
newest /var/log/fabricmanager.log /var/log/nvidia-installer.log /var/log/nvidia-mps/control.log /var/log/nvidia-mps/server.log

# ---- driver and GPUs ----

copy /proc/driver/nvidia/version /proc/driver/nvidia/params /proc/driver/nvidia/registry
for gpu in /proc/driver/nvidia/gpus/*; do
	[ ! -d "$gpu" ] || copy "$gpu/information" "$gpu/power"
done
get nvidia-smi.txt nvidia-smi
get nvidia-smi-L.txt nvidia-smi -L
get nvidia-smi-q.txt nvidia-smi -q
get nvidia-smi-version.txt nvidia-smi --version
get nvidia-smi-topo.txt nvidia-smi topo -m
get nvidia-smi-nvlink-status.txt nvidia-smi nvlink -s
get nvidia-smi-nvlink-errors.txt nvidia-smi nvlink -e
get nvidia-smi-compute-apps.csv nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_memory --format=csv
get nvidia-smi-pmon.txt nvidia-smi pmon -c 2
get modinfo-nvidia.txt modinfo nvidia
get lsmod.txt lsmod
get dcgmi-health.txt dcgmi health -c
get dcgmi-discovery.txt dcgmi discovery -l
get fuser.txt sh -c 'fuser -v /dev/nvidia* 2>&1'

# ---- PCI ----

get lspci.txt lspci -D -nn -vvv
get lspci-tree.txt lspci -tv
pci_files() {
	for device in /sys/bus/pci/devices/*; do
		case $(cat "$device/vendor" 2>/dev/null):$(cat "$device/class" 2>/dev/null) in
		0x10de:* | *:0x0604*) ;;
		*) continue ;;
		esac
		for at in current_link_speed current_link_width max_link_speed max_link_width numa_node \
			aer_dev_correctable aer_dev_fatal aer_dev_nonfatal power/runtime_status; do
			[ ! -r "$device/$at" ] || sed "s|^|$device/$at:|" "$device/$at" 2>/dev/null
		done
	done
}
limited "$limit" sys-pci.txt pci_files

# ---- machine and system ----

copy /proc/cmdline /etc/os-release /proc/meminfo /proc/mounts /proc/self/limits
get lscpu.txt lscpu
get numactl.txt numactl -H
get dmidecode.txt dmidecode -t system -t baseboard -t bios -t slot
get df.txt df -h
get sysctl.txt sysctl vm.overcommit_memory vm.zone_reclaim_mode kernel.numa_balancing kernel.hung_task_timeout_secs kernel.panic
get systemctl.txt systemctl --no-pager status nvidia-persistenced nvidia-fabricmanager nvidia-dcgm nvidia-mps
get ps.txt ps -eo pid,ppid,stat,etime,comm
# Only variables that steer GPUs: an environment is full of secrets.
gpu_environment() {
	env | grep -E '^(CUDA|CUDNN|NCCL|NVIDIA|PYTORCH|TORCH|TF|XLA|JAX|UCX|SLURM_(JOB|GPUS|STEP|NODELIST))[A-Z0-9_]*=|^LD_LIBRARY_PATH='
}
limited 5 environment.txt gpu_environment

# ---- the BMC: it keeps what the system forgets ----

get ipmi-sel-time.txt ipmitool sel time get
get ipmi-sel.txt ipmitool sel elist
get ipmi-sdr.txt ipmitool sdr elist

# ---- versions and when they changed ----

get dpkg-l.txt dpkg -l
get rpm-qa.txt rpm -qa --last
newest /var/log/dpkg.log /var/log/dpkg.log.1 /var/log/apt/history.log /var/log/apt/term.log /var/log/dnf.rpm.log /var/log/yum.log /var/log/zypp/history
get nvcc.txt nvcc --version
get pip-list.txt python3 -m pip list --disable-pip-version-check
get dkms.txt dkms status
get docker-ps.txt docker ps --no-trunc
get docker-info.txt docker info
get nvidia-container-cli.txt nvidia-container-cli info
get slurm-node.txt scontrol show node "$(uname -n)"

# ---- the trace: one row a second and GPU ----

fields=timestamp,index,uuid,driver_version,pstate,clocks.sm,clocks.mem,power.draw,enforced.power.limit,temperature.gpu,utilization.gpu,utilization.memory,memory.used
# The mask has had two names, and old drivers know neither.
add_mask() {
	for mask in clocks_event_reasons.active clocks_throttle_reasons.active; do
		limited "$limit" .probe nvidia-smi --query-gpu=$mask --format=csv,noheader
		if grep -q '^0x' "$dir/.probe" 2>/dev/null; then
			fields=$fields,$mask
			return
		fi
	done
}
if [ "$TRACE" -gt 0 ] && command -v nvidia-smi >/dev/null 2>&1; then
	add_mask
	limited "$TRACE" trace.csv nvidia-smi --query-gpu="$fields" --format=csv -l 1
fi
clocks

# ---- one archive ----

rm -f "$dir"/.code.* "$dir/.err" "$dir/.pid" "$dir/.probe" "$dir/.answer"
rmdir "$dir/stderr" 2>/dev/null
cd "$into" || exit 1
if ! command -v tar >/dev/null 2>&1; then
	echo "$into/$name: a directory, for want of tar"
elif tar -cf "$name.tar" "$name"; then
	rm -rf "$name"
	if command -v gzip >/dev/null 2>&1 && gzip -f "$name.tar"; then
		echo "$into/$name.tar.gz"
	else
		echo "$into/$name.tar"
	fi
else
	echo "$into/$name: a directory, for tar failed" >&2
	exit 1
fi
