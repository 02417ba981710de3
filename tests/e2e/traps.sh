#!/bin/sh
# What a naive parser gets wrong, one test a trap: a comma in a cell, a heading that is not what was asked for, a mask that
# looks like a status. Inputs are written here; what is asked is what the database says of them.
set -u
. tests/lib.sh
suite=traps
command -v sqlite3 >/dev/null || skip_all 'no sqlite3'
command -v python3 >/dev/null || skip_all 'no python3'
uuid=GPU-11111111-2222-3333-4444-555555555555

# reads FILE...: judged into c.db; the files are those of an otherwise empty directory.
reads() {
	rm -f c.db r.json
	"$gpudx" analyze --format json --db c.db -o r.json "$@" >/dev/null
}

# says SQL WANT: the rows, columns by |.
says() {
	sqlite3 c.db "$1" >is
	printf '%s\n' "$2" | sed '/^$/d' | diff - is && return 0
	echo "of: $1"
	return 1
}

# The rules that fired, without those on what the bundle lacks.
found() {
	says "SELECT DISTINCT rule FROM finding WHERE rule NOT LIKE 'bundle.%' AND severity <> 'info' ORDER BY 1" "$1"
}

# smi_q VERSION: the beginning of nvidia-smi -q, up to the lines of a GPU.
smi_q() {
	cat <<-END
		==============NVSMI LOG==============

		Timestamp                                 : Tue May 12 09:00:00 2026
		Driver Version                            : $1
		CUDA Version                              : 13.0

		Attached GPUs                             : 1
		GPU 00000000:3B:00.0
		    Product Name                          : NVIDIA H100 80GB HBM3
	END
}

t01() {
	fresh
	cat >apps.csv <<-END
		gpu_uuid, pid, process_name, used_gpu_memory [MiB]
		$uuid, 4711, /srv/bin/solve, quick mode/daemon, 1536 MiB
	END
	reads apps.csv && says 'SELECT pid, name, fb_mib FROM process_sample' \
		'4711|/srv/bin/solve, quick mode/daemon|1536.0'
}
check 01-a-comma-in-the-name-of-a-process t01

t02() {
	fresh
	cat >a.csv <<-END
		index, ecc.mode.current, temperature.gpu
		0, [N/A], [Not Supported]
		1, [Unknown Error], [GPU requires reset]
		2, [Requested functionality has been deprecated], N/A
	END
	reads a.csv && found driver.gpu-unresponsive && says "SELECT g.idx FROM finding f
		JOIN finding_gpu fg ON fg.finding_id = f.id JOIN gpu g ON g.id = fg.gpu_id" 1
}
check 02-brackets-that-mean-a-fault-and-others t02

t03() {
	fresh
	cat >a.csv <<-END
		timestamp, temperature.gpu, clocks.current.sm [MHz]
		2026/05/11 08:10:15.977, 63, 1980 MHz
		2026/05/11 08:10:15.981, 61, 1980 MHz
		2026/05/11 08:10:15.986, 88, 1155 MHz
		2026/05/11 08:10:17.095, 63, 1980 MHz
	END
	reads a.csv && says 'SELECT r.idx, s.temp_c, s.sm_clock_mhz FROM gpu_sample s JOIN gpu_ref r ON r.id = s.ref_id' \
		'0|63.0|1980.0
1|61.0|1980.0
2|88.0|1155.0
0|63.0|1980.0' && says 'SELECT count(*) FROM gpu' 3
}
check 03-several-gpus-without-an-index t03

t04() {
	fresh
	cat >a.txt <<-END
		\$ nvidia-smi --query-gpu=gpu_name,clocks_throttle_reasons.active --format=csv
		name, clocks_event_reasons.active
		NVIDIA H100 80GB HBM3, 0x0000000000000004
	END
	reads a.txt && says 'SELECT reasons FROM gpu_sample' 4 || return 1
	sed '1d; s/event/throttle/' a.txt >b.csv
	reads b.csv && says 'SELECT reasons FROM gpu_sample' 4
}
check 04-a-heading-that-is-not-what-was-asked-for t04

