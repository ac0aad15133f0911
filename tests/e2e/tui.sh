# SPDX-License-Identifier: LGPL-2.1-or-later
# --tui: browses a trace and a running program in a terminal, which tmux provides. Bad terminals are refused.
. "$SRC/tests/lib.sh"

like "two reports" "$("$TRACER" --tui -c true 2>&1)" 'are mutually exclusive'
if "$TRACER" --tui true 2>&1 | grep -q 'built without ncurses'; then
	skip "the view" "ncurses is not built in"
	exit
fi
# The manual lists all keys of the help.
missing=$(sed -nE 's/^KEY\([A-Z_]+, .*"([^"]+)", *$|^KEY\([A-Z_]+, [^"]*"([^"]+)", ".*/\1\2/p' "$SRC/tui/keys.def" |
	while IFS= read -r key; do grep -qF -e ".It Li \"$key\"" -e ".It Li \"\\&$key\"" "$SRC/tracer.1" || echo "$key"; done)
is "keys that are missing in the manual" "$missing" ""
like "no terminal" "$(setsid "$TRACER" --tui true 2>&1 </dev/null)" '^[^:]*: --tui: there is no terminal$'
if ! tmux -V >/dev/null 2>&1; then
	skip "the view" "there is no tmux"
	exit
fi

export TMUX_TMPDIR=$PWD
server=0
trap 'tmux -L "tui$server" kill-server 2>/dev/null' EXIT
# begin SIZE COMMAND: runs a command in a terminal.
begin() {
	tmux -L "tui$server" kill-server 2>/dev/null
	server=$((server + 1))
	tmux -L "tui$server" -f /dev/null new-session -d -x "${1%x*}" -y "${1#*x}" "$2; echo \"status \$?\"; sleep 60"
}
keys() { tmux -L "tui$server" send-keys "$@"; }
text() { tmux -L "tui$server" send-keys -l "$1"; }
# shows NAME REGEX: waits until the screen matches.
shows() {
	local i screen

	for ((i = 0; i < 80; i++)); do
		screen=$(tmux -L "tui$server" capture-pane -p)
		[[ $screen =~ $2 ]] && break
		sleep 0.1
	done
	like "$1" "$screen" "$2"
}

# shellcheck disable=SC2016
"$TRACER" -f -k --write-trace=trace sh -c 'cat /nosuch1; /bin/true; cat /etc/passwd /nosuch2; exit 3' >/dev/null 2>&1
begin 80x24 "'$TRACER' --tui --read-trace=trace"
shows "a trace" ' calls, [0-9]+ failed \| sh -c'
shows "its first call" 'execve\("[^"]*sh"'
shows "a stack" ' > [^ ]+\('
keys s; text nosuch1; keys Enter
shows "a search" 'thread [0-9]+, at [^,]*, took [^$]*nosuch1'
keys e
shows "the next error" 'took [^$]*= -1 E'
keys /; text 'name == "openat" && error == ENOENT && path == "/nosuch*"'; keys Enter
shows "a filter" '2 calls, 2 failed \| filter: [^$]*nosuch1[^$]*nosuch2'
keys u
shows "no filter" 'failed \| sh -c'
keys /; text 'nosuchfield == 1'; keys Enter
shows "a bad filter" 'unknown field .nosuchfield.'
keys T
shows "the processes" 'sh -c cat[^$]*cat /nosuch1[^$]*exited with 1'
keys Escape
keys G
shows "the end" 'exited with 3'
tmux -L "tui$server" resize-window -x 20 -y 5
shows "a small screen" '^[^$]{0,120}$'
keys q
shows "the end of tracer" 'status 0'

begin 80x24 "TERM=dumb '$TRACER' --tui --read-trace=trace"
shows "a terminal without cursor" '--tui: this terminal \(TERM\) cannot move the cursor'
begin 80x24 "TERM=nosuch '$TRACER' --tui --read-trace=trace"
shows "an unknown terminal" '--tui: the terminal type \(TERM\) is unknown'

# A program that runs. When the user quits, it continues and is not traced any more.
begin 80x24 "'$TRACER' --tui sh -c 'echo \$\$ >pid; echo hello; while :; do sleep 0.1; done'"
shows "a running program" '\| live \|.*wait4'
keys v
shows "its output" '
hello
'
keys v Space
shows "a pause" '\| paused \|'
keys q
shows "the end of tracer, with the output" 'hello[^$]*status 0'
is "the program continues" "$(sed -n 's/^TracerPid:\t//p' "/proc/$(<pid)/status")" 0
kill "$(<pid)"

# The terminal disappears.
begin 80x24 "'$TRACER' --tui sh -c 'echo \$\$ >pid; while :; do sleep 0.1; done'"
shows "another program" '\| live \|'
tmux -L "tui$server" kill-server
for ((i = 0; i < 100; i++)); do
	[ "$(sed -n 's/^TracerPid:\t//p' "/proc/$(<pid)/status")" = 0 ] && break
	sleep 0.1
done
like "without a terminal, the program continues" "$(sed -n 's/^\(TracerPid\|State\):\t//p' "/proc/$(<pid)/status" | tr '\n' ' ')" '^[SR] [^ ]* 0 $'
kill "$(<pid)"
