# SPDX-License-Identifier: LGPL-2.1-or-later
# --format=chrome, folded and stack lines with a real program, and errors in every format.
. "$SRC/tests/lib.sh"
program formats || exit
app=$WORK/bin/formats

# run NAME OPTIONS...: traces the program with these options. The check is named NAME.
run() {
	local name=$1

	shift
	timeout 60 "$TRACER" "$@" "$app" 2>err
	is "$name: status" "$?:$(<err)" 0:
}

run chrome -f -k --format=chrome -o log.chrome
is "chrome: tracks, nested slices and arguments" "$(python3 - log.chrome <<-'EOF'
	import collections, json, sys
	events = json.load(open(sys.argv[1]))
	named = {e["tid"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
	last, slices, calls, within = {}, collections.defaultdict(list), 0, 0
	for e in events:
	    if e["ph"] not in "BE":
	        continue
	    assert e["tid"] in named and e["ts"] >= last.get(e["tid"], 0), e
	    last[e["tid"]] = e["ts"]
	    if e["ph"] == "B":
	        # Otherwise, viewers would show arguments as a part of the name.
	        assert "args" not in e and (not slices[e["tid"]] or slices[e["tid"]][-1]["cat"] == "function"), e
	        slices[e["tid"]].append(e)
	        continue
	    begin = slices[e["tid"]].pop()
	    assert (begin["name"], begin["cat"]) == (e["name"], e["cat"]), (begin, e)
	    if e["cat"] == "syscall":
	        assert isinstance(e["args"]["args"], dict) and begin["ts"] < e["ts"] and slices[e["tid"]], e
	        calls += 1
	        within += "reader" in [s["name"] for s in slices[e["tid"]]] and e["name"] == "read"
	assert not any(slices.values())
	instants = sorted(e["name"].rstrip("0123456789") if "forked" in e["name"] else e["name"]
	                  for e in events if e["ph"] == "i")
	print(len(named), calls > 50, within, instants)
EOF
)" "3 True 50 ['SIGCHLD', 'SIGUSR1', 'execve', 'exited with 0', 'exited with 0', 'exited with 3', 'forked ', 'forked ']"
is "chrome: a function with several calls is one slice" \
	"$(grep -c '"ph":"B".*"name":"reader"' log.chrome)" 1
head -n -1 log.chrome | head -c -2 >cut.chrome
is "chrome: a truncated log can be read" \
	"$( (cat cut.chrome; echo '}]') | python3 -c 'import json, sys; print(len(json.load(sys.stdin)) > 50)')" True

run folded -f --format=folded -o log.folded
is "folded: no other lines" "$(grep -vcE '^formats(;[^;]+)+;[a-z0-9_]+ [1-9][0-9]*$' log.folded)" 0
is "folded: main is a frame of fork and raise" \
	"$(grep -E '^formats;(.+;)?main;[^;]*;?_*(libc_)?[fF]ork|^formats;.*;main;.*raise.* ' log.folded | wc -l | sed 's/^[1-9][0-9]*$/some/')" some
is "folded: 50 reads in the thread" "$(sed -n 's/.*;reader;.*;read \([0-9]*\)$/\1/p' log.folded)" 50
run "folded bytes" -f --format=folded --weight=bytes -o log.folded
is "folded: 50 bytes in the thread" "$(sed -n 's/.*;reader;.*;read \([0-9]*\)$/\1/p' log.folded)" 50

run "stack lines" -f -k --stack-trace-style=line -o log
like "stack lines: the stack is on the event's line" \
	"$(grep -E '/no/such|<\.\.\. openat resumed>.*ENOENT' log | tail -n 1)" \
	' = -1 ENOENT \(No such file or directory\) @ [^;]+(;[^;]+)*;main;[^;]+(;[^;]+)*$'

# tracer reports the name of the page that it wrote. An execve counts for the program that called it.
for format in flamegraph html; do
	timeout 60 "$TRACER" -f --format=$format -o log.html "$app" 2>err
	is "$format: a message names the page" "$?:$(<err)" "0:${TRACER##*/}: wrote log.html"
done
is "folded: an execve counts for the program that called it" \
	"$("$TRACER" -q -f --format=folded -e trace=execve sh -c '/bin/true; :' 2>&1 | sed 's/;.*;/;/' | sort | uniq -c | sed 's/ [0-9]*$//; s/^ *//')" \
	"2 sh;execve"

# If the reader of the log has exited, the run ends as with strace: by SIGPIPE if the log is stderr,
# otherwise with the command's status.
mkfifo held
for format in text json chrome folded flamegraph html; do
	timeout 60 "$TRACER" -f --format=$format -o '|exec <&-; read -r line <held' sh -c 'echo go >held; exit 7' 2>err
	is "$format: output to a command that has exited: status" "$?" 7
	[ $format != html ] || continue
	status=$( { timeout 60 bash -c '"$@" 2>&1 >/dev/null | exec 0<&-; echo "${PIPESTATUS[0]}"' - \
		"$TRACER" -f --format=$format sh -c 'sleep 0.2; exit 7'; } 2>/dev/null)
	is "$format: output to stderr without a reader: status" "$status" 141
done

for format in json chrome folded flamegraph html; do
	timeout 60 "$TRACER" -f --format=$format -o /dev/full "$app" 2>err
	is "$format: a full disk" "$?:$(<err)" "1:${TRACER##*/}: /dev/full: No space left on device"
done
