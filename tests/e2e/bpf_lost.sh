# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf shows or counts every call, and the exit of a process whose exit was lost.
. "$SRC/tests/lib.sh"
program bpf_calls || exit
can_bpf || exit 0

# Every call is in the log or counted as lost. The first buffer is large enough, the second is not.
count() {
	timeout -k 5 100 "$TRACER" -f --engine=bpf $1 -e trace=lseek -e signal=none --format=json -o log \
		"$WORK/bin/bpf_calls" count 6 8 "$2" 2>stderr
	seen=$(grep -c '"name":"lseek"' log)
	lost=$(sed -nE 's/.*"type":"lost".*"count":([0-9]+),"cause":"the [^(]*"}$/\1/p' log | awk '{ n += $1 } END { print n + 0 }')
}
count "--buffer-size=64M --write-trace=trace" 500
is "48 threads: all calls are seen" "$seen" 24000
# Times in a block are relative, so each stop takes only a few bytes.
size=$(stat -c %s trace)
[ "$size" -lt 1500000 ] && ok "a trace is small" || not_ok "a trace is small: $size bytes"
count --buffer-size=1M 20000
is "48 threads: seen and lost calls add up" "$((seen + lost))" 960000
if [ "$lost" -gt 0 ]; then
	like "a message reports the losses" "$(cat stderr)" "[0-9]+ events? (was|were) lost"
fi

# The last thread's exit is lost, because the events of its children have filled the buffer. The
# first thread's exit was reported long before.
mkfifo lines
rm -f stderr # remove the messages of an earlier run
trap 'kill -9 $app 2>/dev/null' EXIT
"$WORK/bin/bpf_calls" heir 4000 <lines >ready &
app=$!
exec 8>lines
"$TRACER" -f --engine=bpf -e trace=lseek -e signal=none -o log -p $app 2>stderr &
tracer=$!
wait_for 'grep -q attached stderr'
echo >&8
wait_for '[ -s ready ]'
kill -STOP "$tracer"
echo >&8
wait "$app"
kill -CONT "$tracer"
wait_for '! kill -0 $tracer 2>/dev/null'
like "the exit of a process is shown although its last thread's was lost" "$(cat log)" "$app +\\+\\+\\+ exited with 0 \\+\\+\\+"
kill -9 "$tracer" 2>/dev/null
if grep -q "needs Linux 6.9" stderr; then
	skip "the lost exit is reported" "$(grep "needs Linux 6.9" stderr)"
else
	like "the lost exit is reported" "$(cat log stderr)" "lost [0-9]+ events: .*\(threads and signals\).*events were lost"
fi
