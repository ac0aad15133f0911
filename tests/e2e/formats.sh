# SPDX-License-Identifier: LGPL-2.1-or-later
# --format=json, chrome, folded, flamegraph and html with a real program. Each format must be valid
# for its readers.
. "$SRC/tests/lib.sh"
program formats || exit
app=$WORK/bin/formats
schema=$SRC/doc/tracer-json.schema.json

run() { # NAME OPTIONS...
	local name=$1

	shift
	timeout 60 "$TRACER" "$@" "$app" 2>err
	is "$name: status" "$?:$(<err)" 0:
}

valid() { # NAME FILE
	if ! python3 -c 'import jsonschema' 2>/dev/null; then
		skip "$1" "python3-jsonschema is missing"
	elif text=$("$SRC/tests/json_check.py" "$schema" "$2"); then
		ok "$1"
	else
		not_ok "$1"
		echo "$text"
	fi
}

run json -f -k --format=json -o log.json
valid "json is what the schema says" log.json
is "json: arguments can be read back" "$(python3 - log.json <<-'EOF'
	import json, sys
	for line in open(sys.argv[1]):
	    e = json.loads(line)
	    if e["type"] == "syscall" and e["name"] == "openat":
	        path = e["args"]["pathname"]
	        if isinstance(path, dict):
	            path = bytes.fromhex(path["hex"])
	        if "/no/" in str(path):
	            print(path, e["error"])
EOF
)" "b'/no/such\xff\"\\\\\\n<file>' ENOENT
/no/grün ENOENT"
is "json: events other than syscalls" "$(python3 - log.json <<-'EOF'
	import collections, json, sys
	n = collections.Counter()
	for line in open(sys.argv[1]):
	    e = json.loads(line)
	    if e["type"] != "syscall":
	        n[e["type"], str(e.get("signal", e.get("exit_status")))] += 1
	print(sorted(n.items()))
EOF
)" "[(('exec', 'None'), 1), (('exit', '0'), 2), (('exit', '3'), 1), (('fork', 'None'), 2), (('signal', 'SIGCHLD'), 1), (('signal', 'SIGUSR1'), 1)]"
# Stacks in each event, and stacks that are written once, must give the same events.
run "a trace" -q -f -k --write-trace=trace
for stacks in inline once; do
	"$TRACER" --read-trace=trace -k --format=json --json-stacks=$stacks -o $stacks.json
done
valid "--json-stacks=once is what the schema says" once.json
is "--json-stacks=once: the same events" "$(python3 - inline.json once.json <<-'EOF'
	import json, sys
	runs, modules, stacks, events = {}, {}, {}, []
	for line in open(sys.argv[2]):
	    e = json.loads(line)
	    kind = e["type"]
	    run = e.pop("run")
	    if kind in ("run", "module", "stack"):
	        kept, key = {"run": (runs, run), "module": (modules, (run, e.pop("module_id", 0))),
	                     "stack": (stacks, (run, e.pop("stack_id", 0)))}[kind]
	        del e["type"]
	        assert key not in kept and e not in list(kept.values()), line
	        kept[key] = e
	        for f in e.get("stack", []):
	            module = f.pop("module_id")
	            f.update(modules[run, module] if module else {"module": None})
	        continue
	    assert run in runs
	    if "stack_id" in e:
	        e.update(stacks[run, e.pop("stack_id")])
	    events.append(e)
	print(events == [json.loads(line) for line in open(sys.argv[1])], len(runs), len(stacks) > 5, len(modules) > 1)
EOF
)" "True 1 True True"
is "--json-stacks=once: two traces are two runs" "$("$TRACER" -q -k --write-trace=other true
"$TRACER" --read-trace=trace --read-trace=other -k --format=json --json-stacks=once -o two.json
python3 -c '
import json
seen, events = {}, {}
for line in open("two.json"):
    e = json.loads(line)
    if e["type"] == "run":
        seen[e["run"]] = e["command"][-1].split("/")[-1]
    elif "tid" in e:
        events.setdefault(e["run"], set()).add(e["tid"] // 10000000)
print([(seen[run], list(n)) for run, n in events.items()])')" "[('formats', [0]), ('true', [1])]"
valid "--json-stacks=once of two traces is what the schema says" two.json
is "json: a member of events has one type" "$("$TRACER" -f -yy -Y --format=json -o types.json sh -c 'date; exit 3' >/dev/null
cat log.json types.json | python3 -c '
import collections, json, sys
types = collections.defaultdict(set)
for line in sys.stdin:
    for key, value in json.loads(line).items():
        if value is not None:
            types[key].add(type(value).__name__)
print(types["ret"], types["detail"], {k: t for k, t in types.items() if len(t) > 1})')" "{'int'} {'dict'} {}"
is "json: stacks are complete and reach main" "$(python3 - log.json <<-'EOF'
	import json, sys
	for line in open(sys.argv[1]):
	    e = json.loads(line)
	    if e.get("name") == "openat" and "/no/" in str(e["args"]["pathname"]):
	        print(e["stack_status"], "main" in [f["symbol"] for f in e["stack"]])
EOF
)" "complete True
complete True"

