/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/compat_vdso.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/arch/arch.h"
#include "util/mem.h"

#define PAGE	 4096
#define ROOM	 (64u << 10)
#define DATA_MAX 8 /* maximum number of data pages before the code of the vdso */

/* The child's result, in memory that it shares with its parent. */
struct found {
	size_t n; /* size of the code in bytes; 0 if the vdso was not found */
	uint8_t bytes[ROOM];
};

static bool copy(uint64_t addr, void *to, size_t n)
{
	struct iovec ours = {to, n}, there = {(void *)(uintptr_t)addr, n};

	return process_vm_readv(getpid(), &ours, 1, &there, 1, 0) == (ssize_t)n;
}

/*
 * Makes the kernel map the 32-bit vdso at the address `at`. Returns the size of the vdso in bytes,
 * or -1. The request ARCH_MAP_VDSO_32 is map_vdso[0] + 1, because map_vdso[0] is ARCH_MAP_VDSO_X32
 * (asm/prctl.h).
 */
static long map_compat(uint64_t at)
{
#ifdef SYS_arch_prctl
	return syscall(SYS_arch_prctl, arch_native->map_vdso[0] + 1, at);
#else
	(void)at;
	return -1;
#endif
}

/*
 * Maps the 32-bit vdso and copies its code to *f. Runs in a child process, because the kernel maps
 * this vdso only into a process that has no other vdso (and only with CONFIG_CHECKPOINT_RESTORE).
 * The child therefore unmaps its vdso first. After that, it must not call functions that use the
 * vdso.
 */
static void map_and_copy(struct map_range own, struct found *f)
{
	const uint64_t at = own.lo - DATA_MAX * PAGE;
	uint8_t head[EI_NIDENT];
	long n;

	if (munmap((void *)(uintptr_t)at, own.hi - at))
		return;
	n = map_compat(at);
	if (n <= 0 || (size_t)n > ROOM)
		return;
	for (int i = 0; i <= DATA_MAX; i++) {
		const uint64_t code = at + (uint64_t)i * PAGE;

		if (!copy(code, head, sizeof(head)) || memcmp(head, ELFMAG, SELFMAG) ||
		    head[EI_CLASS] != ELFCLASS32)
			continue;
		if (copy(code, f->bytes, (size_t)n))
			f->n = (size_t)n;
		return;
	}
}

uint8_t *compat_vdso_read(struct map_range own, size_t *n)
{
	struct found *f;
	uint8_t *bytes = NULL;
	pid_t child;

	if (!arch_native->map_vdso[0] || !own.lo)
		return NULL;
	f = mmap(NULL, sizeof(*f), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (f == MAP_FAILED)
		return NULL;
	child = fork();
	if (!child) {
		map_and_copy(own, f);
		_exit(0);
	}
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (f->n) {
		bytes = mem_alloc(f->n);
		memcpy(bytes, f->bytes, f->n);
		*n = f->n;
	}
	munmap(f, sizeof(*f));
	return bytes;
}
