#!/bin/sh
# Real files: no alarm on healthy ones, the right conclusions from bug reports, and no line of a
# known format lost.
set -u
. tests/lib.sh
suite=corpus
corpus=$shared/corpus
[ -d "$corpus" ] || skip_all "no $corpus"
command -v python3 >/dev/null || skip_all 'no python3'
tab=$(printf '\t')

# Two at a time; each writes one line for its file: STATUS TAB FILE [TAB RULE SEVERITY...].
one=$tmp/one.sh
cat >"$one" <<'END'
#!/bin/sh
# one.sh MODE FILE: status, file, then findings above info (quiet) or broken lines (broken).
case $1 in
quiet)
	"$gpudx" analyze --format json -o - "$corpus/$2" >"$tmp/$$.out" 2>/dev/null
	status=$?
	what=$(jq -r '[.findings[] | select(.severity != "info") | .id + " " + .severity] | join(", ")' "$tmp/$$.out")
	;;
broken)
	rm -f "$tmp/$$.db"
	"$gpudx" ingest "$corpus/$2" "$tmp/$$.db" >/dev/null 2>&1
	status=$?
	what=$(sqlite3 "$tmp/$$.db" 'SELECT coalesce(sum(rejected), 0) FROM source')
	;;
esac
printf '%s\t%s\t%s\n' "$status" "$2" "$what"
rm -f "$tmp/$$.out" "$tmp/$$.db"
END
export corpus gpudx tmp

# ---- healthy files ----

grep -v '^#' tests/corpus/healthy.txt >"$tmp/healthy"
xargs -P 2 -n 1 -d '\n' sh "$one" quiet <"$tmp/healthy" | LC_ALL=C sort -k 2 >"$tmp/quiet"
check healthy-files-are-all-there test "$(wc -l <"$tmp/quiet")" -eq "$(wc -l <"$tmp/healthy")"
unread=0
while IFS="$tab" read -r status file alarms; do
	case $status:$alarms in
	0:) echo "ok corpus/quiet $file" ;;
	3:) unread=$((unread + 1)) ;;
	*) echo "not ok corpus/quiet $file: exit $status: $alarms" ;;
	esac
done <"$tmp/quiet"
[ $unread -eq 0 ] || echo "skip corpus/quiet: $unread of the healthy files are of formats that nobody reads"

# ---- conclusions ----

cat tests/corpus/expect-*.tsv | grep -v '^#' >"$tmp/expected"
cut -f 1 "$tmp/expected" | LC_ALL=C sort -u >"$tmp/concluded"
while read -r file; do
	name=$(basename "$file")
	"$gpudx" analyze --format json -o - "$corpus/$file" >"$tmp/report" 2>"$tmp/err"
	awk -F '\t' -v file="$file" '$1 == file { print $2 }' "$tmp/expected" |
		python3 tests/e2e/expect.py "$suite/$name" "$tmp/report"
	check "$name-keeps-the-schema" python3 tests/report/check_json.py docs/report.schema.json "$tmp/report"
done <"$tmp/concluded"

# ---- nothing lost ----

# Folders and names of the formats that are read line by line.
(cd "$corpus" && find bugreport kernlog lspci modinfo smi-csv smi-table smi-q smi-dmon-pmon smi-capture \
	smi-L-topo-nvlink proc env oom nccl -type f) | LC_ALL=C sort >"$tmp/files"
xargs -P 2 -n 1 -d '\n' sh "$one" broken <"$tmp/files" | LC_ALL=C sort -k 2 >"$tmp/broken"
while IFS="$tab" read -r status file broken; do
	allowed=$(awk -F '\t' -v file="$file" '$1 == file { print $2 }' tests/corpus/rejects.tsv)
	if [ "$status" -eq 0 ] && [ "$broken" -eq "${allowed:-0}" ]; then
		echo "ok corpus/loses-nothing $file"
	else
		echo "not ok corpus/loses-nothing $file: exit $status, $broken broken lines, not ${allowed:-0}"
	fi
done <"$tmp/broken"
check every-file-was-read test "$(wc -l <"$tmp/broken")" -eq "$(wc -l <"$tmp/files")"
