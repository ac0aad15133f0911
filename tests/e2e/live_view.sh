# SPDX-License-Identifier: LGPL-2.1-or-later
# --live in a terminal, which tmux provides: keys, sizes, a program that ends, and how it is left.
. "$SRC/tests/lib.sh"
program live || exit

. "$SRC/tests/terminal.sh"
# The manual lists all keys of the help.
missing=$(sed -nE 's/^KEY\([A-Z_]+, .*, "([^"]+)", ".*/\1/p' "$SRC/tui/table_keys.def" |
	while IFS= read -r key; do grep -qF -e ".It Li \"$key\"" -e ".It Li \"\\&$key\"" "$SRC/tracer.1" || echo "$key"; done)
is "keys that are missing in the manual" "$missing" ""
engines=ptrace
can_bpf && engines="ptrace bpf"
tid() { grep -lx "$2" /proc/"$1"/task/*/comm 2>/dev/null | cut -d/ -f5; }

"$WORK/bin/live" 1000 &
pid=$!
wait_for '[ -n "$(tid $pid waiter)" ] && [ -n "$(tid $pid closer)" ] && [ -n "$(tid $pid joiner)" ] && [ -n "$(tid $pid reader)" ] && [ -z "$(tid $pid brief)" ]'
line='[^
]*
'

# attached ENGINE: tests the view of a running process.
attached() {
	local engine=$1 size

	begin 120x30 "'$TRACER' --engine=$engine --live=0.3 -p $pid"
	shows "$engine: the threads" "^9 threads \\| by time \\| last [0-9.]+ s \\| process $pid.*waiter .*lock held by $(tid $pid owner)"
	keys c
	shows "$engine: by calls" "by calls ${line}${line} *$pid +[0-9]+ closer "
	keys e
	shows "$engine: by errors" "by errors ${line}${line} *$pid +[0-9]+ closer "
	keys B
	shows "$engine: by bytes" "by bytes ${line}${line} *$pid +[0-9]+ writer "
	keys n
	shows "$engine: by name" "by name ${line}${line} *$pid +[0-9]+ closer ${line} *$pid +[0-9]+ joiner "
	keys p
	shows "$engine: by pid" "by pid ${line}${line} *$pid +$pid live ${line} *$pid +[0-9]+ owner "
	keys w
	shows "$engine: by wait" "by wait ${line}"
	keys n a
	shows "$engine: sums since the start" 'since the start, [0-9]+ s'
	keys Enter
	shows "$engine: the calls of a thread" '\| closer [0-9]+[^$]*CALL[^$]* [0-9.]+K? +0 close
'
	keys Escape z
	shows "$engine: a process" " *$pid +9 live [^$]*[0-9]+: "
	keys z Space
	shows "$engine: paused" '\| paused \|'
	keys Space '?'
	shows "$engine: the keys" 'Up, k +previous line'
	keys h v
	shows "$engine: no output" 'no output'
	keys v
	for size in 80x24 40x8 20x4 10x3 5x2; do
		tmux -L "tui$server" resize-window -x "${size%x*}" -y "${size#*x}"
		keys Down z G g a z
		sleep 0.2
	done
	shows "$engine: a very small screen" '^.{1,5}
.{0,5}$'
	tmux -L "tui$server" resize-window -x 80 -y 24
	shows "$engine: a screen of 80 columns" '    TID NAME +TIME%?  +CALLS  ERRS  BYTES NOW IN'
	keys q
	shows "$engine: q ends tracer" 'status 0'
	is "$engine: after q, the program continues" "$(sed -n 's/^\(TracerPid\|State\):\t\(.\).*/\2/p' /proc/$pid/status | tr -d '\n')" "S0"
	begin 80x24 "trap : INT; '$TRACER' --engine=$engine --live=0.3 -p $pid"
	shows "$engine: the threads again" 'waiter '
	keys C-c
	shows "$engine: Ctrl-C ends tracer" 'status 0'
	is "$engine: after Ctrl-C, the program continues" "$(sed -n 's/^\(TracerPid\|State\):\t\(.\).*/\2/p' /proc/$pid/status | tr -d '\n')" "S0"
}

for engine in $engines; do
	can_attach $engine $pid && attached $engine
	# The output of a command is kept until tracer ends, and tracer exits with the status of the command.
	begin 80x24 "'$TRACER' --engine=$engine --live=0.3 sh -c 'echo hello; sleep 1; exit 7'"
	shows "$engine: a program that ends" '^ended \|.*since the start'
	keys v
	shows "$engine: its output" '
hello
'
	keys q
	shows "$engine: its status" 'hello
status 7'
	begin 80x24 "'$TRACER' --engine=$engine --live=0.3 sh -c 'kill -KILL \$\$'"
	shows "$engine: a program that is killed" '^ended \|'
	keys q
	shows "$engine: its signal" 'status 137'
	begin 80x24 "'$TRACER' --engine=$engine --live=0.3 sh -c 'echo \$\$ >pid; while :; do sleep 0.1; done'"
	shows "$engine: a program that continues" 'wait4'
	keys q
	shows "$engine: q leaves it" 'status 0'
	is "$engine: it is not traced" "$(sed -n 's/^TracerPid:\t//p' "/proc/$(<pid)/status")" 0
	kill "$(<pid)"
done
# Many threads.
if "$WORK/bin/live" 0 2000 2>/dev/null; [ $? = 5 ]; then
	"$WORK/bin/live" 1000 2000 &
	many=$!
	wait_for '[ "$(ls /proc/$many/task | wc -l)" = 2009 ]'
	for engine in $engines; do
		can_attach $engine $pid || continue
		begin 80x24 "'$TRACER' --engine=$engine --live=0.3 -p $many"
		shows "$engine: 2000 threads" '^2009 threads \|[^$]*%'
		keys w G
		shows "$engine: the last threads" '- *
q quit|s [^
]*
q quit'
		keys z q
		shows "$engine: the end with 2000 threads" 'status 0'
	done
	kill $many
else
	skip "2000 threads" "they cannot be started"
fi
begin 80x24 "'$TRACER' --live -p 99999999"
shows "no such process" 'tracer: [^
]*99999999[^$]*status 1'
begin 80x24 "TERM=dumb '$TRACER' --live -p $pid"
shows "a terminal without cursor" '--live: this terminal \(TERM\) cannot move the cursor; with -o'
kill $pid
