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
 * Buffer size of a log that all threads share. It is large enough to make the cost of writes small.
 */
#define BUFFER_SIZE (64 * 1024)
/* Buffer size of a log with -ff. There may be thousands of such logs. */
#define SMALL_BUFFER_SIZE (4 * 1024)
/*
 * A buffer that has grown beyond this size in bytes, because of a very large event, is freed once
 * it is empty.
 */
#define BUFFER_KEPT (1u << 20)
/* An incomplete line is written after this many seconds. */
#define LINE_SECONDS 1
/* Maximum share of the available descriptors, in quarters, that per-thread logs may use. */
#define QUARTERS 3
/* Maximum number of alternative names to try if a per-thread log cannot have its regular name. */
#define SPARE_NAMES 100

struct output {
	int fd;	       /* -1 if a per-thread log was closed to free a descriptor */
	char *name;    /* name of the file in messages */
	pid_t command; /* pid of the command that reads the pipe */
	int err;       /* errno of the first error, or 0 */
	bool lines;    /* true to print a message for each line that could not be written */
	struct strbuf buf;
	/* Time at which the incomplete last line in `buf` must be written, or 0. */
	struct timespec begun;
	size_t limit;	     /* the buffer is written when it has this size */
	struct output *next; /* next output in the list of outputs with unwritten data */
	bool listed;
	struct events_kept *kept; /* the events stored for --last, or NULL */
	/*
	 * --output-limit: maximum size of a file in bytes (0 means no limit), current size, and
	 * number of files.
	 */
	uint64_t bytes_max, bytes;
	unsigned files;
	bool ends_in_line;   /* true if the last write did not end with a newline */
	struct outputs *set; /* the set to which a per-thread log belongs; NULL for other logs */
	/* Links in the list of the open logs of a struct outputs, ordered by last write. */
	struct output *newer, *older;
};

struct outputs {
	struct output *shared; /* the log that all threads share, or NULL if each thread has its
				  own log */
	char *path;
	bool append, lines;
	struct output *dirty;		/* list of per-thread logs with unwritten data */
	struct output *newest, *oldest; /* list of open per-thread logs */
	size_t open, open_max;		/* number of open per-thread logs, and the maximum */
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
 * Returns true if the log is watched, so that each line must be written at the time of its event.
 * Terminals, pipes and sockets are watched, but other character devices such as /dev/null are not.
 * A regular file is watched only if it is also a standard stream of tracer, because the tracee
 * shares these streams.
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

/*
 * Opens a duplicate of standard output. tracer closes its own standard output, because the program
 * uses it.
 */
static struct output *open_stdout(void)
{
	const int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	struct output *o;

