#!/bin/sh
# gpudx ticket BEFORE AFTER: several bundles become one ticket.
set -u
. tests/lib.sh
suite=ticket-several

have jq || skip_all "no jq"

# unpack ARCHIVE [FOLDER]
unpack() {
	rm -rf "${2:-x}" && mkdir "${2:-x}" && tar xzf "$1" -C "${2:-x}"
}

# A row of memory fails; the chassis is switched off, the card goes into the next slot, and a second row
# fails there. The log of the second capture holds what the first one has, too.
two_captures() {
	fresh
	cp -r "$top/samples/memory-row-failed" before && mkdir after || return 1
	sed -e '/^Timestamp/s/14:30:00/18:30:00/' -e '772s/: 1/: 2/' -e '773s/Yes/No/' \
		-e 's/:1D:00/:XX:00/; s/:1E:00/:1D:00/; s/:XX:00/:1E:00/' before/nvidia-smi-q.txt >after/nvidia-smi-q.txt
	{
		cat before/journal-k.txt
		sed -n '1,/nvidia-uvm/{s/2026-01-11T06/2026-01-19T16/; s/2026-01-11 06/2026-01-19 16/; s/1768111202/1768838402/; p}' before/journal-k.txt
		sed -n 's/2026-01-19T14:03/2026-01-19T17:44/; s/:1d:00/:1e:00/; s/0x2e41f3a80/0x11c0ffe00/; /Xid/p' before/journal-k.txt
	} >after/journal-k.txt
}

layout() {
	two_captures
	ends 0 "$gpudx" ticket before after && silent && unpack before.gpudx-ticket.tar.gz && cd x || return 1
	holds MANIFEST.sha256 REDACTION.md TICKET.md evidence identity.csv report.html ticket.json timeline.csv || return 1
	python3 "$top/tests/report/check_json.py" "$top/docs/ticket.schema.json" ticket.json strict || return 1
	[ "$(ls evidence | tr '\n' ' ')" = '1-before 2-after ' ] && sha256sum -c --quiet MANIFEST.sha256 || return 1
	[ "$(grep -c '^# input [0-9a-f]\{64\}  [12]-[a-z]*$' MANIFEST.sha256)" -eq 2 ] &&
		[ "$(grep -c '^# input [0-9a-f]\{64\}  [12]-[a-z]*/' MANIFEST.sha256)" -eq 5 ] && grep -q '^## Before and after' TICKET.md || return 1
	# The digest of an input is what it is alone.
	cd .. && ends 0 "$gpudx" ticket -f before && unpack before.gpudx-ticket.tar.gz y && ! grep -q '^## Before and after' y/TICKET.md || return 1
	alone=$(sed -n 's/^# input \([0-9a-f]*\)  before$/\1/p' y/MANIFEST.sha256)
	[ ${#alone} -eq 64 ] && grep -q "^# input $alone  1-before\$" x/MANIFEST.sha256
}
check layout layout

# One card, found again by its UUID in another slot; what both logs hold counts once; the order is that of time.
one_story() {
	two_captures
	ends 0 "$gpudx" ticket before after && unpack before.gpudx-ticket.tar.gz || return 1
	wants x/ticket.json '
		def of($section; $name; $gpu): [.sections[$section][] | select(.label == $name and .of == $gpu)][0];
		([.sections.gpus[] | select(.label == "serial")] | length == 8)
		and of("before-after"; "address"; "GPU 6").value == "0000:1d:00.0 -> 0000:1e:00.0"
		and (of("before-after"; "remap.uncorrectable"; "GPU 6") | .value == "1 -> 2" and .state == "changed"
			and .source == "1-before/nvidia-smi-q.txt:772 2-after/nvidia-smi-q.txt:772")
		and of("before-after"; "remap.failure"; "GPU 6").state == "as before"
		and of("before-after"; "new events: xid 48"; "GPU 6").value == "1 -> 1"
		and ([.sections["before-after"][] | select(.of == "GPU 0")] == [])
		and ([.sections.timeline[] | select(.value | test("Xid.*: 48,")) | .source] == ["1-before/journal-k.txt:30", "2-after/journal-k.txt:60"])
		and ([.sections.rma[] | select(.value == "met") | .label] == ["again after a reboot", "follows the card into another slot"])
		and ([.sections.cures[] | select(.value | startswith("seen")) | .label] == ["driver reloaded", "warm reboot", "another slot", "another card in this slot"])' || {
		jq -c '.sections["before-after"][:9], .sections.rma, .sections.cures' x/ticket.json
		return 1
	}
}
check one-story one_story

# Whoever reads the ticket again comes to the same.
again() {
	two_captures
	for include in '' '--include bundle'; do
		# shellcheck disable=SC2086 # nothing, or two words
		ends 0 "$gpudx" ticket -f $include before after && unpack before.gpudx-ticket.tar.gz || return 1
		wants x/ticket.json '.sections.header[] | select(.label == "rule") | .value == "part.fault-follows-card"' || return 1
		ends 0 "$gpudx" analyze -f -o again.json --format json "x/$([ -z "$include" ] && echo evidence || echo bundle)" || return 1
		wants again.json '[.verdict.roots[].id] == ["part.fault-follows-card"]' || return 1
	done
}
check read-again again

# Documents without a time belong to the last boot that their own capture knows; what one capture has and
# the other has not is said to be unknown, not to be gone.
states() {
	fresh
	mkdir before after
	for side in before after; do
		cp "$top"/samples/healthy/dmesg.txt "$top"/samples/healthy/nvidia-smi-L.txt $side/ || return 1
	done
	cp "$top/samples/healthy/proc-version.txt" before/
	sed 's/[0-9]*\.[0-9]*\.[0-9]*  /999.11.22  /' before/proc-version.txt >after/proc-version.txt
	cmp -s before/proc-version.txt after/proc-version.txt && return 1
	ends 0 "$gpudx" ticket before after && unpack before.gpudx-ticket.tar.gz || return 1
	wants x/ticket.json '[.sections["before-after"][] | select(.label == "driver.version") | .value | test("-> 999.11.22$")] == [true]' || {
		jq -c '.sections["before-after"]' x/ticket.json
		return 1
	}
}
check states-without-times states

# Two machines stay two.
machines() {
	fresh
	for host in quartz basalt; do
		mkdir $host
		sed "s/node17/$host/" "$top/samples/memory-row-failed/journal-k.txt" >$host/journal-k.txt
		cp "$top/samples/memory-row-failed/nvidia-smi-L.txt" $host/
	done
	sed -i '/Xid/d' basalt/journal-k.txt
	sed -i 's/GPU-\(....\)/GPU-f0f0/' basalt/nvidia-smi-L.txt
	ends 0 "$gpudx" ticket quartz basalt && unpack quartz.gpudx-ticket.tar.gz || return 1
	wants x/ticket.json '([.sections.header[] | select(.label == "impact") | .value] == ["1 of 16 GPUs on 2 host(s)"])
		and ([.sections["before-after"][] | select(.state == "changed")] == [])' || {
		jq -c '.sections.header, .sections["before-after"][:12]' x/ticket.json
		return 1
	}
}
check machines-stay-apart machines

