#!/bin/sh
# gpudx xid: codes in words, from the knowledge base in the program.
set -u
. tests/lib.sh
suite=xid

xid() {
	fresh
	ends 0 "$gpudx" xid 79 && prints 'Xid 79: GPU no longer answers on PCIe' && prints 'reboot the node' &&
		prints 'NVIDIA: RESTART_BM' && prints 'Xid 45' && prints 'gpudx rules show xid.fallen-off-bus' && silent &&
		ends 0 "$gpudx" xid xid 79 && prints 'Xid 79:' && holds ''
}
check code xid

# One number, two meanings.
branches() {
	ends 0 "$gpudx" xid 144 && prints 'NVLINK_SAW_ERROR: 560' && prints 'ROBUST_CHANNEL_KEY_ROTATION_ERROR: 550'
}
check by-branch branches

verdicts() {
	ends 0 "$gpudx" xid 64 && prints 'gpud: ignored' && prints 'AWS distributed-ai: isolate'
}
check by-source verdicts

sxid() {
	ends 0 "$gpudx" xid sxid 12028 && prints 'egress non-posted PRIV error' && prints 'fabric.sxid'
}
check sxid sxid

rminit() {
	ends 0 "$gpudx" xid rminit 0x62:0x65:1792 && prints 'GSP firmware did not start' && prints '0x65 TIMEOUT' &&
		ends 0 "$gpudx" xid rminit '(0x11:0x45:2525)' && prints 'look at the configuration' &&
		ends 0 "$gpudx" xid rminit 0x61 && prints 'firmware file'
}
check rminit rminit

# What is not known is not guessed.
unknown() {
	ends 2 "$gpudx" xid 9999 && complains 'Xid 9999 is not in the knowledge base' &&
		ends 2 "$gpudx" xid sxid 1 && ends 2 "$gpudx" xid rminit 0xee && complains 'not in the knowledge base' || return 1
	for word in 79x -1 '' 0x4f 99999999999999999999 'rminit'; do
		ends 2 "$gpudx" xid -- "$word" || return 1
	done
	ends 2 "$gpudx" xid rminit 62:65 && ends 2 "$gpudx" xid rminit 0x62:0x65:1792z && ends 2 "$gpudx" xid rminit 0x62: &&
		ends 2 "$gpudx" xid && ends 2 "$gpudx" xid some 79 && ends 2 "$gpudx" xid xid 79 80
}
check unknown unknown

# No paragraph is wider than a screen, unless one word is.
width() {
	for code in 13 48 63 74 119 154 167; do
		ends 0 "$gpudx" xid $code && awk 'length > 100 { print; bad = 1 } END { exit bad }' "$tmp/out" || return 1
	done
}
check width width

# Each catalogued code stands once and is claimed by a rule that ships.
claims() {
	twice=$(awk -F '\t' '/^[0-9]/ { print $1 }' rules/kb/xid.tsv | sort | uniq -d)
	[ -z "$twice" ] || {
		echo "twice: $twice"
		return 1
	}
	"$gpudx" rules list >"$tmp/rules" || return 1
	awk -F '\t' '/^[0-9]/ { print $7 }' rules/kb/xid.tsv | sort -u >"$tmp/claims"
	[ -s "$tmp/claims" ] || return 1
	while read -r rule; do
		grep -q "^$rule\\b" "$tmp/rules" || {
			echo "no such rule: $rule"
			return 1
		}
	done <"$tmp/claims"
}
check claims claims
