# SPDX-License-Identifier: LGPL-2.1-or-later
# --live writes tables of what each thread spends its time in, as text.
. "$SRC/tests/lib.sh"
program live || exit
program bpf_counts || exit

engines=ptrace
can_bpf && engines="ptrace bpf"
tid() { grep -lx "$2" /proc/"$1"/task/*/comm 2>/dev/null | cut -d/ -f5; }
# last FILE: prints the table with the sums since the start.
last() { sed -n '/^total after/,$p' "$1"; }
# sums FILE: adds up the columns CALLS, ERRS and BYTES of a table.
sums() { awk '$1 ~ /^([0-9]+|-)$/ { calls += $5; errors += $6; bytes += $7 } END { print calls, errors, bytes }' "$1"; }

"$WORK/bin/live" 1000 &
pid=$!
wait_for '[ -n "$(tid $pid waiter)" ] && [ -n "$(tid $pid closer)" ] && [ -n "$(tid $pid joiner)" ] && [ -n "$(tid $pid reader)" ] && [ -z "$(tid $pid brief)" ]'
owner=$(tid $pid owner)
waiter=$(tid $pid waiter)

# attached ENGINE: tests --live of a running process.
attached() {
	local engine=$1 tracer

	# A table has the current calls. A busy machine may need several intervals for all of them.
	"$TRACER" --engine=$engine --live=0.2 -p $pid -o $engine.log 2>stderr &
	tracer=$!
	wait_for "grep -qs 'waiter .*lock held by $owner' $engine.log && grep -q 'joiner .*until $waiter ends' $engine.log &&
		  grep -q 'reader .*read(' $engine.log && [ \$(grep -c '^at ' $engine.log) -gt 3 ]"
	kill -INT $tracer
	wait $tracer
	like "$engine: who holds the lock" "$(grep waiter $engine.log)" "futex +[0-9.]+s \[lock held by $owner\] futex\(0x[^$]*FUTEX_WAIT"
	like "$engine: the thread to be joined" "$(grep joiner $engine.log)" "\[until $waiter ends\] futex\("
	like "$engine: a call that waits" "$(grep reader $engine.log)" ' read +[0-9.]+s read\([0-9]+<pipe:\[[0-9]+\]>, '
	[ $engine = ptrace ] || like "$engine: who woke a thread" "$(grep pong $engine.log)" "read\([^$]* \[last woken by $(tid $pid ping)\]"
	is "$engine: a thread waits all the time" "$(grep 'waiter' $engine.log | awk '$4 ~ /%/ { n += $4 + 0 < 95 || $4 + 0 > 105 } END { print (n > 2) }')" 0
	# The numbers of calls depend on the speed of the machine, but not their relations.
	is "$engine: errors and bytes" "$(last $engine.log | awk '
		$3 == "closer" { print "closer", ($6 > 50), ($5 >= $6), $7 }
		$3 == "writer" { print "writer", $6, ($7 >= 1000 || $7 ~ /[KM]/) }' | sort | tr '\n' ' ')" "closer 1 1 0 writer 0 1 "
	like "$engine: the most frequent calls come first" "$("$TRACER" --engine=$engine --live=0.3 -S calls --top=1 --stop-after=1 -p $pid |
		sed -n '/^at/,/^$/p' | sed -n 3,4p)" "^ *$pid +[0-9]+ closer [^$]* 8 more"
	# The threads still run, and nobody traces them.
	is "$engine: the program continues" "$(sed -n 's/^TracerPid:\t//p' /proc/$pid/status)" 0
}

for engine in $engines; do
	can_attach $engine $pid && attached $engine
	"$TRACER" --engine=$engine --live=0.2 -o log "$WORK/bin/live" 1 2>stderr
	is "$engine: the exit status" $? 5
	"$TRACER" --engine=$engine --live=0.1 -e trace=getppid -o log "$WORK/bin/live" 1 2>stderr
	last log >table
	is "$engine: the calls of a thread that has ended are in the sums" "$(sums table)" "50 0 0"
	like "$engine: a filter" "$("$TRACER" --engine=$engine --live=100 -e trace=getppid sh -c "exec '$WORK/bin/live' 1" | last /dev/stdin)" ' 0\.[0-9]*s +50 +0 +0 getppid'
	# The sums are those of -c.
	for what in "close,getppid" "read,write,openat"; do
		"$TRACER" --engine=$engine -f -c -U calls,errors,name --format=csv -e trace=$what -o log "$WORK/bin/bpf_counts" 3 4 100 2>stderr
		want=$(tr -d '"\r' <log | awk -F, '$1 == "syscall" { calls += $5; errors += $6 } END { print calls, errors }')
		"$TRACER" --engine=$engine --live=0.2 --top=100 -e trace=$what -o log "$WORK/bin/bpf_counts" 3 4 100 2>stderr
		is "$engine: the same sums as -c ($what)" "$(last log >table; sums table | cut -d' ' -f1,2)" "$want"
	done
done
kill $pid

# Without --live, the bytes of the same calls are added up by --sum.
"$TRACER" -f -c --group-by=name --sum=bytes -U sum,name --format=csv -e trace=read -o log sh -c 'cat /proc/version; cat /etc/passwd' >/dev/null 2>stderr ||
	"$TRACER" -f -c --group-by=name --sum=bytes --format=csv -e trace=read -o log sh -c 'cat /proc/version; cat /etc/passwd' >/dev/null 2>stderr
want=$(tr -d '"\r' <log | awk -F, '$1 == "read" { print $NF }')
for engine in $engines; do
	"$TRACER" --engine=$engine --live=0.2 -e trace=read -o log sh -c 'cat /proc/version; cat /etc/passwd' >/dev/null 2>stderr
	last log >table
	is "$engine: the same number of bytes as --sum=bytes" "$(sums table | cut -d' ' -f3)" "$want"
done
