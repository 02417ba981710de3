#!/bin/sh
# gpudx ticket: what is in the archive, what is not, and what a reader of it concludes.
set -u
. tests/lib.sh
suite=ticket

sample=$top/samples/xid-after-update

unpack() {
	rm -rf x && mkdir x && tar xzf "${1:-planted.gpudx-ticket.tar.gz}" -C x
}

# ids FILE: the roots, and everything found.
roots() {
	jq -c '[.verdict.roots[].id] | sort' "$1"
}
found() {
	jq -c '[.findings[] | [.id, .severity, .state, .start, .end]] | sort' "$1"
}

layout() {
	fresh
	ends 0 "$gpudx" ticket "$sample" && silent || return 1
	holds xid-after-update.gpudx-ticket.tar.gz xid-after-update.gpudx-ticket.tar.gz.map || return 1
	[ "$(stat -c %a xid-after-update.gpudx-ticket.tar.gz.map)" = 600 ] || return 1
	unpack xid-after-update.gpudx-ticket.tar.gz && cd x || return 1
	holds MANIFEST.sha256 REDACTION.md TICKET.md evidence identity.csv report.html ticket.json timeline.csv || return 1
	sha256sum -c --quiet MANIFEST.sha256 || return 1
	for file in $(find . -type f ! -name MANIFEST.sha256 | sed 's/^..//'); do
		grep -q "^[0-9a-f]\{64\}  $file\$" MANIFEST.sha256 || return 1
	done
	wants ticket.json '.schema == "gpudx/ticket/1" and (.sections | keys | length >= 13)
		and ([.sections.rma[].label] | index("row remapping failed") != null)
		and ([.sections.header[] | select(.human)] | length >= 3)
		and ([.sections.failure[] | select(.value | test("Xid.*119"))] | length > 0)
		and ([.sections.failure[].source] | all(test("^kern.log:[0-9]+$")))' || return 1
	for title in Header Failure 'Criteria for an RMA' 'Cure ladder' Attachments Timeline Redaction; do
		grep -q "^## $title" TICKET.md || return 1
	done
}
check layout layout

# Secrets of all kinds in logs, paths, names of members, XML, JSON, addresses, UTF-16.
plant() {
	fresh
	mkdir -p planted/home/wendy planted/logs
	cp "$sample"/kern.log "$sample"/nvidia-smi.txt "$sample"/nvidia-smi-L.txt "$sample"/proc-version.txt planted/
	sed 's/mica/planted-h1/' "$sample/uname.txt" >planted/uname.txt
	sed -i 's/ mica / planted-h1 /' planted/kern.log
	cat >>planted/kern.log <<'PLANTED'
Feb  6 11:00:01 planted-h1 sshd[91]: Accepted publickey for trudywho from 198.51.100.77 port 50022 ssh2
Feb  6 11:00:02 planted-h1 kernel: eth0: link up 0c:42:a1:77:88:99
Feb  6 11:00:03 planted-h1 app[92]: token=hf_QwErTyUiOpAsDfGhJkLz password: correct-horse-7
Feb  6 11:00:04 planted-h1 app[92]: mail carol.smith@planted.example.com about planted-h1
PLANTED
	cat >planted/home/wendy/job.log <<'PLANTED'
loading /lustre/orion77/ckpt/7.pt as wendy
GET https://bob:hunter2222@repo.planted.example/x?sig=pLaNtEdSig99 HTTP/1.1
INFO prompt: 'what is the plan for orion77'
PLANTED
	printf '{"subscriptionId": "7a7b7c7d-1111-4222-8333-7a7b7c7d7e7f", "api_key": "k-77-orange", "host": "planted-h2"}\n' >planted/vm.json
	printf '<env><password>open-sesame-9</password><uuid>4c4c4544-0077-3010-8052-b4c04f4e3332</uuid></env>\n' >planted/env.xml
	printf 'Static hostname: planted-h3\r\nMachine ID: 77aabbccddeeff00112233445566778a\r\n' | iconv -t UTF-16 >planted/hostnamectl.txt
	cp planted/vm.json planted/logs/planted-h1-trudywho.json
}
secrets='planted-h1 planted-h2 planted-h3 trudywho wendy 198.51.100.77 0c:42:a1:77:88:99 hf_QwErTyUiOpAsDfGhJkLz correct-horse-7
	carol.smith orion77 hunter2222 pLaNtEdSig99 7a7b7c7d-1111 k-77-orange open-sesame-9 4c4c4544-0077 77aabbccddeeff00112233445566778a'

none_left() {
	find x >names
	for secret in $secrets; do
		if grep -rlF -e "$secret" x names; then
			echo "left: $secret"
			return 1
		fi
	done
}

copy_is_clean() {
	plant
	ends 0 "$gpudx" ticket --include bundle planted || return 1
	unpack && none_left || return 1
	ls x/bundle/kern.log x/bundle/home/user-*/job.log >/dev/null || return 1
	grep -qF planted-h1 planted.gpudx-ticket.tar.gz.map || return 1
	# What must not change has not.
	grep -o 'NVRM: .*' planted/kern.log >a
	grep -o 'NVRM: .*' x/bundle/kern.log | diff a - && cmp planted/proc-version.txt x/bundle/proc-version.txt
}
check copy-is-clean copy_is_clean

