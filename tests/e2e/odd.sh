#!/bin/sh
# Inputs that are damaged, empty, of another kind, or not to be had: one clear line each, the right
# exit status, and nothing half-written.
set -u
. tests/lib.sh
suite=odd

xid=$top/samples/xid-after-update/kern.log

analyze() {
	"$gpudx" analyze "$@"
}

# nothing WORDS INPUT: status 3, one line that names the input and says what it is, no file.
nothing() {
	before=$(ls -A)
	ends 3 analyze "$2" && complains "$2" && complains "$1" && [ ! -s "$tmp/out" ] &&
		[ "$(wc -l <"$tmp/err")" -eq 1 ] && [ "$(ls -A)" = "$before" ]
}

cut_gz() {
	fresh
	for i in 1 2 3 4 5 6 7 8; do # enough for the cut to be far behind the first Xid
		cat "$xid"
	done | gzip >whole.log.gz
	head -c $(($(wc -c <whole.log.gz) * 9 / 10)) whole.log.gz >cut.log.gz
	ends 0 analyze --format json -o - cut.log.gz && wants "$tmp/out" \
		'any(.findings[]; .id == "xid.gsp")' || return 1
	ends 0 "$gpudx" sources cut.log.gz && prints 'gzip: cut short'
}
check cut-gzip-gives-what-was-there cut_gz

damaged_gz() {
	fresh
	gzip <"$xid" >x.log.gz
	printf 'XXXXXXXXXXXXXXXX' | dd of=x.log.gz bs=1 seek=600 conv=notrunc 2>"$tmp/dd"
	run analyze --format json -o - x.log.gz
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || return 1
	head -c 20 x.log.gz >header-only.gz
	nothing 'nothing readable' header-only.gz
}
check damaged-gzip damaged_gz

empty_file() {
	fresh
	: >empty.log
	nothing empty empty.log && mkdir d && cp empty.log d && nothing empty d && mkdir none &&
		nothing 'no files in it' none
}
check empty-file empty_file

picture() {
	fresh
	printf '\211PNG\r\n\032\n\0\0\0\015IHDR\0\0\0\001' >screen.png
	nothing 'PNG picture' screen.png
}
check picture picture

unknown_files() {
	fresh
	mkdir d
	echo 'Dear all, the cluster is slow again. Regards' >d/mail.txt
	python3 -c 'import sys; sys.stdout.buffer.write(bytes(range(32)) * 100)' >d/blob
	printf '\177ELF\002\001\001' >d/core
	before=$(ls -A)
	ends 3 analyze d && complains 'd: nothing readable in 3 files' && complains 'mail.txt: no known format' &&
		complains 'blob: binary data' && complains 'core: ELF binary' && [ "$(ls -A)" = "$before" ]
}
check only-unknown-files unknown_files

# One plain reason each, with what would make it readable; none of them is damage.
opaque() {
	fresh
	mkdir d
	cp "$xid" d
	printf 'LPKSHHRH\0\0\0\0' >d/system.journal
	python3 - <<-'END'
		import gzip, struct
		record = struct.pack("<hi32s4s32s256s", 7, 4711, b"pts/0", b"ts/0", b"root", b"192.0.2.1")
		open("d/wtmp", "wb").write(record.ljust(384, b"\0") * 20)
		open("d/trace.nsys-rep", "wb").write(bytes(range(256)) * 40)
		open("d/state.bin", "wb").write(b"\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94.")
		open("d/core.gz", "wb").write(gzip.compress(b"\x7fELF\2\1\1" + bytes(9) + b"\4\0" + bytes(900)))
	END
	ends 0 "$gpudx" sources d && prints 'system.journal: not read: binary systemd journal; journalctl --file FILE' &&
		prints 'wtmp: not read: binary data, login records by its name; last -xF -f FILE' &&
		prints 'trace.nsys-rep: not read: binary data, an Nsight Systems report by its name; nsys stats FILE' &&
		prints 'state.bin: not read: Python pickle' && prints 'core.gz: not read: core dump' &&
		ends 0 analyze --format json -o - d && wants "$tmp/out" 'all(.findings[]; .id != "bundle.truncated")'
}
check opaque-files-have-one-reason-each opaque

