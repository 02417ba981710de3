#!/bin/sh
# The ways in which people and scripts put the outputs of several commands into one file: each output is found, whole, and
# read by its reader.
set -u
. tests/lib.sh
suite=transcripts
command -v sqlite3 >/dev/null || skip_all 'no sqlite3'

output() {
	case $1 in
	nvidia-smi) smi_table 'NVIDIA-SMI 550.90.07              Driver Version: 550.90.07      CUDA Version: 12.4' ;;
	dmesg) echo '[ 7009.456994] NVRM: Xid (PCI:0000:3b:00): 79, pid=4242, name=<train>, GPU has fallen off the bus.' ;;
	lspci) printf '3b:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)\n\tKernel driver in use: nvidia\n' ;;
	uptime) echo ' 10:00:00 up 10 days,  1:02,  2 users,  load average: 0.10, 0.20, 0.30' ;;
	'uname -a') echo 'Linux node01 5.15.0-105-generic #115-Ubuntu SMP Mon Apr 15 09:52:04 UTC 2024 x86_64 x86_64 x86_64 GNU/Linux' ;;
	esac
}

# transcript HEADING [BEHIND]: the outputs, with printf's %s of the heading for their commands.
transcript() {
	for command in nvidia-smi dmesg lspci uptime 'uname -a'; do
		# shellcheck disable=SC2059 # it is a format
		printf -- "$1\n" "$command"
		output "$command"
		# shellcheck disable=SC2059
		printf -- "${2:-}"
	done
}

# understood FILE: all five, each line.
understood() {
	rm -f c.db
	"$gpudx" analyze --format json --db c.db -o r.json "$1" >/dev/null || return 1
	sqlite3 c.db "SELECT parser, taken FROM source WHERE parser NOT IN ('transcript', 'sections') ORDER BY 1" >is
	printf 'host-date|1\nkernel-log|1\nlspci|2\nsmi-table|12\nuname|1\n' | diff - is || return 1
	sqlite3 c.db "SELECT h.name, e.code, e.process FROM event e JOIN host h ON h.id = e.host_id" >is
	echo "node01|79|${2:-<train>}" | diff - is
}

way() {
	fresh
	transcript "$@" >t.txt && understood t.txt
}
check equal-signs way '=== %s ==='
check hashes way '##### %s #####' '\n'
check dashes way '--- %s ---' '\n'
check set-x way '+ %s'
check set-x-in-a-function way '++ %s'
check set-x-with-places way '+ /opt/collect.sh:12: %s'
check dollar way '$ %s'
check dollar-in-a-comment way '# $ %s'
check angle-brackets way '>>> %s'
check stamp-and-word way '[2026-05-12 09:00:00] Running: %s'
check names-with-colons way '%s:' '\n'
check names-between-rules way '============================================================\n%s\n============================================================'
check commands-between-rules way '--------------------------------------------------\nCommand: %s\n--------------------------------------------------'
check prompt way 'alice@node01:~$ sudo %s'
check prompt-of-root way '[root@node01 ~]# %s'
check fences way '**%s**\n\n```' '```\n\n'
check fences-with-prompts way '<details>\n\n```console\n$ %s' '```\n\n</details>\n'

quoted() {
	fresh
	{
		printf 'Hi,\n\nhere is what you asked for:\n\n'
		transcript '$ %s' | sed 's/^/> /'
		printf '\nRegards\n'
	} >mail.txt && understood mail.txt
}
check quoted-mail quoted

escape() {
	sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'
}
page() {
	fresh
	{
		printf '<!DOCTYPE html>\n<html><head><title>GPU gone</title><script>\nvar smi = "| NVIDIA-SMI";\n</script></head><body>\n'
		printf '<div\n  class="highlight"><pre><code>'
		transcript '$ %s' | escape
		printf '</code></pre></div>\n</body></html>\n'
	} >issue.html && understood issue.html || return 1
	{
		printf '<html><body>\n'
		for command in nvidia-smi dmesg lspci uptime 'uname -a'; do
			printf '<p>%s:</p>\n<pre>' "$command"
			output "$command" | escape
			printf '</pre>\n'
		done
		printf '</body></html>\n'
	} >issue.html && understood issue.html
}
check saved-page page

docker() {
	fresh
	transcript '$ %s' | python3 -c 'import json, sys
for line in sys.stdin:
    print(json.dumps({"log": line, "stream": "stdout", "time": "2026-05-12T09:00:00.123Z"}, separators=(",", ":")))' >x-json.log
	understood x-json.log || return 1
	transcript '$ %s' | sed 's/^/2026-05-12T09:00:00.784070000Z stdout F /' >0.log && understood 0.log
}
check logs-of-a-container docker

# A raw log behind prose, indented by two blanks or a tab, as mails and lists have it.
indented_log() {
	fresh
	printf 'Log:\n\n%s[  223.221345] NVRM: Xid (PCI:0000:02:00): 79, pid=0, GPU has fallen off the bus.\n\nWhat now?\n' \
		"$1" >mail.txt
	"$gpudx" analyze --format json -o - mail.txt >r.json && wants r.json 'any(.findings[]; .id == "xid.fallen-off-bus")'
}
check indented-log-behind-prose indented_log '  '
check indented-log-behind-a-tab indented_log '	'
