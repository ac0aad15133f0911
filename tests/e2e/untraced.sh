# SPDX-License-Identifier: LGPL-2.1-or-later
# CLONE_UNTRACED does not hide a process from -f, and the program does not see why.
. "$SRC/tests/lib.sh"

case $(uname -m) in x86_64) ;; *) skip "CLONE_UNTRACED" "the program is x86_64's"; exit ;; esac
program untraced

is "without -f it hides, as nothing is to be followed" \
	"$("$TRACER" -qq -e trace=getppid -e signal=none "$WORK/bin/untraced" 2>&1)" ""
for options in "-f" "-f -k" "-f --seccomp-bpf" "-f --seccomp-bpf -k" "-ff" "-f -e status=failed" \
	"-f --format=json"; do
	rm -f log*
	timeout 60 "$TRACER" $options -e trace=getppid -e signal=none -o log "$WORK/bin/untraced" >out 2>&1
	is "$options: status" "$?" 0
	is "$options: nothing has changed" "$(cat out)" ""
	[[ $options == *status* ]] || is "$options: all are seen" "$(cat log* | grep -c getppid)" 4
done
"$TRACER" -f -e trace=clone,clone3 -e signal=none -o log "$WORK/bin/untraced"
is "the flag is shown" "$(grep -c 'flags=CLONE_.*UNTRACED' log)" 6
