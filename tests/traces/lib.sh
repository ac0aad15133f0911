# SPDX-License-Identifier: LGPL-2.1-or-later
# Common code of the tests of traces (tests/e2e/trace*.sh).
. "$SRC/tests/lib.sh"
here=$(pwd -P) # without symbolic links, as the kernel shows paths

# Do not use wc: newer versions have a buffer on the stack that is larger than the part of a raw
# stack that is recorded.
script='trap : USR1; mkdir d; cd d; echo x >a; mv a b; rm b; cd ..; rmdir d; ls / | cat; (exit 3); kill -USR1 $$; sleep 0.01 & wait'

have() { command -v "$1" >/dev/null || { skip "$1" "$1 is not installed"; return 1; }; }

# symbolize FROM TO: writes its status and messages to the file said, without the message of a build
# without libdw.
symbolize() {
	"$TRACER" --read-trace="$1" --symbolize="$2" 2>err
	echo "$? $(sed '/--symbolize writes no source lines, as /d; s/^[^:]*: //' err)" >said
}
