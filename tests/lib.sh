# What the test scripts share; to be sourced from the top of the tree. A script prints "ok NAME",
# "not ok NAME" or "skip NAME" lines (tests/run.sh counts them).
#
# $top is the tree, $gpudx the program, $shared the folder of shared reference files (it may be
# missing), $tmp a directory that is gone at the end. $suite begins the names of tests. Charts are
# left out unless a test asks for them: gnuplot takes longer than all the rest.
# shellcheck shell=sh disable=SC2034,SC2154 # between it and those who source it

top=$PWD
B=${B:-build}
case $B in
/*) build=$B ;;
*) build=$top/$B ;;
esac
gpudx=$build/gpudx
shared=${GPUDX_SHARED:-$top/../shared}
[ ! -d "$shared" ] || shared=$(cd "$shared" && pwd)
tmp=$(mktemp -d)
trap 'chmod -R u+rwx "$tmp" 2>/dev/null; rm -rf "$tmp"' EXIT
status=0
GPUDX_GNUPLOT=/nonexistent
export GPUDX_GNUPLOT

# check NAME COMMAND...: one test; what it printed is shown when it fails, 77 skips it.
check() {
	test=$suite/$1
	shift
	"$@" >"$tmp/log" 2>&1
	case $? in
	0) echo "ok $test" ;;
	77) echo "skip $test: $(tail -n 1 "$tmp/log")" ;;
	*)
		echo "not ok $test"
		sed 's/^/  /' "$tmp/log" | head -n 40
		;;
	esac
	cd "$top" || exit 1
}

# skip_all WHY: ends the script.
skip_all() {
	echo "skip $suite: $1"
	exit 0
}

# have TOOL...: 77 with a reason when one is missing.
have() {
	for tool in "$@"; do
		command -v "$tool" >/dev/null 2>&1 || {
			echo "no $tool"
			return 77
		}
	done
}

# fresh: an empty directory to work in.
fresh() {
	chmod -R u+rwx "$tmp/work" 2>/dev/null
	rm -rf "$tmp/work"
	mkdir "$tmp/work"
	cd "$tmp/work" || exit 1
}

# run COMMAND...: leaves $tmp/out, $tmp/err and $status.
run() {
	"$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# ends STATUS COMMAND...: runs it and fails, showing what it said, unless it ends so.
ends() {
	should=$1
	shift
	run "$@"
	[ "$status" -eq "$should" ] && return 0
	echo "exit $status instead of $should: $*"
	head -n 20 "$tmp/err"
	return 1
}

# prints WORDS, complains WORDS: they are in the output (on stderr) of the last command; silent: it
# said nothing on stderr.
prints() {
	grep -qF -e "$1" "$tmp/out" && return 0
	echo "stdout lacks: $1"
	head -n 20 "$tmp/out"
	return 1
}

complains() {
	grep -qF -e "$1" "$tmp/err" && return 0
	echo "stderr lacks: $1"
	head -n 20 "$tmp/err"
	return 1
}

silent() {
	[ ! -s "$tmp/err" ] && return 0
	echo "stderr should be empty:"
	head -n 20 "$tmp/err"
	return 1
}

# holds NAME...: the directory at hand holds exactly these.
holds() {
	ls -A >"$tmp/is"
	printf '%s\n' "$@" | sed '/^$/d' | LC_ALL=C sort >"$tmp/ought"
	LC_ALL=C sort "$tmp/is" | diff "$tmp/ought" -
}

# wants FILE JQ-EXPRESSION: which is true of this JSON.
wants() {
	jq -e "$2" "$1" >/dev/null && return 0
	echo "not so: $2"
	return 1
}

# smi_q_of N: nvidia-smi -q of a machine with one H100, whose UUID begins with the digit N.
smi_q_of() {
	cat <<-END
		==============NVSMI LOG==============

		Timestamp                                 : Tue May 12 09:00:00 2026
		Driver Version                            : 580.95.05
		CUDA Version                              : 13.0

		Attached GPUs                             : 1
		GPU 00000000:3B:00.0
		    Product Name                          : NVIDIA H100 80GB HBM3
		    GPU UUID                              : GPU-${1}1111111-2222-3333-4444-555555555555
		    Minor Number                          : 0
	END
}

# smi_table TITLE: the table of nvidia-smi, one idle H100; TITLE is its line of versions, 85 columns.
smi_table() {
	cat <<-END
		Tue May 12 09:00:00 2026
		+-----------------------------------------------------------------------------------------+
		| $1     |
		|-----------------------------------------+------------------------+----------------------+
		| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
		| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
		|                                         |                        |               MIG M. |
		|=========================================+========================+======================|
		|   0  NVIDIA H100 80GB HBM3          On  |   00000000:3B:00.0 Off |                    0 |
		| N/A   33C    P0             70W /  700W |       0MiB /  81559MiB |      0%      Default |
		|                                         |                        |             Disabled |
		+-----------------------------------------+------------------------+----------------------+
	END
}
