/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For programs that record their own stacks. Each function begins with the macro TRUTH. check()
 * writes the current list of these functions, with a random number N, to the file $TRUTH. Then it
 * makes the syscall fchdir(-N), which tests/stack/run.py finds in the log.
 */
#ifndef TRUTH_H
#define TRUTH_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

#define TRUTH_DEPTH 512
static __thread const char *truth_names[TRUTH_DEPTH];
static __thread int truth_depth;

/* descriptor of $TRUTH, which stays open across execve and chroot */
#define TRUTH_FD 99

static inline void truth_pop(int *p)
{
	(void)p;
	__asm__ volatile("" ::: "memory");
	truth_depth--;
}

#define TRUTH                                                                                      \
	truth_names[truth_depth < TRUTH_DEPTH ? truth_depth : TRUTH_DEPTH - 1] = __func__;         \
	truth_depth++;                                                                             \
	__asm__ volatile("" ::: "memory");                                                         \
	__attribute__((cleanup(truth_pop), unused)) int truth_here = 0

#if defined __x86_64__
#ifdef __ILP32__
#define TRUTH_NR 0x40000051L
#else
#define TRUTH_NR 81L
#endif
#define TRUTH_FCHDIR(n)                                                                            \
	do {                                                                                       \
		long ret = TRUTH_NR;                                                               \
		__asm__ volatile("syscall"                                                         \
				 : "+a"(ret)                                                       \
				 : "D"((long)-(n))                                                 \
				 : "rcx", "r11", "memory");                                        \
	} while (0)
#elif defined __aarch64__
#define TRUTH_FCHDIR(n)                                                                            \
	do {                                                                                       \
		register long ret __asm__("x0") = (long)-(n);                                      \
		register long nr __asm__("x8") = 50;                                               \
		__asm__ volatile("svc #0" : "+r"(ret) : "r"(nr) : "memory");                       \
	} while (0)
#elif defined __arm__
/* The syscall number must be in r7, the frame pointer of Thumb code. */
#define TRUTH_FCHDIR(n)                                                                            \
	do {                                                                                       \
		register long ret __asm__("r0") = (long)-(n);                                      \
		long kept;                                                                         \
		__asm__ volatile("mov %1, r7\n\tmov r7, #133\n\tsvc #0\n\tmov r7, %1"              \
				 : "+r"(ret), "=&r"(kept)                                          \
				 :                                                                 \
				 : "memory");                                                      \
	} while (0)
#elif defined __riscv
#define TRUTH_FCHDIR(n)                                                                            \
	do {                                                                                       \
		register long ret __asm__("a0") = (long)-(n);                                      \
		register long nr __asm__("a7") = 50;                                               \
		__asm__ volatile("ecall" : "+r"(ret) : "r"(nr) : "memory");                        \
	} while (0)
#else
#define TRUTH_FCHDIR(n)                                                                            \
	do {                                                                                       \
		long ret = 133;                                                                    \
		__asm__ volatile("int $0x80" : "+a"(ret) : "b"(-(n)) : "memory");                  \
	} while (0)
#endif

static NOINLINE int truth_note(const char *more)
{
	char line[16384];
	unsigned n;
	int len, fd;

	if (fcntl(TRUTH_FD, F_GETFD) < 0) {
		fd = open(getenv("TRUTH"), O_WRONLY | O_APPEND | O_CREAT, 0666);
		dup2(fd, TRUTH_FD);
		close(fd);
	}
	syscall(SYS_getrandom, &n, sizeof(n), 0);
	n &= 0x7fffffff;
	len = snprintf(line, sizeof(line), "%d", n);
	for (int i = truth_depth; i-- > 0;)
		len += snprintf(line + len, sizeof(line) - len, "\t%s", truth_names[i]);
	len += snprintf(line + len, sizeof(line) - len, "\t%s\n", more);
	if (write(TRUTH_FD, line, len) != len)
		abort();
	return n;
}

/*
 * Like check(). `more` specifies how the stack continues after the listed functions. "*" means any
 * frames up to the normal end. "!REASON" means that the stack ends here with this reason. "^NAME"
 * means calls of the recursive function NAME, one for each level of $DEPTH, and then main. "?" is
 * like "*", but functions without TRUTH may also be between the listed ones.
 */
#define check_more(more)                                                                           \
	do {                                                                                       \
		int truth_n = truth_note(more);                                                    \
		TRUTH_FCHDIR(truth_n);                                                             \
	} while (0)
#define check() check_more("*")

#endif
