# SPDX-License-Identifier: LGPL-2.1-or-later
# Checks which syscall number, address and unfinished call are shown if a thread becomes the leader by execve.
. "$SRC/tests/lib.sh"
program thread_exec

# shown OPTIONS: prints the lines from the thread's execve on.
shown() {
	"$TRACER" -f -a1 -e trace=execve,exit_group "$@" -o log "$WORK/bin/thread_exec" 2>stderr
	sed -E 's/^([0-9]+)( +)/\1 /; s/execve\(.* vars \*\//execve(/' log | "$SRC/tests/mask" |
		grep -vF 'execve() = 0'
}

# the numbers of execve and exit_group
case $(uname -m) in
x86_64) one=59 two=231 ;;
*) one=221 two=94 ;;
esac
is "-n: the number of execve" "$(shown -n)" \
	"P2 [$(printf '%4d' $one)] execve( <pid changed to P1 ...>
P1 [$(printf '%4d' $one)] +++ superseded by execve in pid P2 +++
P1 [$(printf '%4d' $one)] <... execve resumed>) = 0
P1 [$(printf '%4d' $two)] exit_group(5) = ?
P1 [$(printf '%4d' $two)] +++ exited with 5 +++"
is "-e status=detached shows the superseded call" "$(shown -e status=detached)" \
	"P1 execve( <pid changed to P2 ...>
P2 +++ superseded by execve in pid P1 +++
P2 +++ exited with 5 +++"
is "-e status=detached with -ff" "$("$TRACER" -ff -a1 -e trace=execve -e status=detached -o split \
	"$WORK/bin/thread_exec" 2>stderr; cat split.* | grep -c 'pid changed to')" 1
# The line about the superseded thread is its last line. Only the process exits.
for option in -z -Z; do
	is "$option: the superseded thread has no end of its own" "$(shown $option | grep -v 'exit_group\|execve')" \
		"P1 +++ exited with 5 +++"
done

# The address must be the first one of the new program, not one of the old leader.
shown -i >/dev/null
ip=$(sed -nE 's/^[0-9]+ +\[([0-9a-f]+)\] \+\+\+ superseded.*/\1/p' log)
is "-i: the new program's address" "$ip" \
	"$(sed -nE 's/^[0-9]+ +\[([0-9a-f]+)\] <\.\.\. execve resumed.*/\1/p' log)"
