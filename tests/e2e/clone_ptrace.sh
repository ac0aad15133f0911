# SPDX-License-Identifier: LGPL-2.1-or-later
# A child that is traced only because of CLONE_PTRACE is detached, with a message unless
# quiet=attach.
. "$SRC/tests/lib.sh"
program clone_ptrace

for options in "" "-e quiet=exit"; do
	"$TRACER" $options -e trace=getppid -e signal=none "$WORK/bin/clone_ptrace" 2>&1 |
		sed -E '/^\+\+\+/d; s/[0-9]+/PID/' >got
	is "without -f $options" "$(cat got)" "tracer: Detached unknown pid PID"
done
for options in "-qq" "-e quiet=attach,exit" "-o other" "-f -o other"; do
	is "$options: no message" "$("$TRACER" $options -e trace=none -e signal=none \
		"$WORK/bin/clone_ptrace" 2>&1)" ""
done
