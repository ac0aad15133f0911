# SPDX-License-Identifier: LGPL-2.1-or-later
# --tui --output-limit: the oldest part of the temporary trace is dropped.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal.sh"

like "a limit for another trace" "$("$TRACER" --tui --output-limit=1M --write-trace=x true 2>&1)" 'are mutually exclusive'
begin 80x24 "'$TRACER' --tui --output-limit=1M dd if=/dev/urandom of=/dev/null bs=4096 count=60000 status=none"
# screen_has TEXT: returns whether the screen contains a text.
screen_has() { tmux -L "tui$server" capture-pane -p | grep -qF -e "$1"; }
wait_for 'screen_has dropped'
shows "a dropped part" '\| (live|ended) \| oldest [0-9]+ MB dropped'
wait_for 'screen_has "| ended |"'
shows "the end of the program" '^[0-9,]+ calls, [0-9]+ failed \| ended \| oldest [0-9]+ MB dropped.*exited with 0'
keys g
shows "the start of the rest" '
 +[0-9]+\.[0-9]+ +[0-9]+ (read|write|---)'
keys T
shows "the process of the rest" '
 *[0-9]+ +[0-9]+ +[0-9]+ [^$]* dd'
keys q
shows "the end" 'status 0'
