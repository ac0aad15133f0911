/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For attach.sh: 49 threads sleep, wake up and write to a pipe, which the main thread reads, until
 * the program is killed.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int pipes[2];

static void *run(void *arg)
{
	for (;;) {
		usleep(20000);
		if (write(pipes[1], "x", 1) < 0)
			return arg;
	}
}

int main(void)
{
	pthread_t thread;
	char c[64];

	if (pipe(pipes))
		return 1;
	for (int i = 0; i < 49; i++)
		pthread_create(&thread, NULL, run, NULL);
	puts("ready");
	fflush(stdout);
	while (read(pipes[0], c, sizeof(c)) > 0)
		;
	return 0;
}
