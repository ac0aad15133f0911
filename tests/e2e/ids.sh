# SPDX-License-Identifier: LGPL-2.1-or-later
# Ids of another pid namespace are shown as in strace 7.2 (ids.expect).
. "$SRC/tests/lib.sh"
program ids

if ! "$WORK/bin/ids" probe 2>stderr; then
	skip "ids" "no pid namespace can be made here"
	exit 0
fi
calls=getpgrp,getpgid,getsid,setsid,setpgid,kill,tgkill,wait4,waitid,sched_getparam
calls=$calls,getpriority,ioprio_get,ptrace,fcntl,kcmp
"$TRACER" -f -y -a1 --decode-pids=comm,pidns -e trace=$calls -e signal=none -e quiet=exit,attach \
	-o log "$WORK/bin/ids" </dev/null >stdout 2>stderr
# Drop the lines of the first process, which only waits, because they depend on timing.
sed -E "0,/setpgid/!s/^[0-9]+<ids> //; t; d" log |
	sed -E "/^(<\.\.\. )?wait4\(?[0-9]{3,}|resumed/d; s,/\* [0-9]+ in strace,/* OURS in strace,g" >got
if [ -n "${UPDATE-}" ]; then
	cp got "$SRC/tests/e2e/ids.expect" && ok "ids: written"
else
	same "ids" got "$SRC/tests/e2e/ids.expect"
fi
