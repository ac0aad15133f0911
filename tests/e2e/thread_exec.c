/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A thread that is not the leader calls execve and takes over the leader's id. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "e2e.h"

static char *me;

static void *run(void *arg)
{
	usleep(50000); /* the leader must wait for this thread first */
	execl(me, me, "again", NULL);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc > 1)
		return 5;
	me = argv[0];
	pthread_create(&thread, NULL, run, NULL);
	pthread_join(thread, NULL);
	return 1;
}
