/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sinks/output.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinks/events_kept.h"
#include "util/clock.h"
#include "util/log_file.h"
#include "util/mem.h"
#include "util/msg.h"

/*
 * Size of the buffer of the only log. With it the cost of a write is small beside that of its
 * events.
 */
#define BUFFER_SIZE (64 * 1024)
/* Size of the buffer of a thread's log. There may be thousands of them. */
#define SMALL_BUFFER_SIZE (4 * 1024)
/* How long the beginning of a line waits for the rest before it is written. */
#define LINE_SECONDS 1
/* The share of the descriptors we may have that the logs of threads take: in quarters. */
#define QUARTERS 3
/* How many other names are tried for the log of a thread whose own name is no place for it. */
#define SPARE_NAMES 100

struct output {
	int fd;	       /* -1: a thread's log that was closed to make room for others */
	char *name;    /* of the file, as messages say it */
	pid_t command; /* the process at a pipe's other end */
	int err;       /* the error of the first write that failed */
	bool lines;    /* each line that cannot be written is reported by a message */
	struct strbuf buf;
	struct timespec
		begun; /* when the line that buf ends in has waited for long; 0: not yet asked */
	size_t limit;  /* number of buffered bytes at which they are written */
	struct output *next; /* the next of the set's outputs that have something to flush */
	bool listed;
	struct events_kept *kept; /* --last, or NULL */
	/* --output-limit: bytes of a file and how many files there are (0: no limit), and how far
	 * the file is written. */
	uint64_t bytes_max, bytes;
	unsigned files;
	bool ends_in_line;   /* what was written last was no whole line */
	struct outputs *set; /* of a thread's log; or NULL */
	/* Among the open logs of the set, by when they were last written to. */
	struct output *newer, *older;
};

struct outputs {
	struct output *shared; /* the only log, or NULL if each thread has its own */
	char *path;
	bool append, lines;
	struct output *dirty;		/* logs of threads that have something to flush */
	struct output *newest, *oldest; /* of the open logs of threads */
	size_t open, open_max;		/* number of these, and the largest that may be */
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
 * Whether someone may read the log while it is written and must see each line when the tracee
 * does what it tells. That is so if it is no regular file, or if it is the file that one of the
 * standard descriptors refers to, which the tracee has as well.
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

static void say_not_opened(const char *path, int err, const char *why)
{
	errno = -err;
	if (why)
		msg("Can't fopen '%s': %s", path, why);
	else
		msg_errno("Can't fopen '%s'", path);
}

bool output_is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

/* A descriptor of its own, because tracer leaves standard output to the program that it starts. */
static struct output *open_stdout(void)
{
	const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	struct output *o;

	if (fd < 0) {
		msg_errno("cannot write to standard output");
		return NULL;
	}
	o = output_new("stdout", fd);
	if (is_watched(fd))
		o->limit = 0;
	return o;
}

struct output *output_open(const char *path, bool append)
{
	struct output *o;
	const char *why;
	int fd;

