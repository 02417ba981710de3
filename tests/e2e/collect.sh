#!/bin/sh
# gpudx collect: the script it prints runs in a bare shell, ends although a command hangs, and leaves
# an archive that gpudx reads.
set -u
. tests/lib.sh
suite=collect

# A machine: programs that print what stands in the samples, the clock of a trace, and one that hangs.
machine() {
	fresh
	mkdir bin
	cat >bin/nvidia-smi <<EOF
#!/bin/sh
case \$* in
'') cat "$top/samples/power-cap/nvidia-smi.txt" ;;
-L) cat "$top/samples/power-cap/nvidia-smi-L.txt" ;;
'-q') exec sleep 1000 ;;
'pmon -c 2') cat "$top/samples/power-cap/nvidia-smi-pmon.txt" ;;
*clocks_event_reasons.active*noheader) echo 'Field "clocks_event_reasons.active" is not a valid field to query.' ;;
*clocks_throttle_reasons.active*noheader) echo 0x0000000000000004 ;;
*clocks_throttle_reasons.active*'-l 1') cat "$top/samples/power-cap/trace.csv"; exec sleep 1000 ;;
*) echo 'this is not what was asked for' >&2; exit 6 ;;
esac
EOF
	printf '#!/bin/sh\ncat "%s"\n' "$top/samples/power-cap/lspci.txt" >bin/lspci
	printf '#!/bin/sh\ncat "%s"\n' "$top/samples/power-cap/dmesg.txt" >bin/dmesg
	printf '#!/bin/sh\ncat "%s"\n' "$top/samples/power-cap/modinfo.txt" >bin/modinfo
	for quiet in journalctl docker python3 dpkg rpm scontrol systemctl timedatectl ipmitool dcgmi; do
		printf '#!/bin/sh\nexit 1\n' >bin/$quiet
	done
	chmod +x bin/*
	mkdir out
	"$gpudx" collect --trace 1 >collect.sh
}

# collect SHELL: runs the script on that machine, leaves $archive.
collect() {
	PATH=$PWD/bin:$PATH GPUDX_LIMIT=1 "$@" collect.sh -o out >path 2>err || {
		cat err
		return 1
	}
	archive=$(cat path)
	[ -f "$archive" ] && [ "$(ls out)" = "$(basename "$archive")" ] && [ ! -s err ]
}

whole() {
	machine
	collect sh || return 1
	ends 0 "$gpudx" analyze --format json -o - "$archive" && wants "$tmp/out" \
		'any(.findings[]; .id == "power.cap-clock-drop")' &&
		wants "$tmp/out" 'any(.sources[]; (.path | endswith("trace.csv")) and .parser == "smi-query-csv")' || return 1
	tar -xzf "$archive" && log=$(cat gpudx-*/collect.log) && case $log in
	*"nvidia-smi-q.txt: stopped after 1 s"*) ;;
	*) false ;;
	esac && grep -q 'not what was asked for' gpudx-*/stderr/nvidia-smi-topo.txt &&
		! pgrep -f "$PWD/bin" >/dev/null 2>&1
}
check ends-and-is-read whole

# One that does not heed signals but the last, a directory with a blank in its name, and somebody who is not
# root and may not read the kernel log.
stubborn() {
	machine
	sed -i "s/^'-q') .*/'-q') trap '' TERM HUP INT; while :; do sleep 1; done ;;/" bin/nvidia-smi
	printf '#!/bin/sh\necho "dmesg: read kernel buffer failed: Operation not permitted" >&2\nexit 1\n' >bin/dmesg
	mkdir 'o u t' && chmod 777 'o u t' . && chmod 755 "$tmp" "$tmp/work"
	set -- sh collect.sh -o 'o u t'
	# Where the folder of all tests is not open to others, nobody cannot get here by its path.
	nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
	# shellcheck disable=SC2016,SC2086 # of the other shell; several words
	[ "$(id -u)" -ne 0 ] || ! $nobody sh -c 'cd "$0"' "$PWD" 2>/dev/null || set -- $nobody "$@"
	PATH=$PWD/bin:$PATH GPUDX_LIMIT=1 "$@" >path 2>err || {
		cat err
		return 1
	}
	archive=$(cat path)
	[ -f "$archive" ] && [ "$(ls 'o u t')" = "$(basename "$archive")" ] && [ ! -s err ] && ! pgrep -f "$PWD/bin" >/dev/null || return 1
	ends 0 "$gpudx" analyze --format json -o - "$archive" && wants "$tmp/out" 'any(.sources[]; (.path | endswith("trace.csv")) and .parser == "smi-query-csv")' || return 1
	tar -xzf "$archive" && grep -q 'Operation not permitted' gpudx-*/stderr/*dmesg*
}
check heeds-no-signal-and-is-not-root stubborn

# What would give secrets away stays where it is.
secrets() {
	machine
	export SECRET_TOKEN=hush-hush CUDA_VISIBLE_DEVICES=0,1
	collect sh || return 1
	unset SECRET_TOKEN CUDA_VISIBLE_DEVICES
	tar -xzf "$archive" && ! grep -rq hush-hush gpudx-* && grep -q '^CUDA_VISIBLE_DEVICES=0,1$' gpudx-*/environment.txt &&
		[ "$(find gpudx-* -type f -perm /077 | wc -l)" -eq 0 ]
}
check no-secrets secrets

shells() {
	for shell in dash busybox; do
		command -v $shell >/dev/null 2>&1 || continue
		machine
		set -- $shell
		[ $shell != busybox ] || set -- busybox sh
		collect "$@" && "$gpudx" sources "$archive" | grep -q 'trace.csv: smi-query-csv' || return 1
	done
}
check in-other-shells shells

usage() {
	fresh
	ends 2 "$gpudx" collect --trace x && ends 2 "$gpudx" collect more && ends 2 "$gpudx" collect --trace 999999 || return 1
	"$gpudx" collect --trace 0 >c.sh && grep -qx 'TRACE=0' c.sh && ends 2 sh c.sh -x && complains 'usage: sh ' &&
		ends 2 sh c.sh -t ten && [ "$("$gpudx" collect | cksum)" = "$(cksum <"$top/src/case/gpudx-collect.sh")" ]
}
check usage usage