t05() {
	fresh
	{
		smi_q 580.95.05
		cat <<-END
			    Clocks Event Reasons
			        Idle                              : Not Active
			        SW Power Cap                      : Active
			        HW Slowdown                       : Not Active
			            HW Thermal Slowdown           : Not Active
			            HW Power Brake Slowdown       : Not Active
			    Clocks Event Reasons Counters
			        SW Power Capping                  : 9000 us
			        HW Thermal Slowdown               : 152000000 us
		END
	} >q.txt
	reads q.txt && found '' && says 'SELECT reasons FROM gpu_sample' 4 &&
		says "SELECT value FROM metric_sample s JOIN metric m ON m.id = s.metric_id
			WHERE key = 'reasons.hw_thermal_slowdown_us'" 152000000.0
}
check 05-masks-that-are-no-faults-and-counters-that-are-history t05

t06() {
	fresh
	{
		smi_q 580.95.05
		cat <<-END
			    Processes
			        GPU instance ID                   : 2
			        Compute instance ID               : 0
			        Process ID                        : 4711
			            Type                          : C
			            Name                          : python3
			        GPU instance ID                   : 3
			        Compute instance ID               : 0
			        Process ID                        : 4712
			            Type                                       : C
			            Name                                       : python3
		END
	} >q.txt
	reads q.txt && says 'SELECT pid, gi, ci, type FROM process_sample' '4711|2|0|C
4712|3|0|C'
}
check 06-keys-in-front-of-their-owner t06

t07() {
	fresh
	{
		smi_q 580.95.05
		cat <<-END
			    Clocks Throttle Reasons               : N/A
			    Remapped Rows                         : N/A
			    Processes                             : None
		END
	} >q.txt
	reads q.txt && found '' && says "SELECT key FROM fact WHERE key LIKE 'remap%'" '' || return 1
	{
		smi_q 580.95.05
		printf '    GPU Memory Power Readings \n        Average Power Draw   : 20.00 W\n'
		cat <<-END
			    Remapped Rows
			        Correctable Error                 : 0
			        Uncorrectable Error               : 2
			        Pending                           : Yes
		END
	} >q.txt
	reads q.txt && found memory.remap-pending && says "SELECT key, value FROM fact WHERE key LIKE 'remap%' ORDER BY 1" \
		'remap.correctable|0
remap.pending|yes
remap.uncorrectable|2'
}
check 07-a-leaf-here-and-a-section-there t07

t08() {
	fresh
	{
		smi_q 580.95.05
		cat <<-END
			    Temperature
			        GPU Current Temp                  : 86 C
			        GPU T.Limit Temp                  : 1 C
			        GPU Shutdown T.Limit Temp         : -8 C
			        GPU Slowdown T.Limit Temp         : -2 C
			        GPU Max Operating T.Limit Temp    : 0 C
		END
	} >q.txt
	reads q.txt && found '' && says 'SELECT temp_c FROM gpu_sample' 86.0 &&
		says "SELECT (SELECT value FROM metric_sample s JOIN metric m ON m.id = s.metric_id WHERE key = 'temp.tlimit_margin_c')
			- num FROM fact WHERE key = 'temp.slowdown_margin_c'" 3.0
}
check 08-temperatures-that-are-margins t08

