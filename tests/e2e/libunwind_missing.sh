# SPDX-License-Identifier: LGPL-2.1-or-later
# If libunwind is not installed, messages about options that require it name the package. In this test, the loader finds an
# empty file instead of libunwind.
. "$SRC/tests/lib.sh"

soname=$(grep -ao 'libunwind-[a-z0-9_]*\.so\.[0-9]*' "$TRACER" | head -1)
if [ -z "$soname" ] || [[ $("$TRACER" -V) != *stack-trace=libunwind* ]]; then
	skip "libunwind" "it is not loaded at run time"
	exit
fi
: >"$soname"
for option in --unwinder=libunwind --verify-stacks; do
	like "$option" "$(LD_LIBRARY_PATH=$PWD "$TRACER" -k $option true 2>&1)" \
		"^[^:]*: $option: libunwind is missing or too old: install it \\(Debian: libunwind8\\)\$"
done
like "-k works without it" "$(LD_LIBRARY_PATH=$PWD "$TRACER" -k -e trace=execve true 2>&1)" 'exited with 0'
