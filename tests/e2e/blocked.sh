# SPDX-License-Identifier: LGPL-2.1-or-later
# --blocked reports all arguments of a call, the call that restart_syscall resumes, and how long the
# call has been running.
. "$SRC/tests/lib.sh"
program blocked || exit
app= tracer=
trap 'kill -9 $app $tracer 2>/dev/null' EXIT

# finish: kills the program, waits for tracer and prints its reports.
finish() {
	kill -9 "$app"
	wait "$tracer" 2>/dev/null
	grep -- '--- blocked' log
}

# started KIND: prints the report about a program that tracer has started.
started() {
	rm -f log
	"$TRACER" --blocked=300ms -o log "$WORK/bin/blocked" "$1" >out 2>&1 &
	tracer=$!
	wait_for 'grep -q -e "--- blocked" log 2>/dev/null'
	app=$(cat "/proc/$tracer/task/$tracer/children")
	app=${app%% *}
	finish
}

# attached KIND: the same for a program that tracer attached to while it was blocked.
attached() {
	rm -f log ready
	"$WORK/bin/blocked" "$1" >ready &
	app=$!
	wait_for 'grep -q ready ready 2>/dev/null'
	sleep 0.2
	wait_for 'grep -q -e "^State:.S" "/proc/$app/status" 2>/dev/null'
	"$TRACER" --blocked=300ms -o log -p "$app" >out 2>&1 &
	tracer=$!
	wait_for 'grep -q -e "--- blocked" log 2>/dev/null'
	finish
}

like "an argument that only the exit decodes is its address" "$(started epoll)" \
	'^--- blocked for [0-9.]+ s in epoll_(wait\(5, 0x[0-9a-f]+, 8, -1|pwait\(5, 0x[0-9a-f]+, 8, -1, NULL, 8)\) ---$'
like "the last argument of several" "$(started pipe)" '^--- blocked for [0-9.]+ s in read\(3, 0x[0-9a-f]+, 16\) ---$'
like "attached: the time is a minimum" "$(attached pipe)" \
	'^--- blocked for at least [0-9.]+ s in read\(3, 0x[0-9a-f]+, 16\) ---$'
like "attached: the call that restart_syscall resumes" "$(attached sleep)" \
	'^--- blocked for at least [0-9.]+ s in clock_nanosleep\(CLOCK_MONOTONIC, 0, \{tv_sec=1000, tv_nsec=5\}, NULL\) ---$'
case $(uname -m) in
x86_64) like "attached: poll" "$(attached poll)" \
	'^--- blocked for at least [0-9.]+ s in poll\(\[\{fd=3, events=POLLIN\}\], 1, 1000000\) ---$' ;;
esac
