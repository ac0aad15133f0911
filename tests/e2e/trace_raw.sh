# SPDX-License-Identifier: LGPL-2.1-or-later
# --record-stacks=raw: stacks are walked when the trace is read.
. "$SRC/tests/traces/lib.sh"

# callers TRACE: prints the functions on the stacks of calls. Leaves out calls whose number depends
# on scheduling, and signals, because they interrupt the program at varying places.
callers() {
	timeout 100 "$TRACER" -f -k -e trace=%file,getppid -e signal=none --read-trace="$1" -o callers
	sed -n 's/^ > \(.*\) \[0x[0-9a-f]*\]$/\1/p' callers | sort -u
}

# Stacks that are walked when a trace is read are the same as those that are walked live.
raw() {
	local seen


	timeout 100 "$TRACER" -f -k -o live --write-trace=trace --record-stacks=raw "${@:2}" >out 2>err </dev/null
	timeout 100 "$TRACER" -f -k -o read --read-trace=trace 2>>err
	is "raw stacks: $1" "$(cmp live read 2>&1) $(grep -c ' > ' live | sed 's/^[0-9]\{2,\}$/many/')" " many"
	seen=$(callers trace)
	timeout 100 "$TRACER" -f --write-trace=trace --record-stacks=raw "${@:2}" >out 2>err </dev/null
	timeout 100 "$TRACER" -f -k -o read --read-trace=trace
	is "raw stacks, only recorded: $1" "$(callers trace)" "$seen"
}
cat >jit.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void on_signal(int sig) { getppid(); }
static int back(void) { return getppid(); }
int main(void)
{
	/* push %rax; call *%rdi; pop %rdx; ret */
	static const unsigned char code[] = {0x50, 0xff, 0xd7, 0x5a, 0xc3};
	char *at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char name[64];
	FILE *f;

	memcpy(at + 64, code, sizeof(code));
	snprintf(name, sizeof(name), "/tmp/perf-%d.map", getpid());
	f = fopen(name, "w");
	fprintf(f, "%lx 40 made\n", (long)(at + 64));
	fclose(f);
	((int (*)(int (*)(void)))(at + 64))(back);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	munmap(at, 4096);
	getppid();
	unlink(name);
	return 0;
}
C
raw bash bash -c "$script"
if [ "$(uname -m)" = x86_64 ] && $CC -O1 -o jit jit.c; then
	raw "a JIT" ./jit
	like "raw stacks: names of JIT code" "$(cat read)" "\(made\+0x"
fi
timeout 100 "$TRACER" --write-trace=trace --record-stacks=raw --stack-size=64 sh -c : 2>err
"$TRACER" -k -o read --read-trace=trace
like "raw stacks: --stack-size" "$(cat read)" "> the copy of the stack ends"
symbolize trace named
like "raw stacks: --symbolize of a stack that ends early" "$(cat said)" "^0 [0-9]+ of [0-9]+ stacks remain raw: they cannot be walked to their end with the files on this machine\$"
"$TRACER" -k -o read2 --read-trace=named
is "raw stacks: --symbolize of a stack that ends early changes nothing" "$(cmp read read2 2>&1)" ""

# A stack is recorded once per call, even if it is also shown live. Otherwise, the sizes of the
# traces would differ by much more than the sizes of two ordinary runs.
uncompressed() { "$TRACER" --read-trace="$1" --info | sed -n 's/^size *\([0-9]*\).*/\1/p'; }
timeout 100 "$TRACER" -q --write-trace=alone --record-stacks=raw sh -c :
timeout 100 "$TRACER" -q -o log --write-trace=shown --record-stacks=raw sh -c :
is "raw stacks: one stack per call is recorded" "$(("$(uncompressed shown)" * 10 < "$(uncompressed alone)" * 15))" 1