	if (!path) {
		o = output_new("stderr", STDERR_FILENO);
		if (is_watched(STDERR_FILENO))
			o->limit = 0;
		return o;
	}
	if (output_is_stdout(path))
		return open_stdout();
	if (path[0] == '|' || path[0] == '!')
		return output_pipe(path);
	fd = log_file_open(path, append, &why);
	if (fd < 0) {
		say_not_opened(path, fd, why);
		return NULL;
	}
	o = output_new(path, fd);
	if (is_watched(fd))
		o->limit = 0;
	return o;
}

/* ---- the open logs of threads ---- */

static void open_add(struct output *o)
{
	struct outputs *set = o->set;

	o->older = set->newest;
	o->newer = NULL;
	*(set->newest ? &set->newest->newer : &set->oldest) = o;
	set->newest = o;
	set->open++;
}

static void open_remove(struct output *o)
{
	struct outputs *set = o->set;

	*(o->newer ? &o->newer->older : &set->newest) = o->older;
	*(o->older ? &o->older->newer : &set->oldest) = o->newer;
	set->open--;
}

/* Closes the log that was not written to for the longest time; false: none is open. */
static bool close_oldest(struct outputs *set)
{
	struct output *o = set->oldest;

	if (!o)
		return false;
	open_remove(o);
	if (close(o->fd) < 0 && !o->err && errno != EINTR) {
		o->err = errno;
		msg("%s: %s", o->name, strerror(o->err));
	}
	o->fd = -1;
	return true;
}

/* Another name for a log that cannot have its own, after a message; the file is a new one. */
static int open_spare(struct output *o, int err, const char *why)
{
	char *name = o->name;
	int fd = -1;

	for (int i = 1; fd < 0 && i <= SPARE_NAMES; i++) {
		o->name = mem_printf("%s.%d", name, i);
		fd = open(o->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_LARGEFILE, 0666);
		if (fd >= 0)
			msg("'%s' is %s: '%s' is used instead", name, why, o->name);
		else
			free(o->name);
	}
	if (fd >= 0) {
		free(name);
		return fd;
	}
	o->name = name;
	return err;
}

/* Opens the log of a thread, or opens it again after close_oldest(): 0 or -errno, with a message.
 */
static int thread_open(struct output *o, bool append)
{
	struct outputs *set = o->set;
	const char *why;
	int fd;

	while (set->open >= set->open_max && close_oldest(set)) {
	}
	do
		fd = log_file_open(o->name, append, &why);
	while ((fd == -EMFILE || fd == -ENFILE) && close_oldest(set));
	if (fd < 0 && why)
		fd = open_spare(o, fd, why);
	if (fd < 0) {
		say_not_opened(o->name, fd, why);
		return fd;
	}
	o->fd = fd;
	open_add(o);
	return 0;
}

/* Makes sure that a thread's log is open, and the last one to be closed; 0 or -errno. */
static int thread_use(struct output *o)
{
	if (o->fd < 0)
		return thread_open(o, true);
	open_remove(o);
	open_add(o);
	return 0;
}

struct strbuf *output_buf(struct output *o)
{
	return &o->buf;
}

/* A log that could not be written in full shall end with a whole line, if that is possible. */
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

/* Prints a message for each line that ends in the bytes that were not written. */
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

/* FILE.2 from FILE.1 and so on, and FILE anew. Returns 0 or -errno, after a message. */
static int rotate(struct output *o)
{
	const char *why = NULL;
	int err = 0, fd;

	for (unsigned i = o->files - 1; i > 0 && !err; i--) {
		attr_cleanup(mem_free_ptr) char *to = mem_printf("%s.%u", o->name, i);
		attr_cleanup(mem_free_ptr) char *from =
			i > 1 ? mem_printf("%s.%u", o->name, i - 1) : mem_strdup(o->name);

		/* At first there are fewer of them. */
		if (rename(from, to) < 0 && errno != ENOENT) {
			err = -errno;
			msg("Can't rename '%s' to '%s': %s", from, to, strerror(-err));
		}
	}
	if (err)
		return err;
	fd = log_file_open(o->name, false, &why);
	if (fd < 0) {
		say_not_opened(o->name, fd, why);
		return fd;
	}
	close(o->fd);
	o->fd = fd;
	o->bytes = 0;
	return 0;
}

/*
 * How many of the next n bytes of the buffer belong into the file that is open; 0: the next event
 * begins another one. An event is never divided, so one may be longer than a file should be.
 */
static size_t share_of_file(const struct output *o, size_t n)
{
	const char *p = o->buf.data;
	size_t room = o->bytes < o->bytes_max ? o->bytes_max - o->bytes : 0, fit;

	if (n <= room)
		return n;
	fit = events_that_fit(p, n, room);
	if (fit || (o->bytes && !o->ends_in_line && !event_goes_on(p, n)))
		return fit;
	for (size_t at = 0; at < n;) {
		const char *end = memchr(p + at, '\n', n - at);

		if (!end)
			break;
		at = (size_t)(end - p) + 1;
		if (!event_goes_on(p + at, n - at))
			return at;
	}
	return n;
}

static int write_some(struct output *o, size_t n);

/* Writes the first n bytes of the buffer, and takes them out of it. */
static int write_out(struct output *o, size_t n)
{
	while (unlikely(o->bytes_max && n && !o->err)) {
		size_t share = share_of_file(o, n);

		if (!share) {
			o->err = -rotate(o);
			continue;
		}
		o->ends_in_line = o->buf.data[share - 1] != '\n';
		o->bytes += share;
		n -= share;
		if (!n)
			return write_some(o, share);
		write_some(o, share);
	}
	return write_some(o, n);
}

static int write_some(struct output *o, size_t n)
{
	const char *p = o->buf.data;
	size_t left = n;

	if (left && o->set && !o->err)
		o->err = -thread_use(o);
	while (left && !o->err) {
		ssize_t written = write(o->fd, p, left);

		if (written >= 0) {
			p += written;
			left -= written;
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
	if (n)
		memmove(o->buf.data, o->buf.data + n, o->buf.len - n);
	o->buf.len -= n;
	return -o->err;
}

int output_flush(struct output *o)
{
	return write_out(o, o->buf.len);
}

/* How much of the buffer ends at a line. */
static size_t whole_lines(const struct output *o)
{
	const char *end = o->buf.len ? memrchr(o->buf.data, '\n', o->buf.len) : NULL;

	return end ? (size_t)(end + 1 - o->buf.data) : 0;
}

/* Writes the lines that are whole, and the beginning of one if it has waited for its end for long.
 */
static int write_lines(struct output *o)
{
	size_t lines = o->limit ? whole_lines(o) : o->buf.len;
	struct timespec now;

	if (lines == o->buf.len)
		return output_flush(o);
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (lines || !o->begun.tv_sec)
		o->begun = timespec_add(now, (struct timespec){LINE_SECONDS, 0});
	if (!timespec_before(o->begun, now))
		return write_out(o, lines);
	o->begun = (struct timespec){0};
	return output_flush(o);
}

/* Keeps the lines that are whole, for --last. */
static void keep_lines(struct output *o)
{
	size_t n = whole_lines(o);

	events_kept_add(o->kept, o->buf.data, n);
	memmove(o->buf.data, o->buf.data + n, o->buf.len - n);
	o->buf.len -= n;
}

/* Does what is due of a buffer that may not just grow. */
static attr_noinline void commit(struct output *o)
{
	if (o->kept)
		keep_lines(o);
	else
		write_lines(o);
}

void output_commit(struct output *o)
{
	if (unlikely(o->buf.len >= o->limit || o->fd == STDERR_FILENO || o->kept))
		commit(o);
}

/* Writes what --last has kept. The beginning of a line stays in the buffer. */
static void write_kept(struct output *o)
{
	struct strbuf begun = o->buf;
	size_t n;

	o->buf = (struct strbuf){0};
	events_kept_take(o->kept, &o->buf);
	n = o->buf.len;
	strbuf_add(&o->buf, begun.data, begun.len);
	strbuf_deinit(&begun);
	write_out(o, n);
}

int output_close(struct output *o)
{
	int err;

	if (!o)
		return 0;
	if (o->kept)
		write_kept(o);
	err = output_flush(o);
	if (o->set && o->fd >= 0)
		open_remove(o);
	if (o->fd >= 0 && o->fd != STDERR_FILENO && close(o->fd) < 0 && !err && errno != EINTR) {
		err = -errno;
		msg("%s: %s", o->name, strerror(-err));
	}
	/* If the event loop reaped the process, there is nothing to wait for. */
	while (o->command && waitpid(o->command, NULL, __WALL) < 0 && errno == EINTR)
		;
	events_kept_destroy(o->kept);
	strbuf_deinit(&o->buf);
	free(o->name);
	free(o);
	return err;
}

/* How many logs of threads may be open at a time; what else we do needs descriptors as well. */
static size_t open_max(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
		return SIZE_MAX;
	return size_max(limit.rlim_cur / 4 * QUARTERS, 1);
}

/* The bounds of the shared log. */
static void set_limits(struct output *o, const struct log_limits *l)
{
	struct stat st;

	if (l->last)
		o->kept = events_kept_create(l->last);
	o->bytes_max = l->bytes;
	o->files = l->files;
	/* With -A there is something in it. */
	if (l->bytes && !fstat(o->fd, &st))
		o->bytes = (uint64_t)st.st_size;
}

struct outputs *outputs_create(const struct outputs_config *config)
{
	const char *path = config->path;
	const bool separately = path && config->separately;
	struct outputs *set;

	if (separately && strlen(path) >= PATH_MAX - sizeof(".4294967295")) {
		errno = ENAMETOOLONG;
		msg_errno("%s", path);
		return NULL;
	}
	set = mem_zalloc(sizeof(*set));

	if (!separately) {
		set->shared = output_open(path, config->append);
		if (!set->shared) {
			free(set);
			return NULL;
		}
	}
	set->path = path ? mem_strdup(path) : NULL;
	set->append = config->append;
	set->lines = config->lines;
	set->open_max = open_max();
	if (set->shared) {
		set->shared->lines = config->lines;
		set_limits(set->shared, &config->limits);
	}
	return set;
}

/* ---- the logs of threads with something to write ---- */

static void dirty_add(struct outputs *set, struct output *o)
{
	o->listed = true;
	o->next = set->dirty;
	set->dirty = o;
}

/* Takes the logs out of the list of those with something to write, and returns the first one. */
static struct output *dirty_take(struct outputs *set)
{
	struct output *first = set->dirty;

	set->dirty = NULL;
	return first;
}

/* Writes all of them, to the last byte. */
static void flush_threads(struct outputs *set)
{
	struct output *o, *next;

	for (o = dirty_take(set); o; o = next) {
		int err = output_flush(o);

		next = o->next;
		o->listed = false;
		if (!set->err)
			set->err = err;
	}
}

struct output *outputs_get(struct outputs *set, pid_t tid, bool again)
{
	struct output *o;

	if (set->shared)
		return set->shared;
	if (again)
		flush_threads(set);
	o = mem_zalloc(sizeof(*o));
	o->name = mem_printf("%s.%d", set->path, (int)tid);
	o->fd = -1;
	o->set = set;
	o->lines = set->lines;
	if (thread_open(o, set->append || again) < 0) {
		if (!set->err)
			set->err = -EIO;
		free(o->name);
		free(o);
		return NULL;
	}
	o->limit = is_watched(o->fd) ? 0 : SMALL_BUFFER_SIZE;
	return o;
}

bool outputs_unwatched(const struct outputs *set)
{
	return set->shared && set->shared->limit;
}

void outputs_commit(struct outputs *set, struct output *o)
{
	output_commit(o);
	if (o != set->shared && !o->listed)
		dirty_add(set, o);
}

size_t outputs_write_kept(struct outputs *set, uint64_t *seen)
{
	struct output *o = set->shared;
	size_t n = o && o->kept ? events_kept_count(o->kept) : 0;

	if (!o || !o->kept)
		return 0;
	*seen = events_kept_seen(o->kept);
	write_kept(o);
	return n;
}

int outputs_flush(struct outputs *set)
{
	/* What --last keeps is written when it is asked for. */
	struct output *shared = set->shared && !set->shared->kept ? set->shared : NULL;
	int err = shared ? write_lines(shared) : set->shared ? -set->shared->err : 0;
	struct output *o, *next;

	for (o = dirty_take(set); o; o = next) {
		int one = write_lines(o);

		next = o->next;
		o->listed = false;
		if (o->buf.len)
			dirty_add(set, o);
		if (!err)
			err = one;
	}
	if (!set->err)
		set->err = err;
	return set->err ? set->err : set->dirty || (shared && shared->buf.len);
}

static void dirty_remove(struct outputs *set, struct output *o)
{
	struct output **p = &set->dirty;

	while (*p != o)
		p = &(*p)->next;
	*p = o->next;
	o->listed = false;
}

void outputs_put(struct outputs *set, struct output *o)
{
	int err;

	if (!o || o == set->shared)
		return;
	if (o->listed)
		dirty_remove(set, o);
	err = output_close(o);
	if (!set->err)
		set->err = err;
}

int outputs_close(struct outputs *set)
{
	int closed = output_close(set->shared), err = set->err ? set->err : closed;

	free(set->path);
	free(set);
	return err;
}
