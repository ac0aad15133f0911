# SPDX-License-Identifier: LGPL-2.1-or-later
# --io-uring=on shows the requests of an io_uring as calls.
. "$SRC/tests/lib.sh"
program uring

# requests FILE: prints the requests in a log, without the number of the ring.
requests() { grep -ao 'io_uring([0-9]*)#.*' "$1" | sed 's/^[^ ]* //'; }

"$WORK/bin/uring"
[ $? = 77 ] && { skip "io_uring" "this system does not allow it"; exit; }

"$TRACER" -o log "$WORK/bin/uring"
is "by default no requests are shown" "$(requests log)" ""
"$TRACER" --io-uring=on -o log "$WORK/bin/uring"
is "each request is shown once" "$(requests log | sed 's/\b0x[0-9a-f]\{3,\}/ADDRESS/')" 'nop(0) = 0
openat(AT_FDCWD, "/dev/zero", O_RDONLY) = 4
read(4, "\0\0\0\0", 4) = 4
openat(AT_FDCWD, "/nowhere", O_RDONLY) = -1 ENOENT (No such file or directory)
statx(AT_FDCWD, "/nowhere", AT_STATX_SYNC_AS_STAT, STATX_SIZE, ADDRESS) = -1 ENOENT (No such file or directory)
pwrite64(6, "hello", 5, 0) = 5 /* IOSQE_IO_LINK, chain #6 */
read(5, "hello", 5) = 5 /* chain #6 */
timeout({tv_sec=0, tv_nsec=1}, 0, 0) = -1 ETIME (Timer expired)
poll_add(6, POLLOUT) = POLLOUT
pwrite64(fixed(1), "fixed", 5, 0) = 5 /* IOSQE_FIXED_FILE */
close(4) = 0
opcode_250(7, NULL, 3, 0, 0) = -1 EINVAL (Invalid argument)'
"$TRACER" --io-uring=on -o log "$WORK/bin/uring" 10000
is "no request is missing" "$(requests log | grep -c '^pread64(')" 10000

