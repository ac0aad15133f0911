# SPDX-License-Identifier: LGPL-2.1-or-later
# Summaries beyond strace's table: --summary-by shows wall-clock time, --top limits the rows.
. "$SRC/tests/lib.sh"
program formats || exit
app=$WORK/bin/formats

summary() { # summary NAME OPTIONS... COMMAND: writes the table to the file table.
	local name=$1

	shift
	timeout 60 "$TRACER" -f -c -o table "$@" 2>err
	is "$name: status" "$?:$(<err)" 0:
}

for by in process thread stack path; do
	summary "by $by" --summary-by=$by sleep 0.3
	is "by $by: wall-clock time" "$(awk '/ total$/ {print ($2 >= 0.3 ? "0.3 s" : $0)}' table)" "0.3 s"
done
summary "by syscall" --summary-by=syscall sleep 0.3
is "by syscall: CPU time" "$(awk '/ total$/ {print ($2 < 0.3 ? "less" : $0)}' table)" less

# rows: checks the rows between the two rules and the total. The fourth column is the number of
# calls.
# Prints the number of rows, whether the last is (others), and whether the calls add up to the
# total.
rows() {
	python3 - table <<-'EOF'
		import sys
		calls, names, rules, total = 0, [], 0, None
		for line in open(sys.argv[1]):
		    if line.startswith("-"):
		        rules += 1
		    elif rules == 1:
		        names.append(line.split()[-1])
		        calls += int(line.split()[3])
		    elif rules == 2:
		        total = int(line.split()[3])
		print(len(names), names[-1] == "(others)", calls == total, total > 60)
	EOF
}
summary "whole" "$app"
is "whole: no row (others)" "$(rows | cut -d' ' -f2-)" "False True True"
summary "top" --top=3 "$app"
is "top: the rows, and (others)" "$(rows)" "4 True True True"
summary "top of paths" --top=1 -S calls -U time,total-time,avg-time,calls,errors,p99,name --summary-by=path "$app"
is "top of paths: the rows, and (others)" "$(rows)" "2 True True True"
summary "more than all" --top=1000 "$app"
is "more than all: no row (others)" "$(rows | cut -d' ' -f2-)" "False True True"

# JSON and CSV have the rows of the table. All are made from one trace, because the number of calls
# depends on timing: joining a thread that has ended takes one call less.
"$TRACER" -q -f -k --write-trace=rows.trace -o /dev/null "$app"
for by in syscall stack thread process path; do
	"$TRACER" --read-trace=rows.trace -c --format=json --summary-by=$by -U calls,errors,p99,name -o rows.json
	"$TRACER" --read-trace=rows.trace -c --format=csv --summary-by=$by -U calls,errors,p99,name -o rows.csv
	if python3 -c 'import jsonschema' 2>/dev/null; then
		is "by $by in JSON is what the schema says" \
			"$("$SRC/tests/json_check.py" "$SRC/doc/tracer-json.schema.json" rows.json | sed 's/[0-9]* lines/lines/')" "lines, 0 bad"
	else
		skip "by $by in JSON is what the schema says" "python3-jsonschema is missing"
	fi
	is "by $by: CSV has the same rows as JSON" "$(python3 - rows.json rows.csv $by <<-'EOF'
		import csv, json, sys
		by = sys.argv[3]
		rows = [json.loads(line) for line in open(sys.argv[1])]
		table = list(csv.DictReader(open(sys.argv[2], newline="")))
		command = ["command_line"] if by == "process" else []
		assert list(table[0]) == ["by", "abi", "name", "comm", *command, "calls", "errors", "p99"], table[0]
		# Thread ids differ from run to run, and CSV writes bytes that are not UTF-8 in a
		# different way.
		key = lambda r: (r["by"], r["name"] if by == "syscall" else "", int(r["calls"]), int(r["errors"]))
		print(sorted(map(key, rows)) == sorted(map(key, table)), all(r["by"] == by for r in rows))
	EOF
	)" "True True"
done
"$TRACER" -c --format=json -o rows.json true
is "JSON has all columns of the table" "$(head -n 1 rows.json | grep -o '"[a-z_]*":' | tr -d '\n')" \
	'"type":"by":"abi":"name":"time_percent":"total_time":"min_time":"max_time":"avg_time":"wall_total":"wall_min":"wall_max":"wall_avg":"calls":"errors":'

