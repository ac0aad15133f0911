/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stacks PROCESSES CALLS: each process calls lseek(2) CALLS times. The stack of each call consists
 * of inner(), outer(), work() and main(). From time to time, a process changes its mappings.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE	  4096
#define MAP_EVERY 100 /* number of calls between two changes of the mappings */

static volatile long result;

__attribute__((noinline, noclone)) static void inner(long i)
{
	result = lseek(-1, i, SEEK_SET);
	result++;
}

__attribute__((noinline, noclone)) static void outer(long i)
{
	inner(i);
	result++;
}

static void change_mappings(void)
{
	char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED || mprotect(page, PAGE, PROT_READ | PROT_EXEC) || munmap(page, PAGE))
		_exit(1);
}

__attribute__((noinline, noclone)) static void work(long calls)
{
	for (long i = 0; i < calls; i++) {
		if (i % MAP_EVERY == 0)
			change_mappings();
		outer(i);
	}
}

int main(int argc, char **argv)
{
	const int processes = argc > 2 ? atoi(argv[1]) : 0;
	int status, failed = 0;

	for (int i = 0; i < processes; i++)
		if (!fork()) {
			work(atol(argv[2]));
			_exit(0);
		}
	while (wait(&status) > 0)
		failed |= status;
	return failed || !processes;
}
