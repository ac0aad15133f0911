# SPDX-License-Identifier: LGPL-2.1-or-later
# Checks a call that ends other threads: the events of each thread, and which events must come first. The
# scheduler decides whether the call returns before or after the exits of the other threads, also
# under strace 7.2. So this compares the log thread by thread, and it is not a differential test.
. "$SRC/tests/lib.sh"
program exit_inside

"$TRACER" -f -e signal=!SIGCHLD -e trace=?pause,?ppoll,exit_group,kill -o log "$WORK/bin/exit_inside"
# Newer machines have no pause(2). There the C library calls ppoll(2), which is only shown
# completely at its exit.
sed -i 's/ppoll(NULL, 0, NULL, NULL, 0/pause(/; s/<\.\.\. ppoll resumed> <unfinished \.\.\.>/<... pause resumed>/
	s/pause( <unfinished \.\.\.>) = ?/pause() = ?/' log
# Replace the thread IDs by numbers in order of appearance, because thread IDs can wrap around.
awk '!($1 in number) { number[$1] = ++threads } {
	if (match($0, /kill\([0-9]+/) && (pid = substr($0, RSTART + 5, RLENGTH - 5)) in number)
		sub(/kill\([0-9]+/, "kill(" number[pid])
	sub(/^[0-9]+/, number[$1])
	print
}' log >numbered && mv numbered log
# Sort by thread, and join the two halves of interrupted lines.
sort -s -n -k1,1 log | sed -E 's/^[0-9]+ +/& /' | awk '
	/<unfinished \.\.\.>$/ { sub(/ <unfinished \.\.\.>$/, ""); held = $0; next }
	held && /<\.\.\. [a-z_]+ resumed>/ { sub(/.*resumed>/, held); held = "" }
	{ gsub(/ +/, " "); print }' | "$SRC/tests/mask" >got
if [ -n "${UPDATE-}" ]; then
	cp got "$SRC/tests/e2e/exit_inside.expect" && ok "threads: written"
else
	same "what each thread did" got "$SRC/tests/e2e/exit_inside.expect"
fi

# line REGEX: prints the number of the first line that matches.
line() { grep -nE -m1 "$1" log | cut -d: -f1; }

# In each process, the call begins before the exit of the thread that it ends, and the leader's exit
# is last.
order=
for leader in $(awk '/ (exit_group\(3|kill\()/ { print $1 }' log); do
	thread=$((leader - 1)) # the thread's call appears first in the log, so the thread has the number before the leader's
	begins=$(line "^$leader +(exit_group|kill)\\(")
	pause_ends=$(line "^$thread +(<\\.\\.\\. pause resumed>|pause\\(\\))")
	thread_ends=$(line "^$thread +\\+\\+\\+")
	leader_ends=$(line "^$leader +\\+\\+\\+")
	[ "$begins" -lt "$pause_ends" ] && [ "$pause_ends" -lt "$thread_ends" ] &&
		[ "$thread_ends" -lt "$leader_ends" ] && order+=" right"
done
is "order of the call and the exits" "$order" " right right right right"
