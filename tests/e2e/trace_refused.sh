# SPDX-License-Identifier: LGPL-2.1-or-later
# Operations on traces that are refused: a one-line message gives the reason, and the status is 1.
. "$SRC/tests/traces/lib.sh"

timeout 100 "$TRACER" -f --write-trace=trace true 2>err
refused() {
	timeout 20 "$TRACER" "${@:2}" >out 2>err
	is "refused: ${*:2}" "$? $(sed "s,^[^:]*: ,," err | head -n 1)" "1 $1"
}
refused "--symbolize=trace is the trace that is being read" --read-trace=trace --symbolize=trace
refused "-k/--stack-trace cannot be used with --symbolize" --read-trace=trace --symbolize=x -k
refused "-p/--attach cannot be used with --symbolize" --read-trace=trace --symbolize=x -p 1
refused "PROG [ARGS] cannot be used with --read-trace" --read-trace=trace true
refused "-k/--stack-trace: the trace has no stacks; record it with -k or --record-stacks=HOW" --read-trace=trace -k
refused "-e inject=, -e fault= cannot be used with --read-trace" --read-trace=trace -e fault=read
refused "--from requires --read-trace=FILE" --from=+1 true
refused "--record-stacks requires --write-trace" --record-stacks=raw true
refused "--record-stacks cannot be used with --read-trace" --read-trace=trace --record-stacks=raw
refused "invalid --record-stacks argument: 'x'" --write-trace=x --record-stacks=x true
refused "invalid --to argument: '1.x'" --read-trace=trace --to=1.x
refused "-b/--detach-on cannot be used with --read-trace" --read-trace=trace -b execve
refused "-e read= cannot be used with this trace, which was recorded without it" --read-trace=trace -e read=3
