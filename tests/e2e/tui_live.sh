# SPDX-License-Identifier: LGPL-2.1-or-later
# --tui of a running program: the program continues without tracer.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal.sh"

# When the user quits, the program continues and is not traced any more.
begin 80x24 "'$TRACER' --tui -f sh -c 'echo \$\$ >pid; echo hello; while :; do sleep 0.1; done'"
shows "a running program" '\| live \|.*(wait4|mmap|brk)\('
keys v
shows "its output" '
hello
'
keys v Space
shows "a pause" '\| paused \|'
keys T
shows "its processes" '
 *[0-9]+ +[0-9]+ +[0-9]+ [^$]*- sh -c'
keys z
shows "a folded process" '\+ sh -c'
sleep 1
shows "it stays folded" '\+ sh -c'
keys q
shows "the end of tracer, with the output" 'hello[^$]*status 0'
is "the program continues" "$(sed -n 's/^TracerPid:\t//p' "/proc/$(<pid)/status")" 0
kill "$(<pid)"

# If the terminal disappears, the program continues untraced.
begin 80x24 "'$TRACER' --tui sh -c 'echo \$\$ >pid; while :; do sleep 0.1; done'"
shows "another program" '\| live \|'
tmux -L "tui$server" kill-server
for ((i = 0; i < 100; i++)); do
	[ "$(sed -n 's/^TracerPid:\t//p' "/proc/$(<pid)/status")" = 0 ] && break
	sleep 0.1
done
like "without a terminal, the program continues" "$(sed -n 's/^\(TracerPid\|State\):\t//p' "/proc/$(<pid)/status" | tr '\n' ' ')" '^[SR] [^ ]* 0 $'
kill "$(<pid)"
