# SPDX-License-Identifier: LGPL-2.1-or-later
# Memory contents after a call are shown as in strace 7.2, whatever the result of the call (answered.expect).
. "$SRC/tests/lib.sh"
program answered

if [ "$(uname -m)" != x86_64 ] || ! "$WORK/bin/answered" probe 2>stderr; then
	skip "calls answered" "no seccomp filter can have them answered here"
	exit 0
fi
"$TRACER" -a1 -e write=all -e read=all -o log "$WORK/bin/answered" </dev/null >stdout 2>stderr
sed '1,/syscall_0xbeef(/d' log | "$SRC/tests/mask" >got
if [ -n "${UPDATE-}" ]; then
	cp got "$SRC/tests/e2e/answered.expect" && ok "calls answered: written"
else
	same "calls answered" got "$SRC/tests/e2e/answered.expect"
fi
