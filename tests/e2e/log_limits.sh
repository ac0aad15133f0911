# SPDX-License-Identifier: LGPL-2.1-or-later
# --last writes only the last events: when a process crashes, on SIGUSR1, and at the end.
# --output-limit splits a log into files, but never splits an event.
. "$SRC/tests/lib.sh"

# until_holds CONDITION: waits at most a minute until CONDITION is true.
until_holds() {
	local i

	for ((i = 0; i < 600; i++)); do
		eval "$1" && return
		sleep 0.1
	done
	echo "# never: $1"
}

timeout 60 "$TRACER" --last=2 -o log true 2>stderr
is "--last writes at the end" "$(cat log)" "exit_group(0)                           = ?
+++ exited with 0 +++"
timeout 60 "$TRACER" -k --last=2 -o log true
is "--last writes the stacks of events" "$(grep -cv '^ > ' log) $(grep -c '^ > ' log | sed 's/^[1-9][0-9]*$/some/')" "2 some"
timeout 60 "$TRACER" --last=1000000 -o all true
timeout 60 "$TRACER" -o log true
is "--last writes all events if there are fewer" "$(grep -c . all)" "$(grep -c . log)"

timeout 60 "$TRACER" -f --last=3 -o log sh -c \
	'echo x >/dev/null; sh -c "ulimit -c 0; kill -SEGV \$\$; :"; for i in 1 2 3 4 5 6 7 8; do echo x >/dev/null; done; :' \
	2>stderr
like "--last: a message reports the crash" "$(grep wrote stderr)" \
	": process [0-9]+ was killed by SIGSEGV: wrote the last 3 of [0-9]+ events\$"
like "--last: the events before the crash and at the end" \
	"$(sed -E 's/^[0-9]+ +//; s/[({ =].*//' log | tr '\n' ' ')" "^kill --- \+\+\+ [a-z0-9_]+ exit_group \+\+\+ \$"

timeout -s KILL 90 "$TRACER" --last=4 -o log sleep 60 2>stderr &
tracer=$!
trap 'kill $tracer 2>/dev/null' EXIT
until_holds '[ -n "$(pgrep -f "^sleep 60$" -P "$(pgrep -P $tracer)")" ]'
pid=$(pgrep -P "$tracer")
until_holds 'grep -q clock_nanosleep "/proc/$(pgrep -P $pid)/stack" || grep -q nanosleep "/proc/$(pgrep -P $pid)/wchan"'
kill -USR1 "$pid"
until_holds '[ -s log ]'
is "--last: on SIGUSR1 it writes unfinished calls" "$(grep -c 'nanosleep.* <unfinished ...>$' log) $(grep -c . log)" "1 4"
kill "$(pgrep -P "$pid")"
wait "$tracer"
is "--last: tracing continues after SIGUSR1" "$(tail -n 1 log)" "+++ killed by SIGTERM +++"

# --output-limit keeps at most three files, of at most 8 KiB each.
mkdir -p d
timeout 60 "$TRACER" -k --output-limit=8K,3 -o d/log ls -l /usr >/dev/null
is "--output-limit: the number of files" "$(ls d | sort | tr '\n' ' ')" "log log.1 log.2 "
is "--output-limit: no file is too large" "$(find d -size +16 | wc -l)" 0
is "--output-limit: each file begins with an event" "$(for f in d/*; do head -n 1 "$f"; done | grep -c '^ ')" 0
timeout 60 "$TRACER" --output-limit=4K,99 -o d/parts ls -l /usr >/dev/null
is "--output-limit: together the files are the log" \
	"$(cat $(ls -r -v d/parts*) | sed 's/[( ].*//' | md5sum)" \
	"$(timeout 60 "$TRACER" -o log ls -l /usr >/dev/null; sed 's/[( ].*//' log | md5sum)"
timeout 60 "$TRACER" -k --format=json --output-limit=8K,99 -o d/json ls >/dev/null
is "--output-limit: each file is valid JSON" "$(cat d/json* | python3 -c 'import sys, json
print(len({type(json.loads(line)) for line in sys.stdin}))')" 1
