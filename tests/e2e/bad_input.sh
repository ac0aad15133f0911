# SPDX-License-Identifier: LGPL-2.1-or-later
# For invalid input, tracer prints a one-line error message, exits with status 1, and leaves no
# program running or stopped. A hint, such as a list of valid values, may follow the message.
. "$SRC/tests/lib.sh"

# bad CULPRIT ARGUMENT...: checks that tracer refuses the arguments and names CULPRIT.
bad() {
	local culprit=$1 status lines

	shift
	rm -f ran
	timeout 20 "$TRACER" "$@" >stdout 2>stderr </dev/null
	status=$?
	lines=$(grep -vc -e '^Try ' -e ': valid values: ' -e 'run tracer as root (with CAP_SYS_PTRACE)' stderr)
	if [ "$status" -ne 1 ]; then
		not_ok "$*: status $status instead of 1"
	elif ! grep -qF -e "$culprit" stderr; then
		not_ok "$*: does not name $culprit"
	elif [ "$lines" -ne 1 ]; then
		not_ok "$*: $lines lines instead of one"
	elif [ -e ran ]; then
		not_ok "$*: ran the program"
	else
		ok "$*"
		return
	fi
	sed 's/^/# /' stderr
}

bad nosuchoption --nosuchoption touch ran
bad no_such_call -e trace=no_such_call touch ran
bad %nosuchclass -e trace=%nosuchclass touch ran
bad NOSUCHSIG -e signal=NOSUCHSIG touch ran
bad nosuchstatus -e status=nosuchstatus touch ran
bad nosuchformat -X nosuchformat touch ran
bad '(' -e 'trace=/(' touch ran
bad minus -s minus touch ran
bad -1 -s -1 touch ran
bad 99999999999 -a 99999999999 touch ran
bad NOSUCH -e inject=getpid:error=NOSUCH touch ran
bad syscall=getuid32 -e inject=getpid:syscall=getuid32:retval=1 touch ran
bad @arg1=0x41 -e inject=chdir:poke_enter=@arg1=0x41 touch ran
bad nosuchcolumn -S nosuchcolumn touch ran
bad nosuchcolumn -U nosuchcolumn touch ran
bad 9 -I 9 touch ran
bad none-such -b none-such touch ran
bad /no/such/program /no/such/program
bad no-such-program no-such-program
bad "exec: Permission denied" -o log /etc
bad 999999999 -p 999999999
bad nonsense -p nonsense
bad "$PWD" -o "$PWD" touch ran
bad /no/such/log -o /no/such/log touch ran
[ "$(id -u)" -ne 0 ] || bad nosuchuser -u nosuchuser touch ran
bad PROG -f

touch not-executable
bad "exec: Permission denied" -o log ./not-executable

# If the log cannot be written, the program continues, and tracer reports the error.
if [ -w /dev/full ]; then
	timeout 20 "$TRACER" -o /dev/full sh -c 'echo out; exit 3' >stdout 2>stderr
	is "full disk: the program is not disturbed" "$(cat stdout)" out
	grep -q 'No space left' stderr && ok "full disk: a message reports it" || not_ok "full disk: a message reports it"
fi
timeout 20 "$TRACER" -f -o '|true' sh -c 'sleep 0.2; ls /; exit 3' >stdout 2>stderr
like "reader of a pipe gone: one message reports it" "$(sort -u stderr)" '^[a-z]+: \|true: Broken pipe$'
for i in $(seq 50); do
	[ -s stdout ] && break
	sleep 0.1
done
like "reader of a pipe gone: the program runs on" "$(wc -l <stdout)" '^[1-9]'

# A process of another user cannot be attached to.
if [ "$(id -u)" -ne 0 ] && [ "$(stat -c %u /proc/1)" -ne "$(id -u)" ]; then
	bad 1 -p 1
fi