redacted() {
	two_captures
	ends 0 "$gpudx" ticket --include bundle --dry-run --map key before after && grep '^| [a-z]' "$tmp/out" >a || return 1
	ends 0 "$gpudx" ticket --include bundle --map key before after && unpack before.gpudx-ticket.tar.gz && grep '^| [a-z]' x/REDACTION.md | diff a - || return 1
	! grep -rlw node17 x && ls x/bundle/1-before/journal-k.txt x/bundle/2-after/journal-k.txt >/dev/null || return 1
	mv before node17-before && mv after node17-after && ends 0 "$gpudx" ticket -o n.tgz node17-before node17-after && unpack n.tgz || return 1
	find x >names && ! grep -rl node17 x names
}
check redacted redacted

sealed() {
	two_captures
	tar czf 1.tgz before && tar czf 2.tgz after && ends 0 "$gpudx" ticket --include original 1.tgz 2.tgz && unpack 1.gpudx-ticket.tar.gz || return 1
	cmp 1.tgz x/sealed/1-1.tgz && cmp 2.tgz x/sealed/2-2.tgz && [ "$(ls x/evidence | tr '\n' ' ')" = '1-1.tgz 2-2.tgz ' ]
}
check sealed sealed

refused() {
	two_captures
	ends 0 "$gpudx" analyze before && ends 2 "$gpudx" ticket before.gpudx.db after && complains 'is a database' || return 1
	ends 2 "$gpudx" ticket before nothing && complains 'nothing' && holds after before before.gpudx.db before.gpudx.html
}
check refused refused
