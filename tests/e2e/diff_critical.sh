# SPDX-License-Identifier: LGPL-2.1-or-later
# --diff compares the critical paths of two runs: it names the stage of a chain that became slower,
# and the process that waited for it.
. "$(dirname "$0")/../lib.sh"

program diff_critical || exit

record() { timeout 100 "$TRACER" -q $options --write-trace="$1" "${@:2}" >"$1.out" 2>&1 </dev/null; }
between() { timeout 100 "$TRACER" --read-trace="$1" --diff="$2" "${@:3}" >text 2>err </dev/null; }
part() { sed -n "/^$1\$/,/^\$/p" text | sed '1d;/^$/d'; }
# changes: prints "PROGRAM ACTIVITY WAITER CALL INFERRED" for each activity that took at least 0.2 s
# longer or shorter, and the change in seconds without decimals.
changes() {
	jq -rs '(map(select(.type == "diff-thread") | {key: "\(.id)", value: (.b // .a).command}) | from_entries) as $names |
		.[] | select(.type == "diff-critical-time" and ((.b - .a) | fabs) >= 0.2) |
		"\($names["\(.thread)"]) \(.activity) \($names["\(.waiter)"]) \(.waiter_call) \(.inferred) \(((.b - .a) * 2 | round) / 2)"' json
}
sums_agree() {
	jq -s '(.[] | select(.type == "diff-critical-path")) as $p | map(select(.type == "diff-critical-time")) |
		(map(.b) | add) - $p.b.time | fabs < 0.001' json
}

# A chain of three threads over a pipe and a socket pair. The second sleeps longer in the second
# run. A fourth thread also sleeps longer, but is not on the path.
options=-f
record short "$WORK/bin/diff_critical" 100 100 100 50
record long "$WORK/bin/diff_critical" 100 600 100 90
between short long
like "text: the total" "$(part 'Critical path' | head -n 1)" '^  B took [0-9.]+ s longer \([0-9.]+ -> [0-9.]+ s\)$'
like "text: the stage that became slower" "$(part 'Critical path' | sed -n 2p)" \
	'^  \+[0-9.]+ s  \([0-9.]+ -> [0-9.]+ s\)  second: clock_nanosleep \(timer\); third waited for it in re[a-z]* \(inferred\)$'
is "text: the thread that is not on the path" "$(part 'Critical path' | grep -c aside)" 0
between short long --format=json
cp text json
is "json: only the stage that became slower" "$(changes)" "second clock_nanosleep third recvfrom true 0.5"
is "json: the times add up" "$(sums_agree)" true
between long short --format=json
cp text json
is "json: the stage that became faster" "$(changes)" "second clock_nanosleep third recvfrom true -0.5"
if python3 -c 'import jsonschema' 2>/dev/null; then
	"$SRC/tests/json_check.py" "$SRC/doc/tracer-diff.schema.json" json >checked 2>&1
	is "json: schema" "$?" 0
else
	skip "json: schema" "python3 has no jsonschema"
fi

# A build with two steps. The second step becomes slower.
cat >make.sh <<'S'
for step in 0.1 "$1"; do
	sleep "$step"
done
:
S
record one sh make.sh 0.1
record two sh make.sh 0.6
between one two
like "a child that became slower" "$(part 'Critical path' | sed -n 2p)" \
	'^  \+[0-9.]+ s .* sleep 0\.[16]: clock_nanosleep \(timer\); sh waited for it in wait[a-z0-9]+ \(inferred\)$'

# Traces without wakers, and options that hide calls.
options=
record one sh make.sh 0.1
record two sh make.sh 0.6
between one two
is "recorded without -f" "$(part 'Critical path' | grep -c 'does not show which threads ended its waits: it was recorded without -f$')" 2
like "recorded without -f: the wait" "$(part 'Critical path' | grep -m1 '^  [+-]')" '^  \+[0-9.]+ s .* sh make.sh 0.1: wait[a-z0-9]+( \([a-z]+\))?$'
between short long -e trace=read
is "-e trace=" "$(grep 'critical path' text)" "The critical paths are unknown, because -e trace= hides calls."
is "-e trace=: no section" "$(grep -c '^Critical path$' text)" 0
between short long -e trace=read --format=json
is "json: -e trace=" "$(grep -c '"diff-critical' text)" 0

# The kernel reports wakers.
options='-f --engine=bpf'
if record short "$WORK/bin/diff_critical" 100 100 100 50 && record long "$WORK/bin/diff_critical" 100 600 100 90; then
	between short long
	like "wakers that the kernel reported" "$(part 'Critical path' | sed -n 2p)" \
		'^  \+[0-9.]+ s .* second: clock_nanosleep \(timer\); third waited for it in recvfrom( \(inferred\))?$'
else
	skip "wakers that the kernel reported" "$(head -n 1 short.out)"
fi
