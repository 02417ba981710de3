#!/bin/sh
# Lines of several machines in one text: each is of the machine that stands in front of it, in it or above it, and has the
# time that whoever carried it wrote where it has none itself.
set -u
. tests/lib.sh
suite=carried
command -v sqlite3 >/dev/null || skip_all 'no sqlite3'

lost='NVRM: Xid (PCI:0000:3b:00): 79, pid=0, GPU has fallen off the bus.'
remap='NVRM: Xid (PCI:0000:3b:00): 63, pid=0, Row Remapper: New row (0x0000000000001234) marked for remapping, reset gpu to activate.'
dbe='NVRM: Xid (PCI:0000:3b:00): 48, pid=121, name=python, DBE (double bit error) ECC Error'

read_it() {
	rm -f c.db
	"$gpudx" analyze --format json --db c.db -o r.json "$1" >/dev/null
}

# on BUNDLE LINE...: "HOST CODE GPUKEY" of each event with a code, in the order of hosts; no GPU is of two.
on() {
	bundle=$1
	shift
	read_it "$bundle" || return 1
	sqlite3 -separator ' ' c.db "SELECT coalesce(h.name, '?'), e.code, coalesce(g.key, '-') FROM event e JOIN host h ON h.id = e.host_id
		LEFT JOIN gpu g ON g.id = e.gpu_id WHERE e.code IS NOT NULL ORDER BY 1, 2, e.id" >is
	printf '%s\n' "$@" | diff - is
}

# hosts NAME...: these are the hosts of c.db.
hosts() {
	sqlite3 c.db "SELECT coalesce(name, '?') FROM host ORDER BY 1" >is
	printf '%s\n' "$@" | diff - is
}

# at CODE TIME QUALITY: the event of that code was then.
at() {
	test "$(sqlite3 c.db "SELECT datetime(t_us / 1000000, 'unixepoch') || ' ' || t_quality FROM event WHERE code = $1")" = "$2 $3"
}

# ---- central logs ----

central() {
	fresh
	{
		echo "Jun 11 10:00:01 gpu01 kernel: [123456.789012] $lost"
		echo "Jun 11 10:00:03 gpu02 kernel: [  9456.789012] $remap"
		echo "Jun 11 10:00:04 gpu03.cluster.local kernel: [  9956.789012] $dbe"
	} >messages
	on messages "gpu01 79 gpu01/0000:3b:00.0" "gpu02 63 gpu02/0000:3b:00.0" "gpu03.cluster.local 48 gpu03.cluster.local/0000:3b:00.0"
}
check central-log-one-line-each central

# Both machines are booted once more, at different times; each has its own boots.
boots() {
	fresh
	i=0
	while [ $i -lt 40 ]; do
		for h in 1 2; do
			up=$((1000 * h + i * 60))
			[ $i -lt $((h * 12)) ] || up=$((i * 60 - h * 720 + 5))
			printf 'Jun 11 10:%02d:0%d gpu0%d kernel: [%5d.000000] usb 1-%d: ready\n' $i $h $h $up $i
		done
		i=$((i + 1))
	done >messages
	read_it messages && sqlite3 c.db 'SELECT h.name, count(*) FROM boot b JOIN host h ON h.id = b.host_id GROUP BY 1' >is &&
		printf 'gpu01|2\ngpu02|2\n' | diff - is
}
check boots-of-each-host boots

# Its name came with the network, or another one with its lease: one machine.
renamed() {
	fresh
	{
		echo 'Jun 11 10:00:00 localhost kernel: [    0.000000] Linux version 5.15.0-105-generic (buildd@lcy02) (gcc) #115-Ubuntu SMP'
		echo 'Jun 11 10:00:05 ubuntu kernel: [    5.000000] usb 1-1: ready'
		echo "Jun 11 10:00:09 gpu07 kernel: [    9.000000] $lost"
		echo 'Jun 11 10:00:10 gpu07.example.com kernel: [   10.000000] usb 1-2: ready'
	} >messages
	on messages "gpu07 79 gpu07/0000:3b:00.0" && hosts gpu07 || return 1
	{
		echo "Jun 11 10:00:05 falcon kernel: [  905.000000] $remap"
		echo "Jun 11 10:00:09 heron kernel: [  909.000100] $lost"
	} >messages
	on messages "heron 63 heron/0000:3b:00.0" "heron 79 heron/0000:3b:00.0" || return 1
	# ... and two, whose clocks have nothing to do with each other.
	sed 's/\[  909/[77709/' messages >two
	on two "falcon 63 falcon/0000:3b:00.0" "heron 79 heron/0000:3b:00.0"
}
check a-name-that-comes-late renamed

