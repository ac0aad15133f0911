# SPDX-License-Identifier: LGPL-2.1-or-later
# --seccomp-bpf shows the same events with a fraction of the stops.
. "$SRC/tests/lib.sh"
program cost

cat >script <<EOF
cd /
"$WORK/bin/cost" r 3 & wait
(cd /tmp; "$WORK/bin/cost" p 1000)
exit 3
EOF

# log OPTIONS: prints the log's lines by process. $status is tracer's status.
log() {
	"$TRACER" -f $1 -e signal=none -o log sh ./script 2>stderr
	status=$?
	sed -E 's/0x[0-9a-f]+/ADDR/g; s/^[0-9]+ +//' log | sort
}

# Newer machines have no rename(2), and riscv64 has no renameat(2). rename(3) makes another call
# there.
for options in "-e trace=chdir,?rename,?renameat,renameat2" "-e trace=chdir,?rename,?renameat,renameat2 -k" \
	"-e trace=execve,exit_group" \
	"-e inject=?rename,?renameat,renameat2:error=EIO -e trace=?rename,?renameat,renameat2"; do
	log "$options" >plain
	is "$options: status" "$status" 3
	log "--seccomp-bpf $options" >filtered
	is "$options, filtered: status" "$status" 3
	is "$options: something is shown" "$(($(wc -l <plain) > 5))" 1
	same "$options: the same lines" filtered plain
	is "$options: no message" "$(cat stderr)" ""
	log "--seccomp-bpf -D $options" >filtered
	is "$options, filtered, -D: status" "$status" 3
	for _ in {1..100}; do
		[ "$(grep -c '+++ exited' log)" -lt "$(grep -c '+++ exited' plain)" ] || break
		sleep 0.1
	done
	sed -E 's/0x[0-9a-f]+/ADDR/g; s/^[0-9]+ +//' log | sort >filtered
	same "$options, -D: the same lines" filtered plain
done

"$TRACER" -e trace=wait4 -e signal=none -o waits \
	"$TRACER" -f --seccomp-bpf --wait-spin=off -e trace=chdir -o log "$WORK/bin/cost" p 1000
is "a syscall that is not traced does not stop" "$(($(wc -l <waits) < 100))" 1

stops() { "$TRACER" -d -f --seccomp-bpf "$@" -o log true 2>&1 >/dev/null | sed -nE 's/.*--seccomp-bpf: calls with ([0-9]+) of [0-9]+ .*; calls with ([0-9]+) other .*/\1 \2/p'; }
is "-d: one more call stops" "$(($(stops --where='name in {openat, close}' | cut -d' ' -f1) - $(stops --where='name == openat' | cut -d' ' -f1)))" 1
like "-d: calls that stop only with certain arguments" "$(stops -e trace=chdir)" '^[0-9]+ [1-9]'

"$TRACER" --seccomp-bpf -e trace=chdir -o log true 2>stderr
is "without -f" "$(sed 's/^[^:]*: //' stderr)" \
	"--seccomp-bpf cannot be used without -f/--follow-forks, disabling"