"$TRACER" --io-uring=on -e trace=openat -o log "$WORK/bin/uring"
is "-e trace=" "$(requests log | cut -d' ' -f1-2)" 'openat(AT_FDCWD, "/dev/zero",
openat(AT_FDCWD, "/nowhere",'
# selected SET: prints the number of openat calls and the names of the requests that -e trace=SET
# shows.
selected()
{
	"$TRACER" --io-uring=on -e trace="$1" -o log "$WORK/bin/uring"
	echo "$(grep -c '^openat(' log): $(requests log | cut -d'(' -f1 | xargs)"
}

# The dynamic linker makes these calls. Their number depends on the machine.
"$TRACER" -e trace=openat -o log "$WORK/bin/uring"
calls=$(grep -c '^openat(' log)
is "NAME selects calls and requests" "$(selected openat)" "$calls: openat openat"
is "NAME@syscall selects only calls" "$(selected openat@syscall)" "$calls: "
is "NAME@uring selects only requests" "$(selected openat@uring)" "0: openat openat"
is "a name without a call selects requests" "$(selected poll_add,timeout)" "0: timeout poll_add"
is "! with @uring" "$(selected '!openat,%desc@uring')" "0: nop timeout opcode_250"
is "all@uring selects all requests" "$(selected all@uring)" \
	"0: nop openat read openat statx pwrite64 read timeout poll_add pwrite64 close opcode_250"
is "an ABI selects only calls" "$(selected all@64 | sed 's/.*://')" " "
"$TRACER" --io-uring=on --where='kind == io_uring && name == openat' -o log "$WORK/bin/uring"
is "--where=kind" "$(grep -c '^openat(' log): $(requests log | cut -d'(' -f1 | xargs)" "0: openat openat"
"$TRACER" --io-uring=on --where='name == poll_add' -o log "$WORK/bin/uring"
is "--where with a name without a call" "$(requests log | cut -d'(' -f1)" "poll_add"
"$TRACER" -f --seccomp-bpf --io-uring=on -e trace=openat -o log "$WORK/bin/uring"
is "--seccomp-bpf" "$(requests log | grep -c '^openat(')" 2
"$TRACER" --io-uring=on -P /nowhere -o log "$WORK/bin/uring"
is "-P" "$(requests log | cut -d'(' -f1 | xargs)" "openat statx"
"$TRACER" --io-uring=on --trace-fds=4 -o log "$WORK/bin/uring"
is "--trace-fds" "$(requests log | cut -d'(' -f1 | xargs)" "read close"
"$TRACER" --io-uring=on --where='ret < 0' -o log "$WORK/bin/uring"
is "--where" "$(requests log | cut -d'(' -f1 | xargs)" "openat statx timeout opcode_250"

"$TRACER" -q --io-uring=on --fail-on='kind == io_uring && name == openat && ret < 0' -o log "$WORK/bin/uring" 2>failed
is "--fail-on" "$?, $(grep -o 'io_uring([0-9]*)#4 openat(AT_FDCWD, "/nowhere", O_RDONLY) = -1 ENOENT' failed)" \
	"120, io_uring(3)#4 openat(AT_FDCWD, \"/nowhere\", O_RDONLY) = -1 ENOENT"
"$TRACER" --io-uring=on --stop-on='name == statx' -e trace=openat -o log "$WORK/bin/uring" 2>/dev/null
is "--stop-on a request that is not shown" "$(requests log | wc -l)" 2

"$TRACER" --io-uring=on -c -o log "$WORK/bin/uring"
is "-c counts requests in rows of their own" \
	"$(awk '/io_uring:/ { print $4, $NF }' log | sed 's/io_uring://' | tr '\n' ,)" \
	"1 nop,2 openat,2 read,1 statx,2 pwrite64,1 timeout,1 poll_add,1 close,1 opcode_250,"
"$TRACER" --io-uring=on --fd-report -o log "$WORK/bin/uring"
is "--fd-report knows which descriptors a ring closed" "$(grep -c /dev/zero log)" 0
"$TRACER" --io-uring=on --format=json -o log.json "$WORK/bin/uring"
if python3 -c 'import jsonschema' 2>/dev/null; then
	is "JSON is as the schema says" \
		"$(python3 "$SRC/tests/json_check.py" "$SRC/doc/tracer-json.schema.json" log.json | sed 's/[0-9]* lines/lines/')" \
		"lines, 0 bad"
else
	skip "JSON is as the schema says" "there is no jsonschema for Python"
fi

"$TRACER" --io-uring=on -o log "$WORK/bin/uring" silent
case $? in
77) skip "requests without a completion" "this kernel has no IOSQE_CQE_SKIP_SUCCESS" ;;
*) is "requests without a completion, and a duplicate" "$(grep -ao '#[0-9]* nop.*' log)" \
	'#1 nop(0) = ? /* IOSQE_CQE_SKIP_SUCCESS */
#2 nop(0) = ? /* IOSQE_CQE_SKIP_SUCCESS */
#4 nop(0) = 0
#3 nop(0) = ? /* IOSQE_CQE_SKIP_SUCCESS */' ;;
esac

rm -f trace
"$TRACER" -q --io-uring=on --write-trace=trace "$WORK/bin/uring"
"$TRACER" --io-uring=on --read-trace=trace -o log
is "a recording" "$(requests log | cut -d'(' -f1 | xargs)" \
	"nop openat read openat statx pwrite64 read timeout poll_add pwrite64 close opcode_250"

# The process waits for a byte before it makes 100 requests, 50 through a duplicate of the ring.
rm -f go ready
mkfifo go ready
"$WORK/bin/uring" attach <go >ready &
pid=$!
exec 9>go
read -r <ready
"$TRACER" --io-uring=on -o log -p $pid 2>attached &
tracer=$!
until grep -q attached attached; do kill -0 $tracer || break; sleep 0.01; done
echo >&9
wait $pid $tracer
exec 9>&-
is "a ring that was set up before attaching" "$(requests log | grep -c '^pread64(')" 100