# ---- who carried the line ----

pdsh() {
	fresh
	{
		echo "gpu01: [123456.789012] $lost"
		echo "gpu02: [   99.789012] $dbe"
		echo "pdsh@adm: gpu03: ssh exited with exit code 255"
		echo "gpu02: [  100.789012] $remap"
	} >t.txt
	on t.txt "gpu01 79 gpu01/0000:3b:00.0" "gpu02 48 gpu02/0000:3b:00.0" "gpu02 63 gpu02/0000:3b:00.0"
}
check pdsh-dmesg pdsh

pdsh_csv() {
	fresh
	for h in 1 2; do
		echo "gpu0$h: index, temperature.gpu, power.draw [W]"
		echo "gpu0$h: 0, 4$h, 12$h.11 W"
		echo "gpu0$h: 1, 5$h, 13$h.11 W"
	done >t.txt
	read_it t.txt && sqlite3 c.db 'SELECT g.key, s.temp_c FROM sample s JOIN gpu g ON g.id = s.gpu_id ORDER BY 1' >is &&
		printf 'gpu01/gpu0|41.0\ngpu01/gpu1|51.0\ngpu02/gpu0|42.0\ngpu02/gpu1|52.0\n' | diff - is
}
check pdsh-csv-without-uuids pdsh_csv

grepped() {
	fresh
	{
		echo "/var/log/messages-20240609:18233:Jun  8 22:11:01 hgx04 kernel: $remap"
		echo "/var/log/messages:11:Jun 10 22:11:01 hgx05 kernel: $dbe"
		echo "./hgx06/dmesg.txt:[  812.123456] $lost"
	} >t.txt
	on t.txt "hgx04 63 hgx04/0000:3b:00.0" "hgx05 48 hgx05/0000:3b:00.0" "hgx06 79 hgx06/0000:3b:00.0" &&
		sqlite3 c.db 'SELECT min(excerpt) FROM source' | grep -qx 1
}
check grep-H grepped

# ---- collectors ----

beats() {
	fresh
	{
		printf '{"@timestamp":"2024-05-11T10:00:01.123Z","host":{"name":"dgx-17"},"message":"%s","agent":{"type":"filebeat"}}\n' "$lost"
		printf '{"@timestamp":"2024-05-11T10:00:03.123Z","host":{"name":"dgx-18"},"message":"May 11 10:00:03 dgx-18 kernel: [  912.345678] %s"}\n' "$dbe"
	} >t.json
	on t.json "dgx-17 79 dgx-17/0000:3b:00.0" "dgx-18 48 dgx-18/0000:3b:00.0" && at 79 '2024-05-11 10:00:01' exact
}
check beats beats

elastic() {
	fresh
	jq -n --arg a "$lost" --arg b "$dbe" '{took: 5, hits: {total: {value: 2}, hits: [
		{_index: "logs", _source: {"@timestamp": "2024-05-11T10:00:01.123Z", message: $a, host: {name: "dgx-17"}}},
		{_index: "logs", _source: {"@timestamp": "2024-05-11T10:00:02.123Z", message: $b, host: {name: "dgx-18"}}}]}}' >t.json
	on t.json "dgx-17 79 dgx-17/0000:3b:00.0" "dgx-18 48 dgx-18/0000:3b:00.0" && at 48 '2024-05-11 10:00:02' exact
}
check elastic-search elastic

