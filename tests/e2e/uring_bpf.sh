# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf shows the requests of an io_uring as --engine=ptrace does, also those that a thread of
# the kernel takes from the queue (IORING_SETUP_SQPOLL).
. "$SRC/tests/lib.sh"
program uring

# requests FILE: the lines of requests in a log, which BPF can extend by "punted".
requests() { grep -ao 'io_uring([0-9]*)#.*' "$1" | sed 's/0x[0-9a-f]*/ADDRESS/; s|, punted \*/| */|; s| /\* punted \*/||'; }
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
