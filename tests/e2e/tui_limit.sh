# SPDX-License-Identifier: LGPL-2.1-or-later
# --tui --output-limit: the oldest part of the temporary trace is dropped.
. "$SRC/tests/lib.sh"
. "$SRC/tests/terminal.sh"

like "a limit for another trace" "$("$TRACER" --tui --output-limit=1M --write-trace=x true 2>&1)" 'are mutually exclusive'
begin 80x24 "'$TRACER' --tui --output-limit=1M dd if=/dev/urandom of=/dev/null bs=4096 count=60000 status=none"
shows "a dropped part" '\| live \| oldest dropped: [0-9]+ MB'
for ((i = 0; i < 20; i++)); do
	tmux -L "tui$server" capture-pane -p | grep -q '| ended |' && break
	sleep 1
done
shows "the end of the program" '^[0-9,]+ calls, [0-9]+ failed \| ended \| oldest dropped[^$]*exited with 0'
keys g
shows "the start of the rest" 'lost [0-9]+ events: a part of the trace is missing'
keys T
shows "the process of the rest" '
 *[0-9]+ +[0-9]+ +[0-9]+ [^$]* dd'
keys q
shows "the end" 'status 0'
