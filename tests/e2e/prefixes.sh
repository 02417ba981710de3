#!/bin/sh
# Every prefix that a kernel message comes with: it is found, and placed in time as its stamp says.
set -u
. tests/lib.sh
suite=prefixes
command -v sqlite3 >/dev/null || skip_all 'no sqlite3'
tab=$(printf '\t')
xid='NVRM: Xid (PCI:0000:9b:00): 79, pid=4242, name=train.3, GPU has fallen off the bus.'

# placed STAMP: c.db has this one Xid with this stamp ("KIND TIME", time as it stands; "none").
placed() {
	sqlite3 c.db "SELECT t_kind || CASE WHEN t_raw_us IS NULL THEN '' WHEN t_kind = 'boot' THEN printf(' %.6f', t_raw_us / 1e6)
		ELSE strftime(CASE t_kind WHEN 'noyear' THEN ' %m-%d ' ELSE ' %Y-%m-%d ' END, t_raw_us / 1000000, 'unixepoch')
		|| time(t_raw_us / 1000000, 'unixepoch') END FROM event WHERE kind = 'xid' AND code = 79" >is
	printf '%s\n' "$1" | diff - is
}

one() {
	fresh
	printf '%b\n' "$1" | awk -v x="$xid" '!/@/ || /syslogd@/ { print; next } { at = index($0, "@"); print substr($0, 1, at - 1) x substr($0, at + 1) }' >k.log
	"$gpudx" analyze --format json --db c.db -o r.json k.log >/dev/null && placed "$2"
}

# NAME TAB PREFIX (@ is where the message goes) TAB STAMP
while IFS="$tab" read -r name prefix stamp; do
	check "$name" one "$prefix" "$stamp"