t09() {
	fresh
	{
		smi_q 470.82.01
		cat <<-END
			    Power Readings
			        Power Draw                        : 249.00 W
			        Power Limit                       : 300.00 W
			        Enforced Power Limit              : 250.00 W
		END
	} >q.txt
	want='power.limit_requested_w|300
power.limit_w|250'
	reads q.txt && says "SELECT key, value FROM fact WHERE key LIKE 'power.limit%' ORDER BY 1" "$want" || return 1
	{
		smi_q 535.129.03
		cat <<-END
			    GPU Power Readings
			        Current Power Limit               : 250.00 W
			        Requested Power Limit             : 300.00 W
			    Module Power Readings
			        Current Power Limit               : 1000.00 W
			        Requested Power Limit             : 900.00 W
		END
	} >q.txt
	reads q.txt && says "SELECT key, value FROM fact WHERE key LIKE 'power.limit%' ORDER BY 1" "$want"
}
check 09-two-power-limits-under-new-names t09

t10() {
	fresh
	{
		smi_q 580.119.02
		cat <<-END
			    GPU Power Readings
			        Average Power Draw                : 1.00 W
			        Instantaneous Power Draw          : 749.67 W
			        Max Power Limit                   : 95.00 W
			    Fan Speed                             : 103 %
		END
	} >q.txt
	reads q.txt && found '' && says "SELECT key, value FROM metric_sample s JOIN metric m ON m.id = s.metric_id
		WHERE key LIKE 'power%' OR key LIKE 'fan%' ORDER BY 1" 'fan.speed_pct|103.0
power.average_w|1.0' && says "SELECT kind FROM event" smi.implausible &&
		says 'SELECT rejected FROM source' 0
}
check 10-a-reading-that-cannot-be-true t10

t11() {
	fresh
	mkdir b
	smi_table 'NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4' >b/smi.txt
	printf 'nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release 11.8, V11.8.89\n' >b/nvcc.txt
	printf '$ python -c "import torch; print(torch.__version__)"\n2.1.0+cu121\n' >b/torch.txt
	cat >b/version.json <<-END
		{
		   "cuda" : { "name" : "CUDA SDK", "version" : "12.2.20230823" },
		   "nvidia_driver" : { "name" : "NVIDIA Linux Driver", "version" : "535.104.05" }
		}
	END
	reads b && found '' && says "SELECT key, layer, value FROM fact
		WHERE key IN ('cuda.driver_max', 'cuda.toolkit', 'torch.cuda', 'driver.version') ORDER BY 1, 2" \
		'cuda.driver_max|nvml|12.4
cuda.toolkit|file|12.2
cuda.toolkit|nvcc|11.8
driver.version|nvml|550.90.07
driver.version|tool|550.90.07
torch.cuda|wheel|12.1' || return 1
	smi_table 'NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: ERR!' >b/smi.txt
	reads b && says "SELECT count(*) FROM fact WHERE key = 'cuda.driver_max'" 0
}
check 11-three-versions-of-cuda t11

t12() {
	fresh
	smi_table 'NVIDIA-SMI 555.52.01              Driver Version: 555.99         CUDA Version: 12.5' >a.txt
	reads a.txt && found '' && says "SELECT value FROM fact WHERE key = 'driver.version' AND layer = 'nvml'" 555.99 || return 1
	mkdir b
	cat >b/version.txt <<-END
		\$ nvidia-smi --version
		NVIDIA-SMI version  : 610.57.04
		NVML version        : 610.57
		DRIVER version      : Deprecated, see "KMD version" instead
		CUDA version        : Deprecated, see "CUDA UMD version" instead
		KMD version         : 610.57.04
		CUDA UMD version    : 13.3
	END
	smi_q '610.57.04 [Deprecated; use KMD Version]' >b/q.txt
	reads b && found '' && says "SELECT DISTINCT value FROM fact WHERE key = 'driver.version'" 610.57.04
}
check 12-driver-versions-that-may-differ t12

