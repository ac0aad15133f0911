# SPDX-License-Identifier: LGPL-2.1-or-later
# What the tests of traces share (tests/e2e/trace*.sh).
. "$SRC/tests/lib.sh"
here=$(pwd -P) # as the kernel shows paths

# Not wc: newer ones have a buffer on their stack that is larger than what is recorded of a raw one.
script='trap : USR1; mkdir d; cd d; echo x >a; mv a b; rm b; cd ..; rmdir d; ls / | cat; (exit 3); kill -USR1 $$; sleep 0.01 & wait'

have() { command -v "$1" >/dev/null || { skip "$1" "$1 is not installed"; return 1; }; }

# symbolize FROM TO: its status and what it said, but for what a build without libdw says, into said
symbolize() {
	"$TRACER" --read-trace="$1" --symbolize="$2" 2>err
	echo "$? $(sed '/--symbolize writes no source lines, as /d; s/^[^:]*: //' err)" >said
}
