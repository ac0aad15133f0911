# SPDX-License-Identifier: LGPL-2.1-or-later
# --format=flamegraph and html with a real program: the contents of the pages.
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

run flamegraph -q -f --format=flamegraph -o log.html
is "flamegraph: one page without external resources" \
	"$(grep -c '</html>' log.html) $(grep -cE '(src|href)=|https?:|@import|url\(' log.html)" "1 0"
is "flamegraph: its data add up" "$(python3 - log.html <<-'EOF'
	import json, re, sys
	page = open(sys.argv[1]).read()
	data = json.loads(re.search(r'type="application/json">(.*?)</script>', page, re.S).group(1))
	step = 3 + len(data["weights"])
	nodes = [data["nodes"][i:i + step] for i in range(0, len(data["nodes"]), step)]
	assert all(n[0] < i for i, n in enumerate(nodes) if i), "children after parents"
	reads = [n for n in nodes if data["names"][n[1]] == "read" and n[3 + 3] == 50]
	print(data["weights"], len(reads), reads[0][2:4])
EOF
)" "['calls', 'time', 'errors', 'bytes'] 1 [-1, 50]"

# page FILE: prints the contents of the chunks of a page.
page() {
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
openat(AT_FDCWD<$(pwd -P)>, \"/no/grün\", O_RDONLY) = -1 ENOENT (No such file or directory)
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
