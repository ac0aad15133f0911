# SPDX-License-Identifier: LGPL-2.1-or-later
# --snapshot shows every thread's call, its stack, and the holder of the lock it waits for. Then all
# threads continue.
. "$SRC/tests/lib.sh"
program snapshot || exit

"$WORK/bin/snapshot" >ready &
app=$!
trap 'kill -9 $app 2>/dev/null' EXIT
for ((i = 0; i < 600; i++)); do
	grep -q ready ready 2>/dev/null && break
	sleep 0.1
done
holder=$(awk '$1 == "holder" { print $2 }' ready)

timeout 60 "$TRACER" -k -p "$app" --snapshot -o log 2>stderr
is "--snapshot ends by itself with status 0" $? 0
is "--snapshot prints no messages" "$(cat stderr)" ""
is "each thread is shown once" "$(grep -cE '^[0-9]+<[a-z]+> --- (in|running)' log)" 7
is "all threads continue" "$(cat /proc/$app/task/*/stat | grep -cE '\) [tT] ')" 0
is "no thread is traced afterwards" "$(cat /proc/$app/task/*/status | awk '/TracerPid/ && $2' | wc -l)" 0
for kind in plain pi robust; do
	like "the holder of a $kind mutex" "$(grep "<$kind>" log)" "in futex\(0x[^)]*\).*, lock held by $holder ---\$"
done
like "a call that waits for input has all its arguments" "$(grep '<reader>' log)" \
	"in read\([0-9]+, 0x[0-9a-f]+, 16\)( for at least [0-9.]+ s)? ---\$"
is "no time is shown as exact" "$(grep -cE ' for [0-9]' log)" 0
like "a thread that runs" "$(grep '<runner>' log)" " --- running ---\$"
is "each thread has the stack of its function" \
	"$(grep -oE '\((holds|wants_plain|wants_pi|wants_robust|reads|runs)\+' log | sort -u | wc -l)" 6

timeout 60 "$TRACER" -p "$app" --snapshot -e trace=read -o log 2>stderr
is "-e trace= selects calls" "$(grep -c ' in ' log) $(grep -c 'in read' log)" "1 1"
timeout 60 "$TRACER" -p "$app" --snapshot --where='name == read && count > 0' -o log 2>stderr
is "--where selects calls" "$(grep -c ' in ' log) $(grep -c 'in read' log)" "1 1"
timeout 60 "$TRACER" -p "$app" --snapshot --where='name == read && count > 1M' -o log 2>stderr
is "--where selects calls by their arguments" "$(grep -c . log)" 0
timeout 60 "$TRACER" -k -p "$app" --snapshot --format=folded -o log 2>stderr
like "folded stacks" "$(grep wants_pi log)" "^pi;.*;wants_pi;.*;futex 1\$"
timeout 60 "$TRACER" -k -p "$app" --snapshot --format=json -o log.json 2>stderr
if python3 -c 'import jsonschema' 2>/dev/null; then
	is "JSON is as the schema says" \
		"$(python3 "$SRC/tests/json_check.py" "$SRC/doc/tracer-json.schema.json" log.json)" "7 lines, 0 bad"
else
	skip "JSON is as the schema says" "no jsonschema for python3"
fi
is "JSON names the holder" "$(grep -c "\"lock_holder\":$holder," log.json)" 3

# The first snapshot interrupts the call, and the kernel resumes it as restart_syscall(2).
program blocked
"$WORK/bin/blocked" poll >waits &
waiter=$!
trap 'kill -9 $app $waiter 2>/dev/null' EXIT
for ((i = 0; i < 600; i++)); do
	grep -q '^State:.S' "/proc/$waiter/status" && grep -q ready waits && break
	sleep 0.1
done
for time in first second; do
	timeout 60 "$TRACER" -p "$waiter" --snapshot -o log 2>stderr
	case $(uname -m) in
	x86_64) like "the call that restart_syscall resumes, $time snapshot" "$(cat log)" \
		" --- in poll\(\[\{fd=3, events=POLLIN\}\], 1, 1000000\)( for at least [0-9.]+ s)? ---\$" ;;
	esac
	# Until the call has been resumed, the thread is not asleep.
	for ((i = 0; i < 600; i++)); do
		grep -q '^State:.S' "/proc/$waiter/status" && break
		sleep 0.1
	done
done

# wait_stopped: waits until all threads of the process have stopped.
wait_stopped() {
	for ((i = 0; i < 600; i++)); do
		grep -L '^State:.T (' "/proc/$app/task"/*/status | grep -q . || break
		sleep 0.1
	done
}

# A process that was stopped before stays stopped.
kill -STOP "$app"
wait_stopped
timeout 60 "$TRACER" -p "$app" --snapshot -o log 2>stderr
is "a stopped process: its threads are shown" "$(grep -c stopped log)" 7
wait_stopped
like "a stopped process stays stopped" "$(grep State "/proc/$app/status")" "T \(stopped\)"
