# SPDX-License-Identifier: LGPL-2.1-or-later
# --last with --write-trace, a flight recorder: it writes the last calls as an ordinary trace file
# when a program crashes, on SIGUSR1 and at the end. With --engine=bpf there is one file for each
# control group.
. "$SRC/tests/lib.sh"
program bpf_calls || exit

read_trace() {
	"$TRACER" --read-trace="$1" -f -a1 -o "$2" ${3-} 2>&1
}

# The trace contains the last 40 calls of a program that crashes, and no earlier ones.
cat >crash.sh <<'END'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
	cd /
	cd /usr
done
kill -SEGV $$
END
for engine in ptrace bpf; do
	if [ $engine = bpf ] && ! timeout -k 5 60 "$TRACER" --engine=bpf -o log true 2>stderr; then
		skip "--engine=bpf" "$(cat stderr)"
		exit
	fi
	rm -f crash.*[0-9]
	timeout -k 5 60 "$TRACER" --engine=$engine --last=40 --write-trace=crash.$engine sh crash.sh 2>messages
	is "$engine: the signal that ended the program ends tracer" $? $((128 + 11))
	like "$engine: a message reports the file" "$(cat messages)" \
		'process [0-9]+ was killed by SIGSEGV: wrote the last [0-9]+ of [0-9]+ calls to .crash\.'
	is "$engine: one file is written" "$(ls crash.$engine.*)" "crash.$engine.1"
	is "$engine: the file is a complete trace" "$(read_trace crash.$engine.1 log -v)" ""
	calls=$(grep -cE '^[0-9 ]*[a-z0-9_]+\(' log)
	[ "$calls" -ge 40 ] && [ "$calls" -le 50 ] && ok "it has the last calls" ||
		not_ok "it has the last calls" "$calls"
	like "$engine: the trace has the end of the program" "$(tail -1 log)" '\+\+\+ killed by SIGSEGV'
	like "$engine: the trace has the call that ended it" "$(tail -4 log)" 'kill\('
	# Names of descriptors and threads are in the trace.
	like "$engine: threads have names" "$(read_trace crash.$engine.1 log --decode-pids=comm; head -1 log)" '<sh>'
	rm -f end.*
	timeout -k 5 60 "$TRACER" --engine=$engine --last=20 --write-trace=end -k sh -c 'cd /; cd /usr' 2>messages
	read_trace end.1 log -k
	like "$engine: at the end, with stacks" "$(grep -A3 'chdir("/usr")' log)" ' > .*chdir'
done
timeout -k 5 60 "$TRACER" --last=40 "--write-trace=|cat" true 2>messages
like "a pipe is refused" "$?:$(cat messages)" '^1:.*--last writes traces to files'

# On SIGUSR1, the last calls of each group are written, however many calls the other groups make.
groups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
if [ -z "$groups" ]; then
	groups=$PWD/groups
	mkdir groups && mount -t cgroup2 none groups 2>/dev/null && mounted=1 || groups=/no
fi
one=$groups/tracer-one.$$ two=$groups/tracer-two.$$
if ! mkdir "$one" "$two" 2>/dev/null; then
	skip "two control groups" "cannot be created here"
	exit
fi
rm -f flight.*
"$TRACER" --engine=bpf --cgroup="$one" --cgroup="$two" --last=1000 --write-trace=flight 2>messages &
tracer=$!
# The engine sees calls once its BPF programs are attached. Each of them has a perf event in /proc.
wait_for 'ls -l /proc/$tracer/fd 2>/dev/null | grep -q "bpf.*link"'
(echo "$BASHPID" >"$two/cgroup.procs" && exec /bin/pwd >/dev/null)
(echo "$BASHPID" >"$one/cgroup.procs" && exec "$WORK/bin/bpf_calls" count 2 2 5000 >/dev/null)
for ((try = 1; try < 100; try++)); do
	kill -USR1 "$tracer"
	wait_for '[ "$(grep -c SIGUSR1 messages)" -gt 0 ]'
	# Repeat until the calls of both groups are in the messages.
	heard=$(sed -nE 's/.* of ([0-9]+) calls to .*tracer-one.*/\1/p' messages | tail -1)
	grep -q "tracer-two" messages && [ "${heard:-0}" -ge 20000 ] && break
	sleep 0.1
done
for f in flight.tracer-two.*; do
	read_trace "$f" log
	cat log
done >two
for f in flight.tracer-one.*; do
	read_trace "$f" log
	cat log
done >all
like "the quiet group's calls are there" "$(cat two)" 'getcwd\('
like "the quiet group's exit is in its trace" "$(cat two)" 'exited with 0'
is "the quiet group's trace has no calls of the busy one" "$(grep -c lseek two)" 0
n=$(grep -c 'lseek(' all)
[ "$n" -ge 900 ] && ok "the busy group's trace has its last calls" || not_ok "the busy group's trace has its last calls" "$n"
is "the busy group's trace has no calls of the quiet one" "$(grep -c getcwd all)" 0
kill -INT "$tracer"
wait "$tracer"
is "an interrupt ends tracer with status 130" $? 130

# Each group has its own kernel buffer. While tracer does not read the buffers, a busy group fills
# only its own buffer.
seen() {
	local f

	kill -USR1 "$tracer"
	for f in flight.tracer-two.*; do
		read_trace "$f" part $stacks >/dev/null && cat part
	done >two
	sed '1,/getcwd(/d' two | grep -q 'exited with'
}
for stacks in "" -k; do
	rm -f flight.*
	"$TRACER" --engine=bpf --buffer-size=1M --cgroup="$one" --cgroup="$two" --last=100000 --write-trace=flight -o log $stacks 2>messages &
	tracer=$!
	wait_for '(echo "$BASHPID" >"$two/cgroup.procs" && exec true); grep -q attached messages'
	kill -STOP "$tracer"
	(echo "$BASHPID" >"$one/cgroup.procs" && exec "$WORK/bin/bpf_calls" count 2 2 20000 >/dev/null)
	(echo "$BASHPID" >"$two/cgroup.procs" && exec /bin/pwd >/dev/null)
	kill -CONT "$tracer"
	wait_for seen
	kill -INT "$tracer"
	wait "$tracer"
	like "a message names the group of a full buffer${stacks:+, with stacks}" "$(grep -Em 1 ' lost [0-9]+ event' log)" \
		'lost [0-9]+ events?: .*the buffer of CPU [0-9]+ for tracer-one\.[0-9]+ was full'
	is "only events of the busy group were lost" "$(grep -E ' lost [0-9]+ event' log | grep -vc 'for tracer-one')" 0
	is "no events of the quiet group were lost" "$(grep -cE ' lost [0-9]+ event' two)" 0
	[ -z "$stacks" ] || like "the quiet group's calls have stacks" "$(grep -A 2 'getcwd(' two)" ' > .*getcwd'
done
rmdir "$one" "$two"
[ -z "${mounted-}" ] || umount groups