loki() {
	fresh
	jq -nc --arg a "[ 8123.456789] $lost" --arg b "[   99.456789] $dbe" '{status: "success", data: {resultType: "streams", result: [
		{stream: {job: "kern", node: "gpu01"}, values: [["1718100001000000000", $a]]},
		{stream: {job: "kern", node: "gpu02"}, values: [["1718100005000000000", $b]]}]}}' >t.json
	on t.json "gpu01 79 gpu01/0000:3b:00.0" "gpu02 48 gpu02/0000:3b:00.0" && at 48 '2024-06-11 10:00:05' aligned
}
check loki loki

cloud() {
	fresh
	jq -n --arg a "[ 8123.456789] $lost" --arg b "$dbe" '[
		{insertId: "a", textPayload: $a, resource: {type: "k8s_node", labels: {node_name: "gke-9"}}, timestamp: "2024-06-11T10:00:01Z"},
		{jsonPayload: {MESSAGE: $b, _HOSTNAME: "gke-10"}, timestamp: "2024-06-11T10:00:02Z"}]' >t.json
	on t.json "gke-10 48 gke-10/0000:3b:00.0" "gke-9 79 gke-9/0000:3b:00.0" && at 48 '2024-06-11 10:00:02' exact || return 1
	jq -c '.[]' t.json >lines.json
	on lines.json "gke-10 48 gke-10/0000:3b:00.0" "gke-9 79 gke-9/0000:3b:00.0"
}
check cloud-logging cloud

splunk() {
	fresh
	{
		echo '"_time",host,source,"_raw"'
		echo "\"2024-06-11T10:00:01.000+0000\",gpu01,\"/var/log/kern.log\",\"Jun 11 10:00:01 gpu01 kernel: [1234.567890] $lost\""
		echo "\"2024-06-11T10:00:05.000+0000\",gpu02,\"/var/log/kern.log\",\"$dbe"
		echo 'a further line of ""it"""'
	} >t.csv
	on t.csv "gpu01 79 gpu01/0000:3b:00.0" "gpu02 48 gpu02/0000:3b:00.0" && at 48 '2024-06-11 10:00:05' exact
}
check splunk-csv splunk

azure() {
	fresh
	printf '[{"TimeGenerated":"2024-06-11T10:00:01.1Z","Computer":"gpu01","SyslogMessage":"%s"},\n{"TimeGenerated":"2024-06-11T10:00:05Z","Computer":"gpu02","SyslogMessage":"%s"}]\n' "$lost" "$dbe" >t.json
	on t.json "gpu01 79 gpu01/0000:3b:00.0" "gpu02 48 gpu02/0000:3b:00.0" && at 48 '2024-06-11 10:00:05' exact
}
check azure-syslog azure

# What a spreadsheet or a search page saves with tabs or semicolons; a lone quote in a message opens nothing.
separated() {
	for tab in "$(printf '\t')" ';'; do
		fresh
		{
			printf '_time\thost\t_raw\n' | tr '\t' "$tab"
			printf '2024-06-11T10:00:01.000+0000\tgpu01\tkernel: %s\n' "$lost" | tr '\t' "$tab"
			printf '2024-06-11T10:00:02.000+0000\tgpu01\tkernel: usb 1-1: a 5" disk\n' | tr '\t' "$tab"
			printf '2024-06-11T10:00:05.000+0000\tgpu02\t"kernel: %s"\n' "$dbe" | tr '\t' "$tab"
		} >t.txt
		on t.txt "gpu01 79 gpu01/0000:3b:00.0" "gpu02 48 gpu02/0000:3b:00.0" && at 48 '2024-06-11 10:00:05' exact || return 1
	done
}
check tables-with-tabs separated

# ---- exporters ----

