/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A call with two functions above it. */
#include <unistd.h>

/* No compiler may jump to where it calls. */
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
