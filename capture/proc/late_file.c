/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/late_file.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/own_signals.h"
#include "util/clock.h"
#include "util/mem.h"

#define COPY_MAX   (64ll << 20) /* bytes of a file */
#define PATIENCE   300000000ull
#define COPY_STACK (256 * 1024)
#define START_NSEC 10000000000ull /* that the start of a thread may take: the machine is busy */

#ifndef SYS_close_range
#define SYS_close_range 436 /* Linux 5.9, the same everywhere */
#endif

/* What the thread owns. */
struct copy {
	char path[64];
	int sock, to; /* to: the copy's descriptor */
	char buf[1 << 16];
};

/* Copies the file, as far as the kernel gives it. Returns whether that was all. */
static bool copy_file(struct copy *c)
{
	int from = open(c->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	ssize_t n = -1;

	if (from < 0)
		return false;
	if (!fstat(from, &st) && S_ISREG(st.st_mode) && st.st_size <= COPY_MAX)
		while ((n = read(from, c->buf, sizeof(c->buf))) > 0 && write(c->to, c->buf, n) == n)
			;
	close(from);
	return !n;
}

/*
 * Its descriptors are its own: a process that tracer forks would ask the file system once more when
 * it closes the file, and tracer waits for that process. Nobody who waits for the end of a log must
 * wait for this thread.
 */
static bool have_own_descriptors(struct copy *c)
{
	if (unshare(CLONE_FILES) || (c->sock = fcntl(c->sock, F_DUPFD_CLOEXEC, 3)) < 0 ||
	    (c->to = fcntl(c->to, F_DUPFD_CLOEXEC, 3)) < 0 || dup2(c->sock, 0) < 0 ||
	    dup2(c->to, 1) < 0 || syscall(SYS_close_range, 2, ~0u, 0))
		return false;
	c->sock = 0;
	c->to = 1;
	return true;
}

static void *copier(void *arg)
{
	struct copy *c = arg;
	char began = have_own_descriptors(c), whole;

	if (send(c->sock, &began, 1, MSG_NOSIGNAL) == 1 && began) {
		whole = copy_file(c);
		send(c->sock, &whole, 1, MSG_NOSIGNAL);
	}
	free(c);
	return NULL;
}

static bool start(struct copy *c)
{
	sigset_t all, before;
	pthread_attr_t attr;
	pthread_t thread;
	bool ok;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, COPY_STACK);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	/* The tracing thread must get all signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = !pthread_create(&thread, &attr, copier, c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return ok;
}

/* Waits for the thread's answer. Returns false if it is no, or late. */
static bool is_answered(int sock, uint64_t ns)
{
	const struct timespec until = clock_after(ns);
	struct pollfd p = {.fd = sock, .events = POLLIN};
	char yes = 0;
	int got;

	do {
		struct timespec left = timespec_sub(until, clock_after(0));

		got = ppoll(&p, 1, left.tv_sec < 0 ? &(struct timespec){0} : &left, NULL);
	} while (got < 0 && errno == EINTR && !own_signals_ending());
	return got > 0 && recv(sock, &yes, 1, MSG_DONTWAIT) == 1 && yes;
}

int late_file_open(struct late_files *l, const char *path)
{
	int pair[2], fd, began = false;
	struct copy *c;

	errno = ETIMEDOUT;
	if (l->left >= LATE_FILES_MAX ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -1;
	fd = memfd_create("tracer", MFD_CLOEXEC);
	c = mem_zalloc(sizeof(*c));
	snprintf(c->path, sizeof(c->path), "%s", path);
	c->sock = pair[1];
	c->to = fd;
	if (fd < 0 || !start(c))
		free(c);
	else
		began = is_answered(pair[0], START_NSEC);
	/* The thread has descriptors of its own by now. */
	close(pair[1]);
	if (!began || !is_answered(pair[0], PATIENCE)) {
		l->left++;
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	close(pair[0]);
	errno = ETIMEDOUT;
	return fd;
}
