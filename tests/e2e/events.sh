# SPDX-License-Identifier: LGPL-2.1-or-later
# --events: context switches, page faults and wake-ups as events.
. "$SRC/tests/lib.sh"
program wakers || exit
T="timeout -k 5 60 $TRACER"
schema() {
	if python3 -c 'import jsonschema' 2>/dev/null; then
		is "the schema describes $1" "$("$SRC/tests/json_check.py" "$SRC/doc/tracer-json.schema.json" "$1" 2>&1 | sed -n '$s/^[0-9]* lines/N lines/p')" "N lines, 0 bad"
	else
		skip "the schema" "python3-jsonschema is not installed"
	fi
}

$T -f -q --events=wakeup -e trace=read,recvfrom,wait4 -o text "$WORK/bin/wakers"
like "wake-ups with ptrace" "$(cat text)" '--- wakeup socket \{waker=\{pid=[0-9]+, tid=[0-9]+, comm="waker"\}, inferred=1\} ---'
"$TRACER" --events=fault true 2>err
is "ptrace sees no page faults" "$(cat err)" "tracer: --events=sched,fault requires --engine=bpf"
"$TRACER" --events=nosuch true 2>err
like "unknown sources" "$(cat err)" "^tracer: invalid --events argument: 'nosuch'"
can_bpf || exit 0

$T --engine=bpf -f -q -k --events=sched,wakeup -e trace=read,recvfrom,wait4 --format=json -o json --write-trace=trace "$WORK/bin/wakers"
schema json
is "a switch, and its waker" "$(jq -r 'select(.type == "sched" and .args.waker.call == "sendto") | "\(.name) \(.comm) \(.args.state) \(.args.blocked_ns > 0) \(.args.waker.comm) \(.args.waker.context)"' json)" "switch waiter S true waker thread"
is "it has the stack of the call" "$(jq -r 'select(.type == "sched" and .args.waker.call == "sendto").stack[].symbol' json | grep -c wait_in_turn)" 1
is "a wake-up has the waker's stack" "$(jq -r 'select(.type == "wakeup" and .name == "socket").stack[].symbol' json | grep -c '^main$')" 1
"$TRACER" --read-trace=trace -q -k --events=sched,wakeup -e trace=read,recvfrom,wait4 --format=json -o read
is "a trace has the same switches" "$(jq -c 'select(.type == "sched") | [.tid, .args]' read)" "$(jq -c 'select(.type == "sched") | [.tid, .args]' json)"
# The times add up: the event begins when the thread left the CPU.
is "the times" "$(jq -r 'select(.type == "sched" and (.duration * 1e9 - .args.blocked_ns - .args.runnable_ns | fabs > 1000))' json)" ""
"$TRACER" --read-trace=trace -q --events=fault 2>err
like "a trace without page faults" "$(cat err)" '^tracer: --events: the trace does not contain these events; record it'

# --events=fault shows page faults that read from a disk.
head -c 8M /dev/urandom >data
program events || exit
# Run the program once before it is traced, so that its own pages are in memory.
"$WORK/bin/events" data
# A fast disk can be done before the thread blocks, so not every fault has a duration. If none has one, try again.
for i in 1 2 3 4 5; do
	$T --engine=bpf -q -k --events=fault -e trace=none --format=json -o faults --write-trace=trace "$WORK/bin/events" data
	blocked=$(jq -s '[.[] | select(.type == "fault" and .duration > 0)] | length > 0' faults)
	[ "$blocked" = true ] && break
done
n=$(jq -r 'select(.type == "fault" and .name == "major").args.address' faults | sort -u | wc -l)
if [ "$(stat -f -c %T .)" = tmpfs ]; then
	skip "page faults" "the files are in memory"
else
	like "each page was read once" "$n" '^([89]|[1-9][0-9]+)$'
	like "the stacks of the faults" "$(jq -r 'select(.type == "fault").stack[].symbol' faults | grep -c "^touch_pages$")" '^([89]|[1-9][0-9]+)$'
	is "the time for the disk" "$blocked" true
	schema faults
	"$TRACER" --read-trace=trace -q -k --events=fault -e trace=none --format=json -o read
	is "a trace has the same page faults" "$(jq -c 'select(.type == "fault").args' read)" "$(jq -c 'select(.type == "fault").args' faults)"
fi
