# SPDX-License-Identifier: LGPL-2.1-or-later
# --wakers with --engine=bpf: the kernel reports who woke whom.
. "$SRC/tests/lib.sh"
program wakers || exit
can_bpf || exit 0
T="timeout -k 5 60 $TRACER"
causes() { jq -r 'select(.woken_by and (.comm == "waiter" or .name == "wait4")) | "\(.name) \(.woken_by | "\(.comm) \(.call) \(.cause) \(.inferred)")"' "$1" | grep -v ' waiter '; }
want='read waker write pipe INFERRED
recvfrom waker sendto socket INFERRED
read waker close pipe INFERRED
futex waker futex futex INFERRED
wait4 child exit_group child INFERRED'

$T --engine=bpf -f -q --wakers --format=json -o json --write-trace=trace "$WORK/bin/wakers"
is "the kernel's wakers" "$(causes json)" "${want//INFERRED/false}"
"$TRACER" --read-trace=trace --wakers --format=json -o read
is "a trace contains them" "$(causes read)" "${want//INFERRED/false}"
"$TRACER" --read-trace=trace --wakers=inferred --format=json -o read
is "--wakers=inferred" "$(causes read)" "${want//INFERRED/true}"
$T --engine=bpf -f -q --wakers=inferred --format=json -o json "$WORK/bin/wakers"
is "--wakers=inferred, live" "$(causes json)" "${want//INFERRED/true}"
is "context switches are not shown" "$("$TRACER" --read-trace=trace | grep -c -- '--- sched')" 0

$T --engine=bpf -f -q -k --wakers -e trace=read,recvfrom,futex -o text --write-trace=trace "$WORK/bin/wakers"
is "-k shows where the waker was" "$(grep -c 'woken by [0-9]*<waker> ([a-z]*) at main>$' text)" 4
is "text does not mark exact wakers" "$(grep -c 'inferred' text)" 0
"$TRACER" --read-trace=trace --wakers=inferred -o text
is "text marks inferred wakers" "$(grep -c 'recvfrom.* woken by [0-9]*<waker> (socket, inferred)>$' text)" 1
"$TRACER" --read-trace=trace --wakers --format=chrome -o chrome
is "chrome does not mark exact wakers" "$(jq -r '.[] | select(.ph == "s" or .ph == "f").name' chrome | sort -u)" wakeup
"$TRACER" --read-trace=trace --critical-path -o text
like "--critical-path: the kernel's wakers" "$(tail -n 1 text)" '^Wakers on the path: [1-9][0-9]* reported by the kernel, 0 inferred'
"$TRACER" --read-trace=trace -k --wakers --format=json -o json
is "a trace contains the stack of the waker" "$(jq -r 'select(.name == "recvfrom").woken_by.stack[].symbol' json | grep -c '^main$')" 1
"$TRACER" --read-trace=trace -k --wakers --format=json --json-stacks=once -o once
is "the stack of the waker by number" "$(jq -s -r '(map(select(.type == "stack")) | map({key: "\(.stack_id)", value: .}) | from_entries) as $stacks |
	.[] | select(.name == "recvfrom").woken_by | $stacks["\(.stack_id)"].stack | map(.symbol) | index("main") != null' once)" true
if python3 -c 'import jsonschema' 2>/dev/null; then
	for file in json once; do
		is "the schema describes $file" "$("$SRC/tests/json_check.py" "$SRC/doc/tracer-json.schema.json" $file 2>&1 | sed -n '$s/^[0-9]* lines/N lines/p')" "N lines, 0 bad"
	done
else
	skip "the schema" "python3-jsonschema is not installed"
fi

# The kernel closes the pipe after dup2(2) has ended. Before Linux 6.6, the same is true for close(2).
$T --engine=bpf -f -q -k --wakers --format=json -o json --write-trace=trace "$WORK/bin/wakers" dup2
closed=${want/close/dup2}
is "a pipe that is closed after a call" "$(causes json)" "${closed//INFERRED/false}"
stack_of_waker() { jq -r 'select(.woken_by.call == "dup2").woken_by.stack[].symbol' "$1" | grep -c '^main$'; }
is "the stack of that call" "$(stack_of_waker json)" 1
"$TRACER" --read-trace=trace -k --wakers --format=json -o read
is "a trace contains that stack" "$(stack_of_waker read)" 1

# Waits that end by a timer, by a signal, and by a thread that is not traced.
cat >timers.py <<'END'
import os, select, signal, sys, time
time.sleep(0.01)
signal.signal(signal.SIGALRM, lambda *a: None)
# The first signals may arrive before pause().
signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
signal.pause()
signal.setitimer(signal.ITIMER_REAL, 0)
a, b = os.pipe()
select.select([a], [], [], 0.01)
open("reading", "w")
sys.stdin.read(1)
END
sh -c 'while [ ! -e reading ]; do sleep 0.1; done; sleep 0.5; echo' |
	$T --engine=bpf -q --wakers --format=json -o json python3 timers.py
jq -r 'select(.woken_by and (.name | test("nanosleep|pause|select"))) | "\(.name) \(.woken_by.cause)"' json | sed 's/^clock_//; s/^pselect6/select/' >got
is "timers and signals" "$(tail -3 got)" 'nanosleep timer
pause signal
select timer'
is "a process that is not traced" "$(jq -r 'select(.name == "read" and .woken_by).woken_by | "\(.tid > 0) \(.cause)"' json | tail -1)" "true pipe"

# Without access to the tracepoints, the wakers are inferred.
ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-} $T -q -f -o inject -e trace=bpf -e 'inject=bpf:error=EPERM:if=attr.prog_name == "woken"' "$TRACER" --engine=bpf -f -q --wakers --format=json -o json "$WORK/bin/wakers" 2>err
is "one line if the kernel refuses" "$(cat err)" "tracer: --engine=bpf: this kernel does not report context switches and wake-ups to tracer (Operation not permitted): tracer infers from the calls who woke whom"
is "then the wakers are inferred" "$(causes json)" "${want//INFERRED/true}"