copy_says_the_same() {
	plant
	ends 0 "$gpudx" analyze -o a.json --format json planted && ends 0 "$gpudx" ticket --include bundle planted || return 1
	unpack && ends 0 "$gpudx" analyze -o b.json --format json x/bundle || return 1
	found a.json >a && found b.json >b && diff a b
}
check copy-says-the-same copy_says_the_same

excerpt_has_the_same_roots() {
	plant
	ends 0 "$gpudx" analyze -o a.json --format json planted && ends 0 "$gpudx" ticket planted || return 1
	unpack && none_left || return 1
	ends 0 "$gpudx" analyze -o b.json --format json planted.gpudx-ticket.tar.gz || return 1
	jq -c '.verdict.finding' a.json >a && jq -c '.verdict.finding' b.json >b && diff a b || return 1
	jq -c '[.findings[].id] | unique' a.json >a && jq -c '[.findings[].id] | unique' b.json >b || return 1
	new=$(jq -n -c --slurpfile a a --slurpfile b b '$b[0] - $a[0]')
	[ "$new" = '[]' ] || { echo "new: $new"; return 1; }
}
check excerpt-has-the-same-roots excerpt_has_the_same_roots

original() {
	plant
	tar czf planted.tgz planted
	ends 0 "$gpudx" ticket --include original planted.tgz || return 1
	unpack planted.gpudx-ticket.tar.gz && cmp planted.tgz x/sealed/* && grep -q 'was not searched' x/REDACTION.md || return 1
	rm -r x/sealed && none_left || return 1
	ends 2 "$gpudx" ticket -f --include original planted && complains 'only a file' || return 1
	ends 0 "$gpudx" analyze planted.tgz && ends 2 "$gpudx" ticket -f --include bundle planted.gpudx.db && complains 'needs the bundle'
}
check original-is-sealed original

dry_run() {
	plant
	ends 0 "$gpudx" ticket --dry-run planted && holds planted && prints '| host |' && prints '| user |' || return 1
	for secret in $secrets; do
		if grep -F -e "$secret" "$tmp/out"; then
			return 1
		fi
	done
}
check dry-run-writes-nothing dry_run

# Also what only the excerpts hold: nothing is said of this address, but it stands beside a fault.
dry_run_is_complete() {
	plant
	sed -i '/NVRM: Xid/i Feb  6 10:59:59 planted-h1 dhclient[12]: bound to 203.0.113.99 -- renewal in 300 seconds.' planted/kern.log
	ends 0 "$gpudx" ticket --dry-run --map key planted && grep '^| [a-z]' "$tmp/out" >a || return 1
	ends 0 "$gpudx" ticket --map key planted && unpack && grep '^| [a-z]' x/REDACTION.md | diff a - && ! grep -rF 203.0.113.99 x && grep -q 203.0.113.99 key
}
check dry-run-is-complete dry_run_is_complete

same_twice() {
	fresh
	ends 0 "$gpudx" ticket -o a.tgz --map map "$sample" && ends 0 "$gpudx" ticket -o b.tgz --map map "$sample" && cmp a.tgz b.tgz || return 1
	ends 0 "$gpudx" analyze "$sample" && ends 0 "$gpudx" ticket -o c.tgz --map map xid-after-update.gpudx.db || return 1
	# The same but for the excerpts, of which a database has less, and says so.
	unpack a.tgz && mv x a && unpack c.tgz && rm -r a/evidence x/evidence || return 1
	grep -q 'made from a database' x/REDACTION.md x/TICKET.md && ! grep -q 'made from a database' a/REDACTION.md || return 1
	diff -r -x TICKET.md -x ticket.json -x REDACTION.md -x MANIFEST.sha256 a x && jq .sections a/ticket.json >a.json && jq .sections x/ticket.json | diff a.json -
}
check same-twice-and-from-the-database same_twice

gpus() {
	fresh
	ends 0 "$gpudx" ticket -o a.tgz "$sample" && ends 0 "$gpudx" ticket -o b.tgz --redact=gpu "$sample" || return 1
	unpack a.tgz && grep -rq 51f0a9c3-7be2 x && unpack b.tgz && ! grep -r 51f0a9c3-7be2 x
}
check gpus-are-kept-unless-asked gpus

# What the analysis may read, the ticket reads again.
limited() {
	plant
	ends 0 "$gpudx" ticket --limit members=3 planted && unpack || return 1
	[ "$(grep -c '^# input [0-9a-f]*  [a-z]' x/MANIFEST.sha256)" -le 4 ] && grep -q 'members' x/TICKET.md || return 1
	ends 2 "$gpudx" ticket -f --limit nonsense=3 planted && complains nonsense
}
check limits-hold-for-both-readings limited

refused() {
	fresh
	echo text >taken
	ends 2 "$gpudx" ticket -o taken "$sample" && [ "$(cat taken)" = text ] || return 1
	ends 2 "$gpudx" ticket --include all "$sample" && ends 2 "$gpudx" ticket && ends 2 "$gpudx" ticket /nonexistent && holds taken
}
check refused refused