head -c 5000 /dev/urandom >bytes
"$TRACER" --format=json -e read=0 -e trace=read -s 4 -o dumps.json cat <bytes >/dev/null
valid "json with dumps is what the schema says" dumps.json
is "json: dumps are whole" "$(python3 - dumps.json bytes <<-'EOF'
	import json, sys
	got = b""
	for line in open(sys.argv[1]):
	    for d in json.loads(line).get("dumps", []):
	        got += bytes.fromhex(d["data_hex"]) if "data_hex" in d else d["data"].encode()
	print(got == open(sys.argv[2], "rb").read())
EOF
)" True

run "json -ff" -ff --format=json -o log
cat log.[0-9]* >all.json
is "json -ff: a file for each thread" "$(ls log.[0-9]* | wc -l)" 3
valid "json -ff is what the schema says" all.json

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

run flamegraph -q -f --format=flamegraph -o log.html
is "flamegraph: one page without external resources" \
	"$(grep -c '</html>' log.html) $(grep -cE '(src|href)=|https?:|@import|url\(' log.html)" "1 0"
is "flamegraph: its data add up" "$(python3 - log.html <<-'EOF'
	import json, re, sys
	page = open(sys.argv[1]).read()
	data = json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.S).group(1))
	step = 2 + len(data["weights"])
	nodes = [data["nodes"][i:i + step] for i in range(0, len(data["nodes"]), step)]
	assert all(n[0] < i for i, n in enumerate(nodes) if i), "children after parents"
	reads = [n for n in nodes if data["names"][n[1]] == "read" and n[2 + 3] == 50]
	print(data["weights"], len(reads), reads[0][2])
EOF
)" "['calls', 'time', 'errors', 'bytes'] 1 50"

page() { # page FILE: prints the contents of the chunks of a page
	python3 - "$1" <<-'EOP'
		import base64, json, re, sys, zlib
		page = open(sys.argv[1], encoding="utf-8").read()
		parts = re.findall(r'^<script type="text/plain" class="chunk">([^,;<]*),([^,;<]*),([^,;<]*);</script>$', page, re.M)
		assert len(parts) == len(re.findall("class=.chunk", page)), "chunks as they should be"
		lists, rows, text = {}, 0, ""
		for chunk in parts:
		    one, columns, more = (zlib.decompress(base64.b64decode(p), -15) for p in chunk)
		    one = json.loads(one)
		    rows += one["rows"]
		    text += more.decode()
		    for key, value in one.items():
		        lists[key] = lists.get(key, []) + value if isinstance(value, list) else value
		assert rows == text.count("\n"), "a line a row"
		threads = {}
		for i in range(0, len(lists["threads"]), 4):
		    number, tid, tgid, parent = lists["threads"][i:i + 4]
		    threads[number] = (tid == tgid, parent)
		print(sorted(threads.items()), lists.get("complete"), "main" in lists["strings"], len(lists["frames"]) % 8)
		print([lists["strings"][i] for i in lists["commands"][2::3]])
		print("\n".join(line for line in text.split("\n") if re.search("/no/|exited|SIGUSR1 ", line)))
	EOP
}

run html -q -f -k --format=html -o log.html
is "html: one page without external resources" \
	"$(grep -c '</html>' log.html) $(grep -cE '(src|href)=|https?:|@import|url\(' log.html)" "1 0"
is "html: the contents of the page" "$(page log.html | sed 's/si_pid=[0-9]*, si_uid=[0-9]*/si_pid=…/')" \
	"[(0, (True, -1)), (1, (False, 0)), (2, (True, 0))] True True 0
['$app']
--- SIGUSR1 {si_signo=SIGUSR1, si_code=SI_TKILL, si_pid=…} ---
openat(AT_FDCWD<$(pwd -P)>, \"/no/such\\377\\\"\\\\\\n<file>\", O_RDONLY) = -1 ENOENT (No such file or directory)
openat(AT_FDCWD<$(pwd -P)>, \"/no/gr\\303\\274n\", O_RDONLY) = -1 ENOENT (No such file or directory)
+++ exited with 0 +++
+++ exited with 3 +++
+++ exited with 0 +++"
run "html from a trace: recorded" -q -f -k --write-trace=log.trace
timeout 60 "$TRACER" -k --read-trace=log.trace --format=html -o read.html
is "html from a trace" "$(page read.html | sed -n 1,2p)" "$(page log.html | sed -n 1,2p)"
timeout 60 "$TRACER" --format=html -o '|cat >pipe.html' true
like "html: output to a command" "$(page pipe.html | sed -n 1p)" "True"

# The page is readable if tracer is killed while the program runs.
"$TRACER" --format=html --kill-on-exit -o killed.html sleep 600 &
for ((i = 0; i < 600; i++)); do
	grep -qs 'class="chunk"' killed.html && break
	sleep 0.1
done
kill -KILL $!
wait $! 2>/dev/null
is "html: the page if tracer is killed" "$(page killed.html | sed -n '1,2p')" "[(0, (True, -1))] None False 0
['sleep 600']"

run "stack lines" -f -k --stack-trace-style=line -o log
like "stack lines: the stack is on the event's line" \
	"$(grep -E '/no/such|<\.\.\. openat resumed>.*ENOENT' log | tail -n 1)" \
	' = -1 ENOENT \(No such file or directory\) @ [^;]+(;[^;]+)*;main;[^;]+(;[^;]+)*$'

# tracer reports the name of the page that it wrote. An execve counts for the program that called it.
for format in flamegraph html; do
	timeout 60 "$TRACER" -f --format=$format -o log.html "$app" 2>err
	is "$format: a message names the page" "$?:$(<err)" "0:${TRACER##*/}: written log.html"
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
