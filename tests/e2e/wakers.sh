# SPDX-License-Identifier: LGPL-2.1-or-later
# --wakers shows which thread ended a wait, and by which call, while tracing and from a trace. Also
# tests --critical-path.
. "$SRC/tests/lib.sh"
program wakers || exit

# in_text FILE: prints "CALL NAME CAUSE" for each resumed call that has a waker.
in_text() {
	sed -n 's/^[0-9]* *<\.\.\. \([a-z0-9]*\) resumed>.*, woken by [0-9]*<\([^>]*\)> (\([a-z]*\), inferred)>$/\1 \2 \3/p' "$1"
}
calls='read waker pipe
recvfrom waker socket
read waker pipe
futex waker futex'

timeout 60 "$TRACER" -f --wakers -o text --write-trace=trace "$WORK/bin/wakers"
like "text shows the wakers in order" "$(in_text text)" "$calls"
like "the end of a child ends a wait" "$(cat text)" 'wait4.*, woken by [0-9]+<child> \(child, inferred\)>'
"$TRACER" --read-trace=trace --wakers -o read
is "a trace shows the same wakers" "$(in_text read)" "$(in_text text)"
"$TRACER" --read-trace=trace --wakers -e trace=recvfrom -o filtered
like "hidden calls can be wakers" "$(cat filtered)" 'recvfrom.*, woken by [0-9]+<waker> \(socket, inferred\)>'
"$TRACER" --read-trace=trace -T -o plain
is "nothing is shown without --wakers" "$(grep -c woken plain)" 0
"$TRACER" --read-trace=trace --wakers --format=json -o json
is "JSON shows the wakers" "$(jq -r 'select(.woken_by.cause == "socket" and .name == "recvfrom") | .woken_by |
	"\(.comm) \(.call) \(.inferred) \(.tid == .pid)"' json)" "waker sendto true true"
"$TRACER" --read-trace=trace --wakers --format=chrome -o chrome
like "arrows begin in the waker and end in the waiter" "$(jq -r '(map(select(.name == "thread_name") | {key: "\(.tid)", value: .args.name}) | from_entries) as $names |
	map(select(.ph == "s" or .ph == "f")) | group_by(.id)[] | map($names["\(.tid)"]) | join(" ")' chrome | grep -c '^waker waiter$')" '^[4-9]$'

is "chrome marks inferred arrows" "$(jq -r '.[] | select(.ph == "s" or .ph == "f").name' chrome | sort -u)" "wakeup (inferred)"

# Two sleeps determine how long the run takes. They are so long that cat and the shell wait for them on a busy machine, too.
timeout 60 "$TRACER" -q -f --critical-path --format=json -o path --write-trace=trace sh -c 'sleep 2 | cat; sleep 1 & wait'
is "the sleeps on the critical path" "$(jq -r 'select(.cause == "timer") |
	"\(.activity) \(.total_time >= 0.9) \(.steps)"' path)" "clock_nanosleep true 1
clock_nanosleep true 1"
is "the times add up to 100%" "$(jq -s 'map(.time_percent) | add | . > 99.5 and . < 100.5' path)" true
"$TRACER" --read-trace=trace --critical-path --format=json -o read_path
is "rows of the path: no, exact or inferred wakers" "$(jq -r 'select(.cause == "timer").inferred' path)" "true
true"
like "text: the wakers on the path" "$("$TRACER" --read-trace=trace --critical-path | tail -n 1)" \
	'^Wakers on the path: 0 reported by the kernel, [2-9] inferred from the order of calls$'
is "a trace has the same path" "$(jq -c '[.pid, .activity, .total_time]' read_path)" "$(jq -c '[.pid, .activity, .total_time]' path)"
# The lines match the JSON schema.
check() { "$SRC/tests/json_check.py" "$SRC/doc/tracer-json.schema.json" "$1" 2>&1 | sed -n '$s/^[0-9]* lines/N lines/p'; }
if python3 -c 'import jsonschema' 2>/dev/null; then
	is "the schema describes wakers" "$(check json)" "N lines, 0 bad"
	is "the schema describes the critical path" "$(check path)" "N lines, 0 bad"
else
	skip "the schema" "python3-jsonschema is not installed"
fi
