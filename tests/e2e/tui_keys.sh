# SPDX-License-Identifier: LGPL-2.1-or-later
# --tui: the keys that the help lists, and terminals with and without UTF-8.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal.sh"

echo one >grün
# shellcheck disable=SC2016
"$TRACER" -f --write-trace=trace sh -c 'cat grün /nosuch1; sleep 0.3; for i in 1 2 3; do :; done 3</etc/passwd; cat /nosuch2; exit 3' >/dev/null 2>&1
begin 80x24 "LC_ALL=C.UTF-8 '$TRACER' --tui --read-trace=trace"
tmux -L "tui$server" set -s set-clipboard on
copied() { tmux -L "tui$server" show-buffer 2>&1; }
shows "a trace" ' calls, [0-9]+ failed \| sh -c'

answer / 'path == "**/gr*" && name == "openat"'
shows "UTF-8 in calls" '1 call, 0 failed[^$]*openat\(AT_FDCWD, "grün", '
keys U
answer s '"grün"'
shows "a search for UTF-8" 'took [^$]*openat\(AT_FDCWD, "grün"'
keys P
shows "P: a path, as the title shows it" 'filter: /[^$]*openat[^$]*read\(3[^$]*close\(3'
keys u
shows "u: no filter" ' calls, [0-9]+ failed \| sh -c'
answer s 'read(3, "one'
shows "another search" 'took [^
]*
  read\(3, "one'
keys d
shows "d: a descriptor" 'filter: descriptor 3 of [0-9]+ [^$]*read\(3, "one'
keys BSpace x
shows "x: hidden calls" 'filter: -read \|'
keys u o
shows "o: only these calls" 'filter: [a-z]+ \|'
keys U p
shows "p: a process" 'filter: process [0-9]+ \|'
keys u t
shows "t: a thread" 'filter: thread [0-9]+ \|'
keys c
shows "c: copies the call" 'copied, if the terminal allows it'
like "the copied call" "$(copied)" '^[a-z]+\(.*\) = '
# The command lines are read in the background. Until then, a message says so.
for ((i = 0; i < 100; i++)); do
	keys C
	sleep 0.1
	[[ $(copied) == cat* ]] && break
done
shows "C: copies the command" 'copied, if the terminal allows it'
like "the copied command" "$(copied)" "^cat .?grün.? /nosuch1"
keys U g
shows "g: the start" 'execve\("[^$]*\) = 0[^$]*took'

# After a jump, earlier calls can be read.
answer : 0.2
shows "a jump" '
 +0\.[2-9][^$]*'
keys b b b b k
shows "b: back from there" '
 +0\.[01][^$]*'
answer : x
shows "a bad time" 'not a number of seconds'
keys g
answer s /nosuch1
shows "s" 'took [^
]*
[^
]*/nosuch1'
keys n n
# All keys arrive at once, before any row has been read.
keys g G E
shows "E: the last error" 'took [^$]*= -1 E'
keys N
shows "N: the previous error" 'took [^$]*= -1 E'
keys z
shows "z: folded calls" '[0-9]+x [a-z]'
keys z '>'
shows "a long line, scrolled" 'q quit'
keys '<' '?'
shows "the help" 'previous line[^$]*next match'
keys f
shows "the end of the help" 'show these keys[^$]*quit'
keys '?'
keys v
shows "v: a trace has no output" 'does not contain the program.s output'
keys v Space
shows "Space: a trace does not run" 'not a running program'
keys C-l J K Down Up NPage PPage Home End
shows "the last row" 'exited with 3'
keys q
shows "the end of tracer" 'status 0'

begin 80x24 "LC_ALL=C LANG=C '$TRACER' --tui --read-trace=trace --where='path == \"**/gr*\"'"
shows "without UTF-8" 'openat\(AT_FDCWD, "gr\\303\\274n", '
keys q
# The locale is not installed, but it says that the terminal understands UTF-8.
begin 80x24 "LC_ALL=xx_XX.UTF-8 '$TRACER' --tui --read-trace=trace --where='path == \"**/gr*\"'"
shows "a locale that is not installed" 'openat\(AT_FDCWD, "grün", '
keys q
