# SPDX-License-Identifier: LGPL-2.1-or-later
# With --engine=bpf, each call that was made before tracing ends is shown or counted, however
# tracing ends. tracer is stopped while the program makes its calls. When tracer continues and
# tracing ends, all calls are therefore in tracer's buffers or lost, however fast the machine is.
. "$SRC/tests/lib.sh"
program bpf_calls || exit
can_bpf || exit 0

CALLS=20000
mkfifo hold
# After the loop, the program makes no calls that are traced. A shell that reads a script from a file calls lseek(2).
program=$(cat <<EOF2
kill -STOP \$PPID
"$WORK/bin/bpf_calls" count 1 2 $((CALLS / 2))
echo "\$\$" >made
read -r line <hold
EOF2
)

# trace OPTION...: starts tracer in the background and waits for the program's calls.
trace() {
	local i

	rm -f log made
	"$TRACER" --engine=bpf -I2 -f -e trace=lseek -e signal=none "$@" sh -c "$program" 2>stderr &
	tracer=$!
	for ((i = 0; i < 3000; i++)); do
		[ -s made ] && return
		sleep 0.02
	done
	not_ok "the program makes its calls"
	kill -9 "$tracer"
	exit
}
# Continues tracer, waits for it, and kills the program.
finish() {
	kill -CONT "$tracer"
	wait "$tracer"
	status=$?
	kill -9 "$(cat made)"
}
# Counts the program's calls. The shell's calls use valid descriptors, so they are not counted.
shown() {
	grep '"name":"lseek"' log | grep -c '"fd":-1,'
}
# Prints the number of calls that the log counts as lost.
lost() {
	sed -nE 's/.*"type":"lost".*"count":([0-9]+),"cause":"the .*/\1/p' log | awk '{ n += $1 } END { print n + 0 }'
}

trace --buffer-size=64M --format=json -o log
kill -INT "$tracer"
finish
is "Ctrl-C: status 130" "$status" 130
is "Ctrl-C: all calls are shown" "$(shown)" $CALLS

trace --buffer-size=1M --format=json -o log
kill -INT "$tracer"
finish
is "Ctrl-C with small buffers: all calls are shown or counted" "$(($(shown) + $(lost)))" $CALLS
like "Ctrl-C with small buffers: the last message counts lost events" "$(cat stderr)" '^[^:]*: [0-9]+ events were lost$'

# The time should run out while tracer is stopped. On a slow machine it may run out earlier, so try
# longer times.
for seconds in 1 5 20; do
	trace --buffer-size=64M --stop-after=$seconds --format=json -o log
	sleep "$seconds"
	finish
	[ "$(shown)" -eq 0 ] || break
done
is "--stop-after: all calls are shown" "$(shown)" $CALLS

# The events that are not shown include forks and exits.
trace --buffer-size=64M --syscall-limit=1000 --format=json -o log
finish
# The call that the other thread is making at that moment is shown as unfinished.
is "--syscall-limit: no more calls are shown" "$(grep '"name":"lseek"' log | grep -vc '"status":"unfinished"')" 1000
rest=$(sed -nE 's/.*: ([0-9]+) captured events were not shown, because --syscall-limit was reached$/\1/p' stderr)
[ "$((rest - CALLS + 1000))" -ge 0 ] && [ "$((rest - CALLS + 1000))" -lt 50 ] && ok "--syscall-limit: the others are counted" ||
	not_ok "--syscall-limit: the others are counted: '$rest'"

# The kernel takes a long time to unmap a large address space, and then to free the file. Both happen within exit_group(2):
# the first before the exit is recorded, the second afterwards.
if "$WORK/bin/bpf_calls" huge; then
	timeout -k 5 60 "$TRACER" --engine=bpf -f -k -e trace=exit_group -o log "$WORK/bin/bpf_calls" huge 2>stderr
	is "a slow exit: the call, and then the exit" "$(sed -E 's/^[0-9]+ +//; /^ >/d' log; cat stderr)" \
		"exit_group(0)                     = ?
+++ exited with 0 +++"
	like "a slow exit: the stack" "$(cat log)" '\(_start\+'
else
	skip "a slow exit" "there is not enough memory"
fi
