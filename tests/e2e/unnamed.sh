# SPDX-License-Identifier: LGPL-2.1-or-later
# Frames of a stripped program are named after the starts of their functions.
. "$SRC/tests/lib.sh"

cat >app.c <<'EOF'
#include <unistd.h>
static __attribute__((noinline)) int inner(int n) { return n ? inner(n - 1) + 1 : getppid() + 1; }
static __attribute__((noinline)) int outer(void) { return inner(2) + inner(1); }
int main(void) { return outer() == 0; }
EOF
if ! $CC -O0 -o named app.c || ! $CC -O0 -s -o app app.c; then
	skip "frames without names" "the compiler does not work"
	exit
fi
# starts FUNCTION...: prints the names of frames in app that have no symbol.
starts() {
	local f

	for f; do
		nm named | sed -n "s/^0*\([0-9a-f]*\) t $f\$/;app+0x\1/Ip"
	done | tr -d '\n'
}
"$TRACER" -q -k --format=folded -e trace=getppid ./app 2>folded
like "the starts of functions" "$(cat folded)" "$(starts main outer inner inner inner | sed 's/+/\\+/g');"
is "two calls from one function" "$(grep -c "$(starts main outer inner inner);[^;+]*;getppid 1\$" folded)" 1
"$TRACER" -q -k -o log -e trace=getppid ./app
like "the text is strace's" "$(cat log)" ' > /[^ ]*/app\(\) \[0x[0-9a-f]+\]'
