# SPDX-License-Identifier: LGPL-2.1-or-later
# tracer may change its own scheduling to run on the CPU of a busy tracee. The scheduling of the
# tracee must not change.
. "$SRC/tests/lib.sh"
program cpu_follow

"$WORK/bin/cpu_follow" 20000 >plain
is "the program prints two lines" "$(wc -l <plain)" 2
for options in "" "-f" "-f -k" "-f --seccomp-bpf -e trace=getppid" "--wait-spin=off"; do
	"$TRACER" -o log $options "$WORK/bin/cpu_follow" 20000 >traced
	is "follow a tracee, $options: status" $? 0
	same "follow a tracee, $options: the tracee's policy and affinity" traced plain
	is "follow a tracee, $options: each syscall is shown once" "$(grep -c "getppid(" log)" \
		"$([[ $options == *-f* ]] && echo 25000 || echo 20000)"
done
