# SPDX-License-Identifier: LGPL-2.1-or-later
# i386 calls are shown as in strace 7.2 (calls_i386.expect).
. "$SRC/tests/lib.sh"
if [ "$(uname -m)" != x86_64 ]; then
	skip "i386's calls" "this machine has none"
	exit
fi
program calls_i386

if ! "$WORK/bin/calls_i386" probe 2>stderr; then
	skip "i386's calls" "this kernel has none"
	exit 0
fi
"$TRACER" -v -a1 -e inject=all@32:retval=5 -o log "$WORK/bin/calls_i386" </dev/null >stdout 2>stderr
sed '0,/syscall_0xbeef(/d' log | "$SRC/tests/mask" >got
if [ -n "${UPDATE-}" ]; then
	cp got "$SRC/tests/e2e/calls_i386.expect" && ok "i386's calls: written"
else
	same "i386's calls" got "$SRC/tests/e2e/calls_i386.expect"
fi
