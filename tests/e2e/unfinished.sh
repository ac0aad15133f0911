# SPDX-License-Identifier: LGPL-2.1-or-later
# If a call is still running when tracing ends, the time that it has taken so far counts.
. "$SRC/tests/lib.sh"

mkfifo fifo own
cat fifo 9>&1 >/dev/null &
reader=$!
trap 'kill -9 $reader 2>/dev/null' EXIT
# blocked PID: succeeds if cat waits for a writer in open().
blocked() { grep -q '^State:.S' "/proc/$1/status" && [ "$(readlink "/proc/$1/exe")" = "$cat" ]; }
cat=$(readlink -f "$(command -v cat)")
wait_for 'blocked "$reader"'

# traced OPTION...: traces cat for a moment.
traced() { timeout 60 "$TRACER" -q "$@" --stop-after=1s -p "$reader" 2>err; }
# counts FILE: prints "CALLS NAME for more than 0.1 s" for each row of the table, or the time if it
# is less.
counts() { awk '$2 ~ /^[0-9.]+$/ && $NF != "total" { print $4, $NF, ($2 > 0.1 ? "for more than 0.1 s" : "for " $2 " s") }' "$1"; }

want='1 openat for more than 0.1 s'
traced -c -w -o summary --write-trace=trace --record-stacks=frames
is "-c -w counts the unfinished call" "$(counts summary)" "$want"
"$TRACER" -c -w -o read --read-trace=trace
is "-c -w with a trace counts the unfinished call" "$(counts read)" "$want"
"$TRACER" --format=folded --weight=time -o folded --read-trace=trace
like "folded stacks count the unfinished call" "$(cat folded)" 'openat.*\ [0-9]{6,}$'
"$TRACER" -c --group-by=name -o group --read-trace=trace
like "--group-by counts the unfinished call" "$(cat group)" 'openat'
traced --format=json -o json
is "JSON has the duration of the unfinished call" \
	"$(jq -r 'select(.type == "syscall") | "\(.name) \(.status) \(.duration > 0.1)"' json)" "openat unfinished true"
"$TRACER" --format=json -o json --read-trace=trace
is "JSON from a trace has the duration of the unfinished call" \
	"$(jq -r 'select(.type == "syscall") | "\(.name) \(.status) \(.duration > 0.1)"' json)" "openat unfinished true"
traced -T -o text
like "text shows that the call has not ended" "$(cat text)" 'fifo.* <detached \.\.\.>$'
# The unfinished call counts together with the other calls of its name. Tracing ends when cat waits in open().
timeout 60 "$TRACER" -q -c -w -o summary -P "$PWD/own" --kill-on-exit sh -c ": <>'$PWD/own'; echo \$\$ >pid; exec cat '$PWD/own'" &
wait_for '[ -s pid ]' && wait_for 'blocked "$(cat pid)"' && sleep 0.3
kill -TERM $!
wait $!
is "calls that ended and one that did not share a row" "$(awk '$NF == "openat" { print $4 }' summary)" 2
kill -0 "$reader" && ok "cat still runs" || not_ok "cat still runs"

# The BPF engine does not see the entry of a call that began before tracing.
can_bpf || exit 0
traced --engine=bpf -c -w -o summary
is "--engine=bpf: calls counted in the kernel" "$(counts summary)" "$want"
traced --engine=bpf -c -w --summary-by=path -o summary
like "--engine=bpf: calls that are recorded" "$(awk '$NF == "total" { print $4, ($2 > 0.1) }' summary)" '^1 1$'
traced --engine=bpf --format=json -o json --write-trace=trace
is "--engine=bpf: JSON" "$(jq -r 'select(.type == "syscall") | "\(.name) \(.status) \(.duration > 0.1)"' json)" "openat unfinished true"
"$TRACER" -c -w -o read --read-trace=trace
is "--engine=bpf: a trace" "$(counts read)" "$want"
kill -0 "$reader" && ok "--engine=bpf: cat still runs" || not_ok "--engine=bpf: cat still runs"
