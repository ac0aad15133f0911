/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A thread, an open file, a source file and a function with hostile names that could corrupt a log.
 * objcopy gives the function forge_me its hostile name.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static int fd;

#line 1 "source\033[2J\007\n > forged source\377\302\233.c"
__attribute__((noinline, noclone)) void forge_me(void)
{
	getppid();
	lseek(fd, 0, SEEK_CUR);
	__asm__ volatile("");
}

static void *thread(void *arg)
{
	prctl(PR_SET_NAME, "t\033[2J\007\nfoo\377\302\233");
	forge_me();
	__asm__ volatile("");
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	(void)argc;
	fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	prctl(PR_SET_NAME, "p\033[2J\007\nfoo\377\302\233");
	forge_me();
	return 0;
}
