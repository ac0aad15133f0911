# SPDX-License-Identifier: LGPL-2.1-or-later
# --snapshot shows the holders of file locks, the joined thread, the descriptors that epoll watches, and command lines.
. "$SRC/tests/lib.sh"
program waits || exit

"$WORK/bin/waits" "$PWD/file" $'a\nb\e[31m' >ready &
app=$!
trap 'kill -9 $app 2>/dev/null' EXIT
for ((i = 0; i < 600; i++)); do
	grep -q ready ready 2>/dev/null && break
	sleep 0.1
done
# id NAME: prints the number that the program printed for NAME
id() {
	awk -v name="$1" '$1 == name { print $2 }' ready
}

timeout 60 "$TRACER" -y -p "$app" --snapshot -o log 2>stderr
is "it ends by itself, and well" "$?$(cat stderr)" 0
is "the command line, once, on one line" "$(grep -c 'process [0-9]*:' log) $(grep -oF \
	"<waits> --- process $app: $WORK/bin/waits $PWD/file a\\012b\\033[31m ---" log)" \
	"1 <waits> --- process $app: $WORK/bin/waits $PWD/file a\\012b\\033[31m ---"
like "joined thread" "$(grep '<joiner>' log)" ", waits for thread $(id endless) to end ---\$"
like "watched descriptors" "$(grep '<poller>' log)" \
	", watches \[[0-9]+<pipe:\[[0-9]+\]>, [0-9]+<pipe:\[[0-9]+\]>\] ---\$"
like "no lock holder where no lock is wanted" "$(grep '<endless>' log)" "in pause\(\)|in ppoll\("
timeout 60 "$TRACER" -p "$app" --snapshot --format=json -o log.json 2>stderr
if grep -q '^ino:' /proc/self/fdinfo/0; then
	like "holder of a flock" "$(grep '<flocker>' log)" ", lock held by $(id holder) ---\$"
	like "of the bytes of a fcntl lock" "$(grep '<fcntler>' log)" ", lock held by $(id holder) ---\$"
	is "in JSON" "$(grep -c "\"lock_holder\":$(id holder)," log.json)" 2
else
	skip "holders of locks on files" "this kernel's fdinfo has no ino (Linux 5.14)"
fi
is "JSON: joined thread and descriptors" \
	"$(grep -c "\"joined_thread\":$(id endless)," log.json) $(grep -c '"watched":\[' log.json)" "1 1"
if python3 -c 'import jsonschema' 2>/dev/null; then
	is "JSON is as the schema says" \
		"$(python3 "$SRC/tests/json_check.py" "$SRC/doc/tracer-json.schema.json" log.json)" "6 lines, 0 bad"
else
	skip "JSON is as the schema says" "no jsonschema for python3"
fi
