# SPDX-License-Identifier: LGPL-2.1-or-later
# For tests of --tui: runs commands in a terminal that tmux provides. To be sourced after lib.sh. Ends
# the test if --tui or tmux is missing.

# has_terminal: returns whether --tui can be tested. Prints a skipped test if not.
has_terminal() {
	if "$TRACER" --tui true 2>&1 | grep -q 'built without ncurses'; then
		skip "the view" "ncurses is not built in"
		return 1
	fi
	tmux -V >/dev/null 2>&1 && return
	skip "the view" "there is no tmux"
	return 1
}

has_terminal || exit 0
export TMUX_TMPDIR=$PWD
server=0
trap 'tmux -L "tui$server" kill-server 2>/dev/null' EXIT
# begin SIZE COMMAND: runs a command in a terminal, which understands UTF-8.
begin() {
	local i

	# On a busy machine, a server sometimes exits while it starts.
	for i in 1 2 3; do
		tmux -L "tui$server" kill-server 2>/dev/null
		server=$((server + 1))
		tmux -L "tui$server" -f /dev/null -u new-session -d -x "${1%x*}" -y "${1#*x}" \
			"$2; echo \"status \$?\"; sleep 60" && return
	done
}
keys() { tmux -L "tui$server" send-keys "$@"; }
text() { tmux -L "tui$server" send-keys -l "$1"; }
# answer KEY TEXT: presses a key that asks for a text, and types the text.
answer() {
	keys "$1"
	text "$2"
	keys Enter
}
# shows NAME REGEX: waits until the screen matches.
shows() {
	local i screen

	for ((i = 0; i < 100; i++)); do
		screen=$(tmux -L "tui$server" capture-pane -p)
		[[ $screen =~ $2 ]] && break
		sleep 0.1
	done
	like "$1" "$screen" "$2"
}
