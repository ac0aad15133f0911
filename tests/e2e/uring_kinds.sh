# SPDX-License-Identifier: LGPL-2.1-or-later
# --io-uring=on with each kind of ring, and with requests that differ from calls.
. "$SRC/tests/lib.sh"
program uring_kinds

"$WORK/bin/uring_kinds" plain
[ $? = 77 ] && { skip "io_uring" "this system does not allow it"; exit; }

# requests FILE: prints the requests in a log, without the number of the ring.
requests() { grep -ao 'io_uring([0-9]*)#.*' "$1" | sed 's/^[^ ]* //'; }

# kind NAME TEXT [sort]: checks that the requests of `uring_kinds NAME` are shown as TEXT. With `sort`, their order is not
# checked, because it depends on the kernel's version.
kind()
{
	"$TRACER" -qq -f --io-uring=on -o log "$WORK/bin/uring_kinds$abi" "$1" 2>&1
	case $? in
	77) skip "$1$abi" "this kernel does not support it" ;;
	*) is "$1$abi" "$(requests log | sed 's/0x[0-9a-f]\{3,\}/ADDRESS/' | "${3:-cat}")" "$("${3:-cat}" <<<"$2")" ;;
	esac
}
# Each request reads a different number of bytes.
reads() { seq "$1" "$2" | sed 's/.*/pread64(-1, ADDRESS, &, 0) = -1 EBADF (Bad file descriptor)/'; }

multishot='accept4(4, NULL, NULL, 0) = 6
accept4(4, NULL, NULL, 0) = 8
poll_add(7, POLLOUT) = POLLOUT
poll_remove(0x1, 0, 0) = 0
poll_add(7, POLLOUT) = -1 ECANCELED (Operation canceled)
async_cancel(0, -1, 0) = 0
accept4(4, NULL, NULL, 0) = -1 ECANCELED (Operation canceled)'
buffers='provide_buffers(ADDRESS, 8, 2, 0, 7) = 0
recvfrom(4, NULL, 0, 0, NULL, NULL) = 3 /* IOSQE_BUFFER_SELECT */
recvfrom(4, NULL, 0, 0, NULL, NULL) = 5 /* IOSQE_BUFFER_SELECT */
remove_buffers(1, 7) = 0'
direct='openat(AT_FDCWD, "/dev/zero", O_RDONLY) = fixed(2)
pread64(fixed(2), "\0\0\0\0", 4, 0) = 4 /* IOSQE_FIXED_FILE */
close(fixed(2)) = 0
openat(AT_FDCWD, "/dev/null", O_RDONLY) = 4'
chain='nop(0) = 0 /* IOSQE_IO_LINK, chain #1 */
pread64(-1, ADDRESS, 2, 0) = -1 EBADF (Bad file descriptor)
pread64(-1, ADDRESS, 1, 0) = -1 EBADF (Bad file descriptor) /* IOSQE_IO_LINK, chain #1 */
nop(0) = -1 ECANCELED (Operation canceled) /* chain #1 */'

for abi in "" -m32 -mx32; do
	program uring_kinds $abi 2>/dev/null && "$WORK/bin/uring_kinds$abi" plain 2>/dev/null || {
		skip "${abi#-}" "such programs cannot be built or run here"
		continue
	}
	kind plain "$(reads 1 24)"
	kind registered "$(reads 1 24)"
	kind no_mmap "$(reads 1 24)"
	kind multishot "$multishot" sort
	kind buffers "$buffers"
	kind direct "$direct"
	kind chain "$chain" sort
done
abi=
for name in no_sqarray sqe128 cqe32 registered_only; do
	kind $name "$(reads 1 24)"
done
kind threads "$(reads 1 24; reads 1 24)"
kind copied "$(reads 1 24)"
kind resize "$(reads 1 1; reads 1 24)"
kind shared "$(reads 1 3)"
is "a child uses the ring of its parent" "$(grep -a 'io_uring(' log | cut -d' ' -f1 | uniq | wc -l)" 3
"$TRACER" --io-uring=on --fd-report -o log "$WORK/bin/uring_kinds" direct
is "--fd-report: a direct descriptor is not left open" "$(grep -c /dev/zero log) $(grep -c /dev/null log)" "0 1"

"$TRACER" --io-uring=on -o log "$WORK/bin/uring_kinds" many 2>said
if [ $? = 77 ]; then
	skip "more rings than tracer reads" "the limit of descriptors cannot be set"
else
	is "more rings than tracer reads: a message" "$(requests log) $(grep -o "io_uring: .*" said)" \
		" io_uring: some requests may be missing or have no result, because there were more than 1024 descriptors of rings"
fi

# The process waits for a byte after it has registered its ring, and then makes 24 requests in 8 calls.
rm -f go ready
mkfifo go ready
"$WORK/bin/uring_kinds" registered_before <go >ready &
pid=$!
exec 9>go
if read -r <ready; then
	"$TRACER" --io-uring=on -o log -p $pid 2>attached &
	tracer=$!
	until grep -q attached attached; do kill -0 $tracer || break; sleep 0.01; done
	echo >&9
	wait $pid $tracer
	is "a ring that was registered before attaching: one message" "$(requests log) $(sed 's/^[^:]*: //; /^Process/d' attached)" \
		" The requests of registered io_uring 0 of process $pid are not shown: the ring was registered before tracer attached to the thread"
else
	skip "a ring that was registered before attaching: one message" "this kernel does not support it"
fi
exec 9>&-

# Without /proc, the memory of a ring is not found if the ring's descriptor is unknown.
if unshare -m mount -t tmpfs none /proc 2>/dev/null; then
	unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$TRACER" --io-uring=on -o log "$WORK/bin/uring_kinds" copied 2>said
	like "a ring whose memory is not found" "$(requests log) $(grep "^${TRACER##*/}: " said)" '^ .*The requests of io_uring [0-9]* of process [0-9]* are not shown: the memory of the ring was not found$'
else
	skip "a ring whose memory is not found" "no mount namespaces"
fi