done <<'END'
dmesg	[155044.078590] @	boot 155044.078590
dmesg-early	[   12.345678] @	boot 12.345678
dmesg-thread	[  130.456250] [   T1946] @	boot 130.456250
dmesg-cpu	[  130.456250] [    C12] @	boot 130.456250
dmesg-T	[Fri Aug 30 11:43:09 2024] @	local 2024-08-30 11:43:09
dmesg-T-french	[ven. août 30 11:43:09 2024] @	local 2024-08-30 11:43:09
dmesg-T-german	[Fr Aug 30 11:43:09 2024] @	local 2024-08-30 11:43:09
dmesg-T-german-long	[Mi. Mai 15 11:43:09 2024] @	local 2024-05-15 11:43:09
dmesg-T-dutch	[vr mrt 15 11:43:09 2024] @	local 2024-03-15 11:43:09
dmesg-T-russian	[Пт авг 30 11:43:09 2024] @	local 2024-08-30 11:43:09
dmesg-T-chinese	[五 8月 30 11:43:09 2024] @	local 2024-08-30 11:43:09
dmesg-T-japanese	[金  8月 30 11:43:09 2024] @	local 2024-08-30 11:43:09
dmesg-T-spanish	[vie ago 30 11:43:09 2024] @	local 2024-08-30 11:43:09
dmesg-T-portuguese	[sex ago 30 11:43:09 2024] @	local 2024-08-30 11:43:09
dmesg-T-polish	[pią sie 30 11:43:09 2024] @	local 2024-08-30 11:43:09
dmesg-H	[Aug30 11:43] @	none
dmesg-H-delta	[  +0.000844] @	none
dmesg-d	[155044.078590 <    0.000844>] @	boot 155044.078590
dmesg-x	kern  :warn  : [155044.078590] @	boot 155044.078590
dmesg-x-iso	kern  :err   : 2025-01-25T10:34:54,859532+00:00 @	utc 2025-01-25 10:34:54
dmesg-iso	2025-01-25T10:34:54,859532+00:00 @	utc 2025-01-25 10:34:54
kmsg	4,1227,437812449932,-;@	boot 437812.449932
kmsg-caller	4,1227,437812449932,-,caller=T123;@	boot 437812.449932
printk	<4>[  155.044078] @	boot 155.044078
pstore	Panic#1 Part1\n<4>[  155.044078] @	boot 155.044078
journal-short	Feb 01 14:25:31 node01 kernel: @	noyear 02-01 14:25:31
journal-precise	Feb 01 14:25:31.123456 node01 kernel: @	noyear 02-01 14:25:31
journal-iso	2025-02-01T14:25:31+0000 node01 kernel: @	utc 2025-02-01 14:25:31
journal-iso-precise	2025-02-01T14:25:31.123456+00:00 node01 kernel: @	utc 2025-02-01 14:25:31
journal-full	Sat 2025-02-01 14:25:31 UTC node01 kernel: @	utc 2025-02-01 14:25:31
journal-full-zone	Sat 2025-02-01 14:25:31 CET node01 kernel: @	utc 2025-02-01 13:25:31
journal-unix	1738419931.123456 node01 kernel: @	utc 2025-02-01 14:25:31
journal-monotonic	[155044.078590] node01 kernel: @	boot 155044.078590
journal-cat	@	none
syslog-two-stamps	Nov 22 14:56:44 node01 kernel: [94555.573305] @	noyear 11-22 14:56:44
syslog-day-padded	Nov  2 14:56:44 node01 kernel: [94555.573305] @	noyear 11-02 14:56:44
syslog-on-the-wire	<4>Nov 22 14:56:44 node01 kernel: @	noyear 11-22 14:56:44
rsyslog	2025-01-12T00:38:20.784070+00:00 node01 kernel: [1735964.595133] @	utc 2025-01-12 00:38:20
rsyslog-west	2025-01-12T00:38:20.784070-05:00 node01 kernel: @	utc 2025-01-12 05:38:20
rfc5424	<4>1 2025-01-12T00:38:20.784070Z node01 kernel - - - @	utc 2025-01-12 00:38:20
busybox	kernel: @	none
wall	Message from syslogd@node01 at Jan 12 00:38:20 ...\n kernel:[94555.573305] @	boot 94555.573305
docker-json	{"log":"[94555.573305] @\\n","stream":"stdout","time":"2025-01-12T00:38:20.784Z"}	boot 94555.573305
cri	2025-01-12T00:38:19.784070000Z stderr F [94555.473305] usb 1-1: x\n2025-01-12T00:38:20.784070000Z stdout F [94555.573305] @	boot 94555.573305
dmesg-json	{\n   "dmesg": [\n      {\n         "pri": 4,\n         "time": 155044.078590,\n         "msg": "@"\n      }\n   ]\n}	boot 155044.078590
journal-json	{"__REALTIME_TIMESTAMP":"1738419931123456","_HOSTNAME":"node01","SYSLOG_IDENTIFIER":"kernel","PRIORITY":"4","_TRANSPORT":"kernel","MESSAGE":"@"}	utc 2025-02-01 14:25:31
journal-export	__REALTIME_TIMESTAMP=1738419931123456\n_HOSTNAME=node01\n_TRANSPORT=kernel\nMESSAGE=@\n	utc 2025-02-01 14:25:31
syslog-polish	kwi 15 07:56:59 node01 kernel: @	noyear 04-15 07:56:59
syslog-french	août 30 07:56:59 node01 kernel: @	noyear 08-30 07:56:59
syslog-french-dot	févr. 01 07:56:59 node01 kernel: @	noyear 02-01 07:56:59
syslog-french-old	fév 01 07:56:59 node01 kernel: @	noyear 02-01 07:56:59
syslog-day-first	15 avril 07:56:59 node01 kernel: @	noyear 04-15 07:56:59
syslog-german	Mär 03 07:56:59 node01 kernel: @	noyear 03-03 07:56:59
syslog-german-old	Mrz 03 07:56:59 node01 kernel: @	noyear 03-03 07:56:59
syslog-german-december	Dez 03 07:56:59 node01 kernel: @	noyear 12-03 07:56:59
syslog-spanish	dic 03 07:56:59 node01 kernel: @	noyear 12-03 07:56:59
syslog-italian	giu 03 07:56:59 node01 kernel: @	noyear 06-03 07:56:59
syslog-dutch	mei 03 07:56:59 node01 kernel: @	noyear 05-03 07:56:59
syslog-portuguese	out 03 07:56:59 node01 kernel: @	noyear 10-03 07:56:59
syslog-russian	окт 03 07:56:59 node01 kernel: @	noyear 10-03 07:56:59
syslog-chinese	10月 03 07:56:59 node01 kernel: @	noyear 10-03 07:56:59
syslog-japanese	 5月 03 07:56:59 node01 kernel: @	noyear 05-03 07:56:59
serial-console	\033[33m[155044.078590]\033[0m @\r	boot 155044.078590
glued	[155044.078590] usb 1-1: reset @	boot 155044.078590
grep-with-name	/var/log/kern.log.1:Nov 22 14:56:43 node01 kernel: usb 1-1: x\n/var/log/kern.log:Nov 22 14:56:44 node01 kernel: @	noyear 11-22 14:56:44
quoted-mail	> [155043.078590] usb 1-1: x\n> [155044.078590] @	boot 155044.078590
END

# fevr with the letters of Latin-1
latin1() {
	fresh
	printf 'f\351vr. 01 07:56:59 node01 kernel: %s\n' "$xid" >k.log
	"$gpudx" analyze --format json --db c.db -o r.json k.log >/dev/null && placed 'noyear 02-01 07:56:59'
}
check syslog-french-latin-1 latin1
