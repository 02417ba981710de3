#!/bin/sh
# What a person at a terminal sees of work that takes longer than a second.
set -u
. tests/lib.sh
suite=progress

terminal=$top/tests/e2e/terminal.py

# trace ROWS: so many seconds of one GPU.
trace() {
	awk -v n="$1" 'BEGIN {
		print "timestamp, index, clocks.current.sm [MHz], power.draw [W], utilization.gpu [%]"
		for (i = 0; i < n; i++)
			printf "2026/03/01 %02d:%02d:%02d.000, 0, 1410 MHz, 300.00 W, 98 %%\n",
				i / 3600 % 24, i / 60 % 60, i % 60
	}'
}
trace 80000 >"$tmp/trace.csv"

# One part of a line that is written over and over.
shows() {
	tr '\r' '\n' <"$tmp/out" | grep -qE -e "$1" && return 0
	echo "the terminal never showed: $1"
	tr '\r' '\n' <"$tmp/out" | cat -v | head -n 20
	return 1
}

says_how_far() {
	fresh
	ends 0 "$terminal" --pause 1.2 "$tmp/trace.csv" "$gpudx" analyze "$tmp/trace.csv" || return 1
	shows 'gpudx: (reading, .* of [0-9.]+ MB, [0-9.]+ .?B/s|working|judging|drawing)'
}
check work-above-a-second-says-how-far-it-is says_how_far

says_nothing_when_quick() {
	fresh
	ends 0 "$terminal" "$gpudx" sources "$top/samples/power-cap" || return 1
	! grep -q 'gpudx: reading' "$tmp/out"
}
check quick-work-says-nothing says_nothing_when_quick

# From a pipe nobody knows how much will come.
slow_pipe() {
	head -n 40000 "$tmp/trace.csv"
	sleep 1.4
	tail -n +40001 "$tmp/trace.csv"
}

pipe_has_no_end() {
	fresh
	mkfifo pipe
	{ slow_pipe >pipe & } 2>/dev/null
	run "$terminal" sh -c 'exec "$1" sources - <pipe' sh "$gpudx"
	wait
	[ "$status" -eq 0 ] && shows 'gpudx: reading, [0-9.]+ MB, [0-9.]+ MB/s' && ! shows 's left' >/dev/null
}
check a-pipe-has-bytes-and-rate-but-no-time-left pipe_has_no_end

no_terminal() {
	fresh
	mkfifo pipe
	{ slow_pipe >pipe & } 2>/dev/null
	run "$gpudx" sources - <pipe
	wait
	[ "$status" -eq 0 ] && silent && ! grep -q 'reading,' "$tmp/out"
}
check without-a-terminal-nothing-is-said no_terminal

# The last that is left on the line is blanks, then what the command has to say.
line_is_cleared() {
	fresh
	ends 0 "$terminal" --pause 1.2 "$tmp/trace.csv" "$gpudx" analyze "$tmp/trace.csv" || return 1
	shows '^.\[Ktrace\.csv: 1 file read'
}
check the-line-is-gone-before-the-verdict line_is_cleared
