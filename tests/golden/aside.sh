#!/bin/sh
# A one-line message between the rows of another output is read, and the rows behind it as well.
set -u
B=${B:-build}
if ! command -v sqlite3 >/dev/null 2>&1; then
	echo "no sqlite3"
	exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/trace.csv" <<'END'
timestamp, index, temperature.gpu, power.draw [W]
2026/07/03 22:11:15.977, 0, 63, 631.40 W
2026/07/03 22:11:16.977, 0, 64, 632.40 W
Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot the system to recover this GPU
2026/07/03 22:11:18.977, 0, 65, 633.40 W
Failed to initialize NVML: Driver/library version mismatch
NVML library version: 580.126
2026/07/03 22:11:20.977, 0, 66, 634.40 W
END
"$B/gpudx" ingest "$dir/trace.csv" "$dir/out.db" >/dev/null || exit 1
got=$(sqlite3 "$dir/out.db" "
 SELECT count(*) || ' samples of ' || count(DISTINCT ref_id) FROM gpu_sample;
 SELECT kind || ' ' || (line_id % 4294967296) FROM event ORDER BY id;
 SELECT parser || ' ' || taken || ' ' || rejected FROM source ORDER BY id")
want='4 samples of 1
smi.handle_error 4
smi.nvml_mismatch 6
smi-query-csv 5 0
smi-message 3 0'
[ "$got" = "$want" ] || {
	echo "wanted:"
	echo "$want"
	echo "got:"
	echo "$got"
	exit 1
}
