/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cpu_follow N: makes N syscalls, then prints the scheduling policy and CPU affinity of itself and
 * of a child.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *who)
{
	unsigned long cpus[16] = {0};

	sched_getaffinity(0, sizeof(cpus), (cpu_set_t *)cpus);
	printf("%s: policy %d, nice %d, affinity", who, sched_getscheduler(0),
	       getpriority(PRIO_PROCESS, 0));
	for (int i = 0; i < 16; i++)
		printf(" %lx", cpus[i]);
	printf("\n");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	for (long n = argc > 1 ? atol(argv[1]) : 0; n > 0; n--)
		syscall(SYS_getppid);
	say("self");
	if (!fork()) {
		for (int i = 0; i < 5000; i++)
			syscall(SYS_getppid);
		say("child");
		_exit(0);
	}
	wait(NULL);
	return 0;
}
