# SPDX-License-Identifier: LGPL-2.1-or-later
# Common code of the test drivers. make check sets TRACER, BUILD (the build tree) and CC. A test
# prints a line for each check: "ok NAME", "not ok NAME" or "ok NAME # SKIP REASON". Lines that
# begin with "# " have details of a failure.

SRC=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-$SRC}
TRACER=${TRACER:-$BUILD/tracer}
CC=${CC:-cc}
WORK=${WORK:-$BUILD/tests/work}
# Tests sometimes wait, so run one more than there are processors.
JOBS=${JOBS:-$(($(nproc) + 1))}
export SRC BUILD TRACER CC WORK
# Use the same language and time zone everywhere, and no variables that change how programs start.
# If SHELL or HOME is missing, shells look them up in the user database, which makes syscalls.
export LC_ALL=C TZ=UTC SHELL=/bin/sh HOME="${HOME:-/}"
# Leaks of libraries that the sanitizers must not report. If there is no symbolizer, an empty path keeps
# clang's runtime library from warning about it.
export LSAN_OPTIONS="suppressions=$SRC/tests/leaks.supp:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
command -v llvm-symbolizer >/dev/null || LSAN_OPTIONS+=:external_symbolizer_path=
unset LD_PRELOAD LD_LIBRARY_PATH MALLOC_PERTURB_ DEBUGINFOD_URLS
mkdir -p "$WORK/bin"

ok() { echo "ok $1"; }
not_ok() { echo "not ok $1"; }
skip() { echo "ok $1 # SKIP $2"; }

# sanitized: whether tracer was built with AddressSanitizer, which makes it several times slower.
# The longest tests then check less.
sanitized() { grep -q __asan_init "$TRACER"; }

# built_with FEATURE: whether tracer was configured with FEATURE (source-lines, stack-demangle,
# debuginfod).
built_with() { ! "$TRACER" -V | grep -q " no-$1\>"; }

# can_bpf: whether --engine=bpf works here. If not, prints a skipped check with the reason. Use it as
# "can_bpf || exit 0".
can_bpf() {
	timeout -k 5 60 "$TRACER" --engine=bpf -o /dev/null true 2>stderr && return
	skip "--engine=bpf" "$(cat stderr)"
	false
}

# can_attach ENGINE PID: whether the engine can attach to a process with several threads. If not, prints a
# skipped check with the reason.
can_attach() {
	[ "$1" = ptrace ] && return
	"$TRACER" --engine="$1" -f --stop-after=0.1 -o /dev/null -p "$2" 2>stderr
	grep -q 'needs Linux 6.9' stderr || return 0
	skip "$1: attached to a process" "$(grep 'needs Linux 6.9' stderr)"
	return 1
}

# wait_for CONDITION: waits at most a minute until the command CONDITION succeeds.
wait_for() {
	local i

	for ((i = 0; i < 3000; i++)); do
		eval "$1" && return
		sleep 0.02
	done
	echo "# never: $1"
	return 1
}

# is NAME GOT WANT: checks that two strings are equal.
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1"
		printf 'got: %s\nwant: %s\n' "$2" "$3" | sed 's/^/# /'
	fi
}

# like NAME GOT REGEX: checks that a string matches a regular expression.
like() {
	if [[ $2 =~ $3 ]]; then
		ok "$1"
	else
		not_ok "$1"
		printf 'got: %s\nwant a match of: %s\n' "$2" "$3" | sed 's/^/# /'
	fi
}

# same NAME GOT-FILE WANT-FILE: checks that two files are equal.
same() {
	local text

	if text=$(diff -u --label want --label got "$3" "$2"); then
		ok "$1"
	else
		not_ok "$1"
		head -n 60 <<<"$text" | sed 's/^/# /'
	fi
}

# wanted NAME: whether the user has selected the test of this name (in ONLY). "-NAME" excludes a test.
wanted() {
	local w

	[ -n "${ONLY-}" ] || return 0
	[[ " $ONLY " != *" -$1 "* ]] || return 1
	for w in $ONLY; do
		w=${w#tests/}
		[[ $1 == "${w%.c}"* || $1 == "${w%.sh}"* ]] && return 0
	done
	return 1
}

# each FUNCTION ITEM...: runs FUNCTION for each item, JOBS at a time. Prints the output of each item
# in one piece, in the order of the items.
each() {
	local fn=$1 i=0 shown=0 outputs

	shift
	outputs=$(mktemp -d "$WORK/each.XXXXXX")
	for item; do
		{
			"$fn" "$item" >"$outputs/$i" 2>&1 </dev/null
			mv "$outputs/$i" "$outputs/$i.done"
		} &
		i=$((i + 1))
		while [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; do
			wait -n
		done
		while [ -f "$outputs/$shown.done" ]; do
			cat "$outputs/$((shown++)).done"
		done
	done
	wait
	while [ "$shown" -lt "$i" ]; do
		cat "$outputs/$((shown++)).done"
	done
	rm -rf "$outputs"
}

# build OUT ARGUMENTS...: compiles a program of the tests. With PREBUILT=1, tests/arch has already
# built all programs on another machine, and those that are missing could not be built.
build() {
	if [ -n "${PREBUILT-}" ]; then
		[ -x "$1" ]
	else
		$CC -o "$@"
	fi
}

# program NAME [-mx32]: builds tests/e2e/NAME.c or NAME.cc as $WORK/bin/NAME, or with -mx32 as
# $WORK/bin/NAME-mx32. The latter is static, because few machines have x32 libraries.
program() {
	local bin=$WORK/bin/$1${2-} src=$SRC/tests/e2e/$1.c compiler="$CC -std=gnu11${2:+ $2 -static}"
	local tmp part current

	if [ -f "$SRC/tests/e2e/$1.cc" ]; then
		src=$SRC/tests/e2e/$1.cc
		compiler="${CXX:-c++} -std=gnu++17"
	fi
	if [ -n "${PREBUILT-}" ]; then
		[ -x "$bin" ]
		return
	fi
	# The compiler has written a list of all included files: "NAME: FILE FILE…", with \ at the
	# ends of lines.
	if [ -f "$bin.d" ]; then
		current=$bin
		for part in $(sed 's/^[^:]*://; s/\\$//' "$bin.d"); do
			[ "$part" -nt "$bin" ] && current=
		done
		[ -x "$current" ] && return
	fi
	tmp=$(mktemp "$bin.XXXXXX")
	$compiler -D_GNU_SOURCE -g -O1 -pthread -I"$SRC/tests/e2e" -iquote "$SRC" -MMD -MF "$bin.d" -o "$tmp" "$src" \
		-ldl && mv "$tmp" "$bin"
}

# can_int80: whether this kernel supports i386 calls. Without IA32 emulation, int $0x80 kills the
# program.
can_int80() {
	local probe=$WORK/bin/int80

	[ "$(uname -m)" = x86_64 ] || return
	[ -x "$probe" ] || [ -n "${PREBUILT-}" ] ||
		$CC -x c -o "$probe" - <<<'int main(void) { long n = 20; __asm__ volatile("int $0x80" : "+a"(n)); return n < 0; }' || return
	"$probe" 2>/dev/null
}

# can_trace: whether processes may trace others here.
can_trace() {
	"$TRACER" -o /dev/null true 2>/dev/null
}
