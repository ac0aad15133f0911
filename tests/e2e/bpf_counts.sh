# SPDX-License-Identifier: LGPL-2.1-or-later
# With --engine=bpf, -c counts the calls in the kernel, so no call is lost, however fast the program is.
. "$SRC/tests/lib.sh"
program bpf_counts || exit
can_bpf || exit 0

columns=calls,errors,wall-total,wall-min,wall-max,name
# counts OPTION...: prints the ABI, the name, and the numbers of calls and errors of each row.
counts() {
	"$TRACER" --engine=bpf -f -c -U $columns --format=csv -o log "$@" >stdout 2>stderr || echo "status $?"
	tr -d '"\r' <log | awk -F, '$1 == "syscall" { print $2, $3, $5, $6 }' | sort
}
# recorded OPTION...: prints the same with percentiles. Each call is then recorded, and tracer counts the records.
recorded() { columns=$columns,p50 counts "$@"; }
# times NAME CONDITION: prints whether the times of the row NAME fulfil an awk condition.
times() { tr -d '"\r' <log | awk -F, -v name="$1" "\$3 == name { total = \$7; min = \$8; max = \$9; print ($2) }"; }

calls=1000
counts -e trace=getppid,close,pause "$WORK/bin/bpf_counts" 3 5 $calls >got
# Each process also closes some files, without an error.
is "calls of threads and processes" "$(grep -c -x "$(uname -m) getppid $((15 * calls)) 0" got) $(awk '$2 == "close" { print $4 }' got)" \
	"1 $((15 * calls))"
recorded -e trace=getppid,close,pause "$WORK/bin/bpf_counts" 3 5 $calls >want
same "the same selected calls as tracer counts" got want
counts "$WORK/bin/bpf_counts" 1 2 10 >got
is "numbers without an entry" "$(grep beef got)" "$(uname -m) syscall_0xbeef 4 4"

counts sh -c 'for i in 1 2 3; do /bin/true; done; cat /nowhere; ls /' >got
recorded sh -c 'for i in 1 2 3; do /bin/true; done; cat /nowhere; ls /' >want
same "the same calls as tracer counts" got want
is "execve is counted" "$(awk '$2 == "execve" { print $3 }' got)" 6

counts -d --where='class == file || name in {read, getppid}' sh -c '/bin/true; cat /nowhere; ls /' >got
is "--where with names: counted in the kernel" "$(grep -c 'calls are counted in the kernel' stderr)" 1
recorded --where='class == file || name in {read, getppid}' sh -c '/bin/true; cat /nowhere; ls /' >want
same "--where with names: the same calls as tracer counts" got want

# grouped OPTION...: prints the groups with their numbers of calls and errors.
grouped() {
	"$TRACER" --engine=bpf -f -c --group-by=name,abi,error -U "$columns" --format=csv -o log "$@" sh -c '/bin/true; cat /nowhere; ls /' \
		>stdout 2>stderr || echo "status $?"
	tr -d '"\r' <log | cut -d, -f1-5 | sort
}
columns=calls,errors,name grouped >got
columns=calls,errors,p50,name grouped >want
same "--group-by: the same groups as tracer counts" got want
# tracer must have time to look up the program of each process.
by_program() {
	"$TRACER" -d --engine=bpf -f -c --group-by=exe,cgroup,name -e trace=getppid -U "$columns" --format=csv -o log \
		bash -c 'sleep 0.5; sh -c "sleep 0.5; exit 0"; exec sh -c "sleep 0.5; exit 0"' \
		>stdout 2>stderr || echo "status $?"
	tr -d '"\r' <log | cut -d, -f1-5 | grep -v '^,' | sort
}
columns=calls,errors,name by_program >got
is "--group-by=exe,cgroup: counted in the kernel" "$(grep -c 'calls are counted in the kernel' stderr)" 1
columns=calls,errors,p50,name by_program >want
same "--group-by=exe,cgroup: the same groups as tracer counts" got want
is "--group-by=exe: the programs before and after execve" "$(grep -c getppid got)" \
	"$([[ $(readlink -f /bin/sh) == */bash ]] && echo 1 || echo 2)"
"$TRACER" --engine=bpf -f -c --group-by=pid,tid,name --hist=duration --format=json -o log "$WORK/bin/bpf_counts" 2 4 100 2>stderr
is "--group-by=pid,tid: calls of each thread" "$(grep -c '"tid":[0-9]*,"name":"getppid"},.*"calls":100,' log)" 8
is "--group-by=pid,tid: processes" "$(grep '"name":"getppid"' log | grep -o '"pid":[0-9]*' | sort -u | wc -l)" 2
# The histogram of each row counts all calls of the row.
is "--hist=duration: all calls" "$(sed -nE 's/.*"calls":([0-9]+).*"hist":(.*)/\1 \2/p' log |
	awk '{ n = 0; s = $2; while (match(s, /"count":[0-9]+/)) { n += substr(s, RSTART + 8, RLENGTH - 8); s = substr(s, RSTART + RLENGTH) } if (n != $1) print }')" ""

# Many keys are new at nearly the same time.
"$TRACER" --engine=bpf -f -c --group-by=tid --hist=duration -e trace=getppid,close --format=json -o log "$WORK/bin/bpf_counts" 4 200 3 2>stderr
is "--hist=duration: calls of 800 threads" "$(grep -c '"tid":[0-9]*},.*"calls":8,' log)$(cat stderr)" 800

counts -e trace=clock_nanosleep,nanosleep sh -c 'sleep 0.05; sleep 0.1' >got
is "elapsed times" "$(times "$(awk '{ print $2 }' got)" 'total > 0.15 && min > 0.05 && min < 0.1 && max > 0.1 && max < total')" 1

# Calls that are still running when tracing ends.
sleep 60 &
waits=$!
wait_for 'grep -q "^State:.S" /proc/$waits/status && [ "$(cat /proc/$waits/comm)" = sleep ]'
counts --stop-after=0.3s -p $waits >got
is "a call that began before tracing" "$(awk '{ print $1, $3, $4 }' got) $(times "$(awk '{ print $2 }' got)" 'total > 0.2 && total < 20')" "$(uname -m) 1 0 1"
kill $waits
# On a slow machine, sleep may need several seconds until it makes the call.
for seconds in 0.3 2 10; do
	counts --stop-after=${seconds}s -e trace=clock_nanosleep,nanosleep sleep 12 >got
	[ -s got ] && break
done
is "a call that is still running" "$(awk '{ print $3, $4 }' got) $(times "$(awk '{ print $2 }' got)" 'total > 0 && total < 12')" "1 0 1"

if can_int80; then
	program calls_i386
	counts "$WORK/bin/calls_i386" probe >got
	recorded "$WORK/bin/calls_i386" probe >want
	same "calls of i386" got want
else
	skip "calls of i386" "this kernel has none"
fi
