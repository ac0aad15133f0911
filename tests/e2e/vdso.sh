# SPDX-License-Identifier: LGPL-2.1-or-later
# --vdso=off: calls that the vDSO answers become syscalls, in the command and in each program that
# is executed.
. "$SRC/tests/lib.sh"
program vdso

"$TRACER" -f -e trace=clock_gettime -o log "$WORK/bin/vdso" again seen
is "by default the vDSO answers the calls" "$(grep -c clock_gettime log)" 0
for options in "" "-f" "-f -k" "-f --seccomp-bpf" "-ff" "-f -q --write-trace=trace" "-f --kill-on-exit"; do
	rm -f log*
	"$TRACER" --vdso=off $options -e trace=clock_gettime -o log "$WORK/bin/vdso" again hidden >out 2>&1
	is "$options: the program finds no vDSO" $? 0
	is "$options: no message" "$(cat out)" ""
	[[ $options == *write-trace* ]] || is "$options: all calls are seen" "$(cat log* | grep -c '^[0-9 ]*clock_gettime(CLOCK_MONOTONIC')" 10
done
is "a trace has the calls" "$("$TRACER" --read-trace=trace -e trace=clock_gettime 2>&1 | grep -c 'clock_gettime(')" 10
# With a large environment, the auxiliary vector, which tracer changes to hide the vDSO, is many pages
# above the stack pointer.
env=$(seq -f 'VARIABLE%.0f=1' 20000)
env -i $env "$TRACER" --vdso=off -e trace=clock_gettime -o log "$WORK/bin/vdso" hidden
is "a large environment: all calls are shown" "$? $(grep -c '^clock_gettime(' log)" "0 5"
for abi in -m32 -mx32; do
	program vdso $abi 2>/dev/null && "$WORK/bin/vdso$abi" again x 2>/dev/null || {
		skip "$abi" "such programs cannot be built or run here"
		continue
	}
	"$TRACER" -f --vdso=off -e trace=/clock_gettime -o log "$WORK/bin/vdso$abi" again hidden
	is "$abi" "$? $(grep -c 'clock_gettime.*CLOCK_MONOTONIC' log)" "0 10"
done