# The stacks of each program form a separate tree. If there is only one program, its name is not
# shown.
"$TRACER" -f -q -c --summary-by=stack -U calls,name -o stacks sh -c 'cat /dev/null; exec env true'
is "by stack: the programs are the roots" "$(sed -nE 's/^ *[0-9]+ ([a-z]+)( > .*)?$/\1/p' stacks | grep -v total | sort | tr '\n' ' ')" "cat env sh true "
"$TRACER" -q -c --summary-by=stack -U calls,name -o stacks true
is "by stack: one program has no root" "$(grep -cE '^ *[0-9]+ true' stacks)" 0

# A file has one row, whatever path a call uses for it.
mkdir -p files/sub && echo text >files/one
"$TRACER" -c --summary-by=path --format=csv -o rows.csv sh -c \
	"cd files/sub; test -e ../one; test -e ./.././one; test -e '$(pwd -P)/files//one'; read -r line <../one; cd ..; test -e one"
is "one file is one row" "$(grep -c 'one"' rows.csv):$(grep 'one"' rows.csv | cut -d, -f 3)" "1:\"$(pwd -P)/files/one\""

# An expression leaves out calls that wait, because these have no path outside /dev.
"$TRACER" -f -c --summary-by=path --format=csv --where='path == "/**" && path != "/dev/**"' -o rows.csv sh -c \
	'sleep 0.01 & wait; cat files/one' >/dev/null
is "by path without waits: only files" "$(tail -n +2 rows.csv | cut -d, -f 3 | grep -vc '^"/')" 0
is "by path without waits: the file" "$(cut -d, -f 3 rows.csv | grep -c '/files/one"$')" 1

# The last command line of a process is shown, also when a trace is read.
"$TRACER" -f --write-trace=title.trace -c --summary-by=process -o live sh -c ': a b; exec sleep 0'
"$TRACER" --read-trace=title.trace -c --summary-by=process -o read
"$TRACER" --read-trace=title.trace -c --summary-by=process --format=json -o read.json
"$TRACER" --read-trace=title.trace -c --summary-by=process --format=csv -o read.csv
for log in live read; do
	like "by process: the command line, $log" "$(tail -n 3 $log | head -n 1)" '[0-9] [0-9]+ sleep: sleep 0$'
done
is "by process: JSON and CSV" "$(grep -c '"command_line":"sleep 0"' read.json) $(grep -c ',"sleep 0",' read.csv)" "1 1"
# Control characters in a command line cannot break the table.
"$TRACER" -c --summary-by=process -o titles sh -c ':' $'x\ny\e[31m'
is "by process: the command line stays in its row" "$(grep -cF 'sh: sh -c : x\012y\033[31m' titles)" 1

# On a terminal only, a hint is printed if all times in the table are zero.
if script -V >/dev/null 2>&1; then
	timeout 60 script -qec "'$TRACER' -c true" /dev/null </dev/null >table
	# If a call took measurable CPU time, there is no hint.
	is "-c on a terminal recommends -w" "$(grep -c -- '; use -w for' table)" \
		"$(awk '/ total/ { print ($2 == 0) + 0 }' table)"
	is "-c -w on a terminal does not recommend -w" "$(timeout 60 script -qec "'$TRACER' -c -w true" /dev/null </dev/null | grep -c -- '; use -w for')" 0
	# longest [VAR=VALUE] COLUMNS: prints the length of the longest row on a terminal of this width.
	longest() {
		env -u COLUMNS "${@:2}" timeout 60 script -qec "stty cols $1; '$TRACER' -c --summary-by=stack -U calls,p99,name ls" \
			/dev/null </dev/null | tr -d '\r' | awk '/^ *[0-9]+ +[0-9.]+ / { n = length > n ? length : n } END { print n <= 70 ? "short" : "long" }'
	}
	is "by stack: rows fit the terminal" "$(longest 70)" short
	is "by stack: COLUMNS has priority" "$(longest 300 COLUMNS=70)" short
	is "by stack: wide rows on a wide terminal" "$(longest 300)" long
else
	skip "-c on a terminal recommends -w" "script(1) is missing"
fi
is "-c without a terminal does not recommend -w" "$("$TRACER" -c true 2>&1 | grep -c -- '; use -w for')" 0
