# SPDX-License-Identifier: LGPL-2.1-or-later
# Checks what happens to the command and its children if a signal ends tracer.
. "$SRC/tests/lib.sh"

# A process that ends while its status is read is not alive.
alive() { [[ $(awk '/^State/ { print $2 }' "/proc/$1/status" 2>/dev/null) == [!Z] ]]; }

# ignores PID SIGNAL: checks whether a process ignores a signal.
ignores() {
	local set

	set=$(awk '/^SigIgn/ { print $2 }' "/proc/$1/status")
	[ $((0x$set >> ($(kill -l "$2") - 1) & 1)) = 1 ]
}

# ended OPTIONS SIGNAL CHILD: ends tracer with a signal, and checks what happens to the command and to
# its child. CHILD is what the child is expected to do: "lives" or "dies".
ended() {
	local what="$1 $2" parent child

	if ignores $$ "$2"; then
		skip "$what" "SIG$2 is ignored here, as under nohup"
		return
	fi
	rm -f pids
	"$TRACER" -f $1 -e trace=none -o log \
		sh -c 'sleep 20 & echo $$ $! >pids.new; mv pids.new pids; wait' 2>stderr &
	tracer=$!
	wait_for '[ -s pids ] || ! alive $tracer'
	if [ ! -s pids ]; then
		if grep -q 'requires --engine=ptrace' stderr; then
			skip "$what" "$(cat stderr)"
		else
			not_ok "$what: the command starts"
		fi
		kill -9 "$tracer" 2>/dev/null
		return
	fi
	read -r parent child <pids
	sleep 0.1
	kill -"$2" "$tracer"
	wait "$tracer" 2>/dev/null
	is "$what: status" "$?" $((128 + $(kill -l "$2")))
	wait_for "! alive $parent"
	is "$what: the command has ended" "$(alive "$parent" && echo alive)" ""
	[ "$3" = dies ] && wait_for "! alive $child"
	is "$what: its child $3" "$(alive "$child" && echo lives || echo dies)" "$3"
	if [ "$3" = lives ]; then
		is "$what: its child is not traced" \
			"$(awk '/^TracerPid/ { print $2 }' "/proc/$child/status")" 0
		is "$what: its child is not stopped" \
			"$(awk '/^State/ { print $2 }' "/proc/$child/status")" S
	fi
	kill -9 "$child" 2>/dev/null
}

ended "-I 2" TERM lives
ended "-I 2" HUP lives
ended "-I 2 --kill-on-exit" TERM dies
ended "-I 2 --seccomp-bpf -e trace=chdir" TERM dies

# With -I 3, tracer ignores these signals, and -o FILE PROG implies -I 3.
"$TRACER" -f -e trace=none -o log sleep 0.5 &
tracer=$!
wait_for "ignores $tracer TERM"
kill -TERM "$tracer"
wait "$tracer"
is "-o FILE PROG: SIGTERM does not end tracer" "$?" 0

"$TRACER" --syscall-limit=5 -o log sh -c ': ; : ; exit 7' 2>stderr
is "--syscall-limit: number of lines" "$(wc -l <log)" 5
is "--syscall-limit: no message with -o" "$(cat stderr)" ""
"$TRACER" --syscall-limit=5 sh -c ': ; : ; exit 7' 2>stderr
like "--syscall-limit: message" "$(cat stderr)" "System call limit has been reached, detaching tracees"
