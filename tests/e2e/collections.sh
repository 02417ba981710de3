#!/bin/sh
# Whole collections as scripts and vendors write them, in small: all that tells something is read,
# each file is of the machine that it is of, and the fault of one machine is found once, on it alone.
# Each has two machines with equal addresses; one of them lost its GPU at 08:56:49.
set -u
. tests/lib.sh
suite=collections
command -v sqlite3 >/dev/null || skip_all 'no sqlite3'

kernel='Linux version 5.15.0-105-generic (buildd@lcy02) (gcc) #115-Ubuntu SMP'
xid='NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python3, GPU has fallen off the bus.'

# ---- what is in them; STATE is good or bad, N the digit that tells the GPUs apart ----

# stamped STATE BEFORE KIND: a kernel log, each message behind a stamp made from a minute.
stamped() {
	echo "$($2 00) $kernel"
	i=10
	for unit in 'usb 1-1' nvme ACPI pcieport mlx5_core ext4 audit bridge clocksource; do
		echo "$($2 $i) $unit: ready"
		i=$((i + 1))
	done
	[ "$1" = good ] || echo "$($2 56:49) $xid"
}
since_boot() {
	case $1 in
	*:*) echo '[ 7009.456994]' ;;
	*) echo "[   $1.000000]" ;;
	esac
}
by_clock() {
	case $1 in
	*:*) echo "[Tue May 12 08:$1 2026]" ;;
	*) echo "[Tue May 12 07:00:$1 2026]" ;;
	esac
}
by_syslog() {
	case $1 in
	*:*) echo "May 12 08:$1 $host kernel:" ;;
	*) echo "May 12 07:00:$1 $host kernel:" ;;
	esac
}
dmesg() {
	stamped "$1" since_boot
}
dmesg_t() {
	stamped "$1" by_clock
}
syslog() { # STATE HOST
	host=$2
	stamped "$1" by_syslog
}

lspci() {
	cat <<-END
		3b:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 SXM5 80GB] [10de:2330] (rev a1)
			LnkCap:	Port #0, Speed 32GT/s, Width x16, ASPM not supported
			LnkSta:	Speed 32GT/s, Width x16
	END
}

