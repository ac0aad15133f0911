# SPDX-License-Identifier: LGPL-2.1-or-later
# --critical-path of a parallel build and of a parallel test run, with both engines, while tracing
# and from the trace: the rows add up to the duration of the run, and the slowest of the steps that
# ran in parallel is on the path.
. "$SRC/tests/lib.sh"

# duration: prints the time in seconds from the first to the last line of the trace.
duration() {
	"$TRACER" -f --read-trace=trace -ttt -o text
	awk 'NR == 1 { first = $2 } $2 > last { last = $2 } END { printf "%.6f\n", last - first }' text
}
# sum FILE: prints whether the times of all rows add up to the duration, within 1%, and whether their
# shares add up to 100%.
sum() {
	jq -s --argjson want "$(duration)" '(map(.total_time) | add / $want | . > 0.99 and . < 1.01) and
		(map(.time_percent) | add | . > 99 and . < 101)' "$1"
}
# sleeps FILE: prints the number of sleeps on the path, and whether each took at least 1.5 s.
sleeps() { jq -sr 'map(select(.cause == "timer").total_time) | "\(length) \(all(. >= 1.5))"' "$1"; }

# check NAME COMMAND...: traces a command in which only one step takes at least 1.5 s.
check() {
	local name=$1 file

	shift
	timeout 100 "$TRACER" -q -f $engine --critical-path --format=json -o live --write-trace=trace "$@" >out 2>&1 </dev/null
	is "$name: exit status" "$?" 0
	"$TRACER" --read-trace=trace --critical-path --format=json -o read
	for file in live read; do
		is "$name: the rows add up to the duration ($file)" "$(sum $file)" true
		is "$name: only the long step is on the path ($file)" "$(sleeps $file)" "1 true"
	done
}

# make runs two commands in parallel, one of which takes longer even on a busy machine. Then it
# compiles two files at a time.
for i in 1 2 3 4 5 6; do
	printf '#include <stdio.h>\nint f%d(int n)\n{\n\treturn printf("%%d\\n", n) + %d;\n}\n' $i $i >part$i.c
done
printf '%s\n' 'int f1(int n);' 'int main(void)' '{' '	return f1(3) != 3;' '}' >main.c
cat >Makefile <<'M'
objects = main.o part1.o part2.o part3.o part4.o part5.o part6.o
app: $(objects)
	$(CC) -o $@ $(objects)
$(objects): notes
notes: long brief
	cat long brief >$@
config:
	echo >$@
long: config
	sleep 1.5 && echo >$@
brief: config
	sleep 0.1 && echo >$@
M
# Tests of these durations in seconds, two at a time. Three of them run one after the other while the
# longest one runs.
cat >check.sh <<'S'
printf '%s\n' 0.1 1.6 0.1 0.1 | xargs -P 2 -n 1 sh -c 'sleep "$0"; :'
S
run_all() {
	if make --version >/dev/null 2>&1 && $CC -c main.c -o main.o 2>/dev/null; then
		rm -f ./*.o
		check "make -j2, $1" make -s -j2 CC="$CC"
		rm -f ./*.o app config long brief notes
	else
		skip "make -j2, $1" "there is no make or no compiler"
	fi
	check "tests in parallel, $1" sh check.sh
}
export CCACHE_DISABLE=1
engine=--engine=ptrace
run_all ptrace
can_bpf || exit 0
engine=--engine=bpf
run_all bpf
