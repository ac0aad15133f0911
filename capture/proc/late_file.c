/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/late_file.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/own_signals.h"
#include "capture/proc/openat2.h"
#include "util/mem.h"
#include "util/thread.h"

#define COPY_MAX     (64ll << 20) /* maximum size of a copied file in bytes */
#define PATIENCE     300000000ll  /* maximum duration of a request in nanoseconds */
#define PATIENCE_MIN 10000000ll
/*
 * Maximum time to wait for a thread to start, in nanoseconds. A start may be slow on a busy
 * machine.
 */
#define START_NSEC 10000000000ull

#ifndef SYS_close_range
#define SYS_close_range 436 /* since Linux 5.9; the number is the same on all machines */
#endif

/* A request, owned by the helper thread. */
struct job {
	/*
	 * To open a path, `from` is a directory, or -1 for our own root directory, and `to` is -1.
	 * To copy a file, `from` is the file, and `to` is the copy.
	 */
	int sock, from, to;
	uint64_t flags;
	char path[PATH_MAX]; /* path to open in the directory `from`; empty to copy the file
				`from` */
	char buf[1 << 16];
};

/*
 * A message from the helper thread. The thread sends one message when it has started, and another
 * one with the result of the job: 0 or an errno.
 */
struct answer {
	int error;
};

/* -- the thread --------------------------------------------------------------- */

