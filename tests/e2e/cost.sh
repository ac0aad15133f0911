# SPDX-License-Identifier: LGPL-2.1-or-later
# Counts the kernel calls that tracer needs to trace 1,000 calls. A second tracer counts them for a
# long and a short run; the difference excludes start and end.
. "$SRC/tests/lib.sh"
if sanitized; then
	skip "kernel calls" "AddressSanitizer makes some of its own"
	exit
fi
if [ -n "${PREBUILT-}" ]; then
	skip "kernel calls" "an emulated machine is so slow that timers run out within a call"
	exit
fi
program cost

# calls OPTIONS KIND N: prints "COUNT NAME" for each syscall that tracer makes to trace N calls of
# KIND.
calls() {
	"$TRACER" -e signal=none -o calls "$TRACER" $1 -o log "$WORK/bin/cost" "$2" "$3" ||
		echo "# status $?" >&2
	sed -n 's/^\([a-z_0-9]*\)(.*/\1/p' calls | sort | uniq -c
}

# per_thousand OPTIONS KIND: sets cost[NAME] to the number of calls of NAME.
declare -A cost
per_thousand() {
	local n name

	cost=()
	while read -r n name; do
		cost[$name]=$((${cost[$name]-0} + n))
	done < <(calls "$1" "$2" 2000; calls "$1" "$2" 1000 | sed 's/^ */-/')
}

# at_most WHAT NAME PER-CALL: checks that tracing 1,000 calls needs at most 1,000 * PER-CALL calls
# of NAME. 100 more calls are allowed for timers and other processes.
at_most() {
	local got=${cost[$2]-0}

	if [ "$got" -le $(($3 * 1000 + 100)) ]; then
		ok "$1: $2"
	else
		not_ok "$1: $2"
		echo "# $got for 1,000 calls, at most $3,000"
	fi
}

for options in "--wait-spin=off" "-f --wait-spin=off" "-f --wait-spin=off -k"; do
	per_thousand "$options" p
	what="a call without memory, $options"
	is "$what: its kernel calls are counted" "$((${cost[wait4]-0} > 1500))" 1
	# tracer waits, inspects and resumes at the entry and at the exit; -k reads the registers as
	# well.
	at_most "$what" wait4 2
	[[ $options == *-k* ]] && at_most "$what" ptrace 5 || at_most "$what" ptrace 4
	[[ $options == *-k* ]] && at_most "$what" process_vm_readv 1 ||
		at_most "$what" process_vm_readv 0
	at_most "$what" write 1
	other=0
	for name in "${!cost[@]}"; do
		case $name in
		wait4 | ptrace | process_vm_readv | write) ;;
		# The number of these calls depends on time, so a busy machine makes more of them.
		setitimer | rt_sigreturn) [ "${cost[$name]}" -gt 500 ] && other="$name ${cost[$name]}" ;;
		*) [ "${cost[$name]}" -gt 100 ] && other="$name ${cost[$name]}" ;;
		esac
	done
	is "$what: no other kernel calls" "$other" 0
done

per_thousand "-f --wait-spin=off" w
at_most "a buffer" process_vm_readv 1
at_most "a buffer" ptrace 4
per_thousand "-f --wait-spin=off" r
at_most "two strings" process_vm_readv 1
at_most "two strings" ptrace 4
at_most "two strings" write 1
per_thousand "-f --wait-spin=off" v
at_most "33 strings that cross page boundaries" process_vm_readv 2
per_thousand "-f --wait-spin=off -s 4000" v
at_most "33 strings that cross page boundaries, -s 4000" process_vm_readv 2
per_thousand "-f --wait-spin=off" s
at_most "a struct with a pointer" process_vm_readv 1
per_thousand "-f --wait-spin=off" d
at_most "a directory's entries" process_vm_readv 1
per_thousand "-v -e trace=execve --wait-spin=off" e
at_most "an environment" process_vm_readv 2