bug_report() { # STATE HOST N
	bar=$(printf '_%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44)
	printf '%s\n\nStart of NVIDIA bug report log file.  Please include this file, along\n' "$bar"
	printf 'with a detailed description of your problem, when reporting a graphics driver\n\n'
	printf 'nvidia-bug-report.sh Version: 34275561\n\nDate: Tue May 12 09:00:00 UTC 2026\n'
	printf 'uname: Linux %s 5.15.0-105-generic #115-Ubuntu SMP x86_64 GNU/Linux\ncommand line flags:\n\n' "$2"
	printf '%s\n\n/usr/bin/nvidia-smi -q\n\n' "$bar"
	smi_q_of "$3"
	printf '%s\n\ndmesg:\n\n' "$bar"
	dmesg_t "$1"
	printf '%s\n\nEnd of NVIDIA bug report log file.\n' "$bar"
}

# ---- what is asked of them ----

analyzed() {
	rm -f c.db
	"$gpudx" analyze --format json --db c.db -o r.json "$1" >/dev/null || return 1
}

# faults 'RULE|HOST'...: these are the errors, no more.
faults() {
	sqlite3 c.db "SELECT DISTINCT f.rule, h.name FROM finding f JOIN host h ON h.id = f.host_id
		WHERE f.severity IN ('critical', 'error') ORDER BY 1, 2" >found
	printf '%s\n' "$@" | diff - found
}

# machines NAME...: these have GPUs, one each.
machines() {
	sqlite3 c.db 'SELECT coalesce(h.name, "nobody"), count(*) FROM gpu g JOIN host h ON h.id = g.host_id GROUP BY h.id ORDER BY 1' >is
	printf '%s|1\n' "$@" | diff - is
}

# at WHEN: the Xid, once, happened then.
at() {
	sqlite3 c.db "SELECT datetime(t0_us / 1000000, 'unixepoch') FROM finding WHERE rule = 'xid.fallen-off-bus'" >is
	echo "2026-05-12 $1" | diff - is
}

# unread NAME...: the ends of the paths that nobody read; all else was.
unread() {
	sqlite3 c.db "SELECT DISTINCT replace(path, rtrim(path, replace(path, '/', '')), '') FROM source
		WHERE parent_id IS NULL AND status NOT IN ('read', 'empty') ORDER BY 1" >is
	printf '%s\n' "$@" | sed '/^$/d' | diff - is
}

# ---- OpenShift: oc adm must-gather ----

pod_yaml() { # POD NODE
	cat <<-END
		---
		apiVersion: v1
		kind: Pod
		metadata:
		  labels:
		    app: nvidia-driver-daemonset
		  name: $1
		  namespace: nvidia-gpu-operator
		spec:
		  containers:
		  - image: nvcr.io/nvidia/driver:580.95.05-rhcos4.16
		    name: nvidia-driver-ctr
		  nodeName: $2
		status:
		  phase: Running
	END
}

node_yaml() { # NODE STATE
	cat <<-END
		---
		apiVersion: v1
		kind: Node
		metadata:
		  labels:
		    kubernetes.io/hostname: $1
		  name: $1
		spec:
		  providerID: none
		status:
		  allocatable:
		    nvidia.com/gpu: "1"
		  capacity:
		    nvidia.com/gpu: "1"
		  conditions:
		  - lastTransitionTime: "2026-05-01T09:00:00Z"
		    message: kubelet is posting ready status
		    reason: KubeletReady
		    status: "True"
		    type: Ready
	END
	[ "$2" = good ] || cat <<-END
		  - lastTransitionTime: "2026-05-12T08:56:49Z"
		    message: 'NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python3, GPU has
		      fallen off the bus.'
		    reason: XidErrorDetected
		    status: "True"
		    type: XidError
	END
	echo '  nodeInfo:'
	echo '    kernelVersion: 5.14.0-427.el9.x86_64'
}

rfc3339() {
	sed 's/^/2026-05-12T08:40:00.123456789Z /'
}

must_gather_of() { # NODE STATE POD N
	root=b/must-gather.local.4711/quay-io-openshift-sha256-0a1b2c
	logs=$root/namespaces/nvidia-gpu-operator/pods/$3
	mkdir -p "$logs/nvidia-driver-ctr/nvidia-driver-ctr/logs" "$root/cluster-scoped-resources/core/nodes"
	smi_q_of "$4" | rfc3339 >"$logs/nvidia-driver-ctr/nvidia-driver-ctr/logs/current.log"
	pod_yaml "$3" "$1" >"$logs/$3.yaml"
	node_yaml "$1" "$2" >"$root/cluster-scoped-resources/core/nodes/$1.yaml"
}
must_gather() {
	fresh
	must_gather_of worker-a.ocp.example.com good nvidia-driver-daemonset-416.94-k2x8p 1 &&
		must_gather_of worker-b.ocp.example.com bad nvidia-driver-daemonset-416.94-zq9v4 2 &&
		analyzed b && unread && machines worker-a.ocp.example.com worker-b.ocp.example.com &&
		faults 'xid.fallen-off-bus|worker-b.ocp.example.com' && at 08:56:49
}
check must-gather must_gather

# ---- NVIDIA's GPU operator: hack/must-gather.sh ----

operator_of() { # NODE STATE POD N
	root=b/nvidia-gpu-operator_20260512_0900
	mkdir -p $root
	bug_report "$2" "$3" "$4" | gzip >"$root/nvidia-bug-report_$1.log.gz"
	[ -f $root/gpu_operand_pods.status ] ||
		echo 'NAME                            READY   STATUS    RESTARTS       AGE   IP            NODE      NOMINATED NODE   READINESS GATES' >$root/gpu_operand_pods.status
	printf '%-29s   1/1     Running   2 (2d5h ago)   9d    10.128.2.14   %-7s   <none>           <none>\n' "$3" "$1" >>$root/gpu_operand_pods.status
	smi_q_of "$4" | sed "s|^|[pod/$3/nvidia-driver-ctr] |" >"$root/gpu_operand_pod_$3.log"
}
gpu_operator() {
	fresh
	operator_of edge-a good nvidia-driver-daemonset-k2x8p 1 && operator_of edge-b bad nvidia-driver-daemonset-zq9v4 2 &&
		analyzed b && unread && machines edge-a edge-b && faults 'xid.fallen-off-bus|edge-b' && at 08:56:49
}
check gpu-operator gpu_operator

# ---- clouds ----

azure_of() { # VM STATE HOST N
	root=b/$1.2026-05-12.UTC09.00.00
	mkdir -p "$root/VM/hyperv" "$root/Nvidia" "$root/Memory"
	dmesg_t "$2" >"$root/VM/dmesg.log" && syslog "$2" "$3" >"$root/VM/journald.log" && lspci >"$root/VM/lspci.txt"
	echo "Linux $3 5.15.0-105-generic #115-Ubuntu SMP x86_64 x86_64 x86_64 GNU/Linux" >"$root/VM/uname.txt"
	echo 0 >"$root/Memory/zone_reclaim_mode"
	smi_q_of "$4" >"$root/Nvidia/nvidia-smi-q.out" && bug_report "$2" "$3" "$4" | gzip >"$root/Nvidia/nvidia-bug-report.log.gz"
}
azure() {
	fresh
	azure_of 0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9 good ndh100-a 1 && azure_of 1a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9 bad ndh100-b 2 &&
		analyzed b && unread zone_reclaim_mode && machines ndh100-a ndh100-b && faults 'xid.fallen-off-bus|ndh100-b' && at 08:56:49
}
check azure azure

eks_of() { # INSTANCE STATE ADDRESS N
	root=b/eks_$1_2026-05-12_0900-UTC_0.7.8
	mkdir -p "$root/kernel" "$root/system" "$root/var_log" "$root/gpu"
	dmesg "$2" >"$root/kernel/dmesg.current" && dmesg_t "$2" >"$root/kernel/dmesg.human.current" && syslog "$2" "$3" >"$root/var_log/messages"
	echo "Linux $3.ec2.internal 5.15.0-105-generic #1 SMP x86_64 x86_64 x86_64 GNU/Linux" >"$root/kernel/uname.txt"
	printf 'glibc-2.26-64.amzn2.x86_64\nnvidia-driver-580.95.05-1.x86_64\nkmod-nvidia-580.95.05-1.x86_64\n' >"$root/system/pkglist.txt"
	smi_q_of "$4" >"$root/gpu/nvidia-smi-q.txt"
}
eks() {
	fresh
	eks_of i-0123456789abcdef0 good ip-10-0-1-11 1 && eks_of i-0fedcba9876543210 bad ip-10-0-1-12 2 &&
		analyzed b && unread && machines ip-10-0-1-11 ip-10-0-1-12 && faults 'xid.fallen-off-bus|ip-10-0-1-12' && at 08:56:49
}
check eks eks

# A serial console: the kernel tells the time since boot, programs that of the wall.
console_of() { # HOST STATE N
	mkdir -p b && {
		printf 'SeaBIOS (version 1.8.2-google)\nTotal RAM Size = 0x0000000400000000 = 16384 MiB\n'
		dmesg "$2"
		echo "May 12 08:56:50 $1 google_metadata_script_runner[812]: startup-script: done"
		printf '[ 7010.400001] systemd[1]: Started a service.\n\nUbuntu 22.04 LTS %s ttyS0\n\n%s login: ' "$1" "$1"
	} >"b/$1-serial-port-1.txt" && smi_q_of "$3" >"b/$1-nvidia-smi-q.txt"
}
console() {
	fresh
	console_of a3-mega-ab12 good 1 && console_of a3-mega-cd34 bad 2 &&
		analyzed b && unread && machines a3-mega-ab12 a3-mega-cd34 && faults 'xid.fallen-off-bus|a3-mega-cd34' && at 08:56:49
}
check serial-console console

# ---- hosts ----

sos_of() { # HOST STATE N
	root=b/sosreport-$1-2026-05-12-abcdefg
	mkdir -p "$root/var/log" "$root/proc" "$root/etc" "$root/sys/bus/pci/devices/0000:3b:00.0"
	for dir in kernel pci systemd date host nvidia; do
		mkdir -p "$root/sos_commands/$dir"
	done
	dmesg "$2" >"$root/sos_commands/kernel/dmesg" && dmesg_t "$2" >"$root/sos_commands/kernel/dmesg_-T" && syslog "$2" "$1" >"$root/var/log/messages"
	lspci >"$root/sos_commands/pci/lspci_-nnvv" && smi_q_of "$3" >"$root/sos_commands/nvidia/nvidia-smi_-q"
	echo "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-${3}1111111-2222-3333-4444-555555555555)" >"$root/sos_commands/nvidia/nvidia-smi_--list-gpus"
	echo 'Tue May 12 09:05:00 UTC 2026' >"$root/sos_commands/date/date"
	echo "$1" >"$root/hostname" && echo "$1.example.com" >"$root/sos_commands/host/hostname_-f" && echo "$1.example.com" >"$root/etc/hostname"
	echo ' 09:05:00 up  2:05,  1 user,  load average: 0.50, 0.40, 0.30' >"$root/sos_commands/host/uptime"
	printf 'ID=rhel\nNAME="Red Hat Enterprise Linux"\nPRETTY_NAME="Red Hat Enterprise Linux 9.4 (Plow)"\n' >"$root/etc/os-release"
	echo "0123456789abcdef0123456789abcde$3" >"$root/etc/machine-id"
	printf 'kmod-nvidia-580.95.05-1.el9.x86_64     Mon May 11 09:00:00 2026\nglibc-2.34-100.el9.x86_64     Mon Jan 12 09:00:00 2026\nkernel-5.14.0-427.el9.x86_64     Mon Jan 12 09:00:00 2026\n' >"$root/installed-rpms"
	echo 'BOOT_IMAGE=(hd0,gpt2)/vmlinuz-5.15.0-105-generic root=UUID=1 ro iommu=pt' >"$root/proc/cmdline"
	echo '32.0 GT/s PCIe' >"$root/sys/bus/pci/devices/0000:3b:00.0/current_link_speed"
	printf '  UNIT                        LOAD   ACTIVE SUB     DESCRIPTION\n  nvidia-persistenced.service loaded active running NVIDIA Persistence Daemon\n' >"$root/sos_commands/systemd/systemctl_list-units"
}
sos() {
	fresh
	sos_of rhel-a good 1 && sos_of rhel-b bad 2 && analyzed b && unread && machines rhel-a rhel-b && faults 'xid.fallen-off-bus|rhel-b' && at 08:56:49 &&
		sqlite3 c.db 'SELECT name, substr(machine_id, -1) FROM host ORDER BY 1' >is && printf 'rhel-a|1\nrhel-b|2\n' | diff - is
}
check sosreport sos

nvdebug_of() { # DUT STATE N
	root=b/nvdebug_logs_12_05_2026_09_00_00/$1
	mkdir -p "$root/host/Host_H6_nvidia_smi" "$root/ipmi" "$root/redfish/Redfish_R1_event_log"
	dmesg_t "$2" >"$root/host/Host_H1_dmesg.txt" && lspci >"$root/host/Host_H2_lspci.txt"
	smi_q_of "$3" >"$root/host/Host_H6_nvidia_smi/Host_H6_nvidia_smi_q.txt"
	echo '   1 | 05/11/2026 | 07:57:01 | Power Supply #0x60 | Presence detected | Asserted' >"$root/ipmi/IPMI_I1_sel_elist.txt"
	cat >"$root/redfish/Redfish_R1_event_log/Entries.json" <<-END
		{"@odata.id": "/redfish/v1/Systems/HGX_Baseboard_0/LogServices/EventLog/Entries", "Members": [
		{"@odata.id": "/redfish/v1/Systems/HGX_Baseboard_0/LogServices/EventLog/Entries/1", "Created": "2026-05-11T07:57:00+00:00",
		"EntryType": "Event", "Id": "1", "Message": "The system was powered on.", "MessageId": "ResourceEvent.1.0.ResourceStateChanged", "Severity": "OK"}]}
	END
}
nvdebug() {
	fresh
	nvdebug_of nvl-compute-1 good 1 && nvdebug_of nvl-compute-2 bad 2 &&
		analyzed b && unread && machines nvl-compute-1 nvl-compute-2 && faults 'xid.fallen-off-bus|nvl-compute-2' && at 08:56:49
}
check nvdebug nvdebug

dell_of() { # SERVICE-TAG STATE N
	root=b/TSR20260512090000_$1/tsr
	mkdir -p "$root/hardware/sysinfo/lcfiles" "$root/software/os"
	cat >"$root/hardware/sysinfo/lcfiles/curr_lclog.xml" <<-END
		<?xml version="1.0" encoding="UTF-8"?>
		<LCLogEvents lang="en" schemaVersion="1.0" timeStamp="20260512090000.000000+000" systemid="$1">
		<Event AgentID="SEL" Category="System Health" Severity="Informational" Timestamp="2026-05-11T08:57:01+0000" Sequence="4711">
		<MessageID>SYS1003</MessageID>
		<Message>System CPU Resetting.</Message>
		<FQDD>SMI</FQDD>
		</Event>
		</LCLogEvents>
	END
	dmesg_t "$2" >"$root/software/os/dmesg.txt" && smi_q_of "$3" >"$root/software/os/nvidia-smi_-q.txt"
}
dell() {
	fresh
	dell_of ABC1234 good 1 && dell_of DEF5678 bad 2 && analyzed b && unread &&
		machines TSR20260512090000_ABC1234 TSR20260512090000_DEF5678 && faults 'xid.fallen-off-bus|TSR20260512090000_DEF5678' && at 08:56:49
}
check dell-tsr dell

# Names that look like nothing: only the environment of the job tells that they are machines.
epilog_of() { # NODE STATE N
	root=b/epilog/job_4711/$1
	mkdir -p "$root" && dmesg_t "$2" >"$root/dmesg.log" && smi_q_of "$3" >"$root/nvidia-smi-q.log"
	printf 'SLURM_JOB_ID=4711\nSLURM_JOB_NODELIST=c3-[1-2]\nSLURMD_NODENAME=%s\nCUDA_VISIBLE_DEVICES=0\nPATH=/usr/bin\nHOME=/root\n' "$1" >"$root/env.txt"
}
epilog() {
	fresh
	epilog_of c3-1 good 1 && epilog_of c3-2 bad 2 && analyzed b && unread && machines c3-1 c3-2 && faults 'xid.fallen-off-bus|c3-2' && at 08:56:49
}
check slurm-epilog epilog

# ---- one file of a script, a machine each ----

words_of() { # HOST STATE N
	mkdir -p b && {
		printf '=== GPU & SYSTEM DIAGNOSTICS ===\nDate: Tue May 12 09:00:00 UTC 2026\n\n=== BASIC SYSTEM INFO ===\nHostname:\n%s\n\n' "$1"
		printf '=== LSPCI ===\n' && lspci && printf '\n===== NVIDIA-SMI -Q =====\n' && smi_q_of "$3"
		printf '\n=== Kernel messages (dmesg) ===\n' && dmesg_t "$2" && printf '=== END ===\n'
	} >"b/$3.txt"
}
words() {
	fresh
	words_of lab-a good 1 && words_of lab-b bad 2 && analyzed b && unread && machines lab-a lab-b && faults 'xid.fallen-off-bus|lab-b' && at 08:56:49
}
check banners-of-words words

titled() { # NUMBER COMMAND, in a box: the command without sudo and options, then in full
	rule='==========================================================================='
	short=${2#sudo }
	printf '\n\n%s\n(%s) %s\n%s\n%s\n' $rule "$1" "${short%% -vvv}" "$2" $rule
}
boxes_of() { # HOST STATE N
	mkdir -p b && {
		titled 1 hostname && echo "$1" && titled 2 'sudo lspci -vvv' && lspci && titled 2-1 'nvidia-smi -q' && smi_q_of "$3"
		titled 3 'sudo dmesg -T' && dmesg_t "$2"
	} >"b/all_log_system_$3.txt"
}
boxes() {
	fresh
	boxes_of lab-a good 1 && boxes_of lab-b bad 2 && analyzed b && unread && machines lab-a lab-b && faults 'xid.fallen-off-bus|lab-b' && at 08:56:49
}
check banners-in-boxes boxes
