# SPDX-License-Identifier: LGPL-2.1-or-later
# Traces with calls that -e inject= has tampered with.
. "$SRC/tests/traces/lib.sh"

# Calls that were tampered with are marked. Tampering also works if a run is only recorded.
cat >tampered.sh <<'S'
trap : USR1
read -r line </etc/hostname
cd /tmp && cd /
ls / >/dev/null
umask 7
S
for inject in fault=%file:when=20+7 openat:error=ENOENT:when=4 umask:retval=7 read:poke_exit=@arg2=41:when=3+ \
	chdir:poke_enter=@arg1=2f612f6200:when=1 close:delay_exit=2000:when=2 fcntl:signal=USR1:when=1 \
	umask:retval=0:syscall=getpid; do
	[[ $inject == fault=* ]] || inject=inject=$inject
	timeout 100 "$TRACER" -f -e "$inject" -o live --write-trace=trace bash tampered.sh >out 2>err </dev/null
	"$TRACER" -f -o read --read-trace=trace 2>>err
	is "$inject: the trace shows the same" "$(cmp live read 2>&1) $(grep -c Segm err)" " 0"
	like "$inject: the injection took place" "$(cat live)" "INJECTED|DELAYED|SIGUSR1"
	timeout 100 "$TRACER" -f -e "$inject" --write-trace=trace bash tampered.sh >out 2>err </dev/null
	"$TRACER" -f -o read --read-trace=trace
	is "$inject: the injection took place while only recording" "$(grep -oE '(INJECTED|DELAYED)[^=]*|SIGUSR1 ' read | sort | uniq -c)" \
		"$(grep -oE '(INJECTED|DELAYED)[^=]*|SIGUSR1 ' live | sort | uniq -c)"
done
