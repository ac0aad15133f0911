/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/files/debuginfod.h"

#include <fcntl.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/mem.h"

#define CLIENTS_MAX 4
#define FETCH_FD    3
#define ID_SIZE                                                                                    \
	(2 * 64 + 1) /* size in bytes of a hexadecimal build id in the pipe; less than PIPE_BUF */

struct debuginfod {
	bool started; /* true if start() has been called, whether or not it succeeded */
	int to;	      /* write end of the pipe to the fetching process, or -1 */
};

static int open_in(const char *dir, const char *sub, const char *build_id)
{
	char *path;
	int fd;

	if (!dir || !*dir)
		return -1;
	path = mem_printf("%s%s/%s/debuginfo", dir, sub, build_id);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	free(path);
	return fd;
}

/*
 * Opens the debug file in the cache of debuginfod_find_debuginfo(3). Returns a descriptor, or -1 if
 * the cache does not contain the file.
 */
static int open_cached(const char *build_id)
{
	int fd = open_in(getenv("DEBUGINFOD_CACHE_PATH"), "", build_id);

	if (fd < 0)
		fd = open_in(getenv("XDG_CACHE_HOME"), "/debuginfod_client", build_id);
	if (fd < 0)
		fd = open_in(getenv("HOME"), "/.cache/debuginfod_client", build_id);
	if (fd < 0)
		fd = open_in(getenv("HOME"), "/.debuginfod_client_cache", build_id);
	return fd;
}

/* Runs the debuginfod client for one file. Returns false if the client cannot be started. */
static bool run_client(const char *build_id)
{
	pid_t pid = fork();

	if (pid)
		return pid > 0;
	execlp("debuginfod-find", "debuginfod-find", "debuginfo", build_id, (char *)NULL);
	_exit(127);
}

/* Main function of the fetching process: reads build ids from the pipe until tracer closes it. */
static void attr_noreturn fetch(int from)
{
	unsigned running = 0;
	char id[ID_SIZE];
	int null;

	/* Detach from the terminal, and close all descriptors that were inherited from tracer. */
	setsid();
	dup2(from, FETCH_FD);
	if (syscall(SYS_close_range, FETCH_FD + 1, ~0u, 0))
		for (int fd = FETCH_FD + 1; fd < 1024; fd++)
			close(fd);
	fcntl(FETCH_FD, F_SETFD, FD_CLOEXEC);
	null = open("/dev/null", O_RDWR);
	for (int fd = 0; fd < FETCH_FD && null >= 0; fd++)
		dup2(null, fd);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	while (read(FETCH_FD, id, sizeof(id)) == sizeof(id)) {
		id[sizeof(id) - 1] = 0;
		if (running == CLIENTS_MAX && wait(NULL) > 0)
			running--;
		running += run_client(id);
	}
	_exit(0);
}

/*
 * Starts the process that fetches files. Forks twice, so that the process is not a child of tracer,
 * because tracer's wait calls must report only tracees. Returns false on failure.
 */
static bool start(struct debuginfod *d)
{
	int ends[2];
	pid_t pid;

	d->started = true;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return false;
	pid = fork();
	if (!pid) {
		close(ends[1]);
		if (fork())
			_exit(0);
		fetch(ends[0]);
	}
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return false;
	}
	/* Do not block if the pipe is full; drop the request instead. */
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	d->to = ends[1];
	return true;
}

struct debuginfod *debuginfod_create(void)
{
	struct debuginfod *d = mem_zalloc(sizeof(*d));

	d->to = -1;
	return d;
}

void debuginfod_destroy(struct debuginfod *d)
{
	if (!d)
		return;
	if (d->to >= 0)
		close(d->to);
	free(d);
}

int debuginfod_open(struct debuginfod *d, const char *build_id)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	char id[ID_SIZE] = "";
	int fd;

	if (!urls || !*urls || strlen(build_id) >= sizeof(id))
		return -1;
	fd = open_cached(build_id);
	if (fd >= 0)
		return fd;
	memcpy(id, build_id, strlen(build_id));
	if ((d->started || start(d)) && d->to >= 0 && write(d->to, id, sizeof(id)) < 0 &&
	    errno != EAGAIN) {
		close(d->to);
		d->to = -1;
	}
	return -1;
}
