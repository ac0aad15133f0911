# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf: calls that are not shown because of their arguments are dropped in the kernel.
. "$SRC/tests/lib.sh"
can_bpf || exit 0

# shown ENGINE EXPRESSION COMMAND...: prints the calls that match.
shown() { "$TRACER" --engine="$1" -f -qqq -e signal=none -o log --where="$2" "${@:3}" >stdout 2>stderr; "$SRC/tests/mask" <log; }

# shellcheck disable=SC2016
script='exec 5</etc/passwd 6>&5; read -r a <&5; cat /etc/passwd /nowhere; dd if=/etc/passwd bs=7 skip=3 count=5'
for where in 'fd == 5' 'fd in {5, 6} || name == openat' 'name == read && count < 100' 'name == read && count == 7' \
	'name == mmap && prot has PROT_EXEC' 'name == mmap && flags has MAP_FIXED|MAP_PRIVATE && prot == PROT_READ' \
	'name == fcntl && op == F_GETFD' 'fd > 3 && !error' 'dirfd == AT_FDCWD && error' 'dirfd == -100' 'dirfd < -100' \
	'!(fd == 5) && name == read' 'nr == 1 && fd == 1 || fd == 5' 'whence == SEEK_CUR' 'fd == 5 && fd == 6' 'fd == 4294967301' 'bytes == 7 && fd == 1'; do
	shown bpf "$where" bash -c "$script" >got
	shown ptrace "$where" bash -c "$script" >want
	same "$where: the same calls as with ptrace" got want
done

# pushed TEXT OPTION...: checks what -d prints about the arguments that are compared in the kernel.
pushed() {
	"$TRACER" -d --engine=bpf "${@:2}" -o log true 2>stderr
	is "-d ${*:2}" "$(sed -n 's/^[^:]*: --engine=bpf: \(arguments of [0-9]*\).*/\1/p' stderr)" "$1"
}
pushed "arguments of 1" --where='name == read && fd == 3'
pushed "arguments of 2" --where='name in {read, write} && count > 1M'
pushed "" --where='name == read && fd != 3'
pushed "" --where='name == read && fd == 3 || name == read && count == 1'
pushed "" -e raw=read --where='name == read && fd == 3'
# --fail-on checks all calls, so none may be dropped in the kernel.
pushed "" --where='name == read && fd == 3' --fail-on='error == ELOOP'

# While tracer is stopped, its smallest buffers hold only a part of these calls.
cat >program.sh <<EOF2
kill -STOP \$PPID
dd if=/dev/zero of=/dev/null bs=1 count=200000
kill -CONT \$PPID
EOF2
timeout 100 "$TRACER" --engine=bpf --buffer-size=1M -f -e trace=read,write --where='fd == 2' -o log sh program.sh 2>stderr
is "dropped calls do not fill the buffers" "$(grep -c 'write(2' log) $(grep -c lost log stderr | tr '\n' ' ')" "3 log:0 stderr:0 "

if can_int80; then
	program calls_i386
	shown bpf 'fd == 0 || fd == 1' "$WORK/bin/calls_i386" probe >got
	shown ptrace 'fd == 0 || fd == 1' "$WORK/bin/calls_i386" probe >want
	same "calls of i386" got want
else
	skip "calls of i386" "this kernel has none"
fi