t13() {
	fresh
	{
		smi_table 'NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4' |
			sed 's/ Off |                    0 |/ Off |                   On |/; s/| N\/A   33C    P0             70W/|ERR!   38C    P5             49W/
				s/       0MiB/   16925MiB/; s/Default/E. Process/; s/ Disabled/  Enabled/'
		cat <<-END

			+-----------------------------------------------------------------------------------------+
			| MIG devices:                                                                            |
			+------------------+----------------------------------+-----------+-----------------------+
			| GPU  GI  CI  MIG |                     Memory-Usage |        Vol|        Shared         |
			|      ID  ID  Dev |                       BAR1-Usage | SM     Unc| CE ENC  DEC  OFA  JPG |
			|                  |                                  |        ECC|                       |
			|==================+==================================+===========+=======================|
			|  0    2   0   0  |           16925MiB / 71424MiB    | 16      0 |  3   0    3    0    3 |
			|                  |               2MiB / 65535MiB    |           |                       |
			+------------------+----------------------------------+-----------+-----------------------+
			|  0    2   1   1  |           16925MiB / 71424MiB    | 32      0 |  3   0    3    0    3 |
			|                  |               2MiB / 65535MiB    |           |                       |
			+------------------+----------------------------------+-----------+-----------------------+
		END
	} >smi.txt
	reads smi.txt && says 'SELECT gi, ci FROM gpu_instance ORDER BY 1, 2' '2|0
2|1' && says 'SELECT sum(mem_used_mib) FROM gpu_sample' 16925.0 &&
		says "SELECT name, value FROM event_attr" 'fan|ERR!' &&
		says "SELECT count(*) FROM finding WHERE rule = 'thermal.fan'" 1
}
check 13-cells-without-blanks-and-slices-that-share t13

t14() {
	fresh
	cat >d.txt <<-END
		# gpu    pwr  gtemp  mtemp     sm    mem
		# Idx      W      C      C      %      %
		    0    631     63     57    100     10
		    1      -     61      -     99      9
	END
	want='631.0|63.0|100.0|10.0|'
	reads d.txt && says 'SELECT power_w, temp_c, util_pct, mem_util_pct, mem_used_mib FROM gpu_sample' "$want
|61.0|99.0|9.0|" && says "SELECT value FROM metric_sample" 57.0 || return 1
	cat >d.txt <<-END
		#Date       Time        gpu    pwr  gtemp  mtemp     sm    mem
		#YYYYMMDD   HH:MM:SS    Idx      W      C      C      %      %
		 20260512   09:00:01      0    631     63     57    100     10
	END
	reads d.txt && says 'SELECT power_w, temp_c, util_pct, mem_util_pct, mem_used_mib FROM gpu_sample' "$want" &&
		says "SELECT datetime(t_raw_us / 1000000, 'unixepoch') FROM gpu_sample" '2026-05-12 09:00:01'
}
check 14-a-heading-with-one-word-too-many t14

t15() {
	fresh
	cat >a.csv <<-END
		index, pstate, utilization.gpu [%], pcie.link.gen.current, pcie.link.gen.max, pcie.link.width.current, pcie.link.width.max
		0, P8, 0 %, 1, 4, 16, 16
		1, P0, 98 %, 4, 4, 8, 16
	END
	reads a.csv && says "SELECT f.rule, g.idx FROM finding f JOIN finding_gpu fg ON fg.finding_id = f.id
		JOIN gpu g ON g.id = fg.gpu_id" 'pcie.width-reduced|1' || return 1
	sed 1,2p\;d a.csv >b.csv
	reads b.csv && found ''
}
check 15-a-slow-link-at-idle t15

