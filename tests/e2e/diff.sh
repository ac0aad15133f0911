# SPDX-License-Identifier: LGPL-2.1-or-later
# --diff shows the differences between the traces of a run that works and of one that does not.
. "$(dirname "$0")/../lib.sh"

record() {
	timeout 100 "$TRACER" -f $options --write-trace="$1" "${@:2}" >"$1.out" 2>"$1.err" </dev/null
}
# between A B OPTIONS...: writes the differences to the file text, and the status to $status.
between() {
	timeout 100 "$TRACER" --read-trace="$1" --diff="$2" "${@:3}" >text 2>err </dev/null
	status=$?
	[ ! -s err ] || sed 's/^/# /' err
}
# part HEADING: prints the lines of one section of the text.
part() { sed -n "/^$1\$/,/^\$/p" text | sed '1d;/^$/d'; }

options=
export CCACHE_DISABLE=1 # otherwise the second run would not compile again
mkdir include && echo '#define X 0' >include/x.h
printf '#include "x.h"\nint main(void) { return X; }\n' >x.c
compiles=
if $CC -Iinclude -c x.c -o x.o; then
	compiles=1
	record here $CC -Iinclude -c x.c -o x.o
fi
mv include/x.h include/y.h
[ -z "$compiles" ] || record there $CC -Iinclude -c x.c -o x.o

# This command is not a compiler, because a compiler tries names of temporary files until one is
# free, so its calls may differ.
record once sh -c 'cat include/*.h x.c; (cd include; echo *)'
record again sh -c 'cat include/*.h x.c; (cd include; echo *)'
between once again
is "two equal runs: no difference" "$status $(grep -c '^No difference' text)" "0 1"
[ "$status" = 0 ] || sed 's/^/# /' text
if [ -n "$compiles" ]; then
	between here there
	is "a file is missing: status" "$status" 2
	is "a file is missing: the results of calls with its path" "$(part 'Paths with different results' | head -n 3 | sed -E 's,/.*/include,include,; s/[a-z0-9]+:/CALL:/')" \
		"  include/x.h
    A  CALL: success
    B  CALL: ENOENT (No such file or directory)"
	like "a file is missing: the messages" "$(part 'Written to standard error')" "^  B  x.c:1:10: fatal error: .*x.h"
	like "a file is missing: the exit status" "$(part 'Processes that ended differently' | tr '\n' ' ')" \
		" A  exited with 0 +B  exited with 1"
	is "a file is missing: on the first screen" "$(head -n 40 text | grep -c 'include/x.h$')" 1
else
	skip "a file is missing" "there is no compiler"
fi

cat >script <<'S'
[ -z "$MODE" ] || echo "$MODE" >said
(exit "${CODE-0}")
cat "${FILE-/dev/null}"
S
export FILE
FILE=/dev/null && record one sh script
MODE=x CODE=3 FILE=./nosuch && export MODE CODE && record two sh script
unset MODE CODE FILE
between one two
is "two environments" "$(part Environment | grep -vE '^  (_|only in .: _)')" "  FILE
    A  /dev/null
    B  ./nosuch
  only in B: MODE=x
  only in B: CODE=3"
like "two environments: a file that only one makes" "$(part 'Paths only B used')" "/said$"
like "two environments: the messages" "$(part 'Written to standard error')" "^  B  cat: .*nosuch"
like "two environments: the calls in order" "$(part 'Calls made in only one run, in order' | tr '\n' ' ')" \
	'  B  openat\(AT_FDCWD, "said", .*A  execve\([^ ]*, \["cat", "/dev/null"\].*B  execve\([^ ]*, \["cat", "./nosuch"\]'
between one two --top=1
is --top "$(part Environment)" "  FILE
    A  /dev/null
    B  ./nosuch
  ... and 2 more"
between one two -e trace=connect
is "-e trace= restricts the comparison" "$(grep -c openat text)" 0

