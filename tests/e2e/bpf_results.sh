# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf: calls that are not shown because of their results or durations are dropped in the kernel.
. "$SRC/tests/lib.sh"
program bpf_results || exit
can_bpf || exit 0

shown() { "$TRACER" --engine="$1" -qqq -e signal=none -o log "${@:2}" "$WORK/bin/bpf_results" 20 2>stderr; "$SRC/tests/mask" <log; }

for options in "-Z" "-z -e trace=getppid,open,openat" "--where=error==ENOENT" "--where=!error&&name==getppid" \
	"--where=ret==-1||ret==-1" "--where=duration>=15ms -e trace=/nanosleep" "--duration=15ms -e trace=/nanosleep" \
	"--duration=10s" "-e status=unfinished" "--where=error==0&&name!=exit_group" "--where=bytes>3" "--where=ret>100000&&ret<1"; do
	# shellcheck disable=SC2086
	shown bpf $options >got
	# shellcheck disable=SC2086
	shown ptrace $options >want
	same "$options: the same calls as with ptrace" got want
done

# pushed CONDITIONS OPTION...: checks which conditions -d lists for the kernel.
pushed() {
	"$TRACER" -d --engine=bpf "${@:2}" -o log true 2>stderr
	is "-d ${*:2}" "$(sed -n 's/^[^:]*: --engine=bpf: //p' stderr)" "$1"
}
pushed "calls are dropped in the kernel unless error" -Z
pushed "calls are dropped in the kernel unless !error && (ret >= 3) && duration >= 1000000ns" --where='ret >= 3 && duration >= 1ms'
pushed "calls are dropped in the kernel unless (error || ret <= 5) && duration <= 2000000000ns" --where='ret <= 5' --duration=,2s
pushed "calls are dropped in the kernel unless !error" --where='error == 0'
pushed "calls are dropped in the kernel unless error" --where='!(error == 0)'
pushed "calls are dropped in the kernel unless !error && (ret >= 1025)" --where='bytes > 1K'
pushed "calls are dropped in the kernel unless (error || ret <= 4095)" --where='bytes < 4K'
pushed "calls are counted in the kernel" -c
pushed "" --where='name == read || ret == 5'

# While tracer is stopped, its smallest buffers hold only a part of these calls.
cat >program.sh <<EOF2
kill -STOP \$PPID
"$WORK/bin/bpf_results" 100000
kill -CONT \$PPID
EOF2
timeout 60 "$TRACER" --engine=bpf --buffer-size=1M -f -e trace=getppid,open,openat --where='error && path == "/nosuch"' -o log sh program.sh 2>stderr
is "dropped calls do not fill the buffers" "$(grep -c nosuch log) $(grep -c lost log stderr | tr '\n' ' ')" "50 log:0 stderr:0 "
"$TRACER" --engine=bpf -k -Z -o log "$WORK/bin/bpf_results" 20 2>stderr
is "stacks are complete" "$(grep -c '> .*(main' log)" 50