t16() {
	fresh
	cat >l.txt <<-END
		3a:00.0 PCI bridge: Intel Corporation Device 352a (rev 30) (prog-if 00 [Normal decode])
			Bus: primary=3a, secondary=3b, subordinate=3b, sec-latency=0
			Capabilities: [40] Express (v2) Root Port (Slot+), MSI 00
				LnkCap:	Port #1, Speed 32GT/s, Width x16, ASPM not supported
				LnkSta:	Speed 16GT/s, Width x8
		3b:00.0 3D controller: NVIDIA Corporation GH100 [H100 PCIe] (rev a1)
			Capabilities: [60] Express (v2) Endpoint, MSI 00
				LnkCap:	Port #0, Speed 32GT/s, Width x16, ASPM not supported
				LnkSta:	Speed 16GT/s, Width x8
		86:00.0 3D controller: NVIDIA Corporation GH100 [H100 PCIe] (rev a1)
			Capabilities: [60] Express (v2) Endpoint, MSI 00
				LnkCap:	Port #0, Speed 16GT/s, Width x16, ASPM not supported
				LnkSta:	Speed unknown, Width x16
	END
	reads l.txt && says "SELECT f.rule, g.bdf FROM finding f JOIN finding_gpu fg ON fg.finding_id = f.id
		JOIN gpu g ON g.id = fg.gpu_id WHERE f.severity <> 'info'" 'pcie.width-reduced|0000:3b:00.0' &&
		says "SELECT sta_gts IS NULL, sta_width, dead FROM pci_device WHERE bdf = '0000:86:00.0'" '1|16|0'
}
check 16-links-without-a-note t16

t17() {
	fresh
	cat >l.txt <<-END
		3b:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)
			Capabilities: [100 v2] Advanced Error Reporting
				UESta:	DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP-
					ECRC- UnsupReq- ACSViol- UncorrIntErr-
					PoisonTLPBlocked-
				UEMsk:	DLP- SDES- TLP- FCP- CmpltTO- CmpltAbrt- UnxCmplt- RxOF- MalfTLP-
					ECRC- UnsupReq+ ACSViol+ UncorrIntErr-
					PoisonTLPBlocked-
				UESvrt:	DLP+ SDES+ TLP- FCP+ CmpltTO- CmpltAbrt- UnxCmplt- RxOF+ MalfTLP+
				CESta:	RxErr+ BadTLP+ BadDLLP- Rollover- Timeout- AdvNonFatalErr-
	END
	reads l.txt && says 'SELECT ue_status, ce_status FROM pci_device' '|RxErr BadTLP' || return 1
	sed 's/ECRC- UnsupReq- ACSViol-/ECRC- UnsupReq+ ACSViol-/' l.txt >m.txt
	reads m.txt && says 'SELECT ue_status, ce_status FROM pci_device' 'UnsupReq|RxErr BadTLP'
}
check 17-masks-and-severities-that-look-like-states t17

t18() {
	fresh
	cat >l.txt <<-END
		3b:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev ff) (prog-if ff)
			!!! Unknown header type 7f
			Kernel driver in use: nvidia

		86:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)
			Capabilities: <access denied>
			Kernel driver in use: nvidia
	END
	reads l.txt && says 'SELECT bdf, dead, denied FROM pci_device' '0000:3b:00.0|1|0
0000:86:00.0|0|1' && says "SELECT f.rule, g.bdf FROM finding f JOIN finding_gpu fg ON fg.finding_id = f.id
		JOIN gpu g ON g.id = fg.gpu_id" 'pcie.not-answering|0000:3b:00.0'
}
check 18-gone-or-only-not-allowed-to-look t18

t19() {
	fresh
	cat >k.log <<-END
		[ 7000.100000] nvidia-nvswitch0: SXid (PCI:0000:86:00.0): 12028, Non-fatal, Link 32 egress non-posted PRIV error
		[ 7009.456994] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.
		[ 8000.000000] NVRM: Xid (PCI:0000:9b:00): 31, pid='<unknown>', name=<unknown>, Ch 00000008, intr 00000000
		[ 8000.100000] NVRM: Xid (PCI:0000:9b:00): 45, pid=4242, name=python, Ch 00000008 caused by previous Xid 31
	END
	reads k.log && says "SELECT kind, code, pid, (SELECT value FROM event_attr WHERE event_id = e.id AND name = 'caused_by')
		FROM event e" 'sxid|12028||
xid|79||
xid|31||
xid|45|4242|31' && says "SELECT code FROM incident ORDER BY 1" '31
79
12028'
}
check 19-an-sxid-is-no-xid-and-a-45-follows t19

