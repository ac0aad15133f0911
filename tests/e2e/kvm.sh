# SPDX-License-Identifier: LGPL-2.1-or-later
# -e kvm=vcpu+ shows struct kvm_run before and after KVM_RUN as in strace 7.2 (kvm.expect). One
# difference is intended: for KVM_RUN on a descriptor that is not a virtual CPU, strace shows old
# data of another virtual CPU from its buffer, but tracer shows nothing.
. "$SRC/tests/lib.sh"
if [ "$(uname -m)" != x86_64 ]; then
	skip "struct kvm_run" "its guest has code of x86"
	exit
fi
program kvm

"$TRACER" -a1 -e kvm=vcpu+ -e trace=ioctl -o log "$WORK/bin/kvm"
if [ $? = 77 ]; then
	skip "struct kvm_run" "there is no /dev/kvm"
	exit
fi
sed -nE 's/apic_base=0x[0-9a-f]*/apic_base=X/; s/^ioctl\([0-9]*/ioctl(N/; /KVM_RUN|VCPU:/p' log >got
if [ -n "${UPDATE-}" ]; then
	cp got "$SRC/tests/e2e/kvm.expect" && ok "struct kvm_run: written"
else
	same "struct kvm_run" got "$SRC/tests/e2e/kvm.expect"
fi
"$TRACER" -e kvm=vcpu+ -e trace=ioctl --format=json -o log.json "$WORK/bin/kvm"
like "struct kvm_run in JSON" "$(grep -m1 '"dumps"' log.json)" \
	'"dumps":\[\{"name":"VCPU:0<","value":\{.*\}\},\{"name":"VCPU:0>","value":\{.*"size":1,"port":1016,"count":1.*"data":\[66\]'
