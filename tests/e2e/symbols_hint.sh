# SPDX-License-Identifier: LGPL-2.1-or-later
# The first run whose stacks lack names names the package with the symbols, on a terminal only.
. "$SRC/tests/lib.sh"

command -v script >/dev/null || {
	skip "the hint" "there is no script(1)"
	exit
}
mkdir lib
cat >lib.c <<'END'
#include <unistd.h>
static __attribute__((noinline)) long inner(void) { return syscall(39) + 1; }
long outer(void) { return inner() + 1; }
END
cat >app.c <<'END'
long outer(void);
int main(void) { return outer() < 2; }
END
# A file that is named like libc belongs to libc's package.
if ! { $CC -shared -fPIC -O1 -s -o lib/libc.so.99 lib.c && $CC -O1 -s -o app app.c lib.c && $CC -o named app.c lib.c &&
	$CC -o libc app.c lib/libc.so.99 -Wl,-rpath="$PWD/lib"; } 2>cc.out; then
	skip "the hint" "$(head -n 1 cc.out)"
	exit
fi

# on_terminal PROGRAM [OPTION...]: prints what tracer writes to a terminal. The log is in a file.
on_terminal() {
	local program=$1
	shift
	script -qec "'$TRACER' -k -o log -e trace=getpid $* ./$program" /dev/null </dev/null | tr -d '\r'
}
name=$(basename "$TRACER")
export XDG_STATE_HOME=$PWD/state/of/user
is "none without a terminal" "$("$TRACER" -k -o log -e trace=getpid ./libc 2>&1)" ""
is "none with -q" "$(on_terminal libc -q)" ""
is "none without -k" "$(script -qec "'$TRACER' -o log ./libc" /dev/null </dev/null)" ""
like "libc's package" "$(on_terminal libc)" \
	"^$name: names are missing in stacks, because the symbols of $PWD/lib/libc.so.99 are not installed \(Debian: libc6-dbg\)(; or use --debuginfod)?\$"
like "the stack lacks the name" "$(cat log)" 'libc\.so\.99\(\) \['
is "only once" "$(on_terminal libc)" ""
rm -r state
unset XDG_STATE_HOME
mkdir home
like "another package" "$(HOME=$PWD/home on_terminal app)" \
	"^$name: names .* symbols of /[^ ]* are not installed \(Debian: (a package whose name ends in -dbgsym|libc6-dbg)\)"
like "remembered in the home directory" "$(find home -type f)" '^home/\.local/state/tracer/symbols-hint$'
is "none without a home directory" "$(HOME=/nowhere on_terminal libc)" ""
