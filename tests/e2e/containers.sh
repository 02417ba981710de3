#!/bin/sh
# The same sample in every container: the same findings, with the same lines as evidence.
set -u
. tests/lib.sh
suite=containers

sample=power-cap
fresh
cp -R "$top/samples/$sample" node
work=$tmp/work

# What of a report does not depend on how the bundle came: paths are cut to their last part, and lines
# of several files are in the order of their names, not of the files in the container.
essence() {
	jq -S 'def base: split("/") | last; {
		verdict,
		gpus,
		findings: [.findings[] | 
			.evidence |= (map(.source |= base) | sort_by(.source, .line)) |
			.against |= (map(.source |= base) | sort_by(.source, .line))],
		checks,
		preflight: [.preflight[] | .evidence |= (map(.source |= base) | sort_by(.source, .line))],
		sources: [.sources[] | .path |= base] | sort_by(.path)
	} | del(.. | .offset?, .verbatim?)'
}

"$gpudx" analyze --format json -o - "$work/node" | essence >"$tmp/want"
check directory test "$(jq ".findings | length" "$tmp/want")" -gt 0

# same INPUT: leads to the same.
same() {
	ends 0 "$gpudx" analyze --format json -o - "$@" && silent && essence <"$tmp/out" >"$tmp/got" &&
		diff -u "$tmp/want" "$tmp/got" | head -n 30 >"$tmp/difference"
	cat "$tmp/difference"
	[ -s "$tmp/got" ] && [ ! -s "$tmp/difference" ]
}

# packed NAME TOOL COMMAND...: the command makes NAME in $work from node/.
packed() {
	cd "$work" || return 1
	name=$1
	have "$2" || return 77
	shift 2
	"$@" >"$tmp/tool" 2>&1 || {
		cat "$tmp/tool"
		return 1
	}
	same "$work/$name"
}

check tar packed a.tar tar tar -cf a.tar node
check tar-with-dots packed dots.tar tar tar -C node -cf dots.tar .
check tar-gnu packed gnu.tar tar tar --format=gnu -cf gnu.tar node
check tar-pax packed pax.tar tar tar --format=pax -cf pax.tar node
check tar-v7 packed v7.tar tar tar --format=v7 -cf v7.tar node
check tar-gz packed a.tar.gz gzip tar -czf a.tar.gz node
check tar-xz packed a.tar.xz xz tar -cJf a.tar.xz node
check tar-zst packed a.tar.zst zstd tar --zstd -cf a.tar.zst node
check tar-bz2 packed a.tar.bz2 bzip2 tar -cjf a.tar.bz2 node
check tar-lz4 packed a.tar.lz4 lz4 tar -I lz4 -cf a.tar.lz4 node
check zip packed a.zip zip zip -qr a.zip node
check zip-stored packed b.zip zip zip -q0r b.zip node
check 7z packed a.7z 7z 7z a a.7z node
check cpio-newc packed a.cpio cpio sh -c 'find node | cpio -o -H newc >a.cpio'
check cpio-odc packed b.cpio cpio sh -c 'find node | cpio -o -H odc >b.cpio'
check misnamed packed a.log tar tar -czf a.log node

# ---- inside each other, and in pieces ----

nested() {
	cd "$work" && tar -czf inner.tar.gz node && mkdir -p outer && mv inner.tar.gz outer && tar -cf outer.tar outer &&
		same "$work/outer.tar" && same "$work/outer" || return 1
	have zip || return 77
	zip -qr outer.zip outer.tar && same "$work/outer.zip"
}
check archive-in-archive nested

nested_7z() {
	have 7z || return 77
	cd "$work" && 7z a inner.7z node >/dev/null && tar -czf with7z.tar.gz inner.7z && same "$work/with7z.tar.gz"
}
check 7z-inside-a-tar nested_7z

gz_each() {
	cd "$work" && cp -R node gz && gzip gz/* && mkdir -p xzs && cp -R node xzs/node && xz xzs/node/* || return 1
	"$gpudx" analyze --format json -o - gz | essence | sed 's/\.gz\([":]\)/\1/g' | diff "$tmp/want" - &&
		"$gpudx" analyze --format json -o - xzs | essence | sed 's/\.xz\([":]\)/\1/g' | diff "$tmp/want" -
}
check each-file-packed gz_each

# The way bug reports are written: every piece a gzip member of its own, many of them empty.
gz_members() {
	cd "$work" && mkdir -p members && cp node/* members && : >members/trace.csv.gz || return 1
	split -l 7 members/trace.csv piece.
	for piece in piece.*; do
		gzip <"$piece" >>members/trace.csv.gz
		gzip </dev/null >>members/trace.csv.gz
	done
	rm members/trace.csv
	"$gpudx" analyze --format json -o - members | essence | sed 's/trace\.csv\.gz\([":]\)/trace.csv\1/g' | diff "$tmp/want" -
}
check gzip-of-many-members gz_members

stdin() {
	cd "$work" && tar -czf stdin.tar.gz node || return 1
	"$gpudx" analyze --format json -o - - <stdin.tar.gz | essence | diff "$tmp/want" - &&
		tar -cf - node | "$gpudx" analyze --format json -o - - | essence | diff "$tmp/want" - || return 1
	have zip 7z || return 77
	zip -qr stdin.zip node && "$gpudx" analyze --format json -o - - <stdin.zip | essence | diff "$tmp/want" - &&
		7z a stdin.7z node >/dev/null && "$gpudx" analyze --format json -o - - <stdin.7z | essence | diff "$tmp/want" - &&
		cat <stdin.zip | "$gpudx" analyze --format json -o - - | essence | diff "$tmp/want" - &&
		cat <stdin.7z | "$gpudx" analyze --format json -o - - | essence | diff "$tmp/want" -
}
check stdin stdin

# Each file alone is read as in the bundle.
alone() {
	for file in "$work"/node/*; do
		"$gpudx" analyze --format json -o - "$file" >"$tmp/alone" || return 1
		jq -c '.sources[] | [.path, .parser, .lines, .rejected]' "$tmp/alone" >>"$tmp/singles"
	done
	"$gpudx" analyze --format json -o - "$work/node" | jq -c '.sources[] | [.path, .parser, .lines, .rejected]' |
		LC_ALL=C sort >"$tmp/together"
	LC_ALL=C sort "$tmp/singles" | diff "$tmp/together" -
}
check single-files alone

crlf() {
	cd "$work" && mkdir -p crlf && for file in node/*; do
		sed 's/$/\r/' "$file" >"crlf/${file##*/}"
	done
	"$gpudx" analyze --format json -o - crlf | jq '[.findings[].id]' >"$tmp/got"
	jq '[.findings[].id]' "$tmp/want" | diff - "$tmp/got"
}
check lines-that-end-in-crlf crlf
