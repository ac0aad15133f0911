# SPDX-License-Identifier: LGPL-2.1-or-later
# --format=chrome with --wakers: flow events that viewers can draw, and unfinished calls.
. "$SRC/tests/lib.sh"
program wakers || exit
T="timeout -k 5 60 $TRACER"
flows() { python3 "$SRC/tests/e2e/flows.py" "$1" 2>&1; }

$T -f -q --wakers --format=chrome -o chrome "$WORK/bin/wakers"
like "arrows" "$(flows chrome)" '^[5-9] flows$'
$T -f -q --wakers -k --format=chrome -o chrome sh -c '(sleep 0.05; seq 2000) | sort -n | tail -1; sleep 0.1 & wait' >/dev/null
like "arrows between processes, with stacks" "$(flows chrome)" '^[0-9]+ flows$'
if can_bpf >/dev/null; then
	$T --engine=bpf -f -q --wakers --format=chrome -o chrome sh -c '(sleep 0.05; seq 2000) | sort -n | tail -1; sleep 0.1 & wait' >/dev/null
	like "arrows of the kernel's wake-ups" "$(flows chrome)" '^[0-9]+ flows$'
fi
sleep 30 &
asleep=$!
$T -q -p $asleep --stop-after=0.2s --format=chrome -o chrome
kill $asleep
is "an unfinished call" "$(jq -r '.[] | select(.ph == "E") | "\(.name) \(.args.status)"' chrome)" "restart_syscall (unfinished) unfinished"
