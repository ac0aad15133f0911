/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A syscall made by inner(), which main() calls through outer(). */
#include <unistd.h>

/* Prevents the compiler from turning the preceding call into a tail call. */
#define STAYS __asm__ volatile("" ::: "memory")

__attribute__((noinline)) static int inner(void)
{
	int pid = getppid();

	STAYS;
	return pid;
}

__attribute__((noinline)) static int outer(void)
{
	int pid = inner() + 1;

	STAYS;
	return pid;
}

int main(void)
{
	return outer() < 0;
}