t20() {
	fresh
	mkdir b
	text='NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.'
	echo "[ 7009.456994] $text" >b/dmesg.txt
	echo "May 07 09:41:02 node01 kernel: $text" >b/journal.txt
	echo "May  7 09:41:02 node01 kernel: [ 7009.456994] $text" >b/kern.log
	cp b/kern.log b/kern.log.1
	reads b && says 'SELECT count(*), sum(copy_of IS NULL) FROM event' '4|1' &&
		says 'SELECT events, substr(datetime(t0_us / 1000000, '\''unixepoch'\''), 6) FROM incident' '1|05-07 09:41:02' || return 1
	cat >k.log <<-END
		May  7 09:41:02 node01 kernel: [ 7009.456994] $text
		May  7 09:50:02 node01 kernel: [    0.000000] Linux version 5.15.0-105-generic (buildd@x) (gcc) #115-Ubuntu SMP
		May  7 09:50:14 node01 kernel: [   12.100000] NVRM: Xid (PCI:0000:9b:00): 31, Ch 00000008
	END
	reads k.log && says 'SELECT e.code, b.seq FROM event e JOIN boot b ON b.id = e.boot_id ORDER BY e.t_us' '79|-1
31|0'
}
check 20-one-event-in-four-logs t20

t21() {
	fresh
	mkdir b
	cat >b/kern.log <<-END
		Dec 31 23:59:58 node01 kernel: NVRM: Xid (PCI:0000:9b:00): 31, Ch 00000008
		Jan  1 00:00:03 node01 kernel: NVRM: Xid (PCI:0000:9b:00): 31, Ch 00000009
	END
	cat >b/triton.log <<-END
		I0101 00:00:01.123456 1 pinned_memory_manager.cc:277] "Pinned memory pool is created at '0x7f2a00000000' with size 268435456"
		E0101 00:00:03.500000 1 model_repository_manager.cc:1335] failed to load 'm' version 1: Internal: no stream
	END
	echo 'ERROR 01-01 01:00:03 [core.py:98] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.35 GiB of which 1.19 GiB is free.' >b/vllm.log
	echo '[05/01/2025-10:00:01] [E] Error[1]: CUDA error: out of memory' >b/trt.log
	echo '2026-01-21T04:41:44,285060+00:00 NVRM: Xid (PCI:0000:9b:00): 43, pid=1, name=x, Ch 1' >b/dmesg.txt
	reads --tz +01:00 b && says "SELECT s.path, strftime('%Y-%m-%dT%H:%M:%fZ', e.t_us / 1e6, 'unixepoch') FROM event e
		JOIN source s ON s.id = e.source_id ORDER BY 1, 2" \
		'dmesg.txt|2026-01-21T04:41:44.285Z
kern.log|2025-12-31T22:59:58.000Z
kern.log|2025-12-31T23:00:03.000Z
triton.log|2026-01-01T00:00:03.500Z
trt.log|2025-05-01T09:00:01.000Z
vllm.log|2026-01-01T00:00:03.000Z'
}
check 21-dates-without-year-or-zone t21

