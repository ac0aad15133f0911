# SPDX-License-Identifier: LGPL-2.1-or-later
# tracer may change its own scheduling to run on the CPU of a busy tracee. The scheduling of the
# tracee must not change.
. "$SRC/tests/lib.sh"
program near

"$WORK/bin/near" 20000 >plain
is "the program prints two lines" "$(wc -l <plain)" 2
for options in "" "-f" "-f -k" "-f --seccomp-bpf -e trace=getppid" "--wait-spin=off"; do
	"$TRACER" -o log $options "$WORK/bin/near" 20000 >traced
	is "near $options: status" $? 0
	same "near $options: the tracee's policy and affinity" traced plain
	is "near $options: each syscall is shown once" "$(grep -c "getppid(" log)" \
		"$([[ $options == *-f* ]] && echo 25000 || echo 20000)"
done
