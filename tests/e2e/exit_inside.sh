# SPDX-License-Identifier: LGPL-2.1-or-later
# Which call ends others is told before them. No differential test: strace's own order is not always
# this one, and in older versions hardly ever.
. "$SRC/tests/lib.sh"
program exit_inside

"$TRACER" -f -e signal=!SIGCHLD -e trace=pause,exit_group,kill -o log "$WORK/bin/exit_inside"
"$SRC/tests/mask" log >got
if [ -n "${UPDATE-}" ]; then
	cp got "$SRC/tests/e2e/exit_inside.expect" && ok "order: written"
else
	same "what ends a call comes before its end" got "$SRC/tests/e2e/exit_inside.expect"
fi