exporter() {
	fresh
	for h in 1 2; do
		echo "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\",UUID=\"GPU-${h}1111111-aaaa-bbbb-cccc-000000000001\",pci_bus_id=\"00000000:19:00.0\",Hostname=\"dgx$h\"} 19${h}0"
		echo "DCGM_FI_DEV_GPU_TEMP{gpu=\"1\",Hostname=\"dgx$h\"} 4$h"
		echo "DCGM_FI_DEV_XID_ERRORS{gpu=\"1\",Hostname=\"dgx$h\"} $((94 * (h - 1)))"
	done >t.prom
	on t.prom "dgx2 94 dgx2/gpu1" && sqlite3 c.db 'SELECT g.key, s.temp_c FROM sample s JOIN gpu g ON g.id = s.gpu_id WHERE s.temp_c ORDER BY 1' >is &&
		printf 'dgx1/gpu1|41.0\ndgx2/gpu1|42.0\n' | diff - is
}
check exporter-text exporter

# Of a pod the node counts; where only addresses are known, they tell two machines apart.
query_range() {
	fresh
	jq -nc '{status: "success", data: {resultType: "matrix", result: [
		{metric: {__name__: "DCGM_FI_DEV_GPU_TEMP", Hostname: "dgx1", instance: "10.0.3.1:9400", gpu: "0"}, values: [[1718100000, "45"], [1718100060, "46"]]},
		{metric: {__name__: "DCGM_FI_DEV_GPU_TEMP", Hostname: "4f5e6d7c8b9a", node: "dgx2", gpu: "0"}, values: [[1718100000, "75"], [1718100060, "96"]]},
		{metric: {__name__: "DCGM_FI_DEV_POWER_USAGE", instance: "10.0.3.1:9400", gpu: "0"}, values: [[1718100000, "300"]]},
		{metric: {__name__: "DCGM_FI_DEV_GPU_TEMP", instance: "10.0.3.9:9400", gpu: "0"}, values: [[1718100000, "33"]]}]}}' >t.json
	read_it t.json && hosts 10.0.3.9 dgx1 dgx2 &&
		sqlite3 c.db 'SELECT g.key, s.temp_c, s.power_w FROM sample s JOIN gpu g ON g.id = s.gpu_id ORDER BY 1, s.t_us' >is &&
		printf '10.0.3.9/gpu0|33.0|\ndgx1/gpu0|45.0|300.0\ndgx1/gpu0|46.0|\ndgx2/gpu0|75.0|\ndgx2/gpu0|96.0|\n' | diff - is
}
check query-range query_range

# ---- directories ----

# Their files are not the same ones; one of them says another name of its machine.
unlike() {
	fresh
	mkdir -p b/gpu01 b/gpu02
	echo "[123456.789012] $lost" >b/gpu01/dmesg.txt
	echo 'Linux ip-10-0-0-7 5.15.0-105-generic #115-Ubuntu SMP x86_64 GNU/Linux' >b/gpu01/uname.txt
	echo 'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-22222222-aaaa-bbbb-cccc-000000000001)' >b/gpu02/smiL.txt
	echo "[  456.789012] $dbe" >b/gpu02/kern.txt
	on b "gpu02 48 gpu02/0000:3b:00.0" "ip-10-0-0-7 79 ip-10-0-0-7/0000:3b:00.0" && hosts gpu02 ip-10-0-0-7
}
check directories-of-unlike-files unlike

# Nodes of NUMA are no machines.
numa() {
	fresh
	mkdir -p b/sys/devices/system/node/node0 b/sys/devices/system/node/node1
	for n in 0 1; do
		echo "Node $n MemTotal:       263841184 kB" >b/sys/devices/system/node/node$n/meminfo
		echo 0-31 >b/sys/devices/system/node/node$n/cpulist
	done
	echo "[123456.789012] $lost" >b/dmesg.txt
	on b "? 79 host/0000:3b:00.0" && hosts '?'
}
check numa-nodes numa

# ---- commands that ran elsewhere ----

