/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A virtual CPU that uses I/O ports, accesses addresses without memory, and halts. */
#include <fcntl.h>
#include <linux/kvm.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

/* real-mode code at address 0x1000 */
static const unsigned char code[] = {
	0xba, 0xf8, 0x03, /* mov $0x3f8, %dx */
	0xb8, 0x42, 0x41, /* mov $0x4142, %ax */
	0xee,		  /* out %al, (%dx) */
	0xef,		  /* out %ax, (%dx) */
	0xec,		  /* in (%dx), %al */
	0xe6, 0x05,	  /* out %al, $5 */
	0xa0, 0x00, 0x80, /* mov 0x8000, %al */
	0xa2, 0x01, 0x80, /* mov %al, 0x8001 */
	0xf4		  /* hlt */
};

int main(void)
{
	struct kvm_userspace_memory_region region = {.guest_phys_addr = 0x1000,
						     .memory_size = 0x1000};
	struct kvm_regs regs = {.rip = 0x1000, .rflags = 2};
	struct kvm_sregs sregs;
	struct kvm_run *run;
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC), vm, cpu, size;
	unsigned char *memory =
		mmap(NULL, 0x1000, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (kvm < 0 || memory == MAP_FAILED)
		return 77;
	memcpy(memory, code, sizeof(code));
	region.userspace_addr = (uintptr_t)memory;
	vm = ioctl(kvm, KVM_CREATE_VM, 0ul);
	size = ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0ul);
	if (vm < 0 || ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region))
		return 77;
	cpu = ioctl(vm, KVM_CREATE_VCPU, 0ul);
	run = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, cpu, 0);
	if (cpu < 0 || run == MAP_FAILED || ioctl(cpu, KVM_GET_SREGS, &sregs))
		return 77;
	sregs.cs.base = sregs.cs.selector = 0;
	if (ioctl(cpu, KVM_SET_SREGS, &sregs) || ioctl(cpu, KVM_SET_REGS, &regs))
		return 77;
	for (int i = 0; i < 20; i++) {
		if (ioctl(cpu, KVM_RUN, 0ul) || run->exit_reason == KVM_EXIT_HLT)
			break;
		if (run->exit_reason == KVM_EXIT_IO && run->io.direction == KVM_EXIT_IO_IN)
			*((unsigned char *)run + run->io.data_offset) = 'z';
	}
	ioctl(cpu, KVM_RUN, 1ul);
	ioctl(kvm, KVM_RUN, 0ul);
	return 0;
}
