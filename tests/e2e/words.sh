#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-or-later
# tests/words.py finds the phrases that it should find, in each kind of file, and accepts better
# ones.
. "$(dirname "$0")/../lib.sh"

command -v python3 >/dev/null || { skip words "python3 is missing"; exit; }
check() { python3 "$SRC/tests/words.py" "$@"; }

is "planted sentences" "$(check --planted; echo $?)" 0
dir=$(mktemp -d "$WORK/words.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit

bad='Lost events are told on the standard error.'
good='Lost events are reported on standard error.'
file() { # file NAME SENTENCE: makes a file that contains the sentence, and checks it.
	case $1 in
	*.md) printf '# Title\n\n- %s\n' "$2" ;;
	*.1) printf '.Sh NAME\n%s\n' "$2" ;;
	*.c) printf 'void f(void)\n{\n\tmsg("%s "\n\t    "%s");\n}\n' "${2% *}" "${2##* }" ;;
	*.js) printf 'const text = "%s";\n' "$2" ;;
	*.json) printf '{ "description": "%s" }\n' "$2" ;;
	esac >"$1"
}
for name in text.md text.1 text.c text.js text.json; do
	file "$name" "$bad"
	like "$name: a planted sentence" "$(check "$dir/$name"; echo $?)" "$name:[0-9]+: .*told.*1"
	file "$name" "$good"
	is "$name: its better form" "$(check "$dir/$name"; echo $?)" 0
done
printf '    what is no syscall\n' >code.md
is "code in a document" "$(check "$dir/code.md"; echo $?)" 0