transcript() {
	fresh
	{
		echo 'admin@bastion:~$ ssh -p 22 root@gpu02 sudo dmesg | grep NVRM'
		echo "[  123.456789] $lost"
		echo "admin@bastion:~\$ srun -w gpu03 --gres=gpu:1 -p long dmesg"
		echo "[  923.456789] $dbe"
		echo 'admin@bastion:~$ kubectl exec -n jobs -it trainer-0 -- dmesg'
		echo "[  933.456789] $remap"
		echo 'admin@bastion:~$ kubectl debug node/gpu04 -it --image=ubuntu -- chroot /host dmesg'
		echo '[  943.456789] NVRM: Xid (PCI:0000:3b:00): 31, pid=1, name=a, Ch 00000008, intr 00000000'
		echo 'admin@bastion:~$ pdsh -w gpu[05-06] dmesg'
		echo 'gpu05: [  953.456789] NVRM: Xid (PCI:0000:3b:00): 62, pid=1, name=a, 0x2b5a 0x0 0x0'
		echo 'gpu06: [  963.456789] NVRM: Xid (PCI:0000:3b:00): 95, pid=1, name=a, Uncontained: LTC TAG (0x4,0x0).'
		echo 'admin@bastion:~$ ssh gpu07'
		echo 'Last login: Tue Jun 11 09:00:00 2024'
		echo 'root@gpu07:~# docker exec -it box dmesg'
		echo '[  973.456789] NVRM: Xid (PCI:0000:3b:00): 13, pid=1, name=a, Graphics SM Warp Exception on (GPC 0, TPC 1, SM 0): Out Of Range Address'
		echo 'root@gpu07:~# exit'
		echo 'admin@bastion:~$ dmesg'
		echo '[  983.456789] NVRM: Xid (PCI:0000:3b:00): 43, pid=1, name=a, Ch 00000008'
	} >t.txt
	on t.txt "? 63 host/0000:3b:00.0" "bastion 43 bastion/0000:3b:00.0" "gpu02 79 gpu02/0000:3b:00.0" "gpu03 48 gpu03/0000:3b:00.0" \
		"gpu04 31 gpu04/0000:3b:00.0" "gpu05 62 gpu05/0000:3b:00.0" "gpu06 95 gpu06/0000:3b:00.0" "gpu07 13 gpu07/0000:3b:00.0"
}
check ssh-srun-kubectl-pdsh-docker transcript

# ---- times ----

# A runtime that wrote all of dmesg at once, and what came later when it came.
runtime() {
	fresh
	{
		echo '2024-05-11T10:00:01.100000000Z stdout F [ 1000.000000] usb 1-1: ready'
		echo "2024-05-11T10:00:01.100000000Z stdout F [ 8000.000000] $dbe"
		echo '2024-05-11T10:00:01.100000000Z stdout F [11600.000000] usb 1-2: ready'
		echo "2024-05-11T10:10:01.100000000Z stdout F [12200.000000] $lost"
	} >pod.log
	read_it pod.log && at 79 '2024-05-11 10:10:01' aligned && at 48 '2024-05-11 09:00:01' aligned || return 1
	echo "2024-05-11T10:10:01.100000000Z stderr F $lost" >pod.log
	read_it pod.log && at 79 '2024-05-11 10:10:01' exact
}
check container-runtime runtime

# dmesg -w | ts: the stamp is no host, and both clocks are known.
ts() {
	fresh
	{
		echo "Jun 11 12:00:01 [123456.789012] $lost"
		echo 'Jun 11 12:00:02 [123457.789012] NVRM: GPU 0000:3b:00.0: GPU has fallen off the bus.'
	} >t.txt
	on t.txt "? 79 host/0000:3b:00.0" && sqlite3 c.db "SELECT substr(datetime(t_us / 1000000, 'unixepoch'), 6) FROM event ORDER BY id" >is &&
		printf '06-11 12:00:01\n06-11 12:00:02\n' | diff - is
}
check ts-is-no-host ts

dmon() {
	echo '# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk'
	echo '# Idx      W      C      C      %      %      %      %    MHz    MHz'
	echo '    0    412     62     71    100     41      0      0   2619   1980'
	echo '    1      -     91     95     97     41      0      0   2619   1410'
	echo '    0    415     62     71    100     41      0      0   2619   1980'
	echo '    1      -     92     95     97     41      0      0   2619   1400'
}