/* Copies the file `from` to `to`. Returns 0 or an errno. */
static int copy_file(struct job *j)
{
	struct stat st;
	ssize_t n = 0;
	int from;

	/* j->from is an O_PATH descriptor, which cannot be read. */
	snprintf(j->buf, sizeof(j->buf), "/proc/thread-self/fd/%d", j->from);
	from = open(j->buf, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (from < 0)
		return errno;
	if (fstat(from, &st) || !S_ISREG(st.st_mode))
		return ENXIO;
	if (st.st_size > COPY_MAX)
		return EFBIG;
	while ((n = read(from, j->buf, sizeof(j->buf))) > 0)
		if (write(j->to, j->buf, (size_t)n) != n)
			return EIO;
	return n < 0 ? errno : 0;
}

/*
 * Gives the helper thread its own table of descriptors, and closes all descriptors in it except
 * those of the job. Without this, a process that tracer forks would inherit the file that the
 * thread opens, and could block when it closes the file, while tracer waits for the process. In
 * addition, tracer's log would stay open until this thread ends. Returns false with errno set on
 * failure.
 */
static bool unshare_descriptors(struct job *j)
{
	int *own[] = {&j->sock, &j->from, &j->to};

	if (unshare(CLONE_FILES))
		return false;
	/* If the job lacks one of the descriptors, use a copy of the socket in its place. */
	for (size_t i = 0; i < ARRAY_SIZE(own); i++) {
		int fd = fcntl(*own[i] < 0 ? j->sock : *own[i], F_DUPFD_CLOEXEC,
			       (int)ARRAY_SIZE(own));

		if (fd < 0)
			return false;
		*own[i] = fd;
	}
	for (int i = 0; i < (int)ARRAY_SIZE(own); i++) {
		if (dup2(*own[i], i) < 0)
			return false;
		*own[i] = i;
	}
	return !syscall(SYS_close_range, ARRAY_SIZE(own), ~0u, 0);
}

/* Sends an answer, together with the descriptor fd unless fd is -1. Returns false on failure. */
static bool send_answer(const struct job *j, int error, int fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {.head = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
	struct answer a = {error};
	struct iovec v = {&a, sizeof(a)};
	struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};

	if (fd >= 0) {
		memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
		m.msg_control = &control;
		m.msg_controllen = sizeof(control);
	}
	return sendmsg(j->sock, &m, MSG_NOSIGNAL) == sizeof(a);
}

static void *thread_main(void *arg)
{
	struct job *j = arg;
	const bool in_folder = j->from >= 0;
	int fd = -1, error = unshare_descriptors(j) ? 0 : errno;

	if (send_answer(j, error, -1) && !error) {
		if (!*j->path)
			error = copy_file(j);
		else if ((fd = open_in_root(in_folder ? j->from : AT_FDCWD, j->path, j->flags)) < 0)
			error = errno;
		send_answer(j, error, fd);
	}
	free(j);
	return NULL;
}

/* -- the tracer --------------------------------------------------------------- */

/*
 * Waits up to ns nanoseconds for an answer from the thread. Sets *fd to the descriptor that came
 * with the answer, or to -1. Returns 0 or an errno: ETIMEDOUT if no answer came.
 */
static int receive_answer(int sock, uint64_t ns, int *fd)
{
	const struct timespec until = clock_after(ns);
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct answer a;
	struct iovec v = {&a, sizeof(a)};
	struct msghdr m = {.msg_iov = &v,
			   .msg_iovlen = 1,
			   .msg_control = &control,
			   .msg_controllen = sizeof(control)};
	struct pollfd p = {.fd = sock, .events = POLLIN};
	int got;

	*fd = -1;
	do {
		struct timespec left = timespec_sub(until, clock_after(0));

		got = ppoll(&p, 1, left.tv_sec < 0 ? &(struct timespec){0} : &left, NULL);
	} while (got < 0 && errno == EINTR && !own_signals_ending());
	if (got <= 0 || recvmsg(sock, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != sizeof(a))
		return ETIMEDOUT;
	if (CMSG_FIRSTHDR(&m))
		memcpy(fd, CMSG_DATA(&control.head), sizeof(*fd));
	return a.error;
}

/*
 * Returns an unused element of l->abandoned, or NULL if all elements are in use. Frees the elements
 * of threads that have ended.
 */
static int *unused_entry(struct late_files *l)
{
	for (size_t i = 0; i < LATE_FILES_MAX; i++) {
		struct pollfd p = {.fd = l->abandoned[i]};

		/* A thread that has ended has closed its end of the socket. */
		if (l->abandoned[i] >= 0 && poll(&p, 1, 0) == 1 && p.revents & POLLHUP) {
			close(l->abandoned[i]);
			l->abandoned[i] = -1;
		}
		if (l->abandoned[i] < 0)
			return &l->abandoned[i];
	}
	return NULL;
}

/*
 * Starts a thread that does the job, and waits up to ns nanoseconds for its answer. Takes ownership
 * of j. Returns the result of receive_answer(). If no answer comes, abandons the thread, and sets
 * *entry to our end of its socket.
 */
static int run_job(struct job *j, uint64_t ns, int *entry, int *fd)
{
	int pair[2], error = ETIMEDOUT;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		error = errno;
		free(j);
		return error;
	}
	j->sock = pair[1];
	if (thread_start(NULL, thread_main, j))
		error = receive_answer(pair[0], START_NSEC, fd);
	else
		free(j);
	/* The thread has its own copies of the descriptors. */
	close(pair[1]);
	if (!error)
		error = receive_answer(pair[0], ns, fd);
	if (error == ETIMEDOUT)
		*entry = pair[0];
	else
		close(pair[0]);
	return error;
}

/*
 * Calls run_job() with a time limit from the time budget. Returns ETIMEDOUT immediately if the
 * budget is used up, or if the maximum number of threads has been abandoned.
 */
static int do_job(struct late_files *l, struct job *j, int *fd)
{
	int *entry = unused_entry(l), error;
	int64_t ns = allowance_left(&l->allowance);
	struct timespec begin = clock_after(0);

	*fd = -1;
	if (!entry || ns < PATIENCE_MIN) {
		free(j);
		return ETIMEDOUT;
	}
	error = run_job(j, (uint64_t)(ns < PATIENCE ? ns : PATIENCE), entry, fd);
	allowance_spend(&l->allowance, begin);
	return error;
}

static struct job *new_job(int from, int to)
{
	struct job *j = mem_zalloc(sizeof(*j));

	j->from = from;
	j->to = to;
	return j;
}

int late_file_find(struct late_files *l, int dir, const char *path, uint64_t flags)
{
	struct job *j = new_job(dir == AT_FDCWD ? -1 : dir, -1);
	int fd;

	j->flags = flags;
	snprintf(j->path, sizeof(j->path), "%s", path);
	errno = do_job(l, j, &fd);
	return fd;
}

int late_file_copy(struct late_files *l, int file)
{
	int to = memfd_create("tracer", MFD_CLOEXEC), fd, error;

	if (to < 0)
		return -1;
	error = do_job(l, new_job(file, to), &fd);
	if (!error)
		return to;
	close(to);
	errno = error;
	return -1;
}

void late_files_init(struct late_files *l)
{
	allowance_init(&l->allowance);
	for (size_t i = 0; i < LATE_FILES_MAX; i++)
		l->abandoned[i] = -1;
}

void late_files_deinit(struct late_files *l)
{
	for (size_t i = 0; i < LATE_FILES_MAX; i++)
		if (l->abandoned[i] >= 0)
			close(l->abandoned[i]);
}
