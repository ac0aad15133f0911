# SPDX-License-Identifier: LGPL-2.1-or-later
# Checks where the log is written, and how tracer exits.
. "$SRC/tests/lib.sh"

status() {
	"$TRACER" -o log "$@" >/dev/null 2>&1
	echo $?
}

is "the program's status" "$(status sh -c 'exit 42')" 42
is "the program's status 0" "$(status true)" 0
is "tracer ends by the program's signal" "$(status sh -c 'kill -TERM $$' 2>/dev/null)" 143
is "killed by SIGKILL" "$(status sh -c 'kill -KILL $$' 2>/dev/null)" 137
is "the last line of a killed program" "$(tail -n 1 log)" "+++ killed by SIGKILL +++"

"$TRACER" -o log echo one >/dev/null
"$TRACER" -A -o log echo two >/dev/null
is "-A appends" "$(grep -c '+++ exited' log)" 2
"$TRACER" -o log echo three >/dev/null
is "without -A the file is overwritten" "$(grep -c '+++ exited' log)" 1

"$TRACER" -ff -o split sh -c 'true & /bin/true; wait' 2>stderr
is "-ff writes a file per process" "$(ls split.* | wc -l)" 3
is "-ff prints no messages" "$(cat stderr)" ""
is "-ff: each file has one process" "$(cat split.* | grep -c '+++ exited')" 3

"$TRACER" -o '|cat >piped' true
is "-o '|COMMAND': the command gets the whole log" "$(tail -n 1 piped)" "+++ exited with 0 +++"
"$TRACER" -o '!cat >piped2' true
is "-o '!COMMAND': the command gets the whole log" "$(tail -n 1 piped2)" "+++ exited with 0 +++"

"$TRACER" -qq -e trace=write -o /dev/stdout sh -c 'echo out' | cat >mixed
is "a log and a program that share a pipe write in order" "$(tail -n 1 mixed)" ")                    = 4"
: >mixed
"$TRACER" -qq -A -e trace=write -o mixed sh -c 'echo out' >>mixed
is "a log and a program that share a file write in order" "$(tail -n 1 mixed)" ")                    = 4"
"$TRACER" -qq -e signal=none -e trace=exit_group -o '|true' sh -c 'sleep 0.3; exit' 2>stderr
is "a lost line is reported once" "$(wc -l <stderr)" 1

"$TRACER" -e trace=exit_group true 2>stderr
is "without -o the log goes to standard error" "$(tail -n 1 stderr)" "+++ exited with 0 +++"
"$TRACER" -q -f -e trace=none sh -c '(exit 3); true' 2>stderr
like "with -f the lines on standard error have the pid" "$(grep -m 1 'exited with 3' stderr)" '^\[pid +[0-9]+\] \+\+\+'

echo in | "$TRACER" -o log sh -c 'read x; echo "got $x"; echo err >&2' >stdout 2>stderr
is "the program gets standard input" "$(cat stdout)" "got in"
is "with -o, only the program writes to standard error" "$(cat stderr)" err

"$TRACER" -c -o log sh -c 'cat /no/such' 2>/dev/null
like "-c counts the calls" "$(cat log)" '% time +seconds +usecs/call +calls +errors syscall'
is "-c shows no calls" "$(grep -c '(' log)" 0
is "the table of -c ends with a total" "$(tail -n 1 log | awk '{print $1, $NF}')" "100.00 total"

"$TRACER" -ttt -T -o log true
is "every line has its time" "$(grep -cvE '^[0-9]{10}\.[0-9]{6} ' log)" 0
like "every call has its time" "$(grep brk log | head -n 1)" ' <[0-9]\.[0-9]{6}>$'

"$TRACER" -E TRACED=yes -E HOME -o log sh -c 'echo "$TRACED ${HOME-gone}"' >stdout
is "-E sets and removes variables" "$(cat stdout)" "yes gone"
"$TRACER" --argv0=somebody -o log sh -c 'echo "$0"' >stdout
is "--argv0" "$(tr '\0' ' ' <stdout)" somebody

sh -c 'ls /proc/self/fd' >untraced
"$TRACER" -o log sh -c 'ls /proc/self/fd' >stdout
is "no descriptor leaks into the program" "$(tr '\n' ' ' <stdout)" "$(tr '\n' ' ' <untraced)"

# With -D, the program is not a child of tracer.
"$TRACER" -D -o log sh -c 'echo $PPID' >stdout
is "-D: the program is a child of the caller" "$(cat stdout)" "$$"
(trap '' USR1; "$TRACER" -D -o log grep SigIgn /proc/self/status) >stdout
(trap '' USR1; grep SigIgn /proc/self/status) >untraced
is "-D: the program ignores the same signals as untraced" "$(cat stdout)" "$(cat untraced)"

# The log goes to standard output with -o -, and if no program is run. In the latter case a pager is
# used on a terminal.
is "-o - is standard output" "$("$TRACER" -o - true 2>/dev/null | tail -n 1)" "+++ exited with 0 +++"
"$TRACER" -q -e trace=execve --write-trace=trace true
is "--read-trace writes to standard output" "$("$TRACER" --read-trace=trace 2>/dev/null | tail -n 1)" "+++ exited with 0 +++"
is "-c with --read-trace writes to standard output" "$("$TRACER" -c --read-trace=trace 2>/dev/null | grep -c execve)" 1
sleep 1000 &
until [ "$(</proc/$!/comm)" = sleep ] && grep -q '^State:.S' /proc/$!/status; do sleep 0.02; done
"$TRACER" --snapshot -p $! >seen 2>err
kill $!
like "--snapshot writes to standard output" "$(cat err)<$(cat seen)" '^<.*nanosleep\('
if command -v script >/dev/null; then
	is "on a terminal, --read-trace uses the pager" \
		"$(TRACER_PAGER='sed s/^/seen:/' script -qc "'$TRACER' --color=never --read-trace=trace" /dev/null </dev/null | tail -n 1 | tr -d '\r')" \
		"seen:+++ exited with 0 +++"
	is "on a terminal, TRACER_PAGER=cat means no pager" \
		"$(TRACER_PAGER=cat script -qc "'$TRACER' --color=never --read-trace=trace" /dev/null </dev/null | tail -n 1 | tr -d '\r')" \
		"+++ exited with 0 +++"
fi
