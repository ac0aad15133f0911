# SPDX-License-Identifier: LGPL-2.1-or-later
# --format=json with a real program: the output is what the schema says, and is complete.
. "$SRC/tests/lib.sh"
program formats || exit
app=$WORK/bin/formats
schema=$SRC/doc/tracer-json.schema.json

# run NAME OPTIONS...: traces the program with these options. The check is named NAME.
run() {
	local name=$1

	shift
	timeout 60 "$TRACER" "$@" "$app" 2>err
	is "$name: status" "$?:$(<err)" 0:
}

# valid NAME FILE: checks that each line of FILE matches the schema.
valid() {
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
