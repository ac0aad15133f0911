# SPDX-License-Identifier: LGPL-2.1-or-later
# Every long option is in the manual, in --help=all and in the completions, and the manual is
# well-formed.
. "$SRC/tests/lib.sh"

# Synonyms of options are in the manual only. The texts name --signal instead of --signals.
second=" daemonised daemonized failing-only pidns-translation signals silent silence stack-traces timestamps secontext "
options=$(sed -nE 's/^\t\{"([a-z0-9-]+)", (no|required|optional)_argument, .*/\1/p' "$SRC"/cli/options*.c)
is "options are found in the source" "$([ "$(wc -w <<<"$options")" -gt 90 ] && echo yes)" yes

# documented NAME TEXT BEFORE: checks that each option is in TEXT, as a whole word after BEFORE.
documented() {
	local option missing=

	for option in $options; do
		[[ $1 != "the manual" && $second == *" $option "* ]] ||
			grep -qE -e "$3$option([^a-z0-9-]|\$)" <<<"$2" || missing+=" --$option"
	done
	is "options that are missing in $1" "$missing" ""
}
documented "the manual" "$(<"$SRC/tracer.1")" 'Fl -'
documented "--help=all" "$("$TRACER" --help=all)" '(^|[^a-z0-9-])--'
for shell in bash/tracer zsh/_tracer fish/tracer.fish; do
	documented "completions/$shell" "$(<"$SRC/completions/$shell")" "$([[ $shell == fish/* ]] && echo '-l ' || echo --)"
done

# The page of --help names only options that exist.
unknown=
for option in $("$TRACER" --help | grep -oE -e '--[a-z][a-z0-9-]+' | sort -u); do
	grep -qx -e "${option#--}" <<<"$options" || unknown+=" $option"
done
is "options of --help that do not exist" "$unknown" ""
is "-h is --help" "$("$TRACER" -h)" "$("$TRACER" --help)"

# Each item of the manual describes one option or several similar ones. Its description must contain an example.
without=$(awk '/^\.Ss What to run/ { in_options = 1 } /^\.Sh OUTPUT/ { in_options = 0 }
	function finish() { if (head != "" && body && !example) print head }
	in_options && /^\.(It Fl|Ss)/ || !in_options { if (body) { finish(); head = ""; example = body = 0 } }
	in_options && /^\.It Fl/ { head = head $0 "; "; next }
	in_options && /^\.(Dl|Bd -literal)|^\.Ql .*-/ { example = 1 }
	in_options && head != "" { body = 1 }' "$SRC/tracer.1")
is "options of the manual without an example" "$without" ""

# Each format has a section in the manual.
sections=
formats=$("$TRACER" --format=? true 2>&1 | sed -n 's/.*output format: //p' | sed 's/([^)]*([^)]*)[^)]*)//g; s/([^)]*)//g; s/,//g')
is "an unknown format: the message lists the formats" "$(grep -cw html <<<"$formats")" 1
for format in $formats; do
	sed -n '/^\.Sh OUTPUT FORMATS/,/^\.Sh ENVIRONMENT/p' "$SRC/tracer.1" | grep -q "format= Ns Cm $format" || sections+=" $format"
done
is "formats without a section of the manual" "$sections" ""

for width in 80 120; do
	if ! man --version >/dev/null 2>&1; then
		skip "the manual at $width columns" "there is no man"
	else
		is "the manual at $width columns" "$(MANWIDTH=$width man --warnings -l "$SRC/tracer.1" 2>&1 >/dev/null)" ""
	fi
done

# --help=TOPIC prints a section or an option, and --help=/WORD/ the options that mention the word.
is "--help: a section" "$("$TRACER" --help=stat | head -n 2)" "Statistics:
  -c, --summary-only"
is "--help: an option" "$("$TRACER" --help=top | head -n 2)" "Beyond strace:
  --top=N        show only the first N rows, and sum up the rest in one row"
is "--help: a short option" "$("$TRACER" --help=-P | head -n 2)" "Filtering:
  -P PATH, --trace-path=PATH"
is "--help: a word" "$("$TRACER" --help=/CLOCK_gettime/ | sed -n 2p)" "  --vdso=on|off  off: hide the vDSO from executed programs, so that clock_gettime,"
is "--help: a word that is no topic" "$("$TRACER" --help=percentiles | grep -c -e --summary-columns)" 1
