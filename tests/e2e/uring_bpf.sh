# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf shows the requests of an io_uring as --engine=ptrace does, also those that a thread of
# the kernel takes from the queue (IORING_SETUP_SQPOLL).
. "$SRC/tests/lib.sh"
program uring

# requests FILE: prints the requests in a log, without the comment "punted", which only BPF adds.
requests() { grep -ao 'io_uring([0-9]*)#.*' "$1" | sed 's/\b0x[0-9a-f]\{3,\}/ADDRESS/; s|, punted \*/| */|; s| /\* punted \*/||'; }
# recorded NAME COMMAND...: checks that a recording gives the same output as live tracing.
recorded()
{
	local name=$1

	shift
	rm -f trace
	traced -f -k -yy --write-trace=trace "$@" || return
	"$TRACER" -f -k -yy --io-uring=on --read-trace=trace -o read
	same "$name" read log
	like "$name: there are requests" "$(grep -c 'io_uring([0-9]*)#' log)" '^[1-9]'
}
# traced OPTION...: traces with BPF.
traced() { timeout -k 5 60 "$TRACER" --engine=bpf --io-uring=on -o log "$@"; }
# each N: checks that the log of N reads contains each of them, or counts it as lost.
each() {
	local shown lost

	shown=$(grep -ao 'io_uring([0-9]*)#[0-9]* pread64(' log | sort -u | wc -l)
	lost=$(sed -n 's/^--- lost \([0-9]*\) events\?: [^(]*$/\1/p' log | awk '{ n += $1 } END { print n + 0 }')
	is "$2" "$((shown + lost)) $(requests log | grep '^pread64' | grep -cv '^pread64(4, "\\0", 1, 0) = 1$')" "$1 0"
}

"$WORK/bin/uring"
[ $? = 77 ] && { skip "io_uring" "this system does not allow it"; exit; }
if ! traced true 2>stderr; then
	skip "requests with --engine=bpf" "$(cat stderr)"
	exit
fi

"$TRACER" --io-uring=on -o log "$WORK/bin/uring"
requests log >ptrace
traced "$WORK/bin/uring"
is "the same requests as with ptrace" "$(requests log)" "$(cat ptrace)"
like "statx is executed by a worker thread" "$(grep -a ' statx(' log)" 'punted \*/$'
traced "$WORK/bin/uring" sqpoll
is "requests that a thread of the kernel takes" "$(requests log)" "$(cat ptrace)"
traced -e trace=pread64 "$WORK/bin/uring" 10000
each 10000 "no request is missing"
traced -e trace=pread64 "$WORK/bin/uring" sqpoll 10000
each 10000 "no request of a kernel thread is missing"
traced -e trace=%file -k "$WORK/bin/uring"
# The compiler may have inlined the function that main() calls.
is "-e trace=, and the stack of the submitting thread" \
	"$(grep -a -A3 'io_uring' log | sed -n 's/^io_uring([0-9]*)#[0-9]* \([a-z]*\)(.*/\1/p; s/^ > .*\/uring(\(main\)+.*/\1/p' | xargs)" \
	"openat main openat main statx main"

"$TRACER" --io-uring=on -o log "$WORK/bin/uring" silent
case $? in
77) skip "requests without a completion" "this kernel has no IOSQE_CQE_SKIP_SUCCESS" ;;
*)
	grep -ao '#[0-9]* nop.*' log | sort >ptrace
	traced "$WORK/bin/uring" silent
	is "requests without a completion" "$(grep -ao '#[0-9]* nop.*' log | sort)" "$(cat ptrace)"
	;;
esac

for abi in -m32 -mx32; do
	program uring_kinds $abi 2>/dev/null && "$WORK/bin/uring_kinds$abi" plain 2>/dev/null || {
		skip "the requests of ${abi#-}" "such programs cannot be built or run here"
		continue
	}
	for kind in plain multishot buffers direct chain; do
		"$TRACER" -qq --io-uring=on -o log "$WORK/bin/uring_kinds$abi" $kind
		requests log | sort >ptrace
		traced -qq "$WORK/bin/uring_kinds$abi" $kind
		is "the requests of ${abi#-}: $kind" "$(requests log | sort)" "$(cat ptrace)"
	done
done
program uring_kinds
recorded "a recording" "$WORK/bin/uring"
recorded "a recording of requests that a thread of the kernel takes" "$WORK/bin/uring" sqpoll
recorded "a recording of several threads" "$WORK/bin/uring_kinds" threads
for kind in multishot shared direct; do
	"$WORK/bin/uring_kinds" $kind
	case $? in
	77) skip "a recording: $kind" "this kernel does not support it" ;;
	*) recorded "a recording: $kind" "$WORK/bin/uring_kinds" $kind ;;
	esac
done
# The reader can show requests and names that the recorder was not asked to show.
rm -f trace
traced -qq -e trace=none --write-trace=trace "$WORK/bin/uring"
"$TRACER" -qq --io-uring=on -y -e trace=pwrite64,statx@uring --read-trace=trace -o read
is "a recording shows requests that were not shown live" \
	"$(requests log | wc -l): $(requests read | sed 's/^[^ ]* //; s/pipe:\[[0-9]*\]/PIPE/' | cut -d, -f1 | xargs)" \
	"0: statx(AT_FDCWD<$PWD> pwrite64(6<PIPE> pwrite64(fixed(1)"
"$TRACER" --info --read-trace=trace >info
like "--info counts requests" "$(cat info)" $'\nrequests   12 of io_urings\n'
"$TRACER" -qq --write-trace=plain -e trace=none -o log true
is "a recording without requests cannot show them" \
	"$("$TRACER" --io-uring=on --read-trace=plain 2>&1)" \
	"tracer: --io-uring=on cannot be used with this trace, which was recorded without it"
