# SPDX-License-Identifier: LGPL-2.1-or-later
# -Y shows new names of threads at the same time as strace 7.2 (comm.expect), also if calls in
# between are not traced.
. "$SRC/tests/lib.sh"
program comm

: >got
for calls in getppid,chdir,prctl,execve getppid,chdir; do
	"$TRACER" -f -Y -a1 -e trace=$calls -e signal=none -o log "$WORK/bin/comm" 2>stderr
	sed -E '1{/execve/d}; s/^[0-9]+//; s/(getppid\(\)).*/\1/; s/(execve)\(.*\)/\1/' log >>got
done
if [ -n "${UPDATE-}" ]; then
	cp got "$SRC/tests/e2e/comm.expect" && ok "names: written"
else
	same "names of threads" got "$SRC/tests/e2e/comm.expect"
fi
