# SPDX-License-Identifier: LGPL-2.1-or-later
# With -f, processes made with CLONE_UNTRACED are traced, and the program cannot detect it.
. "$SRC/tests/lib.sh"

case $(uname -m) in x86_64) ;; *) skip "CLONE_UNTRACED" "the program is x86_64's"; exit ;; esac
program untraced

is "without -f the children are not traced" \
	"$("$TRACER" -qq -e trace=getppid -e signal=none "$WORK/bin/untraced" 2>&1)" ""
# The options determine whether a thread is resumed before its line is written. Each set of options
# is therefore tried twice: with all calls, and without clone and clone3.
for options in "-f" "-f -k" "-f --seccomp-bpf" "-f --seccomp-bpf -k" "-ff" "-f -Z" "-f -c" "-f -c -w" "-f -C" "-f -y" "-f -v" \
	"-f -P /dev/null" "-f -e inject=getppid:delay_enter=1" "-f -e inject=clone:delay_enter=1" "-f --syscall-limit=100000" \
	"-f --format=json" "-f --blocked=5s" "-f --last=100000" "-f -e trace=clone,clone3,getppid"; do
	for narrow in "" "-e trace=getppid"; do
		[[ $options == *trace=* && $narrow ]] && continue
		what="$options${narrow:+ $narrow}"
		rm -f log*
		timeout 60 "$TRACER" $options $narrow -e signal=none -o log "$WORK/bin/untraced" >out 2>&1
		is "$what: status" "$?" 0
		is "$what: the program sees no change" "$(grep -v 'Process [0-9]* attached$\|Seccomp' out)" ""
		case $options in
		*-P* | *-Z*) ;; # these do not show getppid
		*-c*) is "$what: all children are traced" "$(awk '$NF == "getppid" { print $4 }' log)" 4 ;;
		*) is "$what: all children are traced" "$(cat log* | grep -c 'getppid(\|"getppid"')" 4 ;;
		esac
	done
done
# The same in a trace, and in a log to a pipe.
timeout 60 "$TRACER" -f --write-trace=trace "$WORK/bin/untraced" >out 2>&1
is "--write-trace: all children are traced" "$("$TRACER" --read-trace=trace -e trace=getppid 2>&1 | grep -c 'getppid(')" 4
is "output to a pipe: all children are traced" "$("$TRACER" -f "$WORK/bin/untraced" 2>&1 | grep -c 'getppid(')" 4
"$TRACER" -f -e trace=clone,clone3 -e signal=none -o log "$WORK/bin/untraced"
is "the flag CLONE_UNTRACED is shown" "$(grep -c 'flags=CLONE_.*UNTRACED' log)" 6
