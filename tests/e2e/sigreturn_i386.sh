# SPDX-License-Identifier: LGPL-2.1-or-later
# rt_sigreturn(2) of i386 with a stack pointer that does not point to a signal frame
# (sigreturn_i386.expect).
. "$SRC/tests/lib.sh"
if ! can_int80; then
	skip "i386's rt_sigreturn" "this kernel has no calls of i386"
	exit
fi
program sigreturn_nowhere
"$TRACER" $(<"$SRC/tests/e2e/sigreturn_nowhere.args") -o log "$WORK/bin/sigreturn_nowhere" i386 </dev/null >stdout 2>stderr
sed '0,/syscall_0xbeef(/d' log | "$SRC/tests/mask" >got
if [ -n "${UPDATE-}" ]; then
	cp got "$SRC/tests/e2e/sigreturn_i386.expect" && ok "i386's rt_sigreturn: written"
else
	same "i386's rt_sigreturn" got "$SRC/tests/e2e/sigreturn_i386.expect"
fi
