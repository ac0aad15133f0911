# SPDX-License-Identifier: LGPL-2.1-or-later
# Output on a terminal: characters that are not ASCII, and stacks with colours and short paths.
. "$SRC/tests/lib.sh"
program terminal || exit
if ! script -qc true /dev/null </dev/null >/dev/null 2>&1; then
	skip "output on a terminal" "script(1) is missing"
	exit
fi
app=$WORK/bin/terminal

# on_terminal LOCALE ARGUMENTS: runs tracer on a terminal, and prints the calls of the program.
on_terminal() {
	LC_ALL=$1 TERM=xterm script -qc "'${TRACER_LINK:-$TRACER}' ${*:2} '$app'" /dev/null </dev/null | tr -d '\r' |
		sed -n '/Gr\|x47.x72/,$p'
}
first() { on_terminal "$@" | head -n 1 | grep -o '".*"'; }

escaped='"Gr\303\274\303\237e/\346\227\245\346\234\254"'
is "UTF-8" "$(first C.UTF-8 --color=never)" '"Grüße/日本"'
is "another locale" "$(first C --color=never)" "$escaped"
is "--strings=escaped" "$(first C.UTF-8 --color=never --strings=escaped)" "$escaped"
is "-x" "$(first C.UTF-8 --color=never -x | cut -c 1-9)" '"\x47\x72'
is "not a terminal" "$(LC_ALL=C.UTF-8 "$TRACER" "$app" 2>&1 | grep -o '"Gr.*"')" "$escaped"
text() { "$TRACER" "$@" -qq -e trace=write sh -c "printf '\\342\\200\\256\\3777\\033\\346\\227' >&2" 2>&1 >/dev/null | grep -ao '"[^"]*"'; }
is "--strings=utf8: controls and invalid UTF-8" "$(text --strings=utf8)" '"\342\200\256\3777\33\346\227"'
is "--strings=utf8" "$("$TRACER" --strings=utf8 "$app" 2>&1 | grep -o '"Gr.*"')" '"Grüße/日本"'
# Two of the characters are wide, and wc counts the end of the line.
is "results are aligned" "$(on_terminal C.UTF-8 --color=never -a60 | head -n 1 | sed 's/ = .*//' | LC_ALL=C.UTF-8 wc -m)" 58
ln -s "$TRACER" strace
is "as strace" "$(TRACER_LINK=$PWD/strace first C.UTF-8 --color=never)" "$escaped"
for option in --strings=all --strings --strings-in-h=all; do
	is "an abbreviation of strace: $option" "$("$TRACER" $option "$app" 2>&1 | grep -o '"\\x47\\x72')" '"\x47\x72'
done

if ! "$TRACER" -k true >/dev/null 2>&1; then
	skip "stacks on a terminal" "no stacks"
	exit
fi
stack=$(on_terminal C.UTF-8 --color=always -k -e trace=open,openat)
esc=$'\033'
like "libc is dim" "$stack" "${esc}\\[2m > libc[^/]*\\("
like "the program is bold" "$stack" "${esc}\\[1m > terminal\\((work|main)\\+0x[0-9a-f]+\\) \\[0x[0-9a-f]+\\]${esc}\\[0m"
is "short paths only on a terminal" "$("$TRACER" -k -e trace=open,openat "$app" 2>&1 | grep -c "^ > $app(main")" 2
is "as strace: full paths" "$(TRACER_LINK=$PWD/strace on_terminal C.UTF-8 --color=never -k -e trace=open,openat | grep -c "^ > [^/]*(")" 0