t22() {
	fresh
	python3 - <<-'END'
		import gzip
		bar = "_" * 44 + "\n\n"
		head = bar + """Start of NVIDIA bug report log file.  Please include this file, along
		with a detailed description of your problem, when reporting a graphics driver
		bug via the NVIDIA Linux forum (see forums.developer.nvidia.com)

		nvidia-bug-report.sh Version: 34275561

		Date: Tue May 12 09:00:00 UTC 2026
		uname: Linux node01 5.15.0-105-generic #115-Ubuntu SMP x86_64 GNU/Linux
		command line flags:

		"""
		dmesg = bar + "dmesg:\n\n" + "_" * 30 + "\n[ 7009.456994] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.\n"
		cut = gzip.compress("".join("[ %d.456994] usb 1-2: device %d\n" % (7010 + i, i * i) for i in range(2000)).encode())
		parts = [head, "", bar + "*** /proc/cmdline\n*** ls: -r--r--r-- 1 root root 0 /proc/cmdline\nBOOT_IMAGE=/vmlinuz ro\n", dmesg]
		with open("r.log.gz", "wb") as f:
		    f.write(b"".join(gzip.compress(p.encode()) for p in parts) + cut[:len(cut) // 2])
	END
	reads r.log.gz && says "SELECT parser, title FROM source" 'nvidia-bug-report|
kernel-cmdline|/proc/cmdline
kernel-log|dmesg' && says 'SELECT code FROM event' 79 && says "SELECT rule FROM finding
		WHERE rule IN ('bundle.truncated', 'xid.fallen-off-bus') GROUP BY 1 ORDER BY 1" 'bundle.truncated
xid.fallen-off-bus' && says "SELECT lines > 500 FROM source WHERE parser = 'kernel-log'" 1
}
check 22-gzip-in-pieces-with-a-tail-cut-off t22

t23() {
	fresh
	cat >job.log <<-END
		2026-05-01 10:00:00.123456: W tensorflow/core/common_runtime/bfc_allocator.cc:243] Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.25GiB with freed_by_count=0. The caller indicates that this is not a failure, but may mean that there could be performance gains if more memory were available.
		torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 79.35 GiB total capacity; 48.12 GiB already allocated; 0 bytes free; 49.55 GiB reserved in total by PyTorch) If reserved memory is >> allocated memory try setting max_split_size_mb to avoid fragmentation.
		torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 8.00 GiB. GPU 0 has a total capacty of 79.35 GiB of which 1.19 GiB is free. Process 4711 has 78.00 GiB memory in use. Of the allocated memory 70.00 GiB is allocated by PyTorch, and 6.00 GiB is reserved by PyTorch but unallocated.
	END
	reads job.log && says "SELECT kind, (SELECT value FROM event_attr a WHERE a.event_id = e.id AND name = 'requested_mib'),
		(SELECT value FROM event_attr a WHERE a.event_id = e.id AND name = 'reserved_total_mib'),
		(SELECT value FROM event_attr a WHERE a.event_id = e.id AND name = 'reserved_unused_mib') FROM event e" \
		'vram.oom|2048|50739.2|
vram.oom|8192||6144' && says "SELECT count(*) FROM finding WHERE rule = 'vram.fragmentation'" 0 &&
		says "SELECT count(*) > 0 FROM finding WHERE rule = 'vram.foreign-process'" 1
}
check 23-out-of-memory-that-is-none-and-two-kinds-of-reserved t23

t24() {
	fresh
	cat >a.prom <<-END
		# TYPE DCGM_FI_DEV_XID_ERRORS gauge
		DCGM_FI_DEV_XID_ERRORS{gpu="0",UUID="$uuid"} 79
		DCGM_FI_DEV_MEMORY_TEMP{gpu="0",UUID="$uuid"} 9223372036854775794
		DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="$uuid"} 97
		DCGM_FI_PROF_SM_ACTIVE{gpu="0",UUID="$uuid"} 0.97
	END
	cat >b.prom <<-END
		# TYPE nv_gpu_utilization gauge
		nv_gpu_utilization{gpu_uuid="$uuid"} 0.97
		# TYPE nv_inference_queue_duration_us counter
		nv_inference_queue_duration_us{model="m",version="1"} 123456789
	END
	reads a.prom && says 'SELECT kind, code, repeats FROM event' 'xid|79|1' && says 'SELECT util_pct FROM gpu_sample' 97.0 &&
		says 'SELECT key, value FROM metric_sample s JOIN metric m ON m.id = s.metric_id' 'prof.sm_active|0.97' &&
		reads b.prom && says 'SELECT util_pct FROM gpu_sample' 97.0 && found '' || return 1
	echo '{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"DCGM_FI_DEV_GPU_TEMP","gpu":"0"},"values":[[1715075935,"NaN"],[1715075950,"61"]]}]}}' >q.json
	reads q.json && says 'SELECT t_raw_us, temp_c FROM gpu_sample' '1715075950000000|61.0' || return 1
	echo 'INFO 05-01 10:00:00 [kv_cache_utils.py:634] GPU KV cache size: 169,314 tokens' >v.log
	reads v.log && says "SELECT num FROM fact WHERE key = 'vllm.kv_cache_tokens'" 169314.0
}
check 24-values-that-lie-by-their-form t24

