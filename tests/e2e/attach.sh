# SPDX-License-Identifier: LGPL-2.1-or-later
# Attaches to a process with 50 threads, and detaches from it.
. "$SRC/tests/lib.sh"
program attach

traced() { grep -h TracerPid "/proc/$1"/task/*/status 2>/dev/null | grep -cv '	0$'; }

"$WORK/bin/attach" >ready &
app=$!
trap 'kill -9 $app 2>/dev/null' EXIT
wait_for '[ -s ready ]'

"$TRACER" -f -o log -p "$app" 2>stderr &
tracer=$!
wait_for '[ "$(traced $app)" -eq 50 ]'
is "all threads are attached" "$(traced $app)" 50
sleep 0.3
is "the log has calls of each thread" "$(grep -oE '^[0-9]+' log | sort -u | wc -l)" 50
kill -INT "$tracer"
wait "$tracer"
is "an interrupt ends tracer with status 130" "$?" 130
is "no thread is traced any more" "$(traced $app)" 0
is "no thread is left stopped" "$(cat /proc/$app/task/*/stat | awk '$3 ~ /[tT]/' | wc -l)" 0
is "all threads are alive" "$(ls /proc/$app/task | wc -l)" 50
is "messages name the process" "$(sed "s/$app/PID/; s/.*: //; q" stderr)" \
	"Process PID attached with 50 threads"
grep -oE '[0-9]+ detached' stderr >order
sort -rn order >newest_first
same "the newest threads are detached first" order newest_first

# Without -f, only one thread is attached. One -p option can contain several ids.
sleep 30 &
other=$!
timeout -s INT 3 "$TRACER" -o log2 -p "$app $other" 2>/dev/null
is "two processes in one -p" "$(grep -oE '^[0-9]+' log2 | sort -un | head -n 2 | wc -l)" 2
is "without -f only the first thread is attached" "$(grep -cvE "^($app|$other) " log2)" 0
kill "$other"
kill -0 "$app" && ok "the process still runs" || not_ok "the process still runs"
