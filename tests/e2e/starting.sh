# SPDX-License-Identifier: LGPL-2.1-or-later
# Checks which state tracer inherits and passes to the command: blocked signals, and open or closed
# standard input, output and error.
. "$SRC/tests/lib.sh"

# blocked OPTIONS: starts tracer with SIGUSR1, SIGTERM and SIGALRM blocked, and prints the masks of
# tracer and the command.
blocked() {
	python3 - "$TRACER" "$@" <<-'END'
		import os, signal, sys
		signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGTERM, signal.SIGALRM])
		program = ("import os\n"
			"def mask(pid):\n"
			"    for line in open(f'/proc/{pid}/status'):\n"
			"        if line.startswith('SigBlk'): return int(line.split()[1], 16)\n"
			"print('%x %x' % (mask(os.getpid()), mask(os.getppid())))\n")
		os.execvp(sys.argv[1], sys.argv[1:] + ["-e", "trace=none", "-o", "log", "python3", "-S", "-c", program])
	END
}
# tracer unblocks SIGALRM for its own deadlines. Bits are signal numbers minus one.
for interruptible in 1 2 3 4; do
	is "-I$interruptible: blocked signals stay blocked" "$(blocked -I$interruptible)" "6200 4200"
done

# The command unblocks SIGTERM and is killed by it. tracer then kills itself with SIGTERM, although
# it was blocked.
python3 - "$TRACER" <<-'END'
	import os, signal, subprocess, sys
	signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
	program = ("import os, signal\n"
		"signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])\n"
		"os.kill(os.getpid(), signal.SIGTERM)\n")
	status = subprocess.call([sys.argv[1], "-o", "log", "python3", "-S", "-c", program])
	print("ok" if status == -signal.SIGTERM else "not ok", "a blocked signal: ends as the command did")
END

# The command closes its output. The reader of the output sees the end although the command and
# tracer are still running.
mkfifo fifo
(cat <fifo && touch ended) &
"$TRACER" -o log sh -c 'exec >&-; sleep 20 & echo $! >pid; wait' >fifo &
for ((i = 0; i < 100; i++)); do
	[ -e ended ] && break
	sleep 0.05
done
is "the end of the command's output is seen" "$(ls ended)" ended
kill "$(cat pid)"
wait
# The same for standard input: the writer gets EPIPE.
"$TRACER" -o log sh -c 'exec <&-; touch closed; sleep 20 & echo $! >pid; wait' <fifo &
(
	trap '' PIPE
	exec 8>fifo
	for ((i = 0; i < 100; i++)); do
		[ -e closed ] && ! echo text >&8 2>/dev/null && exec touch broken
		sleep 0.05
	done
) 2>stderr
is "the end of the command's input is seen" "$(ls broken)" broken
kill "$(cat pid)"
fds='cd /proc/$PPID/fd; for i in 0 1 2; do readlink $i || echo none; done >&9'
is "with a command: tracer keeps only standard error" \
	"$("$TRACER" -e trace=none sh -c "$fds" 9>&1 </dev/null 2>/dev/null | sed 's/:.*//' | tr '\n' ' ')" \
	"pipe pipe /dev/null "
sleep 20 &
sleeper=$!
"$TRACER" -o log -p $sleeper </dev/null 2>stderr &
tracer=$!
until grep -q attached stderr; do sleep 0.05; done
is "with -p alone: tracer keeps standard input" "$(readlink /proc/$tracer/fd/0)" /dev/null
kill $sleeper

is "descriptors closed at the start are closed for the command" "$("$TRACER" -e trace=none -o log python3 -S -c \
	'import os; os.write(9, str([os.path.exists(f"/proc/self/fd/{i}") for i in range(3)]).encode())' \
	9>&1 <&- >&- 2>&-)" "[False, False, False]"
# The log is a file other than standard error, so the message is not in it.
"$TRACER" -e trace=none -o log nosuchprogram 2>&-
is "descriptors closed at the start: messages are not in the log" "$(cat log)" ""
