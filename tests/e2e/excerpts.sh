#!/bin/sh
# The excerpts of a ticket: whoever analyses the ticket concludes what the bundle says.
set -u
. tests/lib.sh
suite=excerpts
command -v jq >/dev/null || skip_all 'no jq'

# judged FILE: the kind, the roots, and what was found above "info".
judged() {
	jq -c '.verdict.kind, ([.verdict.roots[].id] | sort), ([.findings[] | select(.severity != "info") | .id] | sort)' "$1"
}

# says_the_same BUNDLE: its ticket does. Leaves ticket.tgz, and what was said of it in b.json.
says_the_same() {
	"$gpudx" analyze -f --db db -o a.json --format json "$1" >out &&
		ends 0 "$gpudx" ticket -f -o ticket.tgz "$1" && silent &&
		"$gpudx" analyze -f --db db -o b.json --format json ticket.tgz >out || return 1
	judged a.json >a && judged b.json | diff a -
}

unpack() {
	rm -rf x && mkdir x && tar xzf ticket.tgz -C x
}

# And what ticket.json says is described, every key of it.
bundle() {
	fresh
	says_the_same "$1" && tar xzf ticket.tgz ticket.json && python3 "$top/tests/report/check_json.py" "$top/docs/ticket.schema.json" ticket.json strict
}
for sample in "$top"/samples/*/; do
	check "$(basename "$sample")-says-the-same" bundle "${sample%/}"
done

real() {
	[ -e "$1" ] || {
		echo "no $1"
		return 77
	}
	bundle "$1" && [ "$(stat -c %s ticket.tgz)" -lt 300000 ]
}
for report in br02-3x4070-x1riser-xid79 br04-p3200m-driver-mess br06-2xa6000-busy-powercap-85C br08-k2200-510-fr; do
	check "$report-says-the-same" real "$shared/corpus/bugreport/$report.log.gz"
done
check seed-case-says-the-same real "$shared/seed-case"

# A kernel log of some days, most of it about other things, and one fault in its middle.
kernel_log() {
	awk 'BEGIN {
		split("usb 1-4 ACPI EXT4-fs systemd e1000e nvme0n1 audit Bluetooth snd_hda iwlwifi i915 loop0 br0 md127 sd_mod", who, " ")
		printf "[    0.000000] Linux version 6.8.0-45-generic (buildd@lcy02) (gcc 13.2.0) #45-Ubuntu SMP\n"
		printf "[    0.000000] Command line: BOOT_IMAGE=/vmlinuz-6.8.0-45-generic root=/dev/sda2 ro\n"
		for (i = 1; i < 3000; i++) {
			t = i * 7.25
			if (i == 1500)
				printf "[%12.6f] NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python3, GPU has fallen off the bus.\n", t
			else
				printf "[%12.6f] %s: state change number %d was handled\n", t, who[i % 14 + 1], i
		}
	}' /dev/null
}

long_log() {
	fresh
	mkdir planted && kernel_log >planted/dmesg.txt
	says_the_same planted && unpack || return 1
	grep -q ': 79, pid=4711' x/evidence/dmesg.txt && grep -q 'number 1490 was' x/evidence/dmesg.txt &&
		grep -q 'number 1510 was' x/evidence/dmesg.txt && ! grep -q 'number 1520 was' x/evidence/dmesg.txt || return 1
	[ "$(grep -c '^\[gpudx: [0-9]* lines left out, nothing was found in them\]$' x/evidence/dmesg.txt)" -ge 2 ] || return 1
	# What was left out is counted: all lines are either there or said to be missing.
	awk '/^\[gpudx: / { n += $2; next } { n++ } END { exit n != 3001 }' x/evidence/dmesg.txt || return 1
	# The absence of others is as certain as before.
	jq -c '[.checks[] | select(.outcome == "clean") | .id] | sort' a.json >a && jq -c '[.checks[] | select(.outcome == "clean") | .id] | sort' b.json | diff a -
}
check long-log-keeps-what-stands-around long_log

# A day and a half of one card: at rest, busy, then held down by its limit of power, at rest again.
trace() {
	awk 'BEGIN {
		print "timestamp, index, name, pstate, clocks.current.sm [MHz], clocks.current.memory [MHz], power.draw [W], enforced.power.limit [W], temperature.gpu, utilization.gpu [%], clocks_event_reasons.active"
		for (i = 0; i < 60000; i++) {
			busy = i >= 29400 && i < 30660
			capped = i >= 30000 && i < 30660
			s = (i * 2) % 86400
			printf "2026/03/%02d %02d:%02d:%02d.000, 0, NVIDIA A100-SXM4-80GB, P%d, %d MHz, 1593 MHz, %d.%02d W, 400.00 W, %d, %d %%, 0x%016X\n", \
				2 + int(i * 2 / 86400), int(s / 3600), int(s / 60) % 60, s % 60, busy ? 0 : 8, capped ? 1005 + i % 7 * 15 : busy ? 1410 : 210, \
				capped ? 398 : busy ? 310 : 72, i % 100, busy ? 66 : 35, busy ? 100 : 0, capped ? 4 : busy ? 0 : 1
		}
	}' /dev/null
}

long_trace() {
	fresh
	mkdir planted && trace >planted/trace.csv
	says_the_same planted && unpack || return 1
	jq -e '.verdict.roots | length > 0' a.json >/dev/null || {
		echo 'nothing was found in it at all'
		return 1
	}
	[ "$(wc -l <x/evidence/trace.csv)" -lt 45000 ] && grep -q 'left out' x/evidence/trace.csv
}
check long-trace-keeps-its-stretches long_trace

# More than an excerpt may hold is cut, and that is said at the place and in the audit.
too_large() {
	fresh
	mkdir planted && trace | sed -n '1p;25000,38000p' | awk '
		BEGIN { for (i = 0; i < 800; i++) pad = pad "x" }
		{ print $0 ", " (NR == 1 ? "note" : pad) }' >planted/trace.csv
	ends 0 "$gpudx" ticket -o ticket.tgz planted && unpack || return 1
	[ "$(stat -c %s x/evidence/trace.csv)" -lt 9000000 ] && grep -q '^\[gpudx: [0-9]* lines left out\]$' x/evidence/trace.csv || return 1
	grep -q 'more was wanted than fits' x/REDACTION.md && ! grep -q 'can be found in it again' x/REDACTION.md
}
check too-large-is-cut-and-said too_large

# What is cut off is not what it is all about, wherever that stands: here at the end.
cut_around() {
	fresh
	mkdir planted
	awk 'BEGIN {
		for (i = 0; i < 200; i++) pad = pad "p"
		for (i = 0; i < 40000; i++)
			printf "[%8d.000000] NVRM: Xid (PCI:0000:3b:00): 13, pid=%d, name=python3, Graphics SM Warp Exception on (GPC %d, TPC 0, SM 0): Out Of Range Address %s\n", 100 + i, 5000 + i, i % 8, pad
		printf "[   70000.000000] NVRM: Xid (PCI:0000:86:00): 79, pid=1, name=<unknown>, GPU has fallen off the bus.\n"
	}' >planted/dmesg.txt
	ends 0 "$gpudx" analyze -o a.json --format json planted && ends 0 "$gpudx" ticket -o ticket.tgz planted && unpack || return 1
	[ "$(stat -c %s x/evidence/dmesg.txt)" -lt 9000000 ] && grep -q 'fallen off the bus' x/evidence/dmesg.txt && grep -q 'more was wanted than fits' x/REDACTION.md || return 1
	ends 0 "$gpudx" analyze -o b.json --format json x/evidence || return 1
	jq -c '[.verdict.roots[].id]' a.json >a && jq -c '[.verdict.roots[].id]' b.json | diff a -
}
check cut-around-the-evidence cut_around

# The same where no file is too large but all together are.
many_large() {
	fresh
	mkdir planted
	for i in $(seq 9); do
		awk -v n="$i" 'BEGIN {
			for (i = 0; i < 400; i++) pad = pad "p"
			for (i = 0; i < 20000; i++)
				printf "2026-03-02T09:%02d:%02d.%03d000+00:00 node%02d app[%d]: %s\n", i / 600, i / 10 % 60, i % 10, n, i, pad
			if (n == 9)
				printf "2026-03-02T10:00:00.000000+00:00 node09 kernel: NVRM: Xid (PCI:0000:86:00): 79, pid=1, name=<unknown>, GPU has fallen off the bus.\n"
		}' >planted/node"$i".log
	done
	ends 0 "$gpudx" ticket -o ticket.tgz planted && unpack || return 1
	grep -rq 'fallen off the bus' x/evidence
}
check cut-around-the-evidence-of-many many_large

# What people asked a program is nobody's business, also where something was found beside it.
private() {
	fresh
	mkdir planted
	{
		printf '$ dmesg\n'
		kernel_log | sed -n '1,2p;1400,1600p'
		printf '$ docker logs vllm\n'
		for i in $(seq 40); do
			printf 'INFO 03-02 09:00:%02d [logger.py:43] Received request cmpl-%d: prompt: "recipe %d of the secret sauce", params: SamplingParams(n=1)\n' $((i % 60)) "$i" "$i"
		done
		printf 'ERROR 03-02 09:01:00 [core.py:400] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB of which 1.20 GiB is free.\n'
		for i in $(seq 41 60); do
			printf 'INFO 03-02 09:01:%02d [logger.py:43] Received request cmpl-%d: prompt: "recipe %d of the secret sauce", params: SamplingParams(n=1)\n' $((i % 60)) "$i" "$i"
		done
	} >planted/transcript.txt
	says_the_same planted && unpack || return 1
	grep -q 'Tried to allocate 2.00 GiB' x/evidence/transcript.txt && ! grep -r 'secret sauce' x
}
check prompts-are-left-out private


# What is behind standard input cannot be read again.
from_stdin() {
	fresh
	tar cf a.tar -C "$top/samples" xid-after-update
	"$gpudx" ticket -o ticket.tgz - <a.tar >out || return 1
	unpack && grep -q 'made from a database' x/REDACTION.md
}
check standard-input-is-read-once from_stdin
