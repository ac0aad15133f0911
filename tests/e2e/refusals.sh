# SPDX-License-Identifier: LGPL-2.1-or-later
# If the kernel does not permit tracing, a message names the setting or the missing privilege, and a solution. This test
# replaces files with kernel settings in a mount namespace of its own. tests/arch/kernel boots kernels that refuse tracing for
# these reasons.
. "$SRC/tests/lib.sh"

sleep 1000 &
target=$!
trap 'kill "$target"' EXIT
here=$PWD

# hidden FOLDER COMMAND: runs COMMAND with the contents of FOLDER replaced by the files in
# $here/fake. Prints its standard error.
hidden() {
	unshare -m bash -c "mount -t tmpfs fake '$1' && cp -r '$here/fake/.' '$1' && $2" 2>&1 >/dev/null
}
# fake PATH TEXT: creates fake/PATH with this text, as the only file in fake.
fake() {
	rm -rf fake && mkdir -p "fake/$(dirname "$1")" && echo "$2" >"fake/$1"
}

like "an old kernel" "$(setarch --uname-2.6 "$TRACER" --engine=bpf true 2>&1)" \
	'^[^:]*: --engine=bpf needs Linux [0-9.]+, this is 2\.6\.[^:]*: use --engine=ptrace$'

if [ "$(id -u)" -ne 0 ] || ! unshare -m mount -t tmpfs fake /proc/sys/kernel 2>/dev/null || ! setpriv --bounding-set=-sys_ptrace true; then
	skip "the others" "mounts and capabilities cannot be changed"
	exit
fi
for scope in 1 2 3; do
	fake yama/ptrace_scope $scope
	like "-p, ptrace_scope $scope" "$(hidden /proc/sys/kernel "setpriv --bounding-set=-sys_ptrace '$TRACER' -p $target")" \
		"PTRACE_SEIZE, $target\\): Operation not permitted.*kernel.yama.ptrace_scope is $scope.*: (set it to 0, or|boot with a)"
done
fake nothing ""
like "-p without CAP_SYS_PTRACE" "$(hidden /proc/sys/kernel "setpriv --bounding-set=-sys_ptrace '$TRACER' -p $target")" \
	"process $target may have more privileges than tracer: run tracer as root \\(with CAP_SYS_PTRACE\\)$"

capabilities() {
	setpriv --bounding-set="$1" "$TRACER" --engine=bpf true 2>&1
}
if [[ $("$TRACER" --engine=bpf true 2>&1) == *"needs Linux"* ]]; then
	skip "--engine=bpf" "this kernel is too old"
	exit
fi
like "without capabilities" "$(capabilities -sys_admin,-bpf,-perfmon)" '^[^:]*: --engine=bpf needs CAP_BPF and CAP_PERFMON: run tracer as root, or use --engine=ptrace$'
like "without CAP_BPF" "$(capabilities -sys_admin,-bpf)" ' needs CAP_BPF: '
like "without CAP_PERFMON" "$(capabilities -sys_admin,-perfmon)" ' needs CAP_PERFMON: '
if [ -d /sys/kernel/security ]; then
	fake lockdown "none integrity [confidentiality]"
	like "lockdown" "$(hidden /sys/kernel/security "'$TRACER' --engine=bpf -o /dev/null true")" \
		"^[^:]*: --engine=bpf is forbidden by the kernel's lockdown mode: use the boot option lockdown=integrity, or use --engine=ptrace\$"
fi
if ! timeout -k 5 60 "$TRACER" --engine=bpf true 2>stderr; then
	skip "BTF, perf_event_open(2)" "$(cat stderr)"
	exit
fi
fake nothing ""
like "without BTF" "$(hidden /sys/kernel/btf "'$TRACER' --engine=bpf -o /dev/null true")" \
	'^[^:]*: --engine=bpf needs /sys/kernel/btf/vmlinux \(a kernel with CONFIG_DEBUG_INFO_BTF\): use --engine=ptrace$'
# LeakSanitizer does not work in a tracer that is itself traced.
export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-}
refuse_perf() {
	"$TRACER" -o /dev/null -e trace=perf_event_open -e inject=perf_event_open:error="$1" "$TRACER" --engine=bpf -k true 2>&1
}
like "without perf_event_open(2)" "$(refuse_perf EACCES)" ' set the sysctl kernel.perf_event_paranoid to 2 or less, .*, or use --engine=ptrace$'
like "without locked memory" "$(refuse_perf ENOMEM)" 'raise the sysctl kernel.perf_event_mlock_kb, .*, or use --engine=ptrace$'
if [ -d /sys/kernel/tracing ]; then
	# Before Linux 7.0, tracefs is not used.
	like "without tracefs" "$(hidden /sys/kernel/tracing \
		"'$TRACER' -o /dev/null -e trace=fsopen -e inject=fsopen:error=ENODEV '$TRACER' --engine=bpf -o /dev/null true")" \
		'^(|[^:]*: --engine=bpf needs to read events/[^:]*: mount tracefs at /sys/kernel/tracing, run tracer as root, or use --engine=ptrace)$'
fi
