# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf -p: all threads are traced, and nothing is left behind in the kernel.
. "$SRC/tests/lib.sh"
program bpf_calls || exit
can_bpf || exit 0

mkfifo end
"$WORK/bin/bpf_calls" wait <end >ready &
app=$!
exec 7>end
trap 'kill -9 $app 2>/dev/null' EXIT
wait_for '[ -s ready ]'
rm -f log
"$TRACER" -f --engine=bpf -e trace=lseek -o log -p $app 2>stderr &
tracer=$!
# The main thread waits for input and makes no calls.
wait_for 'grep -q "needs Linux 6.9" stderr || [ "$(grep -oE "^[0-9]+" log 2>/dev/null | sort -u | wc -l)" -ge 20 ]'
old=$(grep "needs Linux 6.9" stderr)
if [ -n "$old" ]; then
	like "attached: a message counts the threads that are not traced" "$old" ": 20 threads of process $app are not traced: "
else
	is "attached: the log has calls of all threads" "$(grep -oE '^[0-9]+' log | sort -u | wc -l)" 20
fi
ids=$(sed -n 's/^prog_id:\t//p' /proc/$tracer/fdinfo/* 2>/dev/null | sort -u)
[ -n "$ids" ] && ok "the ids of tracer's BPF programs are found" || not_ok "the ids of tracer's BPF programs are found"
kill -INT "$tracer"
wait "$tracer"
is "an interrupt ends tracer with status 130" "$?" 130
wait_for '"$WORK/bin/bpf_calls" gone $ids'
is "no BPF program is left behind" $? 0
is "all threads continue after the interrupt" "$(ls /proc/$app/task | wc -l)" 21
echo >&7
wait "$app"
is "the process ends normally" "$?" 0