many_unknown() {
	fresh
	mkdir d
	i=0
	while [ $i -lt 300 ]; do
		echo "nothing to see" >d/f$i
		i=$((i + 1))
	done
	ends 3 analyze d && [ "$(wc -l <"$tmp/err")" -lt 40 ] && complains '300'
}
check many-unknown-files-are-not-all-named many_unknown

missing() {
	fresh
	ends 2 analyze no/such.tar.gz && complains 'no/such.tar.gz: No such file or directory' && holds '' &&
		ends 2 "$gpudx" sources no/such.tar.gz && complains 'No such file'
	: >file
	ends 2 analyze file/below && complains 'file/below'
}
check missing-path missing

fifo() {
	fresh
	mkfifo pipe
	ends 3 timeout 10 "$gpudx" analyze pipe && complains 'pipe: is a named pipe that nobody writes to' &&
		holds pipe || return 1
	mkdir d
	cp "$xid" d
	mkfifo d/pipe
	ends 0 timeout 10 "$gpudx" analyze --format json -o - d && wants "$tmp/out" \
		'any(.sources[]; .path == "pipe" and .parser == null)'
}
check fifo fifo

device() {
	fresh
	ends 3 timeout 10 "$gpudx" analyze /dev/zero && complains "/dev/zero: is a device" && holds ''
}
check device device

links() {
	fresh
	mkdir real d
	cp "$xid" real
	ln -s real way
	ends 0 analyze --format json -o - way || return 1
	ln -s /etc d/etc
	ln -s nowhere d/dangling
	ln -s "$xid" d/kern.log
	ends 3 analyze d && complains 'symbolic link'
}
check links-inside-are-not-followed links

# Whoever may read everything cannot see what happens without permission.
as_nobody() {
	if [ "$(id -u)" -ne 0 ]; then
		"$@"
	elif setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		echo "no setpriv"
		return 77
	fi
}

unreadable_in() {
	cd "$1" || return 1
	mkdir closed open
	cp "$xid" closed
	cp "$xid" open
	cp "$xid" open/secret.log
	cp "$gpudx" program
	chmod 755 . open program
	chmod 644 open/kern.log
	chmod 000 closed open/secret.log
	mkdir results && chmod 777 results && cd results || return 1
	as_nobody ../program rules list >/dev/null || return 77
	ends 3 as_nobody ../program analyze ../closed && complains '../closed: Permission denied' && holds '' &&
		ends 3 as_nobody ../program analyze ../open/secret.log && complains 'Permission denied' && holds '' &&
		ends 0 as_nobody ../program analyze --format json -o - ../open && wants "$tmp/out" \
		'any(.sources[]; .path == "secret.log" and .parser == null)' && wants "$tmp/out" \
		'any(.findings[]; .id == "xid.gsp")' || return 1
	chmod 555 .
	ends 5 as_nobody ../program analyze ../open && complains 'Permission denied' && holds ''
}
# The directories above $tmp may be closed to others.
unreadable() {
	place=$(TMPDIR=/tmp mktemp -d)
	unreadable_in "$place"
	result=$?
	cd "$top" && chmod -R u+rwx "$place" && rm -rf "$place"
	return $result
}
check unreadable-directory unreadable

one_file_for_both() {
	fresh
	ends 2 analyze --db x.db -o x.db "$xid" && complains 'the same file' && holds ''
}
check report-and-database-in-one-file one_file_for_both

empty_tar() {
	fresh
	tar -cf empty.tar -T /dev/null
	nothing 'nothing readable' empty.tar && gzip <empty.tar >empty.tar.gz &&
		nothing 'nothing readable' empty.tar.gz
}
check empty-tar empty_tar

