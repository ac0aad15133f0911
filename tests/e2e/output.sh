# SPDX-License-Identifier: LGPL-2.1-or-later
# Where the log is written, and how tracer exits.
. "$SRC/tests/lib.sh"

status() {
	"$TRACER" -o log "$@" >/dev/null 2>&1
	echo $?
}

is "the program's status" "$(status sh -c 'exit 42')" 42
is "status 0" "$(status true)" 0
is "killed by the program's signal" "$(status sh -c 'kill -TERM $$' 2>/dev/null)" 143
is "killed by SIGKILL" "$(status sh -c 'kill -KILL $$' 2>/dev/null)" 137
is "the last line of a killed program" "$(tail -n 1 log)" "+++ killed by SIGKILL +++"

"$TRACER" -o log echo one >/dev/null
"$TRACER" -A -o log echo two >/dev/null
is "-A appends" "$(grep -c '+++ exited' log)" 2
"$TRACER" -o log echo three >/dev/null
is "without it the file is new" "$(grep -c '+++ exited' log)" 1

"$TRACER" -ff -o split sh -c 'true & /bin/true; wait' 2>stderr
is "-ff writes a file a process" "$(ls split.* | wc -l)" 3
is "-ff says nothing else" "$(cat stderr)" ""
is "each file is one process's" "$(cat split.* | grep -c '+++ exited')" 3

"$TRACER" -o '|cat >piped' true
is "a pipe gets all of it" "$(tail -n 1 piped)" "+++ exited with 0 +++"
"$TRACER" -o '!cat >piped2' true
is "an exclamation mark does as well" "$(tail -n 1 piped2)" "+++ exited with 0 +++"

"$TRACER" -qq -e trace=write -o /dev/stdout sh -c 'echo out' | cat >mixed
is "a log and a program that share a pipe take turns" "$(tail -n 1 mixed)" ")                    = 4"
: >mixed
"$TRACER" -qq -A -e trace=write -o mixed sh -c 'echo out' >>mixed
is "so they do in a file" "$(tail -n 1 mixed)" ")                    = 4"
"$TRACER" -qq -e signal=none -e trace=exit_group -o '|true' sh -c 'sleep 0.3; exit' 2>stderr
is "a lost line is told once" "$(wc -l <stderr)" 1

"$TRACER" -e trace=exit_group true 2>stderr
is "without -o it is the standard error" "$(tail -n 1 stderr)" "+++ exited with 0 +++"
"$TRACER" -q -f -e trace=none sh -c '(exit 3); true' 2>stderr
like "with -f lines on it carry the process" "$(grep -m 1 'exited with 3' stderr)" '^\[pid +[0-9]+\] \+\+\+'

echo in | "$TRACER" -o log sh -c 'read x; echo "got $x"; echo err >&2' >stdout 2>stderr
is "the standard input is the program's" "$(cat stdout)" "got in"
is "the standard error is the program's" "$(cat stderr)" err

"$TRACER" -c -o log sh -c 'cat /no/such' 2>/dev/null
like "-c counts" "$(cat log)" '% time +seconds +usecs/call +calls +errors syscall'
is "-c shows no calls" "$(grep -c '(' log)" 0
is "-c ends in a total" "$(tail -n 1 log | awk '{print $1, $NF}')" "100.00 total"

"$TRACER" -ttt -T -o log true
is "every line has its time" "$(grep -cvE '^[0-9]{10}\.[0-9]{6} ' log)" 0
like "calls have theirs" "$(grep brk log | head -n 1)" ' <[0-9]\.[0-9]{6}>$'

"$TRACER" -E TRACED=yes -E HOME -o log sh -c 'echo "$TRACED ${HOME-gone}"' >stdout
is "-E sets and removes" "$(cat stdout)" "yes gone"
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
is "-D: it ignores the signals it would ignore untraced" "$(cat stdout)" "$(cat untraced)"

# The log goes to standard output with -o -, and if no program is run. In the latter case a pager is
# used on a terminal.
is "-o - is standard output" "$("$TRACER" -o - true 2>/dev/null | tail -n 1)" "+++ exited with 0 +++"
"$TRACER" -q -e trace=execve --write-trace=trace true
is "--read-trace writes to standard output" "$("$TRACER" --read-trace=trace 2>/dev/null | tail -n 1)" "+++ exited with 0 +++"
is "and so does its summary" "$("$TRACER" -c --read-trace=trace 2>/dev/null | grep -c execve)" 1
sleep 1000 &
until [ "$(</proc/$!/comm)" = sleep ] && grep -q '^State:.S' /proc/$!/status; do sleep 0.02; done
"$TRACER" --snapshot -p $! >seen 2>err
kill $!
like "and --snapshot" "$(cat err)<$(cat seen)" '^<.*nanosleep\('
if command -v script >/dev/null; then
	is "on a terminal it uses the pager" \
		"$(TRACER_PAGER='sed s/^/seen:/' script -qc "'$TRACER' --color=never --read-trace=trace" /dev/null </dev/null | tail -n 1 | tr -d '\r')" \
		"seen:+++ exited with 0 +++"
	is "unless that is cat" \
		"$(TRACER_PAGER=cat script -qc "'$TRACER' --color=never --read-trace=trace" /dev/null </dev/null | tail -n 1 | tr -d '\r')" \
		"+++ exited with 0 +++"
fi
