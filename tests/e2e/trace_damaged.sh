# SPDX-License-Identifier: LGPL-2.1-or-later
# Files that are damaged or truncated traces, or no traces at all.
. "$SRC/tests/traces/lib.sh"

timeout 100 "$TRACER" -f --write-trace=trace bash -c "$script" >out 2>&1 </dev/null
# line NAME FILE MESSAGE: checks that tracer prints MESSAGE about FILE in one line, and shows the
# intact part of FILE.
line() {
	timeout 20 "$TRACER" -o read --read-trace="$2" 2>err
	is "$1" "$? $(sed "s,^[^:]*: ,," err)" "1 $3"
}
: >empty
echo 'openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3' >text
line missing nosuch "nosuch: No such file or directory"
line empty empty "empty: not a $(basename "$TRACER") trace file"
line text text "text: not a $(basename "$TRACER") trace file"
line directory . ".: Is a directory"
size=$(stat -c %s trace)
head -c $((size - 1)) trace >cut
"$TRACER" -o whole --read-trace=trace
line cut cut "cut: 71 bytes are damaged or cut off, and the end of the trace is missing"
is "cut: the intact part is shown" "$(cmp read whole 2>&1)" ""

# If the recorder was killed, only the last moments are missing.
timeout 100 "$TRACER" --kill-on-exit --write-trace=killed dd if=/dev/zero of=/dev/null bs=1 2>/dev/null &
for ((i = 0; i < 600 && $(stat -c %s killed 2>/dev/null || echo 0) < 4000; i++)); do sleep 0.1; done
pkill -KILL -P $! && wait $! 2>/dev/null
timeout 100 "$TRACER" -qq -o read --read-trace=killed 2>err
is killed "$? $(sed -E 's,^[^:]*: ,,; s/[0-9]+ bytes/N bytes/; s/the end of the trace is missing.*/unended/; s/N bytes.*/unended/' err)" \
	"1 killed: unended"
is "killed: the intact part is shown" "$(grep -cE '^(read|write)\(' read | sed 's/^[0-9]\{2,\}$/many/')" many
