# SPDX-License-Identifier: LGPL-2.1-or-later
# The CPU times in -c belong to the calls of each thread. wait4(2) would return the CPU time of the whole process and of
# the children for which it has waited, and would attribute a child's CPU time to the parent's wait4.
. "$SRC/tests/lib.sh"
cat >script <<'E2'
import os, threading, time
def busy():
    with open("/dev/zero", "rb", 0) as f:
        end = time.monotonic() + 0.4
        while time.monotonic() < end: f.read(1 << 20)
pid = os.fork()
if not pid:
    busy()
    os._exit(0)
os.wait4(pid, 0)
t = threading.Thread(target=busy)
t.start()
time.sleep(0.4)
t.join()
E2
# usecs FILE CALL: prints the microseconds of CPU time of a call, or 0.
usecs() { awk -v call="$2" '$NF == call { n = $2 * 1000000 } END { printf "%d", n }' "$1"; }
check() {
	local reads

	reads=$(usecs "$1" read)
	is "$1: read has CPU time" "$((reads > 50000))" 1
	for call in wait4 clock_nanosleep; do
		is "$1: $call has less than a tenth of it" "$(($(usecs "$1" $call) * 10 < reads))" 1
	done
}
timeout 60 "$TRACER" -f -q -c -o live python3 script
is "status" $? 0
check live
timeout 60 "$TRACER" -f -q --write-trace=trace python3 script
timeout 60 "$TRACER" --read-trace=trace -c -o recorded
check recorded
# The kernel estimates the time that wait4(2) returns from the clock tick, so it is often 0 in short programs.
for i in 1 2 3 4 5 6 7 8; do
	timeout 60 "$TRACER" -f -c -o short true
	is "short program, run $i" "$(awk '$NF == "total" { print ($2 > 0) }' short)" 1
done