dir_tar() {
	fresh
	mkdir -p d/e
	tar -cf dirs.tar d
	nothing 'nothing readable' dirs.tar
}
check tar-of-directories-only dir_tar

cut_tar() {
	fresh
	cp "$xid" .
	tar -cf whole.tar kern.log
	head -c 11000 whole.tar >cut.tar
	ends 0 analyze --format json -o - cut.tar && wants "$tmp/out" 'any(.findings[]; .id == "xid.gsp")' &&
		ends 0 "$gpudx" sources cut.tar && prints 'runcated'
}
check cut-tar cut_tar

password() {
	have zip || return 77
	fresh
	cp "$xid" .
	zip -qP secret locked.zip kern.log
	ends 3 analyze locked.zip && complains 'locked.zip' && complains 'encrypted' &&
		holds kern.log locked.zip
}
check zip-with-password password

password_7z() {
	have 7z || return 77
	fresh
	cp "$xid" .
	7z a -psecret -mhe=on locked.7z kern.log >/dev/null
	ends 3 analyze locked.7z && complains 'locked.7z' && complains 'encrypted' && holds kern.log locked.7z
}
check 7z-with-password password_7z

own_output() {
	fresh
	cp -R "$top/samples/power-cap" b
	cd b || return 1
	for format in html json text; do
		ends 0 analyze --format $format . && silent || return 1
	done
	ends 0 analyze --format json -o - . && cp "$tmp/out" ../first.json && ends 0 analyze . &&
		ends 0 analyze --format json -o - . && cmp ../first.json "$tmp/out" &&
		wants "$tmp/out" '[.sources[] | select(.path | test("gpudx"))] | length == 4 and all(.parser == null)' &&
		wants "$tmp/out" '[.sources[].path | select(test("gpudx-part"))] == []' || return 1
	ends 0 "$gpudx" sources . && prints 'b.gpudx.html: not read: gpudx output, not evidence' &&
		prints 'b.gpudx.db: not read: gpudx output, not evidence' || return 1
	cd .. && tar -cf b.tar b && ends 0 "$gpudx" sources b.tar &&
		prints 'b/b.gpudx.json: not read: gpudx output, not evidence' &&
		prints 'b/b.gpudx.txt: not read: gpudx output, not evidence'
}
check earlier-outputs-are-no-evidence own_output

own_digest() {
	fresh
	cp -R "$top/samples/power-cap" b
	ends 0 analyze --format json -o - b && cp "$tmp/out" before.json && (cd b && analyze . >/dev/null) &&
		ends 0 analyze --format json -o - b || return 1
	[ "$(jq -c '.bundles[].digest' before.json)" = "$(jq -c '.bundles[].digest' "$tmp/out")" ] &&
		[ "$(jq -c '[.findings[].id]' before.json)" = "$(jq -c '[.findings[].id]' "$tmp/out")" ]
}
check a-report-inside-leaves-the-bundle-the-same own_digest

own_alone() {
	fresh
	analyze "$top/samples/power-cap" >/dev/null
	ends 3 analyze power-cap.gpudx.db && complains 'gpudx output, not evidence' &&
		ends 3 analyze power-cap.gpudx.html && complains 'gpudx output, not evidence'
}
check a-report-is-no-bundle own_alone

# Thousands of parts that state the same thing, in turns of five values: no rule gives up over them.
many_statements() {
	fresh
	i=0
	while [ $i -lt 6000 ]; do
		printf 'root@n7:~# uname -a\nLinux gpu7 5.15.0-%d-generic #115-Ubuntu SMP Mon Apr 15 09:52:04 UTC 2024 x86_64 x86_64 x86_64 GNU/Linux\n' $((i % 5))
		i=$((i + 1))
	done >t.txt
	ends 0 "$gpudx" analyze --format json -o r.json t.txt && wants r.json 'any(.findings[]; .id == "bundle.sources-disagree")'
}
check many-parts-that-disagree many_statements
