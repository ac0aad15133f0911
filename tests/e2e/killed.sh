# SPDX-License-Identifier: LGPL-2.1-or-later
# If tracer is killed, the program continues, and the log ends with a complete line.
. "$SRC/tests/lib.sh"

# whole: checks that each log ends with a newline. A write that was interrupted may also end at a
# page boundary.
whole() {
	local log size

	for log in log*; do
		size=$(stat -c %s "$log")
		[ $((size % 4096)) -eq 0 ] || [ "$(tail -c 1 "$log" | od -An -c | tr -d ' ')" = '\n' ] ||
			{ echo "$log: $(tail -n 1 "$log")"; return 1; }
	done
}

for options in "" "-f" "-ff" "-f --format=json" "-f --format=chrome" "-f -t -T"; do
	bad=
	for after in 0.02 0.05 0.1 0.15 0.2 0.3; do
		rm -f log* pid done
		"$TRACER" $options -o log sh -c 'echo $$ >pid; n=0; while [ $n -lt 100000 ] && [ ! -e done ]
			do n=$((n + 1)); : <pid; done; : >ended' 2>/dev/null &
		tracer=$!
		until [ -s pid ]; do sleep 0.01; done
		sleep $after
		kill -KILL $tracer
		wait $tracer 2>/dev/null
		pid=$(cat pid)
		[ "$(sed -n 's/^State:.//p' "/proc/$pid/status" 2>/dev/null | cut -c 1)" != t ] ||
			bad+="stopped after $after. "
		: >done
		for _ in {1..6000}; do
			[ -e ended ] && break
			sleep 0.01
		done
		[ -e ended ] || bad+="did not end after $after. "
		rm -f ended
		bad+=$(whole)
	done
	is "killed with ${options:-no option}" "$bad" ""
done

# A blocked call is in the log after a while, although it has not returned.
mkfifo block
"$TRACER" -e trace=?open,openat -P block -o log sh -c ': <block' 2>/dev/null &
tracer=$!
for _ in {1..600}; do
	grep -q 'block' log 2>/dev/null && break
	sleep 0.1
done
like "a call that blocks is in the log" "$(tail -n 1 log)" 'open.*"block", O_RDONLY'
: >block
wait $tracer
like "a call that blocks is completed later" "$(grep block log)" '= [0-9]+$'
