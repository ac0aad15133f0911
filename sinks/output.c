/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/output.h"

#include <fcntl.h>
#include <limits.h>
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
/* Of each of possibly thousands of logs. */
#define SMALL_BUFFER_SIZE (4 * 1024)

struct output {
	int fd;
	char *name;    /* for messages */
	pid_t command; /* of a pipe */
	int err;       /* the first write's that failed */
	bool lines;    /* errors are reported by the line, and forgotten */
	struct strbuf buf;
	size_t limit;	     /* of what is buffered */
	struct output *next; /* in its set's list of those with something to flush */
	bool listed;
};

struct outputs {
	struct output *shared; /* NULL: one a thread */
	char *path;
	bool append, lines;
	struct output *dirty; /* of threads */
	int err;
};

static struct output *output_new(const char *name, int fd)
{
	struct output *o = mem_zalloc(sizeof(*o));

	o->name = mem_strdup(name);
	o->fd = fd;
	o->limit = BUFFER_SIZE;
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
	o->limit = 0;
	o->command = pid;
	return o;
}

/*
 * Whether someone may look at the log while it is written, who shall see it in step with what the
 * tracee does: it is no plain file, or one that our own descriptors, which the tracee has, lead to.
 */
static bool is_watched(int fd)
{
	struct stat log, st;

	if (fstat(fd, &log) < 0)
		return false;
	if (S_ISCHR(log.st_mode))
		return isatty(fd);
	if (!S_ISREG(log.st_mode))
		return true;
	for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
		if (!fstat(i, &st) && st.st_dev == log.st_dev && st.st_ino == log.st_ino)
			return true;
	return false;
}

struct output *output_open(const char *path, bool append)
{
	struct output *o;
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
	o = output_new(path, fd);
	if (is_watched(fd))
		o->limit = 0;
	return o;
}

struct strbuf *output_buf(struct output *o)
{
	return &o->buf;
}

/* A log that could not be written in full ends with a whole line, where that is possible. */
static void drop_partial_line(struct output *o, const char *written_end)
{
	const char *line = written_end;
	off_t at = lseek(o->fd, 0, SEEK_CUR);
	struct stat st;

	while (line > o->buf.data && line[-1] != '\n')
		line--;
	if (at < written_end - line || fstat(o->fd, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	if (ftruncate(o->fd, at - (written_end - line)) < 0)
		return;
}

/* A message for each line that ends there. */
static void report_lines(const struct output *o, const char *p, size_t left, int err)
{
	const char *end = p + left;

	if (o->fd == STDERR_FILENO)
		return;
	while ((p = memchr(p, '\n', end - p))) {
		msg("%s: %s", o->name, strerror(err));
		p++;
	}
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
			int err = errno;

			drop_partial_line(o, p);
			if (o->lines) {
				report_lines(o, p, left, err);
				break;
			}
			o->err = err;
			msg("%s: %s", o->name, strerror(err));
		}
	}
	o->buf.len = 0;
	return -o->err;
}

void output_commit(struct output *o)
{
	if (o->buf.len >= o->limit || o->fd == STDERR_FILENO)
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

struct outputs *outputs_create(const char *path, bool append, bool separately, bool lines)
{
	struct outputs *set;

	if (path && separately && strlen(path) >= PATH_MAX - sizeof(".4294967295")) {
		errno = ENAMETOOLONG;
		msg_errno("%s", path);
		return NULL;
	}
	set = mem_zalloc(sizeof(*set));

	if (!path || !separately) {
		set->shared = output_open(path, append);
		if (!set->shared) {
			free(set);
			return NULL;
		}
	}
	set->path = path ? mem_strdup(path) : NULL;
	set->append = append;
	set->lines = lines;
	if (set->shared)
		set->shared->lines = lines;
	return set;
}

struct output *outputs_get(struct outputs *set, pid_t tid, bool again)
{
	struct output *o;
	char *path;

	if (set->shared)
		return set->shared;
	if (again)
		outputs_flush(set);
	path = mem_printf("%s.%d", set->path, (int)tid);
	o = output_open(path, set->append || again);
	if (o) {
		o->limit = size_min(o->limit, SMALL_BUFFER_SIZE);
		o->lines = set->lines;
	} else if (!set->err)
		set->err = -EIO;
	free(path);
	return o;
}

void outputs_commit(struct outputs *set, struct output *o)
{
	output_commit(o);
	if (o != set->shared && !o->listed) {
		o->listed = true;
		o->next = set->dirty;
		set->dirty = o;
	}
}

int outputs_flush(struct outputs *set)
{
	int err = set->shared ? output_flush(set->shared) : 0;

	for (struct output *o; (o = set->dirty);) {
		int one = output_flush(o);

		set->dirty = o->next;
		o->listed = false;
		if (!err)
			err = one;
	}
	if (!set->err)
		set->err = err;
	return set->err;
}

void outputs_put(struct outputs *set, struct output *o)
{
	int err;

	if (!o || o == set->shared)
		return;
	if (o->listed)
		outputs_flush(set);
	err = output_close(o);
	if (!set->err)
		set->err = err;
}

int outputs_close(struct outputs *set)
{
	int err = outputs_flush(set), closed = output_close(set->shared);

	free(set->path);
	free(set);
	return err ? err : closed;
}
