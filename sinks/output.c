/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util/mem.h"
#include "util/msg.h"

/* Large enough that a write's cost is lost in that of the events it carries. */
#define BUFFER_SIZE (64 * 1024)

struct output {
	int fd;
	char *name;    /* for messages */
	pid_t command; /* of a pipe */
	int err;       /* the first write's that failed */
	struct strbuf buf;
};

static struct output *output_new(const char *name, int fd)
{
	struct output *o = mem_zalloc(sizeof(*o));

	o->name = mem_strdup(name);
	o->fd = fd;
	return o;
}

static struct output *output_pipe(const char *path)
{
	struct output *o;
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0) {
		msg_errno("Can't make a pipe for '%s'", path);
		return NULL;
	}
	pid = fork();
	if (pid < 0) {
		msg_errno("Can't fork for '%s'", path);
		close(fds[0]);
		close(fds[1]);
		return NULL;
	}
	if (!pid) {
		signal(SIGPIPE, SIG_DFL);
		if (dup2(fds[0], STDIN_FILENO) < 0)
			_exit(126);
		if (fds[0] == STDIN_FILENO)
			fcntl(STDIN_FILENO, F_SETFD, 0);
		execl("/bin/sh", "sh", "-c", path + 1, (char *)NULL);
		_exit(127);
	}
	close(fds[0]);
	o = output_new(path, fds[1]);
	o->command = pid;
	return o;
}

struct output *output_open(const char *path, bool append)
{
	int fd;

	if (!path)
		return output_new("stderr", STDERR_FILENO);
	if (path[0] == '|' || path[0] == '!')
		return output_pipe(path);
	fd = open(path,
		  O_WRONLY | O_CREAT | O_CLOEXEC | O_LARGEFILE | (append ? O_APPEND : O_TRUNC),
		  0666);
	if (fd < 0) {
		msg_errno("Can't fopen '%s'", path);
		return NULL;
	}
	return output_new(path, fd);
}

bool output_is_stderr(const struct output *o)
{
	return o->fd == STDERR_FILENO;
}

struct strbuf *output_buf(struct output *o)
{
	return &o->buf;
}

int output_flush(struct output *o)
{
	const char *p = o->buf.data;
	size_t left = o->buf.len;

	while (left && !o->err) {
		ssize_t n = write(o->fd, p, left);

		if (n >= 0) {
			p += n;
			left -= n;
		} else if (errno == EAGAIN || errno == EWOULDBLOCK) {
			/* A tracee may have made the terminal that we share non-blocking. */
			struct pollfd pfd = {.fd = o->fd, .events = POLLOUT};

			poll(&pfd, 1, 1000);
		} else if (errno != EINTR) {
			o->err = errno;
			msg("%s: %s", o->name, strerror(o->err));
		}
	}
	o->buf.len = 0;
	return -o->err;
}

void output_commit(struct output *o)
{
	if (o->buf.len >= BUFFER_SIZE || o->fd == STDERR_FILENO)
		output_flush(o);
}

int output_close(struct output *o)
{
	int err;

	if (!o)
		return 0;
	err = output_flush(o);
	if (o->fd != STDERR_FILENO && close(o->fd) < 0 && !err && errno != EINTR) {
		err = -errno;
		msg("%s: %s", o->name, strerror(-err));
	}
	/* Where the event loop reaped it, there is nothing to wait for. */
	while (o->command && waitpid(o->command, NULL, __WALL) < 0 && errno == EINTR)
		;
	strbuf_deinit(&o->buf);
	free(o->name);
	free(o);
	return err;
}
