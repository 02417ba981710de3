#!/bin/sh
# Every output that journalctl can print says the same: what happened, when, on which host.
set -u
. tests/lib.sh
suite=journals
command -v sqlite3 >/dev/null || skip_all 'no sqlite3'

lost='NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, name=train, GPU has fallen off the bus.'

# same [TIME]: j.txt has that event, then, on node01, and no other.
same() {
	rm -f c.db
	"$gpudx" analyze --format json --db c.db -o r.json j.txt >/dev/null || return 1
	sqlite3 -separator ' ' c.db "SELECT h.name, e.code, e.process, datetime(e.t_us / 1000000, 'unixepoch'), e.t_quality
		FROM event e JOIN host h ON h.id = e.host_id" >is
	printf 'node01 79 train %s\n' "${1:-2024-05-07 09:58:55 exact}" | diff - is
}

# form NAME [TIME]: standard input is read so.
form() {
	fresh
	cat >j.txt
	check "$@"
}

fields='"_TRANSPORT": "kernel", "_HOSTNAME": "node01", "__REALTIME_TIMESTAMP": "1715075935123456"'
form json same <<END
{$fields, "MESSAGE": "usb 1-1: new device"}
{"MESSAGE": "$lost", $fields}
END
form json-pretty same <<END
{
	"MESSAGE" : "$lost",
	"_TRANSPORT" : "kernel",
	"__REALTIME_TIMESTAMP" : "1715075935123456",
	"_HOSTNAME" : "node01"
}
{
	"__REALTIME_TIMESTAMP" : "1715075945123456",
	"_HOSTNAME" : "node01",
	"MESSAGE" : null
}
END
form json-sse same <<END
data: {$fields, "MESSAGE": "usb 1-1: new device"}

data: {$fields, "MESSAGE": "$lost"}
END
form verbose same <<END
Tue 2024-05-07 11:58:54.000000 CEST [s=0a;i=1;b=0123456789abcdef0123456789abcdef;m=3498eca2;t=617da3bcf1380;x=1]
    _HOSTNAME=node01
    _TRANSPORT=kernel
    MESSAGE=usb 1-1: new device
Tue 2024-05-07 11:58:55.123456 CEST [s=0a;i=2;b=0123456789abcdef0123456789abcdef;m=3498eca2;t=617da3be03800;x=2]
    MESSAGE=$lost
    _HOSTNAME=node01
    _TRANSPORT=kernel
END
for zone in 'UTC 09' 'CEST 11' 'EDT 05' 'JST 18' '+03 12'; do
	form "short-full-${zone% *}" same <<END
Tue 2024-05-07 ${zone#* }:58:55 ${zone% *} node01 kernel: $lost
END
done
form short-full-of-two-meanings same '2024-05-07 11:58:55 zone_assumed' <<END
Tue 2024-05-07 11:58:55 IST node01 kernel: $lost
END
form with-unit same <<END
Tue 2024-05-07 11:58:54 CEST node01 user@1000.service/app.slice/foo.service[55]: started
Tue 2024-05-07 11:58:55 CEST node01 kernel: $lost
END
form short-monotonic same '1970-01-01 00:14:42 boot_relative' <<END
[  882.456994] node01 kernel: $lost
[  882.556994] node01 systemd[1]: Started Session 5 of User root.
END
form short-iso-precise same <<END
2024-05-07T11:58:55.123456+02:00 node01 kernel: $lost
END

# The last record of a verbose one has no head behind it; what it says still stands in a line of the file.
last_record() {
	fresh
	cat >journal.txt <<END
Tue 2024-05-07 11:58:54.000000 CEST [s=0a;i=1;b=0123456789abcdef0123456789abcdef;m=3498eca2;t=617da3bcf1380;x=1]
    _HOSTNAME=node01
    MESSAGE=usb 1-1: new device
Tue 2024-05-07 11:58:55.123456 CEST [s=0a;i=2;b=0123456789abcdef0123456789abcdef;m=3498eca2;t=617da3be03800;x=2]
    _HOSTNAME=node01
    _TRANSPORT=kernel
    MESSAGE=$lost
END
	ends 0 "$gpudx" analyze --format json -o r.json journal.txt && wants r.json '[.findings[].evidence[].line] | max <= 7' && wants r.json '[.findings[].id] | index("xid.fallen-off-bus") != null'
}
check the-last-record-stands-in-the-file last_record
