# SPDX-License-Identifier: LGPL-2.1-or-later
# Tests --duration, patterns of -P, --blocked and --stop-after.
. "$SRC/tests/lib.sh"

# On an emulated machine, calls that do not wait may also take a fifth of a second.
limit=${PREBUILT:+3}
limit=${limit:-0.2}
nap=${PREBUILT:+4}
nap=${nap:-0.3}
"$TRACER" -qq -o log --duration=$limit sleep $nap
is "a long call is shown" "$(sed 's/(.*//' log)" clock_nanosleep
"$TRACER" -qq -o log --duration=,$limit -e trace=clock_nanosleep,getrandom,exit_group sleep $nap
is "a call above the maximum duration is not shown" "$(grep -c clock_nanosleep log)" 0
"$TRACER" -qq -k -o log --duration=$limit sleep $nap
like "the stack of a long call is shown" "$(cat log)" ' > [^ ]*libc\.so'
"$TRACER" -qq -c -o log --duration=$limit sleep $nap
is "a summary counts only the long call" "$(awk '$NF == "total" { print $4 }' log)" 1
"$TRACER" --format=json -o log --duration=$limit sleep $nap
is "JSON has only the long call" "$(grep -c '"type":"syscall"' log)" 1

mkdir -p tree/a/b
for f in tree/a/x.h tree/a/b/y.h tree/a/b/y.c 'tree/a/[z]'; do echo data >"$f"; done
paths() {
	local -a options=()

	for pattern; do options+=(-P "$pattern"); done
	"$TRACER" --quiet=all -o log "${options[@]}" cat tree/a/x.h tree/a/b/y.h tree/a/b/y.c 'tree/a/[z]' >/dev/null
	sed -n 's/^openat(AT_FDCWD, "\([^"]*\)".*/\1/p' log | tr '\n' ' '
}
is "* matches within a name" "$(paths 'tree/a/*.h')" "tree/a/x.h "
is "** matches any path" "$(paths 'tree/**.h')" "tree/a/x.h tree/a/b/y.h "
is "**/ also matches no directory" "$(paths 'tree/a/**/y.[ch]')" "tree/a/b/y.h tree/a/b/y.c "
is "patterns with [!SET] and ?" "$(paths 'tree/?/b/y.[!h]')" "tree/a/b/y.c "
is "a pattern without wildcards matches one file" "$(paths 'tree/a/[z]')" "tree/a/[z] "
is "other characters match themselves" "$(paths 'tree/a/x?h' 'tree/.*/x.h')" "tree/a/x.h "
mkdir -p tree/c/d
touch tree/c/gone tree/c/d/gone tree/gone
absolute=(--quiet=all -e signal=none -e trace=unlinkat -P "$(pwd -P)/tree/c/d/go*" -P "$(pwd -P)/tree/gon?")
(cd tree && "$TRACER" -f "${absolute[@]}" --write-trace=../trace -o ../log sh -c 'rm c/../gone; rm -r c')
is "relative paths are compared as absolute ones" "$(sed 's/^ *[0-9]* *//; s/([^,]*/(…/' log | tr -s ' \n' ' ')" \
	'unlinkat(…, "c/../gone", 0) = 0 unlinkat(…, "gone", 0) = 0 '
"$TRACER" --read-trace=trace -f "${absolute[@]}" -o read
same "relative paths are compared as absolute ones in a trace" read log
is "descriptors match by their paths" \
	"$("$TRACER" --quiet=all -e trace=read -P "$(pwd -P)/tree/**/x.*" sed -n 1p tree/a/x.h 2>&1 >/dev/null | wc -l)" 2

"$TRACER" -o log --blocked=100ms -e status=none sleep 1
like "a call that hangs is reported" "$(cat log)" '--- blocked for [0-9.]+ s in clock_nanosleep\('
like "the report of a call that hangs has its stack" "$(cat log)" ' > [^ ]*libc\.so'
is "a call that hangs has no line of its own" "$(grep -c '^clock_nanosleep' log)" 0
"$TRACER" -c -o log --blocked=100ms sleep 1
like "a call that hangs is reported with -c" "$(cat log)" '--- blocked for [0-9.]+ s in clock_nanosleep\('

"$TRACER" --stop-after=1s sleep 60 2>stderr &
wait $!
is "--stop-after: status" "$?" 0
like "--stop-after: a message reports the end" "$(cat stderr)" '--stop-after time reached'
like "--stop-after: the unfinished call is shown" "$(cat stderr)" 'clock_nanosleep\('
pid=$(sed -n 's/.*Process \([0-9]*\) detached/\1/p' stderr)
is "--stop-after: the command continues" "$(cat "/proc/$pid/comm")" sleep
kill "$pid"
