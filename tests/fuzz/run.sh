#!/bin/sh
# Runs fuzz targets one after the other, each for SECONDS from seeds made of the goldens and samples.
#   SEED=1      the same tries every time
#   T=pattern   only targets whose name has it (parser/lspci, lines, ...)
# Corpora and findings stay in $B/fuzz/NAME. The last lines say how fast each was; exit status 1 when
# anything was found.
set -u

B=${B:-build/fuzz}
T=${T:-}
SECONDS_EACH=${SECONDS_EACH:-60}
bad=0
summary=$B/fuzz/summary
mkdir -p "$B/fuzz"
: >"$summary"

# Words of the goldens and of our own sources, as a dictionary: literals are what scanners look for.
dictionary() {
	{
		grep -ohE '"[^"\\]{2,40}"' "$@" | sed 's/^"//; s/"$//'
		[ -z "${words:-}" ] || tr -cs 'A-Za-z0-9_.:/-' '\n' <"$words" | grep -E '^.{3,24}$'
	} 2>/dev/null | LC_ALL=C grep -E '^[ -~]+$' | sort -u | head -n 3000 | sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/"&"/'
}

# The texts of a parser's goldens; the command that printed one stands in its first line.
golden_seeds() {
	for in in tests/golden/"$1"/*.in; do
		[ -e "$in" ] || continue
		{
			[ ! -e "${in%.in}.cmd" ] || printf '$ %s\n' "$(head -n 1 "${in%.in}.cmd")"
			head -c 60000 "$in"
		} >"$2/$(basename "$in" .in)"
	done
}

# All texts there are, small enough to be tried often.
text_seeds() {
	for f in tests/golden/*/*.in samples/*/*; do
		[ -f "$f" ] && head -c 16000 "$f" >"$1/$(echo "$f" | tr / _)"
	done
}

# The same as archives of every kind that is read; $2 is put in front ("X" where a target's first
# byte means something).
archive_seeds() {
	made=$(mktemp -d)
	mkdir "$made/in"
	head -c 2000 samples/healthy/dmesg.txt >"$made/in/dmesg.txt"
	head -c 900 samples/healthy/trace.csv >"$made/in/trace.csv"
	ln -s dmesg.txt "$made/in/link"
	(
		cd "$made" || exit
		tar cf a.tar in && gzip -9k a.tar && xz -k a.tar && bzip2 -k a.tar && zstd -q a.tar && lz4 -q a.tar a.tar.lz4
		zip -qr a.zip in && 7z a -bd a.7z in >/dev/null
		find in -type f | cpio -o -H newc --quiet >a.cpio && ar rc a.ar in/dmesg.txt
		tar czf nested.tgz a.zip a.7z a.tar.gz && gzip -c in/dmesg.txt >m.gz && gzip -c in/trace.csv >>m.gz
		: | gzip >>m.gz
		head -c 300 m.gz >cut.gz
		{ cat m.gz; echo garbage; cat m.gz; } >gap.gz
	) >/dev/null 2>&1
	for f in "$made"/*.*; do
		{ printf '%s' "$2"; cat "$f"; } >"$1/$(basename "$f")"
	done
	rm -rf "$made"
}

seeds() {
	case $1 in
	parser/*) golden_seeds "${1#parser/}" "$2" ;;
	redact)
		text_seeds "$2"
		# One secret of each kind, as the detectors have them for an example.
		cut -f 3- rules/redact/detectors.tsv | tr '\t' '\n' >"$2/examples"
		;;
	gzip) archive_seeds "$2" X ;;
	walk) archive_seeds "$2" '' ;;
	rule) for f in rules/*/*.sql; do cp "$f" "$2/$(echo "$f" | tr / _)"; done ;;
	foreign) printf 'AB\001\004abcd' >"$2/change"; printf 'A\377\377\000' >"$2/cut" ;;
	lines)
		text_seeds "$2"
		printf 'X\377\376a\000b\000\r\000\n\000' >"$2/utf16"
		printf 'Xa\rb\033[1mc\033[0m\b\000\000\000d\r\ne' >"$2/special"
		;;
	case)
		for f in samples/*/*; do
			[ ! -f "$f" ] || [ "$(wc -c <"$f")" -gt 8000 ] || cp "$f" "$2/$(echo "$f" | tr / _)"
		done
		;;
	*) text_seeds "$2" ;;
	esac
}

# options NAME: what fits its inputs.
options() {
	case $1 in
	parser/*) echo "-max_len=8192 -dict=$2" ;;
	foreign) echo "-max_len=256" ;;
	rule) echo "-max_len=4096 -dict=$2" ;;
	gzip | walk) echo "-max_len=16384" ;;
	*) echo "-max_len=16384 -dict=$2" ;;
	esac
}

run() {
	name=$1 program=$2
	case $name in *"$T"*) ;; *) return 0 ;; esac
	dir=$B/fuzz/$name
	mkdir -p "$dir/corpus" "$dir/seeds" "$dir/found"
	seeds "$name" "$dir/seeds"
	words=
	case $name in
	parser/*)
		cat tests/golden/"${name#parser/}"/*.in >"$dir/words" 2>/dev/null && words=$dir/words
		# shellcheck disable=SC2046 # no blanks in these paths
		dictionary $(grep -l "name = \"${name#parser/}\"" src/parse/*.c) >"$dir/dict"
		;;
	redact) dictionary rules/redact/*.tsv src/redact/*.c >"$dir/dict" ;;
	rule) dictionary src/rules/*.c >"$dir/dict" ;;
	*) dictionary src/ingest/segment.c src/parse/*.c >"$dir/dict" ;;
	esac
	# A seed that crashes is a finding as well; leaks are looked for at the end only: it is faster.
	# shellcheck disable=SC2046 # options are words
	GPUDX_FUZZ_PARSER=${name#parser/} "$program" -max_total_time="$SECONDS_EACH" ${SEED:+-seed="$SEED"} -print_final_stats=1 \
		-timeout="${TIMEOUT:-60}" -rss_limit_mb=1500 -artifact_prefix="$dir/found/" $(options "$name" "$dir/dict") \
		"$dir/corpus" "$dir/seeds" >"$dir/log" 2>&1
	status=$?
	speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$dir/log")
	units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/log")
	if [ $status -eq 0 ]; then
		echo "ok $name: ${speed:-?} executions/s, ${units:-?} in all"
	else
		echo "not ok $name: exit $status, see $dir/log and $dir/found"
		grep -nE 'ERROR|SUMMARY|does not hold|runtime error|^    #[0-9] .*(src|tests)/' "$dir/log" | head -n 14 | sed 's/^/     /'
		bad=1
	fi | tee -a "$summary"
	[ $status -eq 0 ] || bad=1
}

for p in "$B"/fuzz_*; do
	[ -x "$p" ] || continue
	name=$(basename "$p" | sed 's/^fuzz_//')
	case $name in
	*.*) ;;
	parser)
		# shellcheck disable=SC2013 # names of parsers are words
		for g in $(sed -n 's/^\t\.name = "\(.*\)",$/\1/p' src/parse/*.c); do
			run "parser/$g" "$p"
		done
		;;
	*) run "$name" "$p" ;;
	esac
done
grep -q . "$summary" || { echo "run.sh: no target is called $T" >&2; exit 2; }
exit $bad
