/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls rt_sigreturn(2) with a stack pointer that does not point to a signal frame, in the ABIs
 * x86_64 and x32. With an argument, uses only the ABI i386.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

#define NOWHERE "mov %%rsp, %%r12; mov $0x1000, %%rsp; "
#define BACK	"; mov %%r12, %%rsp"

static void call_64(long nr)
{
	if (!fork()) {
		__asm__ volatile(NOWHERE "syscall" BACK
				 : "+a"(nr)
				 :
				 : "rcx", "r11", "r12", "memory");
		_exit(0);
	}
	wait(NULL);
}

static void call_32(long nr)
{
	if (!fork()) {
		__asm__ volatile(NOWHERE "int $0x80" BACK
				 : "+a"(nr)
				 :
				 : "r8", "r9", "r10", "r11", "r12", "memory");
		_exit(0);
	}
	wait(NULL);
}

int main(int argc, char **argv)
{
	(void)argv;
	trace_from_here();
	if (argc > 1) {
		call_32(173); /* not every kernel supports i386 syscalls */
		return 0;
	}
	call_64(15);
	call_64(0x40000000 + 15);
	return 0;
}
