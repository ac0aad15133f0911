# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf divides the time in calls: blocked, waiting for a CPU, running. Also: stacks of calls that
# began before tracing.
. "$SRC/tests/lib.sh"
can_bpf || exit 0
T="timeout -k 5 60 $TRACER"

# The pinned processes share a CPU, so the second one must wait for it after its sleep.
cat >parts.sh <<'END'
cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
sleep 0.2
head -c 200M /dev/zero >/dev/null
taskset -c "$cpu" sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' &
taskset -c "$cpu" sh -c 'for i in 1 2 3 4 5; do sleep 0.02; done'
wait
END
$T --engine=bpf -f -q -c --group-by=comm,name --sum=duration,blocked,runnable,on_cpu --format=json -o sums --write-trace=trace sh ./parts.sh
# share COMM NAME FIELD: prints a part of the time of calls, in percent.
share() { jq -r "select(.group.comm == \"$1\" and .group.name == \"$2\").sum | .$3 / .duration * 100 | floor" sums; }
# The sleeps take 300 ms in all. A thread that has to wait for a CPU before it blocks sleeps for a shorter time, so on a busy
# machine the share of the time that it is blocked says nothing.
part() { jq "select(.group.comm == \"sleep\" and .group.name == \"clock_nanosleep\").sum | $1" sums; }
like "a sleep is blocked" "$(part '.blocked * 1000 | floor')" '^(1[5-9]|[2-9][0-9])[0-9]$'
is "but not all the time" "$(part '.blocked < .duration')" true
is "reading /dev/zero does not block" "$(share head read blocked)" 0
like "waiting for a CPU" "$(jq -s 'map(.sum.runnable) | add > 0.0001' sums)" true
is "the parts add up" "$(jq -r 'select(.sum.blocked + .sum.runnable + .sum.on_cpu - .sum.duration | fabs > 1e-6).group.name' sums)" ""
"$TRACER" --read-trace=trace -q -c --group-by=comm,name --sum=duration,blocked,runnable,on_cpu --format=json -o read
same "a trace contains the parts" read sums
is "--where" "$("$TRACER" --read-trace=trace -q --where='blocked > 150ms && on_cpu < 50ms && name =~ /nanosleep/' | grep -c nanosleep)" 1

$T --engine=bpf -f -q --format=folded --weight=blocked -o blocked sleep 0.3
like "folded stacks" "$(grep nanosleep blocked)" ';clock_nanosleep [23][0-9]{8}$'
$T --engine=bpf -f -q --format=folded --weight=cpu -o cpu sleep 0.3
like "folded stacks: the CPU" "$(grep nanosleep cpu)" ';clock_nanosleep [0-9]{1,8}$'
$T --engine=bpf -f -q --format=flamegraph --weight=runnable -o flame sleep 0.1
like "the flame graph has these weights" "$(cat flame)" '"weights":\["calls","time","errors","bytes","blocked","runnable","cpu"\]'
$T --engine=bpf -f -q --format=flamegraph -o flame true
like "other flame graphs do not" "$(cat flame)" '"weights":\["calls","time","errors","bytes"\]'

"$TRACER" --weight=blocked --format=folded true 2>err
is "ptrace" "$(cat err)" "tracer: --weight=blocked|runnable|cpu or such a field requires --engine=bpf"
"$TRACER" -q --write-trace=ptrace -o /dev/null true
"$TRACER" --read-trace=ptrace --where='blocked > 1s' 2>err
like "a trace without context switches" "$(cat err)" 'such a field: the trace has no context switches; record it with --engine=bpf$'
ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-} $T -q -f -o inject -e trace=bpf -e 'inject=bpf:error=EPERM:if=attr.prog_name == "woken"' "$TRACER" --engine=bpf -q --format=folded --weight=blocked true 2>err
is "the kernel refuses" "$(cat err) $?" "tracer: --engine=bpf: this kernel does not report context switches and wake-ups to tracer (Operation not permitted) 0"

# A call that began before tracing has no copy of its stack.
sleep 30 &
asleep=$!
wait_for() { for i in $(seq 100); do grep -q nanosleep /proc/$asleep/wchan 2>/dev/null && return; sleep 0.05; done; }
wait_for
$T --engine=bpf -q -p $asleep --stop-after=0.2s --format=folded --weight=blocked -o old
kill $asleep
like "a call that began before tracing" "$(cat old)" '^sleep;\[no copy of the stack: the call began before tracing\];.*;clock_nanosleep [0-9]{9}$'
