/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Two threads, a child, a signal, unusual names and errors: all kinds of events that a format can
 * show.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static int pipe_fds[2];

static void on_signal(int sig)
{
	(void)sig;
}

static void *reader(void *arg)
{
	char c;

	for (int i = 0; i < 50; i++)
		if (read(pipe_fds[0], &c, 1) != 1)
			abort();
	return arg;
}

int main(void)
{
	pthread_t thread;
	pid_t child;

	if (pipe(pipe_fds))
		abort();
	pthread_create(&thread, NULL, reader, NULL);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	open("/no/such\377\"\\\n<file>", O_RDONLY);
	open("/no/gr\303\274n", O_RDONLY);
	write(pipe_fds[1], "\0\1\2\377\"</script>...............", 30);
	write(pipe_fds[1], "012345678901234567890123456789", 20);
	pthread_join(thread, NULL);
	child = fork();
	if (!child) {
		close(-1);
		_exit(3);
	}
	waitpid(child, NULL, 0);
	return 0;
}
