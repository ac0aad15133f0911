# SPDX-License-Identifier: LGPL-2.1-or-later
# --tui: browses a trace in a terminal, which tmux provides. Bad terminals are refused.
. "$SRC/tests/lib.sh"

like "two reports" "$("$TRACER" --tui -c true 2>&1)" 'are mutually exclusive'
# The manual lists all keys of the help.
missing=$(sed -nE 's/^KEY\([A-Z_]+, .*"([^"]+)", *$|^KEY\([A-Z_]+, [^"]*"([^"]+)", ".*/\1\2/p' "$SRC/tui/keys.def" |
	while IFS= read -r key; do grep -qF -e ".It Li \"$key\"" -e ".It Li \"\\&$key\"" "$SRC/tracer.1" || echo "$key"; done)
is "keys that are missing in the manual" "$missing" ""
. "$SRC/tests/terminal.sh"
like "no terminal" "$(setsid "$TRACER" --tui true 2>&1 </dev/null)" '^[^:]*: --tui: there is no terminal$'

# shellcheck disable=SC2016
"$TRACER" -f -k --write-trace=trace sh -c 'cat /nosuch1; /bin/true; cat /etc/passwd /nosuch2; exit 3' >/dev/null 2>&1
begin 80x24 "'$TRACER' --tui --read-trace=trace"
shows "a trace" ' calls, [0-9]+ failed \| sh -c'
shows "its first call" 'execve\("[^"]*sh"'
shows "a stack" ' > [^ ]+\('
answer s nosuch1
shows "a search" 'thread [0-9]+, at [^,]*, took [^$]*nosuch1'
keys e
shows "the next error" 'took [^$]*= -1 E'
answer / 'name == "openat" && error == ENOENT && path == "/nosuch*"'
shows "a filter" '2 calls, 2 failed \| filter: [^$]*nosuch1[^$]*nosuch2'
keys u
shows "no filter" 'failed \| sh -c'
answer / 'nosuchfield == 1'
shows "a bad filter" 'unknown field .nosuchfield.'
keys T
shows "the processes" 'sh -c cat[^$]*cat /nosuch1[^$]*exited with 1'
keys z
shows "a folded process" '
 *[0-9]+ +[0-9]+ +[0-9]+ +[^ ]+ +\+ sh -c[^
]*
 *
'
keys z Escape G
shows "the end" 'exited with 3'
# The process that is followed has ended before the selected call. Its last calls are shown.
keys T Down Enter
shows "a followed process" 'filter: process [0-9]+ [^$]*exit_group\(1\)'
keys w
shows "no calls are running" 'all calls have ended'
keys w U
tmux -L "tui$server" resize-window -x 20 -y 5
shows "a small screen" '^[^$]{0,120}$'
keys q
shows "the end of tracer" 'status 0'

begin 80x24 "TERM=dumb '$TRACER' --tui --read-trace=trace"
shows "a terminal without cursor" '--tui: this terminal \(TERM\) cannot move the cursor'
begin 80x24 "TERM=nosuch '$TRACER' --tui --read-trace=trace"
shows "an unknown terminal" '--tui: the terminal type \(TERM\) is unknown'
