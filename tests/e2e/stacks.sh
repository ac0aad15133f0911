# SPDX-License-Identifier: LGPL-2.1-or-later
# Compares the stacks of a program whose stacks are known, frame by frame.
. "$SRC/tests/lib.sh"
program stacks

"$TRACER" -k -f -e signal=none -o log "$WORK/bin/stacks"
is "the program runs as without tracer" "$?" 0

# stack N: prints the program's own functions in the stack of close(-N), innermost first.
stack() {
	awk -v call="close(-$1" '
		/^ >/ {
			if (shown && match($0, /\([A-Za-z_0-9.]+\+0x/))
				print substr($0, RSTART + 1, RLENGTH - 4)
			next
		}
		# If the output of another thread splits the line, the stack follows the second half.
		{ shown = $1 == split_by && /resumed>/ }
		shown { split_by = "" }
		index($0, call) {
			shown = !/<unfinished/
			split_by = shown ? "" : $1
		}' log |
		grep -xE 'mark|third|second|first|dynamic|recurse|handler|thread|main|_start' | tr '\n' ' '
}
end_of() {
	awk -v call="close(-$1" '/^ >/ { if (shown) last = $0; next } { shown = index($0, call) } END { print last }' log
}

is "plain calls" "$(stack 101)" "mark third second first main _start "
is "a signal handler, and what it interrupted" "$(stack 102)" "mark third handler main _start "
is "a handler on another stack" "$(stack 103)" "mark third handler main _start "
is "a thread" "$(stack 104)" "mark third second first thread "
like "a thread ends where threads begin" "$(end_of 104)" 'clone|libc\.so\.6\(\)'
is "recursion" "$(stack 105)" "mark $(printf 'recurse %.0s' $(seq 31))main _start "
is "a stack of unknown size" "$(stack 106)" "mark third dynamic main _start "
is "a child process" "$(stack 107)" "mark third second first main _start "
is "a program that was executed" "$(stack 108)" "mark third second first main _start "
# The CFI of glibc's clone3() ends before its syscall, so a walk from there stops.
is "every walk ends where threads begin, or says why" "$(awk '
	/^ >/ { last = $0; next }
	{ if (last != "" && last !~ /_start|clone|libc\.so\.6\(\)|\/ld-linux|> [a-z ]+ \[/) print last; last = "" }' log | sort -u)" ""
is "the log has only frames and calls" "$(grep -cvE '^( > |[0-9]+ )' log)" 0

"$TRACER" -k --stack-trace-frame-limit=2 -e trace=close -o log "$WORK/bin/stacks"
is "--stack-trace-frame-limit" "$(awk -v n=0 '/^ >/ { if (shown && /\(/) n++; next } { shown = index($0, "close(-105)") } END { print n }' log)" 2

cp "$WORK/bin/stacks" $'new\nline'
"$TRACER" -k -e trace=close -o log $'./new\nline'
like "a newline in a file's name is as in /proc/PID/maps" "$(grep -m 1 '(main' log)" '/new\\012line\(main\+'

"$TRACER" -k -qq -e trace=exit_group -o log "$WORK/bin/stacks"
is "the stack of a silent exit" "$(grep -A1 '^exit_group' log | tail -n 1 | grep -c '^ > .*exit')" 1

if [ "${ENGINE-}" != bpf ]; then
	program stop
	"$TRACER" -k -f -e trace=none -e signal=STOP -o log "$WORK/bin/stop"
	# The function that makes the call is only named if the library's debug file is installed.
	# Otherwise the name of its caller is checked.
	like "the stack of a stop" "$(grep -A3 -- '--- stopped by SIGSTOP ---' log | tr '\n' ' ')" \
		' --- stopped by SIGSTOP --- *( > [^ ]*libc[^ ]*\(\) [^ ]* *)? > [^ ]*(kill|raise|gsignal)[^ ]*\+'
fi

# A debug file may be anything, even a FIFO. tracer must not open one, because that would wake its
# writer.
if command -v objcopy >/dev/null; then
	cp "$WORK/bin/stacks" piped && : >piped.debug && objcopy --add-gnu-debuglink=piped.debug piped
	rm piped.debug && mkfifo piped.debug
	(: >piped.debug) &
	"$TRACER" -kk -e trace=close -o log ./piped
	is "a pipe in a debug file's place is not opened" "$(kill $! 2>&1 && echo its writer waits)" "its writer waits"
else
	skip "a pipe in a debug file's place is not opened" "there is no objcopy"
fi
