# SPDX-License-Identifier: LGPL-2.1-or-later
# --engine=bpf -k shows the same stacks as ptrace.
. "$SRC/tests/lib.sh"
program bpf_calls || exit
can_bpf || exit 0

# Stacks are compared with the known stacks of the test program, and with ptrace's.
printf '%s\n' '#!/bin/sh' "exec '$TRACER' --engine=bpf \"\$@\"" >with_bpf
chmod +x with_bpf
program stacks
mkdir stacks && (cd stacks && ENGINE=bpf TRACER=$PWD/../with_bpf bash "$SRC/tests/e2e/stacks.sh") |
	sed -E 's/^((not )?ok )/\1stacks: /'
# Disable address randomization, because the dynamic linker's calls may depend on addresses.
program fork
for engine in ptrace bpf; do
	timeout -k 5 60 setarch -R "$TRACER" --engine=$engine -k -f --format=folded -o folded "$WORK/bin/fork" 2>/dev/null
	sort folded >"stacks.$engine"
done
same "stacks of processes" stacks.bpf stacks.ptrace
like "--stack-size limits the copy of a stack" "$(timeout -k 5 60 "$TRACER" --engine=bpf --stack-size=4K -k -e trace=close -o '|cat' "$WORK/bin/stacks")" \
	'the copy of the stack ends'

# A 32-bit process that exits before its stacks are walked. Each stack begins in the process's vdso.
cat >narrow.c <<'EOF'
#include <unistd.h>
__attribute__((noinline)) static int inner(void) { return close(-103) + 1; }
__attribute__((noinline)) static int outer(void) { return inner() + 1; }
int main(void) { return outer() == 99; }
EOF
if ${CC:-cc} -m32 -O1 -o narrow narrow.c 2>/dev/null && ./narrow; then
	for engine in ptrace bpf; do
		timeout -k 5 60 "$TRACER" --engine=$engine -k -a1 -e trace=close -o "narrow.$engine" ./narrow 2>/dev/null
	done
	same "stacks of a 32-bit process" narrow.bpf narrow.ptrace
	like "stacks of a 32-bit process are complete" "$(cat narrow.bpf)" '\(inner\+.*\(outer\+.*\(main\+.*\(_start\+'
else
	skip "stacks of a 32-bit process" "cannot be created here"
fi

# Only the changed parts of a stack are recorded. All stacks in the log must nevertheless be
# correct, although other threads run on the same CPU and most records are lost here.
timeout -k 5 100 "$TRACER" -f -k --engine=bpf --buffer-size=1M -e trace=lseek -e signal=none --format=json -o log \
	"$WORK/bin/bpf_calls" deep 20000 2>stderr
awk '/"name":"lseek"/ {
		n++
		match($0, /"offset":[0-9]+,"whence/)
		want = substr($0, RSTART + 9) + 0
		match($0, /"stack_status":"[^"]*"[^]}]*/)
		status = substr($0, RSTART, RLENGTH)
		got = gsub(/"symbol":"down"/, "")
		if (got != want || status !~ /:"complete"/) {
			wrong++
			example = ", such as " got " of " want " frames, " status
		}
	}
	END { print (n > 100 && !wrong) ? "all right" : n + 0 " calls, " wrong + 0 " wrong" example }' log >stacks.right
is "stacks of which only the changed part was recorded" "$(cat stacks.right)" "all right"

# While a call occupies a CPU, the records of other CPUs are delayed. Processes that end meanwhile must not be
# reported as gone before their last records, because the stacks of these records need their mappings.
timeout -k 5 100 "$TRACER" -f -k --engine=bpf -e trace=lseek,read -e signal=none --format=json -o log \
	"$WORK/bin/bpf_calls" busy 4 2>stderr
awk '/"name":"lseek"/ {
		n++
		if (!/"stack_status":"complete"/) {
			match($0, /"stack_status":"[^"]*"/)
			wrong++
			example = ", such as " substr($0, RSTART, RLENGTH)
		}
	}
	END { print (n > 100 && !wrong) ? "all right" : n + 0 " calls, " wrong + 0 " wrong" example }' log >stacks.delayed
is "stacks of processes that end while their records are delayed" "$(cat stacks.delayed)" "all right"

# The records of the creation of two processes are lost. Their stacks must nevertheless be correct, or have the status
# mappings-lost. Later, their stacks must be complete.
cat >program.sh <<EOF2
kill -STOP \$PPID
"$WORK/bin/bpf_calls" strangers 6000
kill -CONT \$PPID
EOF2
rm -f go end log
timeout -k 5 100 setarch -R "$TRACER" -f -k --engine=bpf -e trace=lseek -e signal=none --format=json -o log sh program.sh 2>stderr &
tracer=$!
shown() { grep '"name":"lseek"' log 2>/dev/null | grep -c "\"offset\":$1,"; }
wait_for '[ "$(shown 4)" -eq 20 ]'
touch go
wait_for '[ "$(shown 6)" -eq 20 ]'
touch end
wait "$tracer"
awk '/"name":"lseek"/ && /"fd":-1,/ {
		match($0, /"offset":[0-9]+,"whence/)
		want = substr($0, RSTART + 9) + 0
		match($0, /"stack_status":"[^"]*"/)
		status = substr($0, RSTART + 16, RLENGTH - 17)
		got = gsub(/"symbol":"down"/, "")
		if (status == "complete" && got == want)
			complete[want]++
		else if (status != "mappings-lost" || got > want) {
			wrong++
			example = ", such as " got " of " want " frames, " status
		}
	}
	/"type":"lost"/ && /threads and signals/ { lost = 1 }
	END { print (lost && complete[6] == 20 && !wrong) ? "all right" : lost + 0 " lost, " complete[6] + 0 " complete, " wrong + 0 " wrong" example }' log >stacks.strangers
is "stacks of processes whose creation was not recorded" "$(cat stacks.strangers)" "all right"