# sampled TIME BUNDLE: two samples of each of two GPUs, the first then.
sampled() {
	read_it "$2" && sqlite3 c.db "SELECT g.idx, count(*), count(s.t_us), substr(datetime(min(s.t_us) / 1000000, 'unixepoch'), 6) FROM sample s
		JOIN gpu g ON g.id = s.gpu_id GROUP BY 1" >is && printf '%s\n' "0|2|2|$1" "1|2|2|$1" | diff - is
}

dmon_first() {
	fresh
	dmon | sed 's/^/2024-06-11T10:00:00+0200 /' >t.txt
	sampled '06-11 08:00:00' t.txt || return 1
	dmon | sed 's/^/[2024-06-11 10:00:00] /' >t.txt
	sampled '06-11 10:00:00' t.txt || return 1
	dmon | sed 's/^/Jun 11 10:00:00 /' >t.txt
	sampled '06-11 10:00:00' t.txt || return 1
	dmon | sed 's/^/2024-06-11T10:00:00.5Z stdout F /' >t.txt
	sampled '06-11 10:00:00' t.txt || return 1
	dmon | jq -Rc '{log: (. + "\n"), stream: "stdout", time: "2024-06-11T10:00:00.5Z"}' >t.json
	sampled '06-11 10:00:00' t.json
}
check dmon-behind-times dmon_first

in_journal() {
	fresh
	dmon | sed 's/^/Jun 11 10:00:00 gpu01 nvidia-smi[2211]: /' >t.txt
	sampled '06-11 10:00:00' t.txt && hosts gpu01 || return 1
	{
		echo "Jun 11 09:59:00 gpu01 kernel: $lost"
		dmon | sed 's/^/Jun 11 10:00:00 gpu02 watch-gpus[2211]: /'
		echo "Jun 11 10:01:00 gpu02 kernel: $dbe"
	} >t.txt
	on t.txt "gpu01 79 gpu01/0000:3b:00.0" "gpu02 48 -" &&
		sqlite3 c.db "SELECT g.key, count(*) FROM sample s JOIN gpu g ON g.id = s.gpu_id GROUP BY 1" >is &&
		printf 'gpu02/gpu0|2\ngpu02/gpu1|2\n' | diff - is
}
check dmon-in-a-journal in_journal

# A GPU that does not answer is one of its own.
table() {
	fresh
	cat >t.txt <<-'END'
		Tue Jun 11 10:00:00 2024
		+---------------------------------------------------------------------------------------+
		| NVIDIA-SMI 535.161.08             Driver Version: 535.161.08   CUDA Version: 12.2     |
		|-----------------------------------------+----------------------+----------------------+
		| GPU  Name                 Persistence-M | Bus-Id        Disp.A | Volatile Uncorr. ECC |
		| Fan  Temp   Perf          Pwr:Usage/Cap |         Memory-Usage | GPU-Util  Compute M. |
		|                                         |                      |               MIG M. |
		|=========================================+======================+======================|
		|   0  NVIDIA A100-SXM4-80GB          On  | 00000000:07:00.0 Off |                    0 |
		| N/A   32C    P0              64W / 400W |      4MiB / 81920MiB |      0%      Default |
		|                                         |                      |             Disabled |
		+-----------------------------------------+----------------------+----------------------+
		|   1  ERR!                           On  | 00000000:47:00.0 Off |                 ERR! |
		|ERR!  ERR! ERR!             ERR! / ERR!  |      0MiB / 81920MiB |    ERR!         ERR! |
		|                                         |                      |                 ERR! |
		+-----------------------------------------+----------------------+----------------------+
	END
	read_it t.txt && sqlite3 c.db 'SELECT idx, bdf, name FROM gpu ORDER BY 1' >is &&
		printf '0|0000:07:00.0|NVIDIA A100-SXM4-80GB\n1|0000:47:00.0|\n' | diff - is &&
		test "$(sqlite3 c.db "SELECT group_concat(g.idx) FROM event e JOIN gpu g ON g.id = e.gpu_id WHERE e.kind = 'smi.unknown_error'")" = 1
}
check a-gpu-of-errors-in-a-dated-table table
