# SPDX-License-Identifier: LGPL-2.1-or-later
# Parts of traces, several traces, and descriptions of traces.
. "$SRC/tests/traces/lib.sh"

# A trace can be written to a pipe and read from one.
timeout 100 "$TRACER" -f -o live --write-trace='|cat >piped' bash -c "$script" >out 2>&1 </dev/null
timeout 100 "$TRACER" -o read --read-trace=- <piped
is pipe "$? $(cmp live read 2>&1)" "0 "

# If a run is recorded without other output, nothing is printed, and the status is that of the command.
timeout 100 "$TRACER" -f --write-trace=trace sh -c 'exit 7' >out 2>err
like "--write-trace alone: status and output" "$? $(cat out err)" "^7 [^ ]+: wrote [0-9]+ calls of 1 process, [0-9]+ (bytes|kB), to 'trace'\$"
timeout 100 "$TRACER" -q -f --write-trace=trace sh -c 'exit 7' >out 2>err
is "--write-trace alone with -q" "$? $(cat out err)" "7 "
is --info "$("$TRACER" --read-trace=trace --info | grep -E '^(command|processes|stacks|lost)' | tr -s ' \n' ' ')" \
	"command sh -c exit 7 processes 1 stacks none: record with -k lost 0 "
like "--info shows the time" "$("$TRACER" --read-trace=trace --info)" "recorded +$(date -u +%Y-%m-)"
is summary "$("$TRACER" -c --read-trace=trace 2>&1 | grep -c ' execve$')" 1

# --from and --to select a time range, and --timezone another time zone.
timeout 100 "$TRACER" -o live -ttt --write-trace=trace sleep 0.1
"$TRACER" -o read -ttt --read-trace=trace --from="$(sed -n '/nanosleep/s/ .*//p' live)"
is --from "$(sed -n '/nanosleep/,$p' live)" "$(cat read)"
"$TRACER" -o read -ttt --read-trace=trace --from=+0.0 --to="$(sed -n '/nanosleep/s/ .*//p' live)"
is --to "$(sed '/nanosleep/,$d' live)" "$(sed '/<detached/d' read)"
"$TRACER" -o read -t -e trace=execve --read-trace=trace --timezone=XYZ-7
is --timezone "$(TZ=XYZ-7 date -d "@$(head -n 1 live | cut -d . -f 1)" +%T)" "$(head -n 1 read | cut -d ' ' -f 1)"

# Several traces are merged by time, and their threads get different numbers.
timeout 100 "$TRACER" -f -y -ttt -o live --write-trace=trace sh -c 'sleep 0.2 & sleep 0.1; wait'
timeout 100 "$TRACER" -f -y -ttt -o live2 --write-trace=trace2 sh -c 'ls / >d; exit 3'
"$TRACER" -y -ttt -o read --read-trace=trace --read-trace=trace2
is "several traces: order of events" "$(cut -d ' ' -f 2 read)" "$(cut -d ' ' -f 2 read | sort -n)"
# The clocks of several traces are aligned, which may change the last digit of a time.
untimed() { sed -E 's/^([0-9]+) +[0-9.]+ /\1 /; s/ +/ /g' "$@"; }
is "several traces: events of the first" "$(grep -vE '^1[0-9]{7} ' read | untimed)" "$(untimed live)"
is "several traces: events of the second" "$(sed -nE 's/^1([0-9]{7}) /\1 /p' read | sed -E 's/^0*//' | untimed)" "$(untimed live2)"
"$TRACER" -y -f -o read --read-trace=trace2 --read-trace=trace
is "several traces: -y" "$(grep -c '(.*</' read)" "$(cat live live2 | grep -c '(.*</')"

# A reader that only uses doc/trace-format.md finds the same calls.
if have python3 && have zstd; then
	timeout 100 "$TRACER" -f --write-trace=trace bash -c "$script" >out 2>&1 </dev/null
	"$TRACER" --read-trace=trace -ff -o one -e trace=!exit_group,rt_sigreturn,restart_syscall -e signal=none
	python3 "$SRC/examples/read_trace.py" --calls trace >calls
	is "examples/read_trace.py" "$(grep -cvE '^[0-9.]+ [0-9]+ (231|15|219)\(' calls)" \
		"$(cat one.* | grep -cE ' = (-?[0-9]|0x|\?)')"
	like "examples/read_trace.py: META" "$(python3 "$SRC/examples/read_trace.py" trace)" "command: bash"
	rm -f one.*
fi

# -p selects one process. Its events are the same as in its file of -ff.
rm -f all.* one.* trace
timeout 100 "$TRACER" -f --write-trace=trace bash -c 'true | (sleep 0.1; /bin/true); (exit 3)' 2>err
"$TRACER" -ff -ttt -y -o all --read-trace=trace 2>>err
for f in all.*; do
	"$TRACER" -ff -ttt -y -o one --read-trace=trace -p "${f#all.}" 2>>err
	cmp "$f" "one.${f#all.}" 2>&1
	ls one.* && rm one.*
done >found 2>&1
is "-p with a trace" "$(cat found)" "$(for f in all.*; do echo "one.${f#all.}"; done)"
"$TRACER" -o list --read-trace=trace -p "$(printf '%s,' all.* | sed 's/all\.//g')" 2>>err
"$TRACER" -o whole --read-trace=trace 2>>err
is "-p with each process of a trace" "$(cmp list whole 2>&1)" ""
