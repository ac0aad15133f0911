/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Uses descriptors, their numbers and their files again and again, so that remembered paths of
 * descriptors become wrong. With an argument, a child and another thread change descriptors, too.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *replace(void *arg)
{
	dup2(open("a", O_RDONLY), *(int *)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int fd, ends[2];
	char byte;

	(void)argv;
	/* These numbers are not descriptors yet. */
	read(3, &byte, 1);
	read(4, &byte, 1);
	read(50, &byte, 1);
	fd = open("a", O_RDWR | O_CREAT, 0600);
	read(fd, &byte, 1);
	close(fd);
	read(fd, &byte, 1);
	fd = open("b", O_RDWR | O_CREAT, 0600);
	read(fd, &byte, 1);
	fcntl(fd, F_DUPFD, 50);
	read(50, &byte, 1);
	close(50);
	if (pipe(ends))
		return 1;
	read(ends[0], &byte, 0);
	dup2(ends[0], 50);
	read(50, &byte, 0);
	rename("b", "c");
	read(fd, &byte, 1);
	if (argc < 2)
		return 0;
	if (!fork()) {
		rename("c", "d");
		_exit(0);
	}
	wait(NULL);
	read(fd, &byte, 1);
	pthread_create(&thread, NULL, replace, &fd);
	pthread_join(thread, NULL);
	read(fd, &byte, 1);
	return 0;
}