# A different result of the same call, different data, and a signal.
program diff && cp "$WORK/bin/diff" results
options=-k
echo mode=one >input && record one ./results
echo mode=two >input && BAD=1 record two ./results
between one two
like "a different result of a call" "$(part 'Calls made in only one run, in order' | tr '\n' ' ')" "A  listen\(.*= 0.*B  listen\(99, 5\) = -1 EBADF"
like "different data" "$(part 'Different data' | tr '\n' ' ')" 'A  read\(.*"mode=one\\n".*B  read\(.*"mode=two\\n"'
like "a signal in one run only" "$(part 'Calls made in only one run, in order' | tr '\n' ' ')" "B  --- SIGUSR1 "
like "the runs end differently" "$(head -n 4 text | tr '\n' ' ')" "exited with 0.*killed by SIGUSR1"
between one two --format=folded
is "--format=folded has a stack of one run only" "$(grep -cE '^results;.*;main;[^ ]*listen;listen 1 1$' text)" 1
is "--format=folded has two weights in each line" "$(grep -vcE '^[^ ].* [0-9]+ [0-9]+$' text)" 0
between one two --format=json -o json
is "json: status, and no other output" "$status $(cat text)" "2 "
for type in run variable thread call time; do
	is "json: diff-$type" "$(grep -c "^{\"type\":\"diff-$type\"" json | sed 's/^[1-9][0-9]*$/some/')" some
done
if python3 -c 'import jsonschema' 2>/dev/null; then
	"$SRC/tests/json_check.py" "$SRC/doc/tracer-diff.schema.json" json >checked 2>&1
	is "json: schema" "$?" 0
	grep -v "^0 bad" checked | sed "s,^,# ," | head -n 5
else
	skip "json: schema" "python3 has no jsonschema"
fi

# Of the calls that are not shown, the most frequent ones come first.
MORE=1 record two ./results
between one two
like "the most frequent calls first" "$(part 'Calls made in only one run, in order')" '  B  \.\.\. 12 more: dup 7, getuid 1, '

# The header counts all calls, including sched_yield, which is not compared. It does not count signals.
options=
record one sh -c 'trap : USR1; ./results; kill -USR1 $$; kill -USR1 $$'
between one one
is "the header counts the calls of the trace" "$(sed -n 's/.* s, \([0-9]*\) calls.*/\1/p' text | sort -u)" \
	"$("$TRACER" --read-trace=one --info | sed -n 's/^calls *//p')"

# Children that are started in a different order, and threads.
options=
record one sh -c 'cat /dev/null & wait; head -n 1 /dev/null & wait; cat /etc/hostname >/dev/null'
record two sh -c 'head -n 1 /dev/null & wait; cat /dev/null & wait; cat /etc/hostname >/dev/null'
between one two
is "children in a different order are no difference" "$(part 'Processes and threads in only one run')" ""

# Traces that cannot be compared.
refused() {
	timeout 20 "$TRACER" "${@:2}" >out 2>err
	is "refused: ${*:2}" "$? $(sed "s,^[^:]*: ,," err | head -n 1)" "1 $1"
}
refused "--diff requires --read-trace=FILE" --diff=one true
refused "nosuch: No such file or directory" --read-trace=one --diff=nosuch
refused "(-c/--summary-only or -C/--summary) cannot be used with --diff" --read-trace=one --diff=two -c
refused "--format=chrome cannot be used with --diff" --read-trace=one --diff=two --format=chrome
refused "-t/--absolute-timestamps cannot be used with --diff" --read-trace=one --diff=two --absolute-timestamps
refused "a repeated --read-trace cannot be used with --diff" --read-trace=one --read-trace=two --diff=two
head -c 2000 two >cut
timeout 20 "$TRACER" --read-trace=one --diff=cut >out 2>err
is "a trace that is cut off is still compared" "$? $(grep -c . out | sed 's/^[1-9][0-9]*$/some/')" "1 some"
