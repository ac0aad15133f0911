# SPDX-License-Identifier: LGPL-2.1-or-later
# What the test drivers share. From make check: TRACER, BUILD (the build tree), CC.
# A test prints one line for each thing it checks: "ok NAME", "not ok NAME" or
# "ok NAME # SKIP why", and what helps to understand a failure as "# " lines.

SRC=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-$SRC}
TRACER=${TRACER:-$BUILD/tracer}
CC=${CC:-cc}
WORK=${WORK:-$BUILD/tests/work}
# One more than there are processors, as tests also wait.
JOBS=${JOBS:-$(($(nproc) + 1))}
export SRC BUILD TRACER CC WORK
# One language, one time zone, nothing that changes how programs start.
# Without SHELL or HOME, a shell that starts looks them up in the user database.
export LC_ALL=C TZ=UTC SHELL=/bin/sh HOME="${HOME:-/}"
unset LD_PRELOAD LD_LIBRARY_PATH MALLOC_PERTURB_ DEBUGINFOD_URLS
mkdir -p "$WORK/bin"

ok() { echo "ok $1"; }
not_ok() { echo "not ok $1"; }
skip() { echo "ok $1 # SKIP $2"; }

# sanitized: whether tracer is built with AddressSanitizer, which makes it several times slower. The longest tests then
# check less.
sanitized() { grep -q __asan_init "$TRACER"; }

# built_with FEATURE: whether configure has left FEATURE (source-lines, stack-demangle, debuginfod) in.
built_with() { ! "$TRACER" -V | grep -q " no-$1\>"; }

# is NAME GOT WANT
is() {
	if [ "$2" = "$3" ]; then
		ok "$1"
	else
		not_ok "$1"
		printf 'got: %s\nwant: %s\n' "$2" "$3" | sed 's/^/# /'
	fi
}

# like NAME GOT REGEX
like() {
	if [[ $2 =~ $3 ]]; then
		ok "$1"
	else
		not_ok "$1"
		printf 'got: %s\nwant a match of: %s\n' "$2" "$3" | sed 's/^/# /'
	fi
}

# same NAME GOT-FILE WANT-FILE
same() {
	local text

	if text=$(diff -u --label want --label got "$3" "$2"); then
		ok "$1"
	else
		not_ok "$1"
		head -n 60 <<<"$text" | sed 's/^/# /'
	fi
}

# wanted NAME: whether the command line (ONLY) asks for the test of this name.
wanted() {
	local w

	[ -n "${ONLY-}" ] || return 0
	for w in $ONLY; do
		w=${w#tests/}
		[[ $1 == "${w%.c}"* || $1 == "${w%.sh}"* ]] && return 0
	done
	return 1
}

# each FUNCTION ITEM...: JOBS of them at a time, their output whole and in order.
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

# build OUT ARGUMENTS...: a program of the tests, by the C compiler; PREBUILT=1 says that tests/arch has built them all
# where there is a compiler, and that those which are not there could not be.
build() {
	if [ -n "${PREBUILT-}" ]; then
		[ -x "$1" ]
	else
		$CC -o "$@"
	fi
}

# program NAME [-mx32]: builds tests/e2e/NAME.c or NAME.cc; its path is $WORK/bin/NAME, or $WORK/bin/NAME-mx32, which is one
# that needs no libraries, as few machines have those of x32.
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
	# What it includes, as the compiler said: "NAME: FILE FILE…", \ at ends of lines.
	if [ -f "$bin.d" ]; then
		current=$bin
		for part in $(sed 's/^[^:]*://; s/\\$//' "$bin.d"); do
			[ "$part" -nt "$bin" ] && current=
		done
		[ -x "$current" ] && return
	fi
	tmp=$(mktemp "$bin.XXXXXX")
	$compiler -D_GNU_SOURCE -g -O1 -pthread -I"$SRC/tests/e2e" -MMD -MF "$bin.d" -o "$tmp" "$src" \
		-ldl && mv "$tmp" "$bin"
}

# Whether this kernel runs calls of i386: int $0x80 ends a program if there is no IA32 emulation.
can_int80() {
	local probe=$WORK/bin/int80

	[ "$(uname -m)" = x86_64 ] || return
	[ -x "$probe" ] || [ -n "${PREBUILT-}" ] ||
		$CC -x c -o "$probe" - <<<'int main(void) { long n = 20; __asm__ volatile("int $0x80" : "+a"(n)); return n < 0; }' || return
	"$probe" 2>/dev/null
}

# Whether this machine lets a process trace another at all.
can_trace() {
	"$TRACER" -o /dev/null true 2>/dev/null
}