t25_encodings() {
	fresh
	smi_table 'NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4' >smi.txt
	for how in utf-16-le utf-16-be; do
		for mark in '' '\ufeff'; do
			python3 -c 'import sys; open("u.txt", "wb").write((sys.argv[2].encode().decode("unicode_escape")
				+ open("smi.txt").read().replace("\n", "\r\n")).encode(sys.argv[1]))' $how "$mark"
			reads u.txt && says 'SELECT parser, rejected FROM source' 'smi-table|0' && says \
				"SELECT value FROM fact WHERE key = 'driver.version' AND layer = 'nvml'" 550.90.07 || return 1
		done
	done
}
check 25-utf-16-with-and-without-mark t25_encodings

t25_topo() {
	fresh
	printf '\t\033[4mGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\033[0m\nGPU0\t X \tNV18\t0-19\t0\t\tN/A\nGPU1\tNV18\t X \t20-39\t\t\tN/A\n' >topo.txt
	reads topo.txt && says "SELECT r.idx, key, value FROM fact f JOIN gpu_ref r ON r.id = f.ref_id ORDER BY 1, 2" \
		'0|topo.cpus|0-19
0|topo.link.gpu1|nv18
0|topo.numa|0
1|topo.cpus|20-39
1|topo.link.gpu0|nv18'
}
check 25-escapes-and-empty-cells t25_topo

t25_cr() {
	fresh
	printf '10/50 [1:45:42<6:49:31, 631.53s/it]\r11/50 [1:55:42<6:49:31, 631.53s/it]slurmstepd: error: *** JOB 42 ON node01 CANCELLED AT 2026-05-01T12:00:00 DUE TO TIME LIMIT ***\n' >job.out
	reads job.out && says "SELECT kind FROM event" slurm.cancelled && says \
		"SELECT name, value FROM event_attr ORDER BY 1" 'at|2026-05-01T12:00:00
job|42
node|node01
why|TIME LIMIT'
}
check 25-a-cancelled-job-behind-a-progress-bar t25_cr

t25_nuls() {
	fresh
	python3 - <<-'END'
		begin = b"2026-05-01 10:00:00 node01 daemon[1]: ok\nMay  1 10:00:00 node01 kernel: [ 7009.456994] usb 1-2: ok"
		end = (b"May  1 10:05:00 node01 kernel: [    0.000000] Linux version 5.15.0-105-generic (b@h) (gcc) #115-Ubuntu SMP\n"
		       b"May  1 10:05:10 node01 kernel: [   10.000000] NVRM: Xid (PCI:0000:9b:00): 31, Ch 00000008\n")
		for nuls in (8, 900, 4096, 70000):
		    open("k%d.log" % nuls, "wb").write(begin + b"\0" * nuls + end)
		open("k0.log", "wb").write(b"\0" * 5000 + end)
	END
	for file in k*.log; do
		reads "$file" && says "SELECT code FROM event WHERE kind = 'xid'" 31 || return 1
		[ "$file" = k0.log ] || says "SELECT count(*) > 0 FROM event WHERE kind = 'kernel.log_torn'" 1 || return 1
	done
}
check 25-a-log-torn-by-nuls t25_nuls
