/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sweep SEED ROUNDS ERRNO: makes each syscall except exit_group(2) with random arguments and random
 * memory. A seccomp filter makes every syscall fail with ERRNO, or succeed if ERRNO is 0. No
 * syscall is carried out.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MEMORY	0x200000
#define SIZE	0x10000
#define NUMBERS 480
#ifdef __ILP32__
#define SYS_BIT __X32_SYSCALL_BIT
#else
#define SYS_BIT 0
#endif

static uint64_t state;

/* Returns the next random number of the generator xorshift64. */
static uint64_t next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Fills memory with random bytes, with zeros, or with a mix of small numbers and pointers. */
static void fill(unsigned char *memory)
{
	int kind = next() % 4;

	for (size_t i = 0; i < SIZE; i += sizeof(uint64_t)) {
		uint64_t n = 0;

		if (kind == 0)
			n = next();
		else if (kind > 1)
			n = next() % 3 ? next() % 64 : MEMORY + next() % (SIZE - 256);
		memcpy(memory + i, &n, sizeof(n));
	}
}

static unsigned long argument(void)
{
	switch (next() % 9) {
	case 0:
		return 0;
	case 1:
		return -1;
	case 2:
		return next() % 64;
	case 3:
		return 1ul << next() % (8 * sizeof(long));
	case 4:
		return next();
	case 5:
		return next() % 4096;
	case 6:
		return MEMORY + SIZE - next() % 64;
	default:
		return MEMORY + next() % (SIZE - 4096);
	}
}

/*
 * Returns true for syscalls that must not be made, because they affect the tracer or never return.
 */
static int is_left_out(long nr)
{
	switch (nr) {
	case SYS_exit:
	case SYS_exit_group:
	case SYS_rt_sigreturn:
#ifdef SYS_fork
	case SYS_fork:
	case SYS_vfork:
#endif
	case SYS_execve:
	case SYS_execveat:
#ifdef __x86_64__
	case SYS_BIT + 335: /* uretprobe and uprobe, which only the kernel's trampolines may call */
	case SYS_BIT + 336:
#elif defined __i386__
	case SYS_restart_syscall:
	case SYS_sigreturn:
#endif
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int rounds = argc > 3 ? atoi(argv[2]) : 0;
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (argc > 3 ? atoi(argv[3]) : 0)),
	};
	struct sock_fprog program = {4, filter};
	unsigned char *memory;

	if (!rounds)
		return 2;
	state = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15 + 88172645463325252;
	memory = mmap((void *)MEMORY, SIZE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (memory == MAP_FAILED || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 2;
	for (int round = 0; round < rounds; round++) {
		fill(memory);
		for (long nr = SYS_BIT; nr < SYS_BIT + NUMBERS; nr++) {
			unsigned long a[6];

			for (int i = 0; i < 6; i++)
				a[i] = argument();
			if (!is_left_out(nr))
				syscall(nr, a[0], a[1], a[2], a[3], a[4], a[5]);
		}
	}
	_exit(0);
}
