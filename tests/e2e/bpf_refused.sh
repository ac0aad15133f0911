# SPDX-License-Identifier: LGPL-2.1-or-later
# What --engine=bpf refuses: missing privileges, and options that need another engine.
. "$SRC/tests/lib.sh"

# Without the privileges, a one-line message reports what is missing.
refused() {
	like "$1" "$(cat stderr)" "^[^:]*: --engine=bpf $2.*--engine=ptrace\$"
}
if [ "$(id -u)" -ne 0 ]; then
	"$TRACER" --engine=bpf true 2>stderr
	is "an ordinary user: status 1" $? 1
elif setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null; then
	# An ordinary user may not have access to the build tree. Then setpriv fails.
	setpriv --reuid=65534 --regid=65534 --clear-groups "$TRACER" --engine=bpf true 2>stderr
	if grep -q 'setpriv' stderr; then
		skip "an ordinary user" "the build tree is closed to others"
	else
		refused "an ordinary user" "(needs CAP|needs Linux|does not support)"
	fi
else
	skip "an ordinary user" "setpriv does not work here"
fi
if unshare -Ur true 2>/dev/null; then
	unshare -Ur "$TRACER" --engine=bpf true 2>stderr
	refused "in a user namespace" "(cannot run inside a user|needs Linux|does not support)"
else
	skip "in a user namespace" "user namespaces are not allowed"
fi
# Some kernels interpret BPF programs if the JIT is turned off. Only do that in an emulated machine
# (tests/arch).
if [ -n "${PREBUILT-}" ] && echo 0 >/proc/sys/net/core/bpf_jit_enable; then
	timeout -k 5 60 "$TRACER" --engine=bpf true 2>stderr
	refused "where programs are interpreted" "needs compiled BPF programs"
	echo 1 >/proc/sys/net/core/bpf_jit_enable
else
	skip "where programs are interpreted" "only done in an emulated machine"
fi 2>/dev/null

can_bpf || exit 0

# Options that this engine does not support are refused, and the message names them.
for option in "-e inject=getpid:retval=1" "-e inject=getpid:signal=USR1" "-b execve" "--kill-on-exit" \
	"-D" "-e namespace=new" "--seccomp-bpf -f -e trace=getpid"; do
	timeout -k 5 60 "$TRACER" --engine=bpf $option -o log true 2>stderr
	like "$option" "$?:$(cat stderr)" "^1:[^:]*: -.* requires --engine=ptrace\$"
done
timeout -k 5 60 "$TRACER" --buffer-size=1M -o log true 2>stderr
like "--buffer-size" "$?:$(cat stderr)" "^1:[^:]*: --buffer-size requires --engine=bpf\$"
