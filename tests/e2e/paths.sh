# SPDX-License-Identifier: LGPL-2.1-or-later
# --critical-path finds the critical path of programs that know it: the time of each thread on the
# path differs by at most 2% of the duration. Also, inferred wakers agree with the kernel's.
. "$SRC/tests/lib.sh"
program paths || exit
T="timeout -k 5 60 $TRACER"

# worst PATH TRUTH FIRST: prints the largest difference between the times of a thread, in percent. Time
# that may belong to the thread does not count as a difference. If FIRST is set, the time before and
# after main() belongs to the first thread.
worst() {
	jq -r '"\(.tid) \(.total_time)"' "$1" | awk 'NR == FNR { if ($1) { truth[$1] += $2 / 1e6; either[$1] += $3 / 1e6; if (!main || $1 < main) main = $1 } else all = $2 / 1e6; next }
		{ path[$1] += $2; total += $2 }
		END { for (tid in truth) { d = path[tid] - truth[tid] - (tid == main && first ? total - all : 0); d = (d < 0 ? -d : d > either[tid] ? d - either[tid] : 0) / total * 100; if (d > worst) worst = d }
			printf "%.1f\n", worst }' first="$3" "$2" -
}

# check NAME MODE ENGINE: checks the path of a run. If other programs delayed its threads, tries again.
# If a thread was late each time, the times cannot be checked.
check() {
	local first= got= late i
	case $2 in process | join) first=1 ;; esac
	for i in 1 2 3 4 5 6 7 8; do
		$T -q -f --engine="$3" --critical-path --format=json -o path "$WORK/bin/paths" "$2" >truth
		late=$?
		got=$(worst path truth "$first")
		[ "${got%.*}" -lt 2 ] && break
	done
	if [ $late = 2 ] && [ "${got%.*}" -ge 2 ]; then
		skip "$1 ($3): at most 2% off" "the threads were too late"
	else
		is "$1 ($3): at most 2% off (last: $got%)" "$((${got%.*} < 2))" 1
	fi
	like "$1 ($3): adds up" "$(jq -s 'map(.time_percent) | add' path)" '^(99\.[5-9]|100(\.[0-4]|$))'
}

engines=ptrace
can_bpf >/dev/null && engines="ptrace bpf"
for engine in $engines; do
	check "a chain over futexes" futex $engine
	check "a chain over pipes" pipe $engine
	check "a chain over sockets" socket $engine
	check "a chain of processes" process $engine
	check "fork and join" join $engine
	check "a convoy at a lock" convoy $engine
done

can_bpf || exit 0
# agreement TRACE: prints the waits of at least 1 ms whose waker the kernel reported, as "same" or as
# the call, the cause, and the inferred waker and cause.
agreement() {
	"$TRACER" --read-trace="$1" -q --wakers --format=json >exact
	"$TRACER" --read-trace="$1" -q --wakers=inferred --format=json >inferred
	jq -s -r --slurpfile guessed inferred 'def key: "\(.tid) \(.time) \(.name)";
		($guessed | map(select(.woken_by) | {key: key, value: .woken_by}) | from_entries) as $guess |
		.[] | select(.duration >= 0.001 and .woken_by.inferred == false) | $guess[key] as $g |
		if .woken_by.tid == $g.tid then "same" else "\(.name): \(.woken_by.tid) (\(.woken_by.cause)), inferred \($g.tid) (\($g.cause))" end' exact
}
for mode in futex pipe socket process join convoy; do
	$T -q -f --engine=bpf --write-trace=trace "$WORK/bin/paths" $mode >/dev/null
	agreement trace
done >agreed
$T -q -f --engine=bpf --write-trace=trace sh -c 'for i in 1 2 3; do (sleep 0.01; seq 20000) | sort -n | uniq | wc -l; done; sleep 0.02 & sleep 0.03 & wait' >/dev/null
agreement trace >>agreed
like "the number of waits" "$(wc -l <agreed)" '^ *([5-9][0-9]|[0-9]{3,})$'
is "inferred wakers: at least 95% of the waits over 1 ms agree" "$(awk '/^same/ { n++ } END { print (n >= 0.95 * NR) }' agreed)" 1
grep -v '^same' agreed | sort | uniq -c | sed 's/^/# differs: /'
