/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Two libraries that replace each other at one address. A task that shares the address space maps
 * library i % 2 with swap(i). The task whose stack is walked calls the code of that library with
 * walk(i). Both count i from 0. The program's arguments are the libraries and the offset of the
 * code in each.
 */
#include "truth.h"

#include <sched.h>
#include <sys/mman.h>

#define AT ((char *)0x10000000000)
typedef void callback(void);

static char **libraries; /* argv + 1: the two libraries, then the two offsets */
static volatile int turn, ready;

static NOINLINE void leaf(void)
{
	TRUTH;
	check();
}

static void swap(int i)
{
	int fd = open(libraries[i % 2], O_RDONLY);

	if (mmap(AT, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, fd,
		 atol(libraries[2 + i % 2])) != AT)
		abort();
	close(fd);
	ready = i + 1;
	while (turn != i + 1)
		sched_yield();
}

static NOINLINE void walk(int i)
{
	TRUTH;
	while (ready != i + 1)
		sched_yield();
	truth_names[truth_depth++] = "frame_of_layout";
	((void (*)(callback *))AT)(leaf);
	truth_depth--;
	turn = i + 1;
}