	if (fd < 0) {
		msg_errno("cannot write to standard output");
		return NULL;
	}
	o = output_new("standard output", fd);
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
	if (log_path_is_stdout(path))
		return open_stdout();
	if (log_path_is_command(path))
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

/* ---- open per-thread logs ---- */

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

/* Closes the least recently written log. Returns false if no log is open. */
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

/*
 * For a log that cannot have its regular name: opens a new file with another name, and prints a
 * message. Returns the descriptor, or `err` if no name is available.
 */
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

/*
 * Opens a per-thread log, either for the first time or after close_oldest(). Returns 0, or prints a
 * message and returns -errno.
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

/*
 * Opens a per-thread log if it is closed. Makes it the newest log, so that close_oldest() closes it
 * last. Returns 0 or -errno.
 */
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

/* After a failed write, truncates a regular file to its last complete line. */
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

/*
 * Prints a message for each newline in the unwritten bytes, because strace prints one for each line
 * that it cannot write.
 */
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

/*
 * Renames FILE.1 to FILE.2 and so on, and opens a new FILE. Returns 0, or prints a message and
 * returns -errno.
 */
static int rotate(struct output *o)
{
	const char *why = NULL;
	int err = 0, fd;

	for (unsigned i = o->files - 1; i > 0 && !err; i--) {
		attr_cleanup(mem_free_ptr) char *to = mem_printf("%s.%u", o->name, i);
		attr_cleanup(mem_free_ptr) char *from =
			i > 1 ? mem_printf("%s.%u", o->name, i - 1) : mem_strdup(o->name);

		/* At first, some of the files do not exist, so ignore ENOENT. */
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
 * Returns how many of the next n bytes in the buffer must be written to the open file. Returns 0 if
 * the next event must go to a new file. An event is never split, so a file may exceed the limit.
 */
static size_t share_of_file(const struct output *o, size_t n)
{
	const char *p = o->buf.data;
	size_t room = o->bytes < o->bytes_max ? o->bytes_max - o->bytes : 0, fit;

	if (n <= room)
		return n;
	fit = events_that_fit(p, n, room);
	if (fit || (o->bytes && !o->ends_in_line && !event_continues(p, n)))
		return fit;
	for (size_t at = 0; at < n;) {
		const char *end = memchr(p + at, '\n', n - at);

		if (!end)
			break;
		at = (size_t)(end - p) + 1;
		if (!event_continues(p + at, n - at))
			return at;
	}
	return n;
}

static int write_some(struct output *o, size_t n);

/*
 * Writes the first n bytes of the buffer and removes them from the buffer. Returns 0, or -errno of
 * the first failed write.
 */
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
			/*
			 * A tracee may have switched the shared terminal to non-blocking mode, so
			 * wait until it is writable.
			 */
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
	if (!o->buf.len && o->buf.cap > BUFFER_KEPT)
		strbuf_deinit(&o->buf);
	return -o->err;
}

int output_flush(struct output *o)
{
	return write_out(o, o->buf.len);
}

/* Returns the length of the complete lines in the buffer. */
static size_t whole_lines(const struct output *o)
{
	const char *end = o->buf.len ? memrchr(o->buf.data, '\n', o->buf.len) : NULL;

	return end ? (size_t)(end + 1 - o->buf.data) : 0;
}

/*
 * Writes all complete lines. Also writes an incomplete line whose time limit has passed. Returns 0,
 * or -errno of the first failed write.
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

/* Stores complete lines for --last. */
static void keep_lines(struct output *o)
{
	size_t n = whole_lines(o);

	events_kept_add(o->kept, o->buf.data, n);
	memmove(o->buf.data, o->buf.data + n, o->buf.len - n);
	o->buf.len -= n;
}

/* Calls write_lines() or, with --last, stores the complete lines. */
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

/* Writes the events stored for --last. Leaves an incomplete line in the buffer. */
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
	/* Stop waiting if the event loop has already reaped the command. */
	while (o->command && waitpid(o->command, NULL, __WALL) < 0 && errno == EINTR)
		;
	events_kept_destroy(o->kept);
	strbuf_deinit(&o->buf);
	free(o->name);
	free(o);
	return err;
}

/*
 * Returns the maximum number of open per-thread logs. Leaves some descriptors for the rest of
 * tracer.
 */
static size_t open_max(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == RLIM_INFINITY)
		return SIZE_MAX;
	return size_max(limit.rlim_cur / 4 * QUARTERS, 1);
}

static void set_limits(struct output *o, const struct log_limits *l)
{
	struct stat st;

	if (l->last)
		o->kept = events_kept_create(l->last);
	o->bytes_max = l->bytes;
	o->files = l->files;
	/* With -A, the file may already have contents, so begin with its current size. */
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

/* ---- per-thread logs with unwritten data ---- */

static void dirty_add(struct outputs *set, struct output *o)
{
	o->listed = true;
	o->next = set->dirty;
	set->dirty = o;
}

/* Empties the list of logs with unwritten data. Returns the former first log of the list. */
static struct output *dirty_take(struct outputs *set)
{
	struct output *first = set->dirty;

	set->dirty = NULL;
	return first;
}

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
	/* Events stored for --last are written only on request. */
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
